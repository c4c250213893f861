"""Appending to one day file so that nothing is lost: not ours when we are killed, not another program's at any time.

Other programs append to the same files and know nothing of our lock. So nothing here shortens or replaces a file that one
of them may have open: what has to go is overwritten with blanks, in place, and blanks before a JSON value are none of it.
The one exception is our own half-written line on a full disk, and only while it is the last thing in the file.
"""

import errno
import fcntl
import os
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mfgit.archive.days import TORN_WAIT
from mfgit.archive.ids import loaded

TRIES = 20
"""How often a write that landed in another program's unfinished line is taken back and made again."""
SPARE = 4096
"""Bytes that must be free beyond what is written, so that a write is not cut off by a full disk."""


class Mended(NamedTuple):
    """The end of a day file: where the next line starts, what has to stand before it, what was set aside (in bytes)."""

    end: int
    prefix: bytes
    set_aside: int


class Landed(NamedTuple):
    """Where lines landed that were appended, and how many bytes of a torn line before them were set aside."""

    start: int
    set_aside: int


class Writer:
    """One day file open for appending. Every method wants the archive's lock held by the caller, but `sync`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.named = False
        if path.is_symlink():
            raise OSError(errno.ELOOP, f"{path.name} is a symbolic link, and turns are written to files in the folder only")
        self.descriptor = os.open(path, os.O_NOFOLLOW | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o660)
        if not stat.S_ISREG(os.fstat(self.descriptor).st_mode):
            os.close(self.descriptor)
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))

    def close(self) -> None:
        """Close the file."""
        os.close(self.descriptor)

    def current(self) -> bool:
        """Tell whether the file still is the one at its path."""
        here = os.fstat(self.descriptor)
        try:
            there = self.path.stat()
        except OSError:
            return False
        return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)

    def append(self, data: bytes) -> Landed:
        """Append whole lines. Raises `OSError`, and then nothing of `data` is left in the file."""
        set_aside = 0
        for _ in range(TRIES):
            mended = self.mend()
            set_aside += mended.set_aside
            start = self.landed(mended.prefix + data, mended.end)
            if start is not None:
                return Landed(start + len(mended.prefix), set_aside)
        raise OSError(errno.EAGAIN, "another program keeps leaving its lines unfinished")

    def landed(self, data: bytes, expected: int) -> int | None:
        """Write `data` and return where it starts.

        None when it had to be taken back, because it fell into a line that another program had not finished.
        """
        self.need_space(len(data))
        written = os.write(self.descriptor, data)
        end = os.lseek(self.descriptor, 0, os.SEEK_CUR)
        start = end - written
        if written < len(data):
            self.take_back(start, end)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if start in (expected, 0) or data.startswith(b"\n") or os.pread(self.descriptor, 1, start - 1) == b"\n":
            return start
        self.blank(start, end)
        return None

    def need_space(self, size: int) -> None:
        """Raise `OSError` when the disk says that it has no room for `size` bytes."""
        disk = os.fstatvfs(self.descriptor)
        if disk.f_blocks and disk.f_bavail * disk.f_frsize < size + SPARE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def take_back(self, start: int, end: int) -> None:
        """Remove our own half-written bytes: cut them off while they are the end of the file, else blank them."""
        if os.fstat(self.descriptor).st_size == end:
            os.ftruncate(self.descriptor, start)
        else:
            self.blank(start, end)

    def blank(self, start: int, end: int) -> None:
        """Overwrite bytes with blanks, in place."""
        self.overwrite(start, b" " * (end - start))

    def overwrite(self, start: int, data: bytes) -> None:
        """Overwrite bytes in place; a file open for appending would write them at its end."""
        with self.path.open("r+b", buffering=0) as stream:
            if os.fstat(stream.fileno()).st_ino == os.fstat(self.descriptor).st_ino:
                os.pwrite(stream.fileno(), data, start)

    def mend(self) -> Mended:
        """Make the end of the file ready for a new line, and say how the new line has to begin."""
        size = os.fstat(self.descriptor).st_size
        if size == 0 or os.pread(self.descriptor, 1, size - 1) == b"\n":
            return Mended(size, b"", 0)
        start = self.last_newline(size) + 1
        tail = self.settled(start)
        size = start + len(tail)
        if tail.endswith(b"\n") or not tail.strip(b" "):
            return Mended(size, b"", 0)
        if loaded(tail):
            return Mended(size, b"\n", 0)
        return Mended(size, b"", self.set_aside(start, tail))

    def last_newline(self, size: int) -> int:
        """Return where the last newline before `size` is, -1 when there is none."""
        end = size
        while end > 0:
            begin = max(0, end - 65536)
            at = os.pread(self.descriptor, end - begin, begin).rfind(b"\n")
            if at >= 0:
                return begin + at
            end = begin
        return -1

    def settled(self, start: int) -> bytes:
        """Return what stands from `start` on, once it ends in a newline or has not done so for `TORN_WAIT` seconds."""
        stop = time.monotonic() + TORN_WAIT
        while True:
            tail = self.rest(start)
            if tail.endswith(b"\n") or time.monotonic() >= stop:
                return tail
            time.sleep(0.005)

    def rest(self, start: int) -> bytes:
        """Return the bytes from `start` to the end of the file."""
        parts = []
        while data := os.pread(self.descriptor, 1 << 20, start):
            parts.append(data)
            start += len(data)
        return b"".join(parts)

    def set_aside(self, start: int, tail: bytes) -> int:
        """Copy a torn line into `*.quarantine`, durably, then blank it; return its size in bytes.

        Should its writer have gone on just then, the line is put back as it was and 0 is returned.
        """
        keep(self.path.with_name(self.path.name + ".quarantine"), tail)
        end = start + len(tail)
        self.blank(start, end)
        if os.fstat(self.descriptor).st_size > end:
            self.overwrite(start, tail)
            return 0
        os.fsync(self.descriptor)
        return len(tail)

    def sync(self) -> None:
        """Return once all that was written is on the disk.

        The first time the name of the file is synced too: whoever made the file may not have come to that yet.
        """
        sync_data(self.descriptor)
        if not self.named:
            sync_folder(self.path.parent)
            self.named = True


def keep(path: Path, data: bytes) -> None:
    """Append bytes to a quarantine file durably, unless it ends with them: then we were killed after this step before."""
    line = data + b"\n"
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o660)
    try:
        size = os.fstat(descriptor).st_size
        if os.pread(descriptor, len(line), max(0, size - len(line))) != line:
            if os.write(descriptor, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(descriptor)
            sync_folder(path.parent)
    finally:
        os.close(descriptor)


def private(path: str, flags: int) -> int:
    """Open a file of the archive, which its owner and group alone may read; an `opener` of `open`."""
    return os.open(path, flags, 0o660)


def sync_data(descriptor: int) -> None:
    """Return once what was written to a file is on the disk; macOS leaves it in the disk's cache unless asked for more."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is not None:
        with suppress(OSError):  # a network's file system may know no such thing
            fcntl.fcntl(descriptor, full)
            return
    getattr(os, "fdatasync", os.fsync)(descriptor)


def sync_folder(folder: Path) -> None:
    """Return once the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
