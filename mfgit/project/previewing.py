"""`preview`: what adopting a proposal would change for those who ask, before it is adopted.

The questions of its cluster are asked of the target and of the tree that would be (one merge without a checkout); so are the
other questions whose answer is known, to see whether one of them gets worse. Nothing is written.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from mfgit.answer import marks
from mfgit.errors import BadInput, MfgitError
from mfgit.evaluation import distinct, rank_of
from mfgit.index.searcher import Searcher
from mfgit.model import Known, Record, Turn
from mfgit.progress import Progress, quiet
from mfgit.project import archiving, deciding, nearing, searching, showing, views
from mfgit.project.base import Repository
from mfgit.redact import redact
from mfgit.repo.known import Survey
from mfgit.repo.merging import blob_texts, own_files
from mfgit.text import questions, tokens

MOST_WORDINGS = 50
"""Wordings of the archive that are asked, the most frequent first."""
MOST_OTHERS = 500
"""Other known questions that are asked: those that share the most words with what the proposal adds."""
LAST = 11
"""Where a page stands that is not among the first ten."""


class Found(NamedTuple):
    """What a question finds: the page that comes first, its mark, and the rank of a page that should answer (0: not in ten)."""

    first: str | None
    mark: str | None
    rank: int

    def to_json(self) -> dict[str, Any]:
        """Return one side of a question of `preview --json`."""
        return {"first": self.first, "mark": self.mark, "rank": self.rank or None}


class Change(NamedTuple):
    """A question before and after; `source` is record or archive, for another question alias or its proposal's status."""

    question: str
    source: str
    before: Found
    after: Found

    @property
    def verdict(self) -> str:
        """Whether the page that should answer stands better, worse or where it was."""
        old, new = (found.rank or LAST for found in (self.before, self.after))
        return "same" if old == new else "better" if new < old else "worse"

    def to_json(self) -> dict[str, Any]:
        """Return a question of `preview --json`."""
        sides = {"before": self.before.to_json(), "after": self.after.to_json()}
        return {"question": self.question, "source": self.source, "verdict": self.verdict, **sides}


class Preview(NamedTuple):
    """What adopting a proposal would change: its own questions, and the others that were asked too.

    `target` is the commit it was tried on, `pages` should answer, `conflict` says why it does not merge (then nothing was
    asked). `left_out` counts other questions that were not asked.
    """

    known: Known
    target: str
    pages: tuple[str, ...]
    questions: tuple[Change, ...] = ()
    others: tuple[Change, ...] = ()
    left_out: int = 0
    conflict: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what `preview --json` prints."""
        one = self.known
        return {
            "id": one.id,
            "status": one.status,
            "action_type": one.record.action_type,
            "title": one.record.title,
            "commit": one.commit,
            "target": self.target,
            "pages": list(self.pages),
            "conflict": self.conflict,
            "questions": [change.to_json() for change in self.questions],
            "counts": counts(self.questions),
            "others": {
                "asked": len(self.others),
                "left_out": self.left_out,
                "counts": counts(self.others),
                "worse": [change.to_json() for change in self.others if change.verdict == "worse"],
            },
        }


class Asked(NamedTuple):
    """A question, where it comes from, and the pages that should answer it."""

    text: str
    source: str
    pages: frozenset[str]


def counts(changes: Iterable[Change]) -> dict[str, int]:
    """Return how many questions stand better, worse and where they were."""
    found = [change.verdict for change in changes]
    return {verdict: found.count(verdict) for verdict in ("better", "worse", "same")}


def preview(repository: Repository, text: str, *, archive: bool = True, progress: Progress = quiet) -> Preview:
    """Return what adopting a proposal would change; one that is adopted or undone is seen before and after its adoption.

    `archive` also asks the wordings in the archive, redacted. Raises `BadInput` for an unknown id.
    """
    state = deciding.look(repository)
    one = deciding.find(state, text)
    pages, added = additions(repository, state, one)
    try:
        before, after = trees(repository, state, one)
    except BadInput as error:
        said = f"{error.message} {error.hint or ''}".strip()
        return Preview(one, repository.target_commit(), pages, conflict=said)
    own = [Asked(asked, source, frozenset(pages)) for asked, source in wordings(repository, one, archive=archive).items()]
    texts = {question.text for question in own}
    chosen = sharing((known for known in others(repository, state, one, before) if known.text not in texts), added)
    asked = [*own, *chosen[:MOST_OTHERS]]
    old, new = compared(repository, (before, after), asked, progress)
    changes = tuple(Change(k.text, k.source, a, b) for k, a, b in zip(asked, old, new, strict=True))
    size = len(own)
    return Preview(one, before.commit, pages, changes[:size], changes[size:], max(0, len(chosen) - MOST_OTHERS))


# ---- what is compared


def trees(repository: Repository, state: Survey, one: Known) -> tuple[views.Where, views.Where]:
    """Return the tree without a proposal and the tree with it; raises `BadInput` where it does not merge."""
    if one.status in ("adopted", "undone"):
        before, after = showing.span(repository, one)
        return views.locate(repository, before), views.locate(repository, after)
    target = views.locate(repository, repository.target)
    tip = deciding.tip_of(repository, one, state.branches.get(one.id))
    merged = views.merged_tree(repository.git, target.commit, tip, one.id)
    return target, views.Where(f"{target.ref} with {one.id}", target.commit, merged, tip)


def additions(repository: Repository, state: Survey, one: Known) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the pages that should answer once a proposal is adopted, and the terms of what it adds."""
    texts = [alias.alias for alias in one.record.aliases]
    pages = [alias.path for alias in one.record.aliases] if one.record.action_type == "index" else []
    if one.status == "undone":
        commit = showing.parent_of(repository.git, str(one.commit))
    elif one.status == "adopted":
        commit = str(one.commit)
    else:
        commit = deciding.tip_of(repository, one, state.branches.get(one.id))
    own = own_files(repository.git, commit, one.id, one.record.root)
    for path, data in blob_texts(repository.git, own).items():
        if path.endswith(".md"):
            pages.append(path)
            texts.append(data.decode("utf-8", "replace"))
    return tuple(dict.fromkeys(pages)), frozenset(tokens.terms("\n".join(texts)))


def compared(
    repository: Repository, trees: Sequence[views.Where], asked: Sequence[Asked], progress: Progress
) -> list[list[Found]]:
    """Return what each question finds in each tree; by words alone in all where the model of searches cannot be asked."""
    try:
        return [answers(repository, where, asked, progress) for where in trees]
    except nearing.Away:
        return [answers(repository, where, asked, progress, nearing.NOTHING) for where in trees]


def answers(
    repository: Repository,
    where: views.Where,
    asked: Sequence[Asked],
    progress: Progress,
    meaning: nearing.Finds | None = None,
) -> list[Found]:
    """Return what each question finds in a tree; raises `Away`."""

    def ask(searcher: Searcher) -> list[Found]:
        finds = meaning or nearing.opened(repository, where, searcher, progress)
        found = []
        for number, question in enumerate(asked):
            progress(f"Asking {where.ref}", number + 1, len(asked))
            found.append(answer(repository, searcher, question, finds))
        return found

    return views.using(repository, where, ask, progress)


def answer(repository: Repository, searcher: Searcher, asked: Asked, meaning: nearing.Finds) -> Found:
    """Return what one question finds; raises `Away`."""
    passages = searching.ranked(repository, searcher, asked.text, meaning)
    pages = distinct(passage.path for passage in passages)
    mark = marks.mark(passages[0], tokens.language(asked.text)) if passages else None
    return Found(pages[0] if pages else None, mark, rank_of(pages, asked.pages))


# ---- the questions


def wordings(repository: Repository, one: Known, *, archive: bool) -> dict[str, str]:
    """Return the questions of a proposal's cluster, each once, and where they come from: the record, then the archive."""
    found = dict.fromkeys(filter(str.strip, one.record.questions or (one.record.title,)), "record")
    if archive and one.record.keys:
        normal = {questions.normalise(text) for text in found}
        found |= {text: "archive" for text in archived(repository, one.record) if questions.normalise(text) not in normal}
    return found


def archived(repository: Repository, record: Record) -> list[str]:
    """Return the wordings of a cluster in the archive, redacted, the most frequent first; none where there is no archive.

    A turn belongs to it by the key of its question, and by its layer and workspace: nobody else's words are shown.
    """
    from mfgit import archive

    since, until = (day(text) for text in (record.first_seen, record.last_seen))
    if since is None or until is None:
        return []
    try:
        folder = archiving.chat_source(repository)
        turns = archive.read(folder, since - ZONES, until + ZONES, holding=marks_of(record)).turns
    except (MfgitError, OSError):
        return []
    keys, here = frozenset(record.keys), belonging(repository, record)
    count: dict[str, int] = {}
    for turn in turns:
        asked = questions.ask(turn.user_message) if here(turn) else None
        if asked is not None and asked.key in keys:
            text = " ".join(redact(asked.text).split())
            count[text] = count.get(text, 0) + 1
    return sorted(count, key=lambda text: (-count[text], text))[:MOST_WORDINGS]


def marks_of(record: Record) -> list[bytes]:
    """Return what a line of the archive must hold one of, to be a wording of a record's cluster: most lines need no parsing.

    Wordings of one cluster share words. JSON may write Chinese as it is or as escapes; none, where a question has no words
    to go by.
    """
    found: dict[bytes, None] = {}
    for text in record.questions or (record.title,):
        words = {term for term in tokens.query_terms(text) if len(term) > 1}
        if not words:
            return []
        for word in words:
            part = word[:-1] if word.isascii() and len(word) > STEM else word  # a stem may end in another letter than its word
            found |= dict.fromkeys((part.encode(), json.dumps(part)[1:-1].lower().encode()))
    return list(found)


STEM = 3
"""Letters of the longest stem that is sure to stand in its word as it is."""


def belonging(repository: Repository, record: Record) -> Callable[[Turn], bool]:
    """Return whether a turn is of a record's layer and, in a workspace, of its root."""
    from mfgit.scan.gather import Scopes
    from mfgit.scan.values import HELP

    only_help = all(pattern.layer == "help" for pattern in repository.config.roots)
    scopes = Scopes(repository.roots(repository.target_commit()), only_help=only_help)
    wanted = HELP if record.target_layer == "help" else record.root
    return lambda turn: scopes.of(turn)[0] == wanted


def day(text: str) -> datetime | None:
    """Return the beginning of a day of a record, None where it has none."""
    try:
        return datetime.fromisoformat(text[:10]).replace(tzinfo=UTC)
    except ValueError:
        return None


ZONES = timedelta(days=2)
"""Around a record's days: they are those of the users' own clocks."""


def others(repository: Repository, state: Survey, one: Known, before: views.Where) -> Iterator[Asked]:
    """Yield the questions outside of a proposal whose page is known: aliases, and what other proposals answer."""
    seen: set[str] = set()
    for text, source, pages in (*of_aliases(repository, before), *of_proposals(state, one)):
        if text.strip() and text not in seen:
            seen.add(text)
            yield Asked(text, source, frozenset(pages))


def of_aliases(repository: Repository, where: views.Where) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the aliases of a tree with their pages."""
    tree = views.read_tree(repository.git, where.tree, views.checkout_settings(repository))
    for page in tree.pages:
        yield from ((alias, "alias", (page.path,)) for alias in page.aliases)


def of_proposals(state: Survey, one: Known) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the questions of other proposals with the pages that answer them, as far as these are on the target."""
    for other in state.known:
        record = other.record
        if other.id == one.id or other.status not in ("adopted", "open", "edited"):
            continue
        if record.action_type == "index":
            pages = tuple(alias.path for alias in record.aliases)
        else:
            pages = (record.adopted_path,) if other.status == "adopted" and record.adopted_path else ()
        yield from ((text, other.status, pages) for text in record.questions if pages)


def sharing(every: Iterable[Asked], added: frozenset[str]) -> list[Asked]:
    """Return the questions that share a word with what is added, those that share the most first: no other can change."""
    shared = [(len(added.intersection(tokens.query_terms(asked.text))), asked) for asked in every]
    return [asked for size, asked in sorted(shared, key=lambda pair: (-pair[0], pair[1].text)) if size]
