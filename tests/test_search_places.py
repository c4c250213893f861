"""Search in every kind of repository, and over documents and an index that are odd, missing or damaged."""

import shutil
import subprocess
from pathlib import Path

import pytest

from mfgit.errors import BadInput
from mfgit.project import Project
from tests.builders import Workbench
from tests.searching import PAGES, paths


@pytest.fixture
def kb(tmp_path: Path) -> Workbench:
    return Workbench.make(tmp_path / "kb", PAGES)


@pytest.mark.parametrize("options", [pytest.param((), id="checkout"), pytest.param(("--bare",), id="bare")])
@pytest.mark.parametrize("command", [("search", "x"), ("context", "x"), ("doctor",)], ids=lambda command: command[0])
def test_a_repository_without_commits_says_so(tmp_path: Path, command: tuple[str, ...], options: tuple[str, ...]) -> None:
    subprocess.run(["git", "init", "-q", *options, str(tmp_path / "new")], check=True)
    ran = Workbench(tmp_path / "new").mfgit(*command)
    assert (ran.code, ran.out) == (2, "")
    assert "This repository has no commits yet" in ran.err


def test_a_branch_without_commits_is_told_from_a_repository_without_any(kb: Workbench) -> None:
    kb.git("checkout", "-q", "--orphan", "new")
    ran = kb.mfgit("search", "refunds")
    assert ran.code == 2
    assert "The branch that is checked out has no commits yet" in ran.err
    assert paths(kb, "refunds", ref="main")[0] == "help/refunds.md"


def test_a_shallow_clone_says_why_an_older_commit_is_not_there(kb: Workbench, tmp_path: Path) -> None:
    old = kb.git("rev-parse", "HEAD")
    kb.commit()
    kb.git("clone", "-q", "--depth", "1", f"file://{kb.path}", str(tmp_path / "shallow"))
    ran = Workbench(tmp_path / "shallow").mfgit("search", "refunds", "--ref", old)
    assert ran.code == 2
    assert "git fetch --unshallow" in ran.err


def test_bare_repositories_linked_worktrees_and_shallow_clones_are_searched(kb: Workbench, tmp_path: Path) -> None:
    kb.git("clone", "-q", "--bare", str(kb.path), str(tmp_path / "bare.git"))
    kb.git("worktree", "add", "-q", str(tmp_path / "linked"), "--detach")
    kb.git("clone", "-q", "--depth", "1", f"file://{kb.path}", str(tmp_path / "shallow"))
    for folder in ("bare.git", "linked", "linked/help", "shallow"):
        assert paths(Workbench(tmp_path / folder), "refunds")[0] == "help/refunds.md"
        assert Workbench(tmp_path / folder).mfgit("context", "refunds").code == 0
    assert not (tmp_path / "linked" / "mfgit").exists()


def test_outside_a_repository_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not in a Git repository"):
        Project.open(tmp_path)


def test_odd_documents_do_not_stop_a_search(tmp_path: Path) -> None:
    kb = Workbench.make(
        tmp_path / "kb",
        {
            "caf\udce9.md": "# Café\n\nespresso\n",
            "latin1.md": "# Prix\n\ncaf\xe9 espresso".encode("latin-1"),
            "broken.md": "---\ntitle: [\n---\n# Broken\n\nespresso\n",
            "binary.md": bytes(range(256)) * 20,
            "empty.md": "",
            "index.json": "{",
            "mfgit.toml": "target = [",
        },
    )
    ran = kb.mfgit("search", "espresso", "--json")
    assert ran.code == 0, ran.err
    assert len(ran.json()["hits"]) == 3
    assert "caf\udce9.md" in [hit["path"] for hit in ran.json()["hits"]]
    strict = {"PYTHONIOENCODING": "utf-8:strict"}
    assert kb.mfgit("search", "espresso caf\udce9", "--json", env=strict).code == 0
    assert "caf\\xe9.md" in kb.mfgit("search", "espresso caf\udce9", env=strict).out
    assert "index.json" in ran.json()["note"]


def test_a_document_that_is_missing_from_the_clone_is_named(kb: Workbench) -> None:
    oid = kb.git("rev-parse", "HEAD:help/roles.md")
    (kb.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    ran = kb.mfgit("search", "pays")
    assert ran.code == 2
    assert "help/roles.md is missing" in ran.err


def test_a_pasted_log_is_a_question_too(kb: Workbench) -> None:
    log = " ".join(f"unknownword{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}" for n in range(5000))
    assert paths(kb, "refunds " + log) == ["help/refunds.md"]


def test_a_large_document_is_searched(tmp_path: Path) -> None:
    text = "# Large\n\n" + "filler words that say nothing much\n" * 60_000 + "\n\n## Needle\n\nxylopticon\n"
    kb = Workbench.make(tmp_path / "kb", {"large.md": text})
    hit = Project.open(kb.path).search("xylopticon").hits[0]
    assert (hit.passage.heading, hit.passage.lines[1]) == ("Needle", text.count("\n"))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Whoosh leaves a damaged file open
def test_a_damaged_index_is_rebuilt_while_searching(kb: Workbench) -> None:
    assert paths(kb, "refunds")
    for path in (kb.path / ".git" / "mfgit" / "search").glob("index-*/*.pst"):
        path.write_bytes(b"garbage" * 1000)
    assert paths(kb, "refunds backups")[0] in ("help/refunds.md", "help/backups.md")
    shutil.rmtree(kb.path / ".git" / "mfgit")
    assert paths(kb, "refunds")
