"""What is dear to make and only read is made once for all workers of a run, by whoever comes first."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def shared(factory: pytest.TempPathFactory, name: str) -> Path:
    """Return a folder that all workers of this run have."""
    base = factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    place.mkdir(exist_ok=True)
    return place


@contextmanager
def one_at_a_time(place: Path) -> Iterator[None]:
    """Let one worker in; the others wait."""
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
