"""What a request is, whatever the service calls it, and what may be asked of a service."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from mfgit.backends.endpoint import Endpoint, Failed, send
from mfgit.backends.protocols import BackendError

State = Literal["open", "closed", "merged"]
ANSWER_LIMIT = 16 << 20
"""Bytes of one answer; a page of a hundred requests with their texts has at most some megabytes."""
PAGE, PAGES = 50, 200
"""Entries that are asked for at once, and how many times a service is asked for more."""


@dataclass(frozen=True, slots=True)
class Request:
    """A pull or merge request of this repository: `branch` without `refs/heads/`, `commit` its tip as the service knows it."""

    number: int
    url: str
    state: State
    title: str
    text: str
    author: str
    branch: str
    commit: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request as it should be; `people` and `teams` are names without `@` who are asked for a review."""

    branch: str
    target: str
    title: str
    text: str
    draft: bool = False
    labels: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()


class Closed(NamedTuple):
    """Who closed a request and the last thing that was said there by that person; empty where the service doesn't say."""

    who: str
    text: str


class Host(Protocol):
    """A repository on a hosting service. Every method raises `BackendError`."""

    name: str
    """What messages call the service."""
    title_limit: int
    """Characters of a title."""
    text_limit: int
    """Characters of a text."""
    draft_prefix: str
    """What a title begins with that the service takes for unfinished; empty where a flag says it."""

    def find(self, branch: str, target: str) -> Sequence[Request]:
        """Return the requests from a branch of this very repository to the target, the newest first, open or not."""

    def create(self, wanted: Wanted) -> Request:
        """Open a request."""

    def update(self, request: Request, wanted: Wanted) -> None:
        """Give a request another title and text, and open it again if it was closed."""

    def close(self, request: Request) -> None:
        """Close a request without merging it."""

    def label(self, request: Request, labels: Sequence[str]) -> None:
        """Add labels to a request."""

    def ask_for_review(self, request: Request, people: Sequence[str], teams: Sequence[str]) -> None:
        """Ask people and teams for a review; whoever opened the request is left out."""

    def closed(self, request: Request) -> Closed:
        """Return who closed a request, and what they said."""


class Api:
    """The JSON of one service: requests that name no secret in what they raise, answers looked into with care."""

    def __init__(self, to: Endpoint) -> None:
        self.to = to

    def send(self, method: str, path: str, payload: Mapping[str, Any] | None = None) -> Any:
        """Send one request and return its JSON; raises `Failed`."""
        return send(self.to, method, path, payload, ANSWER_LIMIT)

    def one(self, method: str, path: str, payload: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """Return the JSON object of an answer."""
        found = self.send(method, path, payload)
        if not isinstance(found, dict):
            raise self.unexpected()
        return found

    def pages(self, path: str, size: str) -> list[Mapping[str, Any]]:
        """Return the objects of a list that is told in pages; `size` is the service's name for how many a page has."""
        found: list[Mapping[str, Any]] = []
        mark = "&" if "?" in path else "?"
        for page in range(1, PAGES + 1):
            entries = self.send("GET", f"{path}{mark}{size}={PAGE}&page={page}")
            if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
                raise self.unexpected()
            found.extend(entries)
            if len(entries) < PAGE:
                return found
        raise Failed(f"{self.to.host} has more than {PAGE * PAGES} entries")

    def unexpected(self) -> Failed:
        """Return the error of an answer that is not what the service's description says."""
        return Failed(f"{self.to.host} answered with something else than its description says")


def text_at(entry: Mapping[str, Any], *path: str) -> str:
    """Return the text at a path of keys, nothing where there is none."""
    at: Any = entry
    for key in path:
        at = at.get(key) if isinstance(at, dict) else None
    return at if isinstance(at, str) else ""


def number_at(entry: Mapping[str, Any], *path: str) -> int:
    """Return the number at a path of keys, 0 where there is none."""
    at: Any = entry
    for key in path:
        at = at.get(key) if isinstance(at, dict) else None
    return at if isinstance(at, int) and not isinstance(at, bool) else 0


def opened_once(host: Host, wanted: Wanted) -> Request:
    """Open a request; one that turns out to be there, since an answer was lost or someone was faster, is returned."""
    try:
        return host.create(wanted)
    except BackendError:
        there = [one for one in host.find(wanted.branch, wanted.target) if one.state == "open"]
        if not there:
            raise
        return there[0]
