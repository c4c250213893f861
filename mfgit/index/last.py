"""The tree whose view was made last, kept so that the next one's view is made from what differs.

A view does not tell where its entries without documents stand, nor lengths as whole numbers; both are kept here, with an
`origin` for whoever listed the tree.
"""

import json
from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from mfgit.index import view
from mfgit.index.catalogue import Placed
from mfgit.index.view import View

NAME = "last"
MAGIC = b"mfgit last 1\n"
WIDE = array("I").itemsize
NONE = Placed(0, [], [], {})


class Last(NamedTuple):
    """The view's `key`, how many documents each entry has, for each field the lengths of all documents, and the `origin`."""

    key: str
    sizes: Sequence[int]
    lengths: Sequence[Sequence[int]]
    origin: bytes


class Step(NamedTuple):
    """One entry that differs: its place among the last tree's, whether the one there goes, and what comes before that place."""

    at: int
    out: bool
    key: str | None = None
    kind: int = view.ORIGINAL


class Steps(NamedTuple):
    """All that differs, by rising places, and the `origin` of the new tree."""

    steps: Sequence[Step]
    origin: bytes


Compare = Callable[[str, bytes], Steps | None]
"""Tells from the key and the origin of the last view what differs; None where that is not enough to go by."""


def dump(last: Last) -> bytes:
    """Return the bytes of the file."""
    head = {"key": last.key, "sizes": len(last.sizes), "lengths": [len(field) for field in last.lengths]}
    columns = (array("I", column).tobytes() for column in (last.sizes, *last.lengths))
    return b"".join((MAGIC, json.dumps(head).encode() + b"\n", *columns, last.origin, MAGIC))


def read(place: Path) -> Last:
    """Return what a folder's file holds; raises `OSError`, and `ValueError` and `KeyError` for anything but a whole file."""
    data = (place / NAME).read_bytes()
    end = data.find(b"\n", len(MAGIC)) + 1
    if not end or not data.startswith(MAGIC) or not data.endswith(MAGIC):
        raise ValueError("not whole")
    head = json.loads(data[len(MAGIC) : end])
    columns = []
    for size in (head["sizes"], *head["lengths"]):
        columns.append(array("I", data[end : end + size * WIDE]))
        end += size * WIDE
    return Last(head["key"], columns[0], columns[1:], data[end : -len(MAGIC)])


def follow(last: Last, shown: View, key: str, steps: Steps, found: Callable[[str], Placed | None]) -> tuple[View, Last]:
    """Return the view of the new tree, made from the view `shown` of the last one, and its own `Last`; raises `KeyError`."""
    sizes, kinds = array("I", last.sizes), bytearray(shown.kinds)
    documents, lengths = array("I", shown.documents), [array("I", field) for field in last.lengths]
    begun = list(accumulate(sizes, initial=0))
    for step in reversed(steps.steps):
        cut = slice(begun[step.at], begun[step.at + step.out])
        placed = NONE if step.key is None else found(step.key)
        if placed is None:
            raise KeyError(step.key)
        sizes[step.at : step.at + step.out] = array("I", [placed.size] if step.key is not None else [])
        documents[cut] = array("I", range(placed.first, placed.first + placed.size))
        kinds[cut] = bytes([step.kind]) * placed.size
        for number, field in enumerate(lengths):
            field[cut] = array("I", placed.lengths[number] if placed.size else [])
    starts = [start for start, size in zip(accumulate(sizes, initial=0), sizes, strict=False) if size]
    made = view.make(documents, starts, bytes(kinds), lengths, shown.notes)
    return made, Last(key, sizes, lengths, steps.origin)
