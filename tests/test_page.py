"""The page over plain HTTP: every form, who may send it, what a forged one gets, languages, and texts that stay texts."""

import html
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

from mfgit.model import Known, Record
from mfgit.server.page import words
from mfgit.server.page.browsing import ON_A_PAGE, listing, offset_of, readable
from mfgit.server.page.difference import lines_of
from mfgit.server.page.entering import inside
from mfgit.server.page.numbers import columns
from mfgit.server.page.scanning import day_of
from mfgit.server.problems import Failure
from tests.builders import Workbench
from tests.serving import Served, serving, tokens
from tests.test_server import ADMIN, ATTACK, asked, proposed, scanned

PAGE = "/memoryforge"
FOLDER = Path(words.__file__).parent
FIELD = re.compile(r'<input type="hidden" name="csrf" value="([^"]+)">')
Guarded = tuple[Served, dict[str, str], dict[str, Any]]
"""A server, a token for each role, and the proposal it has."""
PAGES = ("", "/scan", "/try", "/try?q=password", "/stats")


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return a repository with a proposal, to be copied, and the proposal: one scan is enough for all tests."""
    path = tmp_path_factory.mktemp("seed") / "kb"
    Workbench.make(path)
    with serving(path) as opened, opened.client() as client:
        return path, proposed(client)


@pytest.fixture
def bench(seed: tuple[Path, dict[str, Any]], tmp_path: Path) -> Workbench:
    """Return a copy of the repository with a proposal."""
    shutil.copytree(seed[0], tmp_path / "kb", symlinks=True)
    return Workbench(tmp_path / "kb")


@pytest.fixture
def one(seed: tuple[Path, dict[str, Any]]) -> dict[str, Any]:
    """Return the proposal of the repository, as the API told it."""
    return seed[1]


@pytest.fixture
def served(bench: Workbench) -> Iterator[Served]:
    with serving(bench.path) as running:
        yield running


@pytest.fixture
def client(served: Served) -> Iterator[httpx2.Client]:
    with served.client() as found:
        yield found


def secret(client: httpx2.Client, path: str = "/scan") -> str:
    """Return the secret that the forms of a page carry."""
    found = FIELD.search(client.get(PAGE + path).text)
    assert found
    return found[1]


def send(client: httpx2.Client, path: str, csrf: str, /, **fields: str) -> httpx2.Response:
    return client.post(PAGE + path, data={"csrf": csrf, **fields})


@contextmanager
def signed_in(served: Served, token: str) -> Iterator[httpx2.Client]:
    with served.client() as client:
        assert client.post(f"{PAGE}/sign-in", data={"token": token}).status_code == 303
        yield client


def status_of(client: httpx2.Client, identity: str, **headers: str) -> str:
    found: str = client.get(f"{ADMIN}/proposals/{identity}", headers=headers).json()["status"]
    return found


# ---- reading


def test_each_page_is_whole_without_scripts_and_tells_browsers_what_it_may_load(
    client: httpx2.Client, one: dict[str, Any]
) -> None:
    for path in (*PAGES, f"/proposals/{one['id']}", f"/proposals/{one['id'][:6]}"):
        answer = client.get(PAGE + path)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-frame-options"] == "DENY"
        assert not re.search(r"<script(?! src=)|\son\w+=|style=|https?://", answer.text), path
        for name in re.findall(r'(?:src|href)="(/memoryforge/static/[^"]+)"', answer.text):
            assert client.get(html.unescape(name)).headers["cache-control"].startswith("public")


def test_a_proposal_is_shown_with_its_reasons_evidence_text_and_change(client: httpx2.Client, one: dict[str, Any]) -> None:
    text = client.get(f"{PAGE}/proposals/{one['id']}").text
    shown = client.get(f"{ADMIN}/proposals/{one['id']}").json()
    for said in (one["title"], *one["why"], *(each["request_id"] for each in one["evidence"]), one["branch"]):
        assert html.escape(said, quote=False) in html.unescape(text) or html.escape(said) in text
    assert text.count("Not satisfied</span>") == 3
    assert text.count('<span class="added">') == sum(line.kind == "added" for line in lines_of(shown["diff"]))
    assert "mfgit: draft" not in text.partition("<textarea")[0]


def test_filters_and_pages_leave_what_was_asked_for() -> None:
    def known(number: int, status: str = "open", **more: Any) -> Known:
        values = {"action_type": "supplement", "target_layer": "help", "priority": "high", "lang": "en", **more}
        record = Record(f"{number:04x}", f"Question {number}", root="help", frequency=100 - number, **values)
        return Known(record.id, status, record)

    every = [*map(known, range(45)), known(50, "adopted"), known(51, lang="zh"), known(52, "edited", priority="low")]
    nothing = dict.fromkeys(("layer", "type", "priority", "language"), "")
    first = listing(every, "waiting", nothing, "", 0)
    assert (len(first.proposals), first.total, first.before, first.after) == (ON_A_PAGE, 47, None, ON_A_PAGE)
    last = listing(every, "waiting", nothing, "", 40)
    assert [len(last.proposals), last.before, last.after] == [7, 20, None]
    assert first.counts == {"waiting": 47, "open": 46, "edited": 1, "adopted": 1, "all": 48}
    assert [one.id for one in listing(every, "adopted", nothing, "", 0).proposals] == ["0032"]
    assert [one.id for one in listing(every, "all", {**nothing, "language": "zh"}, "", 0).proposals] == ["0033"]
    assert [one.id for one in listing(every, "edited", {**nothing, "priority": "low"}, "QUESTION 52", 0).proposals] == ["0034"]
    assert listing(every, "nonsense", {**nothing, "layer": "nonsense"}, "", 4000).total == 47
    assert [offset_of(text) for text in ("", "40", "45", "-1", "x", "²", "9" * 30)] == [0, 40, 40, 0, 0, 0, 0]


def test_a_question_is_tried_with_and_without_a_proposal(client: httpx2.Client, one: dict[str, Any]) -> None:
    plain = client.get(f"{PAGE}/try", params={"q": "How do I reset a password?"}).text
    assert "help/password.md" in plain
    assert plain.count('class="answer"') == 1
    both = client.get(f"{PAGE}/try", params={"q": one["title"], "with": one["id"]}).text
    assert both.count('class="answer"') == 2
    before, _, after = both.partition('id="answer-2"')
    assert f"/proposals/{one['id']}" not in before.partition('id="answer-1"')[2]
    assert f"/proposals/{one['id']}" in after
    assert "applies." in after
    for wrong in ("nothing", "ffffffff"):
        answer = client.get(f"{PAGE}/try", params={"q": "password", "with": wrong})
        assert answer.status_code == 404
        assert 'role="alert"' in answer.text


def test_the_preview_asks_before_and_after_and_keeps_conversations_from_readers(
    client: httpx2.Client, guarded: Guarded, one: dict[str, Any]
) -> None:
    path = f"{PAGE}/proposals/{one['id']}/preview"
    whole, part = client.get(path), client.get(f"{path}/part")
    assert (whole.status_code, part.status_code) == (200, 200)
    told = client.get(f"{ADMIN}/proposals/{one['id']}/preview").json()
    assert part.text.count('<span class="asked">') == len(told["questions"]) > 0
    assert "<html" not in part.text
    assert part.text.strip() in whole.text
    served, secrets, _ = guarded
    with signed_in(served, secrets["reader"]) as reader, signed_in(served, secrets["reviewer"]) as reviewer:
        for somebody in (reader, reviewer):
            told = somebody.get(f"{ADMIN}/proposals/{one['id']}/preview").json()
            assert somebody.get(f"{path}/part").text.count('<span class="asked">') == len(told["questions"])


# ---- deciding


def test_a_proposal_goes_through_its_whole_life_by_forms(
    bench: Workbench, served: Served, client: httpx2.Client, one: dict[str, Any]
) -> None:
    path = f"/proposals/{one['id']}"
    csrf = secret(client, path)
    api = {"X-CSRF-Token": csrf}

    refused = send(client, f"{path}/adopt", csrf, reviewed=one["commit"])
    assert refused.status_code == 409
    assert "draft without an answer" in refused.text
    stale = send(client, f"{path}/draft", csrf, reviewed="0" * 40, text="Typed <b>text</b>", path="help/password.md")
    assert stale.status_code == 400
    assert "Typed &lt;b&gt;text&lt;/b&gt;" not in stale.text  # it was for another page
    assert status_of(client, one["id"]) == "open"

    done = send(client, f"{path}/draft", csrf, reviewed=one["commit"], text="Open Billing.\r\nChoose Export.", path="")
    assert (done.status_code, done.headers["location"]) == (303, f"{PAGE}{path}?done=draft")
    edited = client.get(f"{ADMIN}{path}").json()
    assert edited["status"] == "edited"
    assert "Open Billing.\nChoose Export." in "".join(edited["texts"].values())

    empty = send(client, f"{path}/reject", csrf, reason="  ")
    assert empty.status_code == 422
    assert send(client, f"{path}/reject", csrf, reason="Not ours", forever="1").status_code == 303
    shown = client.get(PAGE + path).text
    assert "Not ours" in shown
    assert "For ever" in shown
    assert send(client, f"{path}/restore", csrf).status_code == 303
    assert client.get(f"{PAGE}{path}?done=restore").text.count('role="status"') == 1

    now = client.get(f"{ADMIN}{path}", headers=api).json()["commit"]
    assert send(client, f"{path}/adopt", csrf, reviewed=now).status_code == 303
    assert status_of(client, one["id"]) == "adopted"
    assert bench.git("log", "-1", "--format=%an", "main") == "Alice"
    assert send(client, f"{path}/undo", csrf).status_code == 303
    assert status_of(client, one["id"]) == "undone"
    again = client.get(f"{ADMIN}{path}").json()["commit"]
    assert send(client, f"{path}/adopt", csrf, reviewed=again).status_code == 303
    assert status_of(client, one["id"]) == "adopted"
    numbers = client.get(f"{PAGE}/stats").text
    assert numbers.count("<rect") > 3
    assert "What adopted proposals did" in numbers
    assert f"{PAGE}/proposals/{one['id']}" in numbers
    audit = served.app.state.service.audit.path.read_text("utf-8")
    for action in ("adopt", "reject", "restore", "undo", "draft"):
        assert f'"action": "{action}"' in audit


def test_a_scan_is_started_and_told_without_scripts(client: httpx2.Client) -> None:
    csrf = secret(client)
    begun = send(client, "/scan", csrf, days="30", dry_run="1")
    assert (begun.status_code, begun.headers["location"]) == (303, f"{PAGE}/scan")
    running = client.get(f"{PAGE}/scan").text
    assert 'http-equiv="refresh"' in running or 'data-state="done"' in running
    for _ in range(600):
        if 'data-state="running"' not in (told := client.get(f"{PAGE}/scan/state").text):
            break
    assert 'data-state="done"' in told
    assert "<html" not in told
    assert "Only looked" in told
    assert client.get(f"{ADMIN}/scan").json()["by"] == "local"


@pytest.mark.parametrize(
    "fields",
    [{"days": "-1"}, {"days": "0"}, {"days": "x"}, {"since": "yesterday"}, {"since": "2026-11-30", "until": "2026-11-01"}],
)
def test_a_window_that_is_none_is_said_beside_its_form(client: httpx2.Client, fields: dict[str, str]) -> None:
    answer = send(client, "/scan", secret(client), **fields)
    if answer.status_code == 303:  # begun: the scan itself says what is wrong with the window
        while 'data-state="running"' in (told := client.get(f"{PAGE}/scan/state").text):
            pass
        assert 'data-state="failed"' in told
    else:
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text
        assert all(f'value="{value}"' in answer.text for value in fields.values())


# ---- forged forms and roles

FORMS = {
    "/scan": {"dry_run": "1"},
    "/proposals/{id}/adopt": {"reviewed": "{commit}"},
    "/proposals/{id}/reject": {"reason": "no"},
    "/proposals/{id}/draft": {"reviewed": "{commit}", "text": "x"},
    "/proposals/{id}/restore": {},
    "/proposals/{id}/undo": {},
}
"""The address of each form that changes something, and its fields."""


@pytest.fixture(scope="module")
def guarded(seed: tuple[Path, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """Serve a copy of the repository with tokens."""
    path = tmp_path_factory.mktemp("guarded") / "kb"
    shutil.copytree(seed[0], path, symlinks=True)
    with serving(path, require_tokens=True, rate=0) as served:
        yield served, tokens(Workbench(path)), seed[1]


def filled(values: str, one: dict[str, Any]) -> str:
    return values.format(id=one["id"], commit=one["commit"])


def test_every_form_of_the_page_is_in_the_table(guarded: Guarded) -> None:
    served = guarded[0]
    routes = {
        route.path.removeprefix(PAGE).replace("{identity}", "{id}")
        for route in served.app.state.routes
        if route.path.startswith(PAGE) and "POST" in route.methods
    }
    assert routes == {*FORMS, "/sign-in", "/sign-out"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("given", ["", "wrong", "of another"])
def test_a_forged_form_is_refused(guarded: Guarded, form: str, given: str) -> None:
    served, secrets, one = guarded
    with signed_in(served, secrets["reviewer"]) as client, signed_in(served, secrets["reviewer"]) as other:
        fields = {name: filled(value, one) for name, value in FORMS[form].items()}
        csrf = {"": {}, "wrong": {"csrf": "wrong"}, "of another": {"csrf": secret(other)}}[given]
        answer = client.post(PAGE + filled(form, one), data={"x": "", **fields, **csrf})
        assert answer.status_code == 403
        assert "older than your session" in answer.text
        elsewhere = {"Origin": "https://evil.example"}
        assert (
            client.post(PAGE + filled(form, one), data={**fields, "csrf": secret(client)}, headers=elsewhere).status_code == 403
        )
        assert status_of(client, one["id"]) == "open"


@pytest.mark.parametrize("form", FORMS)
def test_an_open_server_takes_no_form_without_its_secret(client: httpx2.Client, form: str, one: dict[str, Any]) -> None:
    assert client.post(PAGE + filled(form, one), data={"csrf": "x", **FORMS[form]}).status_code == 403
    csrf = secret(client)
    assert client.post(PAGE + filled(form, one), data={"csrf": csrf + "x", **FORMS[form]}).status_code == 403
    assert client.post(PAGE + filled(form, one), json={"csrf": csrf}).status_code == 415
    assert status_of(client, one["id"]) == "open"


@pytest.mark.parametrize("form", FORMS)
def test_only_reviewers_change_anything(guarded: Guarded, form: str) -> None:
    served, secrets, one = guarded
    fields = {name: filled(value, one) for name, value in FORMS[form].items()}
    with signed_in(served, secrets["reader"]) as reader:
        csrf = reader.get("/session").json()["csrf"]
        answer = reader.post(PAGE + filled(form, one), data={**fields, "csrf": csrf})
        assert answer.status_code == 403
        assert "role reviewer" in answer.text
        assert status_of(reader, one["id"]) == "open"
    with served.client() as nobody:
        answer = nobody.post(PAGE + filled(form, one), data={"x": "", **fields})
        assert (answer.status_code, answer.headers["location"]) == (303, f"{PAGE}/sign-in?next=%2Fmemoryforge")


def test_readers_see_no_conversation_and_no_form(guarded: Guarded) -> None:
    served, secrets, one = guarded
    with signed_in(served, secrets["reader"]) as reader, signed_in(served, secrets["reviewer"]) as reviewer:
        path = f"{PAGE}/proposals/{one['id']}"
        seen, all_of_it = reader.get(path).text, reviewer.get(path).text
    assert one["evidence"][0]["request_id"] + "</code>" in all_of_it
    assert one["evidence"][0]["request_id"] + "</code>" not in seen
    assert "shown to reviewers only" in seen
    assert "/adopt" not in seen
    assert "Not satisfied</span>" not in seen
    with signed_in(served, secrets["writer"]) as writer:
        for path in PAGES:
            answer = writer.get(PAGE + path)
            assert answer.status_code == 403
            assert "Sign out" in answer.text


def test_whoever_comes_without_a_token_signs_in_and_goes_on(guarded: Guarded) -> None:
    served, secrets, one = guarded
    with served.client() as client:
        for path in (*PAGES, f"/proposals/{one['id']}", "/scan/state"):
            answer = client.get(PAGE + path)
            assert (answer.status_code, answer.headers["location"]) == (
                303,
                f"{PAGE}/sign-in?next={quote(PAGE + path, safe='')}",
            )
        assert client.get(f"{PAGE}/sign-in").status_code == 200
        wrong = client.post(f"{PAGE}/sign-in", data={"token": "mfgit_wrong", "next": f"{PAGE}/stats"})
        assert (wrong.status_code, "not known here" in wrong.text) == (401, True)
        assert "mfgit_wrong" not in wrong.text
        assert 'href="/memoryforge/sign-in?lang=zh"' in wrong.text
        right = client.post(f"{PAGE}/sign-in", data={"token": secrets["reader"], "next": f"{PAGE}/stats"})
        assert right.headers["location"] == f"{PAGE}/stats"
        assert "HttpOnly" in right.headers["set-cookie"]
        assert "SameSite=strict" in right.headers["set-cookie"]
        csrf = secret(client, "/stats")
        assert client.post(f"{PAGE}/sign-out", data={"csrf": "x"}).status_code == 403
        assert client.post(f"{PAGE}/sign-out", data={"csrf": csrf}).headers["location"] == f"{PAGE}/sign-in"
        assert client.get(f"{PAGE}/stats").status_code == 303
    with served.client(secrets["reviewer"]) as machine:
        assert machine.get(PAGE).status_code == 200
        assert machine.post(f"{PAGE}/proposals/{one['id']}/restore", data={"x": ""}).status_code == 409
        assert machine.get(PAGE, headers={"Authorization": "Bearer no"}).status_code == 401


def test_guessing_tokens_is_slowed_down(bench: Workbench) -> None:
    tokens(bench)
    with serving(bench.path, require_tokens=True) as served, served.client() as client:
        answers = [client.post(f"{PAGE}/sign-in", data={"token": f"mfgit_{n}"}) for n in range(12)]
        assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2
        assert "wait a minute" in answers[-1].text
        assert int(answers[-1].headers["retry-after"]) > 0


@pytest.mark.parametrize(
    ("address", "leads"),
    [
        (f"{PAGE}/scan", f"{PAGE}/scan"),
        (f"{PAGE}?status=all&lang=zh", f"{PAGE}?status=all&lang=zh"),
        ("https://evil.example/memoryforge", PAGE),
        ("//evil.example", PAGE),
        (f"{PAGE}.evil.example", PAGE),
        (f"{PAGE}/../archive/search", PAGE),
        (f"{PAGE}\\evil", PAGE),
        (f"{PAGE}/a\r\nSet-Cookie: x", PAGE),
        ("", PAGE),
    ],
)
def test_signing_in_leads_to_our_pages_only(address: str, leads: str) -> None:
    assert inside(address) == leads


# ---- texts


def test_texts_of_attackers_stay_texts(bench: Workbench, client: httpx2.Client) -> None:
    turns = [asked(n, f"How do I {ATTACK} now?", rating="down", rating_reasons=[ATTACK]) for n in range(11, 14)]
    client.post("/archive/turns", json=turns)
    scanned(client)
    one = next(each for each in client.get(f"{ADMIN}/proposals").json()["proposals"] if "script" in each["title"])
    path = f"/proposals/{one['id']}"
    csrf = secret(client, path)
    answers = [
        client.get(PAGE), client.get(PAGE, params={"q": ATTACK, "layer": ATTACK, "status": ATTACK}), client.get(PAGE + path),
        client.get(f"{PAGE}/try", params={"q": ATTACK, "with": one["id"], "only": ATTACK}),
        send(client, f"{path}/reject", csrf, reason=""), send(client, "/scan", csrf, days=ATTACK, since=ATTACK),
        client.post(f"{PAGE}{path}/draft", data={"csrf": csrf, "text": ATTACK, "path": ATTACK, "reviewed": "x"}),
        client.get(f"{PAGE}/sign-in", params={"next": f"{PAGE}?{ATTACK}"}),
    ]  # fmt: skip
    for answer in answers:
        assert answer.headers["content-type"].startswith("text/html")
        assert not re.search(r"<script(?! src=\"/memoryforge/static/)|<img|<b>", answer.text)
        assert "49" not in re.findall(r"x=alert\(1\)&gt; (\S+)", answer.text)
    assert "&lt;script&gt;" in answers[2].text
    assert send(client, f"{path}/reject", csrf, reason=ATTACK).status_code == 303
    assert "&lt;img" in client.get(PAGE + path).text


@pytest.mark.parametrize("path", ["/proposals/..%2fetc", "/proposals/nothing", "/proposals/ffffffff", "/static/..%2fwords.py"])
def test_what_is_not_there_is_said_on_a_page(client: httpx2.Client, path: str) -> None:
    answer = client.get(PAGE + path)
    assert answer.status_code in (404, 422)
    assert "LANGUAGES" not in answer.text


def test_addresses_that_people_type_lead_to_pages(client: httpx2.Client, one: dict[str, Any]) -> None:
    leads = {
        "/": PAGE,
        f"{PAGE}/": PAGE,
        f"{PAGE}/stats/": f"{PAGE}/stats",
        f"{PAGE}/proposals/{one['id']}/adopt": f"{PAGE}/proposals/{one['id']}",
    }
    assert {path: client.get(path).headers["location"] for path in leads} == leads
    nothing = client.get(f"{PAGE}/nothing")
    assert (nothing.status_code, "To the list of proposals" in nothing.text) == (404, True)
    assert client.get(f"{PAGE}//evil.example/").headers["location"] == f"{PAGE}//evil.example"


def test_broken_forms_are_refused(client: httpx2.Client) -> None:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    for data in (b"\xff\xfe=1", b"&".join(b"a=%d" % n for n in range(50))):
        assert client.post(f"{PAGE}/scan", content=data, headers=kind).status_code == 400


# ---- languages


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("", "en"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en-GB,en;q=0.9,zh;q=0.8", "en"),
        ("fr, zh-TW;q=0.5", "zh"),
        ("en;q=0.1, zh;q=0.2", "zh"),
        ("zh;q=0, en", "en"),
        ("zh;q=x", "en"),
        ("de", "en"),
        (";;,,=", "en"),
    ],
)
def test_a_browser_is_answered_in_its_language(header: str, lang: str) -> None:
    assert words.preferred(header) == lang


def test_the_language_is_switched_and_remembered(client: httpx2.Client) -> None:
    assert '<html lang="en">' in client.get(PAGE, headers={"Accept-Language": "en"}).text
    switched = client.get(f"{PAGE}?status=all&lang=zh")
    assert '<html lang="zh-Hans">' in switched.text
    assert 'href="/memoryforge?status=all&amp;lang=en"' in switched.text
    assert "提案" in client.get(f"{PAGE}/stats", headers={"Accept-Language": "en"}).text
    assert '<html lang="zh-Hans">' in client.get(PAGE, params={"lang": "xx"}).text


def used() -> set[str]:
    """Return the keys and the starts of keys that templates and code name."""
    texts = "".join(path.read_text("utf-8") for path in (*FOLDER.glob("templates/*.html"), *FOLDER.glob("*.py")))
    return set(re.findall(r"[\"']([a-z_]+(?:\.[a-z_]+)*\.?)[\"']", texts.replace("words.py", "")))


def test_every_text_is_there_in_both_languages_with_the_same_values() -> None:
    for key, both in words.TABLE.items():
        assert len(both) == 2, key
        assert all(text.strip() for text in both), key
        assert len({tuple(sorted(re.findall(r"{(\w+)}", text))) for text in both}) == 1, key
        assert re.search(r"[\u4e00-\u9fff]", both[1]), key


def test_every_text_is_used_and_none_is_missing() -> None:
    templates = "".join(path.read_text("utf-8") for path in FOLDER.glob("templates/*.html"))
    asked_for = set(re.findall(r"\bt\(\s*\"([^\"]+)\"\s*[,)]", templates))
    assert asked_for <= set(words.TABLE)
    named = used()
    starts = {name for name in named if name.endswith(".")} | {f"{kind}." for kind in ("status", "type", "layer", "lang")}
    unused = [key for key in words.TABLE if key not in named and not any(key.startswith(start) for start in starts)]
    assert not unused


# ---- parts


def test_a_patch_is_told_line_by_line() -> None:
    patch = "diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n same\n--- x\n+++ y\n+z\ndiff --git a/y b/y\n"
    kinds = [line.kind for line in lines_of(patch)]
    assert kinds == ["file", "meta", "meta", "meta", "hunk", "same", "removed", "added", "added", "file"]
    assert lines_of("") == []


def test_days_of_a_form_and_of_the_chart() -> None:
    assert day_of(" ") is None
    assert day_of("2026-11-30") == date(2026, 11, 30)
    for wrong in ("30.11.2026", "2026-02-30", "9999-12-31", "0001-01-01"):
        with pytest.raises(Failure):
            day_of(wrong)
    found = columns((), 30, date(2026, 11, 30))
    assert [len(found), found[0].day, found[-1].day] == [30, date(2026, 11, 1), date(2026, 11, 30)]


def test_lines_for_the_machine_are_not_shown() -> None:
    assert readable('# A\n\n[//]: # "mfgit: about"\n\nb\n\n[//]: # "mfgit: end"\n') == "# A\n\nb"
