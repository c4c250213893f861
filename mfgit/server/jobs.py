"""Scans in a process of their own: they hold up no request, one at a time on this machine, and die with the server.

What a scan is at stands in one file that every process serving this repository reads. Whether it still runs is told by the
lock, which the kernel gives back when its holder ends: so a killed scan shows as failed, and never blocks the next one.
"""

import fcntl
import json
import logging
import os
import secrets
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from mfgit import durable
from mfgit.project.living import Living
from mfgit.server.audit import Audit
from mfgit.server.tokens import now

log = logging.getLogger("mfgit.serve")
STATUS = "scan.json"
LOCK = "scan.lock"
PATIENCE = 5.0
"""Seconds that a scan has to end when the server does; then it is killed, which Git's transactions take well."""
INTERRUPTED = "It ended before it was done; scan again."


class Wanted(NamedTuple):
    """What to scan: the window as `Project.scan` takes it (times as RFC 3339 text), and whether only to look."""

    days: int | None = None
    since: str | None = None
    until: str | None = None
    dry_run: bool = False


class Scans:
    """Starts scans and tells how they are."""

    def __init__(self, living: Living, audit: Audit) -> None:
        self.living, self.audit = living, audit
        self.folder = living.first.common / "mfgit" / "serve"
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self.watcher: threading.Thread | None = None

    def begin(self, wanted: Wanted, actor: str) -> dict[str, Any] | None:
        """Start a scan and return its status; None when one is going on, here or in another process."""
        with self.lock:
            descriptor = self.hold()
            if descriptor is None:
                return None
            try:
                status = {"id": secrets.token_hex(8), "state": "running", "started": now(), "by": actor, **wanted._asdict()}
                durable.replace(self.folder / STATUS, [json.dumps(status).encode()], private=True)
                self.process = spawn(self.living, wanted, status, self.folder / STATUS, descriptor)
            finally:
                os.close(descriptor)
            self.watcher = threading.Thread(target=self.watch, args=(self.process, status["id"], actor), daemon=True)
            self.watcher.start()
        return self.status()

    def hold(self) -> int | None:
        """Return an open file that holds the lock, None when somebody else holds it for longer than a look takes."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        for _ in range(5):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.01)
            else:
                return descriptor
        os.close(descriptor)
        return None

    def running(self) -> bool:
        """Tell whether a scan is going on, in whatever process."""
        try:
            descriptor = os.open(self.folder / LOCK, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def status(self) -> dict[str, Any]:
        """Return how the running scan is, or the last one was; `state` is none, running, done or failed."""
        going_on = self.running()
        try:
            status: dict[str, Any] = json.loads((self.folder / STATUS).read_bytes())
        except (OSError, ValueError):
            return {"state": "running" if going_on else "none"}
        if status.get("state") == "running" and not going_on:
            return {**status, "state": "failed", "error": INTERRUPTED}
        return status

    def watch(self, process: "subprocess.Popen[bytes]", identity: str, actor: str) -> None:
        """Wait for a scan to end and note what came of it."""
        process.wait()
        if process.stdin:
            process.stdin.close()
        status = self.status()
        state = status.get("state") if status.get("id") == identity else "done"
        log.info("scan %s: %s", identity, state)
        with suppress(OSError):
            self.audit.note(actor, "scan", identity, str(state))

    def stop(self) -> None:
        """End a scan of this process."""
        with self.lock:
            process, watcher = self.process, self.watcher
        if process is None or watcher is None:
            return
        if process.poll() is None:
            process.terminate()
        watcher.join(PATIENCE)
        if watcher.is_alive():
            process.kill()
            watcher.join(PATIENCE)


def spawn(living: Living, wanted: Wanted, status: dict[str, Any], place: Path, lock: int) -> "subprocess.Popen[bytes]":
    """Start the process of a scan; it inherits the lock, and ends when its standard input does."""
    folder = str(living.first.folder)
    process = subprocess.Popen(
        [sys.executable, "-I", "-m", "mfgit.server.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(lock,),
        start_new_session=True,  # a Ctrl-C at the terminal is for the server, which ends its scan itself
    )
    assert process.stdin is not None
    order = {"folder": folder, "status": str(place), "known": status, "wanted": wanted._asdict(), "lock": lock}
    process.stdin.write(json.dumps(order).encode() + b"\n")
    process.stdin.flush()
    return process
