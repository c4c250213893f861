"""GitHub's REST API, 2022-11-28 (https://github.com/github/rest-api-description)."""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import quote

from mfgit.backends.endpoint import Endpoint, Failed
from mfgit.backends.hosts.forms import Closed, Request, Wanted, text_at
from mfgit.backends.hosts.pulls import Pulls

HEADERS = (("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", "2022-11-28"), ("User-Agent", "mfgit"))
UNPROCESSABLE = 422


class GitHub(Pulls):
    """A repository on GitHub; `path` is `owner/name`."""

    name = "GitHub"
    title_limit, text_limit = 256, 65_536
    draft_prefix = ""

    def __init__(self, to: Endpoint, path: str) -> None:
        super().__init__(to._replace(headers=HEADERS), path)
        self.path, self.owner = path.lower(), path.partition("/")[0]

    def find(self, branch: str, target: str) -> Sequence[Request]:
        """Return the requests of a branch."""
        head, base = quote(f"{self.owner}:{branch}", safe=""), quote(target, safe="")
        query = f"state=all&head={head}&base={base}&sort=created&direction=desc"
        entries = self.api.pages(f"{self.base}/pulls?{query}", "per_page")
        own = [entry for entry in entries if text_at(entry, "head", "repo", "full_name").lower() in (self.path, "")]
        return [self.read(entry) for entry in own if text_at(entry, "head", "ref") == branch]

    def create(self, wanted: Wanted) -> Request:
        """Open a request; where drafts are not to be had, an open one."""
        if not wanted.draft:
            return self.opened(wanted)
        try:
            return self.opened(wanted, draft=True)
        except Failed as failure:
            if failure.status != UNPROCESSABLE:
                raise
            return self.create(replace(wanted, draft=False))

    def label(self, request: Request, labels: Sequence[str]) -> None:
        """Add labels; the service makes those that are new."""
        self.api.send("POST", f"{self.base}/issues/{request.number}/labels", {"labels": list(labels)})

    def closed(self, request: Request) -> Closed:
        """Return who closed a request, and their last comment."""
        who = text_at(self.api.one("GET", f"{self.base}/issues/{request.number}"), "closed_by", "login")
        comments = self.api.pages(f"{self.base}/issues/{request.number}/comments", "per_page")
        said = [text_at(entry, "body") for entry in comments if text_at(entry, "user", "login") == who]
        return Closed(who, said[-1] if said else "")
