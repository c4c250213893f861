"""Finding archived turns and sessions again, and getting them as they were."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from mfgit.archive import documents, fitting, slices, talks
from mfgit.cli import archive_get
from mfgit.errors import BadInput
from mfgit.index import pool
from mfgit.project import Project, fetching, recalling
from mfgit.project.periods import period
from mfgit.session import Message
from mfgit.text import snippets, tokens
from tests import archives
from tests.archives import CHAT
from tests.builders import Workbench

SESSIONS = "tmp/memoryforge/conversation_archive/sessions"
TURNS = (
    ("2026-03-29T10:00:00+08:00", "r1", "s1", "OpenClaw升级之后怎么开启Dreaming？", "每天0点运行，去设置里打开。", None),
    ("2026-03-30T10:00:00+08:00", "r2", "s1", "How do I reset the password of the router?", "Press reset.", "router reset"),
    ("2026-04-02T23:30:00-07:00", "r3", "s2", "What do the router's lights mean?", "They blink while it starts.", None),
    ("2026-04-30T10:00:00+08:00", "r4", "s3", "記憶系統如何備份？", "每晚備份一次。", None),
    ("2026-05-02T10:00:00+08:00", "r5", "s3", "router reset once more", "Press the button for ten seconds.", None),
)


def line(when: str, request: str, session: str, question: str, reply: str, topic: str | None) -> str:
    turn = {"timestamp": when, "request_id": request, "session_id": session, "user_message": question}
    return json.dumps(turn | {"assistant_message": reply, "topic": topic}, ensure_ascii=False) + "\n"


def put(bench: Workbench, turns: tuple[Any, ...] = TURNS) -> None:
    days: dict[str, str] = {}
    for turn in turns:
        days[turn[0][:10]] = days.get(turn[0][:10], "") + line(*turn)
    bench.write({f"{CHAT}/{day}.jsonl": text for day, text in days.items()})


@pytest.fixture
def kb(bench: Workbench) -> Workbench:
    put(bench)
    return bench


def found(bench: Workbench, query: str, **options: Any) -> list[str | None]:
    return [hit.request_id or hit.session_id for hit in recalling.search(Project.open(bench.path), query, **options).hits]


def note(bench: Workbench, query: str, **options: Any) -> str:
    return recalling.search(Project.open(bench.path), query, **options).note or ""


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("OpenClaw升级", ["r1"]),
        ("openclaw 升级", ["r1"]),
        ("router reset", ["r5", "r2"]),
        ("ROUTER", ["r5", "r3", "r2"]),
        ("routr", ["r5", "r3", "r2"]),
        ("记忆系统备份", ["r4"]),
        ("記憶系統", ["r4"]),
        ("ｒｅｓｅｔ password", ["r2"]),
        ("uter res", ["r2"]),
        ("how do I reset the password of the router", ["r2"]),
    ],
    ids=[
        "mixed scripts",
        "any case",
        "newest first",
        "all",
        "typing error",
        "simplified",
        "traditional",
        "wide",
        "part",
        "whole",
    ],
)
def test_turns_are_found_newest_first(kb: Workbench, query: str, wanted: list[str]) -> None:
    assert found(kb, query) == wanted


def test_by_score_the_best_comes_first(kb: Workbench) -> None:
    assert found(kb, "reset password", by="score")[0] == "r2"


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({"date": "2026-03-30"}, ["r2"]),
        ({"date": "2026-04-02"}, ["r3"]),
        ({"date": "2026-03"}, ["r2"]),
        ({"date": "2026"}, ["r5", "r3", "r2"]),
        ({"date": "2026-03-01..2026-04-30"}, ["r3", "r2"]),
        ({"date": "..2026-03"}, ["r2"]),
        ({"since": "2026-04-02"}, ["r5", "r3"]),
        ({"until": "2026-04-02"}, ["r3", "r2"]),
        ({"since": "2026-04", "until": "2026-04"}, ["r3"]),
        ({"date": "2026-03-30T10:00:00+08:00"}, ["r2"]),
        ({"limit": 1}, ["r5"]),
    ],
    ids=str,
)
def test_days_and_ranges_narrow_it(kb: Workbench, options: dict[str, Any], wanted: list[str]) -> None:
    assert found(kb, "router", **options) == wanted


@pytest.mark.parametrize("text", ["soon", "2026-13", "2026-02-30", "29.3.2026", "2026-05..2026-04", "２０２６"])
def test_a_date_that_is_none_is_said(text: str) -> None:
    with pytest.raises(BadInput):
        period(text)


@pytest.mark.parametrize(
    ("query", "options", "said"),
    [
        ("zeppelin", {}, "No word of the question is in the archive"),
        ("？！", {}, "no words"),
        ("router", {"date": "2025"}, "goes from 2026-03-29 to 2026-05-02"),
        ("password", {"date": "2026-04"}, "best of other days is of 2026-03-30"),
        ("password zeppelin dreaming lights", {}, "Not in the archive: zeppelin"),
    ],
    ids=["no word", "no words", "no day", "other days", "not together"],
)
def test_zero_hits_say_why(kb: Workbench, query: str, options: dict[str, Any], said: str) -> None:
    assert found(kb, query, **options) == []
    assert said in note(kb, query, **options)


def test_an_archive_that_is_not_there_is_empty(bench: Workbench) -> None:
    assert "The archive is empty" in note(bench, "router")
    assert not (bench.path / CHAT).exists()


def test_a_correction_is_shown(kb: Workbench) -> None:
    assert note(kb, "routr") == "Searched for router instead of routr."


def test_the_command_prints_what_scripts_rely_on(kb: Workbench) -> None:
    ran = kb.mfgit("archive", "search", "password router", "--json")
    value = ran.json()
    assert (ran.code, value["query"], value["note"]) == (0, "password router", None)
    assert {key: value["hits"][0][key] for key in ("session_id", "request_id", "date", "snippet")} == {
        "session_id": "s1",
        "request_id": "r2",
        "date": "2026-03-30",
        "snippet": "How do I reset the password of the router?",
    }
    assert kb.mfgit("archive", "search", "zeppelin").code == 1
    assert kb.mfgit("archive", "search", "router", "--date", "soon").code == 2


# ---- sessions


def session(kb: Workbench, name: str, **fields: Any) -> None:
    value = {"sessionId": name, "date": "2026-04-07", "messages": []} | fields
    kb.write({f"{SESSIONS}/2026-04/{name}.json": json.dumps(value, ensure_ascii=False)})


def test_sessions_are_found_by_topic_keyword_and_summary(kb: Workbench) -> None:
    session(kb, "talk", topics=["OpenClaw升级", "記憶系統"], keywords=["compaction"], summary="They settled the backup plan.")
    for query, field in (("claw升", "topics"), ("記憶", "topics"), ("pacti", "keywords"), ("backup plan", "summary")):
        hits = recalling.search(Project.open(kb.path), query).hits
        assert ("talk", None, field) in [(hit.session_id, hit.request_id, hit.field) for hit in hits], query


def test_messages_of_a_session_that_another_program_wrote_are_found(kb: Workbench) -> None:
    session(
        kb, "foreign", messages=[{"role": "user", "content": "Where is the zeppelin?"}, {"role": "assistant", "content": "Up."}]
    )
    assert found(kb, "zeppelin") == ["foreign"]
    assert [message.content for message in fetching.get(Project.open(kb.path), "fore").talk.messages] == [
        "Where is the zeppelin?",
        "Up.",
    ]


def test_a_session_that_goes_is_no_longer_found(kb: Workbench) -> None:
    session(kb, "talk", topics=["zeppelin"])
    assert found(kb, "zeppelin") == ["talk"]
    (kb.path / SESSIONS / "2026-04/talk.json").unlink()
    assert found(kb, "zeppelin") == []


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"sessionId": 5}', b"\xff", b"[" * 100_000], ids=str)
def test_a_session_file_that_cannot_be_read_is_said(kb: Workbench, data: bytes) -> None:
    kb.write({f"{SESSIONS}/2026-04/bad.json": data})
    assert found(kb, "password") == ["r2"]
    assert "bad.json cannot be read" in note(kb, "password")


@pytest.mark.parametrize(
    ("query", "options", "said"),
    [
        ("", {}, "The question is empty"),
        (" \u3000 ", {}, "The question is empty"),
        ("?!。", {}, "only signs"),
        ("the of and", {}, "only words that ask or bind"),
        ("怎么 的了", {}, "only words that ask or bind"),
        ("password", {"date": "2999-01-01"}, "on 2999-01-01, which is still to come; the archive goes from 2026-03-29 to"),
        ("密码", {"since": "2999"}, "which is still to come"),
        ("password", {"date": "2020"}, "Nothing was archived from 2020-01-01 to 2020-12-31; the archive goes from"),
        ("记忆系统", {"date": "2026-03"}, "the best of other days is of 2026-04-30"),
        ("zeppelin", {}, "No word of the question is in the archive"),
        ("飞艇", {}, "No word of the question is in the archive"),
    ],
    ids=str,
)
def test_an_impossible_search_says_why(kb: Workbench, query: str, options: dict[str, Any], said: str) -> None:
    assert said in note(kb, query, **options)
    assert found(kb, query, **options) == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("reset the pasword", "Searched for password instead of pasword."),
        ("what do the ligths mean", "Searched for lights instead of ligths."),
        ("blinkk rotuers", "instead of rotuers."),
    ],
)
def test_corrections_are_words_as_people_write_them(kb: Workbench, query: str, said: str) -> None:
    assert said in note(kb, query)
    for stem in ("databas", "passwort", "blinkk instead"):
        assert f" {stem} " not in note(kb, query)


def test_one_session_does_not_fill_the_page(bench: Workbench) -> None:
    put(
        bench,
        tuple(
            (f"2026-03-0{n}T10:00:00Z", f"r{n}", "long" if n > 2 else f"s{n}", "oil the hinge", "", None) for n in range(1, 9)
        ),
    )
    assert found(bench, "hinge", limit=5) == ["r8", "r7", "r6", "r2", "r1"]


# ---- the index follows the archive


def append(bench: Workbench, name: str, text: str) -> None:
    with (bench.path / CHAT / name).open("a", encoding="utf-8") as file:
        file.write(text)


def read_parts(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    parts: list[tuple[str, int]] = []
    read = documents.read

    def noted(part: slices.Slice, problems: list[str]) -> Iterator[documents.Document]:
        parts.append((part.path.name, part.start))
        return read(part, problems)

    monkeypatch.setattr(documents, "read", noted)
    return parts


def test_only_what_was_appended_is_read_again(kb: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = read_parts(kb, monkeypatch)
    found(kb, "router")
    assert len(parts) == 5
    size = (kb.path / CHAT / "2026-03-30.jsonl").stat().st_size
    append(kb, "2026-03-30.jsonl", line("2026-03-30T11:00:00+08:00", "r9", "s9", "a zeppelin", "", None))
    parts.clear()
    assert found(kb, "zeppelin") == ["r9"]
    assert parts == [("2026-03-30.jsonl", size)]
    parts.clear()
    assert found(kb, "router reset") == ["r5", "r2"]
    assert parts == []


def test_a_half_written_line_is_found_once_it_is_whole(kb: Workbench) -> None:
    whole = line("2026-03-30T11:00:00+08:00", "r9", "s9", "a zeppelin", "", None)
    append(kb, "2026-03-30.jsonl", whole[:50])
    assert found(kb, "zeppelin") == []
    append(kb, "2026-03-30.jsonl", whole[50:-1])
    assert found(kb, "zeppelin") == ["r9"]
    append(kb, "2026-03-30.jsonl", "\n" + line("2026-03-30T11:00:00+08:00", "r10", "s10", "more zeppelins", "", None))
    assert found(kb, "zeppelin") == ["r10", "r9"]


def test_a_file_that_was_replaced_is_read_anew(kb: Workbench) -> None:
    assert found(kb, "password") == ["r2"]
    path = kb.path / CHAT / "2026-03-30.jsonl"
    fresh = path.with_name("fresh")
    fresh.write_text(line("2026-03-30T10:00:00+08:00", "r2", "s1", "a zeppelin instead", "", None))
    fresh.replace(path)
    assert found(kb, "password") == []
    assert found(kb, "zeppelin") == ["r2"]


def test_a_compressed_day_is_read(kb: Workbench) -> None:
    import gzip

    path = kb.path / CHAT / "2026-03-30.jsonl"
    path.with_suffix(".jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    assert found(kb, "password") == ["r2"]
    assert fetching.get(Project.open(kb.path), "r2").part.messages[0][1].content.startswith("How do I reset")


def test_lines_that_cannot_be_read_are_passed_over_and_said(kb: Workbench) -> None:
    append(kb, "2026-03-30.jsonl", "no JSON\n" + line("2026-03-30T11:00:00+08:00", "r9", "s9", "a zeppelin", "", None))
    assert found(kb, "zeppelin") == ["r9"]
    assert "2026-03-30.jsonl cannot be read" in note(kb, "zeppelin")


def test_secrets_of_another_program_are_neither_shown_nor_indexed(kb: Workbench) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "Q7z9"
    append(kb, "2026-03-30.jsonl", line("2026-03-30T11:00:00+08:00", "r9", "s9", f"zeppelin token {secret}", "", None))
    assert found(kb, "zeppelin") == ["r9"]
    assert found(kb, secret) == []
    assert secret not in json.dumps(recalling.search(Project.open(kb.path), "zeppelin").to_json())
    assert secret not in json.dumps(fetching.get(Project.open(kb.path), "r9").to_json())
    files = [path for path in (kb.path / CHAT / ".search").rglob("*") if path.is_file()]
    assert files
    assert not any(secret.lower().encode() in path.read_bytes().lower() for path in files)


def test_an_index_that_came_with_a_checkout_is_not_opened(kb: Workbench) -> None:
    assert found(kb, "password") == ["r2"]
    trap = kb.path / "trapped"
    for toc in (kb.path / CHAT / ".search").rglob("*.toc"):
        toc.write_bytes(f"cposix\nsystem\n(S'touch {trap}'\ntR.".encode())
    copy = kb.path.parent / "copy"
    subprocess.run(["cp", "-r", str(kb.path / "tmp"), str(copy)], check=True)
    Workbench.make(kb.path.parent / "other")
    subprocess.run(["cp", "-r", str(copy), str(kb.path.parent / "other" / "tmp")], check=True)
    assert found(Workbench(kb.path.parent / "other"), "password") == ["r2"]
    assert not trap.exists()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Whoosh leaves a damaged file open
@pytest.mark.parametrize("what", ["*.trm", "*.pst", "catalogue", "views/*", "*"])
def test_a_damaged_index_is_made_anew(kb: Workbench, what: str) -> None:
    found(kb, "password")
    for path in (kb.path / CHAT / ".search").glob(f"*/index-*/{what}"):
        if path.is_file():
            path.write_bytes(b"damaged")
    append(kb, "2026-03-30.jsonl", line("2026-03-30T11:00:00+08:00", "r9", "s9", "a zeppelin", "", None))
    assert found(kb, "zeppelin") == ["r9"]
    assert found(kb, "password") == ["r2"]


def test_what_was_forgotten_leaves_the_index(kb: Workbench) -> None:
    found(kb, "password")
    recalling.forget_index(Project.open(kb.path))
    assert not (kb.path / CHAT / ".search").exists()
    assert found(kb, "password") == ["r2"]


SEARCH = [sys.executable, "-m", "mfgit", "archive", "search", "hinge", "--json"]


@pytest.mark.parametrize("delay", [0.15, 0.3, 0.5])
def test_a_search_that_is_killed_while_it_indexes_leaves_nothing_half(bench: Workbench, delay: float) -> None:
    put(
        bench,
        tuple((f"2026-03-{n % 28 + 1:02}T10:00:00Z", f"r{n}", f"s{n}", f"oil the hinge {n}", "", None) for n in range(3000)),
    )
    process = subprocess.Popen(SEARCH, cwd=bench.path, stdout=subprocess.DEVNULL)
    time.sleep(delay)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert len(found(bench, "hinge", limit=200)) == 200
    assert found(bench, "2999") == ["r2999"]


def test_searches_at_the_same_time_find_the_same(bench: Workbench) -> None:
    put(
        bench,
        tuple((f"2026-03-{n % 28 + 1:02}T10:00:00Z", f"r{n}", f"s{n}", f"oil the hinge {n}", "", None) for n in range(500)),
    )
    running = [subprocess.Popen(SEARCH, cwd=bench.path, stdout=subprocess.PIPE) for _ in range(3)]
    outputs = {process.communicate()[0] for process in running}
    assert len(outputs) == 1
    assert len(json.loads(outputs.pop())["hits"]) == 10


def test_eight_readers_find_only_what_is_there_while_one_appends(kb: Workbench) -> None:
    """Every answer is right for some moment: nothing twice, nothing made up, and never less than before."""
    code = "\n".join((
        "import json, sys; from mfgit.project import Project, recalling",
        "for _ in range(12):",
        "    found = recalling.search(Project.open('.'), 'zeppelin', limit=200)",
        "    print(json.dumps([hit.request_id for hit in found.hits]), flush=True)",
    ))  # fmt: skip
    readers = [subprocess.Popen([sys.executable, "-c", code], cwd=kb.path, stdout=subprocess.PIPE) for _ in range(8)]
    wanted = [f"z{number}" for number in range(40)]
    for number, request in enumerate(wanted):
        append(kb, "2026-05-02.jsonl", line("2026-05-02T11:00:00+08:00", request, f"t{number}", "a zeppelin", "", None))
        time.sleep(0.02)
    for reader in readers:
        seen = [set(each) for each in map(json.loads, reader.communicate()[0].splitlines())]
        assert reader.returncode == 0
        assert len(seen) == 12
        assert all(before <= after for before, after in pairwise(seen))
        assert all(found == set(wanted[: len(found)]) for found in seen)
    assert set(found(kb, "zeppelin", limit=200)) == set(wanted)


@pytest.mark.parametrize("data", [b"99 index-future\n", b"", b"\xff\xfe", b"8 ../../elsewhere\n", b"one two three\n"], ids=str)
def test_an_index_of_a_newer_format_or_a_damaged_pointer_is_made_anew(kb: Workbench, data: bytes) -> None:
    found(kb, "password")
    (pointer,) = (kb.path / ".git/mfgit/archive").iterdir()
    pointer.write_bytes(data)
    assert found(kb, "password") == ["r2"]
    append(kb, "2026-03-30.jsonl", line("2026-03-30T11:00:00+08:00", "r9", "s9", "a zeppelin", "", None))
    assert found(kb, "zeppelin") == ["r9"]


@pytest.mark.parametrize("what", ["index-*", "views", "catalogue"])
def test_a_deleted_part_of_the_index_is_made_anew(kb: Workbench, what: str) -> None:
    found(kb, "password")
    for path in (kb.path / CHAT / ".search").glob(f"*/{what}" if what == "index-*" else f"*/index-*/{what}"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert found(kb, "password") == ["r2"]
    append(kb, "2026-03-30.jsonl", line("2026-03-30T11:00:00+08:00", "r9", "s9", "a zeppelin", "", None))
    assert found(kb, "zeppelin") == ["r9"]


# ---- getting


@pytest.mark.parametrize(
    ("identity", "options", "numbers"),
    [
        ("s1", {}, [1, 2, 3, 4]),
        ("s1", {"messages": "2-3"}, [2, 3]),
        ("s1", {"messages": "4"}, [4]),
        ("s1", {"messages": "3-"}, [3, 4]),
        ("s1", {"messages": "-1"}, [4]),
        ("s1", {"messages": "2-99"}, [2, 3, 4]),
        ("r2", {}, [3, 4]),
        ("r2", {"messages": "1-1"}, [1]),
    ],
    ids=str,
)
def test_get_gives_messages_by_their_numbers(kb: Workbench, identity: str, options: dict[str, Any], numbers: list[int]) -> None:
    assert [number for number, _, _ in fetching.get(Project.open(kb.path), identity, **options).part.messages] == numbers


@pytest.mark.parametrize(
    ("identity", "options", "said"),
    [
        ("s", {}, "start of 3 ids"),
        ("r", {}, "start of 5 ids"),
        ("x", {}, "There is no conversation"),
        ("", {}, "No id"),
        ("s1", {"messages": "9"}, "There are no messages 9"),
        ("s1", {"messages": "a-b"}, "no range"),
        ("s1", {"messages": "-"}, "no range"),
        ("s1", {"messages": "3-2"}, "There are no messages"),
        ("s1", {"budget": -1}, "budget"),
    ],
    ids=str,
)
def test_get_says_what_is_wrong(kb: Workbench, identity: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        fetching.get(Project.open(kb.path), identity, **options)


TEXT = st.text(st.characters(codec="utf-8"), max_size=300)
MANY = st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), TEXT), max_size=25)
FACTS = st.fixed_dictionaries({}, optional={"title": TEXT, "summary": TEXT, "topics": st.lists(TEXT, max_size=5)})


@given(MANY, FACTS, st.integers(fitting.LEAST, 6000), st.sampled_from([1, 60]))
@settings(max_examples=150, deadline=None)
def test_all_that_is_printed_keeps_within_a_budget(
    said: list[tuple[str, str]], about: dict[str, Any], budget: int, times: int
) -> None:
    messages = tuple(Message(role, text * times, id="m" * 40) for role, text in said)
    talk = talks.Talk("s" * 60, "2026-04-07", about, messages, "Retention cleared 12 messages of this session.")
    found = fetching.within(talk, None, budget, "r" * 60)
    assert len(json.dumps(found.to_json(), ensure_ascii=False, indent=2).encode("utf-8", "replace")) <= budget
    printed = CliRunner().invoke(click.command()(lambda: archive_get.show(found))).stdout_bytes
    assert len(printed) <= budget
    ranges = [(found.part.first, found.part.last)] + [tuple(map(int, text.split("-"))) for text in found.part.suggested]
    assert [number for first, last in ranges for number in range(first, last + 1) if number] == list(range(1, len(said) + 1))
    assert len(ranges) <= 1 + fitting.MOST_NAMED
    for first, last in ranges[1 : fitting.MOST_NAMED]:
        again = fetching.within(talk, f"{first}-{last}", budget, "r" * 60)
        assert again.part.last == last


def test_without_a_budget_nothing_is_left_out() -> None:
    messages = tuple(Message("user", f"message {n} " * 200, rating_note="good", extra={"more": n}) for n in range(200))
    talk = talks.Talk("s", "2026-04-07", {"summary": "x" * 5000}, messages)
    found = fetching.within(talk, None, 0, None)
    assert [each.message for each in found.part.messages] == list(messages)
    assert (found.part.suggested, found.lost, found.talk) == ((), (), talk)


def test_get_prints_a_conversation(kb: Workbench) -> None:
    ran = kb.mfgit("archive", "get", "s1", "--budget", "60")
    assert ran.code == 0
    assert "OpenClaw" in ran.out
    assert "Ranges that fit: " in ran.out
    value = kb.mfgit("archive", "get", "s1", "--json").json()
    assert [message["role"] for message in value["messages"]] == ["user", "assistant"] * 2


# ---- snippets and postings


@pytest.mark.parametrize(
    ("text", "query", "part"),
    [
        ("x " * 400 + "the needle is here" + " y" * 400, "needle", "the needle is here"),
        ("天" * 500 + "备份计划" + "地" * 500, "備份計劃", "备份计划"),
        ("alpha " * 100 + "beta " * 100 + "alpha beta gamma", "alpha beta gamma", "alpha beta gamma"),
        ("one\ntwo\n\nthree", "three", "one two three"),
    ],
    ids=["far away", "Chinese", "most terms", "one line"],
)
def test_a_snippet_shows_what_was_found(text: str, query: str, part: str) -> None:
    shown, count = snippets.best(text, frozenset(tokens.query_terms(query)))
    assert part in shown
    assert count == len(set(tokens.query_terms(query)))
    assert len(shown) <= snippets.WIDTH + 4


@given(st.text(max_size=300), st.text(max_size=20))
@settings(max_examples=200, deadline=None)
def test_snippets_are_made_of_any_text(text: str, query: str) -> None:
    snippets.best(text, frozenset(tokens.query_terms(query)))


def test_postings_are_counted_a_document_at_a_time() -> None:
    from array import array

    found, weights = pool.counted(array("I", [1, 1, 4, 7, 7, 7]))
    assert (list(found), list(weights)) == ([1, 4, 7], [2.0, 1.0, 3.0])


def test_an_index_in_a_folder_that_cannot_be_written_is_made_for_the_moment(
    kb: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("mfgit.index.store.Store.locked", refused)
    assert found(kb, "password") == ["r2"]
    assert "The search index cannot be kept" in note(kb, "password")
    assert not Path(kb.path / CHAT / ".search").exists()


def test_what_an_assistant_said_on_the_way_is_found_too(bench: Workbench) -> None:
    said = [("user", "Mend the hinge"), ("assistant", "First the zeppelin."), ("tool", "done"), ("assistant", "It is mended.")]
    talk = {"sessionId": "talk", "date": "2026-04-07", "messages": [{"role": role, "content": text} for role, text in said]}
    assert bench.mfgit("archive", "session", "add", stdin=json.dumps(talk)).code == 0
    hits = recalling.search(Project.open(bench.path), "zeppelin").hits
    assert ("talk", None, "First the zeppelin.") in [(hit.session_id, hit.request_id, hit.snippet) for hit in hits]
    (turn,) = [each for each in recalling.search(Project.open(bench.path), "mended").hits if each.request_id]
    got = fetching.get(Project.open(bench.path), turn.request_id or "")
    assert [number for number, _, _ in got.part.messages] == [1, 2, 3, 4]


def test_what_retention_left_of_an_old_turn_is_found_by_its_topic(kb: Workbench) -> None:
    left = {"request_id": "r9", "session_id": "s9", "rating": "down", "topic": "zeppelin repair", "retained": "trace"}
    kb.write({f"{CHAT}/2026-01-05.jsonl": json.dumps(left) + "\n"})
    (hit,) = recalling.search(Project.open(kb.path), "pelin").hits
    assert (hit.request_id, hit.date, hit.field) == ("r9", "2026-01-05", "topic")
    assert note(kb, "zeppelin") == ""


def test_an_index_behind_a_symbolic_link_is_neither_written_nor_read(bench: Workbench, tmp_path: Path) -> None:
    bench.mfgit("archive", "append", stdin=archives.feed(archives.turn(1, archives.NOW, user_message="Where is the gizmo?")))
    outside = tmp_path / "outside"
    outside.mkdir()
    (bench.path / CHAT / ".search").symlink_to(outside)
    ran = bench.mfgit("archive", "search", "gizmo")
    assert (ran.code, "behind a symbolic link" in ran.out + ran.err) == (0, True)
    assert not list(outside.iterdir())
    (outside / "kept").write_text("theirs")
    assert bench.mfgit("archive", "forget", "--user", "nobody", "--yes").code in (0, 1)
    assert (outside / "kept").exists()


@pytest.mark.parametrize("asked", ["OpenClow", "openclow", "Dreaning", "OpenClow Dreeming"])
def test_a_typing_error_in_a_compound_name_or_before_an_ending_finds_the_turn(bench: Workbench, asked: str) -> None:
    put(bench)
    ran = bench.mfgit("archive", "search", asked, "--json")
    assert [hit["request_id"] for hit in ran.json()["hits"]] == ["r1"], ran.out
    assert "instead of" in ran.json()["note"]
    assert "clow" not in ran.json()["note"].replace("openclow", "")
