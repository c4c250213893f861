"""Refresh: every open proposal re-applied to the current target, so that no pull request conflicts on `index.json`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from mfgit import layout
from mfgit.errors import BadInput, Refusal
from mfgit.model import Known, Record, Source
from mfgit.plumbing import Git
from mfgit.project.base import Repository
from mfgit.project.deciding import Step, Writer, carry_out, find, machine
from mfgit.proposal import message
from mfgit.proposal.render import root_of
from mfgit.repo.branches import HEADS, Branch
from mfgit.repo.merging import blob_texts, merge, own_files, tree_of
from mfgit.repo.writing import Moved, NewCommit

ATTEMPTS = 3
OPEN = ("open", "edited", "stale")


class Refreshed(NamedTuple):
    """What a refresh did: ids that moved, how many were in place already, and a sentence for each that could not be carried."""

    moved: tuple[str, ...]
    in_place: int
    problems: tuple[str, ...]
    target: str


def refresh(repository: Repository, ids: Sequence[str] = (), checked: bool = False, rebase: bool = False) -> Refreshed:
    """Re-apply open proposals (all, or some) to the target, by one fast-import and one ref transaction.

    Every branch gets the target merged in: the machine's hold what the record makes of the target's tree, a person's keep
    their text. So a branch that was pushed can be pushed again without force. `checked` says that the
    ids named were compared with their changed originals, whose present versions become what they are based on. `rebase` makes
    the machine's branches anew instead, each one commit on the target, since a host that merges by rebase takes merges apart.
    """
    if checked and not ids:
        raise BadInput("--checked needs the ids of the proposals that you compared.", "Name them: mfgit refresh ID --checked.")
    for attempt in range(ATTEMPTS):
        try:
            return once(repository, ids, checked, rebase)
        except Moved:
            if attempt == ATTEMPTS - 1:
                raise
    raise AssertionError


def once(repository: Repository, ids: Sequence[str], checked: bool, rebase: bool) -> Refreshed:
    """Refresh from what Git knows now."""
    carrier = Carrier(repository, checked, rebase)
    chosen = (
        {find(carrier.writer.state, text).id for text in ids} if ids else {one.id for one in carrier.all if one.status in OPEN}
    )
    for identity in sorted(chosen):
        carrier.take(identity)
    steps = [step for step in carrier.steps.values() if step.commit]
    carry_out(repository, steps, [], "mfgit refresh")
    moved = tuple(identity for identity, step in carrier.steps.items() if step.commit)
    return Refreshed(moved, len(carrier.steps) - len(moved), tuple(carrier.problems), carrier.writer.target)


class Carrier:
    """Decides for each branch how it gets onto the target."""

    def __init__(self, repository: Repository, checked: bool, rebase: bool = False) -> None:
        self.repository, self.checked, self.rebase, self.git = repository, checked, rebase, repository.git
        self.writer = Writer(repository, ())
        self.tree = tree_of(repository.git, self.writer.target)
        self.all = self.writer.state.known
        self.steps: dict[str, Step] = {}
        self.problems: list[str] = list(self.writer.state.problems)

    def take(self, identity: str) -> None:
        """Plan one proposal; what cannot be carried is told."""
        one = self.writer.known[identity]
        branch = self.writer.state.branches.get(identity)
        if one.status not in OPEN or branch is None:
            self.problems.append(f"{identity} is {one.status}, so there is nothing to re-apply.")
        elif place := self.writer.busy.get(HEADS + identity):
            self.problems.append(f"{identity} is checked out in {place}; it was left alone.")
        elif branch.held:
            try:
                self.steps[identity] = self.carried(one, branch) if branch.edited else self.applied(one, branch)
            except (BadInput, Refusal) as problem:
                self.problems.append(f"{identity}: {problem.message}")

    def applied(self, one: Known, branch: Branch) -> Step:
        """Put the record's files on the target's tree; its commit follows the branch's, so that a plain push will do."""
        target, tip = self.writer.target, branch.tip
        record = on_current(self.git, one.record, target) if self.checked else one.record
        there = tip.parents == (target,) if self.rebase else target in (branch.base, *tip.parents)
        if there and record == one.record:
            return Step("unchanged")
        done = self.writer.render(record)
        if one.id in self.writer.state.landed:
            done = self.writer.without_draft(done)
        if self.rebase:
            return Step("updated", self.writer.commit(done), HEADS + one.id, branch.held)
        who = machine(self.repository, done.record)
        commit = NewCommit((tip.oid, target), message.carrying(done.record, "target"), who, done.files, self.tree)
        return Step("updated", commit, HEADS + one.id, branch.held)

    def carried(self, one: Known, branch: Branch) -> Step:
        """Merge the target into a person's branch."""
        target, tip, record = self.writer.target, branch.tip.oid, one.record
        own = own_files(self.git, tip, one.id, record.root)
        if not self.checked and self.git.run("merge-base", "--is-ancestor", target, tip, ok=None).code == 0:
            return Step("unchanged")
        result = merge(self.git, target, tip, own, layout.aliases_path(root_of(record)))
        if result.conflicts:
            raise Refusal(f"It conflicts with the target in {', '.join(result.conflicts[:3])}.")
        files = dict(result.files)
        if self.checked:
            files.update(self.on_current_text(record, own))
        commit = NewCommit(
            (tip, target), message.carrying(record, "target"), machine(self.repository, record), files, result.tree
        )
        return Step("updated", commit, HEADS + one.id, branch.held)

    def on_current_text(self, record: Record, own: dict[str, str]) -> dict[str, bytes]:
        """Return a person's files with the blobs of changed originals brought up to date, and nothing else changed."""
        texts = blob_texts(self.git, own)
        now = on_current(self.git, record, self.writer.target)
        for old, new in zip(record.based_on, now.based_on, strict=True):
            texts = {path: data.replace(old.blob.encode(), new.blob.encode()) for path, data in texts.items()}
        return texts


def on_current(git: Git, record: Record, target: str) -> Record:
    """Return the record based on its originals as they are now; raises `Refusal` when one of them is gone."""
    names = [f"{target}:{source.path}" for source in record.based_on]
    now = []
    for source, blob in zip(record.based_on, git.blobs(names), strict=True):
        if blob.data is None:
            raise Refusal(f"{source.path} is gone from the target.", "Run mfgit scan, or reject the proposal.")
        now.append(Source(source.path, blob.oid))
    return replace(record, based_on=tuple(now))
