"""Every command of mfgit once, in a repository of any size: what each of them took, by its name."""

import json
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks import corpus
from benchmarks.archive import CHAT
from benchmarks.load import wait_for
from benchmarks.measure import CONSOLE, Used, environment, repository, run, used_by

REASON = "Original-Edit: set up"
API = ("/health", "/search?q={}", "/context?q={}", "/archive/search?q={}", "/admin/memoryforge/proposals")
PAGES = ("", "/scan", "/try?q={}", "/stats", "/proposals/{id}", "/proposals/{id}/preview/part")


class Tour:
    """One repository, and what commands took in it."""

    def __init__(self, work: Path, files: int, turns: int) -> None:
        self.env = {**environment(work), "MFGIT_PUBLISH_TOKEN": "none"}
        self.texts = corpus.pages(files)
        self.kb = repository(work / "kb", self.texts, self.env)
        corpus.archive(self.kb / CHAT, turns, each=120)
        self.talks = turns // 100
        self.question = " ".join(next(iter(self.texts.values())).split()[1:4])
        self.took: dict[str, Used] = {}

    def mfgit(self, name: str, *argv: str, stdin: bytes | None = None, good: int = 0) -> None:
        """Run a command that ends with a code of at most `good`, and keep what it took."""
        self.took[name] = used_by([*CONSOLE, *argv], self.kb, self.env, stdin, good)

    def told(self, *argv: str) -> bytes:
        """Return what a command prints, unmeasured."""
        return run([*CONSOLE, *argv], self.kb, self.env)

    def git(self, name: str, *argv: str) -> None:
        """Run Git, with mfgit's hooks, and keep what it took."""
        self.took[name] = used_by(["git", *argv], self.kb, self.env)

    def whole(self) -> dict[str, Used]:
        """Run everything; return what it took, by name."""
        self.set_up()
        self.knowledge()
        self.archive()
        self.proposals()
        self.faces()
        self.mfgit("archive retain", "archive", "retain")
        return self.took

    def set_up(self) -> None:
        """Set the repository up, and commit with the hooks that it then has."""
        self.mfgit("init", "init", "--yes", "--root", "help=help")
        self.mfgit("guard status", "guard", "status", good=1)
        run(["git", "add", "-A"], self.kb, self.env)
        self.mfgit("guard --staged", "guard", "--staged")
        self.git("git commit, with the hooks", "commit", "-q", "-m", f"Set mfgit up\n\n{REASON}")
        self.mfgit("guard --range", "guard", "--range", "HEAD~1..HEAD", "--ref", "main", "--actor", "bench")
        self.mfgit("guard test", "guard", "test", good=1)

    def knowledge(self) -> None:
        """Ask the pages."""
        question = self.question
        self.mfgit("search, index to be made", "search", question)
        self.mfgit("search", "search", question)
        self.mfgit("context", "context", question)
        cited = json.loads(self.told("search", question, "--json"))["hits"][0]["citation"]
        self.mfgit("cite", "cite", cited)
        known = self.kb.parent / "known.jsonl"
        asked = [
            {"question": text.split("\n")[0].strip("# "), "doc_ids": [path]} for path, text in list(self.texts.items())[:200]
        ]
        known.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in asked), encoding="utf-8")
        self.mfgit("eval, 200 questions", "eval", str(known))

    def archive(self) -> None:
        """Ask the archive, add to it, and take from it."""
        now = datetime.now(UTC)
        turn = {"timestamp": now.isoformat(), "session_id": "tour", "user_id": "u0", "assistant_message_id": "m-tour"}
        told = {"help_mode": True, "user_message": "How is the tour?", "assistant_message": "Long."}
        line = json.dumps({**turn, **told}).encode() + b"\n"
        self.mfgit("archive append", "archive", "append", stdin=line)
        self.mfgit("archive rate", "archive", "rate", "m-tour", "up")
        export = self.kb.parent / "export.json"
        export.write_text(json.dumps(list(self.conversations(now))), encoding="utf-8")
        self.mfgit("archive import", "archive", "import", "openai", str(export))
        session = {"sessionId": "tour-session", "messages": talk("tour")}
        self.mfgit("archive session add", "archive", "session", "add", stdin=json.dumps(session).encode())
        self.mfgit("archive search, index to be made", "archive", "search", "open panel press")
        self.mfgit("archive search", "archive", "search", "open panel press")
        self.mfgit("archive get", "archive", "get", "tour-session")
        self.mfgit("archive check", "archive", "check")
        self.mfgit("archive check --rescan", "archive", "check", "--rescan")
        self.mfgit("archive sweep", "archive", "sweep")
        self.mfgit("archive search, after the sweep", "archive", "search", "open panel press")
        self.mfgit("archive hold list", "archive", "hold", "list")
        self.mfgit("archive forget --dry-run", "archive", "forget", "--user", "u1", "--dry-run", good=1)
        self.mfgit("archive retain --dry-run", "archive", "retain", "--dry-run")
        self.mfgit("archive guard", "archive", "guard", good=1)
        self.mfgit("memories", "memories", "tour-session", good=1)
        self.mfgit("correct", "correct", "tour", good=1)

    def conversations(self, now: datetime) -> Iterator[dict[str, object]]:
        """Yield conversations of another product."""
        for number in range(self.talks):
            when = (now - timedelta(minutes=number)).isoformat()
            yield {"conversation_id": f"talk-{number}", "created_at": when, "messages": talk(str(number))}

    def proposals(self) -> None:
        """Make proposals and decide on some."""
        self.mfgit("scan", "scan")
        self.mfgit("proposals", "proposals")
        ready = [each["id"] for each in json.loads(self.told("proposals", "--json"))]
        self.mfgit("show", "show", ready[0])
        self.mfgit("preview", "preview", ready[0])
        self.mfgit("reject", "reject", ready[1], "--reason", "the tour")
        self.mfgit("restore", "restore", ready[1])
        adopted = self.adopt_first(ready)
        self.mfgit("search, after adopting", "search", self.question)
        self.mfgit("stats", "stats")
        self.mfgit("refresh", "refresh")
        self.mfgit("undo", "undo", adopted)
        self.mfgit("doctor", "doctor", good=1)
        self.hosted()

    def hosted(self) -> None:
        """Say what would be opened on a hosting service, and read back what is there, which is nothing."""
        settings = self.kb / "mfgit.toml"
        before = settings.read_bytes()
        bare = self.kb.parent / "bare.git"
        run(["git", "init", "-q", "--bare", str(bare)], self.kb, self.env)
        with nothing_open() as url:
            service = f'[publish]\nservice = "gitea"\nurl = "{url}/api/v1"\n'.encode()
            settings.write_bytes(before.replace(b"[publish]\n", service))
            run(["git", "remote", "add", "origin", str(bare)], self.kb, self.env)
            run(["git", "remote", "set-url", "--push", "origin", f"{url}/team/kb.git"], self.kb, self.env)
            self.mfgit("publish --dry-run", "publish", "--dry-run", good=1)
            self.mfgit("sync --dry-run", "sync", "--dry-run", good=1)
        settings.write_bytes(before)

    def adopt_first(self, ready: list[str]) -> str:
        """Adopt the first proposal that can be; return its id."""
        for each in ready:
            self.mfgit("adopt", "adopt", each, good=1)
            if self.took["adopt"].code == 0:
                return each
        raise RuntimeError("no proposal of the archive can be adopted")

    def faces(self) -> None:
        """Ask the server and the MCP server."""
        identity = json.loads(self.told("proposals", "--json"))[0]["id"]
        with served(self.kb, self.env) as (url, process):
            for page in (*API, *(f"/memoryforge{each}" for each in PAGES)):
                begun, before = time.perf_counter(), cpu_of_process(process.pid)
                with urllib.request.urlopen(url + page.format("open+panel", id=identity)) as answer:
                    answer.read()
                wall, cpu = time.perf_counter() - begun, cpu_of_process(process.pid) - before
                self.took[f"serve: {page.partition('?')[0]}"] = Used(cpu, peak_of_process(process.pid), wall, 0)
        self.mfgit("mcp, two searches", "mcp", stdin=session_of_agent())


def session_of_agent() -> bytes:
    """Return what an agent sends that asks knowledge and archive once."""
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tour", "version": "1"}}
    calls: list[dict[str, object]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    for number, tool in enumerate(("search_knowledge", "search_archive"), 2):
        asked = {"name": tool, "arguments": {"query": "open panel"}}
        calls.append({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": asked})
    return b"".join(json.dumps(call).encode() + b"\n" for call in calls)


def talk(name: str) -> list[dict[str, str]]:
    """Return the messages of a conversation."""
    asked = {"role": "user", "content": f"We decided that report {name} goes out on Fridays. Which panel sends it?"}
    return [asked, {"role": "assistant", "content": f"Open the panel of report {name} and press send. " * 3}]


def cpu_of_process(number: int) -> float:
    """Return the CPU seconds that a running process has taken."""
    fields = Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def peak_of_process(number: int) -> float:
    """Return the peak memory of a running process, in MiB."""
    lines = Path(f"/proc/{number}/status").read_text("utf-8").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) / 1024


@contextmanager
def served(kb: Path, env: Mapping[str, str]) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """Serve a repository for a while."""
    port = free_port()
    process = subprocess.Popen([*CONSOLE, "serve", "--port", str(port)], cwd=kb, env=dict(env), stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Nothing) as found:
        return int(found.server_address[1])


class Nothing(BaseHTTPRequestHandler):
    """A hosting service on which nothing was ever opened."""

    def do_GET(self) -> None:
        """Answer with an empty list."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b"[]")

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@contextmanager
def nothing_open() -> Iterator[str]:
    """Serve such a service."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Nothing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
