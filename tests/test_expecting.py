"""`search --expect`: the commit that changed an answer is found by Git's own bisect."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import Workbench

QUESTION = "How long are backups kept?"
PAGE = "help/backups.md"
PAGES = {
    PAGE: "# Backups\n\n## How long backups are kept\n\nNightly backups stay for 30 days.\n\n## Restore\n\nChoose one.\n",
    "help/roles.md": "# Roles\n\nAn editor writes pages and a viewer reads them.\n",
}


@pytest.fixture
def kb(tmp_path: Path) -> Workbench:
    return Workbench.make(tmp_path / "kb", PAGES)


def history(kb: Workbench, commits: int, guilty: int) -> list[str]:
    """Make commits, of which one moves the answer to another page."""
    made = []
    for number in range(commits):
        files = {f"help/page-{number}.md": f"# Page {number}\n\nSomething else, number {number}.\n"}
        if number == guilty:
            files[PAGE] = "# Backups\n\n## Restore\n\nChoose a night.\n"
            files["help/storage.md"] = "# Storage\n\n## How long backups are kept\n\nBackups are kept for 30 days.\n"
        kb.write(files)
        made.append(kb.commit(f"commit {number}"))
    return made


def bisect(kb: Workbench, *words: str, start: tuple[str, ...] = ()) -> str:
    """Run a whole bisect from the first commit to HEAD; return what Git says."""
    first = kb.git("rev-list", "--max-parents=0", "HEAD")
    kb.git("bisect", "start", *start, "HEAD", first)
    command = [sys.executable, "-m", "mfgit", "search", QUESTION, *words]
    done = subprocess.run(["git", "bisect", "run", *command], cwd=kb.path, capture_output=True, text=True, check=False)
    kb.git("bisect", "reset")
    return done.stdout + done.stderr


@pytest.mark.parametrize("guilty", [0, 5, 8])
def test_git_bisect_finds_the_commit_that_changed_the_answer(kb: Workbench, guilty: int) -> None:
    made = history(kb, 9, guilty)
    said = bisect(kb, "--expect", PAGE)
    assert f"{made[guilty]} is the first bad commit" in said, said


def test_a_bisect_without_a_checkout_is_read_at_its_own_head(kb: Workbench) -> None:
    made = history(kb, 9, 3)
    (kb.path / PAGE).write_text("A change that is not committed.\n", encoding="utf-8")
    said = bisect(kb, "--expect", PAGE, start=("--no-checkout",))
    assert f"{made[3]} is the first bad commit" in said, said


def test_commits_that_cannot_be_searched_are_skipped(kb: Workbench) -> None:
    """Before the root is there, no commit can be asked about it; none of them is taken for the guilty one."""
    kb.write({"mfgit.toml": '[[root]]\npath = "help"\n[[root]]\npath = "notes/*"\nlayer = "workspace"\n'})
    kb.commit("settings")
    kb.write({"notes/a/kept.md": "# Kept\n\nBackups are kept.\n"})
    kb.commit("a workspace")
    kb.git("bisect", "start", "HEAD", "HEAD~2")
    assert kb.mfgit("search", QUESTION, "--root", "nowhere", "--expect", "notes/a/kept.md").code == 125
    kb.git("bisect", "reset")
    assert kb.mfgit("search", QUESTION, "--root", "nowhere", "--expect", "notes/a/kept.md").code == 2


@pytest.mark.parametrize(
    ("page", "code", "said"),
    [
        pytest.param(PAGE, 0, f"{PAGE} comes first", id="page"),
        pytest.param(f"./{PAGE}", 0, "comes first", id="page-from-here"),
        pytest.param(f"{PAGE}#how-long-backups-are-kept", 0, "comes first", id="section"),
        pytest.param(f"{PAGE}#restore", 1, f"{PAGE}#how-long-backups-are-kept comes first", id="another-section"),
        pytest.param("help/roles.md", 1, "it is not among what was found", id="another-page"),
    ],
)
def test_expect_says_what_came_first_instead(kb: Workbench, page: str, code: int, said: str) -> None:
    ran = kb.mfgit("search", QUESTION, "--expect", page)
    assert (ran.code, said in ran.out) == (code, True), ran.out


@pytest.mark.parametrize(
    ("page", "said", "hint"),
    [
        pytest.param("help/backup.md", "no page help/backup.md in HEAD", f"Did you mean {PAGE}?", id="page"),
        pytest.param("x", "no page x in HEAD", "path from the top", id="nothing-near"),
        pytest.param(f"{PAGE}#restor", f"no section {PAGE}#restor in HEAD", f"Did you mean {PAGE}#restore?", id="section"),
        pytest.param("help/roless.md#x", "no section help/roless.md#x", "Did you mean help/roles.md?", id="section-of-none"),
    ],
)
def test_a_page_that_is_not_there_is_taken_for_mistyped(kb: Workbench, page: str, said: str, hint: str) -> None:
    ran = kb.mfgit("search", QUESTION, "--expect", page)
    assert (ran.code, ran.out, said in ran.err, hint in ran.err) == (2, "", True, True), ran.err


def test_a_bisect_finds_the_commit_that_took_the_page_away(kb: Workbench) -> None:
    """Where the page is not there any more it does not come first, which is no reason to skip a commit."""
    made = history(kb, 3, 99)
    kb.git("rm", "-q", PAGE)
    made.append(kb.commit("gone"))
    kb.write({"help/last.md": "# Last\n\nNothing.\n"})
    kb.commit("last")
    said = bisect(kb, "--expect", PAGE)
    assert f"{made[3]} is the first bad commit" in said, said


def test_a_bisect_for_a_mistyped_page_blames_no_commit(kb: Workbench) -> None:
    history(kb, 3, 1)
    said = bisect(kb, "--expect", "help/backup.md")
    assert "only 'skip'ped commits left" in said, said
    assert f"Did you mean {PAGE}?" in said or "no page help/backup.md" in said
    assert "is the first bad commit" not in said


def test_expect_tells_the_rank_in_json_and_why_nothing_was_found(kb: Workbench) -> None:
    kb.write({"help/copies.md": "# Copies\n\nHow long are backups kept? Backups are kept long: backups kept for long.\n"})
    kb.commit()
    value = kb.mfgit("search", "kept nightly copies of backups", "--expect", PAGE, "-n", "1", "--json").json()
    assert len(value["hits"]) == 1
    assert value["expected"] == PAGE
    assert value["rank"] in (1, 2)
    ran = kb.mfgit("search", "plimsollite", "--expect", PAGE)
    assert (ran.code, "nothing was found" in ran.out) == (1, True)
