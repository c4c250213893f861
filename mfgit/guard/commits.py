"""The stage that judges commits that exist: every one of a range, and the result as it will land."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from mfgit import layout
from mfgit.errors import BadInput
from mfgit.guard import changes, policy
from mfgit.guard.changes import Diff, Merged
from mfgit.guard.gather import assess
from mfgit.guard.message import TRAILER, says_something
from mfgit.guard.policy import Policy
from mfgit.guard.rules import HUMAN, MACHINE, MERGE, ROOT, TIP, Step, Violation
from mfgit.plumbing import Git, Objects
from mfgit.sections import Config

FIELDS = ("%H", "%T", "%P", "%ae", "%ce", f"%(trailers:key={TRAILER},valueonly=true,unfold=true,separator=%x0a)")

REMOTES = "--remotes"
"""Stands for every remote-tracking branch."""


class Commit(NamedTuple):
    """One commit: ids in hex, the e-mail addresses of author and committer, and whether it gives a reason."""

    id: str
    tree: str
    parents: tuple[str, ...]
    emails: tuple[str, str]
    reason: bool


class Range(NamedTuple):
    """What is asked: the commits of `head` that are not in `base` (None: a new branch), pushed as `ref` by `actor`."""

    base: str | None
    head: str
    ref: str
    actor: str


def is_machine_ref(ref: str) -> bool:
    """Tell whether a ref is a proposal's branch, in any case of its letters."""
    return ref.removeprefix("refs/heads/").casefold().startswith(layout.BRANCH_PREFIX)


def parse_range(objects: Objects, text: str, ref: str, actor: str) -> Range:
    """Return the range that `BASE..HEAD` names; raises `BadInput` when one of the two is not there."""
    base, dots, head = text.partition("..")
    if not dots or not base or not head or head.startswith("."):
        raise BadInput(f"{text!r} is not a range.", "Write --range BASE..HEAD, two dots between two commits.")
    found = objects.commit(head)
    if found is None:
        raise BadInput(f"The commit {head} is not in this clone.", "Fetch it first.")
    full = ref if not ref or ref.startswith("refs/") else f"refs/heads/{ref}"
    if not base.strip("0"):
        return Range(None, found, full, actor)
    start = objects.commit(base)
    if start is None:
        raise BadInput(f"The base commit {base} is not in this clone.", "Fetch it first, or check its name.")
    return Range(start, found, full, actor)


def check(git: Git, text: str, ref: str = "", actor: str = "") -> list[Violation]:
    """Return every violation of the range `BASE..HEAD`; raises `BadInput` where it cannot be judged."""
    require_whole(git)
    with Objects(git) as objects:
        return judge(objects, parse_range(objects, text, ref, actor))


def judge(objects: Objects, asked: Range) -> list[Violation]:
    """Return every violation of a range, by the settings on the target.

    A range that no ref is named for, and that the target has already, is a push to the target: nothing would be new otherwise.
    """
    found = policy.find(objects, base=asked.base, ref=asked.ref, hint="")
    if not asked.ref and asked.base and found.tip and holds(objects.git, found.tip, asked.head):
        asked = asked._replace(ref=policy.branch_of(found))
        found = policy.find(objects, base=asked.base, ref=asked.ref, hint="")
    violations = judge_by(objects, asked, found)
    return [one._replace(form=TIP) if (one.commit, one.form) == (asked.head, "") else one for one in violations]


def judge_by(objects: Objects, asked: Range, found: Policy, known: Iterable[str] = ()) -> list[Violation]:
    """Return every violation of a range by given settings; what is in a history of `known` is not judged again."""
    base = asked.base or found.tip
    if base is None:
        raise BadInput("There is no base to compare with, and no target branch either.", "Name one: --range BASE..HEAD.")
    by_ref = is_machine_ref(asked.ref)
    machine = by_ref or found.is_machine_actor(asked.actor)
    if found.broken and machine:
        raise found.broken
    if by_ref and objects.git.run("merge-base", base, asked.head, ok=None).code != 0:
        return [Violation("", "history", "the branch has no commit in common with the target", asked.head)]
    onto, related = landing_base(objects.git, base, found.tip)
    listed = log(objects.git, [asked.head], {base, onto, *known})
    steps, violations = steps_of(objects, listed, found, machine=machine)
    violations += assess(objects, steps, found)
    if machine and (by_ref or related):
        seen = {violation.path for violation in violations}
        violations += [violation for violation in land(objects, onto, asked.head, found) if violation.path not in seen]
    return violations


def proposals(objects: Objects, heads: Sequence[str], found: Policy, known: Iterable[str] = ()) -> list[Violation]:
    """Return every violation of the tips of proposals, all judged at once from the target's tip, which must be there."""
    if found.broken:
        raise found.broken
    tip = found.tip or ""
    listed = log(objects.git, heads, {tip, *known})
    steps, violations = steps_of(objects, listed, found, machine=True)
    violations += assess(objects, steps, found)
    new = {commit.id: commit for commit in listed}
    for head in dict.fromkeys(heads):
        if head in new and start_of(head, new) != tip:
            violations += crooked(objects, head, tip, found)
    return violations


def start_of(head: str, new: Mapping[str, Commit]) -> str | None:
    """Return the known commit that new commits of one parent each lead back to, None where their history is no such line."""
    at = head
    while at in new:
        if len(new[at].parents) != 1:
            return None
        at = new[at].parents[0]
    return at


def crooked(objects: Objects, head: str, tip: str, found: Policy) -> list[Violation]:
    """Return what is wrong with landing a proposal that is no straight line on top of the target.

    Of one that is, every commit was judged, so that their sum is good.
    """
    if objects.git.run("merge-base", tip, head, ok=None).code != 0:
        return [Violation("", "history", "the branch has no commit in common with the target", head)]
    return land(objects, tip, head, found)


def first(objects: Objects, head: str) -> list[Violation]:
    """Return what the machine's own commits break in a history that starts a target; people are free in it.

    Merges of the machine are left out: what was the target at the time cannot be known.
    """
    named, broken = policy.read_config(objects, head)
    found = Policy(named or Config(), None, head, broken)
    own = [one for one in log(objects.git, [head], ()) if any(map(found.is_machine, one.emails)) and len(one.parents) < 2]
    steps, violations = steps_of(objects, own, found, machine=True)
    return violations + assess(objects, steps, found)


def require_whole(git: Git) -> None:
    """Raise unless the clone has the whole history."""
    if git.line("rev-parse", "--is-shallow-repository") != "false":
        raise BadInput("This clone is shallow, so the guard cannot see every commit.", "Run git fetch --unshallow.")


def landing_base(git: Git, base: str, tip: str | None) -> tuple[str, bool]:
    """Return the newer of a range's base and the target's tip, and whether one of them is in the other's history."""
    if tip is None or tip == base:
        return base, True
    if holds(git, base, tip):
        return base, True
    return tip, holds(git, tip, base)


def holds(git: Git, tip: str, commit: str) -> bool:
    """Tell whether a commit is in the history of another."""
    return git.run("merge-base", "--is-ancestor", commit, tip, ok=(0, 1)).code == 0


def log(git: Git, heads: Sequence[str], known: Collection[str]) -> list[Commit]:
    """Return the commits of `heads` that are in no history of `known`, newest first; `REMOTES` may stand in `known`."""
    options = ("--not", REMOTES) if REMOTES in known else ()
    revisions = "".join([f"{head}\n" for head in heads] + [f"^{one}\n" for one in sorted(known) if one != REMOTES])
    out = git.out(
        "log", "-z", "--topo-order", "--no-show-signature", "--no-color", "--no-decorate", "--no-notes", "--no-patch",
        "--encoding=UTF-8", "--format=tformat:" + "%x00".join(FIELDS), "--stdin", *options, stdin=revisions.encode(),
    )  # fmt: skip
    fields = out.decode("utf-8", "surrogateescape").split("\0")[:-1]
    if len(fields) % len(FIELDS):
        raise BadInput("A commit in this range holds a NUL, so the range cannot be read.", "Rewrite that commit.")
    rows = [fields[at : at + len(FIELDS)] for at in range(0, len(fields), len(FIELDS))]
    return [
        Commit(row[0], row[1], tuple(row[2].split()), (row[3], row[4]), any(map(says_something, row[5].split("\n"))))
        for row in rows
    ]


def steps_of(objects: Objects, listed: Sequence[Commit], found: Policy, *, machine: bool) -> tuple[list[Step], list[Violation]]:
    """Return what each commit changes on its lane, and the merges that its lane does not allow."""
    known = {commit.id: commit for commit in listed}
    trunk = set() if machine else first_parents(listed, known)
    lanes = [MACHINE if machine or any(map(found.is_machine, commit.emails)) else HUMAN for commit in listed]
    merges = {commit.id: merge_of(objects.git, commit.parents) for commit in listed if len(commit.parents) > 1}
    before = trees_before(objects, listed, merges)
    diffs = changes.diff(objects.git, [(before[commit.id], commit.tree) for commit in listed])
    steps, violations = [], []
    for commit, lane, difference in zip(listed, lanes, diffs, strict=True):
        new = known.keys() - trunk if commit.id not in trunk else known.keys()
        if lane == MACHINE and len(commit.parents) > 1 and (len(commit.parents) > 2 or new >= set(commit.parents)):
            violations.append(Violation("", "merge", "merges something else than the target", commit.id))
        decided = with_entries(objects.git, difference, merges.get(commit.id), commit.tree)
        steps.append(Step(decided, commit.tree, lane, commit.reason, commit.id, form_of(commit)))
    return steps, violations


def form_of(commit: Commit) -> str:
    """Return what else than a usual commit one is, nothing for a usual one."""
    return {0: ROOT, 1: ""}.get(len(commit.parents), MERGE)


def merge_of(git: Git, parents: Sequence[str]) -> Merged:
    """Return the automatic merge of two or more commits."""
    return changes.automatic_merge(git, *parents) if len(parents) == 2 else changes.automatic_octopus(git, parents)


def trees_before(objects: Objects, listed: Sequence[Commit], merges: Mapping[str, Merged]) -> dict[str, str]:
    """Return for each commit the tree it is compared with: its parent's, its automatic merge's, or the empty one."""
    trees = {commit.id: commit.tree for commit in listed}
    first = {commit.id: commit.parents[0] for commit in listed if commit.parents}
    missing = sorted(set(first.values()) - trees.keys())
    asked = objects.ask("info", [f"{parent}^{{tree}}" for parent in missing])
    trees.update(zip(missing, (blob.oid for blob in asked), strict=True))
    if len(first) < len(listed):
        trees[""] = empty_tree(objects.git)
    return {commit.id: automatic_tree(merges.get(commit.id)) or trees[first.get(commit.id, "")] for commit in listed}


def automatic_tree(merged: Merged | None) -> str | None:
    """Return the tree of an automatic merge, None without one."""
    return merged.tree if merged else None


def empty_tree(git: Git) -> str:
    """Return the id of the tree that holds nothing."""
    return git.out("mktree", stdin=b"").decode().strip()


def with_entries(git: Git, difference: Diff, merged: Merged | None, tree: str) -> Diff:
    """Return a merge's difference, its conflicts judged by what `tree` made of them."""
    if merged is None or not merged.conflicts:
        return difference
    entries = {
        entry.path.decode("utf-8", "surrogateescape"): (entry.mode, entry.oid) for entry in git.tree(tree, *merged.conflicts)
    }
    return changes.with_conflicts(difference, merged, entries)


def land(objects: Objects, onto: str, head: str, found: Policy) -> list[Violation]:
    """Return what breaks the machine's rules in the result as it will land on `onto`.

    People's results need no such look: each of their commits is compared with its parent or its automatic merge.
    """
    merged = changes.automatic_merge(objects.git, onto, head)
    tree = merged.tree or ""
    difference = changes.diff(objects.git, [(objects.id(f"{onto}^{{tree}}") or "", tree)])[0]
    step = Step(changes.landing_changes(difference, merged), tree, MACHINE)
    return [one._replace(why=f"{one.why}, in what would land") for one in assess(objects, [step], found)]


def landing(git: Git, policy_commit: str, base_commit: str, tree: str) -> list[Violation]:
    """Return what breaks the machine's rules in a tree that is to land on `base_commit`; settings are `policy_commit`'s."""
    with Objects(git) as objects:
        named, broken = policy.read_config(objects, policy_commit)
        if broken:
            raise broken
        found = Policy(named or Config(), None, policy_commit)
        difference = changes.diff(git, [(objects.id(f"{base_commit}^{{tree}}") or "", tree)])[0]
        return assess(objects, [Step(difference, tree, MACHINE)], found)


def first_parents(listed: Sequence[Commit], known: Mapping[str, Commit]) -> set[str]:
    """Return the first parents of the newest commit: what the target itself was, one commit after the other."""
    chain: set[str] = set()
    at = listed[0].id if listed else ""
    while at in known:
        chain.add(at)
        at = next(iter(known[at].parents), "")
    return chain
