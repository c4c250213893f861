"""GitLab's REST API, v4 (https://docs.gitlab.com/api/openapi/)."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from mfgit.backends.endpoint import Endpoint
from mfgit.backends.hosts.forms import Api, Closed, Request, State, Wanted, number_at, text_at

STATES: dict[str, State] = {"opened": "open", "locked": "open", "closed": "closed", "merged": "merged"}


class GitLab:
    """A project on GitLab; `path` is `group/…/name`."""

    name = "GitLab"
    title_limit, text_limit = 255, 1_048_576
    draft_prefix = "Draft: "

    def __init__(self, to: Endpoint, path: str) -> None:
        self.api = Api(to)
        self.base = f"/projects/{quote(path, safe='')}/merge_requests"

    def find(self, branch: str, target: str) -> Sequence[Request]:
        """Return the requests of a branch; those of forks have another source project."""
        source, base = quote(branch, safe=""), quote(target, safe="")
        query = f"state=all&source_branch={source}&target_branch={base}&order_by=created_at&sort=desc"
        entries = self.api.pages(f"{self.base}?{query}", "per_page")
        own = [one for one in entries if number_at(one, "source_project_id") == number_at(one, "target_project_id")]
        return [self.read(entry) for entry in own if text_at(entry, "source_branch") == branch]

    def read(self, entry: Mapping[str, Any]) -> Request:
        """Return a request as the service tells it."""
        number, state = number_at(entry, "iid"), STATES.get(text_at(entry, "state"))
        if not number or state is None:
            raise self.api.unexpected()
        return Request(
            number,
            text_at(entry, "web_url"),
            state,
            text_at(entry, "title"),
            text_at(entry, "description"),
            text_at(entry, "author", "username"),
            text_at(entry, "source_branch"),
            text_at(entry, "sha"),
        )

    def create(self, wanted: Wanted) -> Request:
        """Open a request."""
        payload = {
            "source_branch": wanted.branch,
            "target_branch": wanted.target,
            "title": wanted.title,
            "description": wanted.text,
        }
        return self.read(self.api.one("POST", self.base, payload))

    def update(self, request: Request, wanted: Wanted) -> None:
        """Change title and text."""
        again = {} if request.state == "open" else {"state_event": "reopen"}
        self.api.one("PUT", f"{self.base}/{request.number}", {"title": wanted.title, "description": wanted.text, **again})

    def close(self, request: Request) -> None:
        """Close a request."""
        self.api.one("PUT", f"{self.base}/{request.number}", {"state_event": "close"})

    def label(self, request: Request, labels: Sequence[str]) -> None:
        """Add labels; the service makes those that are new."""
        self.api.one("PUT", f"{self.base}/{request.number}", {"add_labels": list(labels)})

    def ask_for_review(self, request: Request, people: Sequence[str], teams: Sequence[str]) -> None:
        """Ask people for a review, by their numbers; groups cannot be asked here."""
        numbers = [self.number_of(name) for name in people if name.lower() != request.author.lower()]
        if known := [number for number in numbers if number]:
            self.api.one("PUT", f"{self.base}/{request.number}", {"reviewer_ids": known})

    def number_of(self, name: str) -> int:
        """Return the number of a user, 0 for a name that no user has (a group's)."""
        entries = self.api.pages(f"/users?username={quote(name, safe='')}", "per_page")
        return next((number_at(one, "id") for one in entries if text_at(one, "username").lower() == name.lower()), 0)

    def closed(self, request: Request) -> Closed:
        """Return who closed a request, and the last thing they said."""
        who = text_at(self.api.one("GET", f"{self.base}/{request.number}"), "closed_by", "username")
        notes = self.api.pages(f"{self.base}/{request.number}/notes?sort=asc&order_by=created_at", "per_page")
        said = [
            text_at(one, "body") for one in notes if one.get("system") is not True and text_at(one, "author", "username") == who
        ]
        return Closed(who, said[-1] if said else "")
