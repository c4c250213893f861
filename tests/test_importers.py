"""Every format is read as its product shows the conversation: the visible branch, whole, with times and ratings."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mfgit.importers.parts import when
from tests import exports
from tests.exports import CLOCK, TWO, Read, write


def codex_events() -> list[dict[str, Any]]:
    rows = exports.codex()
    said = [{"type": "user_message" if role == "user" else "agent_message", "message": text} for role, text in TWO]
    return [rows[0], *({"timestamp": exports.stamp(5), "type": "event_msg", "payload": each} for each in said)]


def codex_early() -> list[dict[str, Any]]:
    head = {"id": "codex-talk", "timestamp": exports.stamp(0), "instructions": None}
    return [head, {"record_type": "state"}, *(row["payload"] for row in exports.codex() if row["type"] == "response_item")]


def webui_feedback() -> dict[str, Any]:
    chat = exports.openwebui()
    del chat["chat"]["history"]["messages"]["4"]["annotation"]
    return {"id": "f", "type": "rating", "data": {"rating": -1, "reason": "too_short", "comment": "say more", "tags": ["keys"]},
            "meta": {"message_id": "4", "chat_id": "webui-talk"}, "snapshot": {"chat": chat}}  # fmt: skip


TALKS: dict[str, tuple[str, str, Callable[[], Any]]] = {
    "chatgpt file": ("chatgpt", "conversations.json", lambda: [exports.chatgpt()]),
    "chatgpt zip": ("chatgpt", "export.zip", lambda: {"conversations.json": [exports.chatgpt()], "user.json": {}}),
    "chatgpt zip in parts": (
        "chatgpt",
        "export.zip",
        lambda: {"a/conversations-000.json": [exports.chatgpt()], "a/conversations-001.json": []},
    ),
    "chatgpt folder": ("chatgpt", "export", lambda: {"conversations.json": [exports.chatgpt()], "message_feedback.json": []}),
    "claude": ("claude", "conversations.json", lambda: [exports.claude()]),
    "claude wrapped": ("claude", "conversations.json", lambda: {"conversations": [exports.claude()]}),
    "claude-code": ("claude-code", "cc-talk.jsonl", exports.claude_code),
    "claude-code web": ("claude-code", "web.json", lambda: {"loglines": exports.claude_code()}),
    "openclaw": ("openclaw", "claw-talk.jsonl", exports.openclaw),
    "codex": ("codex", "rollout-1.jsonl", exports.codex),
    "codex events": ("codex", "rollout-2.jsonl", codex_events),
    "codex of early 2025": ("codex", "rollout-3.jsonl", codex_early),
    "openwebui all": ("openwebui", "chats.json", lambda: [exports.openwebui()]),
    "openwebui one": ("openwebui", "chat.json", lambda: exports.openwebui()["chat"]),
    "openwebui feedback": ("openwebui", "feedback.json", lambda: [webui_feedback()]),
    "librechat tree": ("librechat", "talk.json", exports.librechat),
    "librechat flat": ("librechat", "talk.json", lambda: exports.librechat(flat=True)),
    "sharegpt array": ("sharegpt", "data.json", lambda: [exports.sharegpt()]),
    "sharegpt lines": ("sharegpt", "data.jsonl", lambda: [exports.sharegpt()]),
    "openai array": ("openai", "data.json", lambda: [exports.openai()]),
    "openai lines": ("openai", "data.jsonl", lambda: [exports.openai()]),
    "openai messages": ("openai", "data.json", lambda: exports.openai()["messages"]),
    "sessions": ("sessions", "own.json", exports.session),
    "sessions lines": ("sessions", "own.jsonl", lambda: [exports.session()]),
}


@pytest.mark.parametrize("case", TALKS)
@pytest.mark.parametrize("by_name", [True, False], ids=["by name", "auto"])
def test_the_visible_conversation_comes_out_whole(tmp_path: Path, case: str, by_name: bool) -> None:
    name, file, make = TALKS[case]
    read = Read(write(tmp_path / file, make()), name if by_name else "")
    assert read.name == name
    assert len(read.talks) == 1
    said = [each for each in read.said() if not each[1].startswith(("<command", "[Request", "I look."))]
    assert said == TWO
    assert not read.damage
    assert "secret thought" not in str(read.talks)
    assert "profile" not in str(read.talks[0].messages)


@pytest.mark.parametrize("case", TALKS)
def test_ids_are_the_same_at_every_reading(tmp_path: Path, case: str) -> None:
    name, file, make = TALKS[case]
    path = write(tmp_path / file, make())
    assert Read(path, name).talks == Read(path, name).talks
    assert Read(path, name).talks[0].id


@pytest.mark.parametrize("case", [case for case in TALKS if not case.startswith(("sharegpt", "openai", "codex of early"))])
def test_messages_have_their_time(tmp_path: Path, case: str) -> None:
    name, file, make = TALKS[case]
    assert all(each.time for each in Read(write(tmp_path / file, make()), name).talks[0].messages)


LEFT_OUT = {
    "chatgpt file": {"hidden message": 1, "thoughts message": 1, "message of another branch": 2},
    "claude": {"thinking block": 2, "message of another branch": 2},
    "claude-code": {
        "summary record": 1,
        "file-history-snapshot record": 1,
        "message put in by the program": 3,
        "thinking block": 1,
        "message of a sub-agent": 1,
        "unknown record: brand-new": 1,
    },
    "openclaw": {
        "message of another branch": 1,
        "thinking block": 1,
        "model_change record": 1,
        "unknown record: brand_new": 1,
        "copy of a reply": 1,
    },
    "codex": {"message put in by the program": 2, "turn_context record": 1, "reasoning item": 1},
    "openwebui all": {"message of another branch": 1},
    "librechat tree": {"message of another branch": 1, "thinking or attachment": 1},
    "openai array": {"image_url block": 1},
}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_what_is_left_out_is_counted(tmp_path: Path, case: str) -> None:
    name, file, make = TALKS[case]
    assert Read(write(tmp_path / file, make()), name).skipped == LEFT_OUT[case]


@pytest.mark.parametrize("case", ["claude-code", "openclaw"])
def test_records_of_unknown_types_are_kept(tmp_path: Path, case: str) -> None:
    name, file, make = TALKS[case]
    assert [each["type"].replace("_", "-") for each in Read(write(tmp_path / file, make()), name).talks[0].meta["records"]] == [
        "brand-new"
    ]


TOOLS = {
    "chatgpt file": ["1+1", "2"],
    "claude": ["a pasted page"],
    "claude-code": ['Read {"file": "a"}', "the file"],
    "openclaw": ["ls {}", "a listing"],
    "codex": ['shell {"command": "ls"}', "a listing"],
    "openai array": ["f {}", "2"],
}


@pytest.mark.parametrize("case", TOOLS)
def test_what_tools_did_is_kept_apart(tmp_path: Path, case: str) -> None:
    name, file, make = TALKS[case]
    assert [text for _, text in Read(write(tmp_path / file, make()), name).said(roles=("tool",))] == TOOLS[case]


def test_chatgpt_ratings_come_from_their_file(tmp_path: Path) -> None:
    feedback = [
        {"message_id": "m-a1", "conversation_id": "talk", "rating": "thumbsUp", "content": "{}"},
        {"id": "m-a2", "rating": "thumbs_down", "content": '{"tags": ["not_true"], "text": "no"}'},
        {"message_id": "m-a2old", "rating": "thumbs_down", "content": None},
    ]
    read = Read(write(tmp_path / "x.zip", {"conversations.json": [exports.chatgpt()], "message_feedback.json": feedback}))
    rated = {each.id: (each.rating, each.rating_reasons, each.rating_note) for each in read.talks[0].messages if each.rating}
    assert rated == {"m-a1": ("up", (), None), "m-a2": ("down", ("not_true",), "no")}
    assert read.skipped["rating of a message that is not shown"] == 1


@pytest.mark.parametrize("case", ["openwebui all", "openwebui feedback"])
def test_open_webui_ratings_come_with_reason_tags_and_comment(tmp_path: Path, case: str) -> None:
    last = Read(write(tmp_path / "x.json", TALKS[case][2]())).talks[0].messages[-1]
    assert (last.rating, last.rating_reasons, last.rating_note) == ("down", ("too_short", "keys"), "say more")


def test_librechat_ratings(tmp_path: Path) -> None:
    last = Read(write(tmp_path / "x.json", exports.librechat())).talks[0].messages[-1]
    assert (last.rating, last.rating_reasons) == ("up", ("clear",))


def test_chatgpt_without_a_current_node_shows_the_newest_branch(tmp_path: Path) -> None:
    talk = exports.chatgpt()
    talk["current_node"] = None
    assert Read(write(tmp_path / "x.json", [talk])).said() == TWO


def test_chatgpt_without_links_is_read_in_order(tmp_path: Path) -> None:
    talk = exports.chatgpt()
    talk["mapping"] = {name: {"id": name, "message": talk["mapping"][name]["message"]} for name in ("q1", "a1", "q2", "a2")}
    assert Read(write(tmp_path / "x.json", [talk])).said() == TWO


def test_chatgpt_links_by_children_alone_are_followed(tmp_path: Path) -> None:
    talk = exports.chatgpt()
    for node in talk["mapping"].values():
        if node.get("parent"):
            talk["mapping"][node.pop("parent")]["children"].append(node["id"])
    assert Read(write(tmp_path / "x.json", [talk])).said() == TWO


def test_what_was_spoken_to_chatgpt_is_read_from_its_transcription(tmp_path: Path) -> None:
    talk = exports.chatgpt()
    spoken = [{"content_type": "audio_transcription", "text": "said aloud"}, {"content_type": "audio_asset_pointer"}]
    talk["mapping"]["q2"]["message"]["content"]["parts"] = spoken
    assert Read(write(tmp_path / "x.json", [talk])).said()[2] == ("user", "said aloud")


def test_a_session_of_claude_code_that_went_on_under_another_id_is_two(tmp_path: Path) -> None:
    rows = exports.claude_code()
    for row in rows[-3:]:
        row["sessionId"] = "cc-next"
    assert [talk.id for talk in Read(write(tmp_path / "x.jsonl", rows)).talks] == ["cc-talk", "cc-next"]


def test_a_message_of_claude_code_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    rows = exports.claude_code()
    read = Read(write(tmp_path / "x.jsonl", [*rows, *rows]))
    assert read.said() == Read(write(tmp_path / "y.jsonl", rows)).said()


def test_what_is_typed_while_claude_code_works_is_a_question_too(tmp_path: Path) -> None:
    rows = exports.claude_code()
    base = {"type": "attachment", "sessionId": "cc-talk", "uuid": "q", "timestamp": exports.stamp(4)}
    typed = {"type": "queued_command", "prompt": "and in colour?", "commandMode": "prompt", "origin": {"kind": "human"}}
    told = {"type": "queued_command", "prompt": "<task-notification>", "commandMode": "task-notification"}
    rows[10:10] = [{**base, "attachment": typed}, {**base, "attachment": told}, {**base, "attachment": {"type": "todo"}}]
    read = Read(write(tmp_path / "x.jsonl", rows))
    assert ("user", "and in colour?") in read.said()
    assert read.skipped["attachment record"] == 2


def test_sub_agents_of_claude_code_are_no_conversation(tmp_path: Path) -> None:
    rows = [{**row, "isSidechain": True} for row in exports.claude_code()]
    assert Read(write(tmp_path / "agent-1.jsonl", rows)).talks == []


def test_a_codex_session_of_a_sub_agent_is_left_out(tmp_path: Path) -> None:
    rows = exports.codex()
    rows[0]["payload"]["source"] = {"subagent": "review"}
    read = Read(write(tmp_path / "x.jsonl", rows))
    assert (read.talks, read.skipped["session of a sub-agent"]) == ([], 1)


def test_pi_sessions_without_ids_are_read_in_order(tmp_path: Path) -> None:
    rows = [{name: row[name] for name in row if name not in ("id", "parentId", "version")} for row in exports.openclaw()]
    rows = [row for row in rows if "first wording" not in str(row)]
    rows[0]["id"] = "pi-talk"
    read = Read(write(tmp_path / "x.jsonl", rows))
    assert (read.talks[0].id, read.said()) == ("pi-talk", TWO)


def test_an_openclaw_branch_goes_on_over_a_lost_record(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", exports.openclaw())
    path.write_text(path.read_text().replace('{"type": "model_change"', '{"type": "model_change', 1))
    read = Read(path)
    assert read.said() == TWO
    assert read.skipped["unreadable line"] == 1


def test_a_slack_thread_is_one_question_with_its_answers(tmp_path: Path) -> None:
    for path in (tmp_path / "space.zip", tmp_path / "space"):
        read = Read(write(path, exports.slack()))
        assert read.name == "slack"
        assert read.skipped == {"message of Slack": 1, "message of a bot": 1}
        loose, thread = read.talks
        assert (thread.id, thread.channel, thread.participants) == (f"C1-{CLOCK + 1}.000100", "#help", ("ann", "Bo B"))
        assert read.said(1) == [
            ("user", "How do I print <this>, @Bo B?"),
            ("assistant", "See the page (https://docs.example.com/print)."),
            ("assistant", "Thanks!"),
        ]
        assert [each.content for each in loose.messages] == ["ann: good morning"]
        assert loose.messages[0].role != "user"


def test_a_long_librechat_tree_is_not_too_deep(tmp_path: Path) -> None:
    tree = ""
    for number in reversed(range(1200)):
        said = {"messageId": f"{number}", "parentMessageId": f"{number - 1}", "isCreatedByUser": number % 2 == 0}
        tree = json.dumps(said | {"text": f"line {number}", "children": []})[:-2] + tree + "]}"
    path = tmp_path / "x.json"
    path.write_text('{"conversationId": "deep", "messagesTree": [' + tree + "]}")
    assert len(Read(path, "librechat").said()) == 1200


def test_own_sessions_keep_what_they_say(tmp_path: Path) -> None:
    talk = Read(write(tmp_path / "own.json", exports.session())).talks[0]
    assert (talk.id, talk.channel, talk.participants) == ("own-talk", "webchat", ("Ann", "Bot"))
    assert (talk.meta["topics"], talk.meta["summary"]) == (["keys"], "about keys")


ODD = {
    "wrong types": [{"id": 5, "mapping": "x", "chat_messages": 7, "chat": [], "messages": {}, "conversations": 1}],
    "odd items": [1, None, "x", {"a": []}, [[]]],
    "odd inside": [
        {"mapping": {"a": 1, "b": {"message": []}, "c": {"message": {"author": 1, "content": 2}}}},
        {"chat_messages": [1, {"sender": 5, "content": 7}]},
        {"messages": [1, {"role": [], "content": {}}], "sessionId": 5},
        {"conversations": [{"from": 1, "value": 2}, 3]},
        {"chat": {"history": {"messages": {"a": {"role": {}, "content": 3}}, "currentId": []}}},
        {"messagesTree": [1, {"isCreatedByUser": 1, "text": {}, "children": {"x": 1}}]},
        {"type": "message", "id": 3, "parentId": [], "message": {"role": {}, "content": 5}},
        {"type": "user", "sessionId": [], "uuid": {}, "message": {"role": 3, "content": [1, None, {"type": []}]}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": 4}},
        {"type": {}, "payload": []},
    ],
}


@pytest.mark.parametrize("name", ["sessions", "chatgpt", "claude", "claude-code", "openclaw", "codex", "openwebui", "librechat",
                                  "sharegpt", "openai"])  # fmt: skip
@pytest.mark.parametrize("odd", ODD)
def test_odd_shapes_are_counted_and_never_an_accident(tmp_path: Path, name: str, odd: str) -> None:
    for file in ("x.json", "x.jsonl"):
        read = Read(write(tmp_path / file, ODD[odd]), name)
        assert not [each for talk in read.talks for each in talk.messages if each.role in ("user", "assistant")]
        assert read.skipped


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        (CLOCK, CLOCK),
        (CLOCK + 0.5, CLOCK + 0.5),
        (CLOCK * 1000, CLOCK),
        (CLOCK * 10**9, CLOCK),
        (f"{CLOCK}.000200", CLOCK + 0.0002),
        ("2026-09-21T14:13:20Z", CLOCK),
        ("2026-09-21T22:13:20+08:00", CLOCK),
        ("2026-09-21T14:13:20.000000", CLOCK),
    ],
)
def test_times_are_read_in_every_spelling(given: Any, seconds: float) -> None:
    found = when(given)
    assert found is not None
    assert abs(found.timestamp() - seconds) < 0.001
    assert found.tzinfo is not None


@pytest.mark.parametrize(
    "given", [None, True, 0, -5, "", "yesterday", 10**30, float("nan"), float("inf"), "9999-01-01", [], {}, "1" * 50]
)
def test_what_is_no_time_is_none(given: Any) -> None:
    assert when(given) is None


def test_the_times_of_a_talk_are_in_utc(tmp_path: Path) -> None:
    first = Read(write(tmp_path / "x.json", [exports.chatgpt()])).talks[0].messages[0]
    assert first.time == datetime.fromtimestamp(CLOCK + 60, UTC)
