"""The sample repository of `mfgit demo`, and a shell that runs real commands in it."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mfgit import sample
from mfgit.errors import BadInput
from mfgit.plumbing import Git

WHEN = "2026-10-31T09:00:00+08:00"
"""The time of every commit, so that a run prints the same as the one before."""
SETTINGS = {
    "user.name": "Lin Fern",
    "user.email": "lin.fern@example.com",
    "commit.gpgSign": "false",
    "core.quotePath": "false",
}
"""Of the sample's own Git: the demo needs nobody's identity."""
DROPPED = ("GIT_", "MFGIT_", "CHAT_ARCHIVE", "PYTHON", "PRE_COMMIT")


class Ran(NamedTuple):
    """What a command printed, both streams as they came, and its exit code."""

    code: int
    said: str


class Shell:
    """Runs commands in one folder as a person would, hooks and all, but away from the user's own Git configuration."""

    def __init__(self, folder: Path) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}
        self.folder = folder
        self.environment = {
            **kept,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_AUTHOR_DATE": WHEN,
            "GIT_COMMITTER_DATE": WHEN,
            "GIT_EDITOR": "true",
            "GIT_PAGER": "cat",
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
            "COLUMNS": "110",
            "TZ": "UTC",
        }

    def run(self, *words: str, stdin: bytes = b"") -> Ran:
        """Run `git …` or `mfgit …`."""
        command = [sys.executable, "-I", "-m", "mfgit", *words[1:]] if words[0] == "mfgit" else list(words)
        ran = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout.decode("utf-8", "replace"))

    def must(self, *words: str, stdin: bytes = b"") -> str:
        """Run a command that has to work; return what it printed."""
        ran = self.run(*words, stdin=stdin)
        if ran.code:
            raise RuntimeError(f"{' '.join(words[:3])} failed: {ran.said}")
        return ran.said


def make(folder: Path) -> Shell:
    """Make the sample repository in a new folder: the pages that people wrote, in one commit.

    Raises `BadInput` when the folder is there already with something in it, or cannot be made, or there is no `git`.
    """
    Git().run("--version")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise BadInput(f"{folder} is not empty.", "Name a folder that does not exist yet.")
        for path, data in sample.originals().items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    except OSError as error:
        raise BadInput(f"The sample cannot be written to {folder}: {error.strerror}.") from None
    shell = Shell(folder)
    shell.must("git", "init", "--quiet", "--initial-branch=main")
    for name, value in SETTINGS.items():
        shell.must("git", "config", name, value)
    shell.must("git", "add", "--all")
    shell.must("git", "commit", "--quiet", "--message=Write the help pages and the team's knowledge")
    return shell


def conversations() -> bytes:
    """Return the sample's turns as JSON lines."""
    return "".join(json.dumps(turn, ensure_ascii=False) + "\n" for turn in sample.turns()).encode()


def stored(folder: Path, identities: Sequence[str]) -> dict[str, str]:
    """Return what the archive of the sample holds as the question of each turn named by `request_id`."""
    found: dict[str, str] = {}
    for day in sorted((folder / "tmp/memoryforge/chat-archive").glob("*.jsonl")):
        for line in day.read_text("utf-8").splitlines():
            turn = json.loads(line)
            if turn.get("request_id") in identities:
                found[turn["request_id"]] = turn["user_message"]
    return found
