"""Merging a proposal into the target without a checkout: `merge-tree`, and `index.json` by meaning.

No two proposals share a file under `_forged/`, so what a branch says of its own files is what the result holds. Of
`index.json` no line merge is ever trusted: its lists are merged as lists.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from mfgit import aliases
from mfgit.errors import BadInput
from mfgit.plumbing import Git, GitFailedError, decode
from mfgit.repo.known import FRONT_ID


class Merge(NamedTuple):
    """A merged tree: start from `tree`, put `files` over it. `conflicts` are paths that only a person can settle."""

    tree: str
    files: Mapping[str, bytes | None]
    conflicts: tuple[str, ...]


def merge(git: Git, ours: str, theirs: str, own: Collection[str], alias_path: str) -> Merge:
    """Merge the commit `theirs` into the commit `ours`.

    `own` are the paths that belong to the proposal alone, `alias_path` is the path of its root's `index.json`. Raises
    `BadInput` for an `index.json` that cannot be read and for histories without a common commit.
    """
    base = git.run("merge-base", ours, theirs, ok=(0, 1)).out.decode().split()
    if not base:
        raise BadInput("The branch and the target have no commit in common.", "Run mfgit scan to make the proposal again.")
    done = git.run(
        "-c", "merge.renames=false", "-c", "merge.directoryRenames=false",
        "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs, ok=(0, 1),
    )  # fmt: skip
    tree, *names = decode(done.out).rstrip("\0").split("\0")
    old, mine, new = (blob.data for blob in git.blobs(f"{commit}:{alias_path}" for commit in (base[0], ours, theirs)))
    files: dict[str, bytes | None] = {}
    if old is not None and mine is not None and new is not None and new != old:
        files[alias_path] = new if mine == old else aliases.merge(old, mine, new, alias_path)
    for path, blob in zip(own, git.blobs(f"{theirs}:{path}" for path in own), strict=True):
        files[path] = blob.data
    return Merge(tree, files, tuple(sorted(set(filter(None, names)) - files.keys())))


def own_files(git: Git, commit: str, identity: str, root: str) -> dict[str, str]:
    """Return path -> blob of the files under a root's `_forged/` that belong to one proposal, by name or by front matter."""
    folder = "_forged" if root == "." else f"{root}/_forged"
    found = {decode(entry.path): entry.oid for entry in git.tree(commit, folder) if entry.kind == "blob"}
    own = {path: blob for path, blob in found.items() if belongs(path, identity)}
    grepped = git.run("grep", "-l", "-z", "-I", "-F", identity, commit, "--", f":(literal){folder}", ok=(0, 1))
    naming = {path.partition(":")[2] for path in decode(grepped.out).split("\0")}
    maybe = {path: found[path] for path in naming & found.keys() - own.keys() if path.endswith(".md")}
    for path, data in blob_texts(git, maybe).items():
        if identity.encode() in FRONT_ID.findall(data.partition(b"\n---")[0]):
            own[path] = found[path]
    return own


def belongs(path: str, identity: str) -> bool:
    """Tell whether the name of a file says that it belongs to a proposal."""
    named = path.endswith((f"-{identity}.md", f"/proposals/{identity}.json"))
    return named or any(part.endswith(f"-{identity}") for part in path.split("/")[:-1])


def blob_texts(git: Git, blobs: Mapping[str, str]) -> dict[str, bytes]:
    """Return path -> bytes for path -> blob."""
    return {path: blob.data or b"" for path, blob in zip(blobs, git.blobs(blobs.values()), strict=True)}


def tree_of(git: Git, commit: str) -> str:
    """Return the tree of a commit."""
    found = git.run("rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}", ok=None)
    if found.code:
        raise GitFailedError(f"The commit {commit} is not here.", "In a shallow clone, run git fetch --unshallow.")
    return found.out.decode().strip()
