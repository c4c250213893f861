"""`Project`: one typed, documented method for each thing a person, a script or a server can ask for."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mfgit.config import RootPattern
from mfgit.model import Progress, Rating, quiet
from mfgit.project.base import Repository

if TYPE_CHECKING:
    from pathlib import Path

    from mfgit.archive.appending import Ack
    from mfgit.archive.reading import Census
    from mfgit.project.evaluating import Evaluation
    from mfgit.project.searching import Answer
    from mfgit.project.setup import Plan
    from mfgit.scan.report import Outcome


class Project(Repository):
    """A knowledge repository with all that mfgit can do for it. Open one with `Project.open(path)`."""

    @classmethod
    def open(cls, path: str | os.PathLike[str] = ".", environment: Mapping[str, str] | None = None) -> "Project":
        """Return the project whose repository holds `path`; raises `BadInput` where there is none."""
        found = Repository.find(path, environment)
        return cls(found.git, found.top, found.common, found.environment)

    def search(self, query: str, **options: "Any") -> "Answer":
        """Return the passages that answer a question, originals first; `options` as for `searching.search`."""
        from mfgit.project import searching

        return searching.search(self, query, **options)

    def context(self, query: str, **options: "Any") -> "tuple[Answer, str]":
        """Return what a question finds, and the block to hand to an assistant; `options` as for `searching.search`."""
        from mfgit.project import searching

        return searching.context(self, query, **options)

    def evaluate(self, file: "Path", refs: "Sequence[str]" = (), progress: Progress = quiet) -> "Evaluation":
        """Ask the questions of a file at every ref; return hit@1, hit@5 and MRR@10. Raises `BadInput`."""
        from mfgit.project import evaluating

        return evaluating.evaluate(self, file, refs, progress)

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

    def rate(self, message_id: str, rating: Rating, reasons: Iterable[str] = (), note: str | None = None) -> str:
        """Archive the user's verdict on a reply; return the day of its file. Raises `BadInput` for an unknown reply."""
        from mfgit.project import archiving

        return archiving.rate_reply(self, message_id, rating, reasons, note)[0]

    def scan(self, **options: "Any") -> "Outcome":
        """Find the questions that repeat or disappoint, and write their proposals; `options` as for `scanning.scan`."""
        from mfgit.project import scanning

        return scanning.scan(self, **options)

    def check_archive(self, progress: Progress = quiet) -> "Census":
        """Read the whole archive, count turns and ratings, and name file and line of what cannot be read."""
        from mfgit.project import archiving

        return archiving.check_archive(self, progress)
