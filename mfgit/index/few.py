"""Finding documents by what they hold and not by rank, in posting lists as they are stored: for processes that ask once.

For views whose documents are in the order in which they were indexed (`Shape.stock` is off), so that every list is sorted.
"""

import heapq
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence

from mfgit.index.searcher import Searcher
from mfgit.index.view import K1

MOST = 2000
"""Documents that are compared by their score at most; those that hold most of the question come first."""
SLACK = 1e-9


def holding(searcher: Searcher, terms: Iterable[str]) -> set[int]:
    """Return the positions that hold every one of some terms; none for no terms."""
    lists = sorted((searcher.listed("text", term)[0] for term in dict.fromkeys(terms)), key=len)
    found = set(lists[0]) if lists else set()
    for places in lists[1:]:
        if not found:
            break
        if len(found) * 20 < len(places):
            found = {place for place in found if at(places, place) >= 0}
        else:
            found.intersection_update(places)
    return found


def mostly(searcher: Searcher, terms: Iterable[str], floor: float, wanted: bytes | None = None) -> list[int]:
    """Return the positions that hold at least a share `floor` of the terms' weight (idf), `MOST` of them at most."""
    weighed = sorted(((searcher.idf(term), term) for term in dict.fromkeys(terms)), reverse=True)
    remaining = sum(idf for idf, _ in weighed)
    least = floor * remaining - SLACK
    held: dict[int, float] = {}
    for idf, term in weighed:
        places = searcher.listed("text", term)[0]
        if remaining >= least:
            for place in places:
                held[place] = held.get(place, 0.0) + idf
        else:
            held = {place: share for place, share in held.items() if share + remaining >= least}
            for place in [place for place in held if at(places, place) >= 0]:
                held[place] += idf
        remaining -= idf
    enough = [place for place, share in held.items() if share >= least and (wanted is None or wanted[place])]
    return heapq.nlargest(MOST, enough, key=held.__getitem__) if len(enough) > MOST else enough


def scores(searcher: Searcher, terms: Sequence[str], chosen: Collection[int]) -> dict[int, float]:
    """Return the scores of the chosen positions, by the first field alone."""
    boost = next(iter(searcher.boosts.values())) * (K1 + 1)
    norms = searcher.view.norms[0]
    found = dict.fromkeys(chosen, 0.0)
    for term, idf in searcher.rarest(terms):
        places, weights = searcher.listed("text", term)
        for place in found:
            where = at(places, place)
            if where >= 0:
                weight = weights[where]
                found[place] += boost * idf * weight / (weight + norms[place])
    return found


def at(places: Sequence[int], place: int) -> int:
    """Return where a position stands in a sorted list, -1 where it does not."""
    where = bisect_left(places, place)
    return where if where < len(places) and places[where] == place else -1
