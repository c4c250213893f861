"""`Project`: one typed, documented method for each thing a person, a script or a server can ask for."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mfgit.config import RootPattern
from mfgit.model import Progress, quiet
from mfgit.project.base import Repository

if TYPE_CHECKING:
    from mfgit.project.setup import Plan


class Project(Repository):
    """A knowledge repository with all that mfgit can do for it. Open one with `Project.open(path)`."""

    @classmethod
    def open(cls, path: str | os.PathLike[str] = ".", environment: Mapping[str, str] | None = None) -> "Project":
        """Return the project whose repository holds `path`; raises `BadInput` where there is none."""
        found = Repository.find(path, environment)
        return cls(found.git, found.top, found.common, found.environment)

    def setup_plan(self, roots: Sequence[RootPattern] = (), progress: Progress = quiet) -> "Plan":
        """Return what is missing to work here (settings, ignore lines, `index.json` entries, hooks); writes nothing."""
        from mfgit.project import setup

        return setup.plan(self, roots, progress)

    def set_up(self, plan: "Plan") -> None:
        """Write what a plan of `setup_plan` says; commits nothing."""
        from mfgit.project import setup

        setup.carry_out(self, plan)
