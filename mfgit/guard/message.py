"""The reason in a commit message: the trailer `Original-Edit`, as Git itself reads trailers."""

import os

from mfgit.layout import hidden
from mfgit.plumbing import Git

TRAILER = "Original-Edit"
VARIABLE = "MFGIT_ORIGINAL_EDIT"
SCISSORS = b" ------------------------ >8 ------------------------\n"


def says_something(reason: str) -> bool:
    """Tell whether a reason holds anything that can be seen."""
    return any(not char.isspace() and not hidden(char) for char in reason)


def reason_in(git: Git, message: bytes) -> str:
    """Return the reason that a message gives for editing originals, nothing when it gives none.

    The message may be as an editor leaves it: comments and what lies below the scissors line do not count.
    """
    if TRAILER.lower().encode() not in message.lower():
        return ""
    stripped = git.out("stripspace", "--strip-comments", stdin=above_scissors(message))
    trailers = git.out("interpret-trailers", "--parse", "--no-divider", stdin=stripped).decode("utf-8", "replace")
    for line in trailers.splitlines():
        key, _, said = line.partition(":")
        if key.strip().lower() == TRAILER.lower() and says_something(said):
            return said.strip()
    return ""


def above_scissors(message: bytes) -> bytes:
    """Return a message without the diff that `git commit --verbose` puts below it."""
    cut = message.find(SCISSORS)
    return message if cut < 0 else message[: message.rfind(b"\n", 0, cut) + 1]


def reason_at_hand(git: Git, git_dir: str) -> str:
    """Return the reason that is visible before the message is written: in the environment, or kept by a merge or pick."""
    said = os.environ.get(VARIABLE, "")
    if says_something(said):
        return said.strip()
    try:
        with open(os.path.join(git_dir, "MERGE_MSG"), "rb") as kept:
            return reason_in(git, kept.read())
    except OSError:
        return ""
