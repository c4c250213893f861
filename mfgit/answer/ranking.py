"""Originals win: where an overlay and an original answer the same question, the original stands first.

An overlay gives way to an original passage that speaks to the question and says much of what the overlay says, or speaks of
the same with another result: wording alone cannot tell agreement from contradiction, and in both cases the original is the
one to read. It also gives way to one that holds nearly every word of the question, and to one that it plainly contradicts.
Where originals are silent the overlay keeps the place that its score gives it. A stale overlay stands below everything that
is not much weaker.

The thresholds were set on overlays written to contradict an original, which all have to lose, and on a replay of real
questions after adopted proposals, where an original that wins by chance words costs a right answer.
"""

from collections.abc import Sequence
from typing import NamedTuple

ANSWERS = {"en": 0.53, "zh": 0.35}
"""Share of the question's weight (idf) that a passage must hold to speak to it, as measured on labelled real questions."""
SAME = 0.5
"""Share of the overlay's words that such a passage must hold to be about the same."""
STRENGTH = 0.45
"""Its score as a share of the overlay's: with less, it shares words by chance."""
FULL, FULL_STRENGTH = 0.85, 0.7
"""The same two shares for a passage that answers whatever the overlay says."""
CONTRADICTED = 0.2
"""Its score as a share of the overlay's for a passage that the overlay contradicts in a clause that is else the same."""
STALE_FACTOR = 0.5
"""What is left of a stale overlay's score when it is ranked."""


class Candidate(NamedTuple):
    """A found passage before ranking.

    `covers` is the share of the question's weight that it holds; `overlaps` names, for an overlay, the share of its own
    weight that each original (by position) holds, and `against` the originals that it contradicts.
    """

    position: int
    score: float
    overlay: bool
    stale: bool = False
    covers: float = 0.0
    overlaps: tuple[tuple[int, float], ...] = ()
    against: frozenset[int] = frozenset()


def rank(found: Sequence[Candidate], lang: str) -> list[Candidate]:
    """Return the candidates in the order to show them, for a question in `en` or `zh`."""
    weighed = [c._replace(score=c.score * STALE_FACTOR) if c.stale else c for c in found]
    ordered = sorted(weighed, key=lambda c: (-c.score, c.overlay, c.position))
    for overlay in [c for c in ordered if c.overlay]:
        shares = dict(overlay.overlaps)
        place = ordered.index(overlay)
        below = range(place + 1, len(ordered))
        winner = next((at for at in below if wins(ordered[at], overlay, shares.get(ordered[at].position, 0.0), lang)), None)
        above = any(wins(c, overlay, shares.get(c.position, 0.0), lang) for c in ordered[:place])
        if winner is not None and not above:
            ordered.insert(place, ordered.pop(winner))
    return ordered


def wins(it: Candidate, overlay: Candidate, overlap: float, lang: str) -> bool:
    """Return whether a candidate is an original that an overlay gives way to; `overlap` is the overlay's share in it."""
    strength = it.score / overlay.score
    if it.position in overlay.against and strength >= CONTRADICTED:
        return True
    if it.overlay or it.covers < ANSWERS[lang]:
        return False
    return (overlap >= SAME and strength >= STRENGTH) or (it.covers >= FULL and strength >= FULL_STRENGTH)
