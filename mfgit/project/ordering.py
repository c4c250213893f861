"""The order of what a question finds: BM25, then a second look at the best, then the rules on originals and languages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mfgit.answer import folding, fusion, marks, ranking, twins
from mfgit.answer.ranking import Candidate
from mfgit.index import closeness, leading, view
from mfgit.index.searcher import Scored, Searcher
from mfgit.passages import Contradiction, Hit, Passage
from mfgit.project import views
from mfgit.project.base import Repository
from mfgit.text import blocks, tokens

POOL = 60
"""Passages that are ranked, whatever number is shown: the order must not depend on it."""
FIRST = 5
"""Passages of which one must speak to the question, or it is not answered."""

FOLDED = 10
"""Passages beyond those to show that are looked at, to fill the places of those that are folded."""
COMPARED = 8
"""Overlays and originals that are looked through for contradictions, the best ones of each."""
Clashes = Mapping[int, Mapping[int, str]]
"""Overlay → original → what they have on opposite sides; by position."""


class Question(NamedTuple):
    """A question as it is looked up: its text, the corrections of its terms, and the language of its reader."""

    text: str
    corrected: Mapping[str, str]
    lang: str

    @property
    def terms(self) -> list[str]:
        """The terms that are looked for."""
        return [self.corrected.get(term, term) for term in tokens.query_terms(self.text)]


class Ordered(NamedTuple):
    """The candidates in the order to show them, the passages that had to be read to know it, and what `leading` swapped.

    `clashes` are the originals (by position) that an overlay (by position) contradicts, and how.
    """

    candidates: list[Candidate]
    texts: Mapping[int, Passage]
    taken: Mapping[int, int]
    clashes: Clashes


def hits(repository: Repository, searcher: Searcher, ordered: Ordered, lang: str, limit: int) -> tuple[Hit, ...]:
    """Return the first passages as they are shown: with texts and marks, near-duplicates folded into the best of them."""
    looked = ordered.candidates[: limit + FOLDED]
    missing = [c.position for c in looked if c.position not in ordered.texts]
    texts = {**ordered.texts, **read_passages(repository, searcher, missing)}
    passages = [texts[c.position] for c in looked]
    found = []
    for first, *rest in folding.fold(passages)[:limit]:
        passage, said = passages[first], ordered.clashes.get(looked[first].position, {})
        against = tuple(Contradiction(texts[place].path, texts[place].place, what) for place, what in said.items())
        folded = tuple(passages[other] for other in rest)
        found.append(Hit(passage, looked[first].score, marks.mark(passage, lang, against), against, folded))
    return tuple(found)


def order(
    repository: Repository, searcher: Searcher, question: Question, mask: bytes | None, near: Sequence[int] = ()
) -> Ordered:
    """Return the candidates in the order to show them; `near` are the positions that a model finds near, nearest first."""
    terms = question.terms
    led, taken = leading.lead(searcher, terms, searcher.search(terms, POOL, mask))
    overlays = {place for place in (*(place for place, _ in led), *near) if searcher.view.kinds[place] != view.ORIGINAL}
    originals = [place for place, _ in led if place not in overlays]
    speaks = {place: covers(searcher, terms, place, taken) for place in (*originals, *near)} if overlays else {}
    again = [*originals[: closeness.DEPTH], *sorted(overlays)]
    speaking = [place for place, share in speaks.items() if share >= ranking.ANSWERS[question.lang]]
    texts = read_passages(repository, searcher, [*again, *speaking])
    found = closeness.look_again(searcher, question.text, question.corrected, led, {place: texts[place] for place in again})
    pool = [candidate(searcher, Scored(*pair), speaks) for pair in fusion.with_meaning(found, near)]
    clashes = clashing(pool, texts) if overlays else {}
    if overlays:
        pool = ranking.rank(with_overlaps(pool, texts, clashes), question.lang)
    preferred = twins.prefer(pool, lambda c: searcher.passage(c.position).path, question.lang)
    return Ordered(preferred, texts, taken, clashes)


def clashing(pool: Sequence[Candidate], texts: Mapping[int, Passage]) -> Clashes:
    """Return what the best overlays contradict in the best originals."""
    from mfgit.scan.clash import clash

    originals = [c.position for c in pool if not c.overlay and c.position in texts][:COMPARED]
    found: dict[int, dict[int, str]] = {}
    for place in [c.position for c in pool if c.overlay][:COMPARED]:
        overlay = texts[place]
        answer = blocks.without(body(overlay))
        against = ((other, clash(answer, texts[other].text, overlay.title, texts[other].heading)) for other in originals)
        found[place] = {other: clashed.what for other, clashed in against if clashed}
    return found


def held(searcher: Searcher, question: Question, ordered: Ordered, near: Sequence[int] = ()) -> float:
    """Return the share of a question that one of the first candidates holds: all of it where a model finds one near."""
    first = ordered.candidates[:FIRST]
    if not {c.position for c in first}.isdisjoint(near):
        return 1.0
    return max((covers(searcher, question.terms, c.position, ordered.taken) for c in first), default=0.0)


def candidate(searcher: Searcher, scored: Scored, speaks: Mapping[int, float]) -> Candidate:
    """Return a found passage as the ranking takes it; `speaks` says of originals how much of the question they hold."""
    kind = searcher.view.kinds[scored.position]
    covered = speaks.get(scored.position, 0.0) if kind == view.ORIGINAL else 0.0
    return Candidate(*scored, kind != view.ORIGINAL, kind == view.STALE, covered)


def covers(searcher: Searcher, terms: Sequence[str], position: int, taken: Mapping[int, int]) -> float:
    """Return the share of a question that a passage holds, by itself or by the words of its page that led to it."""
    return max(searcher.share(terms, place) for place in (position, taken.get(position, position)))


def read_passages(repository: Repository, searcher: Searcher, positions: Iterable[int]) -> dict[int, Passage]:
    """Return the passages at positions, with their texts, read at once."""
    wanted = list(dict.fromkeys(positions))
    found = views.with_texts(repository.git, [searcher.passage(position) for position in wanted])
    return dict(zip(wanted, found, strict=True))


def with_overlaps(pool: Sequence[Candidate], texts: Mapping[int, Passage], clashes: Clashes) -> list[Candidate]:
    """Return the candidates, each overlay with the share of its words that each original that speaks to the question holds."""
    speaking = [c.position for c in pool if not c.overlay and c.covers and c.position in texts]
    held = {place: set(tokens.terms(texts[place].text)) for place in speaking}

    def overlaps(overlay: Candidate) -> tuple[tuple[int, float], ...]:
        said = said_words(texts[overlay.position])
        return tuple((place, len(said & words) / max(1, len(said))) for place, words in held.items())

    def contradicted(overlay: Candidate) -> frozenset[int]:
        return frozenset(clashes.get(overlay.position, ()))

    return [c._replace(overlaps=overlaps(c), against=contradicted(c)) if c.overlay else c for c in pool]


def said_words(passage: Passage) -> set[str]:
    """Return the words of a passage that say something, without its headings."""
    return set(tokens.query_terms(body(passage)))


def body(passage: Passage) -> str:
    """Return the text of a passage without its headings."""
    return "\n".join(line for line in passage.text.split("\n") if not line.startswith("#"))
