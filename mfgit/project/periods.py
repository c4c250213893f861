"""The days that a search of the archive is about."""

import re
from datetime import date, timedelta
from typing import NamedTuple

from mfgit.errors import BadInput

DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)
HINT = "Write a day as 2026-03-29, a month as 2026-03, a range as 2026-03-01..2026-03-29."


class Period(NamedTuple):
    """From the first day to the last, as ordinals of `datetime.date`; `given` tells whether anybody asked for it."""

    first: int = 0
    last: int = date.max.toordinal()
    given: bool = False

    @staticmethod
    def name(day: int) -> str:
        """Return a day as `YYYY-MM-DD`."""
        return date.fromordinal(day).isoformat() if day > 0 else "no date"

    def __str__(self) -> str:
        """Return the period in words."""
        if self.first == self.last:
            return f"on {self.name(self.first)}"
        if self.first <= 1:
            return f"until {self.name(self.last)}"
        if self.last == Period().last:
            return f"since {self.name(self.first)}"
        return f"from {self.name(self.first)} to {self.name(self.last)}"


def period(given: str | None = None, since: str | None = None, until: str | None = None) -> Period:
    """Return the days of a date or range, narrowed by `since` and `until`; raises `BadInput` that names what is none."""
    if given is None and since is None and until is None:
        return Period()
    start, dots, end = (given or "..").strip().partition("..")
    end = end if dots else start
    firsts = [days(text, what)[0] for text, what in ((start, "date"), (since, "since")) if text]
    lasts = [days(text, what)[1] for text, what in ((end, "date"), (until, "until")) if text]
    found = Period(max(firsts, default=0), min(lasts, default=Period().last), given=True)
    if found.first > found.last:
        raise BadInput(f"No day is both from {found.name(found.first)} and until {found.name(found.last)}.", HINT)
    return found


def days(text: str, what: str) -> tuple[int, int]:
    """Return the first and the last day of a day, a month or a year (or of the day of a time)."""
    match = DAY.fullmatch(text.strip().partition("T")[0])
    try:
        if match is None:
            raise ValueError
        year, month, day = (int(part) if part else None for part in match.groups())
        first = date(year or 0, month or 1, day or 1)
        if day:
            last = first
        elif month:
            last = (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
        else:
            last = first.replace(month=12, day=31)
    except (ValueError, OverflowError):
        from mfgit.redact import redact

        raise BadInput(f"{what} is {redact(text)!r}, which is no date.", HINT) from None
    return first.toordinal(), last.toordinal()
