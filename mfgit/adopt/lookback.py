"""What adopting did: how often a question is asked, and how often users are not satisfied, before and after. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from mfgit.model import Known, Record, Turn, format_time

SOON = 7.0
"""Days with questions after an adoption from which silence says something."""
ONE = timedelta(days=1)


class Coverage(NamedTuple):
    """Which days of an archive still hold questions: all from `first` on but those that were reduced to ids and ratings."""

    first: date
    reduced: frozenset[date] = frozenset()

    def holds(self, day: date) -> bool:
        """Tell whether the questions of a day can be counted."""
        return day >= self.first and day not in self.reduced

    def days(self, since: datetime, until: datetime) -> float:
        """Return how many days with questions lie between two times, with fractions of a day at both ends."""
        seconds, start = 0.0, since.astimezone(UTC)
        while start < until:
            end = min(until, datetime.combine(start.date() + ONE, time(), UTC))
            seconds += (end - start).total_seconds() if self.holds(start.date()) else 0.0
            start = end
        return seconds / ONE.total_seconds()


class Period(NamedTuple):
    """How a question was asked from `since` until `until`.

    `source` is `archive`, or `record`: what the scan counted that proposed it, where the archive has no such turn (`days` and
    `rated` are unknown then). `days` are those with questions, `rated` and `dissatisfied` count turns.
    """

    source: str
    since: str
    until: str
    days: float | None
    turns: int
    rated: int | None
    dissatisfied: int

    @property
    def per_week(self) -> float | None:
        """Turns a week; None where less than a day of questions is known."""
        return None if self.days is None or self.days < 1 else round(self.turns * 7 / self.days, 2)

    @property
    def dissatisfied_share(self) -> float | None:
        """Share of the turns that users were not satisfied with, 0 to 1; None without a turn."""
        return round(self.dissatisfied / self.turns, 3) if self.turns else None

    def to_json(self) -> dict[str, Any]:
        """Return a period of `stats --json`."""
        known = {**self._asdict(), "days": None if self.days is None else round(self.days, 1)}
        return {**known, "per_week": self.per_week, "dissatisfied_share": self.dissatisfied_share}


class Standing(NamedTuple):
    """What a proposal has on the target: its `pages`, and originals that moved on since (`stale`)."""

    pages: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()


class Hits(NamedTuple):
    """Of the questions of a proposal that were `asked` now: how many find its page `first`, and within the first ten."""

    asked: int = 0
    first: int = 0
    found: int = 0


class Look(NamedTuple):
    """One adopted proposal, looked back at. `recent`: adopted within the days; `reopened`: proposed anew since."""

    known: Known
    recent: bool
    reopened: bool
    standing: Standing
    hits: Hits
    before: Period | None
    after: Period | None

    @property
    def came_back(self) -> bool:
        """Whether users asked it after its adoption and were not satisfied."""
        return self.after is not None and self.after.dissatisfied > 0

    @property
    def unasked(self) -> bool:
        """Whether nobody asked it after its adoption, for long enough to say so."""
        return self.after is not None and not self.after.turns and (self.after.days or 0) >= SOON

    @property
    def unfound(self) -> bool:
        """Whether none of its questions finds its page first now."""
        return self.hits.asked > 0 and not self.hits.first

    def to_json(self) -> dict[str, Any]:
        """Return a proposal of `stats --json`."""
        one, record = self.known, self.known.record
        return {
            "id": one.id,
            "title": record.title,
            "lang": record.lang,
            "action_type": record.action_type,
            "target_layer": record.target_layer,
            "root": record.root,
            "adopted_at": format_time(one.decided_at) if one.decided_at else None,
            "commit": one.commit,
            "recent": self.recent,
            "reopened": self.reopened,
            "pages": list(self.standing.pages),
            "stale": list(self.standing.stale),
            "before": self.before.to_json() if self.before else None,
            "after": self.after.to_json() if self.after else None,
            "hits": self.hits._asdict(),
            **{name: getattr(self, name) for name in FLAGS},
        }


FLAGS = ("came_back", "unasked", "unfound")
"""What a reviewer should look at, beside what is stale."""


def decided(every: Iterable[Known], status: str, since: datetime) -> Counter[str]:
    """Return how many proposals of each action type came to a status since a time, and still have it."""
    kept = (one for one in every if one.status == status and one.decided_at and one.decided_at >= since)
    return Counter(one.record.action_type for one in kept)


def periods(
    one: Known, turns: Sequence[Turn], coverage: Coverage | None, span: timedelta, now: datetime
) -> tuple[Period | None, Period | None]:
    """Return how a proposal's question was asked in the span before its adoption, and since (in the last span at most).

    `turns` are those of its question; without an archive (`coverage` None) nothing is known of the time since.
    """
    adopted = one.decided_at
    if adopted is None:
        return recorded(one.record), None
    before = counted(turns, coverage, adopted - span, adopted) if adopted >= now - span else None
    asked = before if before and before.turns else recorded(one.record)  # the scan that proposed it looked further back
    return asked, counted(turns, coverage, max(adopted, now - span), now)


def counted(turns: Iterable[Turn], coverage: Coverage | None, since: datetime, until: datetime) -> Period | None:
    """Return what an archive tells of a question between two times; None where no day of it holds questions."""
    days = coverage.days(since, until) if coverage else 0.0
    if coverage is None or not days:
        return None
    told = [turn for turn in turns if since <= turn.timestamp < until and coverage.holds(turn.timestamp.astimezone(UTC).date())]
    rated = sum(turn.rating is not None for turn in told)
    bad = sum(turn.dissatisfied for turn in told)
    return Period("archive", format_time(since), format_time(until), days, len(told), rated, bad)


def recorded(record: Record) -> Period:
    """Return what the scan counted that a record is of."""
    return Period(
        "record",
        record.first_seen,
        record.last_seen,
        None,
        record.frequency,
        None,
        min(record.dissatisfied_count, record.frequency),
    )


def flagged(looks: Iterable[Look]) -> Mapping[str, list[str]]:
    """Return the ids of the proposals that a reviewer should look at, by why."""
    every: Collection[Look] = tuple(looks)
    found = {name: [look.known.id for look in every if getattr(look, name)] for name in FLAGS}
    return {**found, "stale": [look.known.id for look in every if look.standing.stale]}
