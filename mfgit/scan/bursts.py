"""How often a question was really asked: what one user, one session or a robot repeats within minutes counts once.

The turns stay in the group and its evidence; only what is worth a proposal, its priority and whether a rejected one returns are
judged by the *askings*.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from mfgit.model import Turn

HAMMERED, PAUSE = 4, timedelta(minutes=10)
"""Turns of one user or session, none later than a pause after the one before, that are one asking."""
FLOODED, TICK = 20, timedelta(minutes=1)
"""Turns in the very same words, whoever sends them, each within a tick of the one before, that are a flood."""
PEOPLE_IN_FLOOD = 3
"""What a flood counts for at most: known users may all press the same button when something is broken."""

Asking = tuple[Turn, ...]


def askings(asked: Sequence[tuple[Turn, str]]) -> tuple[Asking, ...]:
    """Return the askings that turns (with the normal form of each) are, by time; each turn is in exactly one."""
    ordered = sorted(asked, key=lambda pair: (pair[0].timestamp, pair[0].request_id))
    flooding = floods(ordered)
    found = [part for flood in flooding for part in parted(flood)]
    inside = {turn.request_id for flood in flooding for turn in flood}
    rest = [turn for turn, _ in ordered if turn.request_id not in inside]
    found += hammered(rest)
    return tuple(sorted(found, key=lambda asking: (asking[0].timestamp, asking[0].request_id)))


def floods(ordered: Sequence[tuple[Turn, str]]) -> list[Asking]:
    """Return the runs of equal words that come too thick for people."""
    by_words: dict[str, list[Turn]] = {}
    for turn, words in ordered:
        by_words.setdefault(words, []).append(turn)
    return [run for turns in by_words.values() for run in runs(turns, TICK) if len(run) >= FLOODED]


def parted(flood: Asking) -> list[Asking]:
    """Return a flood as one asking, or as three when three users or more are known to be in it."""
    first: dict[str, int] = {}
    for place, turn in enumerate(flood):
        if turn.user_id:
            first.setdefault(turn.user_id, place)
    cuts = sorted(first.values())[:PEOPLE_IN_FLOOD]
    if len(cuts) < PEOPLE_IN_FLOOD:
        return [flood]
    return [flood[: cuts[1]], flood[cuts[1] : cuts[2]], flood[cuts[2] :]]


def hammered(turns: Iterable[Turn]) -> list[Asking]:
    """Return askings of one turn each, but for users and sessions that repeat themselves."""
    by_asker: dict[tuple[str, str], list[Turn]] = {}
    for turn in turns:
        by_asker.setdefault(asker(turn), []).append(turn)
    found: list[Asking] = []
    for theirs in by_asker.values():
        for run in runs(theirs, PAUSE):
            found += [run] if len(run) >= HAMMERED else [(turn,) for turn in run]
    return found


def runs(turns: Sequence[Turn], gap: timedelta) -> list[Asking]:
    """Return turns, which are sorted by time, in runs without a longer gap."""
    found: list[list[Turn]] = []
    for turn in turns:
        if found and turn.timestamp - found[-1][-1].timestamp <= gap:
            found[-1].append(turn)
        else:
            found.append([turn])
    return list(map(tuple, found))


def asker(turn: Turn) -> tuple[str, str]:
    """Return who asks: the user, else the session, else the turn alone."""
    if turn.user_id:
        return "user", turn.user_id
    return ("session", turn.session_id) if turn.session_id else ("turn", turn.request_id)


def askers(turns: Iterable[Turn]) -> int:
    """Return how many ask."""
    return len({asker(turn) for turn in turns})
