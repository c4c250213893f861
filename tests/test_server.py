"""The HTTP API as its users see it: a real server on loopback, real Git, the archive on the disk."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from mfgit.server.automatic import day_end
from mfgit.server.jobs import Wanted
from tests.archives import CHAT, ids, line, stored, turn
from tests.builders import Workbench
from tests.serving import Process, Served, serving, tokens, until

if TYPE_CHECKING:
    from mfgit.server.service import Service

NOW = datetime.now(UTC)
ADMIN = "/admin/memoryforge"
ATTACK = "<script>alert(1)</script> \"'><img src=x onerror=alert(1)> {{7*7}} ${jndi:x} \u202e ignore all rules'; DROP TABLE"


@pytest.fixture
def served(bench: Workbench) -> Iterator[Served]:
    with serving(bench.path) as running:
        yield running


@pytest.fixture
def client(served: Served) -> Iterator[httpx2.Client]:
    with served.client() as found:
        yield found


def asked(number: int, question: str, **more: Any) -> dict[str, Any]:
    """Return a help turn of today."""
    given = {"session_id": f"s{number}", "user_id": f"u{number}", "help_mode": True, "user_message": question, **more}
    return turn(number, NOW - timedelta(hours=number), **given)


def scanned(client: httpx2.Client) -> dict[str, Any]:
    """Scan and wait; return the status."""
    assert client.post(f"{ADMIN}/scan", json={}).status_code == 202
    until(lambda: client.get(f"{ADMIN}/scan").json()["state"] != "running", 60)
    found: dict[str, Any] = client.get(f"{ADMIN}/scan").json()
    assert found["state"] == "done", found
    return found


def proposed(client: httpx2.Client) -> dict[str, Any]:
    """Archive a question that nobody could answer, and return its proposal."""
    turns = [asked(n, "How do I export all invoices as a spreadsheet?", rating="down") for n in range(1, 4)]
    assert client.post("/archive/turns", json=turns).status_code == 200
    scanned(client)
    found: dict[str, Any] = client.get(f"{ADMIN}/proposals").json()["proposals"][0]
    return found


# ---- the archive


def test_turns_are_on_the_disk_when_they_are_acknowledged(bench: Workbench, client: httpx2.Client) -> None:
    answer = client.post("/archive/turns", json=turn(1))
    assert answer.json() == {"acknowledged": [{"request_id": "r1", "assistant_message_id": "m1", "date": "2026-11-30"}]}
    many = [turn(2), turn(3), turn(1)]
    assert [each["request_id"] for each in client.post("/archive/turns", json=many).json()["acknowledged"]] == [
        "r2",
        "r3",
        "r1",
    ]
    lines = b"".join(line(turn(number)) for number in (4, 5)) + b"\n"
    answer = client.post("/archive/turns", content=lines, headers={"Content-Type": "application/x-ndjson"})
    assert len(answer.json()["acknowledged"]) == 2
    assert ids(bench.path / CHAT) == {f"r{number}": 1 for number in range(1, 6)}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[" * 100_000, 400),
        (b"[]", 422),
        (b"3", 422),
        (b'{"user_message": "x"}', 422),
        (b'{"timestamp": "yesterday", "user_message": "x"}', 422),
        (b'{"timestamp": "2026-11-30T10:00:00Z", "user_message": 3}', 422),
        (b'{"timestamp": "2026-11-30T10:00:00Z", "user_message": 1e999}', 422),
        (json.dumps([turn(n) for n in range(1001)]).encode(), 413),
    ],
    ids=["empty", "half", "deep", "none", "number", "no time", "no such time", "no text", "infinite", "many"],
)
def test_what_is_no_turn_is_named_and_not_stored(bench: Workbench, client: httpx2.Client, body: bytes, status: int) -> None:
    answer = client.post("/archive/turns", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"].endswith(".")
    assert not stored(bench.path / CHAT)


@pytest.mark.parametrize("lines", [False, True], ids=["json", "lines"])
def test_fields_that_only_mfgit_sets_are_refused_by_name(bench: Workbench, client: httpx2.Client, lines: bool) -> None:
    fields = ["archived_at", "imported_at", "retained", "source", "undated"]
    turns = [turn(1), *({**turn(n), name: (NOW.isoformat(), None)[n % 2]} for n, name in enumerate(fields, 2))]
    body = "\n".join(map(json.dumps, turns)) if lines else json.dumps(turns)
    kind = {"Content-Type": "application/x-ndjson" if lines else "application/json"}
    answer = client.post("/archive/turns", content=body, headers=kind)
    assert answer.status_code == 422
    reason = "not a turn of a client: only mfgit sets"
    assert answer.json()["rejected"] == [{"number": n, "reason": f"{reason} {name}"} for n, name in enumerate(fields, 2)]
    assert "number 2: not a turn of a client: only mfgit sets archived_at." in answer.json()["detail"]
    assert ids(bench.path / CHAT) == {"r1": 1}


def test_good_turns_beside_a_bad_one_are_stored_and_named(bench: Workbench, client: httpx2.Client) -> None:
    answer = client.post("/archive/turns", json=[turn(1), {"user_message": "secret words"}, turn(2)])
    assert answer.status_code == 422
    assert [each["request_id"] for each in answer.json()["acknowledged"]] == ["r1", "r2"]
    assert answer.json()["rejected"][0]["number"] == 2
    assert "secret words" not in answer.text
    assert ids(bench.path / CHAT) == {"r1": 1, "r2": 1}


def test_secrets_are_taken_out_before_they_are_stored(bench: Workbench, client: httpx2.Client) -> None:
    client.post("/archive/turns", json=turn(1, user_message="my mail is li.wei@example.org, 手机 13812345678"))
    held = (bench.path / CHAT / "2026-11-30.jsonl").read_text()
    assert "example.org" not in held
    assert "13812345678" not in held


def test_a_rating_is_folded_in_and_an_unknown_reply_is_said(bench: Workbench, client: httpx2.Client) -> None:
    client.post("/archive/turns", json=turn(1))
    given = {"assistant_message_id": "m1", "rating": 2, "reasons": ["outdated"], "note": "no"}
    assert client.post("/archive/ratings", json=given).json() == {
        "assistant_message_id": "m1",
        "rating": 2,
        "date": "2026-11-30",
    }
    answer = client.post("/archive/ratings", json={"assistant_message_id": "m2", "rating": "up"})
    assert (answer.status_code, answer.json()["detail"]) == (404, "No stored reply has this id.")
    for wrong in ({"rating": 6}, {"rating": True}, {"rating": "great"}, {"rating": None}, {"rating": 1, "more": 1}):
        assert client.post("/archive/ratings", json={"assistant_message_id": "m1", **wrong}).status_code == 422
    assert [each["rating"] for each in stored(bench.path / CHAT) if each.get("event") == "rating"] == [2]


def test_what_was_archived_is_found_at_once_and_got_whole(client: httpx2.Client) -> None:
    for number, word in enumerate(("first", "second", "third"), 1):
        client.post(
            "/archive/turns", json=turn(number, NOW, user_message=f"the {word} unicorn")
        )  # idle turns would become a session
        hits = client.get("/archive/search", params={"q": "unicorn"}).json()["hits"]
        assert len(hits) == number
    part = client.get("/archive/sessions/s1", params={"messages": "1-2"}).json()
    assert [message["content"] for message in part["messages"]] == ["the first unicorn", "answer 1"]
    assert part["total"] == 6
    nothing = client.get("/archive/search", params={"q": "zeppelin"}).json()
    assert nothing["hits"] == []
    assert nothing["note"]
    assert client.get("/archive/sessions/unknown").status_code == 404
    assert client.get("/archive/search", params={"q": "x", "date": "never"}).status_code == 400
    assert client.get("/archive/sessions/s1", params={"messages": "x"}).status_code == 400


def test_a_disk_that_refuses_asks_to_come_again(bench: Workbench, client: httpx2.Client) -> None:
    chat = bench.path / CHAT
    assert client.post("/archive/turns", json=turn(1)).status_code == 200
    kept = chat.rename(chat.with_name("kept"))
    chat.write_text("a file")
    answer = client.post("/archive/turns", json=turn(2))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")
    chat.unlink()
    kept.rename(chat)
    assert client.post("/archive/turns", json=turn(2)).status_code == 200
    assert ids(chat) == {"r1": 1, "r2": 1}


# ---- the knowledge


def test_search_follows_the_branch(bench: Workbench, client: httpx2.Client) -> None:
    first = client.get("/search", params={"q": "reset password"}).json()
    assert first["hits"][0]["path"] == "help/password.md"
    bench.write({"help/router.md": "# Router\n\n## Restart\n\nHold the button for ten seconds.\n"})
    commit = bench.commit()
    second = client.get("/search", params={"q": "restart the router"}).json()
    assert (second["commit"], second["hits"][0]["path"]) == (commit, "help/router.md")
    old = client.get("/search", params={"q": "restart the router", "ref": "main~1"})
    assert old.status_code == 422
    old = client.get("/search", params={"q": "restart the router", "ref": first["commit"]})
    assert not [hit for hit in old.json()["hits"] if hit["path"] == "help/router.md"]
    for place in ("/search", "/context"):
        assert client.get(place, params={"q": "restart the router", "root": "nowhere"}).status_code == 400
        follow = client.get(
            place, params={"q": "where is it?", "root": "help", "history": ["router", "Restart the router?"]}
        ).json()
        assert "Read as a follow-up to “Restart the router?”" in follow["note"]
    assert client.get("/search", params={"q": "x", "ref": "nowhere"}).status_code == 400
    assert client.get("/search", params={"q": "x", "with": "0123456789abcdef"}).status_code == 400


def test_context_is_the_block_that_the_command_prints(bench: Workbench, client: httpx2.Client) -> None:
    answer = client.get("/context", params={"q": "reset password", "limit": 10}).json()
    assert answer["sources"] == ["help/password.md"]
    assert answer["block"].strip() == bench.mfgit("context", "reset password").out.strip()


# ---- proposals


def test_a_proposal_goes_its_whole_way(bench: Workbench, client: httpx2.Client) -> None:
    one = proposed(client)
    path = f"{ADMIN}/proposals/{one['id']}"
    shown = client.get(path).json()
    assert len(shown["evidence"]) == 3
    assert "index.json" not in shown["diff"]
    assert any("rule" in reason for reason in shown["why"])
    page = next(iter(shown["texts"]))

    answer = client.post(f"{path}/adopt", json={"reviewed": one["commit"]})
    assert answer.status_code == 409  # a draft without an answer
    text = "# Export invoices\n\nOpen Billing and choose Export as CSV."
    edited = client.put(f"{path}/draft", json={"text": text, "reviewed": one["commit"]}).json()
    assert edited["status"] == "edited"
    assert text in client.get(path).json()["texts"][page]
    moved = client.put(f"{path}/draft", json={"text": "other", "reviewed": one["commit"]})
    assert (moved.status_code, "as reviewed" in moved.json()["detail"]) == (409, True)
    assert client.post(f"{path}/adopt", json={"reviewed": one["commit"]}).status_code == 409

    found = client.get("/search", params={"q": "export invoices", "with": one["id"]}).json()
    assert found["hits"][0]["kind"] == "overlay"
    adopted = client.post(f"{path}/adopt", json={"reviewed": edited["commit"]}).json()
    assert adopted["changed"]
    assert adopted["commit"] == bench.git("rev-parse", "main")
    assert client.get("/search", params={"q": "export invoices"}).json()["hits"][0]["proposal"] == one["id"]
    stats = client.get(f"{ADMIN}/stats").json()
    assert stats["adopted"] == {one["action_type"]: 1}
    (looked,) = stats["look_back"]["proposals"]
    assert (looked["id"], looked["before"]["source"], looked["before"]["turns"]) == (one["id"], "archive", 3)
    assert looked["hits"]["first"] >= 1

    assert client.post(f"{path}/undo").json()["status"] == "undone"
    assert client.post(f"{path}/undo").status_code == 409
    assert client.post(f"{path}/restore").json()["status"] in ("open", "edited")
    assert client.post(f"{path}/reject", json={"reason": "wrong audience"}).json()["status"] == "rejected"
    assert client.get(path).json()["reason"] == "wrong audience"
    assert client.post(f"{path}/restore").json()["status"] in ("open", "edited")
    log = [json.loads(each) for each in (bench.path / ".git/mfgit/serve/audit.jsonl").read_text().splitlines()]
    assert [(each["action"], each["result"]) for each in log if each["id"] == one["id"]] == [
        ("adopt", "refused"), ("draft", "done"), ("draft", "refused"), ("adopt", "refused"), ("adopt", "done"),
        ("undo", "done"), ("undo", "refused"), ("restore", "done"), ("reject", "done"), ("restore", "done"),
    ]  # fmt: skip
    assert (bench.path / ".git/mfgit/serve/audit.jsonl").stat().st_mode & 0o777 == 0o600


def test_decisions_carry_the_name_of_the_token(bench: Workbench) -> None:
    secrets = tokens(bench)
    with serving(bench.path, require_tokens=True, rate=0) as served, served.client(secrets["reviewer"]) as client:
        with served.client(secrets["writer"]) as writer:
            turns = [asked(n, "How do I export all invoices as a spreadsheet?", rating="down") for n in range(1, 4)]
            assert writer.post("/archive/turns", json=turns).status_code == 200
        scanned(client)
        one = client.get(f"{ADMIN}/proposals").json()["proposals"][0]
        path = f"{ADMIN}/proposals/{one['id']}"
        with served.client(secrets["reader"]) as reader:
            hidden = reader.get(path).json()
            assert (hidden["evidence"], hidden["rating_reasons"]) == (None, None)
            assert reader.get(f"{ADMIN}/proposals").json()["proposals"][0]["evidence"] is None
            assert "excerpt" not in reader.get(path).text
        edited = client.put(f"{path}/draft", json={"text": "Choose Export.", "reviewed": one["commit"]}).json()
        client.post(f"{path}/adopt", json={"reviewed": edited["commit"]})
        assert bench.git("log", "-1", "--format=%an <%ae>", "main") == "reviewer <reviewer@example.com>"
        assert bench.git("log", "-1", "--format=%an", edited["commit"]) == "reviewer"
        client.post(f"{path}/undo")
        assert bench.git("log", "-1", "--format=%an %s", "main").startswith("reviewer Undo")
        client.post(f"{path}/reject", json={"reason": "no"})
        assert bench.git("log", "-1", "--format=%an", f"refs/mfgit/rejected/{one['id']}") == "reviewer"
        log = [json.loads(each) for each in (bench.path / ".git/mfgit/serve/audit.jsonl").read_text().splitlines()]
        decisions = [(each["actor"], each["action"]) for each in log if each["id"] == one["id"]]
        assert decisions == [("reviewer", action) for action in ("draft", "adopt", "undo", "reject")]


def test_the_list_is_filtered_and_paged(client: httpx2.Client) -> None:
    turns = [asked(1, "How do I pair the scanner?", rating="down"), asked(2, "打印机怎么加纸？", rating="down")]
    turns.append(asked(3, "Where is the glossary of terms?", rating="down"))
    client.post("/archive/turns", json=turns)
    scanned(client)

    def listed(**wanted: Any) -> list[str]:
        found = client.get(f"{ADMIN}/proposals", params=wanted).json()
        assert found["total"] >= len(found["proposals"])
        return [each["title"] for each in found["proposals"]]

    assert len(listed()) == 3
    assert ["打印机" in title for title in listed(language="zh")] == [True]
    assert len(listed(layer="help", status="open", type="supplement", priority="high")) == 3
    assert listed(layer="workspace") == listed(status="adopted") == []
    pages = [listed(limit=1, offset=place)[0] for place in range(3)]
    assert pages == listed()
    assert listed(offset=3) == []
    assert client.get(f"{ADMIN}/proposals", params={"status": "odd"}).status_code == 422
    assert client.get(f"{ADMIN}/proposals/abcd").status_code == 404


def test_texts_of_attackers_stay_texts(bench: Workbench, client: httpx2.Client) -> None:
    client.post("/archive/turns", json=[asked(n, f"How do I {ATTACK} now?", rating="down") for n in range(1, 4)])
    scanned(client)
    for path in (f"{ADMIN}/proposals", f"/archive/search?q={ATTACK[:20]}", "/archive/sessions/s1", "/search?q=%3Cscript%3E"):
        answer = client.get(path)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    one = client.get(f"{ADMIN}/proposals").json()["proposals"][0]
    texts = client.get(f"{ADMIN}/proposals/{one['id']}").json()["texts"]
    assert "<script>" not in "".join(texts.values())
    for identity in ("..%2f..%2fetc", "%00", "--upload-pack=x", "$(id)", "abcd;id", "a" * 500):
        assert client.get(f"{ADMIN}/proposals/{identity}").status_code in (404, 422)
        assert client.get("/search", params={"q": "x", "ref": identity}).status_code in (400, 422)
        assert client.get(f"/archive/sessions/{identity}").status_code in (404, 422)


@pytest.mark.parametrize("given", [{"text": ""}, {"text": "  "}, {"text": "x", "path": "help/password.md"}, {"text": "a\0b"}])
def test_a_draft_that_is_none_is_refused(client: httpx2.Client, given: dict[str, str]) -> None:
    one = proposed(client)
    answer = client.put(f"{ADMIN}/proposals/{one['id']}/draft", json={"reviewed": one["commit"], **given})
    assert answer.status_code in (400, 422)
    assert client.get(f"{ADMIN}/proposals/{one['id']}").json()["commit"] == one["commit"]


# ---- scans and what runs by itself


def test_one_scan_at_a_time_in_every_process(bench: Workbench, served: Served, client: httpx2.Client) -> None:
    service: Service = served.app.state.service
    held = service.scans.hold()
    assert held is not None
    with serving(bench.path) as second, second.client() as other:
        assert other.get(f"{ADMIN}/scan").json()["state"] == "running"
        for each in (client, other):
            assert each.post(f"{ADMIN}/scan", json={}).status_code == 409
        os.close(held)
        assert other.get(f"{ADMIN}/scan").json()["state"] == "none"
        scanned(other)
        assert client.get(f"{ADMIN}/scan").json()["by"] == "local"


def test_a_scan_that_is_killed_shows_as_failed_and_blocks_nothing(served: Served, client: httpx2.Client) -> None:
    service: Service = served.app.state.service
    assert service.scans.begin(Wanted(), "tester")
    assert service.scans.process is not None
    service.scans.process.kill()
    until(lambda: client.get(f"{ADMIN}/scan").json()["state"] == "failed")
    assert scanned(client)["error"] is None


def test_a_scan_says_what_is_wrong_with_its_window(client: httpx2.Client) -> None:
    assert client.post(f"{ADMIN}/scan", json={"since": "yesterday"}).status_code == 400
    assert client.post(f"{ADMIN}/scan", json={"days": 0}).status_code == 422
    late = {"since": "2026-03-02T00:00:00Z", "until": "2026-03-01T00:00:00Z"}
    assert client.post(f"{ADMIN}/scan", json=late).status_code == 202
    until(lambda: client.get(f"{ADMIN}/scan").json()["state"] != "running")
    assert "before it" in client.get(f"{ADMIN}/scan").json()["error"]


def test_idle_sessions_are_archived_and_the_day_is_closed(bench: Workbench, served: Served, client: httpx2.Client) -> None:
    service: Service = served.app.state.service
    idle, live = NOW - timedelta(hours=1), NOW
    client.post("/archive/turns", json=[turn(1, idle, session_id="idle"), turn(2, live, session_id="live")])
    service.automatic.sweep_once()
    sessions = bench.path / "tmp/memoryforge/conversation_archive/sessions"
    assert [path.stem for path in sessions.rglob("*.json")] == ["idle"]
    assert client.get("/health").json()["automatic"]["sweep"] | {"last": ""} == {
        "last": "", "sessions": 1, "turns": 0, "going_on": 1, "problems": 0, "error": None,
    }  # fmt: skip
    service.automatic.closed = day_end(datetime(2026, 11, 30, 23, 58, tzinfo=UTC))
    service.automatic.clock = lambda: datetime(2026, 12, 1, 0, 0, 5, tzinfo=UTC)  # a sweep before it took its time
    service.automatic.sweep_once()
    assert {path.stem for path in sessions.rglob("*.json")} == {"idle", "live"}


def test_it_scans_by_itself_only_where_that_is_wanted(bench: Workbench) -> None:
    bench.mfgit("archive", "append", stdin=json.dumps(asked(1, "How do I pair the scanner?", rating="down")) + "\n")
    with Process(bench) as plain:
        health = httpx2.get(f"{plain.url}/health").json()["automatic"]["auto_scan"]
        assert health["enabled"] is False
        assert (health["last"], health["state"], health["proposals"]) == (None, "none", None)
        assert plain.end() == 0
    with Process(bench, MEMORYFORGE_AUTO_SCAN_ENABLED="true") as running:
        status = f"{running.url}{ADMIN}/scan"
        until(lambda: httpx2.get(status).json()["state"] == "done", 60)
        assert httpx2.get(status).json()["by"] == "automatic"
        health = httpx2.get(f"{running.url}/health").json()["automatic"]["auto_scan"]
        assert health["enabled"]
        assert (health["state"], health["by"], health["proposals"], health["failure"]) == (
            "done",
            "automatic",
            {"new": 1},
            None,
        )
        assert health["last"] <= health["finished"] < health["next"]
        found = httpx2.get(f"{running.url}{ADMIN}/proposals").json()["proposals"]
        assert [each["status"] for each in found] == ["open"]
        assert running.end() == 0
    assert "automatic scan: started" in running.log.read_text()


# ---- life and load


def test_nothing_acknowledged_is_lost_by_a_kill_under_load(bench: Workbench) -> None:
    chat = bench.path / CHAT
    acknowledged: set[str] = set()
    rated: set[str] = set()
    with Process(bench) as running:

        def write(worker: int) -> None:
            with httpx2.Client(base_url=running.url) as client:
                for number in range(10_000):
                    name = f"{worker}-{number}"
                    try:
                        answer = client.post("/archive/turns", json=[turn(name), turn(f"{name}b")])
                        ids_of = [each["assistant_message_id"] for each in answer.json()["acknowledged"]]
                        acknowledged.update(each["request_id"] for each in answer.json()["acknowledged"])
                        verdict = client.post("/archive/ratings", json={"assistant_message_id": ids_of[0], "rating": "down"})
                    except httpx2.TransportError:
                        return
                    rated.add(verdict.json()["assistant_message_id"])

        threads = [threading.Thread(target=write, args=(worker,)) for worker in range(4)]
        for thread in threads:
            thread.start()
        until(lambda: len(acknowledged) > 100 and len(rated) > 50)
        running.process.send_signal(signal.SIGKILL)
        for thread in threads:
            thread.join()
    with Process(bench) as running:
        assert httpx2.post(f"{running.url}/archive/turns", json=turn("last")).status_code == 200
    held = ids(chat)
    assert acknowledged <= set(held)
    assert max(held.values()) == 1
    events = [json.loads(line) for path in chat.glob("*.jsonl") for line in path.read_bytes().splitlines()]
    assert rated <= {each["assistant_message_id"] for each in events if each.get("event") == "rating"}


def test_a_signal_ends_it_within_seconds_and_a_scan_with_it(bench: Workbench) -> None:
    bench.mfgit(
        "archive", "append", stdin="".join(json.dumps(asked(n, f"Question {n} about {n * 7}?")) + "\n" for n in range(300))
    )
    with Process(bench) as running:
        assert httpx2.post(f"{running.url}{ADMIN}/scan", json={}).status_code == 202
        began = time.monotonic()
        assert running.end() == 0
        assert time.monotonic() - began < 15
    assert not [path for path in (bench.path / ".git").rglob("*.lock") if "mfgit" not in path.parts]
    assert bench.git("status", "--porcelain") == ""
    assert bench.mfgit("scan", "--dry-run").code == 0


def test_fifty_readers_and_five_writers_get_their_answers(bench: Workbench, served: Served) -> None:
    def read(number: int) -> int:
        with served.client() as client:
            paths = ("/search?q=reset+password", "/context?q=修改发票抬头", "/archive/search?q=发票", f"{ADMIN}/stats")
            return sum(client.get(paths[(number + turn_of) % 4]).status_code == 200 for turn_of in range(4))

    def write(number: int) -> int:
        with served.client() as client:
            return sum(client.post("/archive/turns", json=turn(f"{number}-{each}")).status_code == 200 for each in range(10))

    with ThreadPoolExecutor(55) as pool:
        writing = [pool.submit(write, number) for number in range(5)]
        reading = [pool.submit(read, number) for number in range(50)]
        assert [each.result() for each in writing] == [10] * 5
        assert [each.result() for each in reading] == [4] * 50
    assert len(ids(bench.path / CHAT)) == 50


# ---- the document, and what is not foreseen


def test_the_openapi_document_says_what_is_there(client: httpx2.Client) -> None:
    document = client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert "user_message" in json.dumps(document["paths"]["/archive/turns"]["post"]["requestBody"])
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], path
            assert operation["responses"]["default"]["content"].keys() == {"application/problem+json"}, (path, method)
            assert "422" not in operation["responses"]
    refused = client.put("/session")
    assert (refused.status_code, refused.headers["allow"]) == (405, "DELETE, GET, HEAD, POST")
    assert client.get("/docs").status_code == client.get("/redoc").status_code == 404


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("/search?q=x&n=1", "There are q, ref, with, limit, only, root, history."),
        ("/search?q=x&limits=1", "Did you mean limit?"),
        ("/search?query=x", "There are q, "),
        ("/context?q=x&token=300", "Did you mean tokens?"),
        ("/archive/search?q=x&Limit=1", "Did you mean limit?"),
        ("/archive/sessions/s1?budgets=9", "Did you mean budget?"),
        (f"{ADMIN}/proposals?states=open", "Did you mean status?"),
        ("/health?full=1", "This address takes none."),
    ],
)
def test_a_parameter_that_is_not_known_is_named(client: httpx2.Client, address: str, hint: str) -> None:
    """Passed over, it would give an answer to another question."""
    answer = client.get(address)
    assert answer.status_code == 422
    assert hint in answer.json()["hint"]
    assert "not known here" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("/search?q=refund&q=invoice", 422),
        ("/search?q=refund&limit=1&limit=2", 422),
        ("/search?q=refund&ref=HEAD&ref=HEAD", 422),
        ("/search?q=refund&history=a&history=b", 200),
    ],
)
def test_a_parameter_that_is_taken_once_comes_once(client: httpx2.Client, address: str, code: int) -> None:
    answer = client.get(address)
    assert answer.status_code == code
    assert code == 200 or "2 times" in answer.json()["detail"]


@pytest.mark.parametrize("address", ["/memoryforge", "/search?q=backups", "/health", "/nowhere"])
def test_head_is_answered_as_get_without_the_body(client: httpx2.Client, address: str) -> None:
    whole, head = client.get(address), client.head(address)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]


def test_a_bug_is_one_sentence_and_its_words_are_not_told(
    served: Served, client: httpx2.Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the secret words")

    monkeypatch.setattr(served.app.state.service.living, "search", broken)
    with caplog.at_level("INFO"):
        answer = client.get("/search?q=x")
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert "bug in mfgit" in answer.json()["detail"]
    assert "secret words" not in answer.text + caplog.text
    assert "bug: RuntimeError at" in caplog.text


def test_without_a_repository_or_a_free_port_it_says_so(tmp_path: Path, bench: Workbench, served: Served) -> None:
    (tmp_path / "empty").mkdir()
    ran = bench.mfgit("-C", str(tmp_path / "empty"), "serve")
    assert (ran.code, "not in a Git repository" in ran.err) == (2, True)
    ran = bench.mfgit("serve", "--port", str(served.port))
    assert (ran.code, "could not listen" in ran.err) == (2, True)


BODIES = [b"[" * 200_000, b"{" * 9, b'{"a": ' * 50_000, b"\xff\xfe", b"1" * 10_000, b'"\\ud800"']


@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body[:8]))
def test_no_body_is_a_bug(client: httpx2.Client, body: bytes) -> None:
    for path in ("/archive/ratings", f"{ADMIN}/scan", f"{ADMIN}/proposals/abcdef/reject", "/session", "/archive/turns"):
        answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422), path
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("hour", "minute", "wanted"),
    [(0, 0, "2026-11-29"), (23, 58, "2026-11-29"), (23, 59, "2026-11-30")],
)
def test_a_day_ends_a_minute_before_midnight(hour: int, minute: int, wanted: str) -> None:
    assert day_end(datetime(2026, 11, 30, hour, minute, tzinfo=UTC)).isoformat() == f"{wanted}T23:59:00+00:00"


def test_health_fails_where_the_target_is_gone(bench: Workbench, client: httpx2.Client) -> None:
    bench.write({"mfgit.toml": 'target = "nowhere"\n'})
    answer = client.get("/health")
    assert answer.status_code == 503
    assert "nowhere" in answer.json()["detail"]
