"""Two rankings of the same passages as one: reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009).

Scores of words and cosines of a model have no common scale, places have one: a passage gets 1 / (60 + place) of each list that
names it, and what both see comes first. The rules of `ranking` compare scores by their ratio, so the fused order takes over
the scores of the lexical list, largest first: they keep their scale and their meaning.
"""

from collections.abc import Sequence
from typing import TypeVar

K = 60
"""What tempers the first places; the constant of the paper."""
Key = TypeVar("Key", bound=int)


def fused(lists: Sequence[Sequence[Key]]) -> list[Key]:
    """Return what some rankings (best first, nothing twice in one) name, best first; a tie goes to the earlier list."""
    worth: dict[Key, float] = {}
    for ranking in lists:
        for place, key in enumerate(ranking, 1):
            worth[key] = worth.get(key, 0.0) + 1 / (K + place)
    return sorted(worth, key=lambda key: -worth[key])


def with_meaning(lexical: Sequence[tuple[int, float]], near: Sequence[int]) -> list[tuple[int, float]]:
    """Return a lexical ranking of (position, score) fused with the positions that a model finds near, best first.

    Each place has the score that the lexical ranking gives it, those beyond it the last one; without a lexical ranking the
    scores fall from 1.
    """
    if not near:
        return list(lexical)
    order = fused(([position for position, _ in lexical], near))
    scores = sorted((score for _, score in lexical), reverse=True)
    if not scores:
        return [(position, 1 / place) for place, position in enumerate(order, 1)]
    return [(position, scores[min(place, len(scores) - 1)]) for place, position in enumerate(order)]
