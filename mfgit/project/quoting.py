"""`context`: what a question finds, as the block to hand to an assistant; and the passage that a citation of it names."""

import re
from typing import Any, NamedTuple

from mfgit.answer import block as blocks
from mfgit.errors import BadInput
from mfgit.passages import Passage
from mfgit.project import searching, views
from mfgit.project.base import Repository
from mfgit.text import tokens

DEFAULT_PASSAGES = 5
SPEAKS = {"en": 0.35, "zh": 0.30}
"""Share of a question's weight (idf) that one of the first passages must hold, or the question counts as not answered.

Measured on labelled questions of four document sets: of those whose page is there 3 % (English) and 5 % (Chinese) hold less,
of questions that belong to another set two thirds; no question below it had its page first in Chinese, one in fifty in English.
"""
CITATION = re.compile(r"(?P<name>.+)@(?P<commit>[0-9a-f]{4,64})")


class Context(NamedTuple):
    """What a question found and the `block` to hand over; `answered`: something found speaks to the question.

    `citations` are those of the passages in the block, in its order; `tokens` is what it takes, estimated, and `left_out`
    counts passages that found no room.
    """

    answer: searching.Answer
    block: str
    answered: bool
    citations: tuple[str, ...]
    tokens: int
    left_out: int

    def to_json(self) -> dict[str, Any]:
        """Return the answer of `context --json`."""
        more = {name: getattr(self, name) for name in ("block", "answered", "tokens", "left_out")}
        return {**self.answer.to_json(), **more, "citations": list(self.citations)}


def context(repository: Repository, query: str, *, budget: int | None = None, **options: Any) -> Context:
    """Return the block for a question, of at most `budget` tokens; other options as for `searching.search`."""
    options = {"limit": DEFAULT_PASSAGES, **options}
    answer = searching.search(repository, query, weigh=True, **options)
    return quoted(answer, budget)


def quoted(answer: searching.Answer, budget: int | None) -> Context:
    """Return the block of an answer that was weighed."""
    lang = tokens.language(answer.query)
    answered = bool(answer.hits) and answer.covered >= SPEAKS[lang]
    made = blocks.block(answer.query, answer.hits, lang, budget=budget, answered=answered)
    handed = answered and made.left_out < len(answer.hits)
    return Context(answer, made.text, handed, made.citations, made.tokens, made.left_out)


# ---- citations


def cited(repository: Repository, citation: str) -> Passage:
    """Return the passage that a citation (`path#anchor@commit`) names, with its text; raises `BadInput`."""
    parts = CITATION.fullmatch(citation.strip())
    if parts is None:
        raise BadInput(f"{citation} is no citation.", "Write it as mfgit context prints it: path#anchor@commit.")
    where = views.locate(repository, parts["commit"])
    for path, anchor in readings(parts["name"]):
        blob = repository.git.blob(f"{where.commit}:{path}")
        if blob is not None:
            return passage_of(repository, where, path, anchor, citation)
    raise BadInput(f"There is no page {parts['name'].partition('#')[0]} in {where.commit[:12]}.")


def readings(name: str) -> list[tuple[str, str]]:
    """Return how a name may be read as path and anchor: a path may hold # itself."""
    places = [at for at, character in enumerate(name) if at and character == "#"]
    return [*((name[:at], name[at + 1 :]) for at in places), (name, "")]


def passage_of(repository: Repository, where: views.Where, path: str, anchor: str, citation: str) -> Passage:
    """Return the section of a page at a commit; without an anchor the first one."""
    from mfgit.tree import reading

    tree = views.read_tree(repository.git, where.tree, views.checkout_settings(repository))
    page = next((page for page in tree.pages if page.path == path), None)
    if page is None:
        raise BadInput(f"{path} is no document of the knowledge base in {where.commit[:12]}.")
    found = [p for p in reading.passages(page, repository.git.blob(page.blob) or b"").passages if anchor in ("", p.anchor)]
    if not found:
        raise BadInput(f"{path} has no section {anchor} in {where.commit[:12]}.", f"mfgit cite {citation.partition('#')[0]}@…")
    return found[0]
