"""What a question may be asked with, typed for callers of the Python API; loaded by type checkers alone."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, TypedDict

from mfgit.progress import Progress


class Asking(TypedDict, total=False):
    """Options of `search`. Where none is given: HEAD, ten hits, both kinds, every root, a question that stands by itself."""

    ref: str | None
    """A branch, tag or commit to read."""
    with_id: str | None
    """A proposal, as if it were adopted."""
    limit: int
    """Hits at most."""
    only: Literal["original", "overlay"] | None
    roots: Sequence[str]
    """Knowledge roots (paths or workspace ids) outside of which nothing is seen."""
    history: Sequence[str]
    """The user's turns before the question, the oldest first."""
    weigh: bool
    """Whether to tell how much of the question the first hits hold."""
    progress: Progress


class Handing(Asking, total=False):
    """Options of `context`, which takes five hits where no limit is given."""

    budget: int | None
    """Tokens of the block at most, estimated."""


class Sweeping(TypedDict, total=False):
    """Options of `sweep`."""

    everything: bool
    """Sessions that are not idle, too."""
    idle: int
    """Minutes after which a session is idle."""
    memories: bool
    """Whether to propose what of the new ones is worth remembering."""
    progress: Progress
    now: datetime | None
