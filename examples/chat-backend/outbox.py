"""What is on its way to mfgit: on the disk before anybody is told so, sent in order, and kept until it was taken."""

import fcntl
import json
import logging
import os
import threading
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2

RETRY = 5.0
"""Seconds before the next try, where mfgit did not take something."""
FINAL = frozenset((400, 413, 415, 422))
"""Answers that do not change by sending it again; nor does a 404 to a rating, whose turn was sent before it."""
log = logging.getLogger("outbox")


class Outbox:
    """A folder of requests. Words of users wait there as they were said: keep it as safe as the backend itself."""

    def __init__(self, folder: Path, client: httpx2.Client) -> None:
        self.folder, self.client = folder, client
        self.lock = threading.Lock()
        self.last = 0
        self.something = threading.Event()
        self.ending = False
        (folder / "refused").mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.chmod(0o700)
        self.thread = threading.Thread(target=self.run, name="outbox", daemon=True)

    def __enter__(self) -> "Outbox":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ending = True
        self.something.set()
        self.thread.join(timeout=RETRY)

    def waiting(self) -> list[Path]:
        """Return what was not taken yet, the oldest first."""
        return sorted(self.folder.glob("[0-9]*.json"))

    def put(self, path: str, body: Mapping[str, Any]) -> None:
        """Keep a request; returns when it is on the disk. The sender takes it from there."""
        with self.lock:
            self.last = max(self.last + 1, time.time_ns())
            place = self.folder / f"{self.last:020}-{uuid.uuid4().hex}.json"
        made = place.with_suffix(".new")
        with made.open("x", encoding="utf-8") as file:
            json.dump({"path": path, "body": body}, file)
            file.flush()
            os.fsync(file.fileno())
        made.replace(place)
        self.sync()
        self.something.set()

    def sync(self) -> None:
        """Wait until the folder's names are on the disk."""
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def run(self) -> None:
        """Send what waits, until the end; one process at a time, since a rating must not overtake its turn."""
        with (self.folder / "sender.lock").open("a") as lock:
            while not self.ending:
                self.something.clear()
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    all(self.send(place) for place in self.waiting())
                except BlockingIOError:
                    log.debug("another process sends")
                except (httpx2.HTTPError, OSError, ValueError) as error:
                    log.warning("mfgit takes nothing now: %s", error)
                if not self.ending:
                    self.something.wait(RETRY)

    def send(self, place: Path) -> bool:
        """Send one request; say whether the next one may go. A turn that was sent twice is stored once."""
        if self.ending:
            return False
        try:
            kept = json.loads(place.read_text("utf-8"))
        except ValueError:
            log.error("%s is damaged: it is in the folder refused", place.name)
            place.replace(self.folder / "refused" / place.name)
            return True
        response = self.client.post(kept["path"], json=kept["body"])
        if response.status_code in FINAL or (response.status_code == 404 and kept["path"] == "/archive/ratings"):
            log.error("mfgit refused %s with %d: it is in the folder refused", place.name, response.status_code)
            place.replace(self.folder / "refused" / place.name)
        elif response.is_success:
            place.unlink()
        else:
            response.raise_for_status()
        return True
