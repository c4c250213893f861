"""Take the pictures of the page again: the sample, `mfgit serve`, and a real Chromium. `python -m docs.pictures` runs it.

They are kept in Git, since no build takes them: they show what `mfgit serve` looked like when somebody last looked.
"""

import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2
from playwright.sync_api import ViewportSize, sync_playwright

from mfgit import sample
from mfgit.project import demonstration

FOLDER = Path(__file__).parent / "images"
SHOWN = {"en-US": ("page.png", "81ecb82d6d5cb009"), "zh-CN": ("page.zh-CN.png", "ee10aaaa79c24902")}
"""Language of the browser -> the file, and the proposal it looks at."""
SIZE: ViewportSize = {"width": 1120, "height": 640}
PATIENCE = 30.0
"""Seconds that the server may take to start."""


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place, serving(proposed(Path(place, "fernhouse"))) as url, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium())
        for locale, (name, identity) in SHOWN.items():
            page = browser.new_page(base_url=url, locale=locale, viewport=SIZE, color_scheme="light")
            page.goto(f"/memoryforge/proposals/{identity}")
            page.screenshot(path=FOLDER / name)
            sys.stdout.write(f"{FOLDER / name}\n")
        browser.close()


def chromium() -> str | None:
    """Return Debian's Chromium where it is, else None for Playwright's own."""
    found = Path("/usr/bin/chromium")
    return str(found) if found.exists() else None


def proposed(folder: Path) -> Path:
    """Make the sample and scan it: what a reviewer finds, before anybody has decided."""
    shell = demonstration.make(folder)
    shell.must("mfgit", "init", "--yes")
    shell.must("git", "add", "--all")
    shell.must("git", "commit", "--quiet", "--message", "Set up mfgit")
    shell.must("mfgit", "archive", "append", stdin=demonstration.conversations())
    shell.must("mfgit", "scan", "--since", sample.SINCE, "--until", sample.UNTIL)
    return folder


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Run `mfgit serve` on a free port; give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    server = subprocess.Popen([sys.executable, "-m", "mfgit", "-C", str(folder), "serve", "--port", port])
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with suppress(httpx2.TransportError):
                httpx2.get(f"{url}/health")
                break
            time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
