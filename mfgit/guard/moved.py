"""The stage that judges what local branches move to, by whatever command: reference-transaction."""

import os
from collections.abc import Sequence

from mfgit.guard import commits, hooks, moves, policy
from mfgit.guard.commits import Range
from mfgit.guard.moves import Move
from mfgit.guard.policy import Policy
from mfgit.guard.rules import PATCH, Violation
from mfgit.plumbing import Git, Objects


def check(git: Git, state: str, told: Sequence[Move], actor: str) -> list[Violation]:
    """Return every violation of what a transaction moves branches to.

    Only `prepared` can still be refused. Deletions pass, since packing refs tells of them too; and what a branch has already
    is told as a move when refs are packed, so it is left out.
    """
    branches = [one for one in told if one.new and one.ref.startswith(moves.HEADS)] if state == "prepared" else []
    if not branches:
        return []
    with Objects(git) as objects:
        # Git tells zeros for the old value where its caller named none; the ref itself still has it.
        told = [one._replace(old=objects.commit(one.ref)) for one in branches]
        changed = [one for one in told if one.old != one.new]
        violations = judge(objects, changed, policy.find(objects), actor) if changed else []
        if violations and {one.commit for one in violations} & shallow(git):
            commits.require_whole(git)
        return staged_still(objects, changed, violations) if violations else []


def shallow(git: Git) -> frozenset[str]:
    """Return the commits whose parents a shallow clone does not have, so that all they hold looks added."""
    return frozenset(hooks.read(git.path("rev-parse", "--path-format=absolute", "--git-path", "shallow")).decode().split())


def staged_still(objects: Objects, changed: Sequence[Move], violations: list[Violation]) -> list[Violation]:
    """Return violations as of what is staged where a commit, a pick or a revert was refused, which leaves its change there.

    Such a commit stands on the branch as it is and is in no other, so there is nothing that a rebase could stop at.
    """
    git_dir = objects.git.path("rev-parse", "--absolute-git-dir")
    if os.path.exists(os.path.join(git_dir, "rebase-apply", "applying")):
        return [one._replace(form=PATCH) for one in violations]
    new = changed[0].new or ""
    made = objects.id(f"{new}^") if len(changed) == 1 else None
    if made is None or made != changed[0].old:
        return violations
    picked = os.path.exists(os.path.join(git_dir, "MERGE_MSG"))
    if not picked and objects.git.out("for-each-ref", "--count=1", f"--contains={new}"):
        return violations
    return [one._replace(commit="") for one in violations]


def judge(objects: Objects, changed: Sequence[Move], found: Policy, actor: str) -> list[Violation]:
    """Return every violation of what branches move to."""
    if found.tip is None:
        return [violation for one in changed for violation in commits.first(objects, one.new or "")]
    target = policy.branch_of(found)
    tips = remote_tips(objects.git, target)
    proposed = [one.new for one in changed if one.new and commits.is_machine_ref(one.ref)]
    violations = proposals(objects, proposed, found, tips) if proposed else []
    for one in changed:
        if commits.is_machine_ref(one.ref):
            continue
        # What is on a server already is for the server to judge, but for what would land here.
        known = tips if one.ref == target else [commits.REMOTES]
        violations += commits.judge_by(objects, Range(one.old, one.new or "", one.ref, actor), found, known)
    return list(dict.fromkeys(violations))


def proposals(objects: Objects, heads: Sequence[str], found: Policy, tips: Sequence[str]) -> list[Violation]:
    """Return every violation of proposals, from the newest of the target's tips that this clone knows."""
    return commits.proposals(objects, heads, found._replace(tip=policy.newest(objects.git, found.tip, tips)), tips)


def remote_tips(git: Git, target: str) -> list[str]:
    """Return what the target is at the remotes, as far as this clone knows."""
    name = target.removeprefix(moves.HEADS)
    return git.out("for-each-ref", "--format=%(objectname)", f"refs/remotes/*/{name}").decode().split()
