"""A process that has loaded what mfgit loads, and forks for each command that a test runs.

Loading takes most of the time of a short command. A fork of a process that has done so already runs the same `main` as
`python -I -m mfgit`, with standard streams, a working folder, an environment and an exit code of its own. What a command had to
load is loaded for the next one. TEST_START=cold has every command start Python itself.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NoReturn

SETTLED = ("LANG", "LC_", "LD_", "OMP_", "OPENBLAS_", "PATH", "PYTHON", "TEST_START")
"""How the names begin whose values count while Python or a library starts."""
APART = ("dask", "distributed", "tornado")
"""Read the environment, or start threads, while they are loaded."""


class Warm:
    """The client, in the process of the tests."""

    def __init__(self) -> None:
        self.settled = settled(os.environ)
        self.socket, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-I", __file__, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd="/",
                pass_fds=[theirs.fileno()],
            )
        atexit.register(self.stop)

    def stop(self) -> None:
        """Close the connection, at which the process ends."""
        self.socket.close()
        self.process.wait()

    def fits(self, env: Mapping[str, str]) -> bool:
        """Tell whether a process that started before can stand for one that starts in this environment."""
        return settled(env) == self.settled and self.settled.get("TEST_START") != "cold"

    def run(self, arguments: list[str], folder: Path, env: Mapping[str, str], stdin: bytes) -> tuple[int, bytes, bytes]:
        """Run `mfgit`; return its exit code (negative: a signal) and what it wrote."""
        request = {"arguments": arguments, "folder": str(folder), "env": dict(env), "umask": umask()}
        with contextlib.ExitStack() as stack:
            asked, given, out, err = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(4))
            for file, data in ((asked, json.dumps(request).encode()), (given, stdin)):
                file.write(data)
                file.seek(0)
            ours, theirs = os.pipe()
            with os.fdopen(ours, "rb") as status:
                try:
                    socket.send_fds(self.socket, [b"+"], [*(file.fileno() for file in (asked, given, out, err)), theirs])
                finally:
                    os.close(theirs)
                code = int(status.read())
            return code, whole(out), whole(err)


@functools.cache
def warm() -> Warm:
    """Return the one of this process."""
    return Warm()


def settled(env: Mapping[str, str]) -> dict[str, str]:
    """Return what a process that runs already cannot change."""
    return {name: value for name, value in env.items() if name.startswith(SETTLED)}


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def whole(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def serve(connection: socket.socket) -> None:
    """Fork for every request, and tell each how its fork ended, until the client goes."""
    importlib.import_module("mfgit.cli")
    waker, wakes = socket.socketpair()
    for end in (waker, wakes):
        end.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    gc.disable()
    running: dict[int, tuple[int, int]] = {}
    while True:
        gc.freeze()
        ready, _, _ = select.select([connection, waker], [], [])
        if waker in ready:
            waker.recv(1024)
            reap(running)
        if connection in ready:
            data, files, _, _ = socket.recv_fds(connection, 1, 5)
            if not data:
                return
            child = os.fork()
            if not child:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                become(*files)
            asked, *streams, tells = files
            running[child] = (asked, tells)
            for stream in streams:
                os.close(stream)


def reap(running: dict[int, tuple[int, int]]) -> None:
    """Tell the exit codes of the forks that ended, and load what they had to load."""
    while running:
        child, status = os.waitpid(-1, os.WNOHANG)
        if not child:
            return
        learned, tells = running.pop(child)
        os.write(tells, str(os.waitstatus_to_exitcode(status)).encode())
        os.close(tells)
        for name in os.pread(learned, os.fstat(learned).st_size, 0).decode().split():
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        os.close(learned)


def become(asked: int, given: int, out: int, err: int, tells: int) -> NoReturn:
    """Be the command that was asked for; leave the names of the modules that it had to load where the request was."""
    request: dict[str, Any] = json.loads(os.pread(asked, os.fstat(asked).st_size, 0))
    os.ftruncate(asked, 0)
    for number, stream in enumerate((given, out, err)):
        os.dup2(stream, number)
        os.close(stream)
    os.close(tells)
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    os.umask(request["umask"])
    os.chdir(request["folder"])
    known = set(sys.modules)
    code: Any = 1
    gc.enable()
    try:
        sys.argv = ["mfgit", *request["arguments"]]
        runpy.run_module("mfgit", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        news = [name for name, module in sys.modules.items() if name not in known and findable(name, module)]
        os.pwrite(asked, " ".join(news).encode(), 0)
        os._exit(code or 0)


def findable(name: str, module: object) -> bool:
    """Tell whether a module is one that another process finds by its name, and may."""
    spec = getattr(module, "__spec__", None)
    return spec is not None and spec.name == name and name.partition(".")[0] not in APART


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
