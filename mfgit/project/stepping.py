"""From the last tree that was indexed to one that differs little: what Git says has changed, instead of every file.

Only changes that touch nothing but their own pages are followed, new overlays among them: that is what adopting most
proposals makes. For all others (settings, aliases, what overlays are based on, roots that come or go) the tree is read whole.
Both ways give the same view.
"""

import json
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mfgit import config, layout
from mfgit.index import view
from mfgit.index.last import Step, Steps
from mfgit.layout import Root
from mfgit.plumbing import DIFF_FLAGS, Git, decode, encode

if TYPE_CHECKING:
    from mfgit.tree import reading

SPECIAL = (config.FILE_NAME, layout.ALIASES)
"""Names of files on which other pages depend."""
FEW = 8
SHARE = 8
"""A tree of which more than a few files differ, and more than one for so many pages, is read whole."""
ADDED = "000000"
RECORDS = "/proposals"
"""The end of the folder of records beside overlays: no page lies in it, whatever root it might be."""
KINDS = {"original": view.ORIGINAL, "overlay": view.OVERLAY}


class Origin(NamedTuple):
    """What there is to know of the last tree: the `paths` of its pages in order, and what its other pages depend on.

    `roots` and `endings` tell what a page is, `starred` that roots depend on which files there are; `wordings` are pages'
    aliases, `listed` tells of an `index.json`, `wrong` of a problem in one or elsewhere; overlays are based on `watched`.
    """

    paths: list[str]
    roots: tuple[Root, ...]
    endings: tuple[str, ...]
    starred: bool
    listed: bool
    wrong: bool
    wordings: Mapping[str, Sequence[str]]
    watched: frozenset[str]


class Change(NamedTuple):
    """One changed file: its path and blob (empty: it is gone), and whether it is new."""

    path: str
    blob: str
    new: bool


def origin(tree: "reading.Tree", watched: Iterable[str]) -> bytes:
    """Return what is kept of a tree, and of what its overlays are based on."""
    said = {
        "roots": tree.rules.roots,
        "endings": tree.rules.endings,
        "starred": tree.rules.starred,
        "listed": any(layout.aliases_path(root) in tree.blobs for root in tree.rules.roots),
        "wrong": bool(tree.problems),
        "wordings": {page.path: page.aliases for page in tree.pages if page.aliases},
        "watched": sorted(set(watched)),
    }
    return dumped(said, [page.path for page in tree.pages])


def dumped(said: object, paths: Sequence[str]) -> bytes:
    """Return the bytes of an origin."""
    return encode("\0".join((json.dumps(said), *paths)))


def loaded(data: bytes) -> tuple[dict[str, object], Origin]:
    """Return what `dumped` was given, and the origin; raises `ValueError` and `KeyError` for anything else."""
    head, *paths = decode(data).split("\0")
    said = json.loads(head)
    roots = tuple(Root(*root) for root in said["roots"])
    flags = said["starred"], said["listed"], said["wrong"]
    return said, Origin(paths, roots, tuple(said["endings"]), *flags, said["wordings"], frozenset(said["watched"]))


def compare(git: Git, before: str, after: str, data: bytes, pages: "dict[str, reading.Page]") -> Steps | None:
    """Return what differs between two trees, given what `origin` kept of the first; None where it has to be read whole.

    `pages` takes the pages that are new, by their keys.
    """
    said, known = loaded(data)
    changes = changed(git, before, after)
    if changes is None or len(changes) > max(FEW, len(known.paths) // SHARE):
        return None
    kinds = [kind(known, change) for change in changes]
    if "whole" in kinds:
        return None
    ours = sorted((change, what) for change, what in zip(changes, kinds, strict=True) if what)
    sources = sources_of(git, [change for change, what in ours if what == "overlay" and change.blob])
    stale = stale_among(git, after, sources)
    paths = list(known.paths)
    steps = [*stepped(known, ours, stale, pages)]
    for step, (change, _) in zip(reversed(steps), reversed(ours), strict=True):
        paths[step.at : step.at + step.out] = [change.path] if change.blob else []
    if known.starred and not all(neighboured(known.paths if each.new else paths, each) for each in changes):
        return None
    watched = known.watched.union(path for based in sources.values() for path, _ in based)
    return Steps(steps, dumped({**said, "watched": sorted(watched)}, paths))


def sources_of(git: Git, overlays: Sequence[Change]) -> dict[str, Sequence[tuple[str, str]]]:
    """Return overlay → the originals (path, blob) that it was written from."""
    from mfgit.tree import reading

    pages = [reading.Page(change.path, change.blob, "overlay") for change in overlays]
    blobs = git.blobs(page.blob for page in pages)
    return {page.path: reading.passages(page, blob.data or b"").based_on for page, blob in zip(pages, blobs, strict=True)}


def stale_among(git: Git, tree: str, sources: Mapping[str, Sequence[tuple[str, str]]]) -> set[str]:
    """Return those overlays whose originals are not in the tree as they were."""
    from mfgit.tree import reading

    wanted = sorted({path for based in sources.values() for path, _ in based if plain(path)})
    found = git.tree(tree, *wanted) if wanted else []
    blobs = {decode(entry.path): entry.oid for entry in found if entry.mode in reading.FILE_MODES}
    return {path for path, based in sources.items() if reading.changed_sources(based, blobs)}


def plain(path: str) -> bool:
    """Tell whether a path that an overlay names can be one of a tree: Git refuses to look for what leads out of it."""
    return {"", ".", ".."}.isdisjoint(path.split("/"))


def stepped(
    known: Origin, changes: Iterable[tuple[Change, str]], stale: Collection[str], pages: "dict[str, reading.Page]"
) -> Iterator[Step]:
    """Yield the steps of pages that changed, in order of their paths."""
    from mfgit.tree import reading

    for (path, blob, _), what in changes:
        at = bisect_left(known.paths, path)
        out = at < len(known.paths) and known.paths[at] == path
        if not blob:
            yield Step(at, out)
            continue
        page = reading.Page(path, blob, what, tuple(known.wordings.get(path, ())))
        pages[page.key] = page
        yield Step(at, out, page.key, view.STALE if path in stale else KINDS[what])


def changed(git: Git, before: str, after: str) -> list[Change] | None:
    """Return the files that differ between two trees, None where one is not there or something other than a file differs."""
    from mfgit.tree.reading import FILE_MODES

    done = git.run("diff-tree", *DIFF_FLAGS, before, after, ok=None)
    if done.code:
        return None
    parts = done.out.split(b"\0")
    found = []
    for meta, path in zip(parts[:-1:2], parts[1::2], strict=True):
        old, new, _, oid, _ = meta.decode("ascii").removeprefix(":").split()
        if not {old, new} <= {ADDED, *FILE_MODES}:
            return None
        found.append(Change(decode(path), "" if new == ADDED else oid, old == ADDED))
    return found


def kind(known: Origin, change: Change) -> str | None:
    """Return what a page is that changed and nothing else with it, None for no page, "whole" for all else."""
    from mfgit.tree import reading

    path = change.path
    if path.rsplit("/", 1)[-1] in SPECIAL or path in known.watched or reading.undecodable(path):
        return "whole"
    what = reading.kind_of(path, known.roots, known.endings)
    if (what and not change.blob and known.listed) or (what and change.new and known.wrong):
        return "whole"
    return what


def neighboured(paths: Sequence[str], change: Change) -> bool:
    """Tell whether a file that came or went has no say in which folders there are: a page lies beside or below it."""
    if change.blob and not change.new:
        return True
    folder = change.path.rpartition("/")[0]
    folder = folder.removesuffix(RECORDS) if f"/{folder}".endswith(f"/{layout.FORGED}{RECORDS}") else folder
    at = bisect_left(paths, f"{folder}/")
    return not folder or (at < len(paths) and paths[at].startswith(f"{folder}/"))
