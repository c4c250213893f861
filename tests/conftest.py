"""Every test has a home, an identity and a clock zone of its own, and cannot reach the user's."""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.builders import Workbench
from tests.sharing import one_at_a_time, shared

MEMORY = Path("/dev/shm")
ROOM = 3 * 2**30
"""Bytes that a run with a few workers never fills."""


def in_memory() -> bool:
    """Tell whether the system has a file system in memory that the tests fit in, and may start programs from.

    Waiting for a disk to have written each small repository is a third of a run, and no test is about the disk.
    """
    try:
        found = os.statvfs(MEMORY)
    except (AttributeError, OSError):
        return False
    return os.access(MEMORY, os.W_OK) and not found.f_flag & os.ST_NOEXEC and found.f_bavail * found.f_frsize >= ROOM


if "TMPDIR" not in os.environ and in_memory():
    os.environ["TMPDIR"] = str(MEMORY)  # workers are told by it too
    tempfile.tempdir = None  # asks for it anew


settings.register_profile("untimed", deadline=None)  # how long an example takes is up to what else the machine does
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def isolated_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Pin the same for fixtures that outlive a test."""
    with pytest.MonkeyPatch.context() as patch:
        pin(tmp_path_factory.mktemp("home"), patch)
        Workbench.keep(tmp_path_factory.mktemp("kept") / "kb")
        yield


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Hand out new folders one after the other; the last one goes when the next is wanted.

    pytest's own looks for a free name, which gets slow after thousands of tests. And while a test ends, what it has put in the
    place of the system's functions may still be there.
    """

    def new(place: Path) -> Iterator[Path]:
        for number in itertools.count():
            home = place / str(number)
            home.mkdir()
            yield home
            shutil.rmtree(home, ignore_errors=True)

    return new(tmp_path_factory.mktemp("homes"))


@pytest.fixture(autouse=True)
def isolated(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pin HOME, Git's configuration and identity, locale and time zone."""
    home = next(homes)
    pin(home, monkeypatch)
    return home


def pin(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a new home the only one that a process can see."""
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Alice\n\temail = alice@example.com\n[init]\n\tdefaultBranch = main\n"
        "[commit]\n\tgpgsign = false\n[core]\n\tautocrlf = false\n\tfsync = none\n[gc]\n\tauto = 0\n",
        encoding="utf-8",
    )
    for name in list(os.environ):
        if name.startswith(("GIT_", "MFGIT_", "MEMORYFORGE_", "CHAT_ARCHIVE", "XDG_", "PRE_COMMIT")):
            monkeypatch.delenv(name)
    pinned = {
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "NO_COLOR": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "UV_SYSTEM_CERTS": "1",  # prek installs with uv, which must know the certificates that pip knows
    }
    for name, value in pinned.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    """Return a repository on `main` with a help root and one commit."""
    return Workbench.make(tmp_path / "kb")


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Workbench]:
    """Return what `mfgit demo` printed and the repository it left, to be read by all workers: it is run once for them."""
    place = shared(tmp_path_factory, "told")
    bench, printed = Workbench(place / "fernhouse"), place / "printed"
    with one_at_a_time(place):
        if not printed.exists():
            command = [sys.executable, "-I", "-m", "mfgit", "demo", "--folder", str(bench.path)]
            ran = subprocess.run(command, cwd=place, capture_output=True, check=False)
            assert (ran.returncode, ran.stderr) == (0, b"")
            shutil.copytree(bench.path, place / "untouched", symlinks=True)
            printed.write_bytes(ran.stdout)
    return printed.read_text("utf-8"), bench


@pytest.fixture(scope="session")
def untouched(told: tuple[str, Workbench]) -> Path:
    """Return what `mfgit demo` left, for copies only: no command is run in it, so nothing moves while it is copied."""
    return told[1].path.parent / "untouched"


def pytest_report_header() -> str:
    """Say which Git and Python the figures belong to."""
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return f"{git}, Python {sys.version.split()[0]}"
