"""Replacing a day file by a shorter one while other programs may append to it, without losing a line of theirs.

Three things together: the archive's lock keeps every mfgit out. A read lease of the kernel tells whether another program
has the file open for writing, and makes one that opens it wait until the new file is in place. And the old file keeps a
second name until the end, so that what still arrives there, through a descriptor that was on its way, is carried over.
Where there are no leases, a file has to have been left alone for `QUIET` seconds. A kill at any point leaves the old file
or the new one, and the second name for `recover`.
"""

import contextlib
import errno
import fcntl
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import BinaryIO

from mfgit.archive import days
from mfgit.archive.dayfile import sync_folder
from mfgit.archive.ids import loaded
from mfgit.archive.store import Store

OLD = re.compile(r"(\d{4}-\d\d-\d\d)\.jsonl\.(\d+)\.replaced", re.ASCII)
FRESH = ".rewritten"
HALF = re.compile(r"\.\d{4}-\d\d-\d\d\.jsonl.*\.\d+\.new", re.ASCII)
"""What a kill leaves of a compressed day or a quarantine file that was being written anew."""
QUIET = 600.0
"""Seconds for which nobody has written to a file before it is taken to be closed, where the kernel cannot tell."""
WAIT = 1.0
"""Seconds for which a file that is being written to is waited for."""
SETTLE = 0.05
"""Seconds after a replacement in which a writer that was just opening the file gets to its write."""


class InUse(Exception):
    """Another program has the file open for writing; it is left for another time."""


class Leased:
    """A file that nobody has open for writing for as long as this is held; `size` in bytes. Raises `InUse`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self.kernel = False
        try:
            self.take(WAIT)
        except BaseException:
            os.close(self.descriptor)
            raise
        self.size = os.fstat(self.descriptor).st_size

    def take(self, wait: float) -> None:
        """Take the lease, waiting for writers for up to `wait` seconds."""
        stop = time.monotonic() + wait
        while True:
            try:
                lease(self.descriptor, fcntl.F_RDLCK)
            except BlockingIOError:
                if time.monotonic() >= stop:
                    raise InUse from None
                time.sleep(0.002)
            except (OSError, AttributeError):
                if time.time() - os.fstat(self.descriptor).st_mtime < QUIET:
                    raise InUse from None
                return
            else:
                self.kernel = True
                return

    def lines(self) -> Iterator[bytes]:
        """Yield the lines that the file had when it was taken; the kernel lets writers in after a while, whatever we do."""
        with os.fdopen(os.dup(self.descriptor), "rb") as stream:
            stream.seek(0)
            left = self.size
            for line in stream:
                if left <= 0:
                    return
                yield line[:left]
                left -= len(line)

    def let_go(self) -> None:
        """Let waiting writers in."""
        if self.kernel:
            with contextlib.suppress(OSError):
                lease(self.descriptor, fcntl.F_UNLCK)
            self.kernel = False

    def close(self) -> None:
        """Let waiting writers in and close the file."""
        self.let_go()
        os.close(self.descriptor)


def lease(descriptor: int, kind: int) -> None:
    """Take or return a lease; raises `BlockingIOError` while somebody writes, another `OSError` where there are none."""
    if kind == fcntl.F_RDLCK:
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)  # ignored unless asked for; the usual one would end us
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, kind)
    except OSError as error:
        if error.errno == errno.EAGAIN:
            raise BlockingIOError(errno.EAGAIN, "open for writing") from None
        raise


@contextmanager
def leased(path: Path) -> Iterator[Leased]:
    """Hold a file that nobody has open for writing. Raises `InUse`."""
    held = Leased(path)
    try:
        yield held
    finally:
        held.close()


def replace_day(store: Store, day: str, held: Leased, write: Callable[[BinaryIO], int]) -> None:
    """Put what `write` writes in the place of a day file, nothing in its place when that returns 0 lines.

    The store's lock is held, and so is the file. Raises `OSError`; then the old file stays.
    """
    path = held.path
    fresh = path.with_name(path.name + FRESH)
    try:
        with fresh.open("wb") as stream:
            like(stream, held.descriptor)
            kept = write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        size = held.size
        old = path.with_name(f"{path.name}.{size}.replaced")
        old.unlink(missing_ok=True)
        os.link(path, old)
        if kept:
            fresh.replace(path)
        else:
            path.unlink()
            fresh.unlink()
        sync_folder(path.parent)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    recent = time.time() - os.fstat(held.descriptor).st_mtime < QUIET
    held.let_go()
    if recent:
        time.sleep(SETTLE)
    with contextlib.suppress(InUse):
        held.take(WAIT)
    carry_over(store, day, held.descriptor, size)


def like(stream: BinaryIO, other: int) -> None:
    """Give a new file the owner and the mode of the old one, as far as we may."""
    state = os.fstat(other)
    with contextlib.suppress(OSError):
        os.fchown(stream.fileno(), state.st_uid, state.st_gid)
    with contextlib.suppress(OSError):
        os.fchmod(stream.fileno(), state.st_mode & 0o7777)


def carry_over(store: Store, day: str, descriptor: int, size: int) -> int:
    """Append what stands behind `size` in a replaced file to the day's file, unless it is there; return the lines."""
    start = whole_line(descriptor, size)
    data = b""
    while part := os.pread(descriptor, 1 << 20, start + len(data)):
        data += part
    if start + len(data) <= size:
        return 0
    store.refresh({day})
    fresh = []
    for line in data.split(b"\n"):
        value = loaded(line)
        if value and not (isinstance(value.get("request_id"), str) and store.stored(value["request_id"], day)):
            fresh.append(line + b"\n")
    if fresh:
        writer, _ = store.write(day, b"".join(fresh))
        writer.sync()
        store.writers.pop(day).close()
    return len(fresh)


def whole_line(descriptor: int, size: int) -> int:
    """Return where the line begins that is not ended at `size`."""
    end = size
    while end > 0:
        begin = max(0, end - 65536)
        at = os.pread(descriptor, end - begin, begin).rfind(b"\n")
        if at >= 0:
            return begin + at + 1
        end = begin
    return 0


def finish(store: Store) -> None:
    """Do as `recover` does, under the store's lock. Raises `BadInput` when the disk refuses."""
    with store.trouble(), store.locked():
        recover(store)


def recover(store: Store) -> None:
    """Finish what an interrupted run left, and let go of replaced files; the store's lock is held."""
    for path in sorted(store.folder.iterdir()):
        if path.name.endswith(FRESH) or HALF.fullmatch(path.name):
            path.unlink(missing_ok=True)
        elif (match := OLD.fullmatch(path.name)) and days.is_day(match[1]):
            day, size = match[1], int(match[2])
            current = store.folder / days.name_of(str(date.fromisoformat(day)))
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                if not (current.exists() and current.samefile(path)):
                    carry_over(store, day, descriptor, size)
            finally:
                os.close(descriptor)
            path.unlink()
    sync_folder(store.folder)
