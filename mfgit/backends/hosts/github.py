"""GitHub's REST API, 2022-11-28 (https://github.com/github/rest-api-description)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from mfgit.backends.endpoint import Endpoint, Failed
from mfgit.backends.hosts.forms import Api, Closed, Request, State, Wanted, number_at, text_at

HEADERS = (("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", "2022-11-28"), ("User-Agent", "mfgit"))
UNPROCESSABLE = 422


class GitHub:
    """A repository on GitHub; `path` is `owner/name`."""

    name = "GitHub"
    title_limit, text_limit = 256, 65_536
    draft_prefix = ""

    def __init__(self, to: Endpoint, path: str) -> None:
        self.api = Api(to._replace(headers=HEADERS))
        self.path, self.owner = path.lower(), path.partition("/")[0]
        self.base = f"/repos/{quote(path)}"

    def find(self, branch: str, target: str) -> Sequence[Request]:
        """Return the requests of a branch."""
        head, base = quote(f"{self.owner}:{branch}", safe=""), quote(target, safe="")
        query = f"state=all&head={head}&base={base}&sort=created&direction=desc"
        entries = self.api.pages(f"{self.base}/pulls?{query}", "per_page")
        own = [entry for entry in entries if text_at(entry, "head", "repo", "full_name").lower() in (self.path, "")]
        return [self.read(entry) for entry in own if text_at(entry, "head", "ref") == branch]

    def read(self, entry: Mapping[str, Any]) -> Request:
        """Return a request as the service tells it."""
        number, state = number_at(entry, "number"), text_at(entry, "state")
        if not number or state not in ("open", "closed"):
            raise self.api.unexpected()
        stands: State = "open" if state == "open" else "merged" if text_at(entry, "merged_at") else "closed"
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
        """Open a request; where drafts are not to be had, an open one."""
        payload = {"title": wanted.title, "body": wanted.text, "head": wanted.branch, "base": wanted.target}
        if not wanted.draft:
            return self.read(self.api.one("POST", f"{self.base}/pulls", payload))
        try:
            return self.read(self.api.one("POST", f"{self.base}/pulls", {**payload, "draft": True}))
        except Failed as failure:
            if failure.status != UNPROCESSABLE:
                raise
            return self.create(replace(wanted, draft=False))

    def update(self, request: Request, wanted: Wanted) -> None:
        """Change title and text."""
        again = {} if request.state == "open" else {"state": "open"}
        self.api.one("PATCH", f"{self.base}/pulls/{request.number}", {"title": wanted.title, "body": wanted.text, **again})

    def close(self, request: Request) -> None:
        """Close a request."""
        self.api.one("PATCH", f"{self.base}/pulls/{request.number}", {"state": "closed"})

    def label(self, request: Request, labels: Sequence[str]) -> None:
        """Add labels; the service makes those that are new."""
        self.api.send("POST", f"{self.base}/issues/{request.number}/labels", {"labels": list(labels)})

    def ask_for_review(self, request: Request, people: Sequence[str], teams: Sequence[str]) -> None:
        """Ask for a review; a team is `organisation/team`."""
        names = [name for name in people if name.lower() != request.author.lower()]
        slugs = [team.rpartition("/")[2] for team in teams]
        if names or slugs:
            payload = {"reviewers": names, "team_reviewers": slugs}
            self.api.send("POST", f"{self.base}/pulls/{request.number}/requested_reviewers", payload)

    def closed(self, request: Request) -> Closed:
        """Return who closed a request, and their last comment."""
        who = text_at(self.api.one("GET", f"{self.base}/issues/{request.number}"), "closed_by", "login")
        comments = self.api.pages(f"{self.base}/issues/{request.number}/comments", "per_page")
        said = [text_at(entry, "body") for entry in comments if text_at(entry, "user", "login") == who]
        return Closed(who, said[-1] if said else "")
