"""Whoosh's files, read without Whoosh: loading its modules takes longer than a search.

A segment is `NAME.trm`, the terms in order, each with how many documents hold it and where their list is; `NAME.pst`, the lists
in blocks; `NAME._stored.col`, what is kept of the documents. All that Whoosh 2.5 and later write is alike: numbers big-endian,
marks at the start of the files and lists. What is not as here is for Whoosh itself to read (see `engines.stock`).
"""

import json
import mmap
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import accumulate, islice
from pathlib import Path
from pickle import load, loads
from struct import Struct
from sys import byteorder
from typing import Any, NamedTuple
from zlib import decompress

from mfgit.index.postings import Block, Leaves, Postings
from mfgit.index.view import mapped

NAME = "segments"
"""The file that lists the segments: JSON, the name and the number of documents of each."""
TERMS, LIST = b"HSH3", b"W3Bl"
"""What a file of terms and a list of postings begin with."""
SIZES = Struct("!ii")
"""Of a term with its field in front, and of what is told of it, which follow."""
TOLD = Struct("!BfIBBfIIqi")
"""Whether the list stands here; weight, documents, shortest, longest, highest weight, first, last; where the list is, size."""
NUMBER, FIELD = Struct("!i"), Struct("!H")
WIDE = frozenset("BHiIq")
"""Types of numbers that Whoosh chooses from, by the highest."""


class Told(NamedTuple):
    """What is told of a term: how many documents hold it, and where their list starts."""

    documents: int
    start: int


def opened(place: Path) -> Leaves:
    """Return the segments of a folder; raises anything for what is damaged, missing or not as Whoosh wrote it so far."""
    leaves: list[tuple[Segment, int]] = []
    total = 0
    for name, size in json.loads((place / NAME).read_bytes()):
        leaves.append((Segment(place, name, size), total))
        total += size
    return leaves


def listed(place: Path, named: Sequence[tuple[str, int]]) -> None:
    """Write down which segments a folder has; called under the lock. An older list is as good while its files are there."""
    temporary = place / f".{NAME}"
    temporary.write_text(json.dumps(named), "utf-8")
    temporary.replace(place / NAME)


class Segment:
    """One segment, open for reading; its methods raise anything where files are damaged."""

    def __init__(self, place: Path, name: str, size: int) -> None:
        """Open the files; raises `OSError`, and `ValueError` for another format."""
        self.size = size
        self.column = place / f"{name}._stored.col"
        self.terms, self.lists = mapped(place / f"{name}.trm"), mapped(place / f"{name}.pst")
        if self.terms[: len(TERMS)] != TERMS:
            raise ValueError("not a file of terms as known")
        end = len(self.terms) - NUMBER.size
        head: dict[str, Any] = unpickled(self.terms[end - NUMBER.unpack_from(self.terms, end)[0] : end])
        self.fields: dict[str, int] = head["fieldmap"]
        self.count_all: int = head["indexlen"]
        self.place = Struct(f"!{known(head['indextype'])}")
        self.places = end - self.count_all * self.place.size
        if self.lists:
            next(self.parts(0))

    def key(self, number: int) -> bytes:
        """Return a term by its number in order, with its field in front."""
        start = self.start(number)
        return self.terms[start + SIZES.size : start + SIZES.size + SIZES.unpack_from(self.terms, start)[0]]

    def start(self, number: int) -> int:
        """Return where a term stands, by its number in order."""
        found: int = self.place.unpack_from(self.terms, self.places + number * self.place.size)[0]
        return found

    def first(self, key: bytes) -> int:
        """Return the number of the first term that is not before a key."""
        return bisect_left(range(self.count_all), key, key=self.key)

    def told(self, field: str, term: bytes) -> Told | None:
        """Return what is told of a term, None for one that no document holds."""
        if field not in self.fields:
            return None
        key = FIELD.pack(self.fields[field]) + term
        number = self.first(key)
        if number == self.count_all or self.key(number) != key:
            return None
        here, _, documents, *_, start, _ = TOLD.unpack_from(self.terms, self.start(number) + SIZES.size + len(key))
        if here:
            raise ValueError("a list that is not where lists are")
        return Told(documents, start)

    def count(self, field: str, term: bytes) -> int:
        """Return how many documents hold a term."""
        told = self.told(field, term)
        return told.documents if told else 0

    def blocks(self, field: str, term: bytes) -> Iterator[Block]:
        """Yield the list of a term in blocks: the last document of each, and what reads it."""
        told = self.told(field, term)
        if told:
            yield from self.parts(told.start)

    def parts(self, start: int) -> Iterator[Block]:
        """Yield the blocks of the list at a place."""
        if self.lists[start : start + len(LIST)] != LIST:
            raise ValueError("not a list as known")
        at, size = start + len(LIST), 1
        while size > 0:  # that of the last one is negative
            size = NUMBER.unpack_from(self.lists, at)[0]
            start, at = at + NUMBER.size, at + NUMBER.size + abs(size)
            yield self.block(start, at)

    def block(self, start: int, end: int) -> Block:
        """Return a block: two pickles, the first about the second."""
        assert isinstance(self.lists, mmap.mmap)  # a term was found, so it is not empty
        self.lists.seek(start)
        _, last, _, compressed, *_ = load(self.lists)  # noqa: S301 - see `unpickled`
        if compressed:
            raise ValueError("a block that is compressed")
        return last, partial(read, self.lists, self.lists.tell(), end)

    def starting(self, field: str, prefix: bytes) -> Iterator[bytes]:
        """Yield the terms of a field that begin with a text, in order."""
        if field not in self.fields:
            return
        key = FIELD.pack(self.fields[field]) + prefix
        for number in range(self.first(key), self.count_all):
            term = self.key(number)
            if not term.startswith(key):
                break
            yield term[FIELD.size :]

    def kept(self, number: int) -> Any:
        """Return what is kept of a document."""
        values, ends = self.stored
        return unpickled(decompress(values[ends[number] : ends[number + 1]]))["kept"]

    @cached_property
    def stored(self) -> "tuple[bytes | mmap.mmap, array[int]]":
        """What is kept of all documents, compressed, and where each ends, after a 0."""
        values = mapped(self.column)
        code, end = chr(values[-1]), len(values) - 1
        if code == "X":  # their starts are here too
            code, starts = chr(values[-3]), Struct(known(chr(values[-2])))
            end = len(values) - 3 - self.size * starts.size
        sizes = array(known(code))
        sizes.frombytes(values[end - self.size * sizes.itemsize : end])
        if byteorder == "little":
            sizes.byteswap()
        return values, array("Q", accumulate(sizes, initial=0))


def read(lists: mmap.mmap, start: int, end: int, base: int) -> Postings:
    """Read a block: differences of document numbers, and the weights, or the one weight of all (1 where there is none)."""
    differences, weights, *_ = unpickled(lists[start:end])
    documents = list(islice(accumulate(differences, initial=base), 1, None))
    if weights is None or isinstance(weights, float):
        weights = array("f", (1.0 if weights is None else weights,)) * len(documents)
    return documents, weights


def unpickled(data: bytes) -> Any:
    """Return the value of a pickle at the start of some bytes: of files that mfgit wrote itself, never ones from a checkout."""
    return loads(data)  # noqa: S301 - so


def known(code: str) -> str:
    """Return a type of numbers; raises `ValueError` for one that Whoosh does not use."""
    if code not in WIDE:
        raise ValueError(f"numbers of the type {code}")
    return code
