"""`mfgit serve` under load: 50 readers and 5 writers at once, driven by Locust, against the same number asking `/health`.

By the clock. Nobody pauses between requests, so latency is how long 55 callers wait for each other on one server: read it as
a ratio to the floor, taken before and after. Then the server is killed (`kill -9`) and started again under the same load.
"""

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import corpus
from benchmarks.archive import CHAT, questions
from benchmarks.measure import MFGIT, Row, alone, compared, environment, missing, repository

USERS = Path(__file__).with_name("users.py")
CALLERS = 55
ENOUGH = 2_000
"""Bytes of acknowledgements, about 60, after which the server is killed (or after 20 s)."""
PATHS = ("/search", "/context", "/archive/search", "/archive/turns", "/archive/ratings")
LIMIT = 15.0
"""How many times the p95 of `/health` that of a path may be."""


class Size(NamedTuple):
    """Turns and pages of the server; seconds of the load and of its floor; how often the server is killed."""

    turns: int
    pages: int
    seconds: int
    floor: int
    kills: int


FULL, QUICK = Size(20_000, 1_000, 15, 5, 4), Size(50, 5, 1, 1, 0)


class Seen(NamedTuple):
    """What Locust saw of one path: requests, failed ones, milliseconds at the median and for 95 of 100."""

    requests: int
    failed: int
    p50: float
    p95: float


def measure(work: Path, size: Size = FULL) -> list[Row]:
    """Return a row a path, one of errors, one of what was lost by kills."""
    if not find_spec("locust"):  # only looked for: it changes the standard library under whoever imports it
        return [missing("p95 under load", "/health", "no Locust, which makes the load: pip install -e '.[bench]'")]
    env = environment(work)
    kb = repository(work / "kb", corpus.pages(size.pages, sections=3), env)
    corpus.archive(kb / CHAT, size.turns)
    acked = work / "acknowledged"
    acked.touch()
    users = {**env, "MFGIT_LOAD_ACKED": str(acked), "MFGIT_LOAD_ASKED": json.dumps(questions(kb / CHAT))}
    with server(kb, env) as url:
        urllib.request.urlopen(f"{url}/archive/search?q=panel").read()
        load(users, url, size.floor, "Reader", "Writer")  # what is read once only
        before = load(users, url, size.floor, "Caller")
        seen = load(users, url, size.seconds, "Reader", "Writer")
        after = load(users, url, size.floor, "Caller")
    floors = [before["/health"].p95, after["/health"].p95]
    rows = [row(path, seen[path], floors) for path in PATHS if path in seen]
    count, failed = sum(each.requests for each in seen.values()), sum(each.failed for each in seen.values())
    rows.append(alone("errors under load", "", [failed], most=0, note=f"{count:,} requests in {size.seconds} s"))
    return [*rows, killed(kb, env, users, acked, size.kills)] if size.kills else rows


def row(path: str, seen: Seen, floors: Sequence[float]) -> Row:
    """Return the row of a path."""
    note = f"median {seen.p50:.0f} ms, {seen.requests:,} requests"
    pairs = [(seen.p95, floor) for floor in floors]
    return compared(f"{path}, 95th percentile", "/health, 95th percentile", "ms", pairs, most=LIMIT, floor=True, note=note)


@contextmanager
def server(kb: Path, env: Mapping[str, str], port: int = 0) -> Iterator[str]:
    """Serve a repository, and kill the server in the end."""
    with socket.socket() as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind(("127.0.0.1", port))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    argv = [*MFGIT, "serve", "--port", url.rpartition(":")[2]]
    process = subprocess.Popen(argv, cwd=kb, env=dict(env), stderr=subprocess.DEVNULL)
    try:
        wait_for(url)
        yield url
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def wait_for(url: str) -> None:
    """Wait until a server answers; raises `RuntimeError` when it does not."""
    for _ in range(600):
        with suppress(OSError), urllib.request.urlopen(f"{url}/health") as answer:
            if answer.status == 200:
                return
        time.sleep(0.1)
    raise RuntimeError(f"nothing answers at {url}")


def started(env: Mapping[str, str], url: str, seconds: int, *classes: str) -> "subprocess.Popen[bytes]":
    """Start Locust with some kinds of users."""
    many = ["-u", str(CALLERS), "-r", str(CALLERS), "-t", f"{seconds}s", "--stop-timeout", "30"]
    quiet = ["--headless", "--json", "--skip-log", "--reset-stats", "--exit-code-on-error", "0"]
    argv = [sys.executable, "-m", "locust", "-f", str(USERS), "--host", url, *many, *quiet, *classes]
    return subprocess.Popen(argv, env={**env, "PYTHONWARNINGS": "ignore"}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def load(env: Mapping[str, str], url: str, seconds: int, *classes: str) -> dict[str, Seen]:
    """Let users loose on a server; return what they saw, by path."""
    told, _ = started(env, url, seconds, *classes).communicate()
    return {each["name"]: summed(each) for each in json.loads(told)}


def summed(told: Mapping[str, Any]) -> Seen:
    """Return what Locust tells of one path."""
    times = sorted((float(time), count) for time, count in told["response_times"].items())
    return Seen(told["num_requests"], told["num_failures"], at_share(times, 0.5), at_share(times, 0.95))


def at_share(times: list[tuple[float, int]], share: float) -> float:
    """Return the time within which a share of the requests was answered."""
    wanted = share * sum(count for _, count in times)
    for found, count in times:
        wanted -= count
        if wanted <= 0:
            return found
    return 0.0


def killed(kb: Path, env: Mapping[str, str], users: Mapping[str, str], acked: Path, kills: int) -> Row:
    """Kill the server under load and start it again, some times; return a row of what was acknowledged and is not there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = started(users, f"http://127.0.0.1:{port}", 15 * kills, "Reader", "Writer")
    for _ in range(kills):
        with server(kb, env, port):
            enough = acked.stat().st_size + ENOUGH
            until = time.monotonic() + 20
            while acked.stat().st_size < enough and time.monotonic() < until:
                time.sleep(0.05)
    running.terminate()
    running.communicate()
    told = set(acked.read_text(encoding="utf-8").splitlines())
    lost = told - set(held(kb / CHAT))
    detail = f"{kills} kills, {len(told):,} turns and ratings acknowledged" + "".join(f"; {each}" for each in sorted(lost)[:3])
    return alone("acknowledged and lost by kill -9 under load", "", [len(lost)], most=0, note=detail)


def held(chat: Path) -> Iterator[str]:
    """Yield the turns and ratings that the day files hold, as users note them."""
    for path in sorted(chat.glob("*.jsonl")):
        for line in path.read_bytes().split(b"\n")[:-1]:
            value = json.loads(line or b"{}")
            yield f"r {value['rating_note']}" if value.get("event") == "rating" else f"t {value.get('request_id')}"
