"""The page in a real Chromium: the whole flow by mouse and by keys, without scripts, on a phone, and what axe says of it."""

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browsing import SCREENSHOTS, chromium, judged, keep
from tests.builders import Workbench
from tests.serving import Served, serving, tokens
from tests.test_server import ADMIN, ATTACK, asked, scanned

HOME = "/memoryforge"
SLOW = 30_000
"""Milliseconds that a step may take on a busy machine."""
PHONE = 390
LOOKS: dict[str, dict[str, Any]] = {
    "en-light": {"locale": "en-US", "color_scheme": "light"},
    "en-dark": {"locale": "en-US", "color_scheme": "dark"},
    "zh-light": {"locale": "zh-CN", "color_scheme": "light"},
    "zh-dark": {"locale": "zh-CN", "color_scheme": "dark"},
    "zh-light-phone": {"locale": "zh-CN", "color_scheme": "light", "viewport": {"width": PHONE, "height": 844}},
    "en-dark-phone": {"locale": "en-US", "color_scheme": "dark", "viewport": {"width": PHONE, "height": 844}},
}
BRIEFLY = ("en-light", "zh-dark", "zh-light-phone")
"""What is looked at where no screenshots are wanted."""
QUESTIONS = (
    ("How do I export all invoices as a spreadsheet?", ""),
    ("手机收不到验证码怎么办？", ""),
    (f"How do I {ATTACK} now?", ""),
    (
        "How do I change the colour of a label?",
        "Open Labels, choose the label, then Colour, and pick one of the sixteen colours.",
    ),
)
"""What users asked, and the answer that they liked, where there is one."""


def turns() -> Iterator[dict[str, Any]]:
    for place, (question, answer) in enumerate(QUESTIONS):
        for n in range(10 * place + 1, 10 * place + 5):
            said = (
                {"assistant_message": answer, "rating": "up"} if answer else {"rating": "down", "rating_reasons": ["missing"]}
            )
            yield asked(n, question, **said)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def served(bench: Workbench, browser: Browser) -> Iterator[Served]:
    with serving(bench.path) as running:
        with running.client() as client:
            client.post("/archive/turns", json=list(turns()))
        yield running


Open = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, served: Served) -> Iterator[Open]:
    """Return what opens a page of the server in a window of its own; no script may fail and nothing may be blocked there."""
    troubles: list[str] = []

    def opened(path: str = "", at: Served = served, **options: Any) -> Page:
        context = browser.new_context(base_url=at.url, **{"locale": "en-US", **options})
        context.set_default_timeout(SLOW)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        page.on("console", lambda message: troubles.append(message.text) if "Content Security" in message.text else None)
        page.on("request", lambda request: None if request.url.startswith(at.url) else troubles.append(request.url))
        page.goto(HOME + path)
        return page

    expect.set_options(timeout=SLOW)
    yield opened
    for context in browser.contexts:
        context.close()
    assert not troubles


def found(served: Served, **wanted: str) -> dict[str, Any]:
    """Return the first proposal with some values, as the API tells it."""
    with served.client() as client:
        every: list[dict[str, Any]] = client.get(f"{ADMIN}/proposals").json()["proposals"]
    return next(one for one in every if all(one[name] == value for name, value in wanted.items()))


def test_a_reviewer_scans_reads_edits_adopts_undoes_and_rejects(served: Served, visit: Open) -> None:
    page = visit()
    expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()
    page.get_by_role("link", name="Scan", exact=True).last.click()
    page.get_by_role("button", name="Scan now").click()
    page.get_by_role("link", name="To the proposals").click()  # it shows itself, once the scan is done
    expect(page.locator("[data-item]")).to_have_count(len(QUESTIONS))

    page.locator("select[name=language]").select_option("zh")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("[data-item]")).to_have_count(1)
    page.get_by_role("link", name="Clear").click()

    page.get_by_role("link", name="export all invoices").click()
    expect(page.locator(".evidence").get_by_text("Not satisfied")).to_have_count(4)
    expect(page.get_by_text("A draft without an answer")).to_be_visible()
    page.get_by_role("button", name="Adopt").click()
    expect(page.get_by_role("alert")).to_contain_text("is a draft without an answer")
    expect(page.get_by_role("alert")).to_be_focused()

    page.get_by_role("textbox", name="Text").fill("Open Billing, choose Export, and pick Spreadsheet.")
    page.get_by_role("button", name="Save the text").click()
    expect(page.get_by_role("status")).to_contain_text("The text is saved.")
    expect(page.locator(".head").get_by_text("Edited")).to_be_visible()
    page.get_by_role("link", name="Open the preview").click()
    expect(page.locator(".preview .badge.better").first).to_be_visible()
    page.get_by_role("link", name="How do I export all invoices as a spreadsheet?").click()
    expect(page.locator(".answer").nth(0).locator(".hits .overlay")).to_have_count(0)
    expect(page.locator(".answer").nth(1).locator(".hits .overlay").first).to_contain_text("Added from users' conversations")
    page.go_back()

    page.get_by_role("button", name="Adopt").click()
    expect(page.get_by_role("status")).to_contain_text("Adopted. It is in main now.")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("Undone")
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("status")).to_contain_text("Restored")
    page.get_by_label("Reason").fill("Billing moves to another product.")
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("status")).to_contain_text("Rejected.")
    expect(page.get_by_text("Billing moves to another product.")).to_be_visible()

    page.get_by_role("link", name="Statistics").click()
    expect(page.locator(".chart rect.rejected")).to_have_count(1)
    with served.client() as client:
        assert client.get(f"{ADMIN}/stats").json()["rejected"] == 1


def test_all_of_it_looks_right_and_axe_finds_nothing_serious(served: Served, visit: Open) -> None:
    with served.client() as client:
        scanned(client)
        liked, attack = found(served, action_type="verified_answer"), found(served, title=found_title(client, "script"))
        client.post(f"{ADMIN}/proposals/{liked['id']}/adopt", json={"reviewed": liked["commit"]})
        client.post(f"{ADMIN}/proposals/{attack['id']}/reject", json={"reason": ATTACK})
    waiting = found(served, status="open")
    pages = {
        "list": "", "all": "?status=all", "none": "?q=nothing+like+that", "proposal": f"/proposals/{waiting['id']}",
        "adopted": f"/proposals/{liked['id']}",
        "preview": f"/proposals/{liked['id']}/preview", "attack": f"/proposals/{attack['id']}", "scan": "/scan",
        "try": f"/try?q=colour+of+a+label&with={waiting['id']}", "stats": "/stats", "sign-in": "/sign-in",
        "error": "/proposals/ffffff",
    }  # fmt: skip
    troubles = []
    for look in LOOKS if os.environ.get(SCREENSHOTS) else BRIEFLY:
        page = visit(**LOOKS[look])
        for name, path in pages.items():
            page.goto(HOME + path)
            keep(page, f"{name}-{look}")
            troubles += [f"{name}-{look}: {trouble}" for trouble in judged(page)]
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            troubles += [f"{name}-{look}: {wide} pixels too wide"] if wide > 0 else []
        page.context.close()
    assert not troubles


def found_title(client: httpx2.Client, part: str) -> str:
    """Return the title that holds a word."""
    titles = [str(each["title"]) for each in client.get(f"{ADMIN}/proposals").json()["proposals"]]
    return next(title for title in titles if part in title)


def test_keys_alone_are_enough(served: Served, visit: Open) -> None:
    with served.client() as client:
        scanned(client)
    page = visit()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("[data-item]").nth(1)).to_be_focused()
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/proposals/"))
    first = page.url
    page.keyboard.press("j")
    expect(page).not_to_have_url(first)
    page.keyboard.press("k")
    expect(page).to_have_url(first)
    page.keyboard.press("r")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("jjj ?")  # in a field, keys are text
    expect(page.get_by_label("Reason")).to_have_value("jjj ?")
    page.locator("h1").click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.get_by_label("Use single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(page).to_have_url(first)
    page.reload()
    page.keyboard.press("u")
    expect(page).to_have_url(first)
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_label("Use single-key shortcuts").check()
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(page).to_have_url(re.compile(f"{HOME}$"))
    page.keyboard.press("/")
    expect(page.get_by_label("Words")).to_be_focused()


def test_everything_essential_works_without_scripts(served: Served, visit: Open) -> None:
    page = visit("/scan", java_script_enabled=False, viewport={"width": PHONE, "height": 844})
    page.get_by_label("Only look").check()
    page.get_by_role("button", name="Scan now").click()
    expect(page.locator(".state.done")).to_be_visible()  # the page reloads itself
    page.get_by_role("button", name="Scan now").click()
    page.get_by_role("link", name="To the proposals").click()
    page.get_by_role("link", name="中文", exact=True).click()
    page.get_by_role("link", name="手机收不到验证码怎么办").click()
    page.get_by_role("link", name="转到决定").click()
    page.get_by_label("理由").fill("已有其他页面说明。")
    page.get_by_role("button", name="拒绝").click()
    expect(page.get_by_role("status")).to_contain_text("已拒绝")
    page.get_by_role("button", name="恢复").click()
    expect(page.get_by_role("status")).to_contain_text("已恢复")


def test_people_sign_in_with_a_token_and_out_again(served: Served, bench: Workbench, visit: Open) -> None:
    secrets = tokens(bench)
    with serving(bench.path, require_tokens=True) as guarded:
        page = visit("/stats", at=guarded)
        expect(page.get_by_label("Access token")).to_be_focused()
        page.get_by_label("Access token").fill("mfgit_wrong")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_contain_text("not known here")
        page.get_by_label("Access token").fill(secrets["reviewer"])
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("Access token")).to_be_visible()
        page.goto(f"{HOME}/scan")
        expect(page.get_by_label("Access token")).to_be_visible()
        page.context.close()
