"""Real Dask clusters on this machine: a scheduler and its workers, each a process of its own."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest


class Cluster:
    """A scheduler without a dashboard; workers join it one by one."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options, self.workers = folder, options, list[subprocess.Popen[bytes]]()
        self.file = folder / "scheduler.json"
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file))
        self.address = str(json.loads(self.written())["address"])

    def start(self, what: str, *options: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        # workers of a test have no mfgit: one that is there would be taken by name, and never sent
        away = self.folder / "away"
        (away / "mfgit").mkdir(parents=True, exist_ok=True)
        (away / "mfgit" / "__init__.py").write_text("raise ImportError('a worker has no mfgit')\n", encoding="utf-8")
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard", *options, *self.options]
        with (self.folder / f"{what}.log").open("ab") as log:
            given = {**os.environ, "PYTHONPATH": str(away), **(env or {})}
            return subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, env=given)

    def written(self) -> bytes:
        for _ in range(600):
            if self.file.is_file() and (found := self.file.read_bytes().strip()).endswith(b"}"):
                return found
            time.sleep(0.05)
        pytest.fail((self.folder / "scheduler.log").read_text("utf-8"))

    def work(self, *names: str, env: Mapping[str, str] | None = None) -> None:
        for name in names:
            options = ("--nthreads", "1", "--no-nanny", "--name", name, "--host", "127.0.0.1")
            self.workers.append(self.start("worker", self.address, *options, env=env))

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def cluster(folder: Path, *options: str) -> Iterator[Cluster]:
    """Give a cluster, and end all its processes."""
    folder.mkdir(parents=True)
    found = Cluster(folder, *options)
    try:
        yield found
    finally:
        found.stop()
