"""Chromium for tests: Debian's, driven by Playwright, with axe to judge pages and a place for screenshots."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.servers import require

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
SCREENSHOTS = "TEST_SCREENSHOTS"
"""The variable that names the folder for screenshots; without it none are kept."""
SERIOUS = ("serious", "critical")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium; the test is skipped where there is none."""
    require("chromium", "chromium", "fonts-noto-cjk")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def judged(page: Page) -> list[str]:
    """Return what axe finds on a page that is serious or critical: rule, impact, element."""
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    found: list[dict[str, Any]] = page.evaluate("axe.run({resultTypes: ['violations']}).then(found => found.violations)")
    return [
        f"{each['id']} ({each['impact']}): {node['target']}"
        for each in found
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


def keep(page: Page, name: str) -> None:
    """Keep a screenshot of the whole page, where a folder is named for them."""
    if folder := os.environ.get(SCREENSHOTS):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
