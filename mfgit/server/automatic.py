"""What a server does by itself: it archives idle sessions, and scans where the settings say so. Adopting stays human."""

import logging
import random
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from typing import Any

from mfgit.errors import MfgitError
from mfgit.model import format_time
from mfgit.project import sweeping
from mfgit.project.living import Living
from mfgit.server.jobs import Scans, Wanted
from mfgit.server.tokens import now

log = logging.getLogger("mfgit.serve")
EVERY = 60.0
"""Seconds between two looks."""
SHARE = 20
"""A sweep that took long is followed by a pause this many times as long, so that requests keep the machine."""
LATE = time_of_day(23, 59)
"""When a day ends, in local time: everything that is open is archived then."""
JITTER = 0.1
"""Part of the interval that a scan may come later by, so that many servers do not scan in the same second."""
ACTOR = "automatic"
PATIENCE = 5.0


def day_end(moment: datetime) -> datetime:
    """Return the last end of a day that has come, whether or not anything ran just then."""
    today = datetime.combine(moment.date(), LATE, moment.tzinfo)
    return today if moment >= today else today - timedelta(days=1)


def local_time() -> datetime:
    """Return the time on this machine's clock."""
    return datetime.now().astimezone()


def outcome(status: dict[str, Any]) -> dict[str, Any]:
    """Return of a scan's status when it began (`last`), how it ended, who began it, and its counts: no text of anyone."""
    found = {"last": status.get("started"), "state": status["state"], "by": status.get("by")}
    result = status.get("result") or {}
    problems = {"failure": status.get("error"), "problems": result.get("problems")}
    return {**found, "finished": status.get("finished"), "proposals": result.get("proposals"), **problems}


class Automatic:
    """Two threads that wake up now and then; `state` says what they did, for `/health`."""

    def __init__(self, living: Living, scans: Scans, clock: Callable[[], datetime] = local_time) -> None:
        self.living, self.scans, self.clock = living, scans, clock
        self.ended = threading.Event()
        self.threads: list[threading.Thread] = []
        self.closed = day_end(clock())
        self.late = random.random()  # noqa: S311 - spreads load, guards nothing
        self.sweep: dict[str, Any] = {"last": None, "sessions": 0, "turns": 0, "going_on": 0, "problems": 0, "error": None}
        self.next_scan: datetime | None = None
        self.scan_error: str | None = None

    def start(self) -> None:
        """Begin."""
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.sweep_on, self.scan_on)]
        for thread in self.threads:
            thread.start()

    def stop(self) -> None:
        """End; a sweep under way may finish its session, and is left behind when that takes too long."""
        self.ended.set()
        for thread in self.threads:
            thread.join(PATIENCE)

    def state(self) -> dict[str, Any]:
        """Return what ran last and what comes next."""
        serve = self.living.project().config.serve
        status = self.scans.status()
        following = format_time(max(self.due(status), datetime.now(UTC))) if serve.auto_scan else None
        scan = {"enabled": serve.auto_scan, "minutes": serve.auto_scan_minutes, "next": following, "error": self.scan_error}
        return {"sweep": dict(self.sweep), "auto_scan": {**scan, **outcome(status)}}

    def due(self, status: dict[str, Any]) -> datetime:
        """Return when the scan after the one of a status is due: long ago where there was none."""
        minutes = self.living.project().config.serve.auto_scan_minutes
        began = datetime.fromisoformat(status["started"]).timestamp() if "started" in status else 0.0
        return datetime.fromtimestamp(began + 60 * minutes * (1 + JITTER * self.late), UTC)

    # ---- sweeping

    def sweep_on(self) -> None:
        """Sweep until the end."""
        pause = 1.0
        while not self.ended.wait(pause):
            began = time.monotonic()
            self.sweep_once()
            pause = max(EVERY, SHARE * (time.monotonic() - began))

    def sweep_once(self) -> None:
        """Archive what has been idle, and all that is open at the end of a day."""
        ended = day_end(self.clock())
        late = ended > self.closed
        try:
            swept = sweeping.sweep(self.living.project(), everything=late)
        except MfgitError as error:
            self.sweep |= {"last": now(), "error": error.message}
            log.warning("sweep failed: %s", error.message)
            return
        except Exception as error:  # the next sweep may do better; a thread that died would never
            self.sweep |= {"last": now(), "error": f"A bug in mfgit: {type(error).__name__}."}
            log.error("sweep failed: %s", type(error).__name__)
            return
        self.closed = ended
        counts = {"sessions": len(swept.sessions), "turns": swept.turns, "going_on": swept.going_on}
        self.sweep |= {"last": now(), **counts, "problems": len(swept.problems), "error": None}
        if swept.sessions or swept.problems:
            log.info("sweep: %d sessions archived, %d files unreadable", len(swept.sessions), len(swept.problems))

    # ---- scanning

    def scan_on(self) -> None:
        """Scan whenever it is time, until the end."""
        while not self.ended.wait(1.0 if self.next_scan is None else EVERY / 4):
            try:
                self.scan_when_due()
                self.scan_error = None
            except MfgitError as error:
                self.scan_error = error.message
                log.warning("automatic scan: %s", error.message)
            except Exception as error:
                self.scan_error = f"A bug in mfgit: {type(error).__name__}."
                log.error("automatic scan: %s", type(error).__name__)

    def scan_when_due(self) -> None:
        """Begin a scan when the last one is long enough ago and the settings want it; one that is going on counts."""
        serve = self.living.project().config.serve
        status = self.scans.status()
        self.next_scan = self.due(status)
        if not serve.auto_scan or self.next_scan > datetime.now(UTC) or status["state"] == "running":
            return
        begun = self.scans.begin(Wanted(), ACTOR)
        self.late = random.random()  # noqa: S311
        log.info("automatic scan: %s", "started" if begun else "one is going on already")
