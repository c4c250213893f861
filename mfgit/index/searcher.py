"""Ranking: BM25 over one view, a term at a time.

Counts and averages are the view's own, so that scores are a function of its tree. Ties go to the earlier document of
the tree.
"""

import heapq
import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from mfgit.index import fields, postings, view
from mfgit.index.postings import Postings
from mfgit.index.view import View
from mfgit.model import Passage

K1, B = 1.2, 0.75
MOST_TERMS = 32
"""Terms of a question that count, the rarest first."""


class Scored(NamedTuple):
    """A document of the view (`position`) and its score."""

    position: int
    score: float


class Searcher:
    """One view of an open index. Posting lists stay in memory once read, so that a process that asks often asks fast."""

    def __init__(self, leaves: Sequence[tuple[Any, int]], shown: View) -> None:
        self.leaves = leaves
        self.view = shown
        self.places = {document: place for place, document in enumerate(shown.documents)}
        self.size = shown.originals or len(shown.documents)
        self.held: dict[str, frozenset[int]] = {}
        self.read: dict[tuple[str, str], Postings] = {}
        self.gains: dict[tuple[str, str], list[tuple[int, float]]] = {}

    def postings(self, field: str, term: str) -> Postings:
        """Return the postings of a term by position in the view."""
        if (field, term) not in self.read:
            found = postings.read(self.leaves, field, term)
            places = self.places
            pairs = [(places[n], w) for n, w in zip(found.documents, found.weights, strict=True) if n in places]
            self.read[field, term] = Postings([place for place, _ in pairs], [weight for _, weight in pairs])
        return self.read[field, term]

    def frequency(self, term: str) -> int:
        """Return how many documents of the view hold a term."""
        return len(self.postings("text", term).documents)

    def has(self, term: str) -> bool:
        """Return whether the index holds a term, in whatever tree."""
        key = ("text", term.encode())
        return any(key in reader for reader, _ in self.leaves)

    def share(self, terms: Sequence[str], position: int) -> float:
        """Return the share of the terms' weight (idf) that a document holds, from 0 to 1."""
        weights = {term: self.idf(term) for term in terms}
        held = sum(weight for term, weight in weights.items() if position in self.holders(term))
        return held / (sum(weights.values()) or 1.0)

    def holders(self, term: str) -> frozenset[int]:
        """Return the positions of the documents that hold a term."""
        if term not in self.held:
            self.held[term] = frozenset(self.postings("text", term).documents)
        return self.held[term]

    def idf(self, term: str) -> float:
        """Return the inverse document frequency of a term among the view's originals."""
        kinds = self.view.kinds
        count = sum(kinds[place] == view.ORIGINAL for place in self.postings("text", term).documents)
        return math.log(1 + (self.size - count + 0.5) / (count + 0.5))

    def contributions(self, field: str, term: str) -> list[tuple[int, float]]:
        """Return what a term adds to the score of each position."""
        if (field, term) not in self.gains:
            number = tuple(fields.BOOSTS).index(field)
            lengths, mean = self.view.lengths[number], self.view.means[number] or 1.0
            factor = fields.BOOSTS[field] * self.idf(term) * (K1 + 1)
            found = self.postings(field, term)
            self.gains[field, term] = [
                (place, factor * weight / (weight + K1 * (1 - B + B * lengths[place] / mean)))
                for place, weight in zip(found.documents, found.weights, strict=True)
            ]
        return self.gains[field, term]

    def rarest(self, terms: Iterable[str]) -> list[str]:
        """Return the known terms that count, rarest first."""
        known = [term for term in dict.fromkeys(terms) if self.frequency(term)]
        return sorted(known, key=lambda term: (-self.idf(term), term))[:MOST_TERMS]

    def search(self, terms: Iterable[str], limit: int, kinds: Sequence[int] = ()) -> list[Scored]:
        """Return the best positions of the wanted kinds (none: all), best first."""
        scores: dict[int, float] = {}
        for term in self.rarest(terms):
            for field in fields.BOOSTS:
                for place, gain in self.contributions(field, term):
                    scores[place] = scores.get(place, 0.0) + gain
        shown = self.view.kinds
        ranked = ((-score, place) for place, score in scores.items() if not kinds or shown[place] in kinds)
        return [Scored(place, -score) for score, place in heapq.nsmallest(limit, ranked)]

    def passage(self, position: int) -> Passage:
        """Return the passage at a position, with an empty text."""
        document = self.view.documents[position]
        reader, base = next((reader, base) for reader, base in reversed(self.leaves) if base <= document)
        kept = reader.stored_fields(document - base)["passage"]
        return fields.restored(kept, stale=self.view.kinds[position] == view.STALE)
