"""The catalogue of an index: document key → where its rows are, in a file that only grows.

One line a document, JSON with the key first: what is looked up is found without a look at the rest, what is new is added at
the end. A line that a kill cut short has no end: nobody reads it, and the next writer takes it out.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

NAME = "catalogue"
HEAD = b"mfgit catalogue 1\n"


class Placed(NamedTuple):
    """Where an entry's rows are in the index.

    `first` is the number of the first; for each field the `lengths` of all, then their columns of `numbers`; the `labels` of
    those that have one, by how many rows stand before.
    """

    first: int
    lengths: list[list[int]]
    numbers: list[list[int]]
    labels: dict[str, str]

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.lengths[0]) if self.lengths else 0


class Catalogue:
    """A catalogue's file as it is when it is opened, and what is added by this object; used under the index's lock."""

    def __init__(self, place: Path) -> None:
        """Take the folder of the index; raises `OSError`, and `ValueError` for a file that is no catalogue."""
        self.path = place / NAME
        data = self.path.read_bytes()
        if not data.startswith(HEAD):
            raise ValueError("not a catalogue")
        self.end = data.rfind(b"\n") + 1
        self.data = data[: self.end]
        self.read: dict[str, Placed] | None = {} if self.end == len(HEAD) else None

    def find(self, key: str) -> Placed | None:
        """Return where one entry is, None for one that is not there; raises `ValueError` and others for a damaged line."""
        if self.read is not None:
            return self.read.get(key)
        start = self.data.find(b"\n[" + json.dumps(key).encode() + b",") + 1
        return placed(self.data[start : self.data.index(b"\n", start)])[1] if start else None

    def all(self) -> Mapping[str, Placed]:
        """Return every key and where it is; raises `ValueError` and others for a damaged file."""
        if self.read is None:
            self.read = dict(map(placed, self.data[len(HEAD) : -1].split(b"\n")))
            self.data = b""
        return self.read

    @property
    def held(self) -> int:
        """How many documents the index holds, up to the last that an entry has; raises `ValueError` and others."""
        if self.read is not None:
            return max((each.first + each.size for each in self.read.values()), default=0)
        _, last = placed(self.data[self.data.rfind(b"\n", 0, -1) + 1 : -1])
        return last.first + last.size

    def add(self, new: Mapping[str, Placed]) -> None:
        """Add entries; they are on the disk when this returns."""
        if not new:
            return
        lines = "".join(json.dumps((key, *where), separators=(",", ":")) + "\n" for key, where in new.items()).encode()
        with self.path.open("r+b") as file:
            file.truncate(self.end)
            file.seek(self.end)
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
        self.end += len(lines)
        if self.read is None:
            self.data += lines
        else:
            self.read.update(new)
        remember(self.path.parent, self)


def placed(line: bytes) -> tuple[str, Placed]:
    """Return the key of a line and where its entry is; raises `ValueError` and `TypeError` for anything else."""
    key, *where = json.loads(line)
    return key, Placed(*where)


State = tuple[int, int, int]
kept: dict[Path, tuple[State, Catalogue]] = {}
"""Catalogues as they were last read or written; the files alone count, this saves reading them."""


def opened(place: Path) -> Catalogue:
    """Return the catalogue of a folder; raises what `Catalogue` does."""
    state, found = kept.get(place, (None, None))
    if found is None or state != state_of(place):
        found = Catalogue(place)
        remember(place, found)
    return found


def state_of(place: Path) -> State:
    """Return what tells a folder's catalogue apart from the one that was there before; raises `OSError`."""
    state = (place / NAME).stat()
    return state.st_ino, state.st_size, state.st_mtime_ns


def remember(place: Path, found: Catalogue) -> None:
    """Keep a catalogue: an update looks at it three times, and a server adds to it again and again."""
    kept.pop(place, None)
    kept[place] = state_of(place), found
    for other in list(kept)[:-2]:  # kept are that of the knowledge and that of the archive
        kept.pop(other, None)


def create(place: Path) -> None:
    """Make a catalogue without entries."""
    (place / NAME).write_bytes(HEAD)
