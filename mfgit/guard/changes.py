"""What differs between two trees, as Git's raw diff says it, and the raw trees themselves.

Trees are read as bytes, since a crafted one may hold names that no checkout could write: twice the same, unsorted, `..`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mfgit import layout
from mfgit.plumbing import DIFF_FLAGS, Git, GitFailedError

ABSENT = "000000"
FOLDER = "040000"
FILE = "100644"
FOLDER_MODES = frozenset([b"40000", b"040000"])
NO_NAMES = (b"", b".", b"..", b".git", b"git~1")
GITLINK = "160000"
REGULAR = frozenset([FILE, "100755", "100664"])


class Change(NamedTuple):
    """One raw diff entry that is no folder. Modes are six digits, `000000` where there is nothing; ids are in hex.

    `stages` holds, for a file that the automatic merge could not decide, the ids in base, ours and theirs ("" for none).
    """

    path: str
    old_mode: str
    new_mode: str
    old: str
    new: str
    stages: tuple[str, str, str] | None = None


class Diff(NamedTuple):
    """The changes between two trees, and the folders that are new or changed: path -> tree id, `""` for the top.

    `made` are those of them that were no folders before, `gone` the paths that were folders and are none now.
    """

    changes: tuple[Change, ...]
    folders: Mapping[str, str]
    made: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()


class Merged(NamedTuple):
    """The tree of an automatic merge and its conflicts: path -> stage -> (mode, id). `tree` is None without a merge."""

    tree: str | None
    conflicts: Mapping[str, Mapping[str, tuple[str, str]]]


class Listing(NamedTuple):
    """The entries of a raw tree in its order: their names, and the keys Git orders them by (a folder's ends in `/`)."""

    names: tuple[bytes, ...]
    keys: tuple[bytes, ...]


def diff(git: Git, pairs: Sequence[tuple[str, str]]) -> list[Diff]:
    """Return what differs in each pair of tree ids, by one `git diff-tree`."""
    asked = list(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]))
    if len(asked) == 1:
        found = read_answer(git.out("diff-tree", *DIFF_FLAGS, "-t", *asked[0]), asked, headers=False)
    else:
        lines = "".join(f"{old} {new}\n" for old, new in asked).encode()
        found = read_answer(git.out("diff-tree", *DIFF_FLAGS, "-t", "--stdin", stdin=lines), asked, headers=True)
    return [found.get(pair) or Diff((), {"": pair[1]}) for pair in pairs]


def read_answer(out: bytes, asked: Sequence[tuple[str, str]], *, headers: bool) -> dict[tuple[str, str], Diff]:
    """Return what `diff-tree` answered about each pair; with `headers` a line with its two trees stands before each.

    Raises `GitFailedError` for what is no such answer to the last byte.
    """
    found, at = {}, 0
    try:
        for pair in asked:
            header = f"{pair[0]} {pair[1]}\n".encode() if headers else b""
            if not out.startswith(header, at):
                break
            found[pair], at = read_records(out, at + len(header), pair[1])
    except ValueError:
        at = -1
    if at != len(out) or len(found) < len(asked):
        raise GitFailedError("git diff-tree answered something else than it was asked.")
    return found


def read_records(out: bytes, at: int, tree: str) -> tuple[Diff, int]:
    """Read raw records from a position up to what is none; return them and where they end."""
    changes, folders = [], {"": tree}
    made, gone = set(), set()
    while out.startswith(b":", at):
        middle = out.index(b"\0", at)
        end = out.index(b"\0", middle + 1)
        old_mode, new_mode, old, new = out[at + 1 : middle].decode().split(" ")[:4]
        path = out[middle + 1 : end].decode("utf-8", "surrogateescape")
        if new_mode == FOLDER:
            folders[path] = new
            if old_mode != FOLDER:
                made.add(path)
        elif old_mode == FOLDER:
            gone.add(path)
        else:
            changes.append(Change(path, old_mode, new_mode, old, new))
        at = end + 1
    return Diff(tuple(changes), folders, frozenset(made), frozenset(gone)), at


def read_tree(data: bytes, id_bytes: int) -> Listing:
    """Return what a raw tree lists; raises `ValueError` for one that is cut off."""
    names, keys, at = [], [], 0
    while at < len(data):
        space = data.index(b" ", at)
        end = data.index(b"\0", space)
        name = data[space + 1 : end]
        names.append(name)
        keys.append(name + b"/" if data[at:space] in FOLDER_MODES else name)
        at = end + 1 + id_bytes
    if at != len(data):
        raise ValueError("a tree is cut off")
    return Listing(tuple(names), tuple(keys))


def tree_fault(listing: Listing) -> str:
    """Return what is wrong with a raw tree, nothing when Git itself would write it so."""
    names = listing.names
    if len(set(names)) < len(names):
        twice = next(name for number, name in enumerate(names) if name in names[:number])
        return f"holds the name {twice.decode('utf-8', 'surrogateescape')!r} twice"
    together = b"\0" + b"\0".join(names).lower() + b"\0"
    if names and (b"/" in together or any(b"\0" + name + b"\0" in together for name in NO_NAMES)):
        return "holds a name that no folder may have"
    return "is not in order" if listing.keys != tuple(sorted(listing.keys)) else ""


def twin(listing: Listing, name: str) -> str:
    """Return another name in a listing that is the same where case and composition do not count, nothing without one."""
    if name.isascii() and all(map(bytes.isascii, listing.names)):
        same = [other.decode() for other in listing.names if other.lower() == name.lower().encode()]
    else:
        folded = layout.fold(name)
        texts = (other.decode("utf-8", "surrogateescape") for other in listing.names)
        same = [other for other in texts if layout.fold(other) == folded]
    return next((other for other in same if other != name), "")


def automatic_merge(git: Git, ours: str, theirs: str) -> Merged:
    """Return what Git makes of merging two commits by itself."""
    flags = ("--write-tree", "-z", "--no-messages", "--allow-unrelated-histories")
    done = git.run("merge-tree", *flags, ours, theirs, ok=(0, 1))
    tree, *records = done.out.split(b"\0")
    conflicts: dict[str, dict[str, tuple[str, str]]] = {}
    for record in records:
        meta, _, path = record.partition(b"\t")
        if path:
            mode, oid, stage = meta.decode().split(" ")
            conflicts.setdefault(path.decode("utf-8", "surrogateescape"), {})[stage] = (mode, oid)
    return Merged(tree.decode(), conflicts)


def automatic_octopus(git: Git, parents: Sequence[str]) -> Merged:
    """Return what Git makes of merging several commits one after the other; no tree when one of them conflicts."""
    at = parents[0]
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in IDENTITY.items()}
    merged = Merged(None, {})
    for parent in parents[1:]:
        merged = automatic_merge(git, at, parent)
        if merged.conflicts or merged.tree is None:
            return Merged(None, {})
        at = git.line("commit-tree", merged.tree, "-p", at, "-p", parent, "-m", "check", environment=who)
    return merged


IDENTITY = {"NAME": "mfgit", "EMAIL": "mfgit@localhost", "DATE": "@0 +0000"}
"""Whose name stands in the unreferenced commits that an octopus merge is checked with."""


def with_conflicts(found: Diff, merged: Merged, entries: Mapping[str, tuple[str, str]]) -> Diff:
    """Return a merge's difference from the automatic merge, with the stages of what that could not decide.

    `entries` has mode and id of the conflicted paths as the merge commit holds them.
    """
    changes = [change for change in found.changes if change.path not in merged.conflicts]
    for path, stages in merged.conflicts.items():
        mode, oid = entries.get(path, (ABSENT, ""))
        ids = tuple(stages.get(number, ("", ""))[1] for number in "123")
        old_mode, old = stages.get("2") or stages.get("3") or stages["1"]
        changes.append(Change(path, old_mode, mode, old, oid, (ids[0], ids[1], ids[2])))
    return found._replace(changes=tuple(changes))


def landing_changes(found: Diff, merged: Merged) -> Diff:
    """Return what a merge would land; where it conflicts, what theirs changed since the base stands for it."""
    changes = [change for change in found.changes if change.path not in merged.conflicts]
    for path, stages in merged.conflicts.items():
        (old_mode, old), (mode, oid) = (stages.get(number, (ABSENT, "")) for number in "13")
        changes.append(Change(path, old_mode, mode, old, oid))
    return found._replace(changes=tuple(changes))


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders that a path lies in, `""` for the top first."""
    yield ""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
