"""Which passages of a tree a question may see: those of some knowledge roots, so that one workspace never reads another's."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from mfgit import layout
from mfgit.errors import BadInput
from mfgit.index.searcher import Searcher
from mfgit.layout import Root
from mfgit.plumbing import decode
from mfgit.project import views
from mfgit.project.base import Repository

MOST_KEPT = 100
"""Choices of roots that an open searcher keeps the positions of."""


class Within(NamedTuple):
    """What of a tree may be seen: the chosen roots' paths, and a byte a position, 1 for those below them."""

    roots: tuple[str, ...]
    mask: bytes

    def holds(self, path: str) -> bool:
        """Return whether a path, or a sentence that begins with one, belongs to a chosen root."""
        return any(root == "." or path.startswith(f"{root}/") for root in self.roots)


kept: "WeakKeyDictionary[Searcher, dict[tuple[str, ...], Within]]" = WeakKeyDictionary()
"""Per open searcher: its view never changes, so neither do the positions below a root."""


def within(repository: Repository, where: views.Where, searcher: Searcher, names: Sequence[str]) -> Within:
    """Return what is below some roots, each named by its path or its workspace id; raises `BadInput` for an unknown one."""
    chosen = tuple(names)
    known = kept.setdefault(searcher, {})
    if chosen not in known:
        if len(known) >= MOST_KEPT:
            known.clear()
        known[chosen] = make(searcher, roots_of(repository, where), chosen)
    return known[chosen]


def roots_of(repository: Repository, where: views.Where) -> tuple[Root, ...]:
    """Return the knowledge roots of a tree, by its own `mfgit.toml` or else the checkout's."""
    entries = repository.git.tree(where.tree)
    settings, _ = views.settings_of(repository.git, entries, views.checkout_settings(repository))
    return layout.expand(settings.roots, [decode(entry.path) for entry in entries])


def make(searcher: Searcher, roots: Sequence[Root], names: Sequence[str]) -> Within:
    """Return the positions below the named roots. A root inside another one is its own: its pages are no part of the outer."""
    chosen = {find(roots, name).path for name in names}
    mask = bytearray(len(searcher.view.documents))
    for root in sorted(roots, key=lambda root: 0 if root.path == "." else len(root.path)):
        first, after = span(searcher, root.path)
        mask[first:after] = bytes([root.path in chosen]) * (after - first)
    return Within(tuple(sorted(chosen)), bytes(mask))


def find(roots: Sequence[Root], name: str) -> Root:
    """Return the root of a path or of a workspace id; raises `BadInput` that names the nearest."""
    wanted = name.strip().rstrip("/") or name
    by_path = [root for root in roots if root.path == wanted]
    found = by_path or [root for root in roots if root.workspace_id == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInput(f"{name} is the workspace of several roots.", f"Name one by its path: {listed(found)}.")
    import difflib

    names = [root.path for root in roots] + [root.workspace_id for root in roots if root.workspace_id]
    near = difflib.get_close_matches(wanted, names, 1, 0.6)
    hint = f"The nearest is {near[0]}." if near else f"There are {listed(roots)}." if roots else "There are none."
    raise BadInput(f"There is no knowledge root {name} in this tree.", hint)


def listed(roots: Sequence[Root], most: int = 5) -> str:
    """Return the paths of roots in a sentence, the first of many."""
    more = f" and {len(roots) - most} more" if len(roots) > most else ""
    return ", ".join(root.path for root in roots[:most]) + more


def span(searcher: Searcher, root: str) -> tuple[int, int]:
    """Return the first position below a folder and the one after its last: a view is in the order of its paths."""
    size = len(searcher.view.documents)
    if root == ".":
        return 0, size
    following = f"{root}{chr(ord('/') + 1)}"

    def path(position: int) -> str:
        return searcher.passage(position).path

    return bisect_left(range(size), f"{root}/", key=path), bisect_left(range(size), following, key=path)


def both(one: bytes | None, other: bytes | None) -> bytes | None:
    """Return the positions that two masks (None: all) leave."""
    if one is None or other is None:
        return other if one is None else one
    size = len(one)
    return (int.from_bytes(one, "big") & int.from_bytes(other, "big")).to_bytes(size, "big")


def frequency(searcher: Searcher, mask: bytes, term: str) -> int:
    """Return how many of the passages that may be seen hold a term."""
    return sum(mask[place] for place in searcher.listed("text", term)[0])
