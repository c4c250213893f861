"""Real repositories for tests: write files, commit, run the command that users run."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tests.warm import warm

CONFIG = """\
target = "main"

[[root]]
path = "help"
layer = "help"

[[root]]
path = "workspaces/*/knowledge"
layer = "workspace"
"""


def aliases_file(*documents: tuple[str, str, list[str]]) -> str:
    """Return an `index.json` of (path, title, aliases) as mfgit itself would lay it out."""
    docs = [{"path": path, "title": title, "aliases": aliases} for path, title, aliases in documents]
    return json.dumps({"version": 1, "docs": docs}, ensure_ascii=False, indent=2) + "\n"


PAGES = {
    "help/password.md": "# Account access\n\n## Reset a password\n\nOpen the sign-in page and choose Forgot password.\n",
    "help/发票.md": "# 发票\n\n## 修改抬头\n\n发票开出后三十天内，可以在订单页修改一次发票抬头。\n",
    "help/index.json": aliases_file(("password.md", "Account access", []), ("发票.md", "发票", [])),
    "mfgit.toml": CONFIG,
    ".gitignore": "tmp/\n",
}

WITHOUT = "-dac_override,-dac_read_search"
BOUND = ["setpriv", f"--bounding-set={WITHOUT}", f"--inh-caps={WITHOUT}"]
"""Runs a command of root without the right to pass over the modes of files."""


@dataclass
class Ran:
    """What a command gave back."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Workbench:
    """A repository on disk and the means to work on it."""

    path: Path
    kept: ClassVar[Path | None] = None
    """The repository that most tests start with, made once and copied."""

    @classmethod
    def keep(cls, path: Path) -> None:
        cls.kept = cls.make(path).path

    @classmethod
    def make(cls, path: Path, files: Mapping[str, str | bytes] | None = None) -> "Workbench":
        """Return a repository on `main` whose one commit holds `files` (default: PAGES)."""
        if files is None and cls.kept:
            shutil.copytree(cls.kept, path, symlinks=True)
            bench = cls(path)
            bench.git("update-index", "-q", "--refresh")  # the copies are other files to Git, by inode and time
            return bench
        path.mkdir(parents=True)
        bench = cls(path)
        bench.git("init", "-q", "-b", "main")
        bench.write(PAGES if files is None else files)
        bench.commit("originals")
        return bench

    def git(self, *args: str, env: Mapping[str, str] | None = None, stdin: bytes | None = None) -> str:
        """Run git; fails the test when git fails."""
        ran = subprocess.run(
            ["git", *args], cwd=self.path, env={**os.environ, **(env or {})}, input=stdin, capture_output=True, check=False
        )
        assert ran.returncode == 0, (args, ran.stderr.decode(errors="replace"))
        return ran.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write files below the repository."""
        for name, text in files.items():
            place = self.path / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))

    def commit(self, message: str = "work") -> str:
        """Commit everything; return the commit id."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "--no-verify", "-m", message)
        return self.git("rev-parse", "HEAD")

    def mfgit(
        self,
        *args: str,
        stdin: str | None = None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        bound: bool = False,
    ) -> Ran:
        """Run the command as a user does, in a process of its own; `bound` by the modes of files, even where root runs it."""
        settings = {**os.environ, **(env or {})}
        if not bound and warm().fits(settings):
            code, out, err = warm().run(list(args), cwd or self.path, settings, (stdin or "").encode())
            return Ran(code, out.decode(errors="replace"), err.decode(errors="replace"))
        ran = subprocess.run(
            [*(BOUND if bound and os.geteuid() == 0 else []), sys.executable, "-I", "-m", "mfgit", *args],
            cwd=cwd or self.path,
            env=settings,
            input=stdin.encode() if stdin is not None else None,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout.decode(errors="replace"), ran.stderr.decode(errors="replace"))
