"""`mfgit scan --dry-run`: its cost over merely parsing the same day files, how it grows, and its memory."""

import json
import math
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import archive, pages
from benchmarks.measure import CONSOLE, Row, Used, alone, compared, cpu_of, environment, repository, used_by


class Size(NamedTuple):
    """Turns of each scan: those that growth is read from, the one that is compared, the one whose memory is told."""

    growing: tuple[int, ...]
    compared: int
    large: int


FULL, QUICK = Size((1_000, 3_000, 10_000, 30_000), 10_000, 100_000), Size((50, 100), 100, 100)


def parse(folder: Path) -> None:
    """Read the day files with `json.loads` and nothing else."""
    for path in sorted(folder.glob("*.jsonl")):
        with path.open("rb") as lines:
            for line in lines:
                json.loads(line)


def dry_scan(work: Path, turns: int, env: Mapping[str, str]) -> tuple[Used, float]:
    """Return what a dry scan takes, and the CPU seconds of parsing alone."""
    kb = repository(work / f"kb-{turns}", pages(20), env)
    chat = kb / "tmp/memoryforge/chat-archive"
    archive(chat, turns)
    used = used_by([*CONSOLE, "scan", "--dry-run", "--json"], kb, env)
    return used, statistics.median(cpu_of(lambda: parse(chat)) for _ in range(3))


def measure(work: Path, size: Size = FULL) -> list[Row]:
    """Return the cost over parsing, the exponent of growth, and the memory of a large scan."""
    env = environment(work)
    start = dry_scan(work, 10, env)[0].cpu
    costs = {turns: dry_scan(work, turns, env) for turns in size.growing}
    points = [(math.log(turns), math.log(max(used.cpu - start, 0.001))) for turns, (used, _) in costs.items()]
    exponent = statistics.linear_regression(*zip(*points, strict=True)).slope
    used, parsing = costs[size.compared]
    large = dry_scan(work, size.large, env)[0] if size.large not in costs else costs[size.large][0]
    shown = ", ".join(f"{turns:,}: {each.cpu:.2f} s" for turns, (each, _) in costs.items())
    name = f"scan, exponent of growth, {size.growing[0]:,} to {size.growing[-1]:,} turns"
    return [
        compared(f"scan, {size.compared:,} turns", "json.loads of the same lines", "s", [(used.cpu, parsing)], floor=True),
        alone(name, "", [exponent], most=1.3, note=f"CPU; 1 is linear; {shown}"),
        alone(f"scan, peak memory, {size.large:,} turns", "MiB", [large.peak], most=1536, note=f"{large.cpu:.0f} s of CPU"),
    ]
