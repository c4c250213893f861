"""Our own turns, from another archive into this one: as they are, each once, with the ratings that came later."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from mfgit.archive import days
from mfgit.archive.appending import Ready, Rejected, append_ready, encoded, ready_value
from mfgit.archive.entries import Unreadable, checked_rating
from mfgit.archive.rating import Rate, reply_of
from mfgit.archive.store import Store
from mfgit.model import parse_time
from mfgit.project.archiving import chat_folder
from mfgit.project.base import Repository

BATCH = 500
"""Turns that share one sync."""


class Tally:
    """What became of the lines: `talks` are the sessions with new turns, `refused` lines are counted by reason in `skipped`.

    `why` says of the first line that is no turn what it lacks, without a text of it.
    """

    def __init__(self) -> None:
        self.talks: set[str] = set()
        self.turns = 0
        self.ratings = 0
        self.known = 0
        self.refused = 0
        self.skipped: Counter[str] = Counter()
        self.why = ""

    def refuse(self, reason: str) -> None:
        """Count a line that was not taken."""
        self.refused += 1
        self.skipped[reason] += 1


def store_turns(repository: Repository, values: Iterable[Mapping[str, Any]]) -> Tally:
    """Store the values of day file lines, a batch at a time; raises `BadInput` when the disk refuses."""
    tally = Tally()
    with Store(chat_folder(repository)) as store:
        batch: dict[str, tuple[Ready, Mapping[str, Any]]] = {}
        later: list[tuple[Rate, datetime]] = []
        for number, value in enumerate(values, 1):
            if "event" in value and "user_message" not in value:
                later += rating_event(value, tally)
                continue
            ready = ready_value(number, value)
            if isinstance(ready, Rejected):
                tally.refuse("line that is no turn")
                tally.why = tally.why or ready.reason
            elif ready.ack.request_id in batch:
                tally.skipped["turn that came before"] += 1
            else:
                batch[ready.ack.request_id] = ready, value
            if len(batch) >= BATCH:
                later += flush(store, batch, tally)
        later += flush(store, batch, tally)
        for rating, when in later:
            rate(store, rating, when, tally)
    return tally


def flush(store: Store, batch: dict[str, tuple[Ready, Mapping[str, Any]]], tally: Tally) -> list[tuple[Rate, datetime]]:
    """Store a batch, empty it, and return the ratings of turns that were stored before without one."""
    later: list[tuple[Rate, datetime]] = []
    with store.trouble(), store.locked():
        store.refresh({ready.ack.date for ready, _ in batch.values()})
        known = {name: store.stored(name, ready.ack.date) for name, (ready, _) in batch.items()}
    append_ready(store, [ready for ready, _ in batch.values()])
    for name, (ready, value) in batch.items():
        found, rated = known[name], value.get("rating") is not None
        if found is None:
            tally.turns += 1
            tally.talks.add(str(value.get("session_id") or name))
            tally.ratings += rated
        else:
            tally.known += 1
            if rated and found[1].get("rating") is None:
                later.append(own_rating(found[1].get("assistant_message_id") or ready.ack.assistant_message_id, value))
    batch.clear()
    return later


def own_rating(message_id: str, value: Mapping[str, Any]) -> tuple[Rate, datetime]:
    """Return the rating that a turn carries, and its time."""
    reasons = tuple(value.get("rating_reasons") or ())
    when = parse_time(value.get("rated_at") or value["timestamp"], "rated_at")
    return Rate(message_id, value["rating"], reasons, value.get("rating_note")), when


def rating_event(value: Mapping[str, Any], tally: Tally) -> list[tuple[Rate, datetime]]:
    """Return the rating of a line of its own, and its time; nothing, and a reason counted, when it is none."""
    try:
        rated = checked_rating(value)
    except Unreadable:
        tally.refuse("line that is no rating")
        return []
    return [own_rating(rated.assistant_message_id, rated.event)]


def rate(store: Store, rating: Rate, when: datetime, tally: Tally) -> None:
    """Store a later rating beside its turn, unless it is there."""
    found = reply_of(store.folder, rating.assistant_message_id)
    if found is None:
        tally.refuse("rating of a reply that is not stored")
        return
    day, message_id = found
    line = encoded(rating._replace(assistant_message_id=message_id).event(when))
    if holds(store.folder / days.name_of(day), line):
        return
    with store.trouble():
        with store.locked():
            writer, _ = store.write(day, line)
        writer.sync()
    tally.ratings += 1


def holds(path: Path, line: bytes) -> bool:
    """Tell whether a day file holds this very line."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return any(each == line for each in stream)
