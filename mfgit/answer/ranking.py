"""Originals win: where an overlay and an original answer the same question, the original stands first.

An overlay gives way to an original passage that speaks to the question and says much of what the overlay says, or speaks of
the same with another result: wording alone cannot tell agreement from contradiction, and in both cases the original is the
one to read. Where originals are silent the overlay keeps the place that its score gives it. A stale overlay stands below
everything that is not much weaker.
"""

from collections.abc import Sequence
from typing import NamedTuple

ANSWERS = {"en": 0.53, "zh": 0.35}
"""Share of the question's weight (idf) that a passage must hold to speak to it (DESIGN 10, rule 6)."""
SAME = {"en": 0.35, "zh": 0.30}
"""Share of the overlay's weight that it must hold to say the same (DESIGN 10, rule 1)."""
STALE_FACTOR = 0.5
"""What is left of a stale overlay's score when it is ranked."""


class Candidate(NamedTuple):
    """A found passage before ranking.

    `covers` is the share of the question's weight that it holds; `overlaps` names, for an overlay, the share of its own
    weight that each original (by position) holds.
    """

    position: int
    score: float
    overlay: bool
    stale: bool = False
    covers: float = 0.0
    overlaps: tuple[tuple[int, float], ...] = ()


def rank(found: Sequence[Candidate], lang: str) -> list[Candidate]:
    """Return the candidates in the order to show them, with scores that fall in that order."""
    weighed = [c._replace(score=c.score * STALE_FACTOR) if c.stale else c for c in found]
    ordered = sorted(weighed, key=lambda c: (-c.score, c.overlay, c.position))
    answering = {c.position for c in ordered if not c.overlay and c.covers >= ANSWERS[lang]}
    for overlay in [c for c in ordered if c.overlay]:
        holding = {position for position, share in overlay.overlaps if share >= SAME[lang]} & answering
        place = ordered.index(overlay)
        first = next((at for at, c in enumerate(ordered) if c.position in holding), None)
        if first is not None and first > place:
            winner = ordered.pop(first)
            ordered.insert(place, winner._replace(score=overlay.score))
    return ordered
