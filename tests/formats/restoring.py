"""Puts a kept set of files back where a command looks for them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from mfgit.project.recalling import named

HERE = Path(__file__).parent
SETS = sorted(path.name for path in HERE.iterdir() if (path / "told.json").is_file())
OWN_FOLDER = ("0.1.0.dev1", "0.1.0.dev2", "0.1.0.dev3")
"""Sets from before the index of the archive was named for its repository alone."""


def told(name: str) -> dict[str, Any]:
    """Return what the mfgit of a set said of it."""
    found: dict[str, Any] = json.loads((HERE / name / "told.json").read_text("utf-8"))
    return found


def restore(name: str, kb: Path, python: str = sys.executable) -> None:
    """Make the repository and the archive of a set in a new folder; `python` is the one that its hooks name."""
    kept, git_dir = HERE / name, kb / ".git"
    subprocess.run(["git", "init", "-q", "-b", "main", "--template=", str(kb)], check=True)
    with (kept / "repository.fast-export").open("rb") as stream:
        subprocess.run(["git", "fast-import", "--quiet"], cwd=kb, stdin=stream, check=True)
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=kb, check=True)
    shutil.copytree(kept / "archive", kb / "tmp/memoryforge")
    shutil.copytree(kept / "common", git_dir / "mfgit")
    shutil.copytree(kept / "hooks", git_dir / "hooks")
    for hook in (git_dir / "hooks").iterdir():
        hook.write_bytes(hook.read_bytes().replace(b"/usr/bin/python3", python.encode()))
        hook.chmod(0o755)
    for folder in (kb / "tmp/memoryforge/chat-archive").glob(".search/*"):
        folder.rename(folder.with_name(named(f"0.1.0 {git_dir}" if name in OWN_FOLDER else str(git_dir))))
