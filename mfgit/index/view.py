"""A view: which documents of the index one tree holds, in the tree's order, and the lengths that BM25 needs.

The index only grows, with the documents of every tree that was ever searched; a view picks one tree's from it, so that
scores depend on that tree and on nothing else. Views are small files of numbers, never pickles.
"""

import json
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

MAGIC = b"mfgit view 1\n"
ORIGINAL, OVERLAY, STALE = 0, 1, 2
"""Kinds of a position: an original, an overlay, an overlay whose originals moved on."""


class View(NamedTuple):
    """The documents of a tree by position: number in the index, kind, length of each field in terms.

    `notes` are sentences for whoever searches the tree; `means` are the lengths of an average document of each field.
    """

    documents: "array[int]"
    kinds: bytes
    lengths: "tuple[array[int], ...]"
    means: tuple[float, ...]
    originals: int
    notes: tuple[str, ...]


def make(documents: Sequence[int], kinds: bytes, lengths: Sequence[Sequence[int]], notes: Sequence[str]) -> View:
    """Return the view of documents with their kinds and, for each field, their lengths.

    Averages and counts are of the originals alone (of all, when there are none): an overlay must not change how originals
    rank among each other.
    """
    counted = [place for place, kind in enumerate(kinds) if kind == ORIGINAL] or range(len(kinds))
    means = tuple(sum(field[place] for place in counted) / max(1, len(counted)) for field in lengths)
    return View(
        array("I", documents), kinds, tuple(array("I", field) for field in lengths), means, kinds.count(ORIGINAL), tuple(notes)
    )


def dump(view: View) -> bytes:
    """Return the bytes of a view's file."""
    head = {"size": len(view.documents), "fields": len(view.lengths), "means": view.means, "originals": view.originals}
    line = json.dumps({**head, "notes": view.notes}).encode() + b"\n"
    numbers = b"".join(numbers.tobytes() for numbers in (view.documents, *view.lengths))
    return b"".join((MAGIC, line, view.kinds, numbers))


def load(data: bytes) -> View:
    """Return the view of a file's bytes; raises `ValueError` for anything but a whole view."""
    if not data.startswith(MAGIC):
        raise ValueError("not a view")
    end = data.index(b"\n", len(MAGIC)) + 1
    head: dict[str, Any] = json.loads(data[len(MAGIC) : end])
    size, width = head["size"], array("I").itemsize
    if len(data) != end + size + (1 + head["fields"]) * size * width:
        raise ValueError("a view that is cut short")
    rows = []
    for number in range(1 + head["fields"]):
        start = end + size + number * size * width
        rows.append(array("I", data[start : start + size * width]))
    return View(rows[0], data[end : end + size], tuple(rows[1:]), tuple(head["means"]), head["originals"], tuple(head["notes"]))
