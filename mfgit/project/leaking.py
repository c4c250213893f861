"""What is about to enter Git, or did in a range of commits, and must not: archive files, and secrets in overlays."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mfgit.config import is_url
from mfgit.errors import BadInput
from mfgit.guard.rules import Violation
from mfgit.layout import FOLDER_MARKERS
from mfgit.leaks import File, find
from mfgit.plumbing import DIFF_FLAGS, Git, decode
from mfgit.project.base import Repository
from mfgit.sections import ArchiveConfig

LARGEST = 1 << 26
"""Bytes up to which a file is read: 64 MiB. A larger one is judged by its place and name."""
AT_ONCE = 1 << 26
"""Bytes of files that are in memory at the same time, and one file more."""
PLAIN = ("100644", "100755", "100664")


def staged(repository: Repository, allowed: Sequence[str] = ()) -> list[Violation]:
    """Return what is staged and must not enter Git; what a merge takes over from one side as it is counts as there already."""
    git = repository.git
    head = git.commit_of("HEAD") or git.out("mktree", stdin=b"").decode().strip()
    added = [changed(git, parent) for parent in (head, *merge_heads(git))]
    entries = [entry for entry in added[0].items() if all(entry in other.items() for other in added[1:])]
    files = read(git, [(path, mode, oid) for path, (mode, oid) in entries])
    return [Violation(*leak) for leak in find(files, folders(repository), allowed)]


def in_range(repository: Repository, text: str, allowed: Sequence[str] = ()) -> list[Violation]:
    """Return what the commits of `BASE..HEAD` brought into Git, also where a later one took it out again."""
    git = repository.git
    base, dots, head = text.partition("..")
    for name in (base, head):
        if not dots or git.commit_of(name) is None:
            raise BadInput(f"{text!r} is not a range of commits of this clone.", "Write --range BASE..HEAD; fetch them first.")
    if git.line("rev-parse", "--is-shallow-repository") != "false":
        raise BadInput("This clone is shallow, so not every commit can be seen.", "Run git fetch --unshallow.")
    commits = git.out("rev-list", "--reverse", "--topo-order", head, f"^{base}").decode().split()
    flags = ("--root", "-m", "--no-commit-id", "--diff-filter=d", *DIFF_FLAGS)
    seen: set[tuple[str, str, str]] = set()
    known = {(path, *entry) for path, entry in tree(git, base).items()}
    found = []
    for commit in commits:
        out = git.out("diff-tree", *flags, commit)
        new = dict.fromkeys((path, mode, oid) for path, (mode, oid) in records(out).items())
        fresh = [entry for entry in new if entry not in seen and entry not in known]
        seen.update(fresh)
        found += [Violation(*leak, commit) for leak in find(read(git, fresh), folders(repository), allowed)]
    return found


def folders(repository: Repository) -> tuple[str, ...]:
    """Return the folders of the archive that lie in the repository: those set, and those that are usual."""
    wanted = [folder for places in (repository.config.archive, ArchiveConfig()) for folder in (places.chat, places.sessions)]
    wanted = [folder for folder in wanted if not is_url(folder)]
    top = os.path.realpath(repository.folder)
    inside = {os.path.relpath(os.path.realpath(repository.folder / folder), top).replace(os.sep, "/") for folder in wanted}
    return tuple(sorted(folder for folder in inside if folder != "." and not folder.startswith("..")))


class Held(NamedTuple):
    """Where Git has a file: in the index, in a commit."""

    indexed: bool
    committed: bool


def tracked(repository: Repository, commit: str) -> dict[str, Held]:
    """Return the files in folders of the archive that are in the index or in a commit, sorted by path.

    Files are known by where they lie alone; none is read.
    """
    git, places = repository.git, folders(repository)
    if not places:
        return {}
    listed = b""
    if repository.top is not None:
        listed = git.out("--literal-pathspecs", "ls-files", "-z", "--full-name", "--", *places)
    index = {decode(path) for path in listed.split(b"\0")[:-1]}
    committed = {decode(entry.path) for entry in git.tree(commit, *places)}
    found = sorted(path for path in index | committed if path.rsplit("/", 1)[-1] not in FOLDER_MARKERS)
    return {path: Held(path in index, path in committed) for path in found}


def merge_heads(git: Git) -> list[str]:
    """Return the commits that are being merged; a clean merge is named in the environment only."""
    named = [name.removeprefix("GITHEAD_") for name in os.environ if name.startswith("GITHEAD_")]
    return [commit for commit in map(git.commit_of, ["MERGE_HEAD", *named]) if commit]


def changed(git: Git, treeish: str) -> dict[str, tuple[str, str]]:
    """Return what is staged and differs from a tree: path -> (mode, id)."""
    return records(git.out("diff-index", "--cached", "--diff-filter=d", *DIFF_FLAGS, treeish))


def tree(git: Git, commit: str) -> dict[str, tuple[str, str]]:
    """Return every file of a commit: path -> (mode, id)."""
    return {decode(entry.path): (entry.mode, entry.oid) for entry in git.tree(commit)}


def records(out: bytes) -> dict[str, tuple[str, str]]:
    """Return the new side of raw records: path -> (mode, id)."""
    fields = out.split(b"\0")[:-1]
    found = {}
    for meta, path in zip(fields[::2], fields[1::2], strict=True):
        _, mode, _, oid, _ = meta.decode().split(" ")
        found[path.decode("utf-8", "surrogateescape")] = (mode, oid)
    return found


def read(git: Git, entries: Iterable[tuple[str, str, str]]) -> Iterator[File]:
    """Yield files with their bytes, a bounded number of bytes at a time; links, submodules and very large ones without."""
    entries = list(entries)
    sizes = sizes_of(git, {oid for _, mode, oid in entries if mode in PLAIN})
    group: list[tuple[str, str]] = []
    room = AT_ONCE
    for path, _, oid in entries:
        if sizes.get(oid, LARGEST + 1) > LARGEST:
            yield File(path, None)
            continue
        group.append((path, oid))
        room -= sizes[oid]
        if room < 0:
            yield from contents(git, group)
            group, room = [], AT_ONCE
    yield from contents(git, group)


def contents(git: Git, group: Sequence[tuple[str, str]]) -> Iterator[File]:
    """Yield files with their bytes."""
    for (path, _), blob in zip(group, git.blobs(oid for _, oid in group), strict=True):
        yield File(path, blob.data)


def sizes_of(git: Git, oids: Iterable[str]) -> Mapping[str, int]:
    """Return the size in bytes of every object that is there."""
    wanted = "".join(f"{oid}\n" for oid in sorted(oids)).encode()
    lines = git.out("cat-file", "--batch-check", stdin=wanted).decode().splitlines() if wanted else []
    return {words[0]: int(words[2]) for words in map(str.split, lines) if len(words) == 3}
