"""What the APIs of GitHub and Gitea share: pull requests below `/repos/OWNER/NAME`, told and changed in the same words."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from mfgit.backends.endpoint import Endpoint
from mfgit.backends.hosts.forms import Api, Request, State, Wanted, number_at, text_at


class Pulls:
    """The pull requests of a repository; `path` is `owner/name`."""

    def __init__(self, to: Endpoint, path: str) -> None:
        self.api = Api(to)
        self.base = f"/repos/{quote(path)}"

    def read(self, entry: Mapping[str, Any]) -> Request:
        """Return a request as the service tells it; GitHub's lists tell of merging by its time alone."""
        number, state = number_at(entry, "number"), text_at(entry, "state")
        if not number or state not in ("open", "closed"):
            raise self.api.unexpected()
        merged = entry.get("merged") is True or bool(text_at(entry, "merged_at"))
        stands: State = "open" if state == "open" else "merged" if merged else "closed"
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

    def opened(self, wanted: Wanted, **more: Any) -> Request:
        """Open a request with these further fields."""
        payload = {"title": wanted.title, "body": wanted.text, "head": wanted.branch, "base": wanted.target, **more}
        return self.read(self.api.one("POST", f"{self.base}/pulls", payload))

    def update(self, request: Request, wanted: Wanted) -> None:
        """Change title and text, and open a closed one again."""
        again = {} if request.state == "open" else {"state": "open"}
        self.api.one("PATCH", f"{self.base}/pulls/{request.number}", {"title": wanted.title, "body": wanted.text, **again})

    def close(self, request: Request) -> None:
        """Close a request."""
        self.api.one("PATCH", f"{self.base}/pulls/{request.number}", {"state": "closed"})

    def ask_for_review(self, request: Request, people: Sequence[str], teams: Sequence[str]) -> None:
        """Ask for a review; a team is `organisation/team`."""
        names = [name for name in people if name.lower() != request.author.lower()]
        slugs = [team.rpartition("/")[2] for team in teams]
        if names or slugs:
            payload = {"reviewers": names, "team_reviewers": slugs}
            self.api.send("POST", f"{self.base}/pulls/{request.number}/requested_reviewers", payload)
