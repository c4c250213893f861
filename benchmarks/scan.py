"""`mfgit scan`: its cost over merely parsing the same day files, how it grows, and its memory at 100,000 turns."""

import json
import math
import statistics
from collections.abc import Mapping
from pathlib import Path

from benchmarks.corpus import archive, pages
from benchmarks.measure import CONSOLE, Row, at_most, cpu_of, environment, peak_of, repository

SIZES = (1_000, 3_000, 10_000, 30_000)
LARGE = 100_000


def parse(folder: Path) -> None:
    """Read the day files with `json.loads` and nothing else."""
    for path in sorted(folder.glob("*.jsonl")):
        with path.open("rb") as lines:
            for line in lines:
                json.loads(line)


def dry_scan(work: Path, turns: int, env: Mapping[str, str]) -> tuple[float, float, float]:
    """Return CPU seconds and peak MiB of a dry scan, and CPU seconds of parsing alone."""
    kb = repository(work / f"kb-{turns}", pages(20), env)
    chat = kb / "tmp/memoryforge/chat-archive"
    archive(chat, turns)
    cpu, peak = peak_of([*CONSOLE, "scan", "--dry-run", "--json"], kb, env)
    return cpu, peak, statistics.median(cpu_of(lambda: parse(chat)) for _ in range(3))


def measure(work: Path) -> list[Row]:
    """Return the ratio at 10,000 turns, the exponent from 1,000 to 30,000, and the memory at 100,000."""
    env = environment(work)
    start, _, _ = dry_scan(work, 10, env)
    costs = {turns: dry_scan(work, turns, env) for turns in SIZES}
    points = [(math.log(turns), math.log(max(cpu - start, 0.001))) for turns, (cpu, _, _) in costs.items()]
    exponent = statistics.linear_regression(*zip(*points, strict=True)).slope
    cpu, _, floor = costs[10_000]
    _, peak, _ = dry_scan(work, LARGE, env)
    shown = ", ".join(f"{turns:,}: {cost:.2f} s" for turns, (cost, _, _) in costs.items())
    return [
        Row(
            "scan, 10,000 turns",
            "json.loads of the same lines",
            cpu / floor,
            "",
            good=True,
            detail=f"{cpu:.2f} s, {floor:.3f} s",
        ),
        at_most("scan, exponent of growth", "1,000 to 30,000 turns", exponent, 1.3, shown),
        at_most("scan, peak memory", "1.5 GiB at 100,000 turns", peak / 1536, 1, f"{peak:.0f} MiB"),
    ]
