"""Ranking: BM25 over one view, a term at a time, the rarest first.

Counts and averages are the view's own, so that scores are a function of its tree. Ties go to the earlier document of the
tree. Once no new document can come among the best any more, the frequent terms are looked up for those in question only;
that changes no score (MaxScore).
"""

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mfgit.index import postings, stored, view
from mfgit.index.stored import BOOSTS
from mfgit.index.view import K1, View
from mfgit.model import Passage

MOST_TERMS = 32
"""Terms of a question that count, the rarest first."""
MOST_KEPT = 4_000_000
"""Postings that a process keeps in memory, about 400 MB at most; then it starts over."""
SLACK = 1e-9


class Damaged(Exception):
    """The index's files do not hold what they should; the index has to be made anew."""


class Scored(NamedTuple):
    """A document of the view (`position`) and its score."""

    position: int
    score: float


class Searcher:
    """One view of an open index. Posting lists stay in memory once read, so that a process that asks often asks fast."""

    def __init__(self, leaves: Sequence[tuple[Any, int]], total: int, shown: View) -> None:
        """Take the segments as (reader, number of its first document), the `total` of documents, and the view."""
        self.leaves = leaves
        self.total = total
        self.view = shown
        self.size = shown.originals or len(shown.documents)
        self.overlays = [place for place, kind in enumerate(shown.kinds) if kind] if any(shown.kinds) else []
        self.places = positions(shown.documents, total)
        self.kept: dict[tuple[str, str], Mapping[int, float]] = {}
        self.count = 0

    def postings(self, field: str, term: str) -> Mapping[int, float]:
        """Return position in the view → weight of a term."""
        found = self.kept.get((field, term))
        if found is None:
            found = self.read(field, term)
            self.count += len(found)
            if self.count > MOST_KEPT:
                self.kept.clear()
                self.count = len(found)
            self.kept[field, term] = found
        return found

    def read(self, field: str, term: str) -> Mapping[int, float]:
        """Read the postings of a term from the index; raises `Damaged`."""
        try:
            documents, weights = postings.read(self.leaves, field, term)
        except Exception as error:  # damaged pickles and blocks raise whatever they like
            raise Damaged(str(error)) from error
        if documents and documents[-1] >= self.total:
            raise Damaged("a document past the end")
        if self.places is None:
            return dict(zip(documents, weights, strict=True))
        places = self.places
        found = dict(zip(map(places.__getitem__, documents), weights, strict=True))
        found.pop(-1, None)
        return found

    def frequency(self, term: str) -> int:
        """Return how many documents of the view hold a term."""
        return len(self.postings("text", term))

    def has(self, term: str) -> bool:
        """Return whether the index holds a term, in whatever tree."""
        key = ("text", term.encode())
        return any(key in reader for reader, _ in self.leaves)

    def idf(self, term: str) -> float:
        """Return the inverse document frequency of a term among the view's originals."""
        found = self.postings("text", term)
        count = len(found) - sum(place in found for place in self.overlays) if self.view.originals else len(found)
        return math.log(1 + (self.size - count + 0.5) / (count + 0.5))

    def share(self, terms: Sequence[str], position: int) -> float:
        """Return the share of the terms' weight (idf) that a document holds, from 0 to 1."""
        weights = {term: self.idf(term) for term in terms}
        held = sum(weight for term, weight in weights.items() if position in self.postings("text", term))
        return held / (sum(weights.values()) or 1.0)

    def rarest(self, terms: Iterable[str]) -> list[tuple[str, float]]:
        """Return the known terms that count and their idf, rarest first."""
        known = [(term, self.idf(term)) for term in dict.fromkeys(terms) if self.frequency(term)]
        return sorted(known, key=lambda pair: (-pair[1], pair[0]))[:MOST_TERMS]

    def search(self, terms: Iterable[str], limit: int, kinds: Sequence[int] = ()) -> list[Scored]:
        """Return the best positions of the wanted kinds (none: all), best first."""
        weighed = self.rarest(terms)
        most = (K1 + 1) * sum(BOOSTS.values())
        remaining = sum(idf for _, idf in weighed) * most
        scores: dict[int, float] = {}
        chosen: list[int] | None = None
        for term, idf in weighed:
            if chosen is None:
                chosen = self.still_open(scores, limit, remaining, kinds)
            for number, field in enumerate(BOOSTS):
                factor = BOOSTS[field] * idf * (K1 + 1)
                add(scores, self.postings(field, term), self.view.norms[number], factor, chosen)
            remaining -= idf * most
        shown = self.view.kinds
        asked = scores.items() if chosen is None else [(place, scores[place]) for place in chosen]
        ranked = ((-score, place) for place, score in asked if not kinds or shown[place] in kinds)
        return [Scored(place, -score) for score, place in heapq.nsmallest(limit, ranked)]

    def still_open(self, scores: Mapping[int, float], limit: int, remaining: float, kinds: Sequence[int]) -> list[int] | None:
        """Return the positions that can still be among the best, None while any document can."""
        if len(scores) <= limit or max(scores.values()) <= remaining:
            return None
        shown = self.view.kinds
        counted = [score for place, score in scores.items() if shown[place] in kinds] if kinds else scores.values()
        best = heapq.nlargest(limit, counted)
        if len(best) < limit or best[-1] <= remaining + SLACK:
            return None
        least = best[-1] - remaining - SLACK
        return [place for place, score in scores.items() if score >= least]

    def passage(self, position: int) -> Passage:
        """Return the passage at a position, with an empty text; raises `Damaged`."""
        document = self.view.documents[position]
        reader, base = next((reader, base) for reader, base in reversed(self.leaves) if base <= document)
        try:
            kept = reader.stored_fields(document - base)["passage"]
        except Exception as error:  # as above
            raise Damaged(str(error)) from error
        return stored.restored(kept, stale=self.view.kinds[position] == view.STALE)


def positions(documents: Sequence[int], total: int) -> Sequence[int] | None:
    """Return document number → position in the view (-1: not in it), None when the two are the same for all."""
    if len(documents) == total and list(documents) == [*range(total)]:
        return None
    places = [-1] * total
    for place, document in enumerate(documents):
        places[document] = place
    return places


def add(
    scores: dict[int, float], found: Mapping[int, float], norms: Sequence[float], factor: float, chosen: Sequence[int] | None
) -> None:
    """Add what one term in one field is worth to the score of each document, or of the chosen ones."""
    if chosen is None:
        get = scores.get
        for place, weight in found.items():
            scores[place] = get(place, 0.0) + factor * weight / (weight + norms[place])
        return
    for place in chosen:
        if place in found:
            weight = found[place]
            scores[place] += factor * weight / (weight + norms[place])
