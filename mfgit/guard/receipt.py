"""What the commit-msg stage leaves for the reference-transaction hook, which then need not judge the same commit again.

A receipt holds all that the verdict rests on: the branch and its tip, the tree, the e-mail addresses, the reason. The hook
compares it with the commit that was really made, so a stale one, or one of another commit, lets nothing pass.
"""

import os
from collections.abc import Sequence
from contextlib import suppress

from mfgit.guard import message
from mfgit.plumbing import Git

NAME = "mfgit-passed"
"""The file, in the Git directory of the work tree."""


def leave(git: Git, git_dir: str, facts: Sequence[str], written: bytes) -> None:
    """Write a receipt for a commit: `facts` are branch, old tip, tree, parent and the two e-mail addresses.

    Without one the hook judges by itself, so it does not matter whether this works.
    """
    lines = [*facts, message.reason_in(git, written)]
    with suppress(OSError), open(os.path.join(git_dir, NAME), "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write("\n".join(lines) + "\n")
