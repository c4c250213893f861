"""How much one caller may ask: token buckets, a bounded number of them."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_CALLERS = 10_000
"""Callers that are remembered; the one not seen for longest is forgotten first."""


class Limiter:
    """Lets each caller make `burst` requests at once and `rate` a second (0: no limit) in the long run."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self.lock = threading.Lock()
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, cost: float = 1.0) -> float:
        """Count a request; return 0 when it may go on, else the seconds to wait. A cost of 0 only looks."""
        if not self.rate:
            return 0.0
        now = self.clock()
        with self.lock:
            left, since = self.buckets.pop(caller, (self.burst, now))
            left = min(self.burst, left + (now - since) * self.rate)
            wait = 0.0 if left >= max(cost, 1.0) else (1.0 - left) / self.rate
            self.buckets[caller] = (left if wait else left - cost, now)
            while len(self.buckets) > MOST_CALLERS:
                self.buckets.popitem(last=False)
        return wait
