"""The one place that runs Git: what it hands over, and what it makes of the answer."""

import io
import shlex
import sys
from pathlib import Path

import pytest

from mfgit.errors import BadInput
from mfgit.plumbing import Git, GitFailedError, Objects, TreeEntry, clean_environment
from tests.builders import PAGES, Workbench


def test_the_environment_cannot_bend_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_CONFIG_PARAMETERS", "GIT_CONFIG_KEY_0", "GIT_EXTERNAL_DIFF", "GIT_NAMESPACE", "GIT_TRACE_SETUP"):
        monkeypatch.setenv(name, "evil")
    monkeypatch.setenv("GIT_INDEX_FILE", "kept")
    monkeypatch.setenv("GIT_GRAFT_FILE", "evil")
    found = clean_environment({"EXTRA": "1"})
    assert "evil" not in found.values()
    assert found["GIT_INDEX_FILE"] == "kept"
    assert found["GIT_NO_REPLACE_OBJECTS"] == "1"
    assert found["EXTRA"] == "1"


def test_what_git_starts_reads_paths_as_utf_8_and_git_speaks_english(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else no hook runs whose Python has mfgit from a folder with a Chinese name."""
    for name, value in {"LANG": "C", "LC_ALL": "C", "LANGUAGE": "de"}.items():
        monkeypatch.setenv(name, value)
    asks = f"alias.encoding=!{shlex.quote(sys.executable)} -I -c 'import locale; print(locale.getencoding())'"
    git = Git(bench.path)
    assert git.run("-c", asks, "encoding").out.strip().lower() == b"utf-8"
    assert git.run("rev-parse", "--verify", "gone", ok=None).err.startswith(b"fatal: Needed a single revision")


def test_of_settings_handed_over_only_whose_repositories_may_be_read_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    more = {"KEY_2": "diff.external", "VALUE_2": "evil", "KEY_3": "safe.directory", "VALUE_3": "/x"}
    given = {"COUNT": "3", "KEY_0": "core.hooksPath", "VALUE_0": "/evil", "KEY_1": "Safe.Directory", "VALUE_1": "/kb"}
    for name, value in (given | more).items():
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    found = {name: value for name, value in clean_environment().items() if name.startswith("GIT_CONFIG_")}
    found.pop("GIT_CONFIG_NOSYSTEM", None)
    assert found == {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "/kb"}
    monkeypatch.setenv("GIT_CONFIG_COUNT", "many")
    assert "GIT_CONFIG_COUNT" not in clean_environment()


def test_no_call_speaks_of_grafts_and_none_reads_them(bench: Workbench) -> None:
    first = bench.git("rev-parse", "HEAD")
    (bench.path / ".git/info").mkdir(exist_ok=True)
    (bench.path / ".git/info/grafts").write_text(f"{bench.commit()} \n")
    done = Git(bench.path).run("rev-list", "HEAD")
    assert (done.out.decode().split()[1:], done.err) == ([first], b"")


@pytest.mark.parametrize(
    "command",
    [("search", "x"), ("guard", "--range", "HEAD~..HEAD"), ("proposals",), ("doctor",)],
    ids=lambda command: command[0],
)
def test_a_repository_of_another_user_is_told_with_the_line_that_trusts_it(bench: Workbench, command: tuple[str, ...]) -> None:
    bench.commit()
    stranger = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    ran = bench.mfgit(*command, env=stranger)
    assert ran.code == 2, ran
    assert f"git config --global --add safe.directory {bench.path}" in ran.err
    handed = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": str(bench.path)}
    assert "safe.directory" not in bench.mfgit(*command, env=stranger | handed).err


def test_a_failure_holds_gits_own_words(bench: Workbench) -> None:
    git = Git(bench.path)
    with pytest.raises(GitFailedError, match="git rev-parse --verify failed: fatal: Needed a single revision"):
        git.out("rev-parse", "--verify", "nothing")
    with pytest.raises(GitFailedError, match="exit code 1"):
        git.out("symbolic-ref", "--quiet", "nothing")
    assert git.run("rev-parse", "--verify", "nothing", ok=None).code == 128


def test_a_missing_folder_or_git_is_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="There is no folder"):
        Git(tmp_path / "none").out("version")
    with pytest.raises(BadInput, match="is not a folder"):
        Git(tmp_path / "file").out("version")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput, match="needs the command git"):
        Git(tmp_path).out("version")


def test_commits_are_named_and_options_are_not(bench: Workbench) -> None:
    git = Git(bench.path)
    head = bench.git("rev-parse", "HEAD")
    assert git.commit_of("main") == git.commit_of("HEAD") == head
    assert git.commit_of("nothing") is None
    assert git.commit_of("") is None
    assert git.commit_of("--all") is None


def test_a_tree_is_listed_whole_or_in_part(bench: Workbench) -> None:
    git = Git(bench.path)
    assert {entry.path.decode() for entry in git.tree("HEAD")} == set(PAGES)
    blob = bench.git("rev-parse", "HEAD:help/发票.md")
    assert git.tree("HEAD", "help/发票.md") == [TreeEntry("100644", "blob", blob, "help/发票.md".encode())]


def test_blobs_come_in_order_and_missing_ones_are_said(bench: Workbench) -> None:
    git = Git(bench.path)
    found = list(git.blobs(["HEAD:mfgit.toml", "HEAD:none", "HEAD:.gitignore"]))
    assert [one.data for one in found] == [PAGES["mfgit.toml"].encode(), None, b"tmp/\n"]
    assert git.blob("HEAD:none") is None
    assert list(git.blobs([])) == []


def test_one_process_answers_many_questions(bench: Workbench) -> None:
    bench.write({"big.bin": b"x\n" * 100_000, "new\nline.md": "x"})
    bench.commit()
    with Objects(Git(bench.path)) as objects:
        assert objects.commit("main") == bench.git("rev-parse", "HEAD")
        assert objects.commit("HEAD:mfgit.toml") is None
        assert objects.commit("") is None
        assert objects.commit("-x") is None
        assert objects.content("HEAD:mfgit.toml") == PAGES["mfgit.toml"].encode()
        assert objects.content("HEAD:none such file") is None
        assert objects.content("HEAD:new\nline.md") is None
        assert objects.id("HEAD^{tree}") == bench.git("rev-parse", "HEAD^{tree}")
        many = list(objects.ask("contents", ["HEAD:big.bin", "HEAD:x"] * 300))
        assert [one.data is None for one in many] == [False, True] * 300
        assert next(objects.ask("info", ["HEAD:big.bin"])).data == b"200000"


def test_a_reader_that_died_is_a_failure(bench: Workbench, tmp_path: Path) -> None:
    with Objects(Git(tmp_path)) as objects:
        objects.process.wait()
        with pytest.raises(GitFailedError, match="cat-file ended before"):
            objects.id("HEAD")


def test_an_answer_that_never_comes_is_a_failure(bench: Workbench) -> None:
    with Objects(Git(bench.path)) as objects, pytest.raises(GitFailedError, match="ended while it was asked about HEAD"):
        objects.answer(io.BytesIO(), "HEAD", "info")
