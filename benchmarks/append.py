"""`archive append`, each turn sent when the one before is acknowledged, against a bare loop of write and fsync.

By the clock, since it waits for the disk. Both have started before the first turn counts.
"""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import MFGIT, Row, compared, environment, repository, wall_of


class Size(NamedTuple):
    """How many turns are sent, and how often."""

    turns: int
    times: int


FULL, QUICK = Size(400, 5), Size(5, 1)
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


def measure(work: Path, size: Size = FULL) -> list[Row]:
    """Return the rate of append and the rate of the bare loop."""
    env = environment(work)
    kb = repository(work / "kb", {"help/a.md": "# A\n"}, env)
    pairs = []
    for i in range(size.times):
        turns = lines(size.turns, i * size.turns)
        ours = one_at_a_time([*MFGIT, "archive", "append"], kb, env, turns)
        theirs = one_at_a_time([sys.executable, "-c", FLOOR, str(work / f"floor-{os.getpid()}")], kb, env, turns)
        pairs.append(((size.turns - 1) / ours, (size.turns - 1) / theirs))
    name, quality = f"archive append, {size.turns} turns", "redacted, checked, none twice"
    return [compared(name, "write and fsync", "turns/s", pairs, least=0.5, floor=True, quality=quality)]
