"""`archive append`, one acknowledged turn at a time, against a bare loop of write and fsync."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.measure import MFGIT, Row, at_least, environment, repository, wall_of

TURNS = 400
FLOOR = """import os, sys
out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for line in sys.stdin.buffer:
    os.write(out, line)
    os.fsync(out)
    sys.stdout.write("ok\\n")
    sys.stdout.flush()
"""


def lines(count: int, start: int) -> list[bytes]:
    """Return turns as a chat backend sends them."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    shared = {"timestamp": now, "session_id": "s1", "user_id": "u1", "help_mode": True}
    text = {"user_message": "How do I reset the gateway?", "assistant_message": "Hold the button for ten seconds. " * 12}
    return [json.dumps({**shared, "request_id": f"r{start + i}", **text}).encode() + b"\n" for i in range(count)]


def one_at_a_time(argv: list[str], folder: Path, env: dict[str, str], turns: list[bytes]) -> float:
    """Return the seconds from the second acknowledgement to the last: each line is sent when the one before is durable."""
    with subprocess.Popen(argv, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        talk, listen = process.stdin, process.stdout

        def send(line: bytes) -> None:
            talk.write(line)
            talk.flush()
            if not listen.readline():
                raise RuntimeError("the appending process ended early")

        def send_all(lines: list[bytes]) -> None:
            for line in lines:
                send(line)

        send(turns[0])
        seconds = wall_of(lambda: send_all(turns[1:]))
        talk.close()
    return seconds


def measure(work: Path) -> list[Row]:
    """Return the rate of append over the rate of the bare loop: the best of three, since the disk is shared."""
    env = environment(work)
    kb = repository(work / "kb", {"help/a.md": "# A\n"}, env)
    ratios = []
    for i in range(3):
        ours = one_at_a_time([*MFGIT, "archive", "append"], kb, env, lines(TURNS, i * TURNS))
        floor = one_at_a_time(
            [sys.executable, "-c", FLOOR, str(work / f"floor-{os.getpid()}")], kb, env, lines(TURNS, i * TURNS)
        )
        ratios.append(floor / ours)
    return [
        at_least(
            "append, turns a second", "write + fsync, lines a second", max(ratios), 0.5, f"{TURNS} turns, each acknowledged"
        )
    ]
