"""What the guard's tests share: a guarded repository, people and the machine in it, and the guard's verdict."""

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from mfgit.errors import MfgitError
from mfgit.guard import command
from tests.builders import PAGES, Workbench

BOT = {
    "GIT_AUTHOR_NAME": "bot",
    "GIT_AUTHOR_EMAIL": "mfgit-bot@example.com",
    "GIT_COMMITTER_NAME": "bot",
    "GIT_COMMITTER_EMAIL": "mfgit-bot@example.com",
}
REASON = "\n\nOriginal-Edit: a wrong step\n"
OVERLAY = "---\nproposal: 0a\n---\n\n# Answer\n"
NEW = {"help/_forged/new.md": OVERLAY}
EVIL = {"help/password.md": "# evil\n"}
ONE_ALIAS = PAGES["help/index.json"].replace('"aliases": []', '"aliases": [\n        "lost password"\n      ]', 1)


class Guarded(Workbench):
    """A repository whose `main` has settings, two pages and an aliases file."""

    @classmethod
    def at(cls, path: Path, files: Mapping[str, str | bytes] | None = None) -> "Guarded":
        return cls(cls.make(path, files).path)

    def branch(self, name: str, at: str = "main") -> None:
        self.git("checkout", "-q", "-B", name, at)

    def stage(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write or (None) delete files, and stage everything."""
        self.write({name: text for name, text in files.items() if text is not None})
        for name, text in files.items():
            if text is None:
                (self.path / name).unlink()
        self.git("add", "-A")

    def save(self, files: Mapping[str, str | bytes | None], message: str = "work", *, bot: bool = False) -> str:
        """Stage files and commit them without any hook."""
        self.stage(files)
        env = BOT if bot else None
        self.git("commit", "-q", "--allow-empty", "--no-verify", "-m", message, env=env)
        return self.git("rev-parse", "HEAD")

    def link(self, target: str, name: str) -> None:
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.symlink_to(target)
        self.git("add", "-A")

    def merge(self, *others: str, bot: bool = False, message: str = "merge", options: tuple[str, ...] = ()) -> str:
        """Merge without hooks."""
        env = BOT if bot else None
        self.git("merge", "-q", "--no-ff", "--no-verify", "-m", message, *options, *others, env=env)
        return self.git("rev-parse", "HEAD")

    def attempt(self, *args: str, env: Mapping[str, str] | None = None) -> int:
        """Run a git command that may fail; return its exit code."""
        ran = subprocess.run(["git", *args], cwd=self.path, env={**os.environ, **(env or {})}, capture_output=True, check=False)
        return ran.returncode


class Verdict:
    """Runs the guard in this process, in a repository's folder."""

    def __init__(self, bench: Guarded, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.bench, self.monkeypatch, self.capsys = bench, monkeypatch, capsys
        self.said = ""

    def __call__(self, *arguments: str, bot: bool = False, env: Mapping[str, str] | None = None) -> int:
        with self.monkeypatch.context() as patch:
            patch.chdir(self.bench.path)
            for name, value in {**(BOT if bot else {}), **(env or {})}.items():
                patch.setenv(name, value)
            try:
                code = command.main(["guard", *arguments])
            except MfgitError as error:
                self.capsys.readouterr()
                self.said = str(error)
                return error.exit_code
        captured = self.capsys.readouterr()
        self.said = captured.err + captured.out
        return code

    def message(self, text: str, *, bot: bool = False) -> int:
        """Judge what is staged with a commit message."""
        place = self.bench.path / ".git" / "COMMIT_EDITMSG"
        place.write_text(text, encoding="utf-8")
        return self("--commit-msg", str(place), bot=bot)

    def told(self, stdin: str, *arguments: str, env: Mapping[str, str] | None = None) -> int:
        """Judge what Git tells a hook on its standard input."""
        data = io.BytesIO(stdin.encode("utf-8", "surrogateescape"))
        with self.monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(data))
            return self(*arguments, env=env)

    def range(self, span: str, ref: str, *, actor: str = "alice") -> int:
        """Judge a range."""
        return self("--range", span, "--ref", ref, "--actor", actor)
