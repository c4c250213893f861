"""The retrievers of LangChain and LlamaIndex, with the real libraries: the same passages, marked and cited, sync and async."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.builders import Workbench
from tests.examples import EXAMPLES, TOP
from tests.searching import ID, PAGES, blob, propose

FOLDER = EXAMPLES / "retrievers"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what the extra `examples` names, and nothing compiled: most of it is never imported."""
    place = tmp_path_factory.mktemp("libraries")
    wanted = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["examples"]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(place), *wanted]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return place


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """Return a repository with an overlay that is adopted."""
    bench = Workbench.make(tmp_path_factory.mktemp("retrievers") / "kb", PAGES)
    propose(bench, ID, "Can I pay with a gift card?", "Type the number of the gift card.", [blob(bench, "help/refunds.md")])
    bench.git("merge", "-q", f"mfgit/{ID}")
    return bench


def ask(kb: Workbench, libraries: Path, *questions: str) -> list[list[dict[str, Any]]]:
    """Return the passages that both retrievers find for each question."""
    ran = subprocess.run(
        [sys.executable, "try_it.py", str(kb.path), *questions], cwd=FOLDER, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(libraries)},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    said = [json.loads(line) for line in ran.stdout.splitlines()]
    for each in said:
        assert each["same"]
        assert each["langchain"] == each["llamaindex"]
    return [each["langchain"] for each in said]


def test_both_find_what_a_search_finds(kb: Workbench, libraries: Path) -> None:
    (first, *_), backups = ask(kb, libraries, "Can I pay with a gift card?", "夜间备份保留多久？")
    metadata = first["metadata"]
    assert first["text"].startswith(metadata["mark"])
    assert "gift card" in first["text"]
    assert (metadata["overlay"], metadata["stale"], metadata["proposal"]) == (True, False, ID)
    hits = kb.mfgit("search", "夜间备份保留多久？", "--json", "-n", "5").json()
    for hit, passage in zip(hits["hits"], backups, strict=True):
        metadata = passage["metadata"]
        assert (passage["text"], metadata["commit"]) == (hit["text"], hits["commit"])
        assert {name: metadata[name] for name in ("path", "lines", "citation", "anchor", "score")}.items() <= hit.items()
        assert kb.mfgit("cite", metadata["citation"]).out == f"{hit['text']}\n"
