"""A cold `mfgit search` on 5,000 passages against Python's own start."""

import sys
from pathlib import Path

from benchmarks.corpus import pages
from benchmarks.measure import CONSOLE, Row, at_most, environment, interleaved, repository, run

PASSAGES = 5000


def measure(work: Path) -> list[Row]:
    """Return the cost of a search whose index is already there."""
    env = environment(work)
    texts = pages(PASSAGES // 5, sections=5)
    kb = repository(work / "kb", texts, env)
    question = " ".join(next(iter(texts.values())).split()[1:4])
    run([*CONSOLE, "search", question], kb, env)
    ours, floor = interleaved(
        lambda: run([*CONSOLE, "search", question], kb, env), lambda: run([sys.executable, "-c", "pass"], kb, env), times=15
    )
    detail = f"{ours * 1000:.0f} ms, {floor * 1000:.0f} ms"
    return [at_most(f"cold search, {PASSAGES:,} passages", "python -c pass", ours / floor, 9, detail)]
