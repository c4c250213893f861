"""The statistics: counts of proposals, and the look back at what the adopted ones did, which is kept for a while."""

import threading
import time
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from mfgit.project.living import Living
from mfgit.server.shapes import ActionType, Text

if TYPE_CHECKING:
    from mfgit.project.looking_back import LookBack
    from mfgit.repo.known import Survey

FRESH = 60.0
"""Seconds that a look back is told again at least, as long as Git knows the same."""
SHARE = 10
"""And so many times as long as it took: of a large archive it takes most of a minute, which nobody should pay each minute."""


class Period(BaseModel):
    """How a question was asked between two times."""

    source: str = Field(description="`archive`, or `record`: what the scan counted that proposed it.")
    since: Text
    until: Text
    days: float | None = Field(description="Days that hold questions.")
    turns: int
    rated: int | None
    dissatisfied: int
    per_week: float | None
    dissatisfied_share: float | None = Field(description="Of the turns, 0 to 1.")


class Hits(BaseModel):
    """Of a proposal's questions that were asked now: how many find its page first, and within the first ten."""

    asked: int
    first: int
    found: int


class Adopted(BaseModel):
    """One adopted proposal, looked back at."""

    id: str
    title: Text
    lang: Text
    action_type: ActionType
    adopted_at: str | None
    reopened: bool
    pages: list[Text]
    stale: list[Text] = Field(description="Originals it is based on that moved on since.")
    before: Period | None
    after: Period | None
    hits: Hits
    came_back: bool
    unasked: bool
    unfound: bool


class Back(BaseModel):
    """The look back, as `mfgit stats --json` has it."""

    commit: str
    since: str
    until: str
    first_day: str | None = Field(description="The first day of the archive; null without one.")
    proposals: list[Adopted]


class Stats(BaseModel):
    """The proposals in numbers."""

    total: int
    by_status: dict[str, int]
    by_type: dict[str, int]
    by_layer: dict[str, int]
    by_language: dict[str, int]
    days: int = Field(description="Days that `adopted`, `rejected` and `look_back` are of.")
    adopted: dict[str, int] = Field(description="Adopted in these days and still so, by action type.")
    rejected: int
    look_back: Back


def shaped(found: "LookBack") -> Back:
    """Return a look back as it goes out."""
    value = found.to_json()
    return Back(
        commit=value["commit"],
        since=value["since"],
        until=value["until"],
        first_day=value["archive"]["first_day"],
        proposals=[Adopted(**{name: one[name] for name in Adopted.model_fields}) for one in value["proposals"]],
    )


class LookBacks:
    """Looks back once for all who ask at about the same time: it reads the archive."""

    def __init__(self, living: Living) -> None:
        self.living = living
        self.lock = threading.Lock()
        self.kept: tuple[object, float, LookBack] | None = None
        """What it is the look back of, until when it is told again, and itself."""

    def get(self, state: "Survey", days: int) -> "LookBack":
        """Return the look back over some days, at most a minute old, or ten times as old as it took to make."""
        key = (days, tuple((one.id, one.status, one.commit) for one in state.known))
        with self.lock:
            begun = time.monotonic()
            if self.kept is None or self.kept[0] != key or begun > self.kept[1]:
                found = self.living.project().stats(days)
                self.kept = (key, begun + max(FRESH, SHARE * (time.monotonic() - begun)), found)
            return self.kept[2]
