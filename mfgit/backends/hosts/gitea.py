"""The REST API of Gitea and Forgejo, v1 (`/swagger.v1.json` of every instance)."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from mfgit.backends.endpoint import Endpoint
from mfgit.backends.hosts.forms import Api, Closed, Request, State, Wanted, number_at, text_at

COLOUR = "#0e8a16"
"""Of labels that are made."""


class Gitea:
    """A repository on Gitea or Forgejo; `path` is `owner/name`."""

    name = "Gitea"
    title_limit, text_limit = 255, 65_535
    draft_prefix = "WIP: "

    def __init__(self, to: Endpoint, path: str) -> None:
        self.api = Api(to)
        self.base = f"/repos/{quote(path)}"
        self.all: list[Mapping[str, Any]] | None = None
        self.labels: dict[str, int] = {}

    def find(self, branch: str, target: str) -> Sequence[Request]:
        """Return the requests of a branch. The service filters by no branch, so all are read, once."""
        if self.all is None:
            self.all = self.api.pages(f"{self.base}/pulls?state=all&sort=recentupdate", "limit")
        found = [
            self.read(entry)
            for entry in self.all
            if text_at(entry, "head", "ref") == branch
            and text_at(entry, "base", "ref") == target
            and number_at(entry, "head", "repo_id") == number_at(entry, "base", "repo_id")
        ]
        return sorted(found, key=lambda one: one.number, reverse=True)

    def read(self, entry: Mapping[str, Any]) -> Request:
        """Return a request as the service tells it."""
        number, state = number_at(entry, "number"), text_at(entry, "state")
        if not number or state not in ("open", "closed"):
            raise self.api.unexpected()
        stands: State = "open" if state == "open" else "merged" if entry.get("merged") is True else "closed"
        return Request(
            number,
            text_at(entry, "html_url"),
            stands,
            text_at(entry, "title"),
            text_at(entry, "body"),
            text_at(entry, "user", "login"),
            text_at(entry, "head", "ref"),
            text_at(entry, "head", "sha"),
        )

    def create(self, wanted: Wanted) -> Request:
        """Open a request."""
        self.all = None
        payload = {"title": wanted.title, "body": wanted.text, "head": wanted.branch, "base": wanted.target}
        return self.read(self.api.one("POST", f"{self.base}/pulls", payload))

    def update(self, request: Request, wanted: Wanted) -> None:
        """Change title and text."""
        again = {} if request.state == "open" else {"state": "open"}
        self.api.one("PATCH", f"{self.base}/pulls/{request.number}", {"title": wanted.title, "body": wanted.text, **again})

    def close(self, request: Request) -> None:
        """Close a request."""
        self.api.one("PATCH", f"{self.base}/pulls/{request.number}", {"state": "closed"})

    def label(self, request: Request, labels: Sequence[str]) -> None:
        """Add labels by their numbers, which every version takes; those that are new are made."""
        if not self.labels:
            entries = self.api.pages(f"{self.base}/labels", "limit")
            self.labels = {text_at(one, "name"): number_at(one, "id") for one in entries}
        for name in labels:
            if name not in self.labels:
                made = self.api.one("POST", f"{self.base}/labels", {"name": name, "color": COLOUR})
                self.labels[name] = number_at(made, "id")
        numbers = [self.labels[name] for name in labels]
        self.api.send("POST", f"{self.base}/issues/{request.number}/labels", {"labels": numbers})

    def ask_for_review(self, request: Request, people: Sequence[str], teams: Sequence[str]) -> None:
        """Ask for a review; a team is `organisation/team`."""
        names = [name for name in people if name.lower() != request.author.lower()]
        slugs = [team.rpartition("/")[2] for team in teams]
        if names or slugs:
            payload = {"reviewers": names, "team_reviewers": slugs}
            self.api.send("POST", f"{self.base}/pulls/{request.number}/requested_reviewers", payload)

    def closed(self, request: Request) -> Closed:
        """Return the last comment there and who wrote it: the service does not say who closed a request."""
        comments = self.api.send("GET", f"{self.base}/issues/{request.number}/comments")
        said = [one for one in comments if isinstance(one, dict)] if isinstance(comments, list) else []
        return Closed(text_at(said[-1], "user", "login"), text_at(said[-1], "body")) if said else Closed("", "")
