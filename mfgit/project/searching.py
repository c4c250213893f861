"""Search: a question and a tree → ranked hits with marks, the block to inject, and fast look-ups for a scan."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from mfgit import printing
from mfgit.index import correction, view
from mfgit.index.searcher import Searcher
from mfgit.passages import Hit, Passage
from mfgit.progress import Progress, quiet
from mfgit.project import citing, nearing, ordering, views
from mfgit.project.base import Repository
from mfgit.project.ordering import Question
from mfgit.project.views import Where
from mfgit.text import tokens

if TYPE_CHECKING:
    from mfgit.project.within import Within

DEFAULT_HITS = 10
KINDS = {"original": (view.ORIGINAL,), "overlay": (view.OVERLAY, view.STALE)}


class Answer(NamedTuple):
    """What a search found: `hits` best first, the `commit` that was read, and a `note` on what the reader should know.

    `covered` is the share of the question's weight that one of the first hits holds, where that was asked for.
    """

    query: str
    ref: str
    commit: str
    hits: tuple[Hit, ...]
    note: str | None
    covered: float = 1.0

    def to_json(self) -> dict[str, Any]:
        """Return the answer of `search --json`."""
        hits = [hit.to_json() for hit in self.hits]
        return {"query": self.query, "ref": self.ref, "commit": self.commit, "hits": hits, "note": self.note}


def search(
    repository: Repository,
    query: str,
    *,
    ref: str | None = None,
    with_id: str | None = None,
    limit: int = DEFAULT_HITS,
    only: str | None = None,
    roots: Sequence[str] = (),
    history: Sequence[str] = (),
    weigh: bool = False,
    progress: Progress = quiet,
) -> Answer:
    """Return what a question finds in the tree of a ref, or in the tree that adopting a proposal would make.

    `only` is original or overlay; `roots` are knowledge roots (paths or workspace ids) outside of which nothing is seen, none
    for all; `history` are the user's turns before the question, the oldest first, for one that leans on them; `weigh` tells
    how much of the question the first hits hold. Raises `BadInput` for an unknown ref, proposal or root.
    """
    where = views.locate(repository, ref, with_id)

    def asked(searcher: Searcher) -> Answer:
        meaning = nearing.opened(repository, where, searcher, progress)
        return ask(
            repository,
            where,
            searcher,
            query,
            limit=limit,
            only=only,
            roots=roots,
            history=history,
            weigh=weigh,
            meaning=meaning,
        )

    return views.using(repository, where, asked, progress)


def ask(
    repository: Repository,
    where: Where,
    searcher: Searcher,
    query: str,
    *,
    limit: int,
    only: str | None = None,
    roots: Sequence[str] = (),
    history: Sequence[str] = (),
    weigh: bool = False,
    meaning: nearing.Finds | None = None,
) -> Answer:
    """Return what a question finds in an open view; `meaning` is what finds passages by meaning in it, opened if None."""
    said, before = resolved(query, history)
    seen = visible(repository, where, searcher, roots)
    asked, corrected = understood(searcher, said, seen)
    lang = tokens.language(query)
    mask = masked(searcher, only, seen)
    near = (meaning or nearing.opened(repository, where, searcher)).near(said, mask)
    question = Question(said, corrected, lang)
    ordered = ordering.order(repository, searcher, question, mask, near.positions)
    hits = citing.cite(repository.git, where, ordering.hits(repository, searcher, ordered, lang, limit))
    passages = [hit.passage for hit in hits]
    covered = ordering.held(searcher, question, ordered, near.positions) if weigh else 1.0
    texts = functools.partial(texts_with, repository, searcher, passages, seen)
    nothing = [] if hits else [why_nothing(searcher, where, asked, only, seen)]
    leaning = [f"Read as a follow-up to “{' '.join(turn.split())}”." for turn in before[-1:]]
    notes = [*leaning, *corrections(said, corrected, texts), *nothing, near.note, *problems_of(searcher, seen)]
    return Answer(query, where.ref, where.commit, hits, printing.clean_line(" ".join(filter(None, notes))) or None, covered)


def resolved(query: str, history: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the words to look for, and the earlier turns that the question leans on (none: it stands by itself)."""
    if not history:
        return query, ()
    from mfgit.text.resolving import resolve

    found = resolve(query, history)
    return found.text, found.before


def ranked(
    repository: Repository,
    searcher: Searcher,
    query: str,
    meaning: nearing.Finds,
    *,
    seen: "Within | None" = None,
    history: Sequence[str] = (),
) -> list[Passage]:
    """Return the passages that a search for a question shows, in its order, without texts; raises `Away` without its model."""
    said, _ = resolved(query, history)
    _, corrected = understood(searcher, said, seen)
    mask = masked(searcher, None, seen)
    near = nearing.surely(meaning.near(said, mask))
    question = Question(said, corrected, tokens.language(query))
    ordered = ordering.order(repository, searcher, question, mask, near)
    return [searcher.passage(candidate.position) for candidate in ordered.candidates]


def visible(repository: Repository, where: Where, searcher: Searcher, roots: Sequence[str]) -> "Within | None":
    """Return what is below the roots that were named, None for the whole tree; raises `BadInput`."""
    if not roots:
        return None
    from mfgit.project import within

    return within.within(repository, where, searcher, roots)


def masked(searcher: Searcher, only: str | None, seen: "Within | None") -> bytes | None:
    """Return which positions a search takes: those of a kind, and those that may be seen."""
    mask = searcher.mask(KINDS[only]) if only else None
    if seen is None:
        return mask
    from mfgit.project import within

    return within.both(mask, seen.mask)


def understood(searcher: Searcher, query: str, seen: "Within | None" = None) -> tuple[list[str], dict[str, str]]:
    """Return the terms of a question as it was asked, and the correction of those that are typing errors.

    A word is corrected to one that is in what may be seen, never to one of somewhere else.
    """
    asked = tokens.query_terms(query)
    fixes = correction.correct(asked, counting(searcher, seen), searcher.has, query)
    return asked, correction.without_parts(asked, query, fixes)[1]


def counting(searcher: Searcher, seen: "Within | None") -> Callable[[str], int]:
    """Return term → how many of the passages that may be seen hold it."""
    if seen is None:
        return searcher.frequency
    from mfgit.project import within

    return functools.partial(within.frequency, searcher, seen.mask)


def problems_of(searcher: Searcher, seen: "Within | None") -> list[str]:
    """Return the sentences on what could not be read of what may be seen."""
    return [f"{problem}." for problem in searcher.view.notes if seen is None or seen.holds(problem)]


def corrections(query: str, corrected: Mapping[str, str], texts: Callable[[str], Iterable[str]]) -> list[str]:
    """Return the sentences that name what was searched for instead, as the question and the `texts` for a term spell it."""
    return [
        f"Searched for {tokens.spelled(new, texts(new))} instead of {tokens.spelled(old, [query])}."
        for old, new in corrected.items()
    ]


def texts_with(
    repository: Repository, searcher: Searcher, passages: Iterable[Passage], seen: "Within | None", term: str
) -> Iterator[str]:
    """Yield texts that may spell a term: those of some passages, then those of the first that holds it and may be seen."""
    for passage in passages:
        yield passage.text
    places = (place for place in searcher.holders("text", term) if seen is None or seen.mask[place])
    for passage in views.with_texts(repository.git, map(searcher.passage, islice(places, 1))):
        yield from (passage.text, passage.title)


def why_nothing(searcher: Searcher, where: Where, asked: Sequence[str], only: str | None, seen: "Within | None") -> str:
    """Return why a question found nothing."""
    place = where.ref if seen is None else f"{' and '.join(seen.roots)} in {where.ref}"
    if not searcher.view.documents or (seen is not None and not any(seen.mask)):
        return f"There are no documents in {place}."
    if not asked:
        return "The question has no words to search for."
    if only and any(map(counting(searcher, seen), asked)):
        return f"No {only} in {place} holds a word of the question."
    return f"No document in {place} holds a word of the question."


def whole(searcher: Searcher) -> Searcher:
    """Return a searcher whose stored passages can all be read; raises `Damaged`."""
    if searcher.view.documents:
        searcher.passage(0)
        searcher.passage(len(searcher.view.documents) - 1)
    return searcher


class OriginalsView:
    """Fast look-ups among the originals of one commit, for a scan that makes thousands of them."""

    def __init__(self, repository: Repository, commit: str, progress: Progress = quiet) -> None:
        self.repository = repository
        self.where = views.locate(repository, commit)
        self.searcher = views.using(repository, self.where, whole, progress)
        self.masks: dict[str, bytes] = {}
        self.found = functools.lru_cache(256)(self.find)

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text that a search would look for."""
        return tokens.query_terms(text)

    def idf(self, term: str, root: str) -> float:
        """Return how rare a term is among the originals."""
        return self.searcher.idf(term)

    def best(self, text: str, root: str, limit: int = 3) -> list[Hit]:
        """Return the best original passages below a root for a question or an answer."""
        return list(self.found(text, root, limit))

    def find(self, text: str, root: str, limit: int) -> tuple[Hit, ...]:
        """Look it up: the same answer is asked for several times while one cluster is judged."""
        if root not in self.masks:
            self.masks[root] = self.mask(root)
        found = self.searcher.search(self.terms(text), limit, self.masks[root])
        return tuple(Hit(self.passages[scored.position], scored.score) for scored in found)

    def mask(self, root: str) -> bytes:
        """Return which positions are originals below a root."""
        originals = self.searcher.mask((view.ORIGINAL,))
        if root == ".":
            return originals
        return bytes(kind and self.passages[place].path.startswith(f"{root}/") for place, kind in enumerate(originals))

    @functools.cached_property
    def passages(self) -> dict[int, Passage]:
        """All originals by position, with their texts, read at once when first asked for."""
        every = [place for place, kind in enumerate(self.searcher.view.kinds) if kind == view.ORIGINAL]
        return ordering.read_passages(self.repository, self.searcher, every)
