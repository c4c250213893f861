"""Sessions are archived by themselves: by an agent's hook, after idle minutes, and at the end of the day."""

import json
import os
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mfgit.archive.pending import Pending
from mfgit.archive.sessions import SessionStore
from mfgit.project import Project, retaining, sweeping
from mfgit.session import Session
from tests.archives import CHAT, event, feed, ids, line, turn
from tests.builders import Workbench

SESSIONS = "tmp/memoryforge/conversation_archive"


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put the local clock at noon, so that no test comes upon the end of a day."""
    monkeypatch.setenv("TZ", f"X{datetime.now(UTC).hour - 12}")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def claude_code(path: Path, *said: str, name: str = "c0ffee00-0000-4000-8000-000000000001") -> Path:
    """Write a transcript of Claude Code: questions and replies in turn."""
    rows = []
    for n, text in enumerate(said):
        role = ("user", "assistant")[n % 2]
        content: Any = text if role == "user" else [{"type": "text", "text": text}]
        rows.append(
            {
                "type": role,
                "uuid": f"u{n}",
                "parentUuid": f"u{n - 1}" if n else None,
                "isSidechain": False,
                "sessionId": name,
                "timestamp": f"2026-11-29T10:{n:02}:00Z",
                "message": {"role": role, "content": content},
            }
        )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def openclaw(path: Path, *said: str) -> Path:
    """Write a transcript of OpenClaw."""
    head = {"type": "session", "version": 3, "id": "claw-7", "timestamp": "2026-11-29T10:00:00Z", "cwd": "/srv"}
    rows: list[dict[str, Any]] = [head]
    for n, text in enumerate(said):
        message = {"role": ("user", "assistant")[n % 2], "content": [{"type": "text", "text": text}]}
        parent = f"e{n - 1}" if n else None
        when = f"2026-11-29T10:{n:02}:30Z"
        rows.append({"type": "message", "id": f"e{n}", "parentId": parent, "timestamp": when, "message": message})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def aged(path: Path, minutes: float) -> Path:
    then = time.time() - 60 * minutes
    os.utime(path, (then, then))
    return path


def sessions(bench: Workbench) -> dict[str, Session]:
    return {each.session_id: each for each in SessionStore(bench.path / SESSIONS).all()}


def test_a_hook_of_claude_code_archives_its_transcript(bench: Workbench, tmp_path: Path) -> None:
    path = claude_code(tmp_path / "t.jsonl", "How do I build?", "Run make.")
    given = {"session_id": "x", "transcript_path": str(path), "hook_event_name": "PreCompact", "trigger": "auto"}
    ran = bench.mfgit("archive", "hook", stdin=json.dumps(given))
    assert (ran.code, ran.out) == (0, ""), ran.err
    assert "1 new turn" in ran.err
    assert ids(bench.path / CHAT).total() == 1
    assert bench.mfgit("archive", "hook", stdin=json.dumps(given)).code == 0
    assert ids(bench.path / CHAT).total() == 1


def test_a_hook_of_openclaw_may_name_it_in_its_context(bench: Workbench, tmp_path: Path) -> None:
    path = openclaw(tmp_path / "claw.jsonl", "How do I build?", "Run make.")
    given = {"type": "command:new", "context": {"sessionFile": str(path)}}
    ran = bench.mfgit("archive", "hook", "--json", stdin=json.dumps(given))
    assert ran.json()["turns"] == 1
    assert bench.mfgit("archive", "hook", str(path), "--json").json()["already_known"] == 1


def test_a_hook_of_openclaw_may_name_the_session_only(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state/agents/main/sessions"
    folder.mkdir(parents=True)
    openclaw(folder / "claw-7.jsonl", "How do I build?", "Run make.")
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / "state"))
    given = {"type": "session:compact:before", "sessionKey": "agent:main:main", "context": {"sessionId": "claw-7"}}
    assert bench.mfgit("archive", "hook", "--json", stdin=json.dumps(given)).json()["sessions"] == ["claw-7"]
    given["context"] = {"sessionId": "../../main/sessions/claw-7"}
    assert bench.mfgit("archive", "hook", stdin=json.dumps(given)).code == 1


@pytest.mark.parametrize(
    "given", ["", "{", '{"hook_event_name": "Stop"}', '{"transcript_path": "/nowhere/t.jsonl"}', r'{"path": "/x\u0000"}']
)
def test_a_hook_never_ends_in_what_an_agent_takes_as_a_veto(bench: Workbench, given: str) -> None:
    ran = bench.mfgit("archive", "hook", stdin=given)
    assert ran.code == 1
    assert ran.err.startswith("mfgit: ")


def test_a_sweep_takes_transcripts_that_have_been_idle(bench: Workbench, tmp_path: Path) -> None:
    path = claude_code(tmp_path / "t.jsonl", "one?", "two")
    bench.mfgit("archive", "hook", str(path))
    claude_code(path, "one?", "two", "three?", "four")
    assert bench.mfgit("archive", "sweep", "--json").json()["going_on"] == 1
    assert ids(bench.path / CHAT).total() == 1
    aged(path, 31)
    assert bench.mfgit("archive", "sweep", "--json").json()["turns"] == 1
    assert bench.mfgit("archive", "sweep", "--json").json() == {
        "sessions": [],
        "turns": 0,
        "going_on": 0,
        "problems": [],
        "too_old": 0,
        "proposals": {},
    }


def test_at_the_end_of_the_day_all_that_is_open_is_taken(bench: Workbench, tmp_path: Path) -> None:
    path = claude_code(tmp_path / "t.jsonl", "one?", "two")
    bench.mfgit("archive", "append", stdin=feed(turn(1, datetime.now(UTC), session_id="live")))
    assert bench.mfgit("archive", "sweep", str(path)).out == "0 sessions archived, 0 new turns; 2 still going on\n"
    assert bench.mfgit("archive", "sweep", "--now", str(path)).out == "2 sessions archived, 1 new turns; 0 still going on\n"
    assert bench.mfgit("archive", "sweep", "--now", str(path)).out == "0 sessions archived, 0 new turns; 0 still going on\n"
    assert set(sessions(bench)) == {"live", "c0ffee00-0000-4000-8000-000000000001"}


def test_settings_name_transcripts_by_pattern_and_folder(bench: Workbench, tmp_path: Path) -> None:
    folder = tmp_path / "agents" / "main"
    folder.mkdir(parents=True)
    aged(claude_code(folder / "a.jsonl", "one?", "two", name="aaaa"), 60)
    aged(openclaw(tmp_path / "b.jsonl", "one?", "two"), 60)
    (tmp_path / "c.jsonl").write_text("no transcript\n")
    aged(tmp_path / "c.jsonl", 60)
    with (bench.path / "mfgit.toml").open("a") as file:
        patterns = json.dumps([str(tmp_path / "agents"), str(tmp_path / "[bc].jsonl")])
        file.write(f"[archive]\ntranscripts = {patterns}\n")
    ran = bench.mfgit("archive", "sweep", "--json")
    assert ran.json()["turns"] == 2
    assert sorted(sessions(bench)) == ["aaaa", "claw-7"]
    assert "c.jsonl" in ran.json()["problems"][0]


def test_appended_turns_become_a_session_after_half_an_hour(bench: Workbench) -> None:
    now = datetime.now(UTC)
    first = turn(1, now - timedelta(minutes=50), session_id="web", user_id="u7", help_mode=True, user_message="what is a lien?")
    fresh = turn(2, now - timedelta(minutes=5), session_id="busy")
    bench.mfgit("archive", "append", stdin=feed(first, fresh))
    assert bench.mfgit("archive", "sweep", "--json").json()["sessions"] == ["web"]
    kept = sessions(bench)["web"]
    assert [message.role for message in kept.messages] == ["user", "assistant"]
    assert kept.extra == {"user_id": "u7", "help_mode": True}
    assert ids(bench.path / CHAT).total() == 2
    again = turn(3, now - timedelta(minutes=40), session_id="web", user_message="and a tort?")
    bench.mfgit("archive", "append", stdin=feed(again))
    assert bench.mfgit("archive", "sweep", "--json").json()["sessions"] == ["web"]
    assert len(sessions(bench)["web"].messages) == 4


def test_a_session_that_was_added_whole_is_not_doubled_by_its_turns(bench: Workbench) -> None:
    now = datetime.now(UTC) - timedelta(hours=1)
    said = [{"role": role, "content": role, "time": now.isoformat()} for role in ("user", "assistant")]
    alone = turn(1, now, session_id="web", user_message="user", assistant_message="assistant")
    bench.mfgit("archive", "append", stdin=feed(alone))
    bench.mfgit("archive", "session", "add", stdin=json.dumps({"sessionId": "web", "messages": said}))
    bench.mfgit("archive", "sweep")
    assert len(sessions(bench)["web"].messages) == 2
    assert ids(bench.path / CHAT).total() == 1


def test_ratings_go_into_the_session(bench: Workbench) -> None:
    now = datetime.now(UTC) - timedelta(hours=1)
    bench.mfgit("archive", "append", stdin=feed(turn(1, now, session_id="web")))
    with next((bench.path / CHAT).glob("*.jsonl")).open("ab") as file:
        file.write(line(event(1, "down")))
    bench.mfgit("archive", "sweep")
    assert sessions(bench)["web"].messages[1].rating == "down"


def test_a_transcript_that_is_gone_is_no_longer_looked_for(bench: Workbench, tmp_path: Path) -> None:
    path = claude_code(tmp_path / "t.jsonl", "one?", "two")
    bench.mfgit("archive", "hook", str(path))
    path.unlink()
    assert bench.mfgit("archive", "sweep").code == 0
    assert json.loads((bench.path / SESSIONS / "transcripts.json").read_text()) == {"transcripts": {}}


def swept(bench: Workbench, now: datetime, **more: Any) -> sweeping.Swept:
    return sweeping.sweep(Project.open(bench.path), now=now, **more)


def put(bench: Workbench, *turns: dict[str, Any]) -> None:
    assert bench.mfgit("archive", "append", stdin=feed(*turns)).code == 0


def test_a_session_of_any_day_that_is_kept_whole_is_archived(bench: Workbench) -> None:
    now = datetime.now(UTC)
    for name, days in (("young", 1), ("older", 6)):
        put(bench, turn(name, now - timedelta(days=days), session_id=name))
    old = turn("old", now - timedelta(days=12), session_id="old")
    path = bench.path / CHAT / f"{(now - timedelta(days=12)).date()}.jsonl"
    path.write_bytes(line(old))  # another program's: mfgit would have noted when it came in
    done = swept(bench, now)
    assert (set(done.sessions), done.too_old) == ({"young", "older"}, 1)
    assert swept(bench, now) == sweeping.Swept((), 0, 0, ())


def test_what_came_in_late_counts_from_when_it_came(bench: Workbench) -> None:
    now = datetime.now(UTC)
    put(bench, turn(1, now - timedelta(days=40), session_id="late"))
    assert swept(bench, now).sessions == ("late",)


@pytest.mark.parametrize(("clock", "taken"), [("23:58", ()), ("23:59", ("live",))])
def test_what_was_open_at_the_end_of_the_day_is_taken_by_the_next_run(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch, clock: str, taken: tuple[str, ...]
) -> None:
    monkeypatch.setenv("TZ", "CST-8")
    time.tzset()
    last = datetime.fromisoformat("2026-11-30T23:57:00+08:00")
    put(bench, turn(1, last, session_id="live"))
    assert swept(bench, datetime.fromisoformat(f"2026-11-30T{clock}:30+08:00")).sessions == taken
    assert swept(bench, datetime.fromisoformat("2026-12-01T00:03:00+08:00")).sessions == (() if taken else ("live",))


def test_a_second_sweep_reads_only_what_was_appended(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime.now(UTC)
    put(bench, *(turn(n, now - timedelta(hours=2), session_id=f"s{n}") for n in range(5)))
    assert len(swept(bench, now).sessions) == 5
    read: list[str] = []
    taken = Pending.take

    def noting(self: Pending, day: str, value: Mapping[str, Any]) -> set[str]:
        read.append(value["request_id"])
        return taken(self, day, value)

    monkeypatch.setattr(Pending, "take", noting)
    assert swept(bench, now).sessions == ()
    assert read == []
    put(bench, turn(9, now - timedelta(hours=1), session_id="s3"))
    assert swept(bench, now).sessions == ("s3",)
    assert read == ["r9"]
    assert len(sessions(bench)["s3"].messages) == 4


def test_a_rating_that_comes_after_the_session_was_archived_goes_into_it(bench: Workbench) -> None:
    now = datetime.now(UTC)
    put(bench, turn(1, now - timedelta(hours=3), session_id="web"))
    swept(bench, now)
    with next((bench.path / CHAT).glob("*.jsonl")).open("ab") as file:
        file.write(line({**event(1, "down"), "rated_at": (now - timedelta(hours=1)).isoformat()}))
    assert swept(bench, now).sessions == ("web",)
    assert sessions(bench)["web"].messages[1].rating == "down"


def test_a_line_without_its_newline_and_a_wrong_clock_hold_nothing_back(bench: Workbench) -> None:
    now = datetime.now(UTC)
    (bench.path / CHAT).mkdir(parents=True)
    path = bench.path / CHAT / f"{now.date()}.jsonl"
    path.write_bytes(line(turn(1, now + timedelta(days=400), session_id="ahead")).rstrip())
    assert swept(bench, now).going_on == 1
    assert swept(bench, now + timedelta(minutes=31)).sessions == ("ahead",)


@pytest.mark.parametrize("content", ["", "[1", '{"version": 1}', '{"version": 1, "files": {"a": 1}, "waiting": {}}'])
def test_a_state_that_cannot_be_read_costs_reading_only(bench: Workbench, content: str) -> None:
    now = datetime.now(UTC)
    put(bench, turn(1, now - timedelta(hours=1), session_id="web"))
    swept(bench, now)
    before = (bench.path / SESSIONS / "index.json").read_bytes()
    (bench.path / SESSIONS / "sweep.json").write_text(content)
    assert swept(bench, now) == sweeping.Swept((), 0, 0, ())
    assert (bench.path / SESSIONS / "index.json").read_bytes() == before


def test_a_damaged_session_file_holds_back_its_own_turns_only(bench: Workbench) -> None:
    now = datetime.now(UTC)
    put(bench, turn(1, now - timedelta(hours=3), session_id="bad"), turn(2, now - timedelta(hours=3), session_id="good"))
    swept(bench, now)
    path = SessionStore(bench.path / SESSIONS).path_of("bad")
    assert path is not None
    whole = path.read_bytes()
    path.write_text('{"sesame": ')
    put(bench, turn(3, now - timedelta(hours=2), session_id="bad"), turn(4, now - timedelta(hours=2), session_id="good"))
    done = swept(bench, now)
    assert (done.sessions, len(done.problems)) == (("good",), 1)
    assert "bad.json" in done.problems[0]
    assert "sesame" not in done.problems[0]
    path.write_bytes(whole)
    assert swept(bench, now).sessions == ("bad",)
    assert len(sessions(bench)["bad"].messages) == 4


def test_what_a_killed_sweep_left_is_cleaned_up_by_the_next(bench: Workbench) -> None:
    now = datetime.now(UTC)
    put(bench, turn(1, now - timedelta(hours=3), session_id="web"))
    swept(bench, now)
    folder = bench.path / SESSIONS
    (folder / "index.json").write_text('{"version": 1, "sessions": [\n\n]}\n')
    (folder / ".index.stale.99999999").touch()
    swept(bench, now)
    assert not list(folder.glob(".index.stale.*"))
    assert "web" in (folder / "index.json").read_text()


def test_turns_of_a_session_that_was_cleared_are_not_taken_twice(bench: Workbench) -> None:
    now = datetime.now(UTC)
    put(bench, turn(1, now - timedelta(hours=3), session_id="web"))
    swept(bench, now)
    retaining.hold(Project.open(bench.path), "request", "r1", "")
    later = now + timedelta(days=9)
    retaining.retain(Project.open(bench.path), now=later)
    assert (sessions(bench)["web"].messages, sessions(bench)["web"].state) == ((), "summary")
    path = bench.path / CHAT / f"{later.date()}.jsonl"
    path.write_bytes(line(turn(2, later - timedelta(hours=1), session_id="web")))
    assert swept(bench, later).sessions == ("web",)
    kept = sessions(bench)["web"]
    assert [message.id for message in kept.messages] == ["r2", "m2"]
    assert kept.message_count == 4


def test_a_session_id_that_is_redacted_is_archived_under_its_safe_one(bench: Workbench) -> None:
    now = datetime.now(UTC)
    (bench.path / CHAT).mkdir(parents=True)
    said = turn(1, now - timedelta(hours=2), session_id="ann@example.com")
    path = bench.path / CHAT / f"{said['timestamp'][:10]}.jsonl"
    path.write_bytes(line(said))  # another program's
    done = swept(bench, now)
    assert len(done.sessions) == 1
    assert "ann" not in done.sessions[0]
    assert swept(bench, now) == sweeping.Swept((), 0, 0, ())
    assert not [each for each in (bench.path / SESSIONS).rglob("*.json*") if b"ann@" in each.read_bytes()]


@pytest.mark.parametrize("given", ["/nowhere/talk.jsonl", "/nowhere/*.jsonl"], ids=["file", "pattern"])
def test_a_transcript_that_is_named_and_not_there_is_bad_input(bench: Workbench, given: str) -> None:
    ran = bench.mfgit("archive", "sweep", given)
    assert (ran.code, f"There is no transcript {given!r}" in ran.err) == (2, True)


def test_a_given_file_that_is_no_transcript_is_the_answer_no(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of a session")
    ran = bench.mfgit("archive", "sweep", "--now", str(tmp_path / "notes.txt"))
    assert (ran.code, "notes.txt" in ran.err) == (1, True)


@pytest.mark.parametrize("content", ["", " ", None], ids=["no messages", "blank", "null"])
def test_a_session_without_any_text_is_said_to_be_none(bench: Workbench, content: str | None) -> None:
    messages = [] if content == "" else [{"role": "user", "content": content}]
    ran = bench.mfgit("archive", "session", "add", stdin=json.dumps({"sessionId": "x2", "messages": messages}))
    assert (ran.code, "known already" in ran.out) == (2, False)
    assert "x2" in ran.err or "content" in ran.err
