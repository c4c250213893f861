"""Publish: the branches of open proposals pushed, and one pull or merge request for each, opened or brought up to date.

Found again by its branch, so there are never two for one proposal. What cannot be done for one proposal is told and stops no
other; only a service that asks for a pause ends the run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mfgit import layout
from mfgit.adopt.owners import PLACES, Owners, owners
from mfgit.backends.protocols import BackendError
from mfgit.errors import BadInput, MfgitError
from mfgit.model import Known
from mfgit.progress import Progress, quiet
from mfgit.project.base import Repository
from mfgit.project.deciding import find, look
from mfgit.project.remote_places import SEEN, Place, closed_there, place
from mfgit.project.showing import Shown, show
from mfgit.proposal import request
from mfgit.proposal.overlay import has_answer
from mfgit.repo.branches import HEADS, Branch
from mfgit.repo.known import Survey
from mfgit.repo.remotes import Push, fetch, listed, push
from mfgit.repo.writing import RefChange, move

if TYPE_CHECKING:
    from mfgit.backends.hosts.forms import Host, Request, Wanted

OPEN = ("open", "edited", "stale")
TOO_MANY = 429


@dataclass
class Published:
    """What became of one proposal.

    `branch` is pushed, updated, unchanged or failed; `request` opened, reopened, merged or closed too.

    In a dry run the words say what would be. `problems` are sentences; `title`, `text`, `labels`, `reviewers` are as wanted.
    """

    id: str
    branch: str = "unchanged"
    request: str = "unchanged"
    url: str = ""
    title: str = ""
    text: str = ""
    labels: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Outcome:
    """What a run did: the service, how it was asked (`api`, `push options`, or `no key`), and each proposal."""

    service: str
    by: str
    dry_run: bool
    proposals: tuple[Published, ...]

    @property
    def failed(self) -> bool:
        """Whether anything is left to do."""
        return any(one.problems for one in self.proposals)


def publish(
    repository: Repository, ids: Sequence[str] = (), *, remote: str = "", dry_run: bool = False, progress: Progress = quiet
) -> Outcome:
    """Publish open proposals (all, or some); a dry run writes nothing, here or there.

    Raises `BadInput` for a remote of no known service, for a missing key and for unknown ids.
    """
    to = place(repository, remote, need_key=not dry_run)
    if not dry_run:
        fetch(repository.git, to.remote)
    state = look(repository)
    chosen = [find(state, text) for text in ids] if ids else [one for one in state.known if one.status in OPEN]
    if shut := next((one for one in chosen if one.status not in OPEN), None):
        raise BadInput(f"{shut.id} is {shut.status}, so there is nothing to publish.", "Open proposals can be published.")
    run = Run(repository, to, state, dry_run)
    run.send_branches(chosen)
    for number, one in enumerate(chosen, 1):
        progress("requests", number, len(chosen))
        run.request(one)
    if not ids:
        run.close_decided()
    by = "api" if to.host else "push options" if to.service.kind == "gitlab" else "no key"
    return Outcome(to.service.kind, by, dry_run, tuple(run.done.values()))


class Run:
    """One run: what the remote has, and what became of each proposal so far."""

    def __init__(self, repository: Repository, to: Place, state: Survey, dry_run: bool) -> None:
        self.repository, self.git, self.to, self.state, self.dry_run = repository, repository.git, to, state, dry_run
        self.settings = repository.config.publish
        self.target = repository.target.removeprefix("refs/heads/")
        self.there = listed(self.git, to.remote)
        self.done: dict[str, Published] = {}
        self.pause = ""
        self.owners_file = next(filter(None, map(self.on_target, PLACES[to.service.kind])), "")

    def on_target(self, path: str) -> str:
        """Return the text of a file of the target, nothing where there is none."""
        return (self.git.blob(f"{self.repository.target_commit()}:{path}") or b"").decode("utf-8", "replace")

    # ---- branches

    def send_branches(self, chosen: Sequence[Known]) -> None:
        """Push what the remote lacks, all at once; by push options branch by branch, since they hold for a whole push."""
        waiting: list[Push] = []
        for one in chosen:
            told = self.done.setdefault(one.id, Published(one.id))
            if change := self.change(one, self.state.branches[one.id], told):
                told.branch = "pushed" if change.old is None else "updated"
                waiting.append(change)
        if self.dry_run or not self.to.host:
            return
        for ref, why in push(self.git, self.to.remote, waiting).items():
            told = self.done[ref.removeprefix(HEADS)]
            told.branch, told.problems = "failed", [f"The branch was not pushed: {why}."]

    def change(self, one: Known, branch: Branch, told: Published) -> Push | None:
        """Return the push that a branch needs; a person's commits at the remote are never dropped."""
        ref, tip = HEADS + one.id, branch.tip.oid
        old = self.there.get(ref)
        if old == tip:
            return None
        if old and not self.may_replace(old, tip):
            told.branch = "failed"
            told.problems.append("Someone worked on its branch at the remote, apart from the one here: merge the two by hand.")
            return None
        return Push(ref, tip, old)

    def may_replace(self, old: str, new: str) -> bool:
        """Tell whether a branch at the remote is followed by the new commit, or holds nothing that a person wrote."""
        if self.git.commit_of(old) is None:
            return self.dry_run
        if self.git.run("merge-base", "--is-ancestor", old, new, ok=None).code == 0:
            return True
        people = self.git.line("log", "--format=%ae%n%ce", old, f"^{new}", f"^{self.repository.target_commit()}").split("\n")
        machine = {address.lower() for address in self.repository.config.guard.machine_emails}
        return all(address.lower() in machine for address in people if address)

    # ---- requests

    def request(self, one: Known) -> None:
        """Open or update the request of one proposal."""
        told = self.done[one.id]
        if told.problems:
            return
        wanted = self.wanted(one, told)
        if self.pause:
            told.request, told.problems = "failed", [self.pause]
        elif self.to.host is None:
            self.by_push(one, told, wanted)
        else:
            try:
                self.by_api(self.to.host, one, told, wanted)
            except BackendError as failure:
                self.note(told, failure)

    def note(self, told: Published, failure: BackendError) -> None:
        """Keep what went wrong; a service that wants a pause gets it."""
        told.request = "failed"
        told.problems.append(f"{failure}.")
        if getattr(failure, "status", 0) == TOO_MANY:
            self.pause = f"It was not tried: {failure}."

    def by_api(self, host: "Host", one: Known, told: Published, wanted: "Wanted") -> None:
        """Bring the request on the service to what is wanted."""
        from mfgit.backends.hosts.forms import opened_once

        every = host.find(wanted.branch, wanted.target)
        found = [each for each in every if each.state != "merged"]
        landed = next((each for each in every if each.state == "merged" and each.commit == one.commit), None)
        if landed and not any(each.state == "open" for each in found):
            told.request, told.url = "merged", landed.url
            told.problems.append("It was merged there; git pull the target to have it here.")
            return
        there = next((each for each in found if each.state == "open"), found[0] if found else None)
        told.request = "opened" if there is None else self.verb(there, wanted)
        told.url = there.url if there else ""
        if self.dry_run:
            return
        if there is None:
            there = opened_once(host, wanted)
            told.url = there.url
        elif told.request != "unchanged":
            host.update(there, wanted)
        self.forget_seen(one.id)
        if told.request == "opened":
            self.dress(host, there, wanted, told)

    def verb(self, there: "Request", wanted: "Wanted") -> str:
        """Return what an existing request needs. Servers may trim a text and end lines with CRLF."""
        if there.state == "closed":
            return "reopened"
        same = there.title == wanted.title and plain(there.text) == plain(wanted.text)
        return "unchanged" if same else "updated"

    def dress(self, host: "Host", there: "Request", wanted: "Wanted", told: Published) -> None:
        """Add labels and reviewers to a new request; each may fail by itself."""
        try:
            if wanted.labels:
                host.label(there, wanted.labels)
        except BackendError as failure:
            told.problems.append(f"It has no labels: {failure}.")
        try:
            if wanted.people or wanted.teams:
                host.ask_for_review(there, wanted.people, wanted.teams)
        except BackendError as failure:
            told.problems.append(f"Nobody was asked for a review: {failure}.")

    def by_push(self, one: Known, told: Published, wanted: "Wanted") -> None:
        """Let GitLab open the request as the branch is pushed: without a key, with a text of one line."""
        change = self.change(one, self.state.branches[one.id], told)
        if change is None:
            return
        told.request = "opened" if change.old is None else "updated"
        if self.dry_run:
            return
        how = f"`mfgit show {one.id}` tells why and on what evidence. {request.TRAILER}: {one.id}"
        options = ["merge_request.create", f"merge_request.target={wanted.target}", f"merge_request.title={wanted.title}"]
        options += [f"merge_request.description={how}", *(f"merge_request.label={label}" for label in wanted.labels)]
        for why in push(self.git, self.to.remote, [change], options).values():
            told.branch = told.request = "failed"
            told.problems.append(f"The branch was not pushed: {why}.")

    def wanted(self, one: Known, told: Published) -> "Wanted":
        """Return what the request of a proposal should be."""
        from mfgit.backends.hosts.forms import Wanted

        shown = show(self.repository, one.id)
        unanswered = is_unanswered(shown)
        kind = self.to.kind
        branch = layout.branch_name(one.id)
        facts = request.Facts(shown.texts, shown.diff, branch, unanswered, self.preview(one))
        owned = self.owned(one)
        people = tuple(dict.fromkeys((*(name.removeprefix("@") for name in self.settings.reviewers), *owned.people)))
        told.title = request.title(one.record, unanswered, kind.draft_prefix, kind.title_limit)
        told.text = request.text(one.record, facts, kind.text_limit)
        told.labels, told.reviewers = self.settings.labels, (*people, *owned.teams)
        asked = tuple(name for name in people if "/" not in name), tuple(name for name in people if "/" in name)
        teams = tuple(dict.fromkeys((*asked[1], *owned.teams)))
        return Wanted(branch, self.target, told.title, told.text, unanswered, told.labels, asked[0], teams)

    def preview(self, one: Known) -> str:
        """Return what each question of the record finds now and would find; nothing where that cannot be told.

        The archive is not asked: its wordings have no place on a server.
        """
        from mfgit.project.previewing import preview

        try:
            found = preview(self.repository, one.id, archive=False)
        except MfgitError:
            return ""
        found_by = ((each.question, each.before, each.after) for each in found.questions)
        return "\n".join(
            request.before_and_after(asked, (old.first, old.rank), (new.first, new.rank)) for asked, old, new in found_by
        )

    def owned(self, one: Known) -> Owners:
        """Return who owns the pages that a proposal is about, and the file that it changes."""
        record = one.record
        pages = [each.path for each in record.based_on]
        pages += [each.path for each in record.related]
        pages += [each.path for each in record.aliases]
        pages += [record.adopted_path] if record.adopted_path else []
        return owners(self.to.service.kind, self.owners_file, dict.fromkeys(pages))

    # ---- what was decided here

    def close_decided(self) -> None:
        """Close the open requests of proposals that were rejected here, or closed by a scan."""
        if self.to.host is None:
            return
        for one in self.state.known:
            if one.status in ("rejected", "closed") and HEADS + one.id in self.there and not self.pause:
                if self.git.commit_of(SEEN + one.id) == one.commit or closed_there(self.git, one.commit):
                    continue
                told = Published(one.id)
                try:
                    self.close(self.to.host, one, told)
                except BackendError as failure:
                    self.note(told, failure)
                if told.request != "unchanged":
                    self.done[one.id] = told

    def close(self, host: "Host", one: Known, told: Published) -> None:
        """Close the open request of one proposal, if there is one."""
        for there in host.find(layout.branch_name(one.id), self.target):
            if there.state == "open":
                told.request, told.url = "closed", there.url
                if not self.dry_run:
                    host.close(there)
                    self.share(one, told)

    def share(self, one: Known, told: Published) -> None:
        """Let the remote know that a proposal is rejected, and keep that it and the service do."""
        ref = layout.rejected_ref(one.id)
        change = Push(ref, one.commit, self.there.get(ref))
        refused = push(self.git, self.to.remote, [change] if change.old != change.new else [])
        told.problems += [f"The rejection was not pushed: {why}." for why in refused.values()]
        if not refused:
            move(self.git, [RefChange(SEEN + one.id, one.commit, self.git.commit_of(SEEN + one.id))], "mfgit publish")

    def forget_seen(self, identity: str) -> None:
        """Forget that a request was closed, now that it is open."""
        if old := self.git.commit_of(SEEN + identity):
            move(self.git, [RefChange(SEEN + identity, None, old)], "mfgit publish")


def is_unanswered(shown: Shown) -> bool:
    """Tell whether a proposal waits for an answer by a person."""
    if shown.known.record.action_type == "index":
        return False
    return not any(map(has_answer, shown.texts.values()))


def plain(text: str) -> str:
    """Return a text as it is compared: line ends and the space at the end of lines aside."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
