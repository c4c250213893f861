"""Retention lets go of what the policy says, and of nothing else, whatever happens meanwhile."""

import contextlib
import gzip
import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from mfgit.archive import policy, retention, rewriting
from mfgit.archive.appending import append_values
from mfgit.archive.policy import Holds, Policy, Terms
from mfgit.archive.reading import check
from mfgit.archive.retention import Outcome, retain
from mfgit.archive.rewriting import InUse, Leased, leased, recover, replace_day
from mfgit.archive.sessions import SessionStore
from mfgit.archive.store import Store
from mfgit.project import Project, retaining
from mfgit.project.archiving_sessions import store
from mfgit.session import Conversation, Message, Session
from tests.archives import CHAT, NOW, event, everything, feed, line, put, stored, turn
from tests.builders import Workbench

SESSIONS = "tmp/memoryforge/conversation_archive"
TERMS = Terms(7, 30)


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def day(days: float) -> str:
    return ago(days).date().isoformat()


def rules(**more: Any) -> Policy:
    return Policy(**{"help": TERMS, "workspace": TERMS, "holds": Holds(), "now": NOW, **more})


def run(folder: Path, dry: bool = False, **more: Any) -> Outcome:
    sessions = SessionStore(folder / "sessions")
    if dry:
        return retain(None, folder, sessions, rules(**more))
    with Store(folder) as chat:
        return retain(chat, folder, sessions, rules(**more))


def packed(folder: Path, days: float) -> list[dict[str, Any]]:
    data = gzip.decompress((folder / f"{day(days)}.jsonl.gz").read_bytes())
    return [json.loads(each) for each in data.splitlines()]


def old(key: object, days: float, **more: Any) -> dict[str, Any]:
    return turn(key, ago(days), date=day(days), user_id="u1", topic="invoices", rating="down", rating_note="too long", **more)


def test_turns_lose_the_reply_and_then_the_question(tmp_path: Path) -> None:
    for days in (6, 9, 40):
        put(tmp_path, line(old(days, days)), day=day(days))
    outcome = run(tmp_path)
    assert [(change.summary, change.trace) for change in outcome.changes] == [(0, 1), (1, 0)]
    young, middle = sorted(stored(tmp_path), key=lambda value: value["request_id"])
    assert young == old(6, 6)
    assert middle["user_message"] == old(9, 9)["user_message"]
    assert {"assistant_message", "rating_note", "extra"}.isdisjoint(middle)
    assert (middle["rating"], middle["topic"], middle["user_id"]) == ("down", "invoices", "u1")
    (oldest,) = packed(tmp_path, 40)
    assert (oldest["request_id"], oldest["rating"], oldest["topic"]) == ("r40", "down", "invoices")
    assert "user_message" not in oldest
    assert not (tmp_path / f"{day(40)}.jsonl").exists()


def test_a_dry_run_says_the_same_and_writes_nothing(tmp_path: Path) -> None:
    put(tmp_path, line(old(1, 40)), line(old(2, 40)), day=day(40))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*")}
    wanted = run(tmp_path, dry=True)
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*")}
    assert wanted == run(tmp_path)


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    for days in (9, 40):
        put(tmp_path, line(old(days, days)), line(event(days, "up")), day=day(days))
    run(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.glob("*.jsonl*")}
    assert run(tmp_path).changes == []
    assert before == {path: path.read_bytes() for path in tmp_path.glob("*.jsonl*")}


def test_a_summary_becomes_a_trace_in_time(tmp_path: Path) -> None:
    put(tmp_path, line(old(1, 9)), day=day(9))
    run(tmp_path)
    run(tmp_path, now=NOW + timedelta(days=30))
    assert packed(tmp_path, 9)[0]["retained"] == "trace"


def test_ratings_are_folded_for_good(tmp_path: Path) -> None:
    put(tmp_path, line(old(1, 9)), line(event(1, "up", rating_reasons=["clear"])), line(event("elsewhere", 1)), day=day(9))
    run(tmp_path)
    reduced, left = stored(tmp_path)
    assert (reduced["rating"], reduced["rating_reasons"]) == ("up", ["clear"])
    assert left["assistant_message_id"] == "melsewhere"


def test_a_rating_that_comes_after_the_reply_went_is_folded_by_the_next_run(tmp_path: Path) -> None:
    put(tmp_path, line(old(1, 9)), day=day(9))
    run(tmp_path)
    with (tmp_path / f"{day(9)}.jsonl").open("ab") as file:
        file.write(line(event(1, 5)))
    run(tmp_path)
    assert [value["rating"] for value in stored(tmp_path)] == [5]


@pytest.mark.parametrize("field", ["imported_at", "archived_at"])
def test_what_was_imported_counts_from_its_import(tmp_path: Path, field: str) -> None:
    put(tmp_path, line(old(1, 400, **{field: ago(2).isoformat()})), line(old(2, 400)), day=day(400))
    run(tmp_path)
    assert [value["request_id"] for value in stored(tmp_path)] == ["r1"]
    assert stored(tmp_path)[0]["assistant_message"] == "answer 1"


def test_old_turns_that_are_appended_today_are_kept_for_a_week(tmp_path: Path) -> None:
    with Store(tmp_path) as chat:
        append_values(chat, [turn(1, datetime.now(UTC) - timedelta(days=100))])
    assert run(tmp_path, now=datetime.now(UTC)).changes == []


@pytest.mark.parametrize(
    "holds",
    [
        Holds(users=frozenset(["u1"])),
        Holds(sessions=frozenset(["s1"])),
        Holds(requests=frozenset(["r1"])),
        Holds(pinned=frozenset(["r1"])),
    ],
)
def test_what_is_held_or_cited_stays_whole(tmp_path: Path, holds: Holds) -> None:
    put(tmp_path, line(old(1, 40)), line({**old(2, 40), "user_id": "u2", "session_id": "s2"}), day=day(40))
    run(tmp_path, holds=holds)
    assert stored(tmp_path) == [old(1, 40)]
    assert [value["request_id"] for value in packed(tmp_path, 40)] == ["r2"]


def test_each_layer_has_its_own_terms(tmp_path: Path) -> None:
    put(tmp_path, line(old(1, 9, help_mode=True)), line(old(2, 9, workspace_id="w")), line(old(3, 9)), day=day(9))
    run(tmp_path, workspace=Terms(90, 365))
    assert [("assistant_message" in value) for value in stored(tmp_path)] == [False, True, True]


def test_lines_nobody_can_read_stay_as_they_are(tmp_path: Path) -> None:
    odd = [b"not json\n", b"\xff\xfe\n", line({"event": "other"}), b'{"half": '[:9]]
    put(tmp_path, line(old(1, 9)), *odd, day=day(9))
    assert run(tmp_path).changes[0].unreadable == 4
    assert (tmp_path / f"{day(9)}.jsonl").read_bytes().endswith(b"".join(odd))


def test_what_another_program_wrote_is_redacted_when_it_is_rewritten(tmp_path: Path) -> None:
    put(tmp_path, line(old(1, 9, user_message="mail me at ann@example.com")), day=day(9))
    run(tmp_path)
    assert stored(tmp_path)[0]["user_message"] == "mail me at [redacted:email]"


def test_a_turn_without_an_id_keeps_the_one_it_had(tmp_path: Path) -> None:
    put(tmp_path, line({name: given for name, given in old(1, 9).items() if name != "request_id"}), day=day(9))
    (before,) = everything(tmp_path).turns
    run(tmp_path)
    (after,) = everything(tmp_path).turns
    assert after.request_id == before.request_id


def test_a_compressed_day_takes_what_came_later(tmp_path: Path) -> None:
    put(tmp_path, line(old(1, 40)), day=day(40))
    run(tmp_path)
    put(tmp_path, line(old(1, 40)), line(old(2, 40)), day=day(40))
    run(tmp_path)
    assert [value["request_id"] for value in packed(tmp_path, 40)] == ["r1", "r2"]
    assert check(tmp_path).traces == 2


def test_a_turn_known_only_as_a_trace_is_not_stored_again(tmp_path: Path) -> None:
    put(tmp_path, line(old(1, 40)), day=day(40))
    run(tmp_path)
    with Store(tmp_path) as chat:
        append_values(chat, [old(1, 40), old(2, 40)])
    assert [value["request_id"] for value in stored(tmp_path)] == ["r2"]


def test_the_log_says_what_went(tmp_path: Path) -> None:
    put(tmp_path, line(old(1, 9)), day=day(9))
    run(tmp_path)
    (entry,) = [json.loads(each) for each in (tmp_path / retention.LOG).read_text().splitlines()]
    assert (entry["at"], entry["file"], entry["summary"]) == ("2026-11-30T12:00:00+00:00", f"{day(9)}.jsonl", 1)


# ---- interruptions and other programs


@pytest.mark.parametrize("step", range(8))
def test_a_run_that_fails_anywhere_is_finished_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        put(folder, *(line(old(n, 40)) for n in range(5)), line(event(1, "up")), day=day(40))
        put(folder, *(line(old(n, 9)) for n in range(5, 9)), day=day(9))
    run(whole)
    calls = 0

    def failing(real: Any) -> Any:
        def call(*args: Any, **more: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls > step:
                raise KeyboardInterrupt
            return real(*args, **more)

        return call

    with monkeypatch.context() as patch:
        for module in (rewriting, retention):
            patch.setattr(module, "sync_folder", failing(module.sync_folder))
        patch.setattr(os, "link", failing(os.link))
        patch.setattr(Path, "replace", failing(Path.replace))
        with contextlib.suppress(KeyboardInterrupt):
            run(broken)
    run(broken)
    names = sorted(path.name for path in whole.iterdir() if path.name != retention.LOG)
    assert names == sorted(path.name for path in broken.iterdir() if path.name != retention.LOG)
    for name in names:
        if path_is_day(name):
            assert (whole / name).read_bytes() == (broken / name).read_bytes(), name


def path_is_day(name: str) -> bool:
    return name.endswith((".jsonl", ".gz"))


def test_a_file_that_is_being_written_is_left_for_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewriting, "WAIT", 0.05)
    path = put(tmp_path, line(old(1, 9)), day=day(9))
    before = path.read_bytes()
    with path.open("ab"):
        assert run(tmp_path).in_use == [path.name]
    assert path.read_bytes() == before
    assert run(tmp_path).in_use == []


def test_without_leases_a_file_has_to_have_been_quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(descriptor: int, kind: int) -> None:
        raise OSError(22, "no leases here")

    monkeypatch.setattr(rewriting, "lease", none)
    path = put(tmp_path, line(old(1, 9)), day=day(9))
    with pytest.raises(InUse):
        Leased(path)
    os.utime(path, (time.time() - 3600, time.time() - 3600))
    assert run(tmp_path).changes
    assert "assistant_message" not in stored(tmp_path)[0]


def test_a_line_that_arrives_in_the_replaced_file_is_carried_over(tmp_path: Path) -> None:
    path = put(tmp_path, line(old(1, 9)), day=day(9))
    descriptor = os.open(path, os.O_RDONLY)
    with Store(tmp_path) as chat, chat.locked():
        with leased(path) as held:
            replace_day(chat, day(9), held, lambda stream: stream.write(line(old(2, 9))))
        (second_name,) = tmp_path.glob("*.replaced")
        with second_name.open("ab") as late:
            late.write(line(old(3, 9)))
        recover(chat)
        recover(chat)
    os.close(descriptor)
    assert [value["request_id"] for value in stored(tmp_path)] == ["r2", "r3"]
    assert not list(tmp_path.glob("*.replaced"))


def test_what_is_written_while_a_file_is_copied_is_carried_over(tmp_path: Path) -> None:
    path = put(tmp_path, line(old(1, 9)), line(old(2, 9))[:-1], day=day(9))
    with Store(tmp_path) as chat, chat.locked(), leased(path) as held:
        held.let_go()  # as the kernel does for a writer that has waited too long
        with path.open("ab") as late:
            late.write(b"\n" + line(old(3, 9)))
        assert list(held.lines()) == [line(old(1, 9)), line(old(2, 9))[:-1]]

        def write(stream: BinaryIO) -> int:
            stream.writelines(line(json.loads(each)) for each in held.lines())
            return 2

        replace_day(chat, day(9), held, write)
        recover(chat)
    assert sorted(value["request_id"] for value in stored(tmp_path)) == ["r1", "r2", "r3"]


APPENDING = """
import sys
path = sys.argv[1]
for n in range(400):
    with open(path, "a") as file:
        file.write('{"timestamp": "%s", "request_id": "f%d", "user_message": "foreign %d"}\\n' % (sys.argv[2], n, n))
"""


def test_another_programs_lines_survive_many_runs(tmp_path: Path) -> None:
    path = put(tmp_path, *(line(old(n, 9)) for n in range(50)), day=day(9))
    other = subprocess.Popen([sys.executable, "-c", APPENDING, str(path), ago(9).isoformat()])
    while other.poll() is None:
        run(tmp_path)
    run(tmp_path)
    assert other.returncode == 0
    found = [value["request_id"] for value in stored(tmp_path)]
    assert sorted(found) == sorted([f"r{n}" for n in range(50)] + [f"f{n}" for n in range(400)])


# ---- sessions


def kept_session(bench: Workbench, name: str, days: float) -> Path:
    project = Project.open(bench.path)
    said = (Message("user", f"question {name}?", ago(days)), Message("assistant", "reply", ago(days)))
    store(project, [Conversation(name, "webchat", messages=said)], now=ago(days))
    path = SessionStore(bench.path / SESSIONS).path_of(name)
    assert path is not None
    return path


def test_sessions_lose_messages_and_are_then_compressed(bench: Workbench) -> None:
    for name, days in (("young", 3), ("middle", 12), ("oldest", 40)):
        kept_session(bench, name, days)
    retaining.retain(Project.open(bench.path), now=NOW)
    sessions = {each.session_id: each for each in SessionStore(bench.path / SESSIONS).all()}
    assert [len(sessions[name].messages) for name in ("young", "middle", "oldest")] == [2, 0, 0]
    assert [sessions[name].state for name in ("young", "middle", "oldest")] == ["whole", "summary", "trace"]
    assert all("question" in each.summary for each in sessions.values())
    names = {path.name for path in (bench.path / SESSIONS / "sessions").rglob("*.json*")}
    assert names == {"young.json", "middle.json", "oldest.json.gz"}
    entries = json.loads((bench.path / SESSIONS / "index.json").read_text())["sessions"]
    assert {entry["sessionId"]: entry["state"] for entry in entries}["oldest"] == "trace"


def test_messages_that_went_do_not_come_back_with_the_same_export(bench: Workbench) -> None:
    kept_session(bench, "s", 12)
    project = Project.open(bench.path)
    retaining.retain(project, now=NOW)
    said = (Message("user", "question s?", ago(12)), Message("assistant", "reply", ago(12)))
    assert store(project, [Conversation("s", "webchat", messages=said)], now=NOW).already_known == 1
    again = SessionStore(bench.path / SESSIONS).read("s")
    assert again is not None
    assert again.messages == ()
    longer = (*said, Message("user", "and now?", NOW))
    assert store(project, [Conversation("s", "webchat", messages=longer)], now=NOW).turns == 1
    again = SessionStore(bench.path / SESSIONS).read("s")
    assert again is not None
    assert [message.content for message in again.messages] == ["and now?"]
    assert again.message_count == 3


def test_a_session_that_another_program_wrote_counts_by_its_own_time(tmp_path: Path) -> None:
    sessions = SessionStore(tmp_path)
    month = tmp_path / "sessions/2026-11"
    month.mkdir(parents=True)
    value = {
        "sessionId": "foreign",
        "date": day(12),
        "messages": [{"role": "user", "content": "hi", "time": ago(12).isoformat()}],
        "summary": "write to ann@example.com",
        "archivedAt": ago(12).isoformat(),
    }
    (month / "foreign.json").write_text(json.dumps(value))
    retention.retain_sessions(sessions, tmp_path, rules(), Outcome(), lambda *_: None, dry=False)
    kept = sessions.read("foreign")
    assert kept is not None
    assert (kept.messages, kept.summary, kept.message_count) == ((), "write to [redacted:email]", 1)


# ---- settings, holds and proposals, by the command line


def test_evidence_of_an_open_proposal_is_pinned_until_it_is_decided(bench: Workbench) -> None:
    when = datetime.now(UTC).replace(hour=12) - timedelta(days=10)
    asked = "How do I print a label?"
    turns = [
        turn(n, when - timedelta(minutes=n), help_mode=True, session_id=f"s{n}", user_message=asked, rating="down")
        for n in range(4)
    ]
    put(bench.path / CHAT, *map(line, turns), day=when.date().isoformat())
    found = bench.mfgit("scan", "--json").json()["proposals"]
    assert len(found) == 1
    ran = bench.mfgit("archive", "retain", "--dry-run", "--json")
    assert (ran.code, ran.json()["summary"]) == (0, 0), ran.err
    bench.mfgit("reject", found[0]["id"], "--reason", "no")
    assert bench.mfgit("archive", "retain", "--json").json()["summary"] == 4


def test_holds_are_kept_by_command(bench: Workbench) -> None:
    put(bench.path / CHAT, line(old(1, 9)), day=day(9))
    assert "now on hold" in bench.mfgit("archive", "hold", "add", "user", "u1", "--reason", "case 7").out
    assert "already" in bench.mfgit("archive", "hold", "add", "user", "u1").out
    assert bench.mfgit("archive", "hold", "list", "--json").json()[0]["reason"] == "case 7"
    assert "case 7" in bench.mfgit("archive", "hold", "list").out
    assert retaining.retain(Project.open(bench.path), now=NOW).changes == []
    assert bench.mfgit("archive", "hold", "remove", "user", "u1").code == 0
    assert bench.mfgit("archive", "hold", "remove", "user", "u1").code == 1
    assert len(retaining.retain(Project.open(bench.path), now=NOW).changes) == 1


def test_a_hold_list_that_cannot_be_understood_stops_everything(bench: Workbench) -> None:
    put(bench.path / CHAT, line(old(1, 40)), day=day(40))
    (bench.path / SESSIONS).mkdir(parents=True)
    (bench.path / SESSIONS / "holds.json").write_text('{"holds": [{"kind": "usr", "id": "u1"}]}')
    ran = bench.mfgit("archive", "retain")
    assert ran.code == 2
    assert "entry 1" in ran.err
    assert (bench.path / CHAT / f"{day(40)}.jsonl").exists()


def test_terms_that_contradict_each_other_are_refused(bench: Workbench) -> None:
    with (bench.path / "mfgit.toml").open("a") as file:
        file.write("[retention]\nhelp_whole_days = 40\n")
    ran = bench.mfgit("archive", "retain")
    assert ran.code == 2
    assert "help_summary_days" in ran.err


def test_an_empty_archive_has_nothing_that_is_due(bench: Workbench) -> None:
    ran = bench.mfgit("archive", "retain")
    assert (ran.code, ran.out) == (0, "Nothing is due.\n")
    assert not (bench.path / "tmp").exists()


def test_a_turn_whose_times_cannot_be_read_is_kept() -> None:
    assert policy.readable({"timestamp": "soon"}, rules()) == "whole"
    assert policy.readable({}, rules()) == "whole"
    assert rules().of_session(Session("x", "2026-01-01"), ago(8)) == "summary"


def test_a_turn_of_the_last_year_there_is_is_kept(tmp_path: Path) -> None:
    last = turn("far", datetime(9999, 12, 31, 23, 59, tzinfo=UTC))
    path = put(tmp_path, line(last), day="9999-12-31")
    due = put(tmp_path, line({**old(1, 8), "request_id": "far-too", "timestamp": "9999-12-31T23:59:59-05:00"}), day=day(8))
    before = path.read_bytes(), due.read_bytes()
    for dry in (True, False):
        outcome = run(tmp_path, dry)
        assert (outcome.changes, outcome.problems) == ([], [])
    assert (path.read_bytes(), due.read_bytes()) == before


@pytest.mark.parametrize("name", ["2026-02-30", "2026-13-45", "0000-01-01"])
def test_a_file_named_by_no_day_of_the_calendar_is_passed_over(tmp_path: Path, name: str) -> None:
    path = put(tmp_path, line(old(1, 8)), day=name)
    other = path.with_name(f"{name}.jsonl.12.replaced")
    other.write_bytes(b"not ours")
    for dry in (True, False):
        outcome = run(tmp_path, dry)
        assert (outcome.changes, outcome.in_use, outcome.problems) == ([], [], [])
    assert path.read_bytes() == line(old(1, 8))
    assert other.exists()
    assert everything(tmp_path).turns == ()


def test_a_folder_named_like_a_day_file_is_left_alone_and_named(tmp_path: Path) -> None:
    name = f"{day(8)}.jsonl"
    (tmp_path / name).mkdir()
    for dry in (True, False):
        outcome = run(tmp_path, dry)
        assert (outcome.in_use, outcome.problems) == ([], [f"{name} is not a regular file and was left alone"])


def test_a_day_whose_compressed_file_is_damaged_is_left_alone_and_others_are_not(tmp_path: Path) -> None:
    path = put(tmp_path, line(old(1, 40)), day=day(40))
    put(tmp_path, line(old(2, 41)), day=day(41))
    damaged = path.with_name(f"{path.name}.gz")
    damaged.write_bytes(gzip.compress(os.urandom(5000))[:2000])
    outcome = run(tmp_path)
    assert [damaged.name in each for each in outcome.problems] == [True]
    assert [change.file for change in outcome.changes] == [f"{day(41)}.jsonl"]
    assert path.read_bytes() == line(old(1, 40))


# ---- what comes after messages were cleared


def cleared(bench: Workbench, *said: Message) -> Project:
    """Archive a conversation and let retention clear its messages."""
    project = Project.open(bench.path)
    store(project, [Conversation("s", "webchat", messages=said)], now=ago(12))
    retaining.retain(project, now=NOW)
    left = SessionStore(bench.path / SESSIONS).read("s")
    assert left is not None
    assert left.messages == ()
    return project


TIMED = (Message("user", "first?", ago(12)), Message("assistant", "yes", ago(12)))
UNTIMED = (Message("user", "first?"), Message("assistant", "yes"))
NAMED = (Message("user", "first?", id="q1"), Message("assistant", "yes", id="a1"))


@pytest.mark.parametrize(
    ("before", "part", "kept"),
    [
        (TIMED, (Message("user", "and now?", ago(1)),), ["and now?"]),
        (TIMED, (Message("user", "first?", ago(1)), Message("assistant", "no", ago(1))), ["first?", "no"]),
        (UNTIMED, (Message("user", "and now?"), Message("assistant", "no")), ["and now?", "no"]),
        (UNTIMED, (*UNTIMED, Message("user", "first?")), ["first?"]),
        (NAMED, (Message("user", "first?", id="q2"), Message("assistant", "yes", id="a2")), ["first?", "yes"]),
        (NAMED, NAMED, []),
        (TIMED, TIMED[1:], []),
        (UNTIMED, UNTIMED, []),
    ],
    ids=["a part", "asked again", "no times", "no times, again", "other ids", "same ids", "a known part", "a resend"],
)
def test_a_part_that_comes_after_messages_went_is_kept_and_a_resend_is_not(
    bench: Workbench, before: tuple[Message, ...], part: tuple[Message, ...], kept: list[str]
) -> None:
    project = cleared(bench, *before)
    for _ in range(2):
        store(project, [Conversation("s", "webchat", messages=part)], now=NOW)
        session = SessionStore(bench.path / SESSIONS).read("s")
        assert session is not None
        assert [message.content for message in session.messages] == kept
        assert session.message_count == len(before) + len(kept)
    retaining.retain(project, now=NOW + timedelta(days=9))
    store(project, [Conversation("s", "webchat", messages=part)], now=NOW + timedelta(days=10))
    session = SessionStore(bench.path / SESSIONS).read("s")
    assert session is not None
    assert session.messages == ()
    assert len(session.cleared) == session.message_count == len(before) + len(kept)


def test_what_follows_a_session_cleared_by_an_older_version_is_kept_by_its_time(bench: Workbench) -> None:
    project = cleared(bench, *TIMED)
    path = SessionStore(bench.path / SESSIONS).path_of("s")
    assert path is not None
    path.write_text(json.dumps({name: given for name, given in json.loads(path.read_text()).items() if name != "cleared"}))
    part = (Message("user", "and now?", ago(1)), Message("assistant", "no", ago(1)))
    store(project, [Conversation("s", "webchat", messages=part)], now=NOW)
    session = SessionStore(bench.path / SESSIONS).read("s")
    assert session is not None
    assert [message.content for message in session.messages] == ["and now?", "no"]


@pytest.mark.parametrize("secret", ["13912345678", "gh" + "p_q7Xw2Lp9Zr4Tb8Nk3Vd6Hs1Mc5Jf0Gyabcd"], ids=["phone", "token"])
def test_the_reason_of_a_hold_is_redacted_and_no_error_repeats_a_secret(bench: Workbench, secret: str) -> None:
    bench.mfgit("archive", "append", stdin=feed(turn(1)))
    assert bench.mfgit("archive", "hold", "add", "user", "u1", "--reason", f"asked by {secret}").code == 0
    assert secret not in (bench.path / SESSIONS / "holds.json").read_text()
    raw = {"holds": [{"kind": "user", "id": "u1", "reason": f"by hand: {secret}"}]}
    (bench.path / SESSIONS / "holds.json").write_text(json.dumps(raw))
    for words in (
        ["archive", "hold", "list"],
        ["archive", "hold", "add", "user", secret],
        ["archive", "hold", "remove", "user", secret],
        ["archive", "rate", secret, "up"],
        ["archive", "get", secret],
        ["archive", "get", turn(1)["request_id"], "--messages", secret],
        ["archive", "search", "export", "--date", secret],
    ):
        ran = bench.mfgit(*words)
        assert secret not in ran.out + ran.err, words
    assert secret not in (bench.path / SESSIONS / "holds.json").read_text()
