"""Moving the target to a ready commit, without losing anything in the checkout that has it.

Where the target is checked out, here or in a linked worktree, Git's own fast-forward merge moves it: staged and unstaged
work stays, and what would be lost makes it refuse. Git writes the files first and the ref last, so where the ref cannot
move the files are put back. Elsewhere the ref moves, if it still is where it was.
"""

import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mfgit.errors import Refusal
from mfgit.plumbing import Git
from mfgit.repo.reasons import reason as reason_of
from mfgit.repo.worktrees import worktrees
from mfgit.repo.writing import Moved, RefChange, move

MERGE = ("merge", "--ff-only", "--quiet", "--no-stat", "--no-autostash", "--no-overwrite-ignore", "--no-verify-signatures")


def land(git: Git, target: str, old: str, new: str, reason: str) -> None:
    """Move the branch `target` from `old` to `new`, a descendant.

    Raises `Moved` when it is not at `old` any more, `Refusal` when a file in its checkout would be lost. Runs the hooks
    that Git runs for a fast-forward: reference-transaction and post-merge.
    """
    for tree in worktrees(git):
        if tree.branch == target:
            fast_forward(tree.folder, target, old, new)
            return
    move(git, [RefChange(target, new, old)], reason)


def fast_forward(folder: str, target: str, old: str, new: str) -> None:
    """Let Git fast-forward a checkout; where it fails, the checkout is as it was."""
    here = Git(folder)
    if here.run("symbolic-ref", "--quiet", "HEAD", ok=None).out.decode().strip() != target:
        raise Refusal(f"A rebase of the target is going on in {folder}.", "Finish it there, then run the command again.")
    desk = Desk.of(here, old, new)
    desk.check_writable()
    done = here.run(*MERGE, new, ok=None)
    if done.code == 0 or here.commit_of(target) == new:
        return
    said = done.err.decode("utf-8", "replace")
    if "would be overwritten" not in said:
        desk.put_back()
    if "fast-forward" in said:
        raise Moved("The target moved at the same moment, so nothing was changed.", "Run the command again.")
    raise refusal(folder, done.err)


class Desk(NamedTuple):
    """The files of a checkout that a move from `old` to `new` writes, and which were not as the staging area has them."""

    git: Git
    old: str
    new: str
    paths: tuple[bytes, ...]
    busy: Collection[bytes]

    @classmethod
    def of(cls, git: Git, old: str, new: str) -> "Desk":
        """Look at a checkout before the move."""
        top = Git(git.line("rev-parse", "--show-toplevel"))
        paths = tuple(filter(None, top.out("diff-tree", "-r", "-z", "--no-renames", "--name-only", old, new).split(b"\0")))
        return cls(top, old, new, paths, frozenset(changed(top, paths)))

    def check_writable(self) -> None:
        """Raise `Refusal` for a folder that may not be written: Git would move on and leave there what it cannot remove."""
        top = Path(self.git.folder)
        for path in self.paths:
            folder = next(place for place in (top / os.fsdecode(path)).parents if place.is_dir())
            if not os.access(folder, os.W_OK):
                raise Refusal(f"{folder} may not be written, so nothing was changed.", "Make it writable, then run it again.")

    def put_back(self) -> None:
        """Bring what is staged and the files back to where they were; what a person had changed is not touched."""
        head = self.git.commit_of("HEAD") or self.old
        staged = self.git.out("--literal-pathspecs", "diff-index", "--cached", "--name-only", "-z", self.old, "--", *self.paths)
        if staged and self.git.run("read-tree", "-m", "-u", self.new, head, ok=None).code:
            raise Refusal(
                f"The branch could not move, and its change is left staged in {self.git.folder}.",
                f"See git status; take the change out with: git read-tree -m -u {self.new[:12]} HEAD",
            )
        halves = [path for path in changed(self.git, self.paths) if path not in self.busy]
        before = self.git.out("ls-tree", "-r", "-z", "--name-only", "--full-tree", head).split(b"\0")
        held = [path for path in halves if path in set(before)]
        self.git.run("checkout-index", "-f", "-z", "--stdin", stdin=b"".join(path + b"\0" for path in held), ok=None)
        for path in halves:
            if path not in held:
                remove(Path(self.git.folder), os.fsdecode(path))


def changed(git: Git, paths: Collection[bytes]) -> list[bytes]:
    """Return which of the paths are not as the staging area has them; all of them where Git cannot tell."""
    if not paths:
        return []
    done = git.run("--literal-pathspecs", "ls-files", "-z", "--modified", "--others", "--", *paths, ok=None)
    return list(dict.fromkeys(filter(None, done.out.split(b"\0")))) if done.code == 0 else list(paths)


def remove(top: Path, path: str) -> None:
    """Remove a file that Git had begun to write, and the folders that it made for it."""
    with suppress(OSError):
        (top / path).unlink(missing_ok=True)
        for folder in (top / path).parents:
            if folder == top:
                return
            folder.rmdir()


def refusal(folder: str, error: bytes) -> Refusal:
    """Return Git's refusal in one sentence."""
    said = error.decode("utf-8", "replace")
    files = [line.strip() for line in said.split("\n") if line.startswith("\t")]
    if files:
        named = ", ".join(files[:3]) + (f" and {len(files) - 3} more" if len(files) > 3 else "")
        return Refusal(
            f"It would overwrite {named} in {folder}, which has work that is not committed.",
            "Commit or move that work away, then run the command again.",
        )
    if "MERGE_HEAD" in said or "CHERRY_PICK_HEAD" in said or "unresolved" in said or "unmerged" in said:
        return Refusal(
            f"A merge is going on in {folder}.", "Finish it there (or git merge --abort), then run the command again."
        )
    why, hint = reason_of(error)
    return Refusal(f"Git would not move the checkout in {folder}: {why}. Nothing was changed.", hint)
