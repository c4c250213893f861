"""Migrates copies of a repository and kills each at its next write, by SIGKILL, until one comes through.

python -m tests.formats.killed REPOSITORY SCRATCH      prints a line of JSON for each kill
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

WRITES = ("os.rename", "os.remove", "os.rmdir", "os.link", "os.mkdir")
MOST = 500


def kill_at(number: int) -> None:
    """Kill this process before its write with this number."""
    left = [number]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        wrote = event in WRITES or (event == "open" and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR))
        if wrote:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def forked(work: Callable[[], int]) -> int:
    """Do something in a process of its own; return its exit code, below 0 for a signal."""
    child = os.fork()
    if child == 0:
        code = 3
        try:
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def migrate(kb: Path, number: int = 0) -> int:
    """Migrate a repository; return how many steps are left."""
    from mfgit.project import Project

    if number:
        kill_at(number)
    project = Project.open(kb, {})
    project.migrate()
    return len(project.migration())


def seen(kb: Path) -> dict[str, Any]:
    """Return the bytes of every hook, and how often each session is there."""
    from mfgit.archive.sessions import SessionStore

    ids = [session.session_id for session in SessionStore(kb / "tmp/memoryforge/conversation_archive").all()]
    hooks = {path.name: path.read_text("utf-8") for path in (kb / ".git/hooks").iterdir() if not path.name.endswith(".tmp")}
    return {"hooks": hooks, "sessions": sorted(ids)}


def main(kb: Path, scratch: Path) -> None:
    """Kill at every write in turn."""
    import mfgit.project.migrating  # once for all forks

    assert mfgit.project.migrating
    for number in range(1, MOST):
        copy = scratch / f"{number}"
        shutil.copytree(kb, copy, symlinks=True)
        code = forked(lambda copy=copy, number=number: migrate(copy, number))  # type: ignore[misc]  # mypy cannot infer defaults
        after = seen(copy)
        again = forked(lambda copy=copy: migrate(copy))  # type: ignore[misc]
        sys.stdout.write(json.dumps({"code": code, "after": after, "again": again, "end": seen(copy)}) + "\n")
        sys.stdout.flush()
        shutil.rmtree(copy)
        if code != -signal.SIGKILL:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
