"""The turns of conversations into day files: each once, whatever brought it, and ratings that came later beside them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from mfgit.archive import days
from mfgit.archive.appending import Ack, Ready, by_days, encoded, write
from mfgit.archive.days import DayFile
from mfgit.archive.entries import NEAR, UNDATED, Unreadable, checked_turn
from mfgit.archive.ids import Talks, loaded
from mfgit.archive.store import Store, beside
from mfgit.errors import BadInput
from mfgit.model import Rating, format_time, parse_time
from mfgit.redact import redact, unnumbered


class Count(NamedTuple):
    """Turns that are new and that were known, ratings that are new, and what was no turn after all, by reason."""

    turns: int
    known: int
    ratings: int
    refused: Counter[str]


def store_turns(store: Store, values: Iterable[Mapping[str, Any]], now: datetime) -> Count:
    """Store redacted turns of conversations durably. Raises `BadInput` when the disk refuses."""
    ready: list[Ready] = []
    refused: Counter[str] = Counter()
    given: dict[str, Mapping[str, Any]] = {}
    for value in values:
        try:
            checked_turn(value)
        except Unreadable as error:
            refused[error.what] += 1
            continue
        given[value["request_id"]] = value
        ready.append(Ready(Ack(value["request_id"], value["assistant_message_id"], value["date"]), encoded(value)))
    fresh = known = ratings = 0
    with store.trouble():
        for part in by_days(ready):
            with store.locked():
                store.refresh({turn.ack.date for turn in part})
                there = Present(store, [given[turn.ack.request_id] for turn in part]).found
                new = [turn for turn in part if turn.ack.request_id not in there]
                _, touched = write(store, new)
                fresh += len(new)
                known += len(part) - len(new)
                ratings += sum(given[turn.ack.request_id].get("rating") is not None for turn in new)
                late = Ratings(store, now)
                for request_id, (day, turn) in there.items():
                    late.compare(day, turn, given[request_id])
                ratings += late.count
                touched += late.write()
                for writer in touched:
                    writer.sync()
            store.trim()
    return Count(fresh, known, ratings, refused)


class Present:
    """Which turns are stored already: (day, turn) by request id. The lock is held and the days are refreshed."""

    def __init__(self, store: Store, values: Sequence[Mapping[str, Any]]) -> None:
        self.store = store
        self.talks: dict[str, Talks] = {}
        self.found: dict[str, tuple[str, dict[str, Any]]] = {}
        taken: set[str] = set()
        for value in values:
            stored = store.stored(value["request_id"], value["date"]) or self.alone(value, taken)
            if stored is not None:
                self.found[value["request_id"]] = stored
                taken.add(str(stored[1].get("request_id")))

    def alone(self, value: Mapping[str, Any], taken: set[str]) -> tuple[str, dict[str, Any]] | None:
        """Return the turn that a chat backend stored of the same question in the same session, at about the same time."""
        said = unnumbered(value["user_message"])
        for day in beside(value["date"]):
            if day not in self.talks:
                self.talks[day] = Talks(self.store.folder / days.name_of(day))
            for turn in self.talks[day].of(value["session_id"]):
                made_here = str(turn.get("request_id")).startswith("r-") and turn.get("timestamp") != value["timestamp"]
                if (
                    turn.get("request_id") not in taken
                    and not made_here
                    and near(turn, value)
                    and unnumbered(redact(str(turn["user_message"]))) == said
                ):
                    return day, turn
        return None


def near(turn: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    """Tell whether a stored turn may be a conversation's by its time; the same may have been asked again later."""
    if value.get(UNDATED):
        return True
    try:
        return abs(parse_time(turn.get("timestamp"), "time") - parse_time(value["timestamp"], "time")) <= NEAR
    except BadInput:
        return False


class Ratings:
    """Ratings of turns that are stored already; the lock is held."""

    def __init__(self, store: Store, now: datetime) -> None:
        self.store = store
        self.now = now
        self.last: dict[str, dict[str, Rating]] = {}
        self.events: dict[str, list[bytes]] = {}
        self.count = 0

    def compare(self, day: str, turn: Mapping[str, Any], value: Mapping[str, Any]) -> None:
        """Note the rating of a conversation's turn when the stored turn has another one."""
        rating, message = value.get("rating"), turn.get("assistant_message_id")
        if rating is None or not isinstance(message, str):
            return
        if day not in self.last:
            self.last[day] = last_ratings(self.store, day)
        if self.last[day].get(message, turn.get("rating")) == rating:
            return
        self.last[day][message] = rating
        event = {
            "event": "rating",
            "assistant_message_id": message,
            "rating": rating,
            "rating_reasons": value.get("rating_reasons") or [],
            "rating_note": value.get("rating_note"),
            "rated_at": format_time(self.now),
        }
        self.events.setdefault(day, []).append(encoded(event))
        self.count += 1

    def write(self) -> list[Any]:
        """Write what was noted; return the writers to sync."""
        return [self.store.write(day, b"".join(lines))[0] for day, lines in sorted(self.events.items())]


def last_ratings(store: Store, day: str) -> dict[str, Rating]:
    """Return the last rating event of each message in a day file."""
    path = store.folder / days.name_of(day)
    found: dict[str, Rating] = {}
    if path.exists():
        for line in days.lines(DayFile(path, day)):
            if b'"event"' in line.data and (event := loaded(line.data)).get("event") == "rating":
                found[str(event.get("assistant_message_id"))] = event.get("rating")
    return found
