"""Hosting services on this machine: each answers by its own contract, and the repository is served over real HTTP.

A contract (`tests/openapi/`) names the operations that are used, with names, types and values as the service's description
says; `source` and `license` are the description's, `beyond` tells where the contract knows more. A request that breaks it is
answered with 418 and kept in `faults`; an answer that breaks it fails the test, too.
"""

import json
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import jsonschema

CONTRACTS = Path(__file__).parent / "openapi"
KEY = "t0ken-for-tests"
OWNER = "team"
Json = Any


@dataclass
class Request:
    """A request as the mock keeps it."""

    number: int
    branch: str
    target: str
    title: str
    text: str
    state: str = "open"
    draft: bool = False
    author: str = "mfgit-bot"
    fork: bool = False
    closed_by: str | None = None
    comments: list[tuple[str, str]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    reviewers: list[str] = field(default_factory=list)


class Hosted:
    """One repository on one kind of service: what it has, what was asked, what broke the contract."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.contract = json.loads((CONTRACTS / f"{kind}.json").read_text("utf-8"))
        self.requests: list[Request] = []
        self.label_names: list[str] = []
        self.asked: list[tuple[str, str]] = []
        self.faults: list[str] = []
        self.failing: list[tuple[str, int, dict[str, str]]] = []
        """What the next requests that match `METHOD path-part` are answered with, instead: status and headers."""
        self.drafts = True
        self.lose_answer = False
        self.url = ""

    # ---- the contract

    def handle(self, method: str, target: str, headers: dict[str, str], raw: bytes) -> tuple[int, Json, dict[str, str]]:
        parts = urlsplit(target)
        path = parts.path.removeprefix(self.contract["prefix"])
        self.asked.append((method, path))
        for at, (what, status, extra) in enumerate(self.failing):
            if what in f"{method} {path}":
                del self.failing[at]
                return status, {"message": "no"}, extra
        try:
            operation, names = self.operation(method, path)
            assert headers.get("Authorization") == f"Bearer {KEY}", "no key"
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            self.check_query(operation, query)
            body = json.loads(raw) if raw else None
            assert ("body" in operation) == (body is not None), "a body where none belongs, or none where one does"
            if body is not None:
                jsonschema.validate(body, operation["body"])
            status, answer = getattr(self, self.kind)(method, operation["path"], names, query, body)
            jsonschema.validate(answer, operation["answers"][str(status)])
        except (AssertionError, jsonschema.ValidationError, KeyError) as fault:
            self.faults.append(f"{method} {target}: {fault!r}"[:500])
            return 418, {"message": "contract"}, {}
        return status, answer, {}

    def operation(self, method: str, path: str) -> tuple[Json, dict[str, str]]:
        for one in self.contract["operations"]:
            pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(one["path"]))
            found = re.fullmatch(pattern, path)
            if one["method"] == method.lower() and found:
                return one, {name: unquote(value) for name, value in found.groupdict().items()}
        raise AssertionError("no such operation")

    @staticmethod
    def check_query(operation: Json, query: dict[str, str]) -> None:
        known = operation.get("query", {})
        for name, value in query.items():
            assert name in known, f"no parameter {name}"
            schema = known[name]
            jsonschema.validate(int(value) if schema["type"] == "integer" else value, schema)

    # ---- what all have

    def one(self, number: str) -> Request:
        return next(one for one in self.requests if one.number == int(number))

    def by_branch(self, branch: str) -> list[Request]:
        return [one for one in self.requests if one.branch == branch]

    def add(self, branch: str, target: str, title: str, text: str, **more: Json) -> Request | None:
        if any(one.state == "open" and not one.fork for one in self.by_branch(branch)):
            return None
        made = Request(len(self.requests) + 1, branch, target, title, text, **more)
        self.requests.append(made)
        return made

    @staticmethod
    def page(entries: list[Json], query: dict[str, str], size: str) -> list[Json]:
        length, number = int(query.get(size, 30)), int(query.get("page", 1))
        return entries[(number - 1) * length : number * length]

    def web(self, one: Request) -> str:
        return f"{self.url}/{OWNER}/kb/{one.number}"

    # ---- GitHub

    def github(self, method: str, path: str, names: dict[str, str], query: dict[str, str], body: Json) -> tuple[int, Json]:
        number = names.get("pull_number") or names.get("issue_number") or ""
        if path.endswith("/pulls") and method == "GET":
            owner, _, branch = query["head"].partition(":")
            assert owner == OWNER
            found = [self.pull(one) for one in reversed(self.requests) if one.branch == branch and one.target == query["base"]]
            return 200, self.page(found, query, "per_page")
        if path.endswith("/pulls"):
            if body.get("draft") and not self.drafts:
                return 422, {"message": "Draft pull requests are not supported", "documentation_url": "x"}
            made = self.add(body["head"], body["base"], body["title"], body["body"], draft=body.get("draft", False))
            return (201, self.pull(made)) if made else (422, {"message": "exists", "documentation_url": "x"})
        one = self.one(number)
        if path.endswith("/labels"):
            one.labels += body["labels"]
            return 200, [{"name": name} for name in one.labels]
        if path.endswith("/requested_reviewers"):
            if one.author in body["reviewers"]:
                return 422, {}
            one.reviewers += [*body["reviewers"], *body["team_reviewers"]]
            return 201, self.pull(one)
        if path.endswith("/comments"):
            found = [{"body": said, "user": {"login": who}} for who, said in one.comments]
            return 200, self.page(found, query, "per_page")
        if method == "GET":
            return 200, {"number": one.number, "closed_by": one.closed_by and {"login": one.closed_by}}
        self.change(one, body.get("title"), body.get("body"), body.get("state"))
        return 200, self.pull(one)

    @staticmethod
    def change(one: Request, title: str | None, text: str | None, state: str | None) -> None:
        one.title, one.text, one.state = title or one.title, text or one.text, state or one.state

    def pull(self, one: Request) -> Json:
        head = {"label": f"{OWNER}:{one.branch}", "ref": one.branch, "sha": "0" * 40}
        return {
            "number": one.number,
            "state": "open" if one.state == "open" else "closed",
            "html_url": self.web(one),
            "title": one.title,
            "body": one.text,
            "merged_at": "2026-11-30T12:00:00Z" if one.state == "merged" else None,
            "merged": one.state == "merged",
            "user": {"login": one.author},
            "head": {**head, "repo": {"full_name": "else/kb" if one.fork else f"{OWNER}/kb"}, "repo_id": 2 if one.fork else 1},
            "base": {"ref": one.target, "repo_id": 1},
        }

    # ---- Gitea

    def gitea(self, method: str, path: str, names: dict[str, str], query: dict[str, str], body: Json) -> tuple[int, Json]:
        if path.endswith("/pulls") and method == "GET":
            return 200, self.page([self.pull(one) for one in self.requests], query, "limit")
        if path.endswith("/pulls"):
            made = self.add(body["head"], body["base"], body["title"], body["body"])
            return (201, self.pull(made)) if made else (409, {"message": "exists", "url": "x"})
        if path.endswith("{repo}/labels") and method == "GET":
            return 200, self.page([self.label(name) for name in self.label_names], query, "limit")
        if path.endswith("{repo}/labels"):
            self.label_names.append(body["name"])
            return 201, self.label(body["name"])
        one = self.one(names["index"])
        if path.endswith("/labels"):
            one.labels += [self.label_names[number - 1] for number in body["labels"]]
            return 200, [self.label(name) for name in one.labels]
        if path.endswith("/requested_reviewers"):
            one.reviewers += [*body["reviewers"], *body["team_reviewers"]]
            return 201, [{"id": 1}]
        if path.endswith("/comments"):
            return 200, [{"body": said, "user": {"login": who}} for who, said in one.comments]
        self.change(one, body.get("title"), body.get("body"), body.get("state"))
        return 201, self.pull(one)

    def label(self, name: str) -> Json:
        return {"id": self.label_names.index(name) + 1, "name": name}

    # ---- GitLab

    def gitlab(self, method: str, path: str, names: dict[str, str], query: dict[str, str], body: Json) -> tuple[int, Json]:
        if path == "/users":
            known = {"olga": 7, "wei": 8, "mfgit-bot": 9}
            return 200, [{"id": number, "username": name} for name, number in known.items() if name == query["username"]]
        assert names["id"] == f"{OWNER}/kb"
        if path.endswith("/merge_requests") and method == "GET":
            found = [one for one in reversed(self.requests) if one.branch == query["source_branch"]]
            return 200, self.page([self.merge(one) for one in found if one.target == query["target_branch"]], query, "per_page")
        if path.endswith("/merge_requests"):
            made = self.add(body["source_branch"], body["target_branch"], body["title"], body["description"])
            return (201, self.merge(made)) if made else (409, {"message": ["exists"]})
        one = self.one(names.get("merge_request_iid") or names["noteable_id"])
        if path.endswith("/notes"):
            notes = [{"body": said, "author": {"id": 7, "username": who}, "system": False} for who, said in one.comments]
            system = {"body": "closed", "author": {"id": 7, "username": one.closed_by or "olga"}, "system": True}
            return 200, self.page([*notes, system], query, "per_page")
        if method == "PUT":
            one.labels += body.get("add_labels", [])
            one.reviewers += [str(number) for number in body.get("reviewer_ids", [])]
            state = {"close": "closed", "reopen": "open", None: None}[body.get("state_event")]
            self.change(one, body.get("title"), body.get("description"), state)
        return 200, self.merge(one)

    def merge(self, one: Request) -> Json:
        return {
            "iid": one.number,
            "state": {"open": "opened"}.get(one.state, one.state),
            "web_url": self.web(one),
            "title": one.title,
            "description": one.text,
            "source_branch": one.branch,
            "target_branch": one.target,
            "source_project_id": 2 if one.fork else 1,
            "target_project_id": 1,
            "sha": "0" * 40,
            "author": {"id": 9, "username": one.author},
            "closed_by": one.closed_by and {"id": 7, "username": one.closed_by},
        }


VERBS = ("GET", "POST", "PATCH", "PUT")


class Handler(BaseHTTPRequestHandler):
    """Takes requests to the API."""

    hosted: Hosted

    def answer(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, body, extra = self.hosted.handle(self.command, self.path, dict(self.headers), raw)
        if self.hosted.lose_answer and self.command == "POST" and status == 201:
            self.hosted.lose_answer = False
            self.close_connection = True
            return
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**extra, "Content-Length": str(len(data)), "Content-Type": "application/json"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextmanager
def hosting(kind: str) -> Iterator[Hosted]:
    """Serve one service's API on this machine."""
    hosted = Hosted(kind)
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), type("Bound", (Handler,), {"hosted": hosted, **{f"do_{verb}": Handler.answer for verb in VERBS}})
    )
    hosted.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield hosted
    finally:
        server.shutdown()
        server.server_close()


def git(folder: Path, *args: str) -> str:
    """Run git; return what it prints."""
    return subprocess.run(["git", *args], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()
