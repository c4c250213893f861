"""The stage that judges what is about to be committed: in pre-commit, pre-merge-commit and commit-msg."""

import os
from collections.abc import Sequence
from typing import NamedTuple

from mfgit.errors import BadInput
from mfgit.guard import changes, commits, hooks, message, policy
from mfgit.guard.gather import assess
from mfgit.guard.policy import Policy
from mfgit.guard.rules import HUMAN, MACHINE, Step, Violation
from mfgit.plumbing import Git, GitFailedError, Objects, decode, native

ROLES = ("AUTHOR", "COMMITTER")


class Place(NamedTuple):
    """Where a commit is being made: the Git directory, the commit-msg hook, the branch ("HEAD" when detached)."""

    git_dir: str
    hook: str
    ref: str


class Situation(NamedTuple):
    """What is being committed: the tree, the commit it goes on (None: the first), and what it merges."""

    place: Place
    tree: str
    head: str | None
    others: tuple[str, ...]


def check(git: Git, written: bytes | None = None) -> list[Violation]:
    """Return every violation of what is staged; `written` is the commit message where that is known.

    Raises `BadInput` when the staging area has conflicts, or the settings cannot be read and it is the machine that commits.
    """
    with Objects(git) as objects:
        now = look(objects)
        found = policy.find(objects)
        emails = committing(objects.git)
        lane = MACHINE if commits.is_machine_ref(now.place.ref) or any(map(found.is_machine, emails)) else HUMAN
        violations = judge(objects, now, found, lane, written)
        if written is not None and now.head and not violations and not now.others:
            leave_receipt(git, now, emails, written)
        return violations


def judge(objects: Objects, now: Situation, found: Policy, lane: str, written: bytes | None) -> list[Violation]:
    """Return every violation of what is staged, on its lane."""
    if lane == MACHINE:
        if found.broken:
            raise found.broken
        return machine(objects, now, found)
    return [] if found.free else human(objects, now, found, written)


def leave_receipt(git: Git, now: Situation, emails: Sequence[str], written: bytes) -> None:
    """Tell the reference-transaction hook, where there is one, that this very commit was judged."""
    from mfgit.guard import receipt

    if os.path.exists(os.path.join(os.path.dirname(now.place.hook), "reference-transaction")):
        head = now.head or ""
        receipt.leave(git, now.place.git_dir, [now.place.ref, head, now.tree, head, *emails], written)


def look(objects: Objects) -> Situation:
    """Return what is being committed and where."""
    place = find_place(objects.git)
    head = objects.commit("HEAD")
    return Situation(place, staged_tree(objects.git), head, merge_heads(objects.git, place, head))


def find_place(git: Git) -> Place:
    """Return where a commit is being made; during a rebase the branch is the one that is rebased."""
    asked = ("--absolute-git-dir", "--git-path", "hooks/commit-msg", "--symbolic-full-name")
    done = git.run("rev-parse", *asked, "HEAD", ok=None)
    lines = decode(done.out).splitlines()
    if len(lines) < 2:
        raise BadInput("The guard must run inside a Git repository.", "Change into it, or name it: mfgit -C PATH guard …")
    git_dir = native(lines[0])
    ref = lines[2] if done.code == 0 else git.line("symbolic-ref", "HEAD")
    for folder in ("rebase-merge", "rebase-apply") if ref == "HEAD" else ():
        ref = read_line(os.path.join(git_dir, folder, "head-name")) or ref
    return Place(git_dir, os.path.join(git.folder, native(lines[1])), ref)


def read_line(path: str) -> str:
    """Return the first line of a file, nothing when there is no such file."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline().strip()
    except OSError:
        return ""


def staged_tree(git: Git) -> str:
    """Return the tree of the staging area."""
    try:
        return git.line("write-tree")
    except GitFailedError as error:
        raise BadInput(f"What is staged cannot be written as a tree: {error.message}", "Resolve the conflicts first.") from None


def merge_heads(git: Git, place: Place, head: str | None) -> tuple[str, ...]:
    """Return the commits that are being merged.

    A merge without conflicts has not written MERGE_HEAD yet when pre-merge-commit runs; its environment names them.
    """
    try:
        with open(os.path.join(place.git_dir, "MERGE_HEAD"), encoding="ascii") as file:
            return tuple(file.read().split())
    except OSError:
        named = sorted(name.removeprefix("GITHEAD_") for name in os.environ if name.startswith("GITHEAD_"))
    return tuple(oid for oid in named if head and git.run("merge-base", "--is-ancestor", oid, head, ok=None).code == 1)


def by_machine(git: Git, found: Policy) -> bool:
    """Tell whether author or committer is the machine."""
    return any(map(found.is_machine, committing(git)))


def committing(git: Git) -> list[str]:
    """Return the e-mail addresses of author and committer. Git is asked with the caller's settings: that is what it writes."""
    given = [os.environ.get(f"GIT_{role}_EMAIL", "") for role in ROLES]
    return given if all(given) else identities(git)


def identities(git: Git) -> list[str]:
    """Return the e-mail addresses that Git would write: the author's, and the committer's."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("GIT_CONFIG")}
    said = git.run("var", "-l", ok=None, environment=kept).out.decode("utf-8", "replace")
    lines = [said.rpartition(f"\nGIT_{role}_IDENT=")[2].partition("\n")[0] for role in ROLES]
    return [line[line.find("<") + 1 : line.rfind(">")] for line in lines]


def machine(objects: Objects, now: Situation, found: Policy) -> list[Violation]:
    """Return what the machine lane forbids, against HEAD and, on a proposal's branch, against where it left the target."""
    if now.others:
        return machine_merge(objects, now, found)
    bases = [now.head]
    if commits.is_machine_ref(now.place.ref) and now.head and found.tip:
        forks = objects.git.run("merge-base", "--all", found.tip, now.head, ok=None).out.decode().split()
        if not forks:
            return [Violation("", "history", "the branch has no commit in common with the target")]
        bases += forks
    olds = [objects.id(f"{base}^{{tree}}") if base else commits.empty_tree(objects.git) for base in bases]
    diffs = changes.diff(objects.git, [(old or "", now.tree) for old in olds])
    found_each = [assess(objects, [Step(one, now.tree, MACHINE)], found) for one in diffs]
    everywhere = [violation for violation in found_each[-1] if all(violation in others for others in found_each[1:])]
    # What a proposal takes back, so that it is as it was where the target was left, is the repair of an earlier commit.
    mended = {change.path for change in diffs[0].changes} if len(diffs) > 1 else set()
    for each in found_each[1:]:
        mended -= {violation.path for violation in each}
    return list(dict.fromkeys([one for one in found_each[0] if one.path not in mended] + everywhere))


def machine_merge(objects: Objects, now: Situation, found: Policy) -> list[Violation]:
    """Return what the machine lane forbids in a merge: any but of the target, and changes of its own to originals."""
    other = now.others[0]
    on_target = found.tip and objects.git.run("merge-base", "--is-ancestor", other, found.tip, ok=None).code == 0
    if len(now.others) > 1 or not on_target:
        return [Violation("", "merge", "the machine merges only the target")]
    return assess(objects, [merge_step(objects.git, now, MACHINE)], found)


def human(objects: Objects, now: Situation, found: Policy, written: bytes | None) -> list[Violation]:
    """Return what a person still has to give a reason for, and what is wrong with the commits that are merged in."""
    step = merge_step(objects.git, now, HUMAN) if now.others else plain_step(objects, now)
    violations = assess(objects, [step], found)
    if violations and has_reason(objects.git, now.place, written):
        violations = [violation for violation in violations if violation.rule == policy.ARCHIVE]
    for other in now.others:
        violations += incoming(objects, now, other, found)
    return violations


def has_reason(git: Git, place: Place, written: bytes | None) -> bool:
    """Tell whether the reason is given, or will be asked for when the message is known."""
    if written is not None:
        return bool(message.reason_in(git, written))
    return bool(message.reason_at_hand(git, place.git_dir)) or hooks.asks_for_reason(place.hook, git.folder)


def plain_step(objects: Objects, now: Situation) -> Step:
    """Return what a commit without a merge changes; its folders are Git's own work and need no look."""
    old = objects.id("HEAD^{tree}") if now.head else commits.empty_tree(objects.git)
    difference = changes.diff(objects.git, [(old or "", now.tree)])[0]
    return Step(difference._replace(folders={}), now.tree, HUMAN)


def merge_step(git: Git, now: Situation, lane: str) -> Step:
    """Return what a merge changes beyond the automatic merge."""
    parents = (now.head or "", *now.others)
    merged = commits.merge_of(git, parents)
    difference = changes.diff(git, [(merged.tree or git.line("rev-parse", f"{parents[0]}^{{tree}}"), now.tree)])[0]
    return Step(commits.with_entries(git, difference, merged, now.tree), now.tree, lane)


def incoming(objects: Objects, now: Situation, other: str, found: Policy) -> list[Violation]:
    """Return the violations of the commits that a merge brings in and the target does not have yet."""
    known = {commit for commit in (now.head, found.tip) if commit}
    steps, violations = commits.steps_of(objects, commits.log(objects.git, [other], known), found, machine=False)
    return violations + assess(objects, steps, found)
