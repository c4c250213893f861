"""The chat folder open for appending: one lock for all writers on this machine, one writer a day."""

import errno
import fcntl
import functools
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from mfgit.archive import days
from mfgit.archive.dayfile import Writer, sync_folder
from mfgit.archive.ids import Ids, PackedIds
from mfgit.durable import replace
from mfgit.errors import BadInput

LOCK = ".lock"
IGNORE = ".gitignore"
IGNORE_ALL = b"# Conversations never enter Git: mfgit keeps them in this folder.\n*\n"
"""What lets Git ignore a folder of the archive, this file too."""
HINTS = {
    errno.ENOSPC: "Free some space, or point CHAT_ARCHIVE_DIR at another disk; what was acknowledged is safe.",
    errno.EDQUOT: "Free some of your quota, or point CHAT_ARCHIVE_DIR at another disk; what was acknowledged is safe.",
    errno.EFBIG: "A limit on file sizes was reached; what was acknowledged is safe.",
}
"""What to do about a disk that refuses."""
OPEN_DAYS = 64
"""Day files that are written together, and that stay open, at most."""


class Store:
    """The chat folder of one archive. `notes` are sentences about what was found and set right on the way."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self.damaged: set[str] = set()
        self.writers: dict[str, Writer] = {}
        self.known: dict[str, Ids] = {}
        self.packed: dict[str, PackedIds] = {}
        with self.trouble():
            hide(folder, make_folder(folder))
            self.lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o660)

    def close(self) -> None:
        """Close all files."""
        for writer in self.writers.values():
            writer.close()
        self.writers.clear()
        os.close(self.lock)

    def trim(self) -> None:
        """Close old day files, which retention may want to itself, and all when many are open; all are synced by now."""
        many = len(self.writers) >= OPEN_DAYS
        newest = max(self.writers, default="")
        for day in [day for day in self.writers if many or day not in beside(newest)]:
            self.writers.pop(day).close()
        if len(self.known) > 4 * OPEN_DAYS:
            self.known.clear()
            self.packed.clear()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock that every mfgit on this machine takes before it writes."""
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self.lock, fcntl.LOCK_UN)

    @contextmanager
    def trouble(self) -> Iterator[None]:
        """Turn a failure of the disk into a sentence."""
        try:
            yield
        except OSError as error:
            hint = HINTS.get(error.errno or 0, "Check its permissions and mount, or set CHAT_ARCHIVE_DIR.")
            raise BadInput(f"The archive folder {self.folder} cannot be written: {error.strerror or error}.", hint) from None

    def writer(self, day: str) -> Writer:
        """Return the writer of a `YYYY-MM-DD`, opened anew when another file has taken its place."""
        writer = self.writers.get(day)
        if writer is not None and writer.current():
            return writer
        if writer is not None:
            writer.close()
        self.writers[day] = writer = Writer(self.folder / days.name_of(day))
        return writer

    def write(self, day: str, data: bytes) -> tuple[Writer, int]:
        """Append whole lines to a day; the lock is held. Return the writer, which the caller syncs, and where they start."""
        writer = self.writer(day)
        start, size = writer.append(data)
        if size:
            name = writer.path.name
            self.notes.append(
                f"{name}: an unfinished last line (torn, {size} bytes) of a crashed writer was set aside in {name}.quarantine."
            )
        return writer, start

    def write_turns(self, day: str, turns: list[tuple[str, bytes]]) -> None:
        """Append turns (id, line) to a day; the lock is held and `refresh` was called for the day."""
        _, start = self.write(day, b"".join(line for _, line in turns))
        self.known[day].add(start, turns)

    def stored(self, request_id: str, day: str) -> tuple[str, dict[str, Any]] | None:
        """Return (day, turn) of a turn that is stored already: on its day, or on a day beside it by another clock."""
        for near in beside(day):
            for ids in (self.known.get(near), self.packed.get(near)):
                if ids is not None and (turn := ids.turn(request_id)) is not None:
                    return near, turn
        return None

    def refresh(self, wanted: set[str]) -> None:
        """Learn which ids the day files hold now; the lock is held."""
        for near in {near for day in wanted for near in beside(day)}:
            if near not in self.known:
                self.known[near] = Ids(self.folder / days.name_of(near))
                self.packed[near] = PackedIds(self.folder / f"{days.name_of(near)}.gz")
            self.known[near].refresh()
            self.packed[near].refresh()
            problem = self.packed[near].problem
            if problem and problem not in self.damaged:
                self.damaged.add(problem)
                self.notes.append(problem)


@functools.lru_cache(maxsize=4096)
def beside(day: str) -> tuple[str, ...]:
    """Return a day and the days before and after it."""
    middle = date.fromisoformat(day)
    around = [middle]
    if middle > date.min:
        around.append(middle - timedelta(days=1))
    if middle < date.max:
        around.append(middle + timedelta(days=1))
    return tuple(str(each) for each in around)


def make_folder(folder: Path) -> bool:
    """Make a folder and those above it, durably; strangers to its owner and group may not look into it.

    Return whether it was missing.
    """
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir(0o770, exist_ok=True)
        sync_folder(each.parent)
    return bool(missing)


def hide(folder: Path, made: bool) -> None:
    """Let Git ignore all of a folder that was `made` just now, or that lies in a work tree. May be called by several at once.

    A `.gitignore` that is there stays as it is. A folder that is itself the top of a work tree is left alone: nothing in it
    would enter Git any more. So is one in which nobody may make files.
    """
    place = folder / IGNORE
    if os.path.lexists(place) or os.path.lexists(folder / ".git") or not (made or in_work_tree(folder)):
        return
    with suppress(PermissionError, FileNotFoundError):  # the latter: another thread of ours was first
        replace(place, [IGNORE_ALL])
        sync_folder(folder)


def in_work_tree(folder: Path) -> bool:
    """Tell whether a folder lies in a Git work tree; a worktree and a submodule have a file `.git` at their top."""
    return any(os.path.lexists(above / ".git") for above in folder.resolve().parents)
