"""Conversations on disk: day files of turns and ratings, outside version control."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mfgit.archive.reading import Problem, Reading, read

__all__ = ["Problem", "Reading", "read"]


def __getattr__(name: str) -> Any:
    """Load what reads all of a turn only when it is used: a search starts without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from mfgit.archive import reading

    return getattr(reading, name)
