"""Appending turns: checked, redacted, stored once, and acknowledged only when they are on the disk."""

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from mfgit.archive.dayfile import Writer
from mfgit.archive.entries import RETAINED, UNDATED, Unreadable, checked_turn, derived_id, parse, reply_id
from mfgit.archive.store import OPEN_DAYS, Store
from mfgit.model import format_time
from mfgit.redact import Redactor, safe_id, unnumbered

IDS = frozenset(("request_id", "session_id", "user_id", "user_agent_id", "assistant_message_id"))
"""Fields in which a name takes the place of what is personal, so that they still match elsewhere."""
KEPT = frozenset(("workspace_id", "timestamp", "date", "help_mode", "partial", "rating", "rated_at"))
KEPT |= frozenset(("archived_at", "imported_at"))
"""Fields that are written as they came: times and flags. Everything else is redacted, known to us or not."""
OWN = frozenset(("source", "archived_at", "imported_at", RETAINED, UNDATED))
"""Fields that only mfgit sets. Retention and the merging of sessions go by them, so that no client may send them."""

LATE = timedelta(days=1)
"""Age from which a turn carries the time it came in, from which retention counts."""


class Ack(NamedTuple):
    """A turn that is on the disk: its ids, and the day whose file holds it."""

    request_id: str
    assistant_message_id: str
    date: str


class Rejected(NamedTuple):
    """An input line that is no turn: its number and why. Holds no text of the line."""

    line: int
    reason: str


class Ready(NamedTuple):
    """A turn ready to be written."""

    ack: Ack
    line: bytes


def append(store: Store, lines: Iterable[tuple[int, bytes]]) -> list[Ack | Rejected]:
    """Store the turns of numbered JSON lines with one sync a day file; return what became of each, in order.

    Raises `BadInput` when the disk refuses; then nothing half-written is left, and what earlier calls acknowledged stays.
    """
    return append_ready(store, [ready_line(number, data) for number, data in lines])


def append_values(store: Store, values: Iterable[Any]) -> list[Ack | Rejected]:
    """Store turns that are parsed already; else as `append`."""
    return append_ready(store, [ready_value(number, value) for number, value in enumerate(values, 1)])


def append_ready(store: Store, items: list[Ready | Rejected]) -> list[Ack | Rejected]:
    """Write what is not stored yet, wait for the disk, and return the acknowledgements."""
    acks: list[Ack] = []
    with store.trouble():
        for turns in by_days([item for item in items if isinstance(item, Ready)]):
            with store.locked():
                found, touched = write(store, turns)
            for writer in touched:
                writer.sync()
            acks += found
            store.trim()
    following = iter(acks)
    return [next(following) if isinstance(item, Ready) else item for item in items]


def by_days(turns: list[Ready]) -> Iterator[list[Ready]]:
    """Yield turns in order, as many together as go to `OPEN_DAYS` day files."""
    part: list[Ready] = []
    days: set[str] = set()
    for turn in turns:
        if turn.ack.date not in days and len(days) >= OPEN_DAYS:
            yield part
            part, days = [], set()
        part.append(turn)
        days.add(turn.ack.date)
    if part:
        yield part


def write(store: Store, turns: list[Ready]) -> tuple[list[Ack], list[Writer]]:
    """Write the new ones among turns, a write for each day; return acknowledgements and the files to sync."""
    store.refresh({turn.ack.date for turn in turns})
    acks: dict[str, Ack] = {}
    fresh: dict[str, list[tuple[str, bytes]]] = {}
    for ack, line in turns:
        if ack.request_id in acks:
            continue
        stored = store.stored(ack.request_id, ack.date)
        if stored is None:
            fresh.setdefault(ack.date, []).append((ack.request_id, line))
            acks[ack.request_id] = ack
        else:
            day, turn = stored
            message = turn.get("assistant_message_id") or ack.assistant_message_id
            acks[ack.request_id] = Ack(ack.request_id, str(message), day)
    for day, lines in fresh.items():
        store.write_turns(day, lines)
    touched = [store.writer(day) for day in sorted({ack.date for ack in acks.values()})]
    return [acks[turn.ack.request_id] for turn in turns], touched


def ready_line(number: int, data: bytes, refused: Set[str] = frozenset()) -> Ready | Rejected:
    """Return the turn of an input line ready to be written, or why it cannot be; `refused` are names of fields."""
    try:
        value = parse(data)
    except Unreadable as error:
        return Rejected(number, str(error))
    return ready_value(number, value, refused)


def ready_value(number: int, value: Any, refused: Set[str] = frozenset()) -> Ready | Rejected:
    """Return a turn ready to be written, or why it cannot be; `refused` are names of fields."""
    if isinstance(value, Mapping) and (named := sorted(refused & value.keys())):
        return Rejected(number, f"not a turn of a client: only mfgit sets {', '.join(named)}")
    try:
        return ready(value)
    except Unreadable as error:
        return Rejected(number, str(error))
    except (ValueError, RecursionError):
        return Rejected(number, "not usable JSON: a number beyond all bounds, or nested too deeply")


def ready(value: Any) -> Ready:
    """Check, redact and complete a turn; raises `Unreadable` or `ValueError`."""
    when = checked_turn(value)
    day = when.date().isoformat()
    turn = redacted_turn(value)
    request_id = turn.get("request_id") or derived_id(unnumbered_values(turn))
    message_id = turn.get("assistant_message_id") or reply_id(request_id)
    turn.update(date=day, request_id=request_id, assistant_message_id=message_id)
    now = datetime.now(UTC)
    if now - when > LATE:
        turn.setdefault("imported_at", format_time(now))
    return Ready(Ack(request_id, message_id, day), encoded(turn))


def unnumbered_values(turn: Mapping[str, Any]) -> dict[str, Any]:
    """Return a turn whose texts have every mark as the first of its kind, as they had before marks were told apart."""
    return {key: unnumbered(given) if isinstance(given, str) else given for key, given in turn.items()}


def redacted_turn(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a turn with secrets and personal data taken out of every field that may hold text, and its ids made safe."""
    redactor = Redactor()
    return {key: given if key in KEPT else safe_field(redactor, key, given) for key, given in value.items()}


def safe_field(redactor: Redactor, key: str, given: Any) -> Any:
    """Return what is stored of a field that is neither a time nor a flag."""
    return safe_id(given) if key in IDS and isinstance(given, str) else redactor.value(given, key)


def encoded(value: Mapping[str, Any]) -> bytes:
    """Return a value as one line of a day file; raises `ValueError` for numbers that JSON has not."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"
