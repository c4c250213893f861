"""A second look at the best of what was found: words that stand together, titles that are asked for, names of files.

BM25 counts words wherever they stand. Three things it does not see are told by the passages themselves, so only the first
few are looked at: neighbours in the question that are near each other in the text too; a title of which the question holds
the most; and, for originals, a file whose name says what is asked. The weights are the same for both languages. They were
set on sets of questions from support tickets, courses, technical documentation and medicine, in English and Chinese, and
taken from the middle of where most of them gain (up to 3 points of hit@1) and none loses more than .6.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence

from mfgit.index import view
from mfgit.index.searcher import Scored, Searcher
from mfgit.index.view import K1
from mfgit.passages import Passage
from mfgit.text import markup, tokens

DEPTH = 20
"""Originals that are looked at again, the best ones; with 10 or 30 the first one is nearly always the same."""
NEAR = 8
"""Words, or characters of Chinese, between two that still stand together, in either order."""
TOGETHER, TITLE, NAME = 0.2, 0.08, 0.2
"""How much counts: a pair by its rarer word; the share of a title that is asked for, by all of the question; a name's words."""

Pair = tuple[str, str]


def look_again(
    searcher: Searcher, question: str, corrected: Mapping[str, str], found: Sequence[Scored], texts: Mapping[int, Passage]
) -> list[Scored]:
    """Return what was found, best first, with the scores of the passages in `texts` (position → passage) raised."""
    terms = {corrected.get(term, term) for term in tokens.query_terms(question)}
    weights = dict(searcher.rarest(terms))
    close = [(one, other) for one, other in pairs(question, corrected) if one in weights and other in weights]
    raised = [
        Scored(place, score + more(searcher, weights, close, place, texts[place])) if place in texts else Scored(place, score)
        for place, score in found
    ]
    return sorted(raised, key=lambda scored: (-scored.score, scored.position))


def more(searcher: Searcher, weights: Mapping[str, float], close: Sequence[Pair], place: int, passage: Passage) -> float:
    """Return what a passage's score is raised by; `weights` are the question's terms with their idf."""
    named = name_terms(passage.path) if searcher.view.kinds[place] == view.ORIGINAL else frozenset()
    titled = tokens.query_terms(passage.title)
    share = sum(term in weights for term in titled) / max(1, len(titled))
    known = sum(weights.values())
    raised = TITLE * share * known + NAME * sum(idf for term, idf in weights.items() if term in named)
    if not close:
        return raised
    norm = searcher.view.norms[0][place]
    where = places(told(passage), {term for pair in close for term in pair})
    for one, other in close:
        times = together(where.get(one, ()), where.get(other, ()))
        raised += TOGETHER * min(weights[one], weights[other]) * times * (K1 + 1) / (times + norm)
    return raised


def told(passage: Passage) -> str:
    """Return the words of a passage, each of its parts on lines of its own."""
    return "\n".join((passage.title, passage.heading, passage.summary, *passage.aliases, markup.words(passage.text)))


def name_terms(path: str) -> frozenset[str]:
    """Return the terms of a file's name without its ending."""
    return frozenset(tokens.terms(path.rsplit("/", 1)[-1].rsplit(".", 1)[0]))


def pairs(question: str, corrected: Mapping[str, str]) -> list[Pair]:
    """Return the neighbours in a question, without words that ask or bind."""
    said = [corrected.get(term, term) for term, asks in units(question) if term and not asks]
    return [(one, other) for one, other in itertools.pairwise(said) if one != other]


def units(text: str) -> Iterator[tuple[str, bool]]:
    """Yield a text's words and pairs of characters in order, and whether each asks or binds; an empty one ends a run."""
    for word, found in tokens.pieces(text):
        if word:
            yield found[0] if found else "", word in tokens.ENGLISH_STOP_WORDS
        else:
            yield from ((pair, pair in tokens.CHINESE_STOP_WORDS) for pair in found if len(pair) == 2)
            yield "", True


def places(text: str, wanted: set[str]) -> dict[str, list[int]]:
    """Return where the wanted terms stand in a text, rising."""
    found: dict[str, list[int]] = {}
    for at, (term, _) in enumerate(units(text)):
        if term in wanted:
            found.setdefault(term, []).append(at)
    return found


def together(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many of one term's places (rising) have the other within reach; takes time in step with both."""
    count = at = 0
    for place in one:
        while at < len(other) and other[at] < place - NEAR:
            at += 1
        count += at < len(other) and other[at] <= place + NEAR
    return count
