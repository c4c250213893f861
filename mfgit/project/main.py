"""`Project`: one typed, documented method for each thing a person, a script or a server can ask for."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mfgit.plumbing import decode
from mfgit.progress import Progress, quiet
from mfgit.project.base import Repository
from mfgit.sections import RootPattern

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path
    from typing import Unpack

    from mfgit.archive.appending import Ack
    from mfgit.archive.reading import Census
    from mfgit.archive.retention import Outcome as RetentionOutcome
    from mfgit.model import Known, Rating
    from mfgit.passages import Passage
    from mfgit.project.adopting import Decided
    from mfgit.project.archiving_sessions import Stored
    from mfgit.project.doctoring import Report
    from mfgit.project.evaluating import Evaluation
    from mfgit.project.expecting import Expected
    from mfgit.project.fetching import Fetched
    from mfgit.project.forgetting import Forgotten
    from mfgit.project.importing import Imported
    from mfgit.project.looking_back import LookBack
    from mfgit.project.migrating import Step
    from mfgit.project.options import Asking, Handing, Sweeping
    from mfgit.project.previewing import Preview
    from mfgit.project.publishing import Outcome as Publication
    from mfgit.project.quoting import Context
    from mfgit.project.recalling import Recall
    from mfgit.project.refreshing import Refreshed
    from mfgit.project.remembering import Remembered
    from mfgit.project.searching import Answer
    from mfgit.project.setup import Plan
    from mfgit.project.showing import Shown
    from mfgit.project.sweeping import Swept
    from mfgit.project.syncing import Synced
    from mfgit.repo.known import Survey
    from mfgit.scan.calibrate import Row
    from mfgit.scan.report import Outcome
    from mfgit.session import Conversation


class Project(Repository):
    """A knowledge repository with all that mfgit can do for it. Open one with `Project.open(path)`.

    It belongs to one thread, and keeps its settings as it read them first. What serves many threads is
    `mfgit.project.living.Living`.
    """

    @classmethod
    def open(cls, path: str | os.PathLike[str] = ".", environment: Mapping[str, str] | None = None) -> "Project":
        """Return the project whose repository holds `path`; raises `BadInput` where there is none."""
        found = Repository.find(path, environment)
        return cls(found.git, found.top, found.common, found.environment)

    def search(self, query: str, **options: "Unpack[Asking]") -> "Answer":
        """Return the passages that answer a question, originals first; raises `BadInput` for an unknown ref or root."""
        from mfgit.project import searching

        return searching.search(self, query, **options)

    def expect(self, query: str, page: str, **options: "Unpack[Asking]") -> "Expected":
        """Ask a question and look for the rank of a page; options as for `search`, the ref as in a bisect."""
        from mfgit.project import expecting

        return expecting.expect(self, query, page, **options)

    def bisecting(self) -> bool:
        """Return whether a `git bisect` is going on here."""
        from mfgit.project import expecting

        return expecting.bisecting(self)

    def context(self, query: str, **options: "Unpack[Handing]") -> "Context":
        """Return what a question finds, and the block to hand to an assistant, of at most `budget` tokens."""
        from mfgit.project import quoting

        return quoting.context(self, query, **options)

    def cited(self, citation: str) -> "Passage":
        """Return the passage that a citation (`path#anchor@commit`) names; raises `BadInput`."""
        from mfgit.project import quoting

        return quoting.cited(self, citation)

    def evaluate(
        self, file: "Path", refs: Sequence[str] = (), *, roots: Sequence[str] = (), progress: Progress = quiet
    ) -> "Evaluation":
        """Ask the questions of a file at every ref (none: HEAD), within some roots; return hit@1, hit@5 and MRR@10."""
        from mfgit.project import evaluating

        return evaluating.evaluate(self, file, refs, roots=roots, progress=progress)

    def examine(self, ref: str | None = None, progress: Progress = quiet) -> "Report":
        """Return what is stale, broken, unguarded or unreadable, each with what mends it; changes nothing."""
        from mfgit.project import doctoring

        return doctoring.examine(self, ref, progress)

    def migration(self) -> "tuple[Step, ...]":
        """Return what earlier versions stored otherwise and `migrate` would bring up to date; changes nothing."""
        from mfgit.project import migrating

        return migrating.plan(self)

    def migrate(self) -> "tuple[Step, ...]":
        """Bring hooks, session names and indexes of earlier versions up to date; return what was done. Commits nothing."""
        from mfgit.project import migrating

        return migrating.carry_out(self)

    def stats(self, days: int = 30, now: "datetime | None" = None, progress: Progress = quiet) -> "LookBack":
        """Look back at adopted proposals: by type, and each question in as many days before its adoption and after."""
        from mfgit.project import looking_back

        return looking_back.look_back(self, days, now, progress)

    def setup_plan(self, roots: Sequence[RootPattern] = (), progress: Progress = quiet) -> "Plan":
        """Return what is missing to work here (settings, ignore lines, `index.json` entries, hooks); writes nothing."""
        from mfgit.project import setup

        return setup.plan(self, roots, progress)

    def set_up(self, plan: "Plan") -> None:
        """Write what a plan of `setup_plan` says; commits nothing."""
        from mfgit.project import setup

        setup.carry_out(self, plan)

    def append(self, turns: "Iterable[Mapping[str, Any]]") -> "list[Ack]":
        """Archive turns, redacted; return their ids and days once they are on the disk. Raises `BadInput`."""
        from mfgit.project import archiving

        return archiving.append_turns(self, turns)

    def rate(self, message_id: str, rating: "Rating", reasons: Iterable[str] = (), note: str | None = None) -> str:
        """Archive the user's verdict on a reply; return the day of its file. Raises `Missing` for an unknown reply."""
        from mfgit.project import archiving

        return archiving.rate_reply(self, message_id, rating, reasons, note)[0]

    def import_export(self, path: "str | os.PathLike[str]", name: str = "auto", progress: Progress = quiet) -> "Imported":
        """Archive what an export of another product holds, each conversation once; raises `BadInput` for none."""
        from pathlib import Path

        from mfgit.project import importing

        return importing.import_path(self, name, Path(path), progress)

    def archive_conversations(self, conversations: "Iterable[Conversation]", progress: Progress = quiet) -> "Stored":
        """Archive whole conversations, redacted, each once; raises `BadInput` when the disk refuses."""
        from mfgit.project import archiving_sessions

        return archiving_sessions.store(self, conversations, progress)

    def sweep(self, files: Sequence[str] = (), **options: "Unpack[Sweeping]") -> "Swept":
        """Archive sessions that have been idle, and the transcripts in `files`; again changes nothing."""
        from mfgit.project import sweeping

        return sweeping.sweep(self, files, **options)

    def recall(
        self,
        query: str,
        *,
        date: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int = 10,
        by: str = "date",
        progress: Progress = quiet,
    ) -> "Recall":
        """Return the archived turns and sessions that a question finds, newest first, or best first with `by="score"`.

        `date` is a day, a month, a year or a range `FIRST..LAST`; raises `BadInput` for one that is none.
        """
        from mfgit.project import recalling

        return recalling.search(self, query, date=date, since=since, until=until, limit=limit, by=by, progress=progress)

    def fetch(self, identity: str, *, messages: str | None = None, budget: int = 0, progress: Progress = quiet) -> "Fetched":
        """Return a conversation by its session id, a request id in it, or an unambiguous start of either.

        `messages` is a range such as `3-10`; `budget` are bytes at most, 0 for no limit. Raises `Missing` for an unknown id.
        """
        from mfgit.project import fetching

        return fetching.get(self, identity, messages=messages, budget=budget, progress=progress)

    def memories(
        self,
        session: str,
        *,
        types: Sequence[str] = (),
        propose: bool = False,
        root: str | None = None,
        progress: Progress = quiet,
    ) -> "Remembered":
        """Return what of a session is worth remembering, each a quote with its place; `propose` also writes proposals."""
        from mfgit.project import remembering

        return remembering.extract(self, session, types=types, propose=propose, root=root, progress=progress)

    def retain(self, dry_run: bool = False, progress: Progress = quiet) -> "RetentionOutcome":
        """Let go of what the policy says, or only say what would go."""
        from mfgit.project import retaining

        return retaining.retain(self, dry_run=dry_run, progress=progress)

    def forget(self, users: Sequence[str] = (), sessions: Sequence[str] = (), dry_run: bool = False) -> "Forgotten":
        """Remove users and sessions everywhere; raises `Refusal` when something of theirs is on legal hold."""
        from mfgit.project import forgetting

        return forgetting.forget(self, users, sessions, dry_run=dry_run)

    def scan(
        self,
        *,
        days: int | None = None,
        since: "datetime | None" = None,
        until: "datetime | None" = None,
        dry_run: bool = False,
        scheduler: str | None = None,
        progress: Progress = quiet,
    ) -> "Outcome":
        """Find the questions that repeat or disappoint, and write their proposals; a dry run writes nothing at all.

        The window ends at `until` (now) and begins at `since`, or `days` (the settings') before its end. `scheduler` is the
        address of a Dask scheduler.
        """
        from mfgit.project import scanning

        return scanning.scan(self, days=days, since=since, until=until, dry_run=dry_run, scheduler=scheduler, progress=progress)

    def calibrate(self) -> "list[Row]":
        """Return for each rule of the decision table what became of its proposals, as Git tells it. Changes nothing."""
        from mfgit.scan import calibrate

        state = self.survey()
        return calibrate.calibrate([*state.known, *state.held.values()], self.config.scan)

    def check_archive(self, progress: Progress = quiet) -> "Census":
        """Read the whole archive, count turns and ratings, and name file and line of what cannot be read."""
        from mfgit.project import archiving

        return archiving.check_archive(self, progress)

    def proposals(self, status: str | None = None) -> "tuple[Known, ...]":
        """Return every proposal that Git knows, or those of one status, sorted by id."""
        from mfgit.project import deciding

        return tuple(one for one in deciding.known(self) if status in (None, one.status))

    def refs(self) -> list[str]:
        """Return the short names of branches, remote ones too, and tags."""
        places = ("refs/heads", "refs/remotes", "refs/tags")
        return decode(self.git.out("for-each-ref", "--format=%(refname:short)", *places)).splitlines()

    def survey(self) -> "Survey":
        """Return the proposals that Git knows, with their branches and what could not be read."""
        from mfgit.project import deciding

        return deciding.look(self)

    def show(self, identity: str) -> "Shown":
        """Return one proposal with its text and its diff; raises `BadInput` for an unknown id, naming the nearest."""
        from mfgit.project import showing

        return showing.show(self, identity)

    def preview(self, identity: str, *, archive: bool = True, progress: Progress = quiet) -> "Preview":
        """Ask a proposal's questions, and others that are known, before and after adopting it; writes nothing."""
        from mfgit.project import previewing

        return previewing.preview(self, identity, archive=archive, progress=progress)

    def adopt(self, identity: str, reviewed: str | None = None, *, despite_contradiction: bool = False) -> "Decided":
        """Merge a proposal into the target, in the person's name; raises `Refusal` with the reason, nothing moved."""
        from mfgit.project import adopting

        return adopting.adopt(self, identity, reviewed, despite_contradiction=despite_contradiction)

    def reject(self, identity: str, reason: str, forever: bool = False) -> "Known":
        """Decline a proposal; `forever` keeps a scan from bringing it back. Raises `Refusal` for an adopted one."""
        from mfgit.project import deciding

        return deciding.reject(self, identity, reason, forever)

    def restore(self, identity: str) -> "Known":
        """Reopen a rejected, closed or undone proposal as a branch; raises `Refusal` for any other."""
        from mfgit.project import deciding

        return deciding.restore(self, identity)

    def undo(self, identity: str) -> "Decided":
        """Take an adopted proposal out of the target by a new commit; raises `Refusal` for any other."""
        from mfgit.project import adopting

        return adopting.undo(self, identity)

    def edit_draft(self, identity: str, text: str, reviewed: str, path: str | None = None) -> "Known":
        """Put a text in the place of an open proposal's, as a commit on its branch; raises `Refusal` when that cannot be."""
        from mfgit.project import drafting

        return drafting.edit(self, identity, text, reviewed, path)

    def refresh(self, ids: Sequence[str] = (), checked: bool = False, rebase: bool = False) -> "Refreshed":
        """Re-apply open proposals to the current target; `checked` and `rebase` as for `refreshing.refresh`."""
        from mfgit.project import refreshing

        return refreshing.refresh(self, ids, checked, rebase)

    def publish(
        self, ids: Sequence[str] = (), *, remote: str = "", dry_run: bool = False, progress: Progress = quiet
    ) -> "Publication":
        """Push open proposals (all, or some) and open or update a request for each; a dry run writes nothing anywhere."""
        from mfgit.project import publishing

        return publishing.publish(self, ids, remote=remote, dry_run=dry_run, progress=progress)

    def sync(self, *, remote: str = "", dry_run: bool = False, progress: Progress = quiet) -> "Synced":
        """Read back what people decided on the hosting service; a dry run only reads."""
        from mfgit.project import syncing

        return syncing.sync(self, remote=remote, dry_run=dry_run, progress=progress)
