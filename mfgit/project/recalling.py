"""Finding turns and sessions again: one question to the archive's index.

The index lives beside the archive, in `<chat>/.search/`, one folder a clone. Which of its files are in use stands in the Git
common directory: an archive may lie inside a checkout, and nothing that a checkout brings along is ever opened as an index.
"""

import hashlib
import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from mfgit.answer import fusion
from mfgit.archive import documents, slices
from mfgit.archive.documents import Document, Seen
from mfgit.archive.slices import Folders
from mfgit.errors import BadInput
from mfgit.index import correction, few
from mfgit.index.removing import erase
from mfgit.index.searcher import Damaged, Searcher
from mfgit.index.shape import Row, Shape
from mfgit.index.store import FORMAT, Entry, Plan, Store
from mfgit.progress import Progress, quiet
from mfgit.project import nearing_archive
from mfgit.project.base import Repository
from mfgit.project.nearing import Near
from mfgit.project.periods import Period, period
from mfgit.text import snippets, tokens
from mfgit.text.fold import fold

DEFAULT_LIMIT = 10
NOWHERE = Near()
MOST_HITS = 200
A_SESSION = 3
"""Hits of one session at most, so that one long talk does not fill the page."""
FLOOR = 0.6
"""Share of the best score, and of the weight of the question's words, that a hit without all of them must have."""
DAY, WHEN = 0, 1
"""The first of the numbers kept of every document: its day and its time in seconds; then its place and its text's hash."""
LABELS = ("topic", "topics", "keywords")
MOST_NAMED = 3
TRIED = 5
"""Documents that are read to learn how a word is spelled."""
SHORTEST = 2
"""Characters of a question that are looked for inside topics and keywords."""


class Found(NamedTuple):
    """A hit: `field` is where the snippet comes from; `request_id` is None for a session found by what is said about it."""

    session_id: str | None
    request_id: str | None
    date: str
    score: float
    snippet: str
    field: str


class Recall(NamedTuple):
    """What a search of the archive found; `note` says what the reader should know, and why nothing was found."""

    query: str
    hits: tuple[Found, ...]
    note: str | None

    def to_json(self) -> dict[str, Any]:
        """Return what `archive search --json` prints."""
        hits = [{**hit._asdict(), "score": round(hit.score, 4)} for hit in self.hits]
        return {"query": self.query, "hits": hits, "note": self.note}


def folders(repository: Repository) -> Folders:
    """Return where day files and session files are; relative settings start at the top of the repository."""
    return Folders(repository.chat_folder, repository.folder / repository.config.archive.sessions)


def document_row(document: Document) -> Row:
    """Return what the index takes of a document."""
    place = document.place
    ids = [document.session_id] if document.session_id else []
    told = "\n".join(text for _, text in document.fields)
    terms = {"text": tokens.terms(told), "id": ids}
    numbers = (document.day, document.when, place.day, place.at, place.check, hashed(told))
    return Row(terms, (place.file,) if place.file else (), numbers, document.label)


def hashed(text: str) -> int:
    """Return what a text's vector is kept by, as a whole number."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


ARCHIVE = Shape(document_row, {"text": 1.0}, exact=("id",), numbers=6, views=2, waste=1.34, floor=1000, stock=False)
"""The index of the archive. What retention cleared is soon more than it may hold, and then it is built without it."""


def store_of(repository: Repository) -> Store:
    """Return the index of the repository's archive."""
    chat = folders(repository).chat
    pointer = repository.common / "mfgit" / "archive" / f"{named(str(chat))}-{FORMAT}"
    return Store(chat / ".search" / named(str(repository.common)), ARCHIVE, pointer, repository.kept, repository.search_engine)


def named(text: str) -> str:
    """Return 16 hex digits that stand for a text in the name of a file."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def forget_index(repository: Repository) -> None:
    """Remove the archive's index with all that it holds of what was forgotten; the next search makes a new one."""
    store_of(repository).discard()
    erase(folders(repository).chat / ".search")


def searcher_of(repository: Repository, progress: Progress = quiet) -> Searcher:
    """Return a searcher of the archive as it is now, reading what was added since the last time."""
    where, store = folders(repository), store_of(repository)
    key = slices.fingerprint(where)
    found = store.open(key)
    if found is not None:
        return found
    if not where.chat.is_dir() and not where.sessions.is_dir():
        return empty()
    problems: list[str] = []
    parts: dict[str, slices.Slice] = {}

    def plan(known: Collection[str]) -> Plan:
        key = slices.fingerprint(where)
        parts.update((part.key, part) for part in slices.slices(where, known))
        return Plan(key, [Entry(part, 0) for part in parts], problems)

    def load(missing: Sequence[Entry]) -> Iterator[tuple[Entry, Iterable[Document]]]:
        size = [max(0, parts[entry.key].end - parts[entry.key].start) for entry in missing]
        for number, entry in enumerate(missing):
            progress("Indexing the archive", sum(size[:number]) or number, sum(size) or len(missing))
            yield entry, documents.read(parts[entry.key], problems)

    return store.follow(plan, load)


def empty() -> Searcher:
    """Return a searcher of an archive that is not there."""
    from mfgit.index import view

    return Searcher([], 0, view.make([], [], b"", [[]], (), numbers=[[]] * ARCHIVE.numbers), ARCHIVE.boosts)


def search(
    repository: Repository,
    query: str,
    *,
    date: str | None = None,
    since: str | None = None,
    until: str | None = None,
    limit: int = DEFAULT_LIMIT,
    by: str = "date",
    progress: Progress = quiet,
) -> Recall:
    """Return the turns and sessions that a question finds, newest first, or best first with `by="score"`.

    Found is what has the question inside a topic or a keyword, or all its words (typing errors corrected); where that is
    less than `limit`, also what has most of them. `date` is a day, a month, a year or a range `FIRST..LAST`, `since` and
    `until` are its ends. Raises `BadInput` for a date that is none.
    """
    when = period(date, since, until)
    if not 1 <= limit <= MOST_HITS:
        raise BadInput(f"limit is {limit}; it must be from 1 to {MOST_HITS}.")
    for _ in range(2):
        searcher = searcher_of(repository, progress)
        try:
            asked = understood(searcher, query, when)
            near = nearing_archive.near(repository, folders(repository), searcher, query, asked.wanted, progress=progress)
            return recall(searcher, folders(repository), asked, limit, by, near=near)
        except Damaged:
            store_of(repository).discard()
    raise BadInput("The archive's index cannot be read back.", f"Delete it: rm -r {folders(repository).chat / '.search'}")


class Asked(NamedTuple):
    """A question as the index understands it: `fixes` are corrections, `wanted` has a byte a position (None: all count)."""

    query: str
    terms: tuple[str, ...]
    fixes: dict[str, str]
    when: Period
    wanted: bytes | None

    @property
    def folded(self) -> str:
        """The question as it may stand inside a topic."""
        return " ".join(fold(self.query).split())


def understood(searcher: Searcher, query: str, when: Period) -> Asked:
    """Return a question with its typing errors corrected, and which documents it may find."""
    terms = tokens.query_terms(query)
    fixes = correction.correct(terms, searcher.frequency, searcher.has, query)
    terms, fixes = correction.without_parts(terms, query, fixes)
    days = searcher.view.numbers[DAY]
    wanted = bytes(when.first <= day <= when.last for day in days) if when.given else None
    return Asked(query, tuple(fixes.get(term, term) for term in terms), fixes, when, wanted)


def recall(searcher: Searcher, where: Folders, asked: Asked, limit: int, by: str, *, near: Near = NOWHERE) -> Recall:
    """Return what a question finds in an open index; `near` is what a model finds near it there."""
    hits: list[Found] = []
    seen: set[str] = set()
    counted: Counter[str] = Counter()
    for position, score in chosen(searcher, asked, limit, by, near.positions[:limit]):
        found = documents.again(where, nearing_archive.place_of(searcher, position))
        if found is None or found.request_id in seen or (found.session_id and counted[found.session_id] >= A_SESSION):
            continue
        seen.update(filter(None, (found.request_id,)))
        counted[found.session_id] += 1
        hits.append(shown(found, asked, searcher.view.numbers[DAY][position], score))
        if len(hits) == limit:
            break
    said = filter(None, (note(searcher, where, asked, found=bool(hits)), near.note))
    return Recall(asked.query, tuple(hits), " ".join(said) or None)


def chosen(searcher: Searcher, asked: Asked, limit: int, by: str, meant: Sequence[int] = ()) -> list[tuple[int, float]]:
    """Return positions and scores in the order that was asked for, more than `limit` since some may be left out.

    `meant` are positions near the question by meaning, nearest first. By date they stand where words find less than `limit`.
    """
    most = 8 * limit
    labelled = searcher.labelled(asked.folded) if len(asked.folded) >= SHORTEST else []
    sure = few.holding(searcher, asked.terms).union(labelled)
    if asked.wanted is not None:
        sure = {place for place in sure if asked.wanted[place]}
    near: list[int] = []
    if len(sure) < limit:
        near = [place for place in few.mostly(searcher, asked.terms, FLOOR, asked.wanted) if place not in sure]
    when = searcher.view.numbers[WHEN]
    if by == "score" and len(sure) > few.MOST:
        scores = dict(scored for scored in searcher.search(asked.terms, most, asked.wanted) if scored.position in sure)
        scores |= dict.fromkeys(heapq.nlargest(most, sure.intersection(labelled).difference(scores), key=when.__getitem__), 0.0)
    else:
        newest = sure if by == "score" else heapq.nlargest(most, sure, key=lambda place: (when[place], place))
        scores = few.scores(searcher, asked.terms, {*newest, *near})
        least = FLOOR * max(scores.values(), default=0.0)
        scores = {place: score for place, score in scores.items() if score >= least or place in sure}
    found = sorted(scores.items(), key=lambda pair: (-pair[1], -when[pair[0]], pair[0]))
    if meant and (by == "score" or len(sure) < limit):
        found = fusion.with_meaning(found, meant)
    if by == "score":
        return found[:most]
    return sorted(found, key=lambda pair: (-when[pair[0]], -pair[0]))[:most]


def shown(found: Seen, asked: Asked, day: int, score: float) -> Found:
    """Return the hit of a document with the snippet of the field that matched best."""
    best_name, best_snippet, best_rank = "", "", (-1, -1)
    for name, text in found.fields:
        inside = name in LABELS and asked.folded in fold(text)
        snippet, count = snippets.best(text, frozenset(asked.terms))
        if (inside, count) > best_rank:
            best_name, best_snippet, best_rank = name, snippet, (inside, count)
    return Found(found.session_id or None, found.request_id or None, Period.name(day), score, best_snippet, best_name)


def note(searcher: Searcher, where: Folders, asked: Asked, *, found: bool) -> str | None:
    """Return what the reader should know: corrections, why nothing was found, what could not be read."""
    said = [
        f"Searched for {spelled(searcher, where, new)} instead of {tokens.spelled(old, [asked.query])}."
        for old, new in asked.fixes.items()
    ]
    if not found:
        said.append(why_nothing(searcher, where, asked))
    kept = [each for each in searcher.view.notes if each.startswith("the search index")]
    said += [f"{each[0].upper()}{each[1:]}." for each in kept]
    files = sorted({each.partition(":")[0] for each in searcher.view.notes if each not in kept})
    if files:
        more = f" and {len(files) - MOST_NAMED} more files" if len(files) > MOST_NAMED else ""
        said.append(f"Some of {', '.join(files[:MOST_NAMED])}{more} cannot be read; mfgit archive check names the lines.")
    return " ".join(said) or None


def spelled(searcher: Searcher, where: Folders, term: str) -> str:
    """Return a term of the index as the last document that holds it spells it."""
    for position in reversed(searcher.holders("text", term)[-TRIED:]):
        found = documents.again(where, nearing_archive.place_of(searcher, position))
        word = tokens.spelled(term, (text for _, text in found.fields)) if found else term
        if word != term:
            return word
    return term


def no_words(query: str) -> str:
    """Return why a question has no words to look for."""
    if not query.strip():
        return "The question is empty: say what to look for."
    if any(map(str.isalnum, query)):
        return "The question has only words that ask or bind; name the thing it is about."
    return "The question has no words, only signs: say what to look for."


def outside(searcher: Searcher, when: Period) -> str:
    """Return why nothing was found on days on which there is nothing."""
    days = [day for day in searcher.view.numbers[DAY] if day]
    kept = f"the archive goes from {when.name(min(days))} to {when.name(max(days))}" if days else "nothing in it has a date"
    coming = ", which is still to come" if when.first > datetime.now(UTC).toordinal() + 1 else ""
    return f"Nothing was archived {when}{coming}; {kept}."


def why_nothing(searcher: Searcher, where: Folders, asked: Asked) -> str:
    """Return why a question found nothing."""
    when, wanted = asked.when, asked.wanted
    if not searcher.view.documents:
        return f"The archive is empty: there are no turns in {where.chat} and no sessions in {where.sessions}."
    if not asked.terms or tokens.only_binds(asked.query):
        return no_words(asked.query)
    if wanted is not None and not any(wanted):
        return outside(searcher, when)
    missing = [term for term in asked.terms if not searcher.frequency(term)]
    if len(missing) == len(asked.terms):
        return "No word of the question is in the archive."
    if wanted is not None and (other := searcher.search(asked.terms, 1)):
        best = searcher.view.numbers[DAY][other[0].position]
        return f"Nothing {when} holds enough of the question; the best of other days is of {when.name(best)}."
    names = [tokens.spelled(term, [asked.query]) for term in missing[:MOST_NAMED]]
    lost = f" Not in the archive: {', '.join(names)}." if missing else ""
    return f"No turn or session holds enough words of the question together.{lost}"


def index_folder(repository: Repository) -> Path:
    """Return the folder that holds the archive's index."""
    return folders(repository).chat / ".search"
