"""Which request ids a day file holds, found without parsing it: only a hit is read and parsed."""

import contextlib
import json
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from mfgit.archive import days

CHUNK = 1 << 22
"""Bytes that are looked at together."""
PIECE = 1 << 10
"""Bytes of a compressed file that are looked at together: of those before a damaged place no more than this is missed."""
REQUEST_ID = re.compile(rb'"request_id"\s*:\s*"((?:[^"\\]|\\.)*)"')
SESSION_ID = re.compile(rb'"session_id"\s*:\s*"((?:[^"\\]|\\.)*)"')
FROM_SESSION = b'"archived_at"'
"""A name that the lines of whole conversations have, and those that came by themselves have not."""


class Ids:
    """The request ids of one day file, kept up with what any program appends to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seen: tuple[int, int] | None = None
        self.read_to = 0
        self.places: dict[str, int] = {}

    def refresh(self) -> None:
        """Look at what was appended since the last time; start over when the file is another one now."""
        try:
            state = self.path.stat()
        except FileNotFoundError:
            self.forget(None)
            return
        if not stat.S_ISREG(state.st_mode):
            self.forget(None)
            return
        if self.seen != (state.st_dev, state.st_ino) or state.st_size < self.read_to:
            self.forget((state.st_dev, state.st_ino))
        if state.st_size > self.read_to:
            with self.path.open("rb", buffering=0) as stream:
                self.note(stream)

    def add(self, start: int, written: Iterable[tuple[str, bytes]]) -> None:
        """Remember turns (id, line) that were just written from `start` on, if that is where this had read to."""
        if self.read_to == start:
            for request_id, line in written:
                self.places.setdefault(request_id, self.read_to)
                self.read_to += len(line)

    def forget(self, seen: tuple[int, int] | None) -> None:
        """Start over, for the file that `seen` says."""
        self.seen, self.read_to, self.places = seen, 0, {}

    def note(self, stream: BinaryIO) -> None:
        """Remember the ids of all whole lines from `read_to` on."""
        for offset, data in self.blocks(stream):
            for match in REQUEST_ID.finditer(data):
                self.places.setdefault(unescaped(match[1]), offset + match.start())
            self.read_to = offset + len(data)

    def blocks(self, stream: BinaryIO) -> "Iterator[tuple[int, bytes]]":
        """Yield what has not been looked at yet."""
        return blocks(stream, self.read_to)

    def turn(self, request_id: str) -> dict[str, Any] | None:
        """Return the stored turn with this id, None when there is none."""
        place = self.places.get(request_id)
        if place is None:
            return None
        with self.open() as stream:
            value = json_at(stream, place)
        return value if value is not None and value.get("request_id") == request_id else None

    def open(self) -> BinaryIO:
        """Open the file for reading its lines."""
        return self.path.open("rb")


class PackedIds(Ids):
    """The request ids of a compressed day file, which nobody appends to; `problem` says why it cannot be read, if so."""

    problem: str | None = None

    def refresh(self) -> None:
        """Look at the file again when it is another one now."""
        try:
            state = self.path.stat()
        except FileNotFoundError:
            self.forget(None)
            return
        if self.seen != (state.st_dev, state.st_ino):
            self.forget((state.st_dev, state.st_ino))
            self.problem = None
            try:
                with self.open() as stream:
                    self.note(stream)
            except OSError as error:
                self.problem = (
                    f"{self.path.name} cannot be read to its end, and the rest was passed over: {error.strerror or error}"
                )

    def blocks(self, stream: BinaryIO) -> "Iterator[tuple[int, bytes]]":
        """Yield what has not been looked at yet, in small pieces, so that all before a damaged place comes out."""
        return blocks(stream, self.read_to, PIECE)

    def turn(self, request_id: str) -> dict[str, Any] | None:
        """Return the stored turn; of one at a damaged place its id, since it is stored all the same."""
        try:
            return super().turn(request_id)
        except OSError:
            return {"request_id": request_id}

    def open(self) -> BinaryIO:
        """Open the file for reading its lines."""
        return days.unpacked(self.path)


class Talks:
    """Where the turns of each session are in a day file, of those that came by themselves and not with a conversation."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.places: dict[str, list[int]] = {}
        if not path.is_file():
            return
        with contextlib.suppress(FileNotFoundError), path.open("rb", buffering=0) as stream:
            for offset, data in blocks(stream, 0):
                self.note(offset, data)

    def note(self, offset: int, data: bytes) -> None:
        """Remember the sessions of whole lines that begin at `offset`."""
        for line in data.splitlines(keepends=True):
            if FROM_SESSION not in line and (match := SESSION_ID.search(line)):
                self.places.setdefault(unescaped(match[1]), []).append(offset)
            offset += len(line)

    def of(self, session_id: str) -> list[dict[str, Any]]:
        """Return the turns of a session, in the order of the file."""
        places = self.places.get(session_id, ())
        if not places:
            return []
        with self.path.open("rb") as stream:
            found = [json_at(stream, place) for place in places]
        return [value for value in found if value and value.get("session_id") == session_id and "user_message" in value]


def blocks(stream: BinaryIO, start: int, size: int = CHUNK) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, bytes) from `start` on: whole lines, some `size` bytes together. An unfinished last line is left out."""
    stream.seek(start)
    rest = b""
    while data := stream.read(size):
        data = rest + data
        end = data.rfind(b"\n") + 1
        if end:
            yield start, data[:end]
        start, rest = start + end, data[end:]


def json_at(stream: BinaryIO, place: int) -> dict[str, Any] | None:
    """Return the object on the line that holds the byte at `place`, None when it is none."""
    stream.seek(line_start(stream, place))
    try:
        value = json.loads(stream.readline())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def line_start(stream: BinaryIO, place: int) -> int:
    """Return where the line begins that holds the byte at `place`."""
    end = place
    while end > 0:
        begin = max(0, end - 65536)
        stream.seek(begin)
        newline = stream.read(end - begin).rfind(b"\n")
        if newline >= 0:
            return begin + newline + 1
        end = begin
    return 0


def unescaped(text: bytes) -> str:
    """Return the text of a JSON string's inside."""
    if b"\\" not in text:
        return text.decode("utf-8", "replace")
    try:
        return str(json.loads(b'"' + text + b'"'))
    except ValueError:
        return text.decode("utf-8", "replace")


def find(stream: BinaryIO, field: str, wanted: str) -> dict[str, Any] | None:
    """Return the first turn of an open day file whose `field` is `wanted`, looking at bytes and parsing only what may be it."""
    needles = {json.dumps(wanted).encode(), json.dumps(wanted, ensure_ascii=False).encode("utf-8", "surrogatepass")}
    for _, data in blocks(stream, 0):
        for needle in needles:
            at = data.find(needle)
            while at >= 0:
                begin, end = data.rfind(b"\n", 0, at) + 1, data.index(b"\n", at)
                value = loaded(data[begin:end])
                if value.get(field) == wanted and "user_message" in value:
                    return value
                at = data.find(needle, end)
    return None


def loaded(line: bytes) -> dict[str, Any]:
    """Return the object on a line, an empty one when it holds something else."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
