"""Finding documents by what they hold and not by rank, in posting lists as they are stored: for processes that ask once.

For views whose documents are in the order in which they were indexed (`Shape.stock` is off), so that every list is sorted.
"""

import heapq
from collections.abc import Collection, Iterable, Sequence

from mfgit.index.searcher import Searcher
from mfgit.index.view import K1

MOST = 2000
"""Documents that are compared by their score at most; those that hold most of the question come first."""
SLACK = 1e-9


def holding(searcher: Searcher, terms: Iterable[str]) -> set[int]:
    """Return the positions that hold every one of some terms; none for no terms."""
    rarest = sorted(dict.fromkeys(terms), key=searcher.frequency)
    found = set(searcher.holders("text", rarest[0])) if rarest else set()
    for term in rarest[1:]:
        if not found:
            break
        if len(found) * 20 < searcher.frequency(term):
            found = set(searcher.held(term, sorted(found)))
        else:
            found.intersection_update(searcher.holders("text", term))
    return found


def mostly(searcher: Searcher, terms: Iterable[str], floor: float, wanted: bytes | None = None) -> list[int]:
    """Return the positions that hold at least a share `floor` of the terms' weight (idf), `MOST` of them at most."""
    weighed = sorted(((searcher.idf(term), term) for term in dict.fromkeys(terms)), reverse=True)
    remaining = sum(idf for idf, _ in weighed)
    least = floor * remaining - SLACK
    held: dict[int, float] = {}
    for idf, term in weighed:
        if remaining >= least:
            for place in searcher.holders("text", term):
                held[place] = held.get(place, 0.0) + idf
        else:
            held = {place: share for place, share in held.items() if share + remaining >= least}
            for place in searcher.held(term, sorted(held)):
                held[place] += idf
        remaining -= idf
    enough = [place for place, share in held.items() if share >= least and (wanted is None or wanted[place])]
    return heapq.nlargest(MOST, enough, key=held.__getitem__) if len(enough) > MOST else enough


def scores(searcher: Searcher, terms: Sequence[str], chosen: Collection[int]) -> dict[int, float]:
    """Return the scores of the chosen positions, by the first field alone."""
    boost = next(iter(searcher.boosts.values())) * (K1 + 1)
    norms = searcher.view.norms[0]
    found = dict.fromkeys(chosen, 0.0)
    asked = sorted(found)
    for term, idf in searcher.rarest(terms):
        for place, weight in searcher.held(term, asked).items():
            found[place] += boost * idf * weight / (weight + norms[place])
    return found
