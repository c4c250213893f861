"""Every test has a home, an identity and a clock zone of its own, and cannot reach the user's."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import Workbench


@pytest.fixture(scope="session", autouse=True)
def isolated_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Pin the same for fixtures that outlive a test."""
    with pytest.MonkeyPatch.context() as patch:
        pin(tmp_path_factory.mktemp("home"), patch)
        yield


@pytest.fixture(autouse=True)
def isolated(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pin HOME, Git's configuration and identity, locale and time zone."""
    home = tmp_path_factory.mktemp("home")
    pin(home, monkeypatch)
    return home


def pin(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a new home the only one that a process can see."""
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Alice\n\temail = alice@example.com\n[init]\n\tdefaultBranch = main\n"
        "[commit]\n\tgpgsign = false\n[core]\n\tautocrlf = false\n[gc]\n\tauto = 0\n",
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
    base = tmp_path_factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "told"
    place.mkdir(exist_ok=True)
    bench, printed = Workbench(place / "fernhouse"), place / "printed"
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
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
