"""What `benchmarks.load` lets Locust do: readers and writers of a server, and callers of `/health` as the floor.

Writers note in `MFGIT_LOAD_ACKED` what was acknowledged, a line each, before they go on: `t` and a request id, or `r` and a
rating's note. `MFGIT_LOAD_ASKED` is a JSON list of questions.
"""

import json
import os
import random
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from locust import HttpUser, task

READERS, WRITERS = 50, 5
AGAIN = 0.3
"""Seconds to wait after a failure: a server that was killed comes back."""
ASKED: list[str] = json.loads(os.environ.get("MFGIT_LOAD_ASKED", '["reset"]'))
ACKED = Path(os.environ.get("MFGIT_LOAD_ACKED", os.devnull))
LETTERS = str.maketrans("0123456789", "abcdefghij")
"""Ids without figures: redaction takes one in ten such numbers for one of a card."""
SESSION = f"{os.getpid()}-{datetime.now(UTC):%H%M%S}"


class Caller(HttpUser):
    """The floor: asks for `/health` as often as it is answered."""

    @task
    def health(self) -> None:
        self.client.get("/health", name="/health")


class Reader(HttpUser):
    """Asks one question after the other, without a pause."""

    fixed_count = READERS

    @task(4)
    def find(self) -> None:
        self.ask("/search")

    @task(2)
    def quote(self) -> None:
        self.ask("/context")

    @task(3)
    def recall(self) -> None:
        self.ask("/archive/search")

    @task(1)
    def count(self) -> None:
        self.client.get("/admin/memoryforge/stats", name="/admin/memoryforge/stats")

    def ask(self, path: str) -> None:
        """Ask a question, half of the time one of rare words."""
        if not self.client.get(path, params={"q": random.choice(ASKED)}, name=path).ok:
            time.sleep(AGAIN)


class Writer(HttpUser):
    """Hands in a turn and rates its reply, without a pause."""

    fixed_count = WRITERS
    made = 0

    @task
    def tell(self) -> None:
        Writer.made += 1
        key = f"load-{SESSION}-{Writer.made}".translate(LETTERS)
        turn = {"timestamp": datetime.now(UTC).isoformat(), "request_id": key, "session_id": f"s-{key}", "help_mode": True}
        turn |= {"user_message": f"{random.choice(ASKED)} {Writer.made}?", "assistant_message": "Open the panel and press it."}
        if self.post("/archive/turns", {**turn, "assistant_message_id": f"m-{key}"}, f"t {key}"):
            rating = {"assistant_message_id": f"m-{key}", "rating": "down", "note": f"note {key}"}
            self.post("/archive/ratings", rating, f"r note {key}")

    def post(self, path: str, value: dict[str, Any], line: str) -> bool:
        """Post and note what was acknowledged; tell whether it was."""
        done = bool(self.client.post(path, json=value, name=path).ok)
        if done:
            with ACKED.open("a", encoding="utf-8") as stream:
                stream.write(f"{line}\n")
        else:
            time.sleep(AGAIN)
        return done
