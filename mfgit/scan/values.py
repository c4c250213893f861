"""What the steps of a scan hand to each other."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from mfgit.layout import Root
from mfgit.model import Hit, Known, Progress, Record, Turn, quiet
from mfgit.scan.bursts import Asking, askings
from mfgit.sections import ScanConfig

if TYPE_CHECKING:
    from mfgit.scan.features import Vectors
    from mfgit.scan.graph import Graph

HELP = "help"
"""The scope of help turns: all help roots together. The scope of a workspace is the path of its root."""

Similar = Callable[["Vectors"], "Graph"]
"""What finds the pairs of questions that are alike: here, or on a cluster."""


def similar_here(vectors: "Vectors") -> "Graph":
    """Return the pairs of questions that are alike, found in this process; what it takes is loaded when it is asked for."""
    from mfgit.scan.graph import similar_pairs

    return similar_pairs(vectors)


class Originals(Protocol):
    """The originals of a knowledge root as retrieval sees them; overlays are never among them."""

    def best(self, text: str, root: str, limit: int = 3) -> list[Hit]:
        """Return the original passages of a root that fit a question or a whole answer, the best first."""

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text."""

    def idf(self, term: str, root: str) -> float:
        """Return how much a term tells in a root: its inverse document frequency."""


class NoOriginals:
    """A root without originals."""

    def best(self, text: str, root: str, limit: int = 3) -> list[Hit]:
        """Return nothing."""
        return []

    def terms(self, text: str) -> list[str]:
        """Return the words."""
        return text.split()

    def idf(self, term: str, root: str) -> float:
        """Return 1 for every word."""
        return 1.0


class Meaning(NamedTuple):
    """An embedding model: what it makes of texts, and for each language it can be used for the scale of its cosines.

    `vectors` gives the rows of texts one after the other, little-endian half precision; a scale is the mean cosine of
    unrelated questions and its standard deviation; `strictness` are the deviations above it at which two are the same.
    """

    name: str
    vectors: Callable[[Sequence[str]], bytes]
    scales: Mapping[str, tuple[float, float]]
    strictness: float


@dataclass(frozen=True)
class Inputs:
    """Everything a scan depends on.

    `names` are product names that a root's headings speak of; `takes_alias(root, page, alias)` tells whether a root's
    `index.json` can hold an alias; `redact` takes secrets and personal data out of a text;
    `changed` has, for each open proposal that no person edited, the files of the target that changed since its branch was cut,
    and when; `only_help` tells that the repository is set up with help roots alone; `similar` finds the pairs that are alike,
    `meaning` is an embedding model, where one is set.
    """

    turns: Sequence[Turn]
    roots: Sequence[Root]
    known: Sequence[Known] = ()
    settings: ScanConfig = field(default_factory=ScanConfig)
    originals: Originals = field(default_factory=NoOriginals)
    snapshot: Any = None
    names: Mapping[str, Iterable[str]] = field(default_factory=dict)
    takes_alias: Callable[[str, str, str], bool] = lambda root, page, alias: True
    redact: Callable[[str], str] = str
    changed: Mapping[str, Mapping[str, datetime]] = field(default_factory=dict)
    only_help: bool = False
    similar: Similar = similar_here
    meaning: Meaning | None = None
    progress: Progress = quiet


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn with the question it asks."""

    turn: Turn
    text: str
    normal: str
    key: str


@dataclass(frozen=True)
class Cluster:
    """Turns that ask the same, by time. `normals` are the distinct normal forms, `medoid` the most central of them.

    `weak` are the request ids of unrated turns whose answer looks weak, `signs` by what, and how often.
    """

    scope: str
    normals: tuple[str, ...]
    medoid: str
    asked: tuple[Asked, ...]
    weak: frozenset[str] = frozenset()
    apart: tuple[str, ...] = ()
    signs: tuple[tuple[str, int], ...] = ()

    @property
    def turns(self) -> list[Turn]:
        """The turns, by time."""
        return [asked.turn for asked in self.asked]

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the questions."""
        return frozenset(asked.key for asked in self.asked)

    @functools.cached_property
    def askings(self) -> tuple[Asking, ...]:
        """The turns, with what one asker repeats within minutes as one."""
        return askings([(asked.turn, asked.normal) for asked in self.asked])

    @property
    def unhappy(self) -> int:
        """How many askings were rated down."""
        return sum(any(turn.dissatisfied for turn in asking) for asking in self.askings)

    @property
    def doubtful(self) -> int:
        """How many askings got an answer that looks weak."""
        return sum(any(turn.request_id in self.weak for turn in asking) for asking in self.askings)

    @property
    def sessions(self) -> int:
        """In how many sessions it was asked; a turn without a session is one of its own."""
        return len({turn.session_id or f"turn {turn.request_id}" for turn in self.turns})

    @property
    def users(self) -> int:
        """How many users asked; turns without a user count as one, and as none where no turn has one."""
        users = {turn.user_id or "" for turn in self.turns}
        return 0 if users == {""} else len(users)

    @property
    def bad(self) -> list[Turn]:
        """The turns whose users were unhappy with the reply."""
        return [turn for turn in self.turns if turn.dissatisfied]


class Closed(NamedTuple):
    """An open proposal that the originals answer now: the page, when that last `changed`, and why, in words."""

    id: str
    title: str
    page: str
    changed: datetime
    reason: str


@dataclass(frozen=True)
class Proposal:
    """A cluster worth a proposal: its record, all its turns, and what becomes of it.

    `status` is new, updated, unchanged, waiting or rejected; the first three are settled once the branches are written.
    """

    record: Record
    cluster: Cluster
    status: str
    branch: str | None = None

    @property
    def writes(self) -> bool:
        """Whether a branch holds it."""
        return self.status not in ("waiting", "rejected")


@dataclass(frozen=True)
class Window:
    """The time that a scan looks at."""

    since: datetime
    until: datetime
