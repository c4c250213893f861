"""Folders of the archive are ignored by Git from their first moment, whatever the repository around them says."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mfgit.archive.appending import append_values
from mfgit.archive.sessions import SessionStore
from mfgit.archive.store import IGNORE, IGNORE_ALL, Store
from tests.archives import everything, turn


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def opened(kind: str, folder: Path) -> None:
    """Open a folder for writing, as every command does that writes to it."""
    if kind == "chat":
        with Store(folder) as store:
            append_values(store, [turn(1)])
    else:
        with SessionStore(folder).locked():
            (folder / "sessions" / "a.json").write_text("{}")


KINDS = pytest.mark.parametrize("kind", ["chat", "sessions"])


@KINDS
@pytest.mark.parametrize("late", [False, True], ids=["repository first", "archive first"])
def test_git_add_takes_nothing_of_an_archive(tmp_path: Path, kind: str, late: bool) -> None:
    if late:
        opened(kind, tmp_path / "tmp/archive")
    git(tmp_path, "init", "--quiet")
    opened(kind, tmp_path / "tmp/archive")
    git(tmp_path, "add", "--all")
    assert (git(tmp_path, "ls-files"), git(tmp_path, "status", "--porcelain")) == ("", "")
    assert (tmp_path / "tmp/archive" / IGNORE).read_bytes() == IGNORE_ALL


@KINDS
@pytest.mark.parametrize("repository", [True, False], ids=["in a work tree", "elsewhere"])
def test_a_folder_of_others_is_hidden_in_a_work_tree_only(tmp_path: Path, kind: str, repository: bool) -> None:
    if repository:
        git(tmp_path, "init", "--quiet")
    (tmp_path / "chat").mkdir()
    opened(kind, tmp_path / "chat")
    assert (tmp_path / "chat" / IGNORE).exists() is repository


@KINDS
def test_a_link_is_judged_by_where_it_leads(tmp_path: Path, kind: str) -> None:
    git(tmp_path, "init", "--quiet", "inside")
    (tmp_path / "inside/real").mkdir()
    (tmp_path / "link").symlink_to("inside/real")
    opened(kind, tmp_path / "link")
    git(tmp_path / "inside", "add", "--all")
    assert git(tmp_path / "inside", "ls-files") == ""


@KINDS
@pytest.mark.parametrize("there", ["!*.jsonl\n", ""], ids=["with lines", "empty"])
def test_a_file_that_is_there_stays(tmp_path: Path, kind: str, there: str) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "chat").mkdir()
    (tmp_path / "chat" / IGNORE).write_text(there)
    opened(kind, tmp_path / "chat")
    assert (tmp_path / "chat" / IGNORE).read_text() == there


@KINDS
def test_the_top_of_a_work_tree_is_left_alone(tmp_path: Path, kind: str) -> None:
    git(tmp_path, "init", "--quiet", "outer/inner")
    git(tmp_path / "outer", "init", "--quiet")
    opened(kind, tmp_path / "outer/inner")
    assert not (tmp_path / "outer/inner" / IGNORE).exists()


def test_a_folder_that_takes_no_new_files_is_still_appended_to(tmp_path: Path) -> None:
    opened("chat", tmp_path / "chat")
    (tmp_path / "chat" / IGNORE).unlink()
    git(tmp_path, "init", "--quiet")
    (tmp_path / "chat").chmod(0o500)
    try:
        with Store(tmp_path / "chat") as store:
            append_values(store, [turn(2)])
    finally:
        (tmp_path / "chat").chmod(0o700)
    assert len(everything(tmp_path / "chat").turns) == 2


def test_many_at_once_write_it_once_and_leave_nothing(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    for name in "abcdefgh":
        folder = tmp_path / name
        with ThreadPoolExecutor(8) as pool:
            for store in pool.map(Store, [folder] * 8):
                store.close()
        assert {path.name for path in folder.iterdir()} == {IGNORE, ".lock"}
        assert (folder / IGNORE).read_bytes() == IGNORE_ALL
