"""`search --expect`: does a page still come first? The exit code of that is what `git bisect run` asks for."""

from typing import Any, NamedTuple

from mfgit.passages import Hit
from mfgit.project import ordering, searching
from mfgit.project.base import Repository

BISECT_HEAD = "BISECT_HEAD"
"""What a bisect without a checkout tests; HEAD stays where it is then."""


class Expected(NamedTuple):
    """What a question found, and the rank of the expected passage among it, from 1; None: it is not among the best."""

    page: str
    answer: searching.Answer
    rank: int | None

    @property
    def met(self) -> bool:
        """Whether the expected page comes first."""
        return self.rank == 1

    def to_json(self) -> dict[str, Any]:
        """Return the answer of `search --expect --json`."""
        return {**self.answer.to_json(), "expected": self.page, "rank": self.rank}


def expect(
    repository: Repository,
    query: str,
    page: str,
    *,
    ref: str | None = None,
    limit: int = searching.DEFAULT_HITS,
    **options: Any,
) -> Expected:
    """Ask a question, and look for the rank of a page (`PATH`) or of a section of one (`PATH#ANCHOR`).

    Without a `ref`, the commit is read that a bisect is testing: HEAD, or BISECT_HEAD where it checks nothing out. Options
    as for `searching.search`.
    """
    if ref is None and options.get("with_id") is None and repository.git.commit_of(BISECT_HEAD) is not None:
        ref = BISECT_HEAD
    answer = searching.search(repository, query, ref=ref, limit=ordering.POOL, **options)
    wanted = page.removeprefix("./")
    rank = next((number for number, hit in enumerate(answer.hits, 1) if named(hit, wanted)), None)
    return Expected(wanted, answer._replace(hits=answer.hits[:limit]), rank)


def named(hit: Hit, wanted: str) -> bool:
    """Return whether a hit, or what is folded into it, is of a page, or of a section of one."""
    shown = (hit.passage, *hit.folded)
    return any(wanted in (passage.path, f"{passage.path}#{passage.anchor}") for passage in shown)


def bisecting(repository: Repository) -> bool:
    """Return whether a bisect is going on here."""
    path = repository.git.line("rev-parse", "--path-format=absolute", "--git-path", "BISECT_LOG")
    from pathlib import Path

    return Path(path).exists()
