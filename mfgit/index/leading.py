"""Words that belong to a whole page lead to the section of it that fits best.

Aliases and the summary stand on the first passage of a page that has text, where BM25 counts them with its text. When they
are what found it, another section may be the one that answers: then the two change places. Only sections of one page do,
so pages stand in the order of their scores. Where no section fits better in its own words, the first passage stays.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mfgit.index.searcher import Scored, Searcher
from mfgit.passages import Passage
from mfgit.text import tokens


class Led(NamedTuple):
    """What was found, best first, and for each section that took its page's place the position it took it from."""

    found: list[Scored]
    taken: Mapping[int, int]


def lead(searcher: Searcher, terms: Iterable[str], found: Sequence[Scored]) -> Led:
    """Return what was found for a question's terms, with the best section of a page where its first was found by aliases."""
    weighed = searcher.rarest(terms)
    scores = dict(found)
    taken: dict[int, int] = {}
    for position, score in found:
        if len(searcher.view.page(position)) == 1:
            continue
        whole = set(tokens.terms(of_whole_page(searcher.passage(position))))
        if whole.isdisjoint(term for term, _ in weighed):
            continue
        best = fitting(searcher, weighed, position)
        if best != position and scores.get(best, 0.0) < score:
            swap(scores, position, best)
            taken[best] = position
    return Led(sorted((Scored(place, score) for place, score in scores.items()), key=lambda s: (-s.score, s.position)), taken)


def of_whole_page(passage: Passage) -> str:
    """Return the words that a passage holds for its whole page."""
    return "\n".join((passage.summary, *passage.aliases)).strip()


def swap(scores: dict[int, float], one: int, other: int) -> None:
    """Exchange two positions' scores; a position without one has none afterwards either."""
    taken = scores.pop(other, None)
    scores[other] = scores.pop(one)
    if taken is not None:
        scores[one] = taken


def fitting(searcher: Searcher, weighed: Sequence[tuple[str, float]], first: int) -> int:
    """Return the position of a page's section whose own words fit the (term, idf) pairs best: `first` or one that fits more."""
    others = [place for place in searcher.view.page(first) if place != first]
    held = [place for place in others if any(searcher.held(term, [place]) for term, _ in weighed)]
    return max((first, *held), key=lambda place: (fit(searcher, weighed, place), -place))


def fit(searcher: Searcher, weighed: Sequence[tuple[str, float]], position: int) -> float:
    """Return the score of a section's own heading and text, without the words that it shares with its page."""
    passage = searcher.passage(position)
    shared = Counter(tokens.terms("\n".join((passage.title, *passage.trail, of_whole_page(passage)))))
    return sum(searcher.gain(term, idf, position, shared[term]) for term, idf in weighed)
