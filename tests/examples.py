"""Running the examples as a stranger does: in their own folder, with real servers."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from tests.serving import until

TOP = Path(__file__).parent.parent
EXAMPLES = TOP / "examples"


@contextmanager
def uvicorn(folder: Path, app: str, log: Path, **environment: str) -> Iterator[str]:
    """Serve an application of a folder in a process of its own; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with log.open("ab") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", app, "--port", str(port), "--log-level", "warning"],
            cwd=folder, env={**os.environ, **environment}, stderr=said,
        )  # fmt: skip
    url = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        assert process.poll() is None, log.read_text("utf-8")
        try:
            return httpx2.get(f"{url}/openapi.json").status_code == 200
        except httpx2.TransportError:
            return False

    try:
        until(answers, 60)
        yield url
    finally:
        process.terminate()
        process.wait(30)
