"""What `init` finds in a repository: its pages, the roots they suggest, the branch that adopts should land on."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from mfgit import layout
from mfgit.plumbing import decode, native
from mfgit.printing import clean_line
from mfgit.project.base import Repository
from mfgit.sections import Config, RootPattern

HELP_FOLDERS = ("help", "docs", "doc", "documentation", "content", "handbook", "knowledge", "wiki")
WORKSPACES = RootPattern("workspaces/*/knowledge", "workspace")


def markdown(repository: Repository, settings: Config) -> list[str]:
    """Return the Markdown of the work tree, tracked or not yet, without links and overlays.

    What is not tracked counts outside hidden folders only: caches and environments live there.
    """
    tracked = listed(repository, "--cached")
    fresh = [name for name in listed(repository, "--others", "--exclude-standard") if visible(name)]
    wanted = tuple(ending.casefold() for ending in settings.guard.originals)
    names = sorted({*tracked, *fresh})
    return [name for name in names if name.casefold().endswith(wanted) and not forged(name) and is_file(repository, name)]


def listed(repository: Repository, *options: str) -> list[str]:
    """Return paths that `git ls-files` lists."""
    out = repository.git.out("ls-files", "-z", "--full-name", *options, "--", ":/")
    return [decode(name) for name in out.split(b"\0") if name]


def visible(name: str) -> bool:
    """Tell whether a path lies outside hidden folders."""
    return not any(part.startswith(".") for part in name.split("/"))


def forged(name: str) -> bool:
    """Tell whether a path is an overlay's."""
    return layout.FORGED in name.split("/")


def is_file(repository: Repository, name: str) -> bool:
    """Tell whether a path of the work tree is a file and no link."""
    place = (repository.top or Path()) / native(name)
    return place.is_file() and not place.is_symlink()


def is_utf8(name: str) -> bool:
    """Tell whether a file name can be written into JSON."""
    return not any("\ud800" <= char <= "\udfff" for char in name)


def find_roots(names: Iterable[str]) -> list[RootPattern]:
    """Return the roots that a tree of pages suggests.

    `workspaces/*/knowledge` when there are such pages; the well-known documentation folder with the most pages, else the only
    folder that has pages, else the whole repository.
    """
    names = list(names)
    workspaces = [name for name in names if layout.expand([WORKSPACES], [name])]
    rest = [name for name in names if name not in set(workspaces)]
    folders = Counter(name.split("/")[0] for name in rest if "/" in name and visible(name))
    known = [folder for folder in folders if folder.casefold() in HELP_FOLDERS]
    found = [WORKSPACES] if workspaces else []
    if known:
        return [RootPattern(max(known, key=lambda folder: folders[folder]), "help"), *found]
    if len(folders) == 1:
        return [RootPattern(next(iter(folders)), "help"), *found]
    return found if workspaces and not folders else [RootPattern(".", "help"), *found]


def empty_roots(roots: Sequence[RootPattern], names: Sequence[str]) -> list[str]:
    """Return the paths of the roots that hold no page."""
    found = {root.path: layout.expand([root], names) for root in roots}
    return [path for path, made in found.items() if not any(layout.root_of(made, name) for name in names)]


def unreadable(names: Iterable[str]) -> list[str]:
    """Return a note about pages that no `index.json` can name."""
    odd = [name for name in names if not is_utf8(name)]
    if not odd:
        return []
    what = f"{len(odd)} page(s) have a name that is not UTF-8 and are not listed, first {clean_line(odd[0])}"
    return [f"{what}; git mv them to list them."]


def outside(roots: Sequence[RootPattern], names: Sequence[str]) -> list[str]:
    """Return a note about Markdown that no root holds."""
    found = layout.expand(roots, names)
    count = sum(layout.root_of(found, name) is None for name in names)
    return [f"{count} Markdown file(s) lie outside the roots: neither searched nor guarded."] if count else []


def target_branch(repository: Repository) -> str:
    """Return the branch that adopts should land on: the remote's default, else main or master, else the current one."""
    done = repository.git.run("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD", ok=None)
    remote = decode(done.out).strip().removeprefix("refs/remotes/origin/")
    for name in filter(None, (remote, "main", "master")):
        if repository.git.commit_of(f"refs/heads/{name}"):
            return name
    return repository.target.removeprefix("refs/heads/")
