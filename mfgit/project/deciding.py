"""Proposals as branches: write them, list them, find one, reject and restore. Adopting and undoing are in `adopting`."""

import difflib
import shlex
from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from mfgit import config, layout
from mfgit.errors import BadInput, Refusal
from mfgit.model import Known, Record
from mfgit.plumbing import decode
from mfgit.project.base import Repository
from mfgit.proposal import message
from mfgit.proposal.render import Rendered, finished, render, root_of
from mfgit.reasons.forms import say
from mfgit.repo.branches import HEADS, Branch
from mfgit.repo.history import pathspecs
from mfgit.repo.known import Survey, survey
from mfgit.repo.worktrees import checked_out
from mfgit.repo.writing import NewCommit, RefChange, Signature, day, move, write

Written = Literal["new", "updated", "unchanged"]


class Closing(NamedTuple):
    """An open proposal that is done, since when, and why."""

    id: str
    when: datetime
    reason: str


REFUSED = ("rejected", "closed")
"""What a ref below `refs/mfgit/rejected/` keeps."""


class Step(NamedTuple):
    """What is to be done about one record: the commit to make, and the refs that then move (`made` is its place in `new`)."""

    status: Written
    commit: NewCommit | None = None
    ref: str = ""
    old: str | None = None
    also: tuple[RefChange, ...] = ()


# ---- reading


def look(repository: Repository, target: str | None = None) -> Survey:
    """Return everything that Git knows about proposals, as seen from a commit of the target (default: where it is now).

    Raises `BadInput` in a shallow clone.
    """
    repository.need_history()
    emails = repository.config.guard.machine_emails
    return survey(repository.git, target or repository.target_commit(), emails, pathspecs(repository.config.roots))


def known(repository: Repository) -> tuple[Known, ...]:
    """Return every proposal, sorted by id, with its status."""
    return look(repository).known


def find(state: Survey, text: str) -> Known:
    """Return the proposal that an id, the start of one, or a branch name means.

    Raises `BadInput` for none (it names the nearest), for several, for an empty text, and for one that cannot be read.
    """
    found = state.known
    wanted = text.strip().rpartition("/")[2].lower()
    if not wanted:
        raise BadInput(say("refused.unnamed"), say("hint.unknown"))
    matching = [one for one in found if one.id.startswith(wanted)]
    if len(matching) == 1:
        return matching[0]
    if matching:
        shown = ", ".join(one.id for one in matching[:3])
        raise BadInput(f"{text} is the start of {len(matching)} proposals: {shown}.", "Give more of the id.")
    for identity, error in state.unread.items():
        if identity.startswith(wanted):
            raise error
    near = difflib.get_close_matches(wanted, [one.id for one in found], 1, 0.5)
    hint = f"The nearest is {near[0]} ({one_of(found, near[0]).record.title})." if near else say("hint.unknown")
    raise BadInput(say("refused.unknown", id=text), hint)


def one_of(found: Sequence[Known], identity: str) -> Known:
    """Return the proposal with exactly this id."""
    return next(one for one in found if one.id == identity)


# ---- writing branches


def need_settings(repository: Repository) -> None:
    """Raise `Refusal` while the checkout's settings are not on the target: the gates go by the target's and would refuse."""
    if repository.top is None or not repository.config.configured:
        return
    commit = repository.git.commit_of(repository.target)
    if commit and repository.git.blob(f"{commit}:{config.FILE_NAME}") is None:
        target = repository.target.removeprefix("refs/heads/")
        raise Refusal(
            f"{config.FILE_NAME} is not committed on {target} yet, and proposals are made and judged by what {target} says.",
            f"Commit it there first, with what else mfgit init wrote: {commit_command(repository, commit)}.",
        )


def commit_command(repository: Repository, commit: str) -> str:
    """Return the command that commits the settings and, where they are not, the other files of `mfgit init`."""
    beside = [".gitignore", *map(layout.aliases_path, repository.roots(commit))]
    changed = repository.git.out("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--", *beside)
    paths = [decode(entry[3:]) for entry in changed.split(b"\0") if entry]
    return f'git add -- {shlex.join([config.FILE_NAME, *paths])} && git commit -m "Set up mfgit"'


def write_proposals(
    repository: Repository, records: Sequence[Record], remove: Sequence[str] = (), closing: Sequence[Closing] = ()
) -> dict[str, Written]:
    """Make or update the branch of every record, and take away the branches of the ids in `remove`; return what became of each.

    The branches of `closing` become refs that keep the reason.

    One fast-import and one ref transaction, all or nothing; no checkout and no staging area is touched. A branch that a
    person edited keeps the text, and gets a new record on top when that differs; one that is checked out somewhere is left
    alone.
    """
    if not records and not remove and not closing:
        return {}
    writer = Writer(repository, records)
    steps = {record.id: writer.step(record) for record in records}
    gone = [writer.removal(identity) for identity in remove if identity not in steps]
    ended = [writer.ending(each) for each in closing if each.id not in steps]
    carry_out(repository, [*steps.values(), *ended], [change for change in gone if change], "mfgit scan")
    return {identity: step.status for identity, step in steps.items()}


def foreseen(repository: Repository, records: Sequence[Record]) -> dict[str, Written]:
    """Return what `write_proposals` would make of each record, and write nothing."""
    if not records:
        return {}
    writer = Writer(repository, records)
    return {record.id: writer.step(record).status for record in records}


def carry_out(repository: Repository, steps: Sequence[Step], also: Sequence[RefChange], reason: str) -> list[str]:
    """Write the commits of steps and move their refs in one transaction; return the commits made."""
    making = [step for step in steps if step.commit]
    made = write(repository.git, [step.commit for step in making if step.commit])
    moves = [RefChange(step.ref, oid, step.old) for step, oid in zip(making, made, strict=True)]
    more = [change for step in making for change in step.also]
    move(repository.git, [*moves, *more, *also], reason)
    return made


def machine(repository: Repository, record: Record) -> Signature:
    """Return the machine's signature with the record's own date, so that the same record makes the same commit."""
    email = next(iter(repository.config.guard.machine_emails), "mfgit-bot@example.com")
    return Signature("mfgit", email, day(record.last_seen or record.first_seen))


class Writer:
    """Decides for each record what its branch needs; everything was read at once."""

    def __init__(self, repository: Repository, records: Sequence[Record]) -> None:
        self.repository = repository
        self.target = repository.target_commit()
        self.state = look(repository, self.target)
        self.known = {one.id: one for one in self.state.known}
        self.busy = checked_out(repository.git) if self.state.branches else {}
        every = (*records, *(one.record for one in self.state.known))
        places = sorted({layout.aliases_path(root_of(record)) for record in every})
        texts = repository.git.blobs(f"{self.target}:{place}" for place in places)
        self.alias_files = {place: blob.data for place, blob in zip(places, texts, strict=True)}

    def step(self, record: Record) -> Step:
        """Return what one record needs."""
        there = self.known.get(record.id)
        branch = self.state.branches.get(record.id)
        if HEADS + record.id in self.busy or record.id in self.state.unread:
            return Step("unchanged")
        if there is None or there.status == "undone":
            return self.fresh(record, branch)
        if there.status in REFUSED:
            return self.reopened(record, there)
        if there.status == "adopted":
            return self.improved(record, there)
        if branch is None:
            return Step("unchanged")
        return self.on_top(record, there, branch) if branch.edited else self.again(record, there, branch)

    def render(self, record: Record) -> Rendered:
        """Return the files of a record on the target."""
        return render(record, self.alias_files[layout.aliases_path(root_of(record))])

    def commit(self, done: Rendered) -> NewCommit:
        """Return the one commit of a fresh branch."""
        return NewCommit((self.target,), message.proposing(done.record), machine(self.repository, done.record), done.files)

    def fresh(self, record: Record, leftover: Branch | None = None) -> Step:
        """Make a branch; one that was left over from an undone proposal gives way."""
        ref = HEADS + record.id
        return Step("new", self.commit(self.render(record)), ref, leftover.held if leftover else None)

    def again(self, record: Record, there: Known, branch: Branch) -> Step:
        """Make the machine's own branch again when the record changed."""
        if finished(record).dump() == there.record.dump():
            return Step("unchanged")
        return Step("updated", self.commit(self.render(record)), HEADS + record.id, branch.held)

    def on_top(self, record: Record, there: Known, branch: Branch) -> Step:
        """Put a changed record on top of what a person wrote."""
        done = finished(with_path(record, there.record.adopted_path))
        if done.dump() == there.record.dump():
            return Step("unchanged")
        files = {layout.record_path(root_of(done), done.id): done.dump()}
        commit = NewCommit((branch.tip.oid,), message.carrying(done, "record"), machine(self.repository, done), files)
        return Step("updated", commit, HEADS + record.id, branch.held)

    def reopened(self, record: Record, there: Known) -> Step:
        """Propose again what was rejected, unless that was for ever."""
        if there.forever:
            return Step("unchanged")
        return self.fresh(record, self.state.branches.get(record.id))._replace(
            also=(RefChange(layout.rejected_ref(record.id), None, there.commit),)
        )

    def improved(self, record: Record, there: Known) -> Step:
        """Propose a change to what is adopted already: its published text stays until there is a better one."""
        done = self.render(with_path(record, there.record.adopted_path))
        if done.record.dump() == there.record.dump():
            return Step("unchanged")
        done = self.without_draft(done)
        leftover = self.state.branches.get(record.id)
        return Step("new", self.commit(done), HEADS + record.id, leftover.held if leftover else None)

    def without_draft(self, done: Rendered) -> Rendered:
        """Return the files of a change to what is published: a draft never takes an answer's place."""
        if done.record.suggestion or done.record.action_type == "index":
            return done
        return done._replace(files={path: data for path, data in done.files.items() if path != done.record.adopted_path})

    def ending(self, closing: Closing) -> Step:
        """Turn a branch of the machine's into the ref of a closed proposal; one that is a person's or in use stays."""
        branch, there = self.state.branches.get(closing.id), self.known.get(closing.id)
        if branch is None or there is None or branch.edited or HEADS + closing.id in self.busy:
            return Step("unchanged")
        who = machine(self.repository, there.record)
        who = who._replace(when=max(who.when, closing.when))
        commit = NewCommit((branch.tip.oid,), message.closing(there.record, closing.reason), who, {})
        also = (RefChange(HEADS + closing.id, None, branch.held),) if branch.held else ()
        return Step("updated", commit, layout.rejected_ref(closing.id), None, also)

    def removal(self, identity: str) -> RefChange | None:
        """Return the change that takes a branch of the machine's away, None for one that is a person's or in use."""
        branch = self.state.branches.get(identity)
        if branch is None or branch.held is None or branch.edited or HEADS + identity in self.busy:
            return None
        return RefChange(HEADS + identity, None, branch.held)


def with_path(record: Record, path: str | None) -> Record:
    """Return the record with the path that it has on its branch."""
    from dataclasses import replace

    return replace(record, adopted_path=path)


# ---- reject and restore


def reject(repository: Repository, text: str, reason: str, forever: bool = False) -> Known:
    """Decline a proposal: its branch becomes a ref that keeps the reason, redacted. Returns it as it now is.

    Raises `Refusal` for an adopted one and for one whose branch is checked out somewhere.
    """
    from mfgit.redact import redact

    if not reason.strip():
        raise BadInput(say("refused.unreasoned"), say("hint.unreasoned"))
    state = look(repository)
    one = find(state, text)
    if one.status == "adopted":
        raise Refusal(say("refused.adopted", id=one.id), say("hint.adopted", id=one.id))
    branch = state.branches.get(one.id)
    old = one.commit if one.status in REFUSED else None
    tip = tip_of(repository, one, branch)
    said = message.rejecting(one.record, redact(reason), forever)
    commit = NewCommit((tip,), said, signed(repository), {})
    closing = close(repository, branch) if branch and branch.held else []
    carry_out(repository, [Step("new", commit, layout.rejected_ref(one.id), old)], closing, "mfgit reject")
    return one_of(known(repository), one.id)


def tip_of(repository: Repository, one: Known, branch: Branch | None) -> str:
    """Return the commit that holds the files of a proposal that is not adopted, as they were last proposed."""
    if one.status in REFUSED:
        return repository.git.line("rev-parse", "--verify", f"{one.commit}^")
    if one.status == "undone":
        from mfgit.project.adopting import propose_again

        return propose_again(repository, one, repository.target_commit())
    assert branch is not None
    return branch.tip.oid


def close(repository: Repository, branch: Branch) -> list[RefChange]:
    """Return the change that deletes a branch; raises `Refusal` when it is checked out."""
    ref = HEADS + branch.identity
    place = checked_out(repository.git).get(ref)
    if place:
        raise Refusal(
            say("refused.checked_out", branch=layout.branch_name(branch.identity), place=place),
            say("hint.checked_out"),
        )
    return [RefChange(ref, None, branch.held)]


def restore(repository: Repository, text: str) -> Known:
    """Reopen a rejected, closed or undone proposal as a branch. Returns it as it now is; raises `Refusal` for any other.

    A closed one begins on the target as it is now, so that only a later change of its originals can close it again.
    """
    state = look(repository)
    one = find(state, text)
    if one.status not in (*REFUSED, "undone"):
        raise Refusal(say("refused.restoring", id=one.id, state=one.status), say("hint.restoring"))
    if one.status == "closed":
        carry_out(repository, [Writer(repository, ()).step(one.record)], [], "mfgit restore")
        return one_of(known(repository), one.id)
    branch = state.branches.get(one.id)
    leftover = branch if branch and branch.held else None
    if leftover:
        close(repository, leftover)
    changes = [RefChange(HEADS + one.id, tip_of(repository, one, branch), leftover.held if leftover else None)]
    if one.status == "rejected":
        changes.append(RefChange(layout.rejected_ref(one.id), None, one.commit))
    move(repository.git, changes, "mfgit restore")
    return one_of(known(repository), one.id)


def signed(repository: Repository) -> Signature:
    """Return who decides, now."""
    if repository.actor is not None:
        from datetime import datetime

        return repository.actor._replace(when=datetime.now().astimezone())
    from mfgit.repo.person import person

    return person(repository.folder)
