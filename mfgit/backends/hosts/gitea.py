"""The REST API of Gitea and Forgejo, v1 (`/swagger.v1.json` of every instance)."""

from collections.abc import Mapping, Sequence
from typing import Any

from mfgit.backends.endpoint import Endpoint
from mfgit.backends.hosts.forms import Closed, Request, Wanted, number_at, text_at
from mfgit.backends.hosts.pulls import Pulls

COLOUR = "#0e8a16"
"""Of labels that are made."""


class Gitea(Pulls):
    """A repository on Gitea or Forgejo; `path` is `owner/name`."""

    name = "Gitea"
    title_limit, text_limit = 255, 65_535
    draft_prefix = "WIP: "

    def __init__(self, to: Endpoint, path: str) -> None:
        super().__init__(to, path)
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

    def create(self, wanted: Wanted) -> Request:
        """Open a request."""
        self.all = None
        return self.opened(wanted)

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

    def closed(self, request: Request) -> Closed:
        """Return the last comment there and who wrote it: the service does not say who closed a request."""
        comments = self.api.send("GET", f"{self.base}/issues/{request.number}/comments")
        said = [one for one in comments if isinstance(one, dict)] if isinstance(comments, list) else []
        return Closed(text_at(said[-1], "user", "login"), text_at(said[-1], "body")) if said else Closed("", "")
