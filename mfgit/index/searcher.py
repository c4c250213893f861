"""Ranking: BM25 over one view, a term at a time, the rarest first.

Counts and averages are the view's own, so that scores are a function of its tree. Ties go to the earlier document of the
tree. Once no new document can come among the best any more, the frequent terms are looked up for those in question only;
that changes no score (MaxScore).
"""

import heapq
import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, ParamSpec, TypeVar

from mfgit.index import postings, stored, view
from mfgit.index.postings import Leaves
from mfgit.index.stored import BOOSTS
from mfgit.index.view import K1, View
from mfgit.passages import Passage

MOST_TERMS = 32
"""Terms of a question that count, the rarest first."""
MOST_READ = 400
"""Terms that are looked up at all: the first ones of a text that is pasted in."""
MOST_KEPT = 4_000_000
"""Postings that a process keeps in memory, about 400 MB at most; then it starts over."""
SLACK = 1e-9
FEW = 4000
"""Postings of a list for each position that is looked up in it, from which on it is not read whole: about a block."""

Given = ParamSpec("Given")
Got = TypeVar("Got")


class Damaged(Exception):
    """The index's files do not hold what they should; the index has to be made anew."""


class Scored(NamedTuple):
    """A document of the view (`position`) and its score."""

    position: int
    score: float


class Searcher:
    """One view of an open index. Posting lists stay in memory once read, so that a process that asks often asks fast."""

    def __init__(self, leaves: Leaves, total: int, shown: View, boosts: Mapping[str, float] = BOOSTS) -> None:
        """Take the segments, the `total` of their documents, the view, the weights of its fields."""
        self.boosts = boosts
        self.leaves = leaves
        self.total = total
        self.view = shown
        self.size = shown.originals or len(shown.documents)
        alone = shown.originals == len(shown.documents)
        self.overlays = [] if alone else [place for place, kind in enumerate(shown.kinds) if kind]
        self.places = positions(shown, total)
        self.counted: dict[str, int] = {}
        self.rarity: dict[str, float] = {}
        self.lists: dict[tuple[str, str], tuple[Sequence[int], Sequence[float]]] = {}
        self.kept: dict[tuple[str, str], Mapping[int, float]] = {}
        self.count = 0
        self.gained: dict[str, Mapping[int, float]] = {}
        self.highest: dict[str, float] = {}

    def postings(self, field: str, term: str) -> Mapping[int, float]:
        """Return position in the view → weight of a term."""
        found = self.kept.get((field, term))
        if found is None:
            self.kept[field, term] = found = self.read(field, term)
        return found

    def read(self, field: str, term: str) -> Mapping[int, float]:
        """Return the postings of a term as a mapping; raises `Damaged`."""
        return dict(zip(*self.listed(field, term), strict=True))

    def listed(self, field: str, term: str) -> tuple[Sequence[int], Sequence[float]]:
        """Return positions in the view and weights of a term, rising; raises `Damaged`."""
        found = self.lists.get((field, term))
        if found is None:
            found = self.read_list(field, term)
            self.count += len(found[0])
            if self.count > MOST_KEPT:
                self.kept.clear()
                self.lists.clear()
                self.gained.clear()
                self.highest.clear()
                self.count = len(found[0])
            self.lists[field, term] = found
        return found

    def read_list(self, field: str, term: str) -> tuple[Sequence[int], Sequence[float]]:
        """Read the list of a term, put into the order of the view; raises `Damaged`."""
        documents, weights = whole(postings.read, self.leaves, field, term)
        if documents and documents[-1] >= self.total:
            raise Damaged("a document past the end")
        if self.places is None:
            return documents, weights
        places = [self.places[document] for document in documents]
        if -1 in places:
            weights = array("f", (weight for place, weight in zip(places, weights, strict=True) if place >= 0))
            places = [place for place in places if place >= 0]
        rising = sorted(places)
        if rising != places:
            weights = array("f", (weight for _, weight in sorted(zip(places, weights, strict=True))))
        return rising, weights

    def holders(self, field: str, term: str) -> Sequence[int]:
        """Return the positions of the view that hold a term, rising; raises `Damaged`."""
        return self.listed(field, term)[0]

    def frequency(self, term: str) -> int:
        """Return how many documents of the view hold a term; raises `Damaged`."""
        if self.places is not None or ("text", term) in self.lists:
            return len(self.listed("text", term)[0])
        found = self.counted.get(term)
        if found is None:
            self.counted[term] = found = whole(postings.count, self.leaves, "text", term)
        return found

    def held(self, term: str, chosen: Sequence[int]) -> Mapping[int, float]:
        """Return which of some positions (rising) hold a term, with its weight; raises `Damaged`.

        A list that is not read yet is looked up in place of being read, where so few positions touch few of its blocks.
        """
        if self.places is None and ("text", term) not in self.lists and len(chosen) * FEW < self.frequency(term):
            return whole(postings.among, self.leaves, "text", term, chosen)
        return postings.picked(*self.listed("text", term), chosen)

    def has(self, term: str) -> bool:
        """Return whether the index holds a term, in whatever tree."""
        return whole(postings.count, self.leaves, "text", term) > 0

    def idf(self, term: str) -> float:
        """Return the inverse document frequency of a term among the view's originals."""
        found = self.rarity.get(term)
        if found is None:
            count = self.frequency(term)
            if count and self.overlays and self.view.originals:
                count -= len(self.held(term, self.overlays))
            self.rarity[term] = found = math.log(1 + (self.size - count + 0.5) / (count + 0.5))
        return found

    def share(self, terms: Sequence[str], position: int) -> float:
        """Return the share of the terms' weight (idf) that a document holds, from 0 to 1."""
        weights = {term: self.idf(term) for term in terms}
        held = sum(weight for term, weight in weights.items() if self.held(term, [position]))
        return held / (sum(weights.values()) or 1.0)

    def rarest(self, terms: Iterable[str]) -> list[tuple[str, float]]:
        """Return the known terms that count and their idf, rarest first."""
        asked = list(dict.fromkeys(terms))[:MOST_READ]
        known = [(term, self.idf(term)) for term in asked if self.frequency(term)]
        return sorted(known, key=lambda pair: (-pair[1], pair[0]))[:MOST_TERMS]

    def gains(self, term: str, idf: float, chosen: Iterable[int] | None = None) -> Mapping[int, float]:
        """Return position → what a term adds to its score, for all documents or for the chosen ones."""
        kept = self.gained.get(term)
        if kept is not None:
            return kept
        text, *small = (self.postings(field, term) for field in self.boosts)
        places = text if chosen is None else [place for place in chosen if place in text]
        factors = [boost * idf * (K1 + 1) for boost in self.boosts.values()]
        lengths = self.view.norms[0]
        found = {place: factors[0] * text[place] / (text[place] + lengths[place]) for place in places}
        for held, factor, norms in zip(small, factors[1:], self.view.norms[1:], strict=True):
            for place in held if chosen is None else [place for place in places if place in held]:
                weight = held[place]
                found[place] += factor * weight / (weight + norms[place])
        if chosen is None:
            self.gained[term] = found
        return found

    def gain(self, term: str, idf: float, position: int, less: int) -> float:
        """Return what a term adds to a document's score by its text, counted `less` times fewer than it occurs."""
        weight = self.held(term, [position]).get(position, 0.0) - less
        return idf * weight / (weight + self.view.norms[0][position]) if weight > 0 else 0.0

    def search(self, terms: Iterable[str], limit: int, wanted: bytes | None = None) -> list[Scored]:
        """Return the best positions, best first; `wanted` has a byte a position, 0 for those to leave out (none: all count)."""
        weighed = [(term, idf, self.most(term, idf)) for term, idf in self.rarest(terms)]
        remaining = sum(most for _, _, most in weighed)
        scores: dict[int, float] = {}
        chosen: list[int] | None = None
        for term, idf, most in weighed:
            if chosen is None:
                chosen = still_open(scores, limit, remaining, wanted)
            add(scores, self.gains(term, idf, chosen), chosen)
            remaining -= most
        asked = scores.items() if chosen is None else [(place, scores[place]) for place in chosen]
        ranked = ((-score, place) for place, score in asked if wanted is None or wanted[place])
        return [Scored(place, -score) for score, place in heapq.nsmallest(limit, ranked)]

    def most(self, term: str, idf: float) -> float:
        """Return what a term can add to a score at most."""
        if term not in self.gained:
            return (K1 + 1) * sum(self.boosts.values()) * idf
        if term not in self.highest:
            self.highest[term] = max(self.gained[term].values(), default=0.0)
        return self.highest[term]

    def mask(self, kinds: Iterable[int]) -> bytes:
        """Return the byte a position that `search` takes, for documents of some kinds."""
        chosen = frozenset(kinds)
        return self.view.kinds.translate(bytes(kind in chosen for kind in range(256)))

    def labelled(self, part: str) -> list[int]:
        """Return the positions whose label holds a folded text, rising."""
        wanted, labels = part.encode("utf-8", "surrogatepass"), self.view.labels
        found: set[int] = set()
        at = labels.find(wanted) if wanted else -1
        while at >= 0:
            start, end = labels.rfind(b"\n", 0, at) + 1, labels.find(b"\n", at)
            number, _, label = labels[start:end].partition(b"\t")
            if wanted in label:
                found.add(int(number))
            at = labels.find(wanted, end)
        return sorted(found)

    def starting(self, field: str, prefix: str, limit: int) -> list[str]:
        """Return up to `limit` terms of a field of exact terms that begin with a text; raises `Damaged`."""
        found = whole(postings.starting, self.leaves, field, prefix, limit)
        return sorted(term for term in found if self.listed(field, term)[0])[:limit]

    def passage(self, position: int) -> Passage:
        """Return the passage at a position, with an empty text; raises `Damaged`."""
        return stored.restored(self.details(position), stale=self.view.kinds[position] == view.STALE)

    def details(self, position: int) -> tuple[Any, ...]:
        """Return what the index keeps of the document at a position; raises `Damaged`."""
        document = self.view.documents[position]
        leaf, base = next((leaf, base) for leaf, base in reversed(self.leaves) if base <= document)
        kept: tuple[Any, ...] = whole(leaf.kept, document - base)
        return kept


def whole(read: Callable[Given, Got], *args: Given.args, **kwargs: Given.kwargs) -> Got:
    """Return what a function reads from the index's files; raises `Damaged`: pickles and blocks raise whatever they like."""
    try:
        return read(*args, **kwargs)
    except Exception as error:
        raise Damaged(str(error)) from error


def positions(shown: View, total: int) -> Sequence[int] | None:
    """Return document number → position in the view (-1: not in it), None when the two are the same for all."""
    if shown.whole and len(shown.documents) == total:
        return None
    places = [-1] * total
    for place, document in enumerate(shown.documents):
        places[document] = place
    return places


def still_open(scores: Mapping[int, float], limit: int, remaining: float, wanted: bytes | None) -> list[int] | None:
    """Return the positions that can still be among the best, None while any document can."""
    if len(scores) <= limit or max(scores.values()) <= remaining:
        return None
    counted = scores.values() if wanted is None else [score for place, score in scores.items() if wanted[place]]
    best = heapq.nlargest(limit, counted)
    if len(best) < limit or best[-1] <= remaining + SLACK:
        return None
    least = best[-1] - remaining - SLACK
    return [place for place, score in scores.items() if score >= least]


def add(scores: dict[int, float], gains: Mapping[int, float], chosen: Iterable[int] | None) -> None:
    """Add what a term is worth to the score of each document, or of the chosen ones."""
    if chosen is None:
        get = scores.get
        for place, gain in gains.items():
            scores[place] = get(place, 0.0) + gain
    else:
        for place in chosen:
            if place in gains:
                scores[place] += gains[place]
