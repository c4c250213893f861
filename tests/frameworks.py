"""What the tests of hook frameworks share: this project as a repository of hooks, and one store of hook environments."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.builders import Ran
from tests.guarding import BOT, Guarded

TOP = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
IDS = ("mfgit-originals", "mfgit-message", "mfgit-archive")
SETTINGS = """\
default_install_hook_types: [pre-commit, pre-merge-commit, commit-msg]
repos:
  - repo: {hooks}
    rev: {rev}
    hooks:
      - id: mfgit-originals
      - id: mfgit-message
      - id: mfgit-archive
"""


def hooks_repository(place: Path) -> Path:
    """Return this project's tracked files as a repository of one commit, made once by whoever comes first."""
    made = place / "mfgit"
    if not made.is_dir():
        mine = Guarded(place / f"{os.getpid()}.new")
        mine.path.mkdir()
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, capture_output=True, check=True).stdout
        for name in filter(None, os.fsdecode(listed).split("\0")):
            if (TOP / name).is_file():
                (mine.path / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(TOP / name, mine.path / name)
        mine.git("init", "-q", "-b", "main")
        mine.git("add", "-A", "-f")
        mine.git("commit", "-q", "--no-verify", "-m", "hooks")
        try:
            mine.path.rename(made)
        except OSError:  # another worker was faster
            shutil.rmtree(mine.path)
    return made


class Framework:
    """One framework in a knowledge repository that uses this project's hooks."""

    def __init__(self, tool: str, kb: Guarded, hooks: Path, store: Path) -> None:
        self.tool, self.kb, self.hooks = tool, kb, hooks
        self.environment = {
            "PRE_COMMIT_HOME": str(store / "pre-commit"),
            "PREK_HOME": str(store / "prek"),
            "PIP_CACHE_DIR": str(store / "pip"),
            "UV_CACHE_DIR": str(store / "uv"),
            "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        }

    def run(self, *words: str, env: Mapping[str, str] | None = None) -> Ran:
        """Run the framework, or with `git` first Git."""
        command = list(words) if words[0] == "git" else [str(BIN / self.tool), *words]
        ran = subprocess.run(
            command, cwd=self.kb.path, env={**os.environ, **self.environment, **(env or {})}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    def install(self) -> None:
        """Write and commit the settings, install the hooks as a team would, and make their environments."""
        rev = Guarded(self.hooks).git("rev-parse", "HEAD")
        self.kb.save({".pre-commit-config.yaml": SETTINGS.format(hooks=self.hooks, rev=rev)}, "hooks")
        ran = self.run("install", "--install-hooks" if self.tool == "pre-commit" else "--prepare-hooks")
        assert ran.code == 0, ran.out + ran.err

    def commit(self, message: str = "work", *, bot: bool = False, env: Mapping[str, str] | None = None) -> Ran:
        """Commit what is staged, with the hooks."""
        return self.run("git", "commit", "-q", "-m", message, env={**(BOT if bot else {}), **(env or {})})
