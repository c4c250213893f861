"""Every command once in a large repository, and in one of a tenth: what each takes, and whether it grows faster than the size.

A ratio of 10 is linear growth, 1 is none. Each command has to stay under a gigabyte, a minute of CPU, and a ratio of 20; a
command that takes less than a second in the large one may grow as it likes. Pages of `serve` are asked once, each the first
time; their memory is the server's so far.
"""

from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Row, Used, spread
from benchmarks.tour import Tour

MOST_CPU, MOST_MEMORY, MOST_GROWTH, SMALL = 60.0, 1024.0, 20.0, 1.0


class Size(NamedTuple):
    """Markdown files and turns of the large repository; whether one of a tenth is gone through as well."""

    files: int
    turns: int
    tenth: bool


FULL, QUICK = Size(10_000, 200_000, True), Size(10, 150, False)


def measure(work: Path, size: Size = FULL) -> list[Row]:
    """Return a row for each command."""
    large = Tour(work / "large", size.files, size.turns).whole()
    small = Tour(work / "small", size.files // 10, size.turns // 10).whole() if size.tenth else large
    peer = f"{size.files // 10:,} files, {size.turns // 10:,} turns"
    return [row(name, used, small[name], peer) for name, used in large.items()]


def row(name: str, large: Used, small: Used, peer: str) -> Row:
    """Return the row of a command."""
    growth = large.cpu / max(small.cpu, 0.001)
    good = large.cpu <= MOST_CPU and large.peak <= MOST_MEMORY and (growth <= MOST_GROWTH or large.cpu < SMALL)
    quality = f"{large.peak:,.0f} MiB, {large.wall:.1f} s by the clock"
    ours, theirs, ratio = (spread([value]) for value in (large.cpu, small.cpu, growth))
    return Row(name, peer, "s", ours, theirs, ratio, f"<= {MOST_GROWTH:g}", good, floor=True, quality=quality)
