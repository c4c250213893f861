"""`eval`: questions with a known page, asked at one or more refs."""

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mfgit.errors import BadInput
from mfgit.evaluation import DEPTH, Measures, distinct, measure, rank_of
from mfgit.index.searcher import Searcher
from mfgit.progress import Progress, quiet
from mfgit.project import naming, nearing, searching, views
from mfgit.project.base import Repository


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the pages (from the top of the repository) of which any one answers it, and the user's turns before it."""

    text: str
    pages: frozenset[str]
    history: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefReport:
    """The figures of one ref, and what each question found: its first page and the rank of a known one.

    `unknown` are pages that questions name and the ref does not have; `lost` counts the questions that name only such pages:
    they count as not found.
    """

    ref: str
    commit: str
    measures: Measures
    first: tuple[str | None, ...]
    ranks: tuple[int, ...]
    unknown: tuple[str, ...] = ()
    lost: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return one ref of `eval --json`."""
        named = {"unknown_pages": list(self.unknown), "questions_without_page": self.lost}
        return {"ref": self.ref, "commit": self.commit, **self.measures._asdict(), **named}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of every ref. `changed` compares the last ref with the first."""

    questions: tuple[Question, ...]
    refs: tuple[RefReport, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the report of `eval --json`."""
        refs = [report.to_json() for report in self.refs]
        top = {"commit": self.refs[0].commit} if len(self.refs) == 1 else {}
        return {"questions": len(self.questions), **top, "refs": refs, "changed": self.changed()}

    def changed(self) -> list[dict[str, Any]]:
        """Return the questions whose first page, or the rank of a known one, differs between the first ref and the last."""
        before, after = self.refs[0], self.refs[-1]
        rows = zip(self.questions, before.first, after.first, before.ranks, after.ranks, strict=True)
        return [
            {"question": question.text, "before": old, "after": new, "ranks": [was, now], "verdict": verdict(was, now)}
            for question, old, new, was, now in rows
            if (old, was) != (new, now)
        ]

    def worse(self) -> int:
        """Return how many questions find a known page later at the last ref than at the first, or not any more."""
        return sum(entry["verdict"] == "worse" for entry in self.changed())


def verdict(was: int, now: int) -> str:
    """Return whether a rank (0: none) is better or worse than it was, or the same."""
    old, new = (rank or DEPTH + 1 for rank in (was, now))
    return "same" if old == new else "better" if new < old else "worse"


def read_questions(file: Path) -> tuple[Question, ...]:
    """Read JSON lines `{"question", "doc_ids": [path], "history"?: [text]}`; raises `BadInput` that names file and line."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}.") from None
    lines = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if not lines:
        raise BadInput(f"{file} holds no questions.", 'Write one a line: {"question": "…", "doc_ids": ["help/page.md"]}.')
    return tuple(read_question(line, f"{file}, line {number}") for number, line in lines)


def read_question(line: bytes, where: str) -> Question:
    """Return one line's question."""
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where} is not valid JSON: {error}.") from None
    question, pages, history = (value.get(name) for name in MEMBERS) if isinstance(value, dict) else (None, None, None)
    if not (isinstance(question, str) and texts(pages) and (history is None or texts(history))):
        raise BadInput(f"{where} must be an object with the text question, the list doc_ids, and maybe the list history.")
    return Question(question, frozenset(page.removeprefix("./") for page in pages or ()), tuple(history or ()))


MEMBERS = ("question", "doc_ids", "history")


def texts(value: Any) -> bool:
    """Return whether a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def evaluate(
    repository: Repository, file: Path, refs: Sequence[str] = (), *, roots: Sequence[str] = (), progress: Progress = quiet
) -> Evaluation:
    """Ask every question of a file at every ref (none: HEAD), within some knowledge roots (none: all).

    Raises `BadInput` for a bad file, an unknown ref or root, and where no ref has any of the pages that are named.
    """
    questions = read_questions(file)
    places = [views.locate(repository, ref) for ref in refs or (None,)]
    named = frozenset[str]().union(*(question.pages for question in questions))
    if named and not any(views.using(repository, place, functools.partial(any_of, named), progress) for place in places):
        first = min(named)
        hint = views.using(repository, places[-1], lambda searcher: naming.hint(searcher, first))
        refs_named = " or ".join(place.ref for place in places)
        raise BadInput(f"No page that {file} names is in {refs_named}; the first of them is {first}.", hint)
    return Evaluation(questions, tuple(report(repository, place, questions, roots, progress) for place in places))


def any_of(pages: frozenset[str], searcher: Searcher) -> bool:
    """Return whether a tree has any of some pages."""
    return len(naming.absent(searcher, pages)) < len(pages)


def report(
    repository: Repository, where: views.Where, questions: Sequence[Question], roots: Sequence[str], progress: Progress
) -> RefReport:
    """Return what the questions find in one tree."""

    def ask(searcher: Searcher) -> RefReport:
        return ask_all(repository, where, searcher, questions, roots=roots, progress=progress)

    return views.using(repository, where, ask, progress)


def ask_all(
    repository: Repository, where: views.Where, searcher: Searcher, questions: Sequence[Question], **more: Any
) -> RefReport:
    """Return what the questions find with a searcher; `more` are the `roots` and the `progress`."""
    seen, progress = searching.visible(repository, where, searcher, more["roots"]), more["progress"]
    first: list[str | None] = []
    ranks: list[int] = []
    meaning = nearing.opened(repository, where, searcher, progress, patience=None)
    for number, question in enumerate(questions):
        progress("Asking questions", number + 1, len(questions))
        found = searching.ranked(repository, searcher, question.text, meaning, seen=seen, history=question.history)
        pages = distinct(passage.path for passage in found)
        first.append(pages[0] if pages else None)
        ranks.append(rank_of(pages, question.pages))
    unknown = naming.absent(searcher, frozenset[str]().union(*(question.pages for question in questions)))
    lost = sum(bool(question.pages) and question.pages <= unknown for question in questions)
    return RefReport(where.ref, where.commit, measure(ranks), tuple(first), tuple(ranks), tuple(sorted(unknown)), lost)
