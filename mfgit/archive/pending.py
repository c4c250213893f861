"""Which sessions of the day files wait for being archived, kept up with what is appended and without reading anything twice.

What is remembered is derived: without it all day files are read again, and what is archived already changes nothing.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from mfgit import formats
from mfgit.archive import days
from mfgit.archive.entries import RETAINED
from mfgit.archive.ids import blocks, loaded
from mfgit.archive.sessions import SessionStore, replace_file
from mfgit.errors import BadInput
from mfgit.model import Progress, parse_time, quiet
from mfgit.redact import safe_id

NAME = "sweep.json"
VERSION = formats.TURN
"""The lines that one version of turns cannot read are read again by the next."""


class Waiting(NamedTuple):
    """A session that is not archived to its end: the first day that has something new of it, and when it was last spoken in."""

    day: str
    last: datetime


class ReadTo(NamedTuple):
    """How far a day file has been read: which file it is, and the byte behind the last whole line."""

    inode: int
    end: int


class Pending:
    """The sessions that wait, and how far each day file has been read. What another process saves meanwhile is as good."""

    def __init__(self, sessions: SessionStore) -> None:
        self.sessions = sessions
        self.path = sessions.folder / NAME
        self.files: dict[str, ReadTo] = {}
        self.waiting: dict[str, Waiting] = {}
        self.now = datetime.max.replace(tzinfo=UTC)
        self.changed = False
        self.load()

    def load(self) -> None:
        """Read what was remembered; start anew when it cannot be understood."""
        try:
            value = json.loads(self.path.read_bytes())
            if value["version"] != VERSION:
                return
            files = {str(name): ReadTo(int(inode), int(end)) for name, (inode, end) in value["files"].items()}
            waiting = {str(name): Waiting(str(day), parse_time(last, NAME)) for name, (day, last) in value["waiting"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, BadInput):
            return
        self.files, self.waiting = files, waiting

    def save(self) -> None:
        """Remember what has changed, durably. Raises `BadInput` when the disk refuses."""
        if not self.changed:
            return
        value = {
            "version": VERSION,
            "files": dict(sorted(self.files.items())),
            "waiting": {name: (each.day, each.last.isoformat()) for name, each in sorted(self.waiting.items())},
        }
        with self.sessions.locked(), self.sessions.trouble():
            replace_file(self.path, json.dumps(value, ensure_ascii=True, indent=0).encode() + b"\n")
        self.changed = False

    def follow(self, folder: Path, now: datetime, progress: Progress = quiet) -> None:
        """Take in what was appended to the day files since the last time; a file that was replaced is read again.

        A time later than `now` is that of a wrong clock, and counts as `now`.
        """
        self.now = now
        files = [file for file in days.day_files(folder) if not file.compressed]
        gone = set(self.files) - {file.path.name for file in files}
        for name in gone:
            del self.files[name]
        self.changed |= bool(gone)
        for number, file in enumerate(files):
            progress("Looking for new turns", number, len(files))
            try:
                self.read(file)
            except OSError:  # gone, or not to be read: `archive check` names it
                self.files.pop(file.path.name, None)

    def read(self, file: days.DayFile) -> None:
        """Take in what is new in a day file. Raises `OSError`."""
        state = file.path.stat()
        known = self.files.get(file.path.name, ReadTo(0, 0))
        start = known.end if known.inode == state.st_ino and known.end <= state.st_size else 0
        if start == state.st_size:
            self.read_to(file, ReadTo(state.st_ino, start))
            return
        rated: set[str] = set()
        with file.path.open("rb") as stream:
            for offset, data in blocks(stream, start):
                for line in data.splitlines():
                    rated |= self.take(file.date, loaded(days.strip(line)))
                start = offset + len(data)
            stream.seek(start)
            if last := loaded(days.strip(rest := stream.read())):  # whole but for its newline
                rated |= self.take(file.date, last)
                start += len(rest)
        for session_id, when in rated_sessions(file, rated):
            self.wait(session_id, file.date, when)
        self.read_to(file, ReadTo(state.st_ino, start))

    def read_to(self, file: days.DayFile, where: ReadTo) -> None:
        """Remember how far a file has been read."""
        if self.files.get(file.path.name) != where:
            self.files[file.path.name] = where
            self.changed = True

    def take(self, day: str, value: Mapping[str, Any]) -> set[str]:
        """Take in the value of a line; return the reply that a rating is of."""
        if "event" in value and "user_message" not in value:
            return {safe_id(str(value.get("assistant_message_id")))}
        if waits(value):
            self.wait(value["session_id"], day, time_of(value.get("timestamp"), day))
        return set()

    def wait(self, session_id: str, day: str, when: datetime) -> None:
        """Note that there is something new of a session."""
        session_id, when = safe_id(session_id), min(when, self.now)
        known = self.waiting.get(session_id)
        self.waiting[session_id] = Waiting(min(day, known.day), max(when, known.last)) if known else Waiting(day, when)
        self.changed = True

    def done(self, names: Collection[str]) -> None:
        """Note that sessions have been dealt with."""
        for name in names:
            self.changed |= self.waiting.pop(name, None) is not None


def waits(value: Mapping[str, Any]) -> bool:
    """Tell whether a line is a turn of a session that came by itself, and that retention has not reduced."""
    return (
        isinstance(value.get("session_id"), str)
        and bool(value["session_id"])
        and "user_message" in value
        and "archived_at" not in value
        and RETAINED not in value
    )


def rated_sessions(file: days.DayFile, rated: Collection[str]) -> Iterator[tuple[str, datetime]]:
    """Yield the sessions whose replies have been rated, with the time of the turn: a rating is no word more."""
    if not rated:
        return
    with file.path.open("rb") as stream:
        for _, data in blocks(stream, 0):
            for line in data.splitlines():
                if b'"user_message"' in line and b'"assistant_message_id"' in line:
                    value = loaded(days.strip(line))
                    if safe_id(str(value.get("assistant_message_id"))) in rated and waits(value):
                        yield value["session_id"], time_of(value.get("timestamp"), file.date)


def time_of(value: Any, day: str) -> datetime:
    """Return the time of a line, the beginning of its day when it has none that can be read."""
    try:
        return parse_time(value, "time").astimezone(UTC)
    except (BadInput, OverflowError):
        return datetime.fromisoformat(day).replace(tzinfo=UTC)
