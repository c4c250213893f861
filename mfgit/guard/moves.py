"""How refs move: what a hook is told about them, and which moves are refused whatever they bring. Pure."""

from typing import NamedTuple

from mfgit import layout
from mfgit.errors import BadInput

HEADS = "refs/heads/"
REPLACE = "refs/replace/"
PROPOSALS = HEADS + layout.BRANCH_PREFIX


class Move(NamedTuple):
    """One ref that moves: its full name, and the ids in hex from where to where (None: it was or will be nowhere)."""

    ref: str
    old: str | None
    new: str | None


def read(data: bytes) -> list[Move]:
    """Return the moves that Git tells pre-receive and reference-transaction: a line `OLD NEW REF` for each."""
    return [move(ref, old, new) for old, new, ref in rows(data, 2)]


def read_push(data: bytes) -> list[Move]:
    """Return the moves that Git tells pre-push: a line `LOCAL-REF NEW REMOTE-REF OLD` for each."""
    return [move(ref, old, new) for _, new, ref, old in rows(data, 3)]


def rows(data: bytes, spaces: int) -> list[list[str]]:
    """Return the words of each line; raises `BadInput` where one has another number of them."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    found = [line.split(" ", spaces) for line in lines if line]
    if any(len(words) <= spaces for words in found):
        raise BadInput("A line on standard input does not say which ref moves.", "Git itself writes these lines for its hooks.")
    return found


def move(ref: str, old: str, new: str) -> Move:
    """Return one move; raises `BadInput` for ids that are none."""
    for oid in (old, new):
        if len(oid) not in (40, 64) or not set(oid) <= set("0123456789abcdef"):
            raise BadInput(f"{oid[:80]!r} is no object id, so {ref[:80]!r} cannot be judged.")
    return Move(ref, old if old.strip("0") else None, new if new.strip("0") else None)


def fault(it: Move, target: str | None, *, machine: bool, rewinds: bool) -> str:
    """Return why a server refuses a move whatever it brings, nothing when it does not.

    `machine` tells that the machine pushes; `rewinds` that commits which the ref has would be dropped.
    """
    folded = layout.fold(it.ref)
    if it.new and folded.startswith(REPLACE):
        return "would replace an object by another one for everybody"
    if machine and not it.ref.startswith(PROPOSALS):
        return f"is not the machine's to move; it pushes {PROPOSALS}* only"
    if target is None or folded != layout.fold(target):
        return ""
    if it.ref != target:
        return f"differs from the target {target} only by the case of its letters"
    if it.new is None:
        return "is the target and is never deleted"
    return "is the target and only moves forward" if rewinds else ""
