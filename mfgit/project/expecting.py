"""`search --expect`: does a page still come first? The exit code of that is what `git bisect run` asks for."""

import functools
from typing import Any, NamedTuple

from mfgit.errors import BadInput
from mfgit.index.searcher import Searcher
from mfgit.passages import Hit
from mfgit.project import naming, ordering, searching, views
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
    as for `searching.search`. Raises `BadInput` for a page that is not there, unless a commit that a bisect began with has it.
    """
    if ref is None and options.get("with_id") is None and repository.git.commit_of(BISECT_HEAD) is not None:
        ref = BISECT_HEAD
    answer = searching.search(repository, query, ref=ref, limit=ordering.POOL, **options)
    wanted = page.removeprefix("./")
    rank = next((number for number, hit in enumerate(answer.hits, 1) if named(hit, wanted)), None)
    if rank is None:
        check(repository, views.locate(repository, ref, options.get("with_id")), wanted)
    return Expected(wanted, answer._replace(hits=answer.hits[:limit]), rank)


def check(repository: Repository, where: views.Where, wanted: str) -> None:
    """Raise `BadInput` for a page or section that neither a tree nor a commit that a bisect began with has."""
    places = [where, *(views.locate(repository, commit) for commit in marked(repository))]
    if not any(views.using(repository, place, functools.partial(there, wanted)) for place in places):
        hint = views.using(repository, where, lambda searcher: naming.hint(searcher, wanted))
        raise BadInput(f"There is no {'section' if '#' in wanted else 'page'} {wanted} in {where.ref}.", hint)


def there(wanted: str, searcher: Searcher) -> bool:
    """Return whether a tree has a page or a section of one."""
    page = wanted.partition("#")[0]
    return wanted in naming.sections(searcher, page) if page != wanted else naming.place(searcher, page) is not None


def marked(repository: Repository) -> list[str]:
    """Return the commits that were marked good or bad in a bisect that is going on; none without one."""
    lines = repository.git.out("for-each-ref", "--format=%(refname) %(objectname)", "refs/bisect").decode("utf-8", "replace")
    refs = [line.rsplit(" ", 1) for line in lines.splitlines()]
    return [commit for name, commit in refs if not name.startswith("refs/bisect/skip-")]


def named(hit: Hit, wanted: str) -> bool:
    """Return whether a hit, or what is folded into it, is of a page, or of a section of one."""
    shown = (hit.passage, *hit.folded)
    return any(wanted in (passage.path, f"{passage.path}#{passage.anchor}") for passage in shown)


def bisecting(repository: Repository) -> bool:
    """Return whether a bisect is going on here."""
    path = repository.git.line("rev-parse", "--path-format=absolute", "--git-path", "BISECT_LOG")
    from pathlib import Path

    return Path(path).exists()
