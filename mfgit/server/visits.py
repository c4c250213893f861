"""Browser sessions: a cookie stands for somebody who showed a token, and a second secret guards against forged requests."""

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

LASTS = 12 * 3600
"""Seconds after which a session ends."""
MOST = 1_000


class Visit(NamedTuple):
    """A session: the name of its token (empty where none is needed), its secret against forged requests, when it ends."""

    name: str
    csrf: str
    ends: float


class Visits:
    """The sessions of this process, by the hash of their cookie; a restart ends them all."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.lock = threading.Lock()
        self.open: OrderedDict[str, Visit] = OrderedDict()

    def begin(self, name: str) -> tuple[str, Visit]:
        """Begin a session; return the value of its cookie, and the session."""
        cookie = secrets.token_urlsafe(32)
        visit = Visit(name, secrets.token_urlsafe(32), self.clock() + LASTS)
        with self.lock:
            self.open[key(cookie)] = visit
            while len(self.open) > MOST:
                self.open.popitem(last=False)
        return cookie, visit

    def find(self, cookie: str) -> Visit | None:
        """Return the session of a cookie, None when there is none or it has ended."""
        with self.lock:
            visit = self.open.get(key(cookie))
            if visit is not None and visit.ends <= self.clock():
                del self.open[key(cookie)]
                return None
        return visit

    def end(self, cookie: str) -> None:
        """End a session."""
        with self.lock:
            self.open.pop(key(cookie), None)


def key(cookie: str) -> str:
    """Return what a session is kept under."""
    return hashlib.sha256(cookie.encode("utf-8", "surrogatepass")).hexdigest()
