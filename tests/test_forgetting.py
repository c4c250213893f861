"""Forgetting removes a person everywhere, and a rescan finds what later rules would take out."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mfgit.archive.erasing import blank, erase, leaks, mend
from mfgit.archive.sessions import SessionStore
from mfgit.archive.store import Store
from mfgit.project import Project
from mfgit.project.forgetting import forget
from tests.archives import CHAT, DAY, NOW, event, feed, line, put, stored, turn
from tests.builders import Workbench

SESSIONS = "tmp/memoryforge/conversation_archive"
ASKED = "How do I print a shipping label?"


def theirs(key: object, user: str, **more: Any) -> dict[str, Any]:
    when = datetime.now(UTC) - timedelta(hours=2)
    return turn(key, when, user_id=user, session_id=f"session-{user}", help_mode=True, user_message=ASKED, **more)


def on_disk(bench: Workbench) -> bytes:
    return b"".join(path.read_bytes() for path in (bench.path / "tmp").rglob("*") if path.is_file())


def filled(bench: Workbench) -> None:
    turns = [theirs(n, f"user-{'abc'[n % 3]}", rating="down") for n in range(6)]
    assert bench.mfgit("archive", "append", stdin=feed(*turns)).code == 0
    assert bench.mfgit("archive", "rate", "m0", "1", "--note", "said by user a").code == 0
    assert bench.mfgit("archive", "sweep").code == 0
    assert bench.mfgit("archive", "search", "shipping label").code == 0
    put(bench.path / CHAT, b'{"user_id":"user-a","half\n', b'{"user_id":"user-b","half\n', day="2026-01-01")
    (bench.path / CHAT / "2026-01-01.jsonl.quarantine").write_bytes(b'{"user_id":"user-a", tor\nother\n')
    (bench.path / SESSIONS / "embeddings").mkdir()
    (bench.path / SESSIONS / "embeddings/session-user-a.npy").write_bytes(b"vector")


def test_a_person_is_gone_from_every_file_and_others_stay(bench: Workbench) -> None:
    filled(bench)
    ran = bench.mfgit("archive", "forget", "--user", "user-a", "--json", "--yes")
    assert ran.code == 0, ran.err
    assert (ran.json()["turns"], ran.json()["sessions"]) == (2, ["session-user-a"])
    for trace in (b"user-a", b"said by user a", b'"r0"', b'"m3"', b"vector"):
        assert trace not in on_disk(bench), trace
    assert sorted(value["request_id"] for value in stored_turns(bench)) == ["r1", "r2", "r4", "r5"]
    assert b"other" in (bench.path / CHAT / "2026-01-01.jsonl.quarantine").read_bytes()
    assert bench.mfgit("archive", "search", "shipping label").code == 0


def stored_turns(bench: Workbench) -> list[dict[str, Any]]:
    every = b"\n".join(path.read_bytes() for path in (bench.path / CHAT).glob("20*.jsonl"))
    return [json.loads(each) for each in every.split(b"\n") if b"user_message" in each]


def test_a_dry_run_removes_nothing(bench: Workbench) -> None:
    filled(bench)
    before = on_disk(bench)
    ran = bench.mfgit("archive", "forget", "--user", "user-a", "--dry-run")
    assert "Would remove 2 turns, 1 session," in ran.out
    assert on_disk(bench) == before


def test_open_proposals_cite_them_no_more_and_history_is_spoken_of(bench: Workbench) -> None:
    filled(bench)
    (found,) = bench.mfgit("scan", "--json").json()["proposals"]
    ran = bench.mfgit("archive", "forget", "--user", "user-a", "--yes")
    assert f"mfgit/{found['id']}" in ran.out
    assert "git gc --prune=now" in ran.out
    assert "until the next mfgit scan" in ran.out
    record = json.loads(bench.git("show", f"mfgit/{found['id']}:help/_forged/proposals/{found['id']}.json"))
    assert {each["request_id"] for each in record["evidence"]} == {"r1", "r2", "r4", "r5"}
    assert (found["frequency"], record["frequency"], record["distinct_users"]) == (6, 4, 2)


def test_a_proposal_of_which_nothing_is_left_goes(bench: Workbench) -> None:
    filled(bench)
    bench.mfgit("scan")
    everyone = [word for user in "abc" for word in ("--user", f"user-{user}")]
    ran = bench.mfgit("archive", "forget", *everyone, "--json", "--yes")
    assert len(ran.json()["removed_proposals"]) == 1
    assert bench.mfgit("proposals", "--json").json() == []


def test_a_rejected_proposal_is_named_with_the_command_that_removes_it(bench: Workbench) -> None:
    filled(bench)
    (found,) = bench.mfgit("scan", "--json").json()["proposals"]
    bench.mfgit("reject", found["id"], "--reason", "no")
    ran = bench.mfgit("archive", "forget", "--session", "session-user-b", "--yes")
    assert f"git update-ref -d refs/mfgit/rejected/{found['id']}" in ran.out


@pytest.mark.parametrize(
    ("kind", "held"), [("user", "user-a"), ("session", "session-user-a"), ("request", "r0")], ids=["user", "session", "turn"]
)
def test_what_is_on_hold_is_not_forgotten(bench: Workbench, kind: str, held: str) -> None:
    filled(bench)
    bench.mfgit("archive", "hold", "add", kind, held)
    before = on_disk(bench)
    ran = bench.mfgit("archive", "forget", "--session", "session-user-a", "--yes")
    assert ran.code == 1
    assert "On legal hold" in ran.err
    assert on_disk(bench) == before


def test_compressed_days_lose_them_too(bench: Workbench) -> None:
    long_ago = datetime.now(UTC) - timedelta(days=40)
    day = long_ago.date().isoformat()
    put(bench.path / CHAT, line(turn(1, long_ago, user_id="a")), line(turn(2, long_ago, user_id="b")), day=day)
    assert bench.mfgit("archive", "retain").code == 0
    assert forget(Project.open(bench.path), users=["a"]).turns == 1
    assert bench.mfgit("archive", "check", "--json").json()["traces"] == 1
    assert forget(Project.open(bench.path), users=["b"]).turns == 1
    assert not list((bench.path / CHAT).glob("*.gz"))


def test_an_unknown_person_is_told_from_one_who_is_forgotten(bench: Workbench) -> None:
    filled(bench)
    ran = bench.mfgit("archive", "forget", "--user", "nobody", "--yes")
    assert (ran.code, ran.out, "Nothing of theirs" in ran.err) == (1, "", True)
    assert len(stored_turns(bench)) == 6


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Name whom to forget"),
        (["--user", ""], "is empty"),
        (["--session", " ", "--yes"], "is empty"),
        (["--user", "user-a"], "nobody is here to answer"),
        (["--user", "user-a", "--json"], "nobody is here to answer"),
    ],
    ids=["nobody", "no id", "blank id", "not asked", "not asked by a script"],
)
def test_whom_to_forget_has_to_be_said_and_meant(bench: Workbench, words: list[str], said: str) -> None:
    filled(bench)
    before = on_disk(bench)
    ran = bench.mfgit("archive", "forget", *words)
    assert (ran.code, said in ran.err) == (2, True), ran.err
    assert on_disk(bench) == before


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_role_names_nobody(bench: Workbench, role: str) -> None:
    """Sessions without named people have their roles as participants: these are all people's."""
    filled(bench)
    talk = {"sessionId": "plain", "messages": [{"role": "user", "content": ASKED}, {"role": "assistant", "content": "So."}]}
    assert bench.mfgit("archive", "session", "add", stdin=json.dumps(talk)).code == 0
    ran = bench.mfgit("archive", "forget", "--user", role, "--dry-run")
    assert (ran.code, "Nothing of theirs" in ran.err) == (1, True)


def test_an_empty_hold_is_refused_and_the_list_stays_readable(bench: Workbench) -> None:
    ran = bench.mfgit("archive", "hold", "add", "user", " ")
    assert (ran.code, "is empty" in ran.err) == (2, True)
    assert bench.mfgit("archive", "hold", "list").code == 0


def test_strangers_may_not_read_conversations(bench: Workbench) -> None:
    filled(bench)
    folders = [bench.path / CHAT, bench.path / SESSIONS, bench.path / SESSIONS / "sessions"]
    files = [*(bench.path / SESSIONS).rglob("*.json"), bench.path / CHAT / f"{DAY}.jsonl"]
    assert len(files) > 3
    for place in (*folders, *files):
        assert not place.exists() or not place.stat().st_mode & 0o007, place


def test_a_line_is_blanked_where_it_stands_and_a_writer_goes_on(tmp_path: Path) -> None:
    path = put(tmp_path, line(turn(1, user_id="a", assistant_message="x" * 20_000)), line(turn(2)))
    size = path.stat().st_size
    with path.open("ab") as other, Store(tmp_path) as chat:
        assert erase(chat, lambda found: found.value.get("user_id") == "a") == 1
        other.write(line(turn(3)))
    assert path.stat().st_size > size
    kept = [json.loads(each)["request_id"] for each in path.read_bytes().split(b"\n") if each.strip()]
    assert kept == ["r2", "r3"]


def test_blanking_goes_from_the_end_to_the_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[int] = []
    monkeypatch.setattr("os.pwrite", lambda descriptor, data, at: places.append(at))
    blank(0, 10, 9000)
    assert places == sorted(places, reverse=True)
    assert places[-1] == 10


# ---- rules that came later


def leaky(bench: Workbench) -> None:
    secret = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    put(bench.path / CHAT, line(turn(1)), line(turn(2, user_message=f"use {secret}")), line(event(1, "up", rating_note=secret)))
    month = bench.path / SESSIONS / "sessions/2026-11"
    month.mkdir(parents=True)
    said = [{"role": "user", "content": "I am ann@example.com", "time": NOW.isoformat()}]
    (month / "s.json").write_text(json.dumps({"sessionId": "s", "messages": said, "summary": "fine"}))


def test_a_rescan_names_places_and_kinds_and_shows_no_secret(bench: Workbench) -> None:
    leaky(bench)
    ran = bench.mfgit("archive", "check", "--rescan")
    assert ran.code == 1
    assert f"{DAY}.jsonl:2: holds" in ran.out
    assert f"{DAY}.jsonl:3: holds" in ran.out
    assert "2026-11/s.json: holds email" in ran.out
    assert "a1B2c3" not in ran.out
    assert "ann@" not in ran.out
    assert bench.mfgit("archive", "check").code == 0


def test_mending_takes_them_out_and_keeps_the_rest(bench: Workbench) -> None:
    leaky(bench)
    ran = bench.mfgit("archive", "check", "--mend", "--json")
    assert (ran.code, ran.json()["mended"]) == (0, 3)
    assert b"a1B2c3" not in on_disk(bench)
    assert b"ann@example.com" not in on_disk(bench)
    assert bench.mfgit("archive", "check", "--rescan", "--json").json()["leaks"] == []
    kept = SessionStore(bench.path / SESSIONS).read("s")
    assert kept is not None
    assert kept.messages[0].content == "I am [redacted:email]"
    turns = [json.loads(each) for each in (bench.path / CHAT / f"{DAY}.jsonl").read_bytes().split(b"\n") if each.strip()]
    assert sorted(value.get("request_id", "rating") for value in turns) == ["r1", "r2", "rating"]


def test_mending_that_was_killed_between_its_steps_is_finished(tmp_path: Path) -> None:
    dirty, clean = turn(1, user_message="I am ann@example.com"), turn(1, user_message="I am [redacted:email]")
    put(tmp_path, line(dirty), line(clean))
    assert len(list(leaks(tmp_path))) == 1
    with Store(tmp_path) as chat:
        mend(chat)
        assert mend(chat) == 0
    assert {value["user_message"] for value in stored_values(tmp_path)} == {"I am [redacted:email]"}


def stored_values(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(each) for path in folder.glob("*.jsonl") for each in path.read_bytes().split(b"\n") if each.strip()]


def test_an_archive_that_mfgit_wrote_has_nothing_to_mend(bench: Workbench) -> None:
    said = "mail ann@example.com or bob@example.com"
    bench.mfgit("archive", "append", stdin=feed(turn(1, user_message=said, note="13912345678")))
    bench.mfgit("archive", "sweep", "--now")
    assert bench.mfgit("archive", "check", "--rescan").code == 0
    assert len(stored(bench.path / CHAT)) == 1


def remembered(bench: Workbench) -> tuple[str, ...]:
    talk = {
        "sessionId": "mem1",
        "participants": ["user-z"],
        "messages": [
            {"role": "user", "content": "I prefer very short answers from Zork.", "time": "2026-11-30T10:00:00Z"},
            {"role": "assistant", "content": "ok"},
        ],
    }
    assert bench.mfgit("archive", "session", "add", stdin=json.dumps(talk)).code == 0
    ran = bench.mfgit("memories", "mem1", "--propose", "--json")
    assert ran.code == 0, ran.err
    ran_too = bench.mfgit("correct", "short answers Zork", "--record", "Zork wants long answers.", "--json")
    assert ran_too.code == 0, ran_too.err
    return tuple(each["id"] for each in (*ran.json()["proposals"], *ran_too.json()["recorded"]["proposals"]))


@pytest.mark.parametrize("whom", [("--session", "mem1"), ("--user", "user-z")], ids=" ".join)
def test_memories_and_corrections_of_theirs_go_and_history_is_spoken_of(bench: Workbench, whom: tuple[str, str]) -> None:
    proposals = remembered(bench)
    assert len(proposals) == 2
    ran = bench.mfgit("archive", "forget", *whom, "--json", "--yes")
    assert ran.code == 0, ran.err
    assert sorted(ran.json()["removed_proposals"]) == sorted(proposals)
    assert all(any(each in said for said in ran.json()["history"]) for each in proposals)
    assert bench.git("for-each-ref", "refs/heads/mfgit") == ""


def test_the_hint_for_an_adopted_memory_names_the_page_that_quotes_them(bench: Workbench) -> None:
    for each in remembered(bench):
        assert bench.mfgit("adopt", each).code == 0
    pages = bench.git("ls-files", "*_forged/memory/*.md").split()
    ran = bench.mfgit("archive", "forget", "--session", "mem1", "--json", "--yes")
    said = "\n".join(ran.json()["history"])
    assert len(pages) == 2
    assert all(f"--path {page}" in said for page in pages), said
    assert "mfgit undo" in said


def test_memories_of_others_stay(bench: Workbench) -> None:
    proposals = remembered(bench)
    assert bench.mfgit("archive", "forget", "--session", "mem", "--yes").code == 1
    assert len(bench.git("for-each-ref", "refs/heads/mfgit").splitlines()) == len(proposals)


@pytest.mark.parametrize(
    "name",
    [
        "2026-01-02.jsonl.gz.rewritten",
        "2026-01-02.jsonl.rewritten",
        ".2026-01-02.jsonl.gz.12.new",
        "2026-01-02.jsonl.0.replaced",
    ],
)
def test_what_a_killed_run_left_beside_the_day_files_is_looked_through_or_goes(bench: Workbench, name: str) -> None:
    filled(bench)
    left = bench.path / CHAT / name
    left.write_bytes(line(theirs("9", "user-a")) + line(theirs("10", "user-b")))
    assert bench.mfgit("archive", "forget", "--user", "user-a", "--yes", "--dry-run").code == 0
    assert left.exists()
    assert bench.mfgit("archive", "forget", "--user", "user-a", "--yes").code == 0
    assert not left.exists()
    assert b"user-a" not in on_disk(bench)
    assert b"user-b" in on_disk(bench)
