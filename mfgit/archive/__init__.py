"""Conversations on disk: day files of turns and ratings, outside version control."""

from mfgit.archive.reading import Problem, Reading, read

__all__ = ["Problem", "Reading", "read"]
