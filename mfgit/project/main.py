"""`Project`: one typed, documented method for each thing a person, a script or a server can ask for."""

import os
from collections.abc import Mapping

from mfgit.project.base import Repository


class Project(Repository):
    """A knowledge repository with all that mfgit can do for it. Open one with `Project.open(path)`."""

    @classmethod
    def open(cls, path: str | os.PathLike[str] = ".", environment: Mapping[str, str] | None = None) -> "Project":
        """Return the project whose repository holds `path`; raises `BadInput` where there is none."""
        found = Repository.find(path, environment)
        return cls(found.git, found.top, found.common, found.environment)
