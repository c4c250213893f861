"""What an index is kept by: the seam between mfgit and its search engines.

Whoosh is the default and needs nothing more; the others are for more turns than one file of Python likes. All get the terms
of mfgit's own analyzer, all number their documents from 0 on and never take one out, and all find the same documents with the
same scores: what a tree holds, how long its passages are and how rare its words is told by the view, never by the engine.
"""

import importlib
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from mfgit.errors import not_installed

if TYPE_CHECKING:
    from mfgit.index.searcher import Searcher
    from mfgit.index.shape import Row, Shape
    from mfgit.index.view import View

DEFAULT = "whoosh"
ENGINES: Mapping[str, str] = {
    "whoosh": "mfgit.index.engines.stock",
    "tantivy": "mfgit.index.engines.tantivy",
    "opensearch": "mfgit.index.engines.opensearch",
}
"""What `index.engine` may be, and the module that does it."""
EXTRAS: Mapping[str, str] = {"tantivy": "tantivy", "opensearch": "opensearch"}
"""Engine → the extra that installs what it needs."""


class Writer(Protocol):
    """Takes documents, for as long as `SearchEngine.writing` lasts."""

    @property
    def total(self) -> int:
        """The number that the next document will have."""

    def add(self, row: "Row") -> None:
        """Take one document."""


class SearchEngine(Protocol):
    """A kind of index in a folder of its own. One process writes at a time, many read meanwhile."""

    def create(self, place: Path, shape: "Shape") -> None:
        """Make an index without documents in an empty folder; raises `MfgitError` where the engine cannot be had."""

    def writing(self, place: Path, shape: "Shape") -> AbstractContextManager[Writer]:
        """Yield a writer. What it took is there, whole and durable, when the context ends; none of it when an error ends it.

        After a kill there may be documents that no catalogue names; they do no harm.
        """

    def open(self, place: Path, shown: "View", shape: "Shape") -> "Searcher | None":
        """Return a searcher of one view; None when the index is damaged or does not hold what the view names."""

    def settle(self, place: Path) -> None:
        """Do what has to be done once an index is the one in use."""

    def drop(self, place: Path) -> None:
        """Remove what the engine keeps elsewhere than in the folder."""


class Reader(Protocol):
    """An open index of an engine that ranks by itself, as `mfgit.index.ranked` asks it. Documents go by their numbers."""

    total: int
    """How many documents there are."""
    most: int
    """Documents that `best` returns at most."""
    counts_empty: bool
    """Whether documents without a field count in the field's average length and document frequencies."""
    scale: float
    """What a score of mfgit is divided by here."""

    def count(self, field: str, terms: Sequence[str]) -> list[int]:
        """Return how many documents hold each of some terms."""

    def expect(self, terms: Sequence[str]) -> None:
        """Be told of terms of the first field that `count` is soon asked for, one by one."""

    def documents(self, field: str, term: str) -> Sequence[int]:
        """Return the documents that hold a term, rising."""

    def best(self, asked: Sequence[tuple[str, str, float]], limit: int) -> list[tuple[int, float]]:
        """Return the best documents and their scores, best first, by BM25 of (field, term, weight), lengths rounded down."""

    def starting(self, field: str, prefix: str, limit: int) -> list[str]:
        """Return the first terms of a field that begin with a text."""


def engine(name: str) -> SearchEngine:
    """Return an engine by its name; raises `BadInput` with the line that installs it where it is not installed."""
    try:
        found: SearchEngine = importlib.import_module(ENGINES[name]).ENGINE
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "mfgit" or name not in EXTRAS:
            raise
        raise not_installed(f"The search engine {name} needs {error.name}", EXTRAS[name]) from None
    return found
