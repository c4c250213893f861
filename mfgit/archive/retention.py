"""Retention: closed days and old sessions lose what the policy says, one file at a time.

A run that was killed is simply run again: each file is replaced as a whole, and what is left of a turn stays what it is.
"""

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from mfgit.archive import days
from mfgit.archive.appending import encoded
from mfgit.archive.catalogue import Catalogue
from mfgit.archive.dayfile import private, sync_folder
from mfgit.archive.days import DayFile
from mfgit.archive.entries import RETAINED, Unreadable, derived_id, entry
from mfgit.archive.erasing import unreadable
from mfgit.archive.ids import loaded
from mfgit.archive.policy import Policy, readable, reduced, reduced_session
from mfgit.archive.rewriting import FRESH, InUse, Leased, finish, leased, replace_day
from mfgit.archive.sessions import SessionStore
from mfgit.archive.store import Store, make_folder
from mfgit.model import Progress, format_time, quiet
from mfgit.session import TRACE, WHOLE

LOG = "retention.log"


class Change(NamedTuple):
    """What goes from one file: how many turns or sessions are left as summary and as trace, and lines nobody can read.

    `folded` are ratings that came after their turn had been reduced, and that become part of it now.
    """

    file: str
    summary: int = 0
    trace: int = 0
    unreadable: int = 0
    folded: int = 0

    def __bool__(self) -> bool:
        """Whether anything goes."""
        return bool(self.summary or self.trace or self.folded)


@dataclass
class Outcome:
    """What a run changed, or would; `in_use` are files that another program had open, `problems` what was left alone."""

    changes: list[Change] = field(default_factory=list)
    in_use: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass
class Day:
    """What is to become of the lines of one day file."""

    due: Counter[str] = field(default_factory=Counter)
    ratings: dict[str, dict[str, Any]] = field(default_factory=dict)
    folded: set[str] = field(default_factory=set)
    unreadable: int = 0
    late: int = 0


def retain(store: Store | None, folder: Path, sessions: SessionStore, policy: Policy, progress: Progress = quiet) -> Outcome:
    """Bring the archive to what the policy says; without a `store` only say what would go."""
    outcome = Outcome()
    if store is not None:
        finish(store)
    files = [file for file in days.day_files(folder) if not file.compressed and policy.closed(file.date)]
    for number, file in enumerate(files):
        progress("Looking at day files", number, len(files))
        retain_day(store, file, policy, outcome)
    retain_sessions(sessions, folder, policy, outcome, progress, dry=store is None)
    if store is not None:
        finish(store)
    return outcome


# ---- turns


def retain_day(store: Store | None, file: DayFile, policy: Policy, outcome: Outcome) -> None:
    """Reduce the turns of one day file that are due."""
    if file.path.is_symlink():
        outcome.problems.append(f"{file.path.name} is a symbolic link and was left alone")
        return
    if file.path.exists() and not file.path.is_file():
        outcome.problems.append(f"{file.path.name} is not a regular file and was left alone")
        return
    packed = days.DayFile(file.path.with_name(f"{file.path.name}.gz"), file.date)
    if why := unreadable(packed):  # traces are added to it
        outcome.problems.append(f"{packed.path.name} cannot be read ({why}), so {file.path.name} was left alone")
        return
    try:
        if store is None:
            with file.open() as stream:
                note(outcome, file, planned(stream, policy))
            return
        with store.trouble(), store.locked(), leased(file.path) as held:
            plan = planned(held.lines(), policy)
            change = note(outcome, file, plan)
            if change:
                log(store.folder, change, policy.now)
                rewrite(store, file, held, plan, policy)
    except FileNotFoundError:
        return
    except InUse:
        outcome.in_use.append(file.path.name)


def note(outcome: Outcome, file: DayFile, plan: Day) -> Change:
    """Note what goes from a day file."""
    change = Change(file.path.name, plan.due["summary"], plan.due["trace"], plan.unreadable, plan.late)
    if change:
        outcome.changes.append(change)
    return change


def planned(lines: Iterable[bytes], policy: Policy) -> Day:
    """Return what is due on the lines of a day file."""
    plan = Day()
    late: set[str] = set()
    for line in lines:
        kind, value = understood(line)
        if kind == "rating":
            plan.ratings[value["assistant_message_id"]] = value
        elif kind == "turn":
            left = readable(value, policy)
            message = str(value.get("assistant_message_id"))
            if reduced(value, left) != value:
                plan.due[left] += 1
                plan.folded.add(message)
            elif RETAINED in value:
                late.add(message)
        elif kind == "unreadable":
            plan.unreadable += 1
    later = late & set(plan.ratings)
    plan.folded |= later
    plan.late = len(later)
    return plan


def understood(line: bytes) -> tuple[str, dict[str, Any]]:
    """Return what a line is (turn, rating, blank, unreadable) and its value."""
    data = days.strip(line)
    if not data:
        return "blank", {}
    try:
        entry(data)
    except Unreadable:
        return "unreadable", {}
    value = loaded(data)
    return ("rating", value) if "event" in value and "user_message" not in value else ("turn", value)


def rewrite(store: Store, file: DayFile, held: Leased, plan: Day, policy: Policy) -> None:
    """Replace a day file by what is left of it; traces go to the compressed file of the day, which is written first."""
    if plan.due[TRACE]:
        pack(file, held, plan, policy)

    def write(stream: BinaryIO) -> int:
        kept = 0
        for line in remaining(held, plan, policy):
            stream.write(line)
            kept += 1
        return kept

    replace_day(store, file.date, held, write)


def remaining(held: Leased, plan: Day, policy: Policy) -> Iterator[bytes]:
    """Yield the lines that stay in a day file."""
    for line in held.lines():
        kind, value = understood(line)
        if kind == "turn":
            left = left_of(value, plan, policy)
            if left is value:
                yield line if line.endswith(b"\n") else line + b"\n"
            elif left[RETAINED] != TRACE:
                yield encoded(left)
        elif not (kind == "rating" and value["assistant_message_id"] in plan.folded):
            yield line


def left_of(value: dict[str, Any], plan: Day, policy: Policy) -> dict[str, Any]:
    """Return what is left of a turn, its last rating folded in for good; the very same value when it stays as it is."""
    message = str(value.get("assistant_message_id"))
    left = readable(value, policy)
    known = {**value, "request_id": value.get("request_id") or derived_id(value)}
    less = reduced(known, left)
    if less == known and not (RETAINED in value and message in plan.folded):
        return value
    return with_last(less, plan.ratings.get(message))


def with_last(turn: dict[str, Any], event: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a turn with its last rating; the rating's note is not kept, as its reply is not."""
    if event is None:
        return turn
    return turn | {name: event[name] for name in ("rating", "rating_reasons", "rated_at") if event.get(name) not in (None, [])}


def pack(file: DayFile, held: Leased, plan: Day, policy: Policy) -> None:
    """Write the day's compressed file: what it held, and the traces of the day file that it does not hold yet."""
    target = file.path.with_name(f"{file.path.name}.gz")
    fresh = target.with_name(target.name + FRESH)
    try:
        with open(fresh, "wb", opener=private) as raw:
            with gzip.GzipFile("", "wb", 6, raw, 0) as stream:
                for line in packed_lines(target, held, plan, policy):
                    stream.write(line)
            raw.flush()
            os.fsync(raw.fileno())
        fresh.replace(target)
        sync_folder(target.parent)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def packed_lines(target: Path, held: Leased, plan: Day, policy: Policy) -> Iterator[bytes]:
    """Yield the lines of a compressed day file with the new traces behind them, each request id once."""
    known: set[str] = set()
    if target.exists():
        with days.unpacked(target) as stream:
            for line in stream:
                known.add(str(loaded(line).get("request_id")))
                yield line if line.endswith(b"\n") else line + b"\n"
    for line in held.lines():
        kind, value = understood(line)
        if kind == "turn":
            left = left_of(value, plan, policy)
            if left.get(RETAINED) == TRACE and left["request_id"] not in known:
                known.add(left["request_id"])
                yield encoded(left)


# ---- sessions


def retain_sessions(
    sessions: SessionStore, folder: Path, policy: Policy, outcome: Outcome, progress: Progress, *, dry: bool
) -> None:
    """Reduce the sessions that are due."""
    due = [file.path for file in sessions.files() if not file.key.endswith(".gz") and is_due(sessions, file.path, policy)]
    outcome.problems += dict.fromkeys(map(str, sessions.problems))
    if dry:
        outcome.changes += [change for path in due if (change := session_change(sessions, path, policy))]
        return
    if not due and not any(sessions.folder.glob(".index.stale.*")):
        return
    catalogue = Catalogue(sessions)
    for number, path in enumerate(due):
        progress("Looking at sessions", number, len(due))
        with sessions.locked(), sessions.trouble():
            catalogue.begin()
            if change := session_change(sessions, path, policy):
                log(folder, change, policy.now)
                session = sessions.load(path)
                if session is not None:
                    less = reduced_session(session, policy.of_session(session, written(path)))
                    place = sessions.put(less)
                    if path not in (place, place.with_name(place.name.removesuffix(".gz"))):
                        path.unlink(missing_ok=True)  # another program, or an earlier version, had named it otherwise
                        catalogue.note(path, None)
                    catalogue.note(place, less)
                    outcome.changes.append(change)
    with sessions.locked(), sessions.trouble():
        catalogue.finish()


def is_due(sessions: SessionStore, path: Path, policy: Policy) -> bool:
    """Tell whether something goes from a session's file."""
    return bool(session_change(sessions, path, policy))


def session_change(sessions: SessionStore, path: Path, policy: Policy) -> Change:
    """Return what goes from a session's file."""
    name = f"{path.parent.name}/{path.name}"
    session = sessions.load(path)
    if session is None:
        return Change(name, unreadable=1)
    left = policy.of_session(session, written(path))
    if left == WHOLE or reduced_session(session, left) == session:
        return Change(name)
    return Change(name, summary=left != TRACE, trace=left == TRACE)


def written(path: Path) -> datetime:
    """Return when a file was written last."""
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


# ---- the log


@contextmanager
def appended(path: Path) -> Iterator[int]:
    """Open a file for appending, durably."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o660)
    try:
        yield descriptor
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def log(folder: Path, change: Change, now: datetime) -> None:
    """Write down what is about to go from a file; a run that is killed before it goes writes it down again."""
    line = {"at": format_time(now), **change._asdict()}
    make_folder(folder)
    with appended(folder / LOG) as descriptor:
        os.write(descriptor, json.dumps(line, ensure_ascii=False).encode() + b"\n")
