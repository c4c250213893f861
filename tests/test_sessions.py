"""Whole conversations in the archive: stored once, redacted, and their turns fed to the scan once."""

import json
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mfgit.archive.caps import CAPS, capped_text
from mfgit.archive.catalogue import Catalogue
from mfgit.archive.conversations import keep
from mfgit.archive.sessions import SessionStore, replace_file
from mfgit.archive.summary import summarize
from mfgit.errors import BadInput
from mfgit.project import Project
from mfgit.project.archiving_sessions import Stored, store
from mfgit.session import Conversation, Message, Session, conversation
from tests.archives import CHAT, NOW, everything, feed, ids, stored, turn
from tests.builders import Workbench

SESSIONS = "tmp/memoryforge/conversation_archive"
MAIL, OTHER = "ann@example.com", "bob@example.com"


def talk(*said: str, name: str = "s1", source: str = "session", **more: Any) -> Conversation:
    """Return a conversation of alternating user and assistant, a minute apart."""
    roles = ("user", "assistant")
    messages = tuple(Message(roles[n % 2], text, NOW + timedelta(minutes=n)) for n, text in enumerate(said))
    return Conversation(name, source, messages=messages, **more)


def archived(bench: Workbench, *talks: Conversation, **more: Any) -> Stored:
    return store(Project.open(bench.path), talks, **more)


def session(bench: Workbench, name: str = "s1") -> Session:
    found = SessionStore(bench.path / SESSIONS).read(name)
    assert found is not None
    return found


def catalogue(bench: Workbench) -> list[dict[str, Any]]:
    value = json.loads((bench.path / SESSIONS / "index.json").read_text())
    assert value["version"] == 1
    return list(value["sessions"])


def test_a_conversation_becomes_a_session_a_catalogue_entry_and_turns(bench: Workbench) -> None:
    done = archived(bench, talk("How do I export a report?", "Choose Export.", "And as csv?", "Pick csv."))
    assert done == Stored(1, 2, 0, 0, {})
    assert [value["user_message"] for value in stored(bench.path / CHAT)] == ["How do I export a report?", "And as csv?"]
    kept = session(bench)
    assert [message.content for message in kept.messages][:2] == ["How do I export a report?", "Choose Export."]
    assert kept.date == "2026-11-30"
    assert catalogue(bench)[0]["sessionId"] == "s1"
    assert catalogue(bench)[0]["file"] == "2026-11/s1.json"


def test_the_same_conversation_again_changes_no_byte(bench: Workbench) -> None:
    archived(bench, talk("one?", "two"))
    before = {path: path.read_bytes() for path in (bench.path / "tmp").rglob("*") if path.is_file()}
    assert archived(bench, talk("one?", "two")) == Stored(0, 0, 0, 1, {})
    assert before == {path: path.read_bytes() for path in (bench.path / "tmp").rglob("*") if path.is_file()}


def test_a_longer_conversation_adds_only_what_is_new(bench: Workbench) -> None:
    archived(bench, talk("one?", "two"))
    assert archived(bench, talk("one?", "two", "three?", "four")) == Stored(1, 1, 0, 1, {})
    assert len(session(bench).messages) == 4


def test_a_part_of_a_conversation_drops_nothing_that_was_known(bench: Workbench) -> None:
    archived(bench, talk("one?", "two", "three?", "four"))
    archived(bench, Conversation("s1", "session", messages=(Message("user", "five?"),)))
    assert [message.content for message in session(bench).messages] == ["one?", "two", "three?", "four", "five?"]


def test_the_same_words_at_another_time_are_another_message(bench: Workbench) -> None:
    whole = talk("again?", "yes", "more?", "no", "again?", "yes", "again?", "no")
    for first, last in ((0, 2), (2, 4), (4, 6), (5, 8)):
        archived(bench, Conversation("s1", "session", messages=whole.messages[first:last]))
    assert session(bench).messages == whole.messages
    assert [value["user_message"] for value in stored(bench.path / CHAT)] == ["again?", "more?", "again?", "again?"]
    assert archived(bench, whole) == Stored(0, 0, 0, 4, {})


def test_a_part_without_times_loses_none(bench: Workbench) -> None:
    whole = talk("one?", "two", "three?", "four")
    archived(bench, whole)
    archived(bench, Conversation("s1", "session", messages=(Message("user", "three?"), Message("assistant", "five"))))
    assert session(bench).messages == (*whole.messages, Message("assistant", "five"))
    named = tuple(Message(each.role, each.content, None, f"m{number}") for number, each in enumerate(whole.messages))
    archived(bench, Conversation("s1", "session", messages=named))
    assert [(each.time, each.id) for each in session(bench).messages[:2]] == [(NOW, "m0"), (whole.messages[1].time, "m1")]


def test_a_conversation_without_times_is_known_again_on_another_day(bench: Workbench) -> None:
    timeless = Conversation("t", "openai", messages=(Message("user", "what now?"), Message("assistant", "this")))
    archived(bench, timeless, now=NOW)
    assert archived(bench, timeless, now=NOW + timedelta(days=5)).already_known == 1
    assert ids(bench.path / CHAT).total() == 1


def test_turns_that_came_by_themselves_are_not_stored_again(bench: Workbench) -> None:
    first = turn(1, user_message="one?", assistant_message="two")
    bench.mfgit("archive", "append", stdin=feed(first, turn(2, user_message="one?", timestamp="2026-11-30T12:05:00Z")))
    assert archived(bench, talk("one?", "two", "one?", "two", "one?", "two")).turns == 1


def test_turns_that_come_by_themselves_later_are_read_once(bench: Workbench) -> None:
    archived(bench, talk("one?", "two", "three?", "four"))
    bench.mfgit("archive", "append", stdin=feed(turn(1, user_message="one?")))
    assert [each.user_message for each in everything(bench.path / CHAT).turns] == ["one?", "three?"]
    assert "r1" in [each.request_id for each in everything(bench.path / CHAT).turns]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("<command-name>/clear</command-name>", "command"),
        ("/compact now", "command"),
        ("[Request interrupted by user]", "interruption"),
        ("Caveat: The messages below were generated", "command"),
    ],
)
def test_commands_and_interruptions_are_no_turns(bench: Workbench, said: str, reason: str) -> None:
    done = archived(bench, talk("one?", "two", said, "done", source="claude-code"))
    assert (done.turns, done.skipped) == (1, {reason: 1})


def test_a_slash_outside_an_agent_is_a_question(bench: Workbench) -> None:
    assert archived(bench, talk("/imagine a cat", "ok", source="chatgpt")).turns == 1


def test_the_reply_is_what_was_said_after_the_last_tool() -> None:
    said = (
        Message("user", "why?"),
        Message("assistant", "Let me look."),
        Message("tool", "output"),
        Message("assistant", "Because."),
        Message("assistant", "Really."),
        Message("tool", "more"),
    )
    kept = keep(Conversation("s", "codex", messages=said), None, NOW)
    assert kept.turns[0]["assistant_message"] == "Because.\n\nReally."


def test_a_thing_has_one_mark_throughout_a_session(bench: Workbench) -> None:
    archived(bench, talk(f"mail {MAIL}?", f"or {OTHER}", f"not {OTHER}?", f"then {MAIL}"))
    texts = [message.content for message in session(bench).messages]
    first, second = "[redacted:email]", "[redacted:email-b]"
    assert texts == [f"mail {first}?", f"or {second}", f"not {second}?", f"then {first}"]
    turns = [value["user_message"] for value in stored(bench.path / CHAT)]
    assert turns == [f"mail {first}?", f"not {first}?"]  # each as if it stood alone, so that the same question is the same
    everything_on_disk = b"".join(path.read_bytes() for path in (bench.path / "tmp").rglob("*") if path.is_file())
    assert b"@example.com" not in everything_on_disk


def test_ratings_go_with_the_turn_and_later_ones_beside_it(bench: Workbench) -> None:
    def rated(rating: Any) -> Conversation:
        reply = Message("assistant", "a", NOW, rating=rating)
        return Conversation("s", "openwebui", messages=(Message("user", "q?", NOW), reply))

    assert archived(bench, rated("up")).ratings == 1
    assert archived(bench, rated("up")).ratings == 0
    assert archived(bench, rated("down")).ratings == 1
    assert archived(bench, rated("down")).ratings == 0
    assert everything(bench.path / CHAT).turns[0].rating == "down"


def test_what_the_caller_found_goes_before_what_rules_find(bench: Workbench) -> None:
    value = {
        "sessionId": "own",
        "messages": [{"role": "user", "content": "one?", "time": "2026-11-29T10:00:00+08:00"}],
        "topics": ["reports"],
        "decisions": [{"text": "use csv", "context": "all agreed"}],
        "extra": {"deep": [f"to {MAIL}"]},
    }
    ran = bench.mfgit("archive", "session", "add", "--json", stdin=json.dumps(value))
    assert (ran.code, ran.json()["turns"]) == (0, 1)
    kept = session(bench, "own")
    assert kept.topics == ("reports",)
    assert kept.decisions[0]["text"] == "use csv"
    assert kept.extra["extra"] == {"deep": ["to [redacted:email]"]}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "empty"),
        ("{", "not valid JSON"),
        ('{"sessionId": "x"}', "no session"),
        ('{"sessionId": "x", "messages": [{"role": 5, "content": "sesame"}]}', "no session"),
        ('{"sessionId": "x", "messages": [{"role": "user", "content": "a", "time": "sesame"}]}', "no time"),
        (f'{{"sessionId": "x", "messages": [{{"role": "user", "z": {"[" * 700}"sesame"{"]" * 700}}}]}}', "nested too deeply"),
    ],
)
def test_a_session_that_is_none_is_refused_without_showing_it(bench: Workbench, given: str, said: str) -> None:
    ran = bench.mfgit("archive", "session", "add", stdin=given)
    assert ran.code == 2
    assert said in ran.err
    assert "sesame" not in ran.err
    assert not list((bench.path / CHAT).glob("*.jsonl"))


def test_a_role_is_one_of_four_and_every_text_is_redacted(bench: Workbench) -> None:
    value: dict[str, Any] = {"sessionId": "lk", "source": f"src 13983726167 {MAIL}", "channel": MAIL, "title": MAIL}
    value["messages"] = [{"role": "Human", "content": "hello there?"}, {"role": "ai", "content": MAIL}]
    assert bench.mfgit("archive", "session", "add", stdin=json.dumps(value)).code == 0
    kept = session(bench, "lk")
    assert [message.role for message in kept.messages] == ["user", "assistant"]
    assert kept.source == "src [redacted:phone] [redacted:email]"
    value["messages"].append({"role": OTHER, "content": "x"})
    ran = bench.mfgit("archive", "session", "add", stdin=json.dumps(value))
    assert (ran.code, "messages.2: role is none of user, assistant, system, tool." in ran.err) == (2, True)
    everything_on_disk = b"".join(path.read_bytes() for path in (bench.path / "tmp").rglob("*") if path.is_file())
    assert not [text for text in (MAIL, OTHER, "13983726167") if text.encode() in everything_on_disk or text in ran.err]
    assert bench.mfgit("archive", "check", "--rescan").code == 0


def test_fields_of_messages_that_are_not_known_are_kept_redacted(bench: Workbench) -> None:
    calls = [{"function": {"name": "find", "arguments": f'{{"who": "{MAIL}"}}'}}]
    value: dict[str, Any] = {"sessionId": "x", "messages": [{"role": "user", "content": "who is it?", "name": MAIL}]}
    value["messages"].append({"role": "assistant", "content": None, "tool_calls": calls})
    value["messages"].append({"role": "assistant", "content": "Ann.", "model": "m-1"})
    assert bench.mfgit("archive", "session", "add", stdin=json.dumps(value)).code == 0
    masked = [{"function": {"name": "find", "arguments": '{"who": "[redacted:email]"}'}}]
    kept = [{"name": "[redacted:email]"}, {"tool_calls": masked}, {"model": "m-1"}]
    assert [message.extra for message in session(bench, "x").messages] == kept
    assert stored(bench.path / CHAT)[0]["assistant_message"] == "Ann."
    part = {"sessionId": "x", "messages": [{"role": "user", "content": "who is it?"}, {"role": "user", "content": "and now?"}]}
    assert bench.mfgit("archive", "session", "add", stdin=json.dumps(part)).code == 0
    assert [message.extra for message in session(bench, "x").messages] == [*kept, {}]
    assert bench.mfgit("archive", "session", "add", stdin=json.dumps(value)).out.startswith("x: known already")


def test_odd_ids_make_safe_file_names(bench: Workbench) -> None:
    for name in ("agent:main/../x", "a" * 300, "..", "x.json"):
        archived(bench, talk("one?", name=name))
        assert session(bench, name).session_id == name
    inside = list((bench.path / SESSIONS / "sessions/2026-11").iterdir())
    assert len(inside) == 4


def test_a_lost_or_left_behind_catalogue_is_made_anew(bench: Workbench) -> None:
    archived(bench, talk("one?", name="a"))
    (bench.path / SESSIONS / "index.json").unlink()
    archived(bench, talk("one?", name="b"))
    assert [entry["sessionId"] for entry in catalogue(bench)] == ["a", "b"]
    (bench.path / SESSIONS / "index.json").write_text('{"version": 1, "sessions": [\n\n]}\n')
    (bench.path / SESSIONS / ".index.stale.99999999").touch()
    (bench.path / SESSIONS / "sessions/2026-11/.x.json.99999999.new").touch()
    archived(bench, talk("one?", name="c"))
    assert [entry["sessionId"] for entry in catalogue(bench)] == ["a", "b", "c"]
    assert not list((bench.path / SESSIONS).rglob(".*.*[9w]"))


def test_catalogue_entries_are_renewed_in_order(tmp_path: Path) -> None:
    sessions = SessionStore(tmp_path)
    for names in (("m", "c"), ("a", "m", "z"), ("b",)):
        listing = Catalogue(sessions)
        with sessions.locked():
            listing.begin()
            for name in names:
                kept = Session(name, "2026-11-30", source="x", archived_at=NOW)
                listing.note(sessions.put(kept), kept)
            listing.finish()
    assert [entry["sessionId"] for entry in Catalogue(sessions).entries()] == ["a", "b", "c", "m", "z"]


def test_a_damaged_session_file_is_a_problem_and_hides_no_other(bench: Workbench) -> None:
    archived(bench, talk("one?", name="a"), talk("one?", name="b"))
    (bench.path / SESSIONS / "sessions/2026-11/a.json").write_text('{"sesame": ')
    sessions = SessionStore(bench.path / SESSIONS)
    assert [each.session_id for each in sessions.all()] == ["b"]
    assert "a.json" in str(sessions.problems[0])
    assert "sesame" not in str(sessions.problems[0])
    with pytest.raises(BadInput):
        sessions.read("a")


def test_a_session_is_found_by_the_beginning_of_its_id(bench: Workbench) -> None:
    archived(bench, talk("one?", name="abc1"), talk("one?", name="abc2"), talk("one?", name="abc"))
    sessions = SessionStore(bench.path / SESSIONS)
    assert sessions.find("abc1") == ["abc1"]
    assert sessions.find("abc") == ["abc"]
    assert sessions.find("ab") == ["abc", "abc1", "abc2"]


def test_a_session_reads_back_as_it_was_written() -> None:
    kept = keep(talk("why?", "because", title="T", participants=("A",), meta={"user_id": "u", "zz": [1]}), None, NOW).session
    assert Session.from_json(kept.to_json(), "x") == kept
    given = conversation({**kept.to_json(), "archivedAt": None}, "x")
    assert (given.id, given.messages, given.meta["zz"]) == ("s1", kept.messages, [1])


# ---- summaries


def said(*texts: str) -> list[Message]:
    return [Message(("user", "assistant")[n % 2], text) for n, text in enumerate(texts)]


def test_a_summary_is_in_the_language_of_the_session() -> None:
    english = summarize(said("How do I reset the portal password?", "Choose Forgot password. It mails a link."))
    assert english.summary == "Asked: How do I reset the portal password? Answered: Choose Forgot password."
    chinese = summarize(said("发票抬头怎么修改？", "在订单页修改发票抬头。只能改一次。"))
    assert chinese.summary == "问：发票抬头怎么修改？答：在订单页修改发票抬头。"
    assert "发票抬头" in " ".join(chinese.keywords)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("Let's go with the blue theme.", "decisions"),
        ("We decided to ship on Friday.", "decisions"),
        ("那就这么定了，周五上线。", "decisions"),
        ("决定每天零点运行。", "decisions"),
        ("Turns out the cache was stale.", "lessons"),
        ("教训是先备份再升级。", "lessons"),
        ("Please don't use tables.", "feedback"),
        ("不要用表格。", "feedback"),
        ("不对，我说的是另一个文件。", "feedback"),
    ],
)
def test_what_was_decided_learned_and_wished_is_quoted(text: str, field: str) -> None:
    found = getattr(summarize(said(text, "ok", "Why don't you decide?", "好的"), participants=("Ann",)), field)
    assert len(found) == 1
    assert (found[0].get("text") or found[0]["user"]).rstrip(".。") == text.rstrip(".。")


def test_questions_code_and_quotes_decide_nothing() -> None:
    found = summarize(said("> we decided\nHow should we decide?\n```\n# never use this\n```", "什么时候决定？"))
    assert (found.decisions, found.lessons, found.feedback) == ((), (), ())


def test_the_same_messages_always_give_the_same_summary() -> None:
    texts = ("升级之后报表导出失败，怎么办？", "先清缓存。报表导出恢复了。", "报表导出还是慢", "加索引。")
    assert summarize(said(*texts)) == summarize(said(*texts))
    assert summarize([]).summary == ""


def test_the_time_is_read_in_any_offset(bench: Workbench) -> None:
    when = datetime(2026, 11, 29, 23, 30, tzinfo=UTC)
    archived(bench, Conversation("z", "x", messages=(Message("user", "q?", when.astimezone(UTC)),)))
    assert everything(bench.path / CHAT).turns[0].timestamp == when


# ---- caps, names, and what came before


@pytest.mark.parametrize(
    ("field", "given", "end"),
    [
        ("title", "t" * 300_000, "more characters]"),
        ("title", "标" * 300_000, "字未收］"),
        ("topics", ["t" * 300_000], "more characters]"),
        ("topics", [f"topic {n}" for n in range(900)], "[851 more]"),
        ("keywords", ["词" * 5000], "字未收］"),
        ("participants", ["p" * 9000], "more characters]"),
        ("decisions", [{"text": "d" * 90_000, "context": "c"}], "more characters]"),
        ("lessons", [{"text": f"l{n}"} for n in range(900)], "[701 more]"),
        ("summary", "s" * 90_000, "more characters]"),
    ],
)
def test_what_is_said_about_a_session_is_capped_and_says_so(bench: Workbench, field: str, given: Any, end: str) -> None:
    question = "why? " * 50_000
    value = {"sessionId": "big", field: given, "messages": [{"role": "user", "content": question}]}
    assert bench.mfgit("archive", "session", "add", stdin=json.dumps(value)).code == 0
    kept = session(bench, "big")
    shown = kept.to_json()[field]
    last = shown if isinstance(shown, str) else shown[-1] if isinstance(shown[-1], str) else shown[-1]["text"]
    assert last.endswith(end)
    assert len(json.dumps(shown)) < 30_000
    assert kept.messages[0].content == question
    before = {path: path.read_bytes() for path in (bench.path / SESSIONS).rglob("*.json")}
    assert bench.mfgit("archive", "session", "add", stdin=json.dumps(value)).out.startswith("big: known already")
    assert before == {path: path.read_bytes() for path in (bench.path / SESSIONS).rglob("*.json")}


@pytest.mark.parametrize("text", ["x" * 301, "文" * 4000, "a" * 290 + "[redacted:email-b] " + "b" * 50])
def test_a_cap_is_kept_counts_truly_and_changes_nothing_again(text: str) -> None:
    once = capped_text("title", text)
    assert len(once) <= CAPS["title"].length
    assert capped_text("title", once) == once
    kept = once.partition("…")[0]
    missing = int("".join(character for character in once[len(kept) :] if character.isdecimal()))
    assert len(kept) + missing == len(text)
    assert text.startswith(kept)
    assert kept.count("[") == kept.count("]")


def test_ids_that_differ_in_case_only_have_files_that_any_disk_keeps_apart(bench: Workbench) -> None:
    for name in ("Ab", "aB", "ab", "con", "AB"):
        archived(bench, talk(f"who is {name}?", name=name))
    archived(bench, talk("who is aB?", "It is aB.", name="aB"))
    names = [path.name.casefold() for path in (bench.path / SESSIONS / "sessions/2026-11").iterdir()]
    assert len(names) == len(set(names)) == 5
    for name in ("Ab", "aB", "ab", "con", "AB"):
        assert session(bench, name).messages[0].content == f"who is {name}?"
    assert len(session(bench, "aB").messages) == 2
    assert SessionStore(bench.path / SESSIONS).find("aB") == ["aB"]
    assert "Ab.json" in {path.name for path in (bench.path / SESSIONS / "sessions/2026-11").iterdir()}


def test_a_disk_that_takes_twins_for_one_gives_each_its_own(bench: Workbench) -> None:
    archived(bench, talk("one?", name="Ab"))
    sessions = SessionStore(bench.path / SESSIONS)
    own = sessions.path_of("Ab")
    assert own is not None
    for name in ("aB.json", "Ab.JSON", "aB.JSON"):  # as such a disk answers
        own.with_name(name).hardlink_to(own)
    assert sessions.path_of("aB") is None
    assert sessions.path_of("Ab") == own


@pytest.mark.parametrize(("minutes", "turns"), [(5, 1), (40, 2)])
def test_the_same_question_asked_again_later_is_another_turn(bench: Workbench, minutes: int, turns: int) -> None:
    bench.mfgit("archive", "append", stdin=feed(turn(1, user_message="is it done?")))
    later = Message("user", "is it done?", NOW + timedelta(minutes=minutes))
    archived(bench, Conversation("s1", "webchat", messages=(later, Message("assistant", "yes", later.time))))
    assert len(everything(bench.path / CHAT).turns) == turns


@pytest.mark.parametrize(("minutes", "turns"), [(5, 1), (40, 2)])
def test_a_backend_that_sends_it_later_is_read_once_or_twice(bench: Workbench, minutes: int, turns: int) -> None:
    archived(bench, talk("is it done?", "yes"))
    bench.mfgit("archive", "append", stdin=feed(turn(1, NOW + timedelta(minutes=minutes), user_message="is it done?")))
    assert len(everything(bench.path / CHAT).turns) == turns


def test_a_conversation_without_times_still_meets_the_turns_of_its_backend(bench: Workbench) -> None:
    bench.mfgit("archive", "append", stdin=feed(turn(1, user_message="is it done?")))
    untimed = (Message("user", "is it done?"), Message("assistant", "yes"))
    archived(bench, Conversation("s1", "webchat", messages=untimed), now=NOW + timedelta(hours=3))
    assert len(everything(bench.path / CHAT).turns) == 1


KILLED = """
import os, signal, sys
from pathlib import Path
from mfgit.archive import sessions
sessions.os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
sessions.replace_file(Path(sys.argv[1]), b"half")
"""


def test_what_a_kill_left_of_a_file_goes_when_it_is_written_again(tmp_path: Path) -> None:
    path, other = tmp_path / "a[1].json", tmp_path / ".b.json.1.new"
    path.write_bytes(b"old")
    other.write_bytes(b"of another file")
    died = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert died.returncode == -signal.SIGKILL
    assert (path.read_bytes(), len(list(tmp_path.iterdir()))) == (b"old", 3)
    replace_file(path, b"new")
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == {path: b"new", other: b"of another file"}


def test_the_folder_of_sessions_is_tidied_whole(bench: Workbench) -> None:
    sessions = SessionStore(bench.path / SESSIONS)
    left = [sessions.folder / ".holds.json.12.new", sessions.sessions / "2026-11" / ".s.json.12.new"]
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"half")
    with sessions.locked():
        sessions.tidy()
    assert not any(path.exists() for path in left)
