"""Whatever the locale and the encoding of the output, names are read as UTF-8 and nothing crashes."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping

import pytest

from mfgit.plumbing import decode, encode, native
from tests.builders import Ran, Workbench

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0"}
PAGE = "help/zh/回收站.md"


@pytest.fixture
def kb(bench: Workbench) -> Workbench:
    """Return a repository with Chinese names and an emoji."""
    bench.write({PAGE: "# 回收站\n\n清空回收站 (trash) 以后内容不能恢复。\n", "help/表😀.md": "# 表情\n\n内容 emoji 😀 é\n"})
    bench.commit()
    return bench


def run(kb: Workbench, environment: Mapping[str, str], *words: str) -> Ran:
    """Run mfgit under other settings; what it prints is decoded as UTF-8, escaped where it is not."""
    command = [sys.executable, "-m", "mfgit", *words]
    done = subprocess.run(command, cwd=kb.path, env={**os.environ, **environment}, capture_output=True, check=False)
    return Ran(done.returncode, *(stream.decode("utf-8", "backslashreplace") for stream in (done.stdout, done.stderr)))


@pytest.mark.parametrize("data", [b"", b"plain", "回收站".encode(), b"caf\xe9", b"\xed\xb2\x80"], ids=repr)
def test_a_name_comes_back_as_the_bytes_it_was(data: bytes) -> None:
    assert encode(decode(data)) == data
    assert os.fsencode(native(decode(data))) == data


def test_a_first_search_in_an_ascii_locale_leaves_a_good_index(kb: Workbench) -> None:
    first = run(kb, ASCII, "search", "trash")
    assert first.code == 0
    assert PAGE in first.out
    assert "UTF-8" not in first.out + first.err
    assert [hit["path"] for hit in kb.mfgit("search", "回收站", "--json").json()["hits"]] == [PAGE]


def test_a_library_in_an_ascii_locale_leaves_a_good_index(kb: Workbench) -> None:
    script = "from mfgit.project import Project; print(ascii([h.passage.path for h in Project.open('.').search('trash').hits]))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=kb.path, env={**os.environ, **ASCII}, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{[PAGE]!a}\n"


def test_a_chinese_question_is_understood_in_an_ascii_locale(kb: Workbench) -> None:
    assert [hit["path"] for hit in json.loads(run(kb, ASCII, "search", "回收站", "--json").out)["hits"]] == [PAGE]


@pytest.mark.parametrize(
    "words", [["init", "--yes"], ["doctor"], ["scan"], ["context", "回收站"], ["guard", "--staged"]], ids=str
)
def test_every_command_works_in_an_ascii_locale(kb: Workbench, words: list[str]) -> None:
    ran = run(kb, ASCII, *words)
    assert ran.code in (0, 1), ran
    assert "bug" not in ran.err


@pytest.mark.parametrize("encoding", ["latin-1", "gbk", "cp1252"])
@pytest.mark.parametrize("words", [["search", "内容"], ["context", "内容"], ["doctor"], ["search", "-n", "0"]], ids=str)
def test_output_that_an_encoding_lacks_is_escaped(kb: Workbench, encoding: str, words: list[str]) -> None:
    ran = run(kb, {"PYTHONIOENCODING": encoding}, *words)
    assert ran.code == (2 if "-n" in words else 1 if words == ["doctor"] else 0), ran
    assert "Traceback" not in ran.err
    assert "doctor" in words or "-n" in words or "\\U0001f600" in ran.out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk", "utf-8"])
def test_json_stays_json_in_any_encoding(kb: Workbench, encoding: str) -> None:
    command = [sys.executable, "-m", "mfgit", "search", "内容", "--json"]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, cwd=kb.path, env=environment, capture_output=True, check=True)
    assert "help/表😀.md" in [hit["path"] for hit in json.loads(done.stdout.decode(encoding))["hits"]]
