"""Searching with an engine that ranks by itself: it names candidates, and those are scored exactly here.

Engines keep lengths in a byte, count documents of other trees in their frequencies, and average over overlays too. So each
term is asked with the weight that turns the engine's idf into the view's; what the engine then says is at most a known factor
below the exact score, and once its last candidate is so far down that nothing after it can be among the best, those scored
are the ones that any other engine finds. Scores are the same to the last bits of a sum.
"""

import heapq
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from mfgit.errors import MfgitError
from mfgit.index.correction import candidates, correctable
from mfgit.index.engine import Reader
from mfgit.index.forward import Forward, Totals, clean
from mfgit.index.searcher import Damaged, Given, Got, Scored, Searcher
from mfgit.index.view import K1, View

FIRST = 2
"""Candidates that are asked for first, as a multiple of what is wanted."""
MORE = 4
"""How many times as many are asked for next, as long as they are not enough."""
FEWEST = 24
MANY = 4096
"""Candidates after which others that have the same score as the last of the best may stay unknown."""
DIRECT = 200
"""Documents in question up to which they are scored without the engine."""
MOST_LINES = 20_000
"""Documents whose lines are kept in memory."""
CLOSE = 1e-5
"""What an engine's sums of small floats may be off by, as a share."""


class Ranked(Searcher):
    """One view of an open index whose engine ranks."""

    def __init__(self, reader: Reader, forward: Forward, shown: View, boosts: Mapping[str, float]) -> None:
        super().__init__([], reader.total, shown, boosts)
        self.reader = reader
        self.forward = forward
        self.found: dict[tuple[str, str], Sequence[int]] = {}
        self.counts: dict[tuple[str, str], int] = {}
        self.split: dict[int, list[bytes]] = {}
        self.fields = {name: forward.totals(name) for name in boosts}
        means = zip(shown.means, self.fields.values(), strict=True)
        self.slack = max([1.0, *(mean / self.mean(totals) for mean, totals in means)]) * (1 + CLOSE)

    def mean(self, totals: Totals) -> float:
        """Return the average length of a field as the engine counts."""
        return totals.terms / max(1, self.documents(totals)) or 1.0

    def documents(self, totals: Totals) -> int:
        """Return how many documents the engine counts for a field."""
        return self.total if self.reader.counts_empty else totals.filled

    def listed(self, field: str, term: str) -> tuple[Sequence[int], Sequence[float]]:
        """Return positions in the view and weights of a term, rising; weights are read one by one, which takes time."""
        places = self.holders(field, term)
        held = self.held_in(field, term, places) if field in self.fields else dict.fromkeys(places, 1.0)
        return places, [held[place] for place in places]

    def holders(self, field: str, term: str) -> Sequence[int]:
        """Return the positions of the view that hold a term, rising; raises `Damaged`."""
        found = self.found.get((field, term))
        if found is None:
            documents = guarded(self.reader.documents, field, clean(term))
            if documents and documents[-1] >= self.total:
                raise Damaged("a document past the end")
            found = documents
            if self.places is not None:
                places = (self.places[document] for document in documents)
                found = sorted(place for place in places if place >= 0)
            self.found[field, term] = found
        return found

    def postings(self, field: str, term: str) -> Mapping[int, float]:
        """Return position in the view → weight of a term."""
        return dict(zip(*self.listed(field, term), strict=True))

    def frequency(self, term: str) -> int:
        """Return how many documents of the view hold a term; raises `Damaged`."""
        if self.places is not None and self.counted_in("text", [term])[0]:
            return len(self.holders("text", term))
        count = self.counted_in("text", [term])[0]
        if not count and correctable(term):
            self.reader.expect(sorted(candidates(term)))
        return count

    def counted_in(self, field: str, terms: Sequence[str]) -> list[int]:
        """Return how many documents of the index hold each of some terms; the engine is asked once for all it wasn't yet."""
        unknown = [term for term in terms if (field, term) not in self.counts]
        if unknown:
            counts = guarded(self.reader.count, field, [clean(term) for term in unknown])
            self.counts.update(((field, term), count) for term, count in zip(unknown, counts, strict=True))
        return [self.counts[field, term] for term in terms]

    def has(self, term: str) -> bool:
        """Return whether the index holds a term, in whatever tree."""
        return bool(self.counted_in("text", [term])[0])

    def held(self, term: str, chosen: Sequence[int]) -> Mapping[int, float]:
        """Return which of some positions (rising) hold a term, with its weight; raises `Damaged`."""
        return self.held_in(next(iter(self.fields)), term, chosen)

    def held_in(self, field: str, term: str, chosen: Iterable[int]) -> dict[int, float]:
        """Return which of some positions hold a term in a field, with its weight."""
        at, key = self.forward.fields[field], f" {clean(term)} ".encode()
        counts = ((place, self.lines(place)[at].count(key)) for place in chosen)
        return {place: float(count) for place, count in counts if count}

    def lines(self, position: int) -> list[bytes]:
        """Return the lines of the document at a position; raises `Damaged`."""
        found = self.split.get(position)
        if found is None:
            found = guarded(self.forward.lines, self.view.documents[position])
            if len(found) <= len(self.fields):
                raise Damaged("a document without its lines")
            if len(self.split) > MOST_LINES:
                self.split.clear()
            self.split[position] = found
        return found

    def details(self, position: int) -> tuple[Any, ...]:
        """Return what the index keeps of the document at a position; raises `Damaged`."""
        return guarded(self.forward.kept, self.view.documents[position])

    def starting(self, field: str, prefix: str, limit: int) -> list[str]:
        """Return up to `limit` terms of a field of exact terms that begin with a text; raises `Damaged`."""
        found = guarded(self.reader.starting, field, clean(prefix), limit)
        return found if self.places is None else [term for term in found if self.holders(field, term)]

    def rarest(self, terms: Iterable[str]) -> list[tuple[str, float]]:
        """Return the known terms that count and their idf, rarest first."""
        asked = list(dict.fromkeys(terms))
        for field in self.boosts:
            self.counted_in(field, asked)
        return super().rarest(asked)

    def search(self, terms: Iterable[str], limit: int, wanted: bytes | None = None) -> list[Scored]:
        """Return the best positions, best first; `wanted` has a byte a position, 0 for those to leave out (none: all count)."""
        weighed = self.rarest(terms)
        if not weighed or limit < 1:
            return []
        if wanted is not None and len(wanted) - wanted.count(0) <= DIRECT:
            return self.best_of((place for place, yes in enumerate(wanted) if yes), weighed, limit)
        asked = self.asked(weighed)
        size = max(FEWEST, FIRST * limit)
        scores: dict[int, float] = {}
        while True:
            size = min(size, self.reader.most)
            found = guarded(self.reader.best, asked, size)
            best, sure = self.best_among(found, scores, keyed(weighed), limit, wanted)
            if sure or len(found) < size:
                return [Scored(-place, score) for score, place in sorted(best, reverse=True)]
            if size >= self.reader.most:
                return self.best_of(self.any_of(weighed, wanted), weighed, limit)
            size *= MORE

    def best_among(
        self,
        found: Sequence[tuple[int, float]],
        scores: dict[int, float],
        keys: Sequence[tuple[float, bytes]],
        limit: int,
        wanted: bytes | None,
    ) -> tuple[list[tuple[float, int]], bool]:
        """Return the exact scores and negative positions of the best candidates, and whether no other document can be better.

        Candidates come best first; `scores` remembers those scored before.
        """
        best: list[tuple[float, int]] = []
        for number, (document, said) in enumerate(found):
            if len(best) == limit and self.settled(said * self.reader.scale, best[0][0], number):
                return best, True
            place = document if self.places is None else self.places[document]
            if place < 0 or (wanted is not None and not wanted[place]):
                continue
            score = scores.get(place)
            if score is None:
                scores[place] = score = self.exact(place, keys)
            (heapq.heappush if len(best) < limit else heapq.heappushpop)(best, (score, -place))
        return best, False

    def settled(self, lowest: float, least: float, looked_at: int) -> bool:
        """Tell whether no document after a candidate can have more than the least of the best; after `MANY` ties may."""
        return lowest * self.slack < least or (looked_at >= MANY and lowest <= least * (1 + CLOSE))

    def asked(self, weighed: Sequence[tuple[str, float]]) -> list[tuple[str, str, float]]:
        """Return what the engine is asked: (field, term, weight) for every term that a field knows."""
        found = []
        for field, boost in self.boosts.items():
            every = self.documents(self.fields[field])
            for term, idf in weighed:
                count = self.counted_in(field, [term])[0]
                if count:
                    found.append((field, clean(term), boost * idf / math.log(1 + (every - count + 0.5) / (count + 0.5))))
        return found

    def exact(self, position: int, keys: Sequence[tuple[float, bytes]]) -> float:
        """Return the score of a document, added up in the order of the terms as the default engine does."""
        lines = [
            (line, norm[position], boost * (K1 + 1))
            for line, norm, boost in zip(self.lines(position), self.view.norms, self.boosts.values(), strict=False)
        ]
        total = 0.0
        for idf, key in keys:
            gained = 0.0
            for line, norm, boost in lines:
                weight = line.count(key)
                if weight:
                    gained += boost * idf * weight / (weight + norm)
                elif not gained:
                    break  # the first field holds everything
            total += gained
        return total

    def any_of(self, weighed: Sequence[tuple[str, float]], wanted: bytes | None) -> Iterable[int]:
        """Return every position in question that holds any of the terms."""
        places = {place for term, _ in weighed for place in self.holders("text", term)}
        return places if wanted is None else (place for place in places if wanted[place])

    def best_of(self, places: Iterable[int], weighed: Sequence[tuple[str, float]], limit: int) -> list[Scored]:
        """Return the best of some positions by their exact scores, without those that hold nothing."""
        keys = keyed(weighed)
        scored = ((-self.exact(place, keys), place) for place in places)
        return [Scored(place, -score) for score, place in heapq.nsmallest(limit, scored) if score]


def keyed(weighed: Sequence[tuple[str, float]]) -> list[tuple[float, bytes]]:
    """Return the idf of terms, and how each stands in a document's line."""
    return [(idf, f" {clean(term)} ".encode()) for term, idf in weighed]


def guarded(read: Callable[Given, Got], *args: Given.args, **kwargs: Given.kwargs) -> Got:
    """Return what a function reads from the index; raises `Damaged` for whatever is no sentence of our own."""
    try:
        return read(*args, **kwargs)
    except (MfgitError, Damaged):
        raise
    except Exception as error:
        raise Damaged(str(error)) from error
