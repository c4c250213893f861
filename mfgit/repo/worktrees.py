"""Which branch is checked out where."""

import os
from pathlib import Path
from typing import NamedTuple

from mfgit.plumbing import Git, decode, native


class Worktree(NamedTuple):
    """A checkout: its folder, and the full name of its branch (None: detached, or a bare repository)."""

    folder: str
    branch: str | None


def worktrees(git: Git) -> tuple[Worktree, ...]:
    """Return every checkout of the repository, the main one first; those whose folder is gone are left out."""
    found = []
    for record in git.out("worktree", "list", "--porcelain", "-z").split(b"\0\0"):
        fields = dict(decode(line).partition(" ")[::2] for line in record.split(b"\0") if line)
        folder = native(fields.get("worktree", ""))
        if folder and "bare" not in fields and os.path.isdir(folder):
            found.append(Worktree(folder, fields.get("branch") or rebasing(folder)))
    return tuple(found)


def rebasing(folder: str) -> str | None:
    """Return the branch that a checkout is in the middle of rebasing, None when it is not."""
    private = Path(folder, ".git")
    if private.is_file():
        private = Path(Git(folder).path("rev-parse", "--absolute-git-dir"))
    for name in ("rebase-merge", "rebase-apply"):
        try:
            return decode((private / name / "head-name").read_bytes()).strip()
        except OSError:
            continue
    return None


def checked_out(git: Git) -> dict[str, str]:
    """Return full branch name -> the folder where it is checked out (or being rebased)."""
    return {tree.branch: tree.folder for tree in worktrees(git) if tree.branch}
