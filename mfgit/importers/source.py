"""What is imported: a file, a zip file or a folder, as members that are read as streams."""

import functools
import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from mfgit.errors import BadInput

HEAD = 1 << 18
"""Bytes from which a format is told."""
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError)
"""What reading a damaged, locked or foreign zip or gzip member raises."""

SIDE_FILES = re.compile(r"(^|/)(\.[^/]*$|__MACOSX/)")
"""What packing programs put beside the files."""


class Unreadable(Exception):
    """The bytes of a member end in the middle, or cannot be unpacked."""


class Counted(io.RawIOBase):
    """A stream that counts what is read from it."""

    def __init__(self, stream: BinaryIO, count: Callable[[int], None]) -> None:
        self.stream = stream
        self.count = count

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into `buffer`; raises `Unreadable`."""
        try:
            data = self.stream.read(len(buffer))
        except BROKEN as error:
            raise Unreadable(f"its bytes cannot be read any further ({type(error).__name__})") from None
        buffer[: len(data)] = data
        self.count(len(data))
        return len(data)

    def close(self) -> None:
        """Close what lies below, too."""
        if not self.closed:
            self.stream.close()
        super().close()


class Member:
    """One file of a source: `name` is its path inside, with `/`."""

    def __init__(self, name: str, size: int, opener: Callable[[], BinaryIO], count: Callable[[int], None]) -> None:
        self.name = name
        self.size = size
        self.opener = opener
        self.count = count

    @property
    def stem(self) -> str:
        """The name without folders and endings."""
        return self.name.rpartition("/")[2].partition(".")[0]

    def open(self, silent: bool = False) -> io.BufferedReader:
        """Open it for reading, unpacked; raises `Unreadable`, then or while it is read. `silent` does not count as progress."""
        try:
            stream = self.opener()
        except BROKEN as error:
            raise Unreadable(f"it cannot be opened ({type(error).__name__})") from None
        return io.BufferedReader(Counted(stream, (lambda size: None) if silent else self.count), 1 << 16)

    def head(self) -> bytes:
        """Return the first bytes, as many as can be read."""
        try:
            with self.open(silent=True) as stream:
                return stream.read(HEAD)
        except Unreadable:
            return b""


class Source:
    """A file, a zip file or a folder. `read` of `size` bytes were read so far; packed ones count as unpacked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.read = 0
        self.zip: zipfile.ZipFile | None = None
        self.alone = False
        try:
            self.members = self.find(path)
        except OSError as error:
            raise BadInput(f"{path} cannot be read: {error.strerror or error}.", "An export was expected there.") from None
        self.size = sum(member.size for member in self.members)

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *exception: object) -> None:
        if self.zip is not None:
            self.zip.close()

    def find(self, path: Path) -> list[Member]:
        """Return the members of a path."""
        if path.is_dir():
            files = sorted(each for each in path.rglob("[!.]*") if each.is_file() and not each.is_symlink())
            return [self.file(each, each.relative_to(path).as_posix()) for each in files]
        with path.open("rb") as stream:
            packed = stream.read(4) == b"PK\x03\x04"
        if packed or path.suffix.lower() == ".zip":
            return self.zipped(path)
        self.alone = True
        return [self.file(path, path.name)]

    def file(self, path: Path, name: str) -> Member:
        """Return a file as a member."""
        opener = functools.partial(gzip.open if path.suffix == ".gz" else open, path, "rb")
        return Member(name, path.stat().st_size, cast("Callable[[], BinaryIO]", opener), self.count)

    def zipped(self, path: Path) -> list[Member]:
        """Return the members of a zip file; raises `BadInput` when it is damaged."""
        try:
            self.zip = archive = zipfile.ZipFile(path)
            found = [info for info in archive.infolist() if not info.is_dir() and not SIDE_FILES.search(info.filename)]
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError):
            raise BadInput(f"{path} is not a whole zip file.", "Download the export again; a zip file was expected.") from None
        found.sort(key=lambda info: info.filename)
        openers = [cast("Callable[[], BinaryIO]", functools.partial(archive.open, info)) for info in found]
        return [Member(info.filename, info.file_size, each, self.count) for info, each in zip(found, openers, strict=True)]

    def count(self, size: int) -> None:
        """Take note of bytes read."""
        self.read += size

    def files(self, pattern: str, otherwise: str = "(?!)") -> list[Member]:
        """Return the members whose name fits a pattern, else those that fit another; a file given by itself always fits."""
        found = [member for member in self.members if self.alone or re.search(pattern, member.name)]
        return found or [member for member in self.members if re.search(otherwise, member.name)]
