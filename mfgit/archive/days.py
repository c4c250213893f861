"""Day files: where they are, and their bytes as lines.

A day file is `YYYY-MM-DD.jsonl` in the chat folder, or the same name with `.gz` behind it once it has been compressed.
Nothing here ever writes.
"""

import errno
import gzip
import io
import os
import re
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path, PurePath
from typing import BinaryIO, NamedTuple, Protocol, TypeVar, cast

from mfgit.errors import BadInput

NAME = re.compile(r"(\d{4}-\d\d-\d\d)\.jsonl(\.gz)?", re.ASCII)
BOM = b"\xef\xbb\xbf"
TORN_WAIT = 0.1
"""Seconds for which an unfinished last line is read again: another writer may still be at it."""
QUIET_AFTER = 5.0
"""Seconds since the last write after which nobody is taken to be in the middle of a line."""

Got = TypeVar("Got")


class Damaged(OSError):
    """A compressed file is cut off, or is no gzip."""


class Unpacked(io.RawIOBase):
    """The plain bytes of a gzip file; damage is an `OSError`, as every other failure to read a file is."""

    def __init__(self, path: PurePath, packed: BinaryIO) -> None:
        """Read from an open file, which is closed with this one.

        A file is never opened here: an object that is left half made is closed too, and from Python 3.13 on what goes wrong
        then is printed.
        """
        self.path = path
        self.packed = packed
        self.file = gzip.GzipFile(fileobj=packed, mode="rb")

    def readable(self) -> bool:
        """Say that bytes can be read."""
        return True

    def seekable(self) -> bool:
        """Say that places can be gone to, though going back reads from the beginning."""
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]  # the buffered reader hands over nothing else
        """Read into a buffer; return how many bytes."""
        data = self.checked(lambda: self.file.read1(len(buffer)))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place; return where it is."""
        return self.checked(lambda: self.file.seek(offset, whence))

    def tell(self) -> int:
        """Return the place."""
        return self.file.tell()

    def close(self) -> None:
        """Close the file."""
        self.file.close()
        self.packed.close()
        super().close()

    def checked(self, read: Callable[[], Got]) -> Got:
        """Return what `read` returns; raises `Damaged`."""
        try:
            return read()
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise Damaged(errno.EIO, "its compressed data is cut off or damaged", str(self.path)) from None


def unpacked(path: Path) -> BinaryIO:
    """Open a gzip file for reading its plain bytes; reading raises `OSError` where it is damaged."""
    return plain(path, path.open("rb"))


def plain(path: PurePath, packed: BinaryIO) -> BinaryIO:
    """Return the plain bytes of a gzip file that is open already, which is closed with them; `path` names it."""
    return cast("BinaryIO", io.BufferedReader(Unpacked(path, packed), 1 << 18))


class Day(Protocol):
    """What the lines of a day are read from, wherever it lies."""

    @property
    def path(self) -> PurePath:
        """Its name, `YYYY-MM-DD.jsonl` or with `.gz` behind it, and where it lies."""

    @property
    def size(self) -> int:
        """The bytes it takes, 0 when it is gone."""

    @property
    def growing(self) -> bool:
        """Whether another program may be in the middle of its last line."""

    def open(self) -> BinaryIO:
        """Open it for reading its plain bytes; raises `OSError`."""


class DayFile(NamedTuple):
    """One day file; `date` as `YYYY-MM-DD`."""

    path: Path
    date: str

    @property
    def compressed(self) -> bool:
        """Whether the file is gzip."""
        return self.path.suffix == ".gz"

    @property
    def growing(self) -> bool:
        """Whether another program may be in the middle of its last line."""
        return not self.compressed

    @property
    def size(self) -> int:
        """The bytes it takes, 0 when it is gone."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def open(self) -> BinaryIO:
        """Open the file for reading its plain bytes."""
        if self.path.exists() and not self.path.is_file():
            raise OSError(errno.EINVAL, "it is not a regular file", str(self.path))  # a pipe would never end
        return unpacked(self.path) if self.compressed else self.path.open("rb", buffering=1 << 18)


class RawLine(NamedTuple):
    """One line without its line end; `ended` tells whether it had one."""

    number: int
    data: bytes
    ended: bool


def name_of(day: str) -> str:
    """Return the name of the day file of a `YYYY-MM-DD`."""
    return f"{day}.jsonl"


def day_files(folder: Path, first: date = date.min, last: date = date.max) -> list[DayFile]:
    """Return the day files from `first` to `last`, oldest first; a compressed one before a plain one of the same day.

    A folder that is not there has none. Raises `BadInput` when it cannot be listed.
    """
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise BadInput(f"The archive folder {folder} cannot be read: {error.strerror}.") from None
    return [DayFile(folder / name, day) for name, day in of_days(names, first, last)]


def of_days(names: Iterable[str], first: date, last: date) -> list[tuple[str, str]]:
    """Return the names that are day files' and their days, from `first` to `last`, in the order of `day_files`."""
    found = [(match[1], not match[2], name) for name in names if (match := NAME.fullmatch(name)) and is_day(match[1])]
    return [(name, day) for day, _, name in sorted(found) if str(first) <= day <= str(last)]


def is_day(text: str) -> bool:
    """Tell whether a `YYYY-MM-DD` is a day of the calendar; `2026-02-30` is the name of some other program's file."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def around(first: date, last: date) -> tuple[date, date]:
    """Return the days whose files may hold a turn of `first` to `last`: other offsets put it up to a day beside."""
    before = first - timedelta(days=1) if first > date.min else first
    after = last + timedelta(days=1) if last < date.max else last
    return before, after


def lines(file: Day) -> Iterator[RawLine]:
    """Yield the lines of a day file that are not blank, split at newlines only; BOM and CR are taken off.

    An unfinished last line is read again for up to `TORN_WAIT` seconds while it does not end in a newline. Raises
    `OSError` when the file cannot be read.
    """
    with file.open() as stream:
        number, tail = 0, b""
        for number, data in enumerate(stream, 1):
            if not data.endswith(b"\n"):
                tail = data
            elif line := strip(data):
                yield RawLine(number, line, ended=True)
        parts = (tail if not file.growing or not tail else finish(stream, tail)).split(b"\n")
        for count, part in enumerate(parts):
            if line := strip(part):
                yield RawLine(number + count, line, ended=count < len(parts) - 1)


def finish(stream: BinaryIO, data: bytes) -> bytes:
    """Return an unfinished last line with what another writer adds to it in the next moments."""
    stop = time.monotonic() + TORN_WAIT
    if time.time() - os.fstat(stream.fileno()).st_mtime > QUIET_AFTER:
        return data
    while not data.endswith(b"\n") and time.monotonic() < stop:
        time.sleep(0.005)
        data += stream.read()
    return data


def strip(line: bytes) -> bytes:
    """Return a line without its line end, a BOM before it and blanks around it."""
    return line.removeprefix(BOM).strip(b" \t\r\n")
