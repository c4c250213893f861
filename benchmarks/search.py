"""A cold `mfgit search`, index already there, against Python's own start."""

import sys
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import pages
from benchmarks.measure import CONSOLE, Row, compared, environment, interleaved, repository, run


class Size(NamedTuple):
    """How many passages, and how often it is asked."""

    passages: int
    times: int


FULL, QUICK = Size(5000, 15), Size(50, 1)


def measure(work: Path, size: Size = FULL) -> list[Row]:
    """Return the cost of a search whose index is already there."""
    env = environment(work)
    texts = pages(size.passages // 5, sections=5)
    kb = repository(work / "kb", texts, env)
    question = " ".join(next(iter(texts.values())).split()[1:4])
    run([*CONSOLE, "search", question], kb, env)
    pairs = interleaved(
        lambda: run([*CONSOLE, "search", question], kb, env),
        lambda: run([sys.executable, "-c", "pass"], kb, env),
        size.times,
        scale=1000,
    )
    return [compared(f"cold search, {size.passages:,} passages", "python -c pass", "ms", pairs, most=9, floor=True)]
