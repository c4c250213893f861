"""A person's ordinary day with every local hook installed: nothing of it is hindered."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from mfgit.guard import install
from mfgit.plumbing import Git
from tests.builders import PAGES
from tests.guarding import BOT, NEW, ONE_ALIAS, OVERLAY, Guarded

WHY = "Original-Edit: a wrong step, #42"


class Person(Guarded):
    """Somebody at work: every command has to succeed."""

    def does(self, *words: str, env: Mapping[str, str] | None = None) -> str:
        whole = {**os.environ, "GIT_EDITOR": "true", "GIT_SEQUENCE_EDITOR": "true", **(env or {})}
        ran = subprocess.run(["git", *words], cwd=self.path, env=whole, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, (words, ran.stderr)
        assert "mfgit" not in ran.stderr.replace("mfgit/", ""), (words, ran.stderr)
        return ran.stdout.strip()

    def edits(self, text: str, name: str = "help/password.md") -> None:
        place = self.path / name
        place.write_text(place.read_text(encoding="utf-8") + f"\n{text}\n", encoding="utf-8")


@pytest.fixture
def alice(tmp_path: Path) -> Iterator[Person]:
    origin = tmp_path / "origin.git"
    first = Guarded.at(
        tmp_path / "first", {**PAGES, "help/long.md": "".join(f"line {n}\n" for n in range(60)), "src/a.py": "1\n"}
    )
    first.git("clone", "-q", "--bare", ".", str(origin))
    install.install_server(Git(origin))
    first.git("clone", "-q", str(origin), str(tmp_path / "alice"))
    person = Person(tmp_path / "alice")
    install.install(Git(person.path))
    assert install.missing(Git(person.path)) == ()
    yield person
    person.does("fsck", "--strict")
    assert person.does("status", "--porcelain") == ""


def test_editing(alice: Person) -> None:
    alice.does("switch", "-q", "-c", "fix")
    alice.edits("Use the new page.")
    alice.does("commit", "-qam", "Fix a step", "--trailer", WHY)
    alice.edits("And the new button.")
    alice.does("commit", "-qa", "--amend", "--no-edit")
    alice.edits("2", "src/a.py")
    alice.does("commit", "-qam", "Code needs no reason")
    alice.stage({"help/_forged/note.md": OVERLAY, "help/index.json": ONE_ALIAS, "help/logo.png": b"\x89PNG"})
    alice.does("commit", "-qm", "Nor do overlays, aliases and pictures")
    alice.does("mv", "help/long.md", "help/longer.md")
    alice.does("commit", "-qm", "Rename", "--trailer", WHY)
    alice.does("commit", "-q", "--allow-empty", "--fixup=HEAD~1")
    alice.does("rebase", "-q", "-i", "--autosquash", "main")
    alice.does("commit", "-q", "--amend", "-m", f"Rename a page\n\n{WHY}")
    alice.does("push", "-q", "origin", "fix")


def test_moving_work_about(alice: Person) -> None:
    alice.does("switch", "-q", "-c", "fix")
    alice.edits("Use the new page.")
    alice.does("commit", "-qam", "Fix a step", "--trailer", WHY)
    alice.edits("later", "help/long.md")
    alice.does("stash", "-q")
    alice.does("switch", "-q", "main")
    alice.edits("3", "src/a.py")
    alice.does("commit", "-qam", "Code")
    alice.does("push", "-q", "origin", "main")
    alice.does("switch", "-q", "fix")
    alice.does("rebase", "-q", "main")
    alice.does("stash", "pop", "-q")
    alice.does("commit", "-qam", "Later", "--trailer", WHY)
    alice.does("switch", "-q", "-c", "pick", "main")
    alice.does("cherry-pick", "fix~1")
    alice.does("revert", "--no-commit", "HEAD")
    alice.does("commit", "-q", "--trailer", WHY)
    alice.does("revert", "--no-edit", "main")  # code only
    alice.does("switch", "-q", "main")
    alice.does("merge", "-q", "--no-edit", "fix")
    alice.does("merge", "-q", "--no-ff", "--no-edit", "pick")
    alice.does("push", "-q", "origin", "main", "fix", "pick")
    alice.does("branch", "-q", "-d", "pick")
    alice.does("branch", "-q", "-m", "fix", "fixed")
    alice.does("tag", "-a", "v1", "-m", "v1")
    alice.does("push", "-q", "origin", "v1", ":pick")


def test_keeping_house(alice: Person) -> None:
    for number in range(5):
        alice.does("branch", f"topic/{number}")
    alice.does("gc", "-q", "--prune=now")
    alice.does("pack-refs", "--all", "--prune")
    alice.does("worktree", "add", "-q", "-b", "hotfix", "../hotfix")
    there = Person(alice.path.parent / "hotfix")
    there.edits("Quickly.")
    there.does("commit", "-qam", "Hotfix", "--trailer", WHY)
    there.does("push", "-q", "origin", "hotfix")
    alice.does("worktree", "remove", "../hotfix")
    alice.does("switch", "-q", "--detach", "hotfix")
    alice.does("switch", "-q", "main")
    alice.does("merge", "-q", "--ff-only", "hotfix")
    alice.does("reset", "-q", "--hard", "HEAD~1")
    alice.does("bisect", "start", "hotfix", "main")
    alice.does("bisect", "reset")
    alice.does("notes", "add", "-m", "seen", "main")
    alice.does("remote", "prune", "origin")
    alice.does("reflog", "expire", "--expire=now", "--all")
    alice.does("maintenance", "run", "--task=gc", "--quiet")


def test_working_with_others(alice: Person) -> None:
    bob = Person(alice.path.parent / "bob")
    alice.does("clone", "-q", alice.does("remote", "get-url", "origin"), str(bob.path))
    bob.does("switch", "-q", "-c", "careless")
    bob.edits("Without a word.")
    bob.does("commit", "-qam", "No hook is installed here")
    install.install(Git(bob.path))
    bob.does("switch", "-q", "main")
    bob.edits("4", "src/a.py")
    bob.does("commit", "-qam", "Code")
    bob.does("push", "-q", "origin", "main")
    alice.does("fetch", "-q", str(bob.path), "careless:refs/remotes/bob/careless")
    alice.does("switch", "-q", "-c", "review", "bob/careless")  # one may look at what another did, and mend it
    alice.does("commit", "-q", "--amend", "-m", f"Say why\n\n{WHY}")
    alice.does("switch", "-q", "main")
    alice.does("pull", "-q", "--rebase")
    alice.does("merge", "-q", "--no-edit", "review")
    alice.does("push", "-q", "origin", "main", "review")


def test_proposals(alice: Person) -> None:
    alice.branch("mfgit/0a")
    alice.stage(NEW)
    alice.does("commit", "-qm", "Propose", env=BOT)
    alice.edits("In better words.", "help/_forged/new.md")
    alice.does("commit", "-qam", "A person's words")
    alice.does("switch", "-q", "main")
    alice.edits("Use the new page.")
    alice.does("commit", "-qam", "Fix a step", "--trailer", WHY)
    alice.does("switch", "-q", "mfgit/0a")
    alice.does("merge", "-q", "--no-edit", "main")
    alice.does("rebase", "-q", "main")
    alice.does("push", "-q", "origin", "main", "mfgit/0a")
    alice.does("switch", "-q", "main")
    alice.does("merge", "-q", "--no-ff", "--no-edit", "mfgit/0a")
    alice.does("revert", "--no-edit", "-m", "1", "HEAD")
    alice.does("push", "-q", "origin", "main", ":mfgit/0a")
    alice.does("branch", "-q", "-D", "mfgit/0a")
