"""A view: which documents of the index one tree holds, in the tree's order, and what BM25 needs to know of their lengths.

The index only grows, with the documents of every tree that was ever searched; a view picks one tree's from it, so that
scores depend on that tree and on nothing else. Views are small files of numbers, never pickles.
"""

import json
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

MAGIC = b"mfgit view 3\n"
ORIGINAL, OVERLAY, STALE = 0, 1, 2
"""Kinds of a position: an original, an overlay, an overlay whose originals moved on."""
K1, B = 1.2, 0.75
"""BM25's two constants: how soon a repeated word stops counting, how much a long passage is held back."""


class View(NamedTuple):
    """The documents of a tree by position: number in the index, kind, and for each field BM25's length norm.

    `starts` are the positions at which a page begins, rising; `originals` counts the original passages, `notes` are
    sentences for whoever searches the tree.
    """

    documents: "array[int]"
    starts: "array[int]"
    kinds: bytes
    norms: "tuple[array[float], ...]"
    originals: int
    notes: tuple[str, ...]

    def page(self, position: int) -> range:
        """Return the positions of the page that a position belongs to."""
        at = bisect_right(self.starts, position)
        return range(self.starts[at - 1], self.starts[at] if at < len(self.starts) else len(self.documents))


def make(
    documents: Sequence[int], starts: Sequence[int], kinds: bytes, lengths: Sequence[Sequence[int]], notes: Sequence[str]
) -> View:
    """Return the view of documents with the starts of pages, their kinds and, for each field, their lengths in terms.

    Averages are of the originals alone (of all, when there are none): an overlay must not change how originals rank among
    each other.
    """
    counted = [place for place, kind in enumerate(kinds) if kind == ORIGINAL] or range(len(kinds))
    norms = []
    for field in lengths:
        mean = sum(field[place] for place in counted) / max(1, len(counted)) or 1.0
        norms.append(array("d", [K1 * (1 - B + B * length / mean) for length in field]))
    return View(array("I", documents), array("I", starts), kinds, tuple(norms), kinds.count(ORIGINAL), tuple(notes))


def dump(view: View) -> bytes:
    """Return the bytes of a view's file."""
    sizes = {"size": len(view.documents), "pages": len(view.starts), "fields": len(view.norms)}
    head = {**sizes, "originals": view.originals, "notes": view.notes}
    parts = (MAGIC, json.dumps(head).encode() + b"\n", view.kinds, view.documents.tobytes(), view.starts.tobytes())
    return b"".join((*parts, *(field.tobytes() for field in view.norms)))


def load(data: bytes) -> View:
    """Return the view of a file's bytes; raises `ValueError` for anything but a whole view."""
    if not data.startswith(MAGIC):
        raise ValueError("not a view")
    end = data.index(b"\n", len(MAGIC)) + 1
    head: dict[str, Any] = json.loads(data[len(MAGIC) : end])
    size, pages, fields = head["size"], head["pages"], head["fields"]
    numbers, number = array("I"), array("d")
    wide = size * number.itemsize
    start = end + size + (size + pages) * numbers.itemsize
    if len(data) != start + fields * wide:
        raise ValueError("a view that is cut short")
    numbers.frombytes(data[end + size : start])
    norms = tuple(array("d", data[start + at * wide : start + (at + 1) * wide]) for at in range(fields))
    kinds = data[end : end + size]
    return View(numbers[:size], numbers[size:], kinds, norms, head["originals"], tuple(head["notes"]))
