"""Sync: what people decided on the hosting service, read back into refs; and rejections shared with every clone.

A request closed without merging rejects, one opened again restores; that one was merged or squashed Git itself tells, by the
target. Refs only, in one transaction: no checkout, no index, no branch of people.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mfgit import layout
from mfgit.backends.protocols import BackendError
from mfgit.model import Known
from mfgit.progress import Progress, quiet
from mfgit.project.base import Repository
from mfgit.project.deciding import REFUSED, look, signed
from mfgit.project.publishing import OPEN
from mfgit.project.remote_places import SEEN, Place, closed_there, place
from mfgit.proposal import message
from mfgit.proposal.safe import line
from mfgit.repo.branches import HEADS, IDENTITY
from mfgit.repo.known import Survey
from mfgit.repo.remotes import Push, fetch, listed, push
from mfgit.repo.worktrees import checked_out
from mfgit.repo.writing import NewCommit, RefChange, move, write

if TYPE_CHECKING:
    from mfgit.backends.hosts.forms import Host, Request


@dataclass(frozen=True)
class Change:
    """What became of one proposal: rejected, restored or merged, in words why, and the address of its request."""

    id: str
    what: str
    why: str
    url: str = ""


@dataclass(frozen=True)
class Synced:
    """What a sync did: proposals rejected, restored or seen as merged, and a sentence for each that could not be settled."""

    changes: tuple[Change, ...]
    problems: tuple[str, ...]
    pushed: int
    dry_run: bool


def sync(repository: Repository, *, remote: str = "", dry_run: bool = False, progress: Progress = quiet) -> Synced:
    """Read back what became of requests, and agree with the remote on what is rejected; a dry run only reads.

    Raises `BadInput` where the service is not known or there is no key for it.
    """
    to = place(repository, remote, push_options=False)
    if not dry_run:
        fetch(repository.git, to.remote)
    run = Run(repository, to, look(repository))
    for one in run.state.known:
        run.agree(one)
    asked = [one for one in run.state.known if run.may_have_request(one)]
    for number, one in enumerate(asked, 1):
        progress("requests", number, len(asked))
        try:
            run.read(one)
        except BackendError as failure:
            run.problems.append(f"{one.id}: {failure}.")
            if getattr(failure, "status", 0) == 429:
                break
    if not dry_run:
        run.carry_out()
    return Synced(tuple(run.changes.values()), tuple(run.problems), len(run.pushes), dry_run)


class Run:
    """What the remote has, what is decided, and the refs that move."""

    def __init__(self, repository: Repository, to: Place, state: Survey) -> None:
        assert to.host is not None
        self.repository, self.git, self.state, self.remote = repository, repository.git, state, to.remote
        self.host: Host = to.host
        self.target = repository.target.removeprefix("refs/heads/")
        self.there = listed(self.git, to.remote)
        self.busy = checked_out(self.git)
        self.seen = {one.id: self.git.commit_of(SEEN + one.id) for one in state.known}
        self.rejection = {one.id: refused(one) for one in state.known}
        self.settled = dict(self.seen)
        self.commits: dict[str, NewCommit] = {}
        self.changes: dict[str, Change] = {}
        self.problems: list[str] = list(state.problems)
        self.pushes: list[Push] = []

    def may_have_request(self, one: Known) -> bool:
        """Tell whether the service is to be asked: for what is open, and for what could be opened again there."""
        return one.status in OPEN or (one.status in REFUSED and HEADS + one.id in self.there)

    # ---- rejections at the remote

    def agree(self, one: Known) -> None:
        """Settle with the remote whether a proposal is rejected: who changed it since both agreed has decided."""
        if one.status not in (*OPEN, *REFUSED):
            return
        ours, theirs, seen = self.rejection[one.id], self.there.get(layout.rejected_ref(one.id)), self.seen[one.id]
        if theirs in (ours, seen) or (theirs is None and ours != seen):
            return
        if ours not in (None, seen) and theirs:
            self.problems.append(f"{one.id} was rejected here and in another clone; the one at the remote counts.")
        what, why = (
            ("rejected", "It was rejected in another clone.") if theirs else ("restored", "It was restored in another clone.")
        )
        if self.decide(one, theirs, what, why):
            self.settled[one.id] = theirs or seen

    def decide(self, one: Known, rejection: str | None, what: str, why: str, url: str = "") -> bool:
        """Keep a decision and tell so, unless the branch that would go is checked out somewhere."""
        if busy := self.busy.get(HEADS + one.id):
            self.problems.append(f"{one.id} is checked out in {busy}; it was left alone.")
            return False
        self.rejection[one.id] = rejection
        self.changes[one.id] = Change(one.id, what, why, url)
        return True

    # ---- requests

    def read(self, one: Known) -> None:
        """Read back what became of the request of a proposal."""
        found = self.host.find(layout.branch_name(one.id), self.target)
        newest = next((each for each in found if each.state == "open"), found[0] if found else None)
        if newest is None:
            return
        if newest.state == "merged":
            if not self.has(one, newest.commit):
                self.changes[one.id] = Change(
                    one.id, "merged", "It was merged; git pull the target to have it here.", newest.url
                )
        elif newest.state == "open":
            self.opened(one, newest)
        else:
            self.shut(one, newest)

    def opened(self, one: Known, request: "Request") -> None:
        """Settle a proposal whose request is open: it was opened again, where it is known that it was closed."""
        if self.rejection[one.id] is None:
            self.settled[one.id] = None
        elif self.seen[one.id] is None and not closed_there(self.git, self.rejection[one.id]):
            self.problems.append(f"{one.id} is rejected here and its request is open: mfgit publish closes it.")
        elif self.decide(one, None, "restored", "Its request was opened again.", request.url):
            self.settled[one.id] = None

    def shut(self, one: Known, request: "Request") -> None:
        """Settle a proposal whose request was closed: that rejects it, unless it was restored since."""
        if self.rejection[one.id] is not None:
            self.settled[one.id] = self.rejection[one.id]
        elif self.seen[one.id] is None:
            self.reject(one, request)
        elif one.id not in self.changes:
            self.problems.append(f"{one.id} was restored here and its request is closed: mfgit publish opens it again.")

    def has(self, one: Known, commit: str) -> bool:
        """Tell whether the target here holds what was merged there: it is proposed anew since, or in another form."""
        if one.id in self.state.landed:
            return True
        known = self.git.commit_of(commit)
        target = self.repository.target_commit()
        return bool(known) and self.git.run("merge-base", "--is-ancestor", commit, target, ok=None).code == 0

    def reject(self, one: Known, closed: "Request") -> None:
        """Reject a proposal whose request was closed, for the reason that was given there."""
        who, said = self.host.closed(closed)
        by = f" by {line(who, 100)}" if who else ""
        reason = line(said, 400) or f"Closed without merging{by}, without a reason."
        text = f"{reason}\n\n{self.host.name}, {line(closed.url, 300)}{by}"
        tip = self.state.branches[one.id].tip.oid
        told = message.rejecting(one.record, text, forever=False, request=line(closed.url, 300))
        self.commits[one.id] = NewCommit((tip,), told, signed(self.repository), {})
        self.decide(one, "", "rejected", reason, closed.url)

    # ---- writing

    def carry_out(self) -> None:
        """Write what was decided: the commits, then all refs here by one transaction, then the remote's."""
        waiting = [identity for identity in self.commits if self.rejection[identity] == ""]
        for identity, oid in zip(waiting, write(self.git, [self.commits[each] for each in waiting]), strict=True):
            self.rejection[identity] = self.settled[identity] = oid
        moves = [change for one in self.state.known for change in self.moves(one)]
        move(self.git, [*moves, *self.strangers()], "mfgit sync")
        self.pushes = [change for one in self.state.known for change in self.shared(one)]
        refused_there = push(self.git, self.remote, self.pushes)
        for ref, why in refused_there.items():
            self.problems.append(f"{ref} at {self.remote} was not changed: {why}.")
        done = [one.id for one in self.state.known if layout.rejected_ref(one.id) not in refused_there]
        notes = [
            RefChange(SEEN + key, self.settled[key], self.seen[key]) for key in done if self.settled[key] != self.seen[key]
        ]
        move(self.git, notes, "mfgit sync")

    def strangers(self) -> list[RefChange]:
        """Return the refs of rejections that only the remote knows."""
        known = {layout.rejected_ref(one.id) for one in self.state.known}
        new = [ref for ref in self.there if ref.startswith(layout.REJECTED_PREFIX) and ref not in known]
        return [RefChange(ref, self.there[ref], None) for ref in new if IDENTITY.match(ref.rpartition("/")[2])]

    def moves(self, one: Known) -> Sequence[RefChange]:
        """Return the refs of one proposal that move here."""
        old = refused(one)
        new, branch = self.rejection[one.id], self.state.branches.get(one.id)
        changes = []
        if old != new:
            changes.append(RefChange(layout.rejected_ref(one.id), new, old))
            if new and branch and branch.held:
                changes.append(RefChange(HEADS + one.id, None, branch.held))
            elif new is None and not (branch and branch.held):
                changes.append(RefChange(HEADS + one.id, self.git.line("rev-parse", "--verify", f"{old}^"), None))
        return changes

    def shared(self, one: Known) -> Sequence[Push]:
        """Return what the remote has to learn of one proposal."""
        if one.status not in (*OPEN, *REFUSED):
            return ()
        ref, new = layout.rejected_ref(one.id), self.rejection[one.id]
        old = self.there.get(ref)
        return () if old == new else (Push(ref, new, old),)


def refused(one: Known) -> str | None:
    """Return the commit of the ref that keeps a proposal rejected or closed, None for any other."""
    return one.commit if one.status in REFUSED else None
