"""The look back of a server: read again neither too often nor too late, and at once when Git knows more."""

import time
from typing import Any, cast

import pytest

from mfgit.repo.known import Survey
from mfgit.server.lookback import LookBacks


class Slow:
    """A project whose look back takes as many seconds of the clock as it is told, and counts how often it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.now, self.seconds, self.made = 0.0, seconds, 0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)

    def project(self) -> "Slow":
        return self

    def stats(self, _: int) -> int:
        self.made += 1
        self.now += self.seconds
        return self.made


NOTHING = Survey((), {}, frozenset(), {})


@pytest.mark.parametrize(("seconds", "told_until"), [(0.5, 60), (30.0, 300)], ids=["a minute", "ten times as long as it took"])
def test_a_look_back_is_kept_in_proportion_to_what_it_cost(
    monkeypatch: pytest.MonkeyPatch, seconds: float, told_until: float
) -> None:
    slow = Slow(monkeypatch, seconds)
    backs = LookBacks(cast("Any", slow))
    for now, made in ((0.0, 1), (told_until - 1, 1), (told_until + 1, 2)):
        slow.now = now
        backs.get(NOTHING, 30)
        assert slow.made == made


def test_another_number_of_days_is_another_look_back(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch, 0.0)
    backs = LookBacks(cast("Any", slow))
    for days in (30, 30, 7):
        backs.get(NOTHING, days)
    assert slow.made == 2
