"""How the benchmarks measure: CPU seconds of whole processes, children included, as medians and ranges of interleaved runs."""

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

MFGIT = (sys.executable, "-I", "-m", "mfgit")
CONSOLE = (str(Path(sys.executable).parent / "mfgit"),)
PEAK = """import json, os, sys, time
begun = time.perf_counter()
_, status, used = os.wait4(os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ), 0)
wall = time.perf_counter() - begun
with open(sys.argv[1], "w") as out:
    json.dump([os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, wall], out)
"""
"""Starts a process from a small one between, since peak memory is inherited from whoever starts another."""


class Spread(NamedTuple):
    """The median of repeated measurements, and the least and the greatest of them."""

    median: float
    low: float
    high: float


class Row(NamedTuple):
    """One line of the table: what was measured, against what, how they compare, and what counts as good.

    `ours` and `theirs` are in `unit`; `ratio` is ours by theirs, of each pair of runs. A floor is no rival but the least that
    the work takes. A row without `theirs` is held to its bar by itself; `quality` says what the speed was worth.
    """

    name: str
    peer: str
    unit: str
    ours: Spread | None = None
    theirs: Spread | None = None
    ratio: Spread | None = None
    bar: str = ""
    good: bool = True
    floor: bool = False
    quality: str = ""
    note: str = ""


HIGHER = ("%", "/s")
"""How the units end of which more is better."""


def spread(values: Iterable[float]) -> Spread:
    """Return the median of at least one value, and its range."""
    known = sorted(values)
    return Spread(statistics.median(known), known[0], known[-1])


def compared(
    name: str,
    peer: str,
    unit: str,
    pairs: Sequence[tuple[float, float]],
    *,
    most: float | None = None,
    least: float | None = None,
    floor: bool = False,
    quality: str = "",
    note: str = "",
) -> Row:
    """Return the row of pairs of (ours, theirs), good when the median of their ratios is at most, or at least, a bar.

    There is no ratio to a peer that did nothing.
    """
    ours, theirs = (spread(column) for column in zip(*pairs, strict=True))
    if not theirs.low:
        return Row(name, peer, unit, ours, theirs, floor=floor, quality=quality, note=note)
    ratio = spread(mine / other for mine, other in pairs)
    bar = "" if most is None else f"<= {most:g}"
    bar = bar if least is None else f">= {least:g}"
    good = (most is None or ratio.median <= most) and (least is None or ratio.median >= least)
    return Row(name, peer, unit, ours, theirs, ratio, bar, good, floor, quality, note)


def alone(name: str, unit: str, values: Iterable[float], *, most: float | None = None, least: float | None = None,
          quality: str = "", note: str = "") -> Row:  # fmt: skip
    """Return the row of what is held to a bar by itself, in its own unit."""
    ours = spread(values)
    good = (most is None or ours.median <= most) and (least is None or ours.median >= least)
    bar = f"<= {most:g} {unit}".strip() if most is not None else f">= {least:g} {unit}".strip() if least is not None else ""
    return Row(name, "", unit, ours, bar=bar, good=good, quality=quality, note=note)


def missing(name: str, peer: str, note: str = "not installed: pip install -e '.[bench]'") -> Row:
    """Return the row of a peer that is not there, which is no failure."""
    return Row(name, peer, "", note=note)


def environment(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment with a home of its own, in which Python keeps compiled code, as after an installation."""
    left_out = ("GIT_", "MFGIT_", "CHAT_ARCHIVE", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    pinned = {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    return {**kept, **pinned, **(extra or {})}


def run(argv: Sequence[str], folder: Path, env: Mapping[str, str], stdin: bytes | None = None) -> bytes:
    """Run a command that must succeed; return what it prints."""
    ran = subprocess.run(list(argv), cwd=folder, env=dict(env), input=stdin, capture_output=True, check=False)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(argv)[:80]} failed: {ran.stderr.decode(errors='replace')[-400:]}")
    return ran.stdout


def cpu_of(work: Callable[[], object]) -> float:
    """Return the CPU seconds that a call and the processes it waits for take."""
    before = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    work()
    after = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(b.ru_utime + b.ru_stime - a.ru_utime - a.ru_stime for a, b in zip(before, after, strict=True))


def wall_of(work: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def interleaved(
    subject: Callable[[], object],
    floor: Callable[[], object],
    times: int,
    clock: Callable[[Callable[[], object]], float] = cpu_of,
    scale: float = 1,
) -> list[tuple[float, float]]:
    """Return the costs of two calls that take turns, so that a noisy minute hits both; `scale` is 1000 for milliseconds."""
    return [(scale * clock(subject), scale * clock(floor)) for _ in range(times)]


class Used(NamedTuple):
    """What a command took: CPU seconds, peak MiB, seconds by the clock, and how it ended."""

    cpu: float
    peak: float
    wall: float
    code: int


def used_by(argv: Sequence[str], folder: Path, env: Mapping[str, str], stdin: bytes | None = None, good: int = 0) -> Used:
    """Run a command, which has to end with a code of at most `good`; return what it took."""
    usage = Path(env["HOME"]) / ".usage.json"
    told = run([sys.executable, "-c", PEAK, str(usage), *argv], folder, env, stdin)
    code, cpu, peak, wall = json.loads(usage.read_text())
    usage.unlink()
    if not 0 <= code <= good:
        raise RuntimeError(f"{' '.join(argv)[-80:]} exited {code}: {told.decode(errors='replace')[-200:]}")
    return Used(cpu, peak, wall, code)


def repository(folder: Path, files: Mapping[str, str], env: Mapping[str, str]) -> Path:
    """Make a repository on `main` whose one commit holds `files`."""
    folder.mkdir(parents=True)
    git = ("git", "-c", "user.name=Bench", "-c", "user.email=bench@example.org")
    run([*git, "init", "-q", "-b", "main"], folder, env)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    run([*git, "add", "-A"], folder, env)
    run([*git, "commit", "-q", "-m", "originals"], folder, env)
    run(["git", "config", "user.name", "Bench"], folder, env)
    run(["git", "config", "user.email", "bench@example.org"], folder, env)
    return folder
