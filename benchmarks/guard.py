"""`mfgit guard --staged` on 10,000 files against Python's own start."""

import sys
from pathlib import Path

from benchmarks.corpus import pages
from benchmarks.measure import CONSOLE, Row, at_most, environment, interleaved, repository, run

CONFIG = 'target = "main"\n\n[[root]]\npath = "help"\nlayer = "help"\n'


def measure(work: Path) -> list[Row]:
    """Return the cost of a staged guard that lets an overlay pass."""
    env = environment(work)
    kb = repository(work / "kb", {**pages(10_000), "mfgit.toml": CONFIG}, env)
    run(["git", "checkout", "-q", "-b", "mfgit/0123456789abcdef"], kb, env)
    (kb / "help/_forged").mkdir()
    (kb / "help/_forged/new.md").write_text("---\ntitle: New\n---\n\n# New\n", encoding="utf-8")
    run(["git", "add", "help/_forged/new.md"], kb, env)
    ours, floor = interleaved(
        lambda: run([*CONSOLE, "guard", "--staged"], kb, env), lambda: run([sys.executable, "-c", "pass"], kb, env), times=15
    )
    return [
        at_most("staged guard, 10,000 files", "python -c pass", ours / floor, 6, f"{ours * 1000:.0f} ms, {floor * 1000:.0f} ms")
    ]
