"""The process of one scan: reads what to do from standard input, keeps the status file, ends when the server does."""

import fcntl
import json
import os
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mfgit import durable
from mfgit.errors import BadInput, MfgitError
from mfgit.model import parse_time
from mfgit.project import Project
from mfgit.scan.report import Outcome
from mfgit.server.tokens import now

if TYPE_CHECKING:
    from datetime import datetime

EVERY = 0.5
"""Seconds between two notes of the progress at least."""


class Status:
    """The status file of a scan."""

    def __init__(self, path: Path, known: dict[str, Any]) -> None:
        self.path, self.value = path, known
        self.noted = 0.0

    def write(self, **more: Any) -> None:
        """Replace the file, with more known."""
        self.value = {**self.value, **more}
        durable.replace(self.path, [json.dumps(self.value).encode()], private=True)

    def progress(self, what: str, done: int, of: int) -> None:
        """Note how far the scan is, now and then."""
        if time.monotonic() - self.noted >= EVERY:
            self.noted = time.monotonic()
            self.write(progress={"what": what, "done": done, "of": of})


def main() -> int:
    """Scan as standard input says; return 0 when it was done."""
    order = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=end_with_server, daemon=True).start()
    status = Status(Path(order["status"]), order["known"])
    code = 1
    try:
        outcome = scan(order["folder"], order["wanted"], status)
    except MfgitError as error:
        status.write(state="failed", finished=now(), error=error.message, progress=None)
    except Exception as error:
        status.write(state="failed", finished=now(), error=f"A bug in mfgit: {type(error).__name__}.", progress=None)
        code = 3
    else:
        status.write(state="done", finished=now(), result=told(outcome), progress=None)
        code = 0
    fcntl.flock(order["lock"], fcntl.LOCK_UN)  # here, since Python takes its time to end
    return code


def end_with_server() -> None:
    """Wait for the end of standard input, which the server holds open, then end at once: what Git was told is whole."""
    sys.stdin.buffer.read()
    os._exit(1)


def scan(folder: str, wanted: dict[str, Any], status: Status) -> Outcome:
    """Run the scan."""

    def time(name: str) -> "datetime | None":
        return parse_time(wanted[name], name) if wanted[name] else None

    days = wanted["days"]
    if days is not None and days < 1:
        raise BadInput("days must be 1 or more.")
    return Project.open(folder).scan(
        days=days, since=time("since"), until=time("until"), dry_run=wanted["dry_run"], progress=status.progress
    )


def told(outcome: Outcome) -> dict[str, Any]:
    """Return what came of a scan in numbers, without any text of a conversation."""
    value = outcome.to_json()
    return {
        "window": value["window"],
        "turns": value["turns"],
        "proposals": dict(Counter(proposal.status for proposal in outcome.proposals)),
        "not_proposed": [{"reason": pile["reason"], "count": pile["count"]} for pile in value["not_proposed"]],
        "problems": len(outcome.problems),
    }


if __name__ == "__main__":
    sys.exit(main())
