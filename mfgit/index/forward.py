"""What documents hold, by their numbers, for engines that rank by themselves: to score a few of them exactly, and to show them.

Two files that only grow: `documents`, for each a line of terms a ranked field (apart by two blanks, so that each can be counted
with a blank on either side) and a line of JSON with what is kept of it; `offsets`, a row of numbers each: where it ends, and
how many terms, and how many documents with any, there are in each field up to and with it.
"""

import json
import os
from array import array
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from mfgit.index.view import mapped

DOCUMENTS, OFFSETS = "documents", "offsets"


def clean(term: str) -> str:
    """Return a term as UTF-8 can hold it; half of a surrogate pair becomes an escape."""
    return term.encode("utf-8", "backslashreplace").decode()


def joined(terms: Iterable[str]) -> str:
    """Return terms as one text, each with a blank of its own on either side."""
    return "".join(f" {clean(term)} " for term in terms)


class Totals(NamedTuple):
    """For one field of all documents: its terms, and the documents that have any."""

    terms: int
    filled: int


class Forward:
    """The documents of one index, open for reading; raises `OSError` and `ValueError` for files that are not whole."""

    def __init__(self, place: Path, fields: Sequence[str], total: int) -> None:
        """Open the first `total` documents: more may be there, of a writer that was killed."""
        self.fields = {name: at for at, name in enumerate(fields)}
        self.width = 1 + 2 * len(fields)
        self.rows = memoryview(mapped(place / OFFSETS))[: 8 * total * self.width].cast("Q")
        self.total = total
        if len(self.rows) < total * self.width:
            raise ValueError("offsets that are cut short")
        self.data = mapped(place / DOCUMENTS)
        if total and len(self.data) < self.end(total - 1):
            raise ValueError("documents that are cut short")

    def end(self, number: int) -> int:
        """Return where a document ends."""
        return self.rows[number * self.width]

    def totals(self, field: str) -> Totals:
        """Return how much of a field all documents have."""
        if not self.total:
            return Totals(0, 0)
        at = (self.total - 1) * self.width + 1 + 2 * self.fields[field]
        return Totals(self.rows[at], self.rows[at + 1])

    def lines(self, number: int) -> list[bytes]:
        """Return the lines of a document: its fields and what is kept."""
        start = self.end(number - 1) if number else 0
        return self.data[start : self.end(number)].split(b"\n")

    def kept(self, number: int) -> tuple[Any, ...]:
        """Return what is kept of a document, as it was given."""
        return tuple(restored(json.loads(self.lines(number)[len(self.fields)].decode())))


def restored(value: list[Any]) -> list[Any]:
    """Return a list of JSON with the tuples that stood in it."""
    return [tuple(restored(each)) if isinstance(each, list) else each for each in value]


class Appender:
    """The two files, open to grow after the first `total` documents: what a killed writer left behind those is cut off."""

    def __init__(self, place: Path, fields: Sequence[str], total: int) -> None:
        """Open the files; raises `OSError` and `ValueError` for files that are not whole."""
        self.fields = fields
        with ExitStack() as opened:
            self.rows = opened.enter_context((place / OFFSETS).open("r+b"))
            self.documents = opened.enter_context((place / DOCUMENTS).open("r+b"))
            self.last = self.cut(total)
            opened.pop_all()

    def cut(self, total: int) -> "array[int]":
        """Cut off what is after the first documents; return the row of the last one."""
        none = array("Q", [0]) * (1 + 2 * len(self.fields))
        width = none.itemsize * len(none)
        self.rows.seek(max(0, total - 1) * width)
        last = array("Q", self.rows.read(width)) if total else none
        if len(last) != len(none):
            raise ValueError("offsets that are cut short")
        for file, end in ((self.rows, total * width), (self.documents, last[0])):
            if file.seek(0, os.SEEK_END) < end:
                raise ValueError("documents that are cut short")
            file.truncate(end)
            file.seek(end)
        return last

    def add(self, terms: Mapping[str, Sequence[str]], kept: Sequence[Any]) -> dict[str, str]:
        """Take one document; return its ranked fields as texts."""
        texts = {name: joined(terms[name]) for name in self.fields}
        said = "\n".join((*texts.values(), json.dumps(kept))).encode() + b"\n"
        self.documents.write(said)
        self.last[0] += len(said)
        for at, name in enumerate(self.fields):
            self.last[1 + 2 * at] += len(terms[name])
            self.last[2 + 2 * at] += bool(terms[name])
        self.rows.write(self.last.tobytes())
        return texts

    def close(self, *, durable: bool) -> None:
        """Close the files; where the documents are to stay, they are on the disk then."""
        for file in (self.documents, self.rows):
            with file:
                if durable:
                    file.flush()
                    os.fsync(file.fileno())


def create(place: Path) -> None:
    """Make the two files, empty."""
    for name in (DOCUMENTS, OFFSETS):
        (place / name).write_bytes(b"")
