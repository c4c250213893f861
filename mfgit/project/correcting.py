"""Putting a misunderstanding right: search, fetch the original words, compare, record the correction."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from mfgit.archive.talks import excerpt
from mfgit.errors import BadInput
from mfgit.progress import Progress, quiet
from mfgit.project import fetching, recalling, remembering
from mfgit.project.base import Repository
from mfgit.project.remembering import Remembered
from mfgit.session import Message
from mfgit.text import tokens

AROUND = 2
"""Messages that are shown before and after the one that was found."""
BUDGET = 6000
NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


class Comparison(NamedTuple):
    """What a belief says that the original words don't: words, and numbers. Both empty: nothing speaks against it."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    share: float


class Corrected(NamedTuple):
    """The original words around the best hit, how the belief compares, and the proposal of the correction."""

    query: str
    session_id: str
    date: str
    message: int
    messages: tuple[tuple[int, Message, int], ...]
    comparison: Comparison | None
    recorded: Remembered | None

    def to_json(self) -> dict[str, Any]:
        """Return what `correct --json` prints."""
        return {
            "query": self.query,
            "session_id": self.session_id,
            "date": self.date,
            "message": self.message,
            "messages": [{"number": number, **message.to_json()} for number, message, _ in self.messages],
            "comparison": self.comparison._asdict() if self.comparison else None,
            "recorded": self.recorded.to_json() if self.recorded else None,
        }


def correct(
    repository: Repository,
    query: str,
    *,
    date: str | None = None,
    belief: str | None = None,
    correction: str | None = None,
    root: str | None = None,
    progress: Progress = quiet,
) -> Corrected:
    """Find what was really said about `query`, compare it with `belief`, and propose `correction` as a feedback memory.

    Nothing is written without a correction. Raises `BadInput` when nothing is found, with the reason.
    """
    found = recalling.search(repository, query, date=date, limit=20, by="score", progress=progress)
    hit = next((each for each in found.hits if each.request_id or each.session_id), None)
    if hit is None:
        raise BadInput(f"Nothing was found: {found.note}", "mfgit archive search tries other words and dates.")
    named = hit.request_id or hit.session_id or ""
    got = fetching.get(repository, named, progress=progress)
    talk = got.talk
    if not talk.messages:
        raise BadInput(f"The words of {talk.session_id} are no longer kept.", "mfgit archive get shows what is left.")
    at = said_at(query, [(number, message) for number, message, _ in got.part.messages])
    part = excerpt(talk.messages, f"{max(1, at - AROUND)}-{min(len(talk.messages), at + AROUND)}", BUDGET)
    if not part.first <= at <= part.last:
        part = excerpt(talk.messages, str(at), BUDGET)
    text = "\n".join(message.content for _, message, _ in part.messages)
    compared = compare(belief, text) if belief else None
    recorded = None
    if correction:
        recorded = remembering.remember_correction(repository, named, at, correction, root)
    return Corrected(query, talk.session_id, talk.date, at, part.messages, compared, recorded)


def said_at(query: str, messages: Sequence[tuple[int, Message]]) -> int:
    """Return the number of the message that holds most words of a question, the first of several."""
    terms = set(tokens.query_terms(query))
    return max(messages, key=lambda pair: (len(terms.intersection(tokens.terms(pair[1].content))), -pair[0]))[0]


def compare(belief: str, original: str) -> Comparison:
    """Return what of a belief does not stand in the original words, and the share of its words that do."""
    held = set(tokens.terms(original))
    asked = tokens.query_terms(belief)
    missing = tuple(term for term in asked if term not in held)
    numbers = set(NUMBER.findall(original))
    other = tuple(dict.fromkeys(number for number in NUMBER.findall(belief) if number not in numbers))
    return Comparison(missing, other, round(1 - len(missing) / max(1, len(asked)), 3))
