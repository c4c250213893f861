"""The proposals in numbers, with charts that are made of plain SVG and have their figures in words beside them."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse

from mfgit.model import Known
from mfgit.server import proposals
from mfgit.server.access import Here
from mfgit.server.page import coming
from mfgit.server.page.browsing import FILTERS, WAITING
from mfgit.server.page.rendering import page

router = coming.router()
HEIGHT = 120
"""Of the tallest column, in the chart's own units."""

MOST_SHOWN = 50
"""Adopted proposals that are looked back at on the page, the last adopted first."""


class Bar(NamedTuple):
    """A bar of a chart: the key of its name in the table, its value, and its length as a share of the longest, 0 to 100."""

    name: str
    value: int
    share: float


class Column(NamedTuple):
    """What was decided on one day, and how tall its two parts are."""

    day: date
    adopted: int
    rejected: int
    adopted_height: float
    rejected_height: float


@router.get("/stats")
def stats(request: Request, here: Here, who: coming.Reader) -> HTMLResponse:
    """Show the statistics."""
    told = proposals.stats(here, who)
    known = here.living.survey().known
    adopted = sum(told.adopted.values())
    decided = adopted + told.rejected
    values = {
        "stats": told,
        "waiting": sum(told.by_status.get(each, 0) for each in WAITING),
        "adopted": adopted,
        "rate": round(100 * adopted / decided) if decided else None,
        "charts": [
            ("stats.status", bars("status", proposals.STATUSES, told.by_status)),
            ("stats.type", bars("type", FILTERS["type"][1], told.by_type)),
            ("stats.type.adopted", bars("type", FILTERS["type"][1], told.adopted)),
            ("stats.layer", bars("layer", FILTERS["layer"][1], told.by_layer)),
            ("stats.language", bars("lang", FILTERS["language"][1], told.by_language)),
        ],
        "columns": columns(known, told.days, datetime.now(UTC).date()),
        "height": HEIGHT,
        "looks": told.look_back.proposals[:MOST_SHOWN],
        "more": max(0, len(told.look_back.proposals) - MOST_SHOWN),
    }
    return page(request, who, "stats.html", values)


def bars(kind: str, names: Iterable[str], counts: dict[str, int]) -> list[Bar]:
    """Return the bars of a chart, in the order of the names."""
    most = max(counts.values(), default=0) or 1
    return [Bar(f"{kind}.{name}", counts.get(name, 0), round(100 * counts.get(name, 0) / most, 1)) for name in names]


def columns(known: Iterable[Known], days: int, today: date) -> list[Column]:
    """Return what was adopted and rejected on each of the last days, the oldest first."""
    counts = Counter((one.status, one.decided_at.astimezone(UTC).date()) for one in known if one.decided_at)
    span = [today - timedelta(days=back) for back in reversed(range(days))]
    most = max((counts["adopted", day] + counts["rejected", day] for day in span), default=0) or 1
    return [
        Column(day, *both, *(round(HEIGHT * value / most, 1) for value in both))
        for day in span
        for both in [(counts["adopted", day], counts["rejected", day])]
    ]
