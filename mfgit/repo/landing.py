"""Moving the target to a ready commit, without losing anything in the checkout that has it.

Where the target is checked out, here or in a linked worktree, Git's own fast-forward merge moves it: staged and unstaged
work stays, and what would be lost makes it refuse. Elsewhere the ref moves, if it still is where it was.
"""

from mfgit.errors import Refusal
from mfgit.plumbing import Git
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
            fast_forward(tree.folder, target, new)
            return
    move(git, [RefChange(target, new, old)], reason)


def fast_forward(folder: str, target: str, new: str) -> None:
    """Let Git fast-forward a checkout."""
    here = Git(folder)
    if here.run("symbolic-ref", "--quiet", "HEAD", ok=None).out.decode().strip() != target:
        raise Refusal(f"A rebase of the target is going on in {folder}.", "Finish it there, then run the command again.")
    done = here.run(*MERGE, new, ok=None)
    if done.code == 0:
        return
    said = done.err.decode("utf-8", "replace")
    if "fast-forward" in said:
        raise Moved("The target moved at the same moment, so nothing was changed.", "Run the command again.")
    raise refusal(folder, said)


def refusal(folder: str, said: str) -> Refusal:
    """Return Git's refusal in one sentence."""
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
    lines = [line for line in said.strip().split("\n") if line]
    return Refusal(f"Git would not move the checkout in {folder}: {lines[0] if lines else 'no reason given'}.")
