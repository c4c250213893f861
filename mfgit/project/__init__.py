"""Where the stages meet. `mfgit.project.Project` is the Python API of every face."""

from mfgit.project.main import Project

__all__ = ["Project"]
