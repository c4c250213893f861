"""Real servers on loopback for tests: in this process for most, and as the command that users run."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from fastapi import FastAPI

from mfgit.server.app import make
from mfgit.server.service import Settings
from mfgit.server.tokens import ROLES, Tokens
from tests.builders import Workbench


class Served:
    """A running server: its address, its application, and a client for it."""

    def __init__(self, app: FastAPI, port: int) -> None:
        self.app, self.port = app, port
        self.url = f"http://127.0.0.1:{port}"

    def client(self, token: str = "", **headers: str) -> httpx2.Client:
        given = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx2.Client(base_url=self.url, headers={**given, **headers}, timeout=30)


@contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Served]:
    """Serve a repository in a thread of this process."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        app = make(folder, Settings(port=port, **settings))
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=5))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            until(lambda: server.started)
            yield Served(app, port)
        finally:
            server.should_exit = True
            thread.join(20)


def until(true: Any, seconds: float = 20.0) -> None:
    """Wait for something to become true."""
    for _ in range(int(seconds / 0.02)):
        if true():
            return
        time.sleep(0.02)
    raise TimeoutError


class Process:
    """`mfgit serve` in a process of its own."""

    def __init__(self, bench: Workbench, *words: str, **environment: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = bench.path.parent / f"serve-{self.port}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-m", "mfgit", "serve", "--port", str(self.port), *words],
                cwd=bench.path,
                env={**os.environ, **environment},
                stderr=log,
            )

    def __enter__(self) -> "Process":
        until(self.answers)
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def answers(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        try:
            return httpx2.get(f"{self.url}/health").status_code == 200
        except httpx2.TransportError:
            return False

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(20)


def tokens(bench: Workbench) -> dict[str, str]:
    """Make a token for each role; return role -> secret."""
    store = Tokens(bench.path / ".git")
    return {role: store.add(role, (role,), f"{role}@example.com") for role in ROLES}
