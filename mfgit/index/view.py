"""A view: which documents of the index one tree holds, in the tree's order, and what BM25 needs to know of their lengths.

The index only grows, with the documents of every tree that was ever searched; a view picks one tree's from it, so that
scores depend on that tree and on nothing else. Views are small files of numbers, never pickles.
"""

import json
import mmap
import os
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

MAGIC = b"mfgit view 7\n"
ORIGINAL, OVERLAY, STALE = 0, 1, 2
"""Kinds of a position: an original, an overlay, an overlay whose originals moved on."""
K1, B = 1.2, 0.75
"""BM25's two constants: how soon a repeated word stops counting, how much a long passage is held back."""


class View(NamedTuple):
    """The documents of a tree by position: number in the index, kind, and for each field BM25's length norm.

    `starts` are the positions at which a page begins, rising; `originals` counts the original passages, `notes` are
    sentences for whoever searches the tree. `numbers` are columns of further whole numbers, `labels` UTF-8 lines of a
    position, a tab and a folded label. `whole` tells that the documents are 0, 1, 2, … without a gap: numbers in the index
    and positions are then the same, which is known without a look at each. `means` are the average lengths of the fields.
    """

    documents: Sequence[int]
    starts: Sequence[int]
    kinds: bytes
    norms: "tuple[Sequence[float], ...]"
    originals: int
    notes: tuple[str, ...]
    numbers: "tuple[Sequence[int], ...]" = ()
    labels: bytes = b""
    whole: bool = False
    means: tuple[float, ...] = ()

    @property
    def last(self) -> int:
        """The highest number in the index, -1 for no documents."""
        return len(self.documents) - 1 if self.whole else max(self.documents, default=-1)

    def page(self, position: int) -> range:
        """Return the positions of the page that a position belongs to."""
        at = bisect_right(self.starts, position)
        return range(self.starts[at - 1], self.starts[at] if at < len(self.starts) else len(self.documents))


def make(
    documents: Sequence[int],
    starts: Sequence[int],
    kinds: bytes,
    lengths: Sequence[Sequence[int]],
    notes: Sequence[str],
    *,
    numbers: Sequence[Sequence[int]] = (),
    labels: bytes = b"",
) -> View:
    """Return the view of documents with the starts of pages, their kinds and, for each field, their lengths in terms.

    Averages are of the originals alone (of all, when there are none): an overlay must not change how originals rank among
    each other.
    """
    counted = [place for place, kind in enumerate(kinds) if kind == ORIGINAL] if any(kinds) else []
    chosen = [[field[place] for place in counted] or field for field in lengths]
    means = tuple(sum(field) / max(1, len(field)) or 1.0 for field in chosen)
    norms = []
    for field, mean in zip(lengths, means, strict=True):
        table = {length: K1 * (1 - B + B * length / mean) for length in set(field)}
        norms.append(array("d", map(table.__getitem__, field)))
    columns = tuple(array("q", column) for column in numbers)
    pages = array("I", starts)
    held = array("I", documents)
    whole = held == array("I", range(len(held)))
    return View(held, pages, kinds, tuple(norms), kinds.count(ORIGINAL), tuple(notes), columns, labels, whole, means)


def dump(view: View) -> bytes:
    """Return the bytes of a view's file."""
    counts = {
        "size": len(view.documents),
        "pages": len(view.starts),
        "fields": len(view.norms),
        "numbers": len(view.numbers),
        "labels": len(view.labels),
    }
    head = {**counts, "originals": view.originals, "notes": view.notes, "whole": view.whole, "means": view.means}
    pages = (array("I", view.documents).tobytes(), array("I", view.starts).tobytes())
    columns = (*(array("d", norm).tobytes() for norm in view.norms), *(array("q", more).tobytes() for more in view.numbers))
    return b"".join((MAGIC, json.dumps(head).encode() + b"\n", view.kinds, *pages, *columns, view.labels))


def open_view(path: Path) -> View:
    """Return the view of a file, of which only the parts are read that are looked at; raises `OSError` and `ValueError`."""
    return load(mapped(path))


def mapped(path: Path) -> "bytes | mmap.mmap":
    """Return a file's bytes, of which only those are read that are looked at."""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if os.fstat(file.fileno()).st_size else b""


def load(data: "bytes | mmap.mmap") -> View:
    """Return the view of a file's bytes; raises `ValueError` for anything but a whole view."""
    if data[: len(MAGIC)] != MAGIC:
        raise ValueError("not a view")
    end = data.find(b"\n", len(MAGIC)) + 1
    if not end:
        raise ValueError("a view that is cut short")
    head: dict[str, Any] = json.loads(data[len(MAGIC) : end])
    size, pages, fields, numbers = head["size"], head["pages"], head["fields"], head["numbers"]
    wide = size * 8
    starts = end + size + size * array("I").itemsize
    start = starts + pages * array("I").itemsize
    labels = start + (fields + numbers) * wide
    if len(data) != labels + head["labels"]:
        raise ValueError("a view that is cut short")
    shown = memoryview(data)
    cuts = [shown[at : at + wide] for at in range(start, labels, wide)] if wide else [shown[:0]] * (fields + numbers)
    norms = tuple(cut.cast("d") for cut in cuts[:fields])
    columns = tuple(cut.cast("q") for cut in cuts[fields:])
    documents, begun = shown[end + size : starts].cast("I"), shown[starts:start].cast("I")
    kinds = data[end : end + size]
    told, whole, means = tuple(head["notes"]), head["whole"] is True, tuple(head["means"])
    return View(documents, begun, kinds, norms, head["originals"], told, columns, data[labels:], whole, means)
