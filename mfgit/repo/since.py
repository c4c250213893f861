"""What changed on the target since the branches of open proposals were cut, and when: from Git alone, so every clone agrees."""

from collections.abc import Mapping
from datetime import UTC, datetime

from mfgit.plumbing import Git, decode
from mfgit.repo.branches import HEADS
from mfgit.repo.known import Survey
from mfgit.repo.worktrees import checked_out

FLAGS = ("--first-parent", "--diff-merges=first-parent", "--name-only", "-z", "--no-renames", "--no-show-signature")
WAITS = ("open", "stale")


def changes(git: Git, target: str, state: Survey, start: datetime) -> dict[str, Mapping[str, datetime]]:
    """Return, for each open proposal that no person edited or has checked out: path -> when it last changed.

    Only changes since the branch was cut count. Those from before `start` are left out: what users said of those is not known.
    """
    busy = checked_out(git)
    bases = {
        one.id: branch.base
        for one in state.known
        if one.status in WAITS and HEADS + one.id not in busy
        if (branch := state.branches.get(one.id)) and branch.base and not branch.edited
    }
    found = {
        base: {path: when for path, when in between(git, base, target).items() if when >= start}
        for base in sorted(set(bases.values()) - {target})
    }
    return {identity: found[base] for identity, base in bases.items() if found.get(base)}


def between(git: Git, base: str, target: str) -> dict[str, datetime]:
    """Return the paths in which two commits differ -> when the target last changed each."""
    differ = git.out("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", base, target).split(b"\0")
    out = git.out("log", *FLAGS, "--format=%x01%ct", "--end-of-options", f"{base}..{target}")
    last: dict[bytes, datetime] = {}
    newest = datetime.fromtimestamp(int(git.line("log", "-1", "--format=%ct", "--no-show-signature", target)), UTC)
    for block in out.split(b"\1")[1:]:
        head, *paths = block.split(b"\0")
        when = datetime.fromtimestamp(int(head), UTC)
        for path in paths:
            last.setdefault(path.lstrip(b"\n"), when)
    return {decode(path): last.get(path, newest) for path in differ if path}
