"""Pages that people name by their path: whether a tree has them, and which they may have meant."""

from bisect import bisect_left
from collections.abc import Iterable

from mfgit.index.searcher import Searcher


def place(searcher: Searcher, page: str) -> int | None:
    """Return the position of a page's first passage, None for a page that is not among those searched."""
    size = len(searcher.view.documents)
    at = bisect_left(range(size), page, key=lambda position: searcher.passage(position).path)  # a view is in their order
    return at if at < size and searcher.passage(at).path == page else None


def absent(searcher: Searcher, pages: Iterable[str]) -> frozenset[str]:
    """Return those of some pages that are not among the pages searched."""
    return frozenset(page for page in pages if place(searcher, page) is None)


def sections(searcher: Searcher, page: str) -> list[str]:
    """Return the sections of a page as `PATH#ANCHOR`; none for a page that is not there."""
    first = place(searcher, page)
    passages = () if first is None else map(searcher.passage, searcher.view.page(first))
    return [f"{passage.path}#{passage.anchor}" for passage in passages]


def hint(searcher: Searcher, name: str) -> str:
    """Return the sentence that helps whoever named a page, or a section of one, that is not there."""
    import difflib

    page, mark, _ = name.partition("#")
    names = sections(searcher, page) if mark else []
    names = names or [searcher.passage(start).path for start in searcher.view.starts]
    near = difflib.get_close_matches(name if mark and "#" in names[0] else page, names, 1, 0.6) if names else []
    return f"Did you mean {near[0]}?" if near else "Pages are named by their path from the top of the repository."
