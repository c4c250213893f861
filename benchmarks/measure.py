"""How the benchmarks measure: CPU seconds of whole processes, children included, as medians of interleaved runs."""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

MFGIT = (sys.executable, "-I", "-m", "mfgit")
CONSOLE = (str(Path(sys.executable).parent / "mfgit"),)
PEAK = """import json, os, sys
_, status, used = os.wait4(os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ), 0)
with open(sys.argv[1], "w") as out:
    json.dump([os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024], out)
"""
"""Starts a process from a small one between, since peak memory is inherited from whoever starts another."""


class Row(NamedTuple):
    """One line of the table: what was measured, against what, the ratio, and what counts as good."""

    name: str
    against: str
    ratio: float
    limit: str
    good: bool
    detail: str = ""


def at_most(name: str, against: str, ratio: float, limit: float, detail: str = "") -> Row:
    """Return a row that is good up to `limit`."""
    return Row(name, against, ratio, f"<= {limit:g}", ratio <= limit, detail)


def at_least(name: str, against: str, ratio: float, limit: float, detail: str = "") -> Row:
    """Return a row that is good from `limit` up."""
    return Row(name, against, ratio, f">= {limit:g}", ratio >= limit, detail)


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
) -> tuple[float, float]:
    """Return the median cost of two calls that take turns, so that a noisy minute hits both."""
    costs = [(clock(subject), clock(floor)) for _ in range(times)]
    return statistics.median(a for a, _ in costs), statistics.median(b for _, b in costs)


def peak_of(argv: Sequence[str], folder: Path, env: Mapping[str, str]) -> tuple[float, float]:
    """Run a command that must succeed; return its CPU seconds and its peak memory in MiB."""
    import json

    usage = folder / ".usage.json"
    run([sys.executable, "-c", PEAK, str(usage), *argv], folder, env)
    code, cpu, peak = json.loads(usage.read_text())
    usage.unlink()
    if code:
        raise RuntimeError(f"{' '.join(argv)[:80]} exited {code}")
    return cpu, peak


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
