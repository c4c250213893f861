"""Turns and originals for the tests of the scan."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from mfgit.layout import Root
from mfgit.model import Hit, Passage, Turn
from mfgit.reasons.forms import Steps, in_chinese
from mfgit.scan import run
from mfgit.scan.run import Result
from mfgit.scan.values import Inputs
from mfgit.text import tokens

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
HELP_ROOT = Root("help", "help")
WORKSPACE_ROOT = Root("workspaces/w1/knowledge", "workspace", "w1")


def turn(number: int, question: str, answer: str = "", rating: Any = None, **more: Any) -> Turn:
    """Return a help turn; each has a session and a user of its own unless given."""
    given = {"session_id": f"s{number}", "user_id": f"u{number}", "help_mode": True, **more}
    return Turn(f"r{number:03}", START + timedelta(hours=number), question, answer, rating=rating, **given)


def turns(*asked: tuple[Any, ...], **more: Any) -> list[Turn]:
    """Return one turn for each (question, answer, rating)."""
    return [turn(number, *each, **more) for number, each in enumerate(asked)]


class Pages:
    """Originals given as path -> text; ranked by how many of the question's terms they hold."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self.passages = [
            Passage(path, path, "", (), (1, 1), text, "original", f"{number:040x}")
            for number, (path, text) in enumerate(pages.items())
        ]

    def terms(self, text: str) -> list[str]:
        return tokens.query_terms(text)

    def idf(self, term: str, root: str) -> float:
        return 1.0

    def best(self, text: str, root: str, limit: int = 3) -> list[Hit]:
        wanted = set(self.terms(text))
        hits = [Hit(passage, float(len(wanted & set(self.terms(passage.text))))) for passage in self.passages]
        below = [hit for hit in hits if hit.score and hit.passage.path.startswith(f"{root}/")]
        return sorted(below, key=lambda hit: (-hit.score, hit.passage.path))[:limit]


def inputs(asked: list[Turn], pages: Mapping[str, str] | None = None, **more: Any) -> Inputs:
    """Return the inputs of a scan over one help and one workspace root."""
    return Inputs(asked, (HELP_ROOT, WORKSPACE_ROOT), originals=Pages(pages or {}), **more)


def scan(given: Inputs) -> Result:
    """Return what a scan finds, after a look whether each of its sentences can be told in Chinese."""
    found = run.scan(given)
    said = {
        "why": [line for proposal in found.proposals for line in proposal.record.why],
        "closed": [each.reason for each in found.closed],
        "left": list(found.left),
        "aside": list(found.gathered.aside),
    }
    unknown = [line for group, lines in said.items() for line in lines if in_chinese(line, group, steps=Steps()) is None]
    assert not unknown, "no form of mfgit.reasons.table knows this"
    return found
