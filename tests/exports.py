"""Small exports of every product, made up, each in the shape that the product gives it."""

import json
import zipfile
from pathlib import Path
from typing import Any

from mfgit.importers.formats import detect, format_named
from mfgit.importers.found import Damage, Skipped
from mfgit.importers.source import Source
from mfgit.session import Conversation

CLOCK = 1_790_000_000
"""Seconds since 1970 at which the talks begin."""


def stamp(minute: int) -> str:
    return f"2026-09-21T13:{minute:02}:00.000Z"


def write(path: Path, value: Any) -> Path:
    """Write a value as JSON, a list of lines as JSON Lines where the name says so, a mapping of names as zip or folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, inside in value.items():
                archive.writestr(name, json.dumps(inside, ensure_ascii=False))
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in value), "utf-8")
    elif path.suffix == ".json":
        path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    else:
        for name, inside in value.items():
            write(path / name, inside)
    return path


class Read:
    """What an importer made of a source."""

    def __init__(self, path: Path, name: str = "") -> None:
        with Source(path) as source:
            self.name = name or detect(source) or ""
            found = list(format_named(self.name).read(source)) if self.name else []
        self.talks = [each for each in found if isinstance(each, Conversation)]
        self.damage = [str(each) for each in found if isinstance(each, Damage)]
        self.skipped: dict[str, int] = {}
        for each in found:
            if isinstance(each, Skipped):
                self.skipped[each.reason] = self.skipped.get(each.reason, 0) + each.times

    def said(self, number: int = 0, roles: tuple[str, ...] = ("user", "assistant")) -> list[tuple[str, str]]:
        """Return role and text of what was said in a conversation."""
        return [(each.role, each.content) for each in self.talks[number].messages if each.role in roles]


TWO = [("user", "How do I print?"), ("assistant", "Press P."), ("user", "怎么撤销"), ("assistant", "按 Z 键。")]
"""What is said in most exports."""


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def chatgpt_node(name: str, parent: str | None, role: str, text: str, minute: int, **more: Any) -> dict[str, Any]:
    content = more.pop("content", {"content_type": "text", "parts": [text]})
    message = {
        "id": f"m-{name}",
        "author": {"role": role},
        "create_time": CLOCK + 60 * minute,
        "content": content,
        "recipient": "all",
    }
    return {"id": name, "parent": parent, "children": [], "message": message | {"metadata": {}} | more}


def chatgpt() -> dict[str, Any]:
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://1"}
    nodes = [
        {"id": "root", "parent": None, "children": ["about"], "message": None},
        chatgpt_node("about", "root", "user", "the profile of the user", 0, **hidden),
        chatgpt_node("q1", "about", "user", TWO[0][1], 1),
        chatgpt_node("t1", "q1", "assistant", "", 1, content={"content_type": "thoughts", "thoughts": []}),
        chatgpt_node("c1", "t1", "assistant", "", 1, content={"content_type": "code", "text": "1+1"}, recipient="python"),
        chatgpt_node("c2", "c1", "tool", "", 1, content={"content_type": "execution_output", "text": "2"}),
        chatgpt_node("a1", "c2", "assistant", TWO[1][1], 2),
        chatgpt_node("q2old", "a1", "user", "first wording", 3),
        chatgpt_node("q2", "a1", "user", "", 4, content={"content_type": "multimodal_text", "parts": [picture, TWO[2][1]]}),
        chatgpt_node("a2old", "q2", "assistant", "first try", 5),
        chatgpt_node("a2", "q2", "assistant", TWO[3][1], 6),
    ]
    return {"id": "talk", "conversation_id": "talk", "title": "Keys", "create_time": CLOCK, "current_node": "a2",
            "mapping": {node["id"]: node for node in nodes}}  # fmt: skip


def claude() -> dict[str, Any]:
    def say(name: str, parent: str, sender: str, text: str, minute: int, **more: Any) -> dict[str, Any]:
        blocks = [{"type": "thinking", "thinking": "a secret thought"}] * (sender == "assistant") + [
            {"type": "text", "text": text}
        ]
        at = {"created_at": stamp(minute), "parent_message_uuid": parent}
        return {"uuid": name, "sender": sender, "text": text, "content": blocks, "attachments": [], **at, **more}

    messages = [
        say(
            "1",
            "00000000-0000-4000-8000-000000000000",
            "human",
            TWO[0][1],
            1,
            attachments=[{"extracted_content": "a pasted page"}],
        ),
        say("2", "1", "assistant", TWO[1][1], 2),
        say("3", "2", "human", "first wording", 3),
        say("4", "3", "assistant", "answer to it", 4),
        say("5", "2", "human", TWO[2][1], 5),
        say("6", "5", "assistant", TWO[3][1], 6),
    ]
    return {"uuid": "claude-talk", "name": "Keys", "created_at": stamp(0), "chat_messages": messages}


def claude_code() -> list[dict[str, Any]]:
    base = {"sessionId": "cc-talk", "cwd": "/srv/app", "isSidechain": False, "version": "2.1"}

    def say(kind: str, content: Any, minute: int, name: str, **more: Any) -> dict[str, Any]:
        message = {"role": kind, "content": content}
        return {"type": kind, "message": message, "uuid": name, "parentUuid": None, "timestamp": stamp(minute), **base, **more}

    return [
        {"type": "summary", "summary": "About keys", "leafUuid": "6"},
        {"type": "file-history-snapshot", "messageId": "1", "snapshot": {}},
        say("user", "<local-command-caveat>Caveat: …</local-command-caveat>", 0, "0", isMeta=True),
        say("user", "<command-name>/model</command-name>", 0, "00"),
        say("user", TWO[0][1], 1, "1"),
        say("assistant", [{"type": "thinking", "thinking": "a secret thought"}], 1, "2"),
        say("assistant", [text("I look."), {"type": "tool_use", "id": "t", "name": "Read", "input": {"file": "a"}}], 1, "3"),
        say("user", [{"type": "tool_result", "tool_use_id": "t", "content": "the file"}], 1, "4"),
        say("assistant", [text("a word of a sub-agent")], 1, "5", isSidechain=True),
        say("assistant", [text(TWO[1][1])], 2, "6"),
        {"type": "brand-new", "sessionId": "cc-talk", "payload": 1},
        say("user", "This session is being continued", 3, "7", isCompactSummary=True),
        say("user", [{"type": "text", "text": "<system-reminder>be kind</system-reminder>"}, text(TWO[2][1])], 4, "8"),
        say("assistant", [text(TWO[3][1])], 5, "9"),
        say("user", [text("[Request interrupted by user]")], 6, "10"),
    ]


def openclaw() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [{"type": "session", "version": 3, "id": "claw-talk", "timestamp": stamp(0), "cwd": "/srv"}]

    def add(kind: str, name: str, parent: str | None, minute: int, **more: Any) -> None:
        rows.append({"type": kind, "id": name, "parentId": parent, "timestamp": stamp(minute), **more})

    def say(name: str, parent: str | None, role: str, minute: int, *blocks: Any, **more: Any) -> None:
        add("message", name, parent, minute, message={"role": role, "content": list(blocks), **more})

    say("1", None, "user", 1, text(TWO[0][1]))
    say(
        "2",
        "1",
        "assistant",
        1,
        {"type": "thinking", "thinking": "a secret thought"},
        {"type": "toolCall", "name": "ls", "arguments": {}},
    )
    say("3", "2", "toolResult", 1, text("a listing"))
    say("4", "3", "assistant", 2, text(TWO[1][1]))
    say("4b", "4", "assistant", 2, text(TWO[1][1]), model="delivery-mirror")
    say("5", "4b", "user", 3, text("first wording"))
    say("6", "4b", "user", 4, text(TWO[2][1]))
    add("model_change", "7", "6", 4, provider="p", modelId="m")
    add("brand_new", "8", "7", 4, data=1)
    say("9", "8", "assistant", 5, text(TWO[3][1]))
    return rows


def codex() -> list[dict[str, Any]]:
    def row(kind: str, minute: int, **payload: Any) -> dict[str, Any]:
        return {"timestamp": stamp(minute), "type": kind, "payload": payload}

    def say(role: str, words: str, minute: int) -> dict[str, Any]:
        kind = "input_text" if role == "user" else "output_text"
        return row("response_item", minute, type="message", role=role, content=[{"type": kind, "text": words}])

    return [
        row("session_meta", 0, id="codex-talk", timestamp=stamp(0), cwd="/srv", cli_version="0.60", source="cli"),
        say("developer", "<permissions instructions>…", 0),
        say("user", "<environment_context>…</environment_context>", 0),
        say("user", TWO[0][1], 1),
        row("event_msg", 1, type="user_message", message=TWO[0][1]),
        row("turn_context", 1, model="m"),
        row("response_item", 1, type="reasoning", summary=[], encrypted_content="x"),
        row("response_item", 1, type="function_call", name="shell", arguments='{"command": "ls"}', call_id="1"),
        row("response_item", 1, type="function_call_output", call_id="1", output="a listing"),
        row("event_msg", 2, type="agent_message", message=TWO[1][1]),
        say("assistant", TWO[1][1], 2),
        say("user", TWO[2][1], 3),
        say("assistant", TWO[3][1], 4),
    ]


def openwebui() -> dict[str, Any]:
    folded = '<details type="reasoning" done="true">\n<summary>Thought</summary>\na secret thought\n</details>\n'
    said = [("1", None, "user", TWO[0][1]), ("2", "1", "assistant", folded + TWO[1][1]), ("3", "2", "user", TWO[2][1]),
            ("4x", "3", "assistant", "first try"), ("4", "3", "assistant", TWO[3][1])]  # fmt: skip
    messages: dict[str, Any] = {
        name: {
            "id": name,
            "parentId": parent,
            "childrenIds": [],
            "role": role,
            "content": text,
            "timestamp": CLOCK + 60 * minute,
        }
        for minute, (name, parent, role, text) in enumerate(said)
    }
    messages["4"]["annotation"] = {"rating": -1, "reason": "too_short", "comment": "say more", "tags": ["keys"]}
    inner = {"title": "Keys", "models": ["m"], "history": {"currentId": "4", "messages": messages}}
    return {"id": "webui-talk", "user_id": "u1", "title": "Keys", "chat": inner, "created_at": CLOCK}


def librechat(flat: bool = False) -> dict[str, Any]:
    def node(name: str, parent: str, text: str, minute: int, *children: Any, **more: Any) -> dict[str, Any]:
        mine = {"isCreatedByUser": name[0] == "q", "sender": "User" if name[0] == "q" else "M"}
        return {"messageId": name, "parentMessageId": parent, "text": text, "createdAt": stamp(minute), **mine, **more,
                "children": list(children)}  # fmt: skip

    last = node("a2", "q2", "", 5, content=[{"type": "think", "think": "…"}, {"type": "text", "text": {"value": TWO[3][1]}}],
                feedback={"rating": "thumbsUp", "tag": {"key": "clear"}})  # fmt: skip
    question = node("q2", "a1", TWO[2][1], 3, node("a2x", "q2", "first try", 4), last)
    answer = node("a1", "q1", TWO[1][1], 2, question)
    first = node("q1", "00000000-0000-0000-0000-000000000000", TWO[0][1], 1, answer)
    head = {"conversationId": "libre-talk", "endpoint": "openAI", "title": "Keys", "exportAt": "1:00", "recursive": not flat}
    if flat:
        return head | {"messages": [{**each, "children": []} for each in (first, answer, question, last)]}
    return head | {"messagesTree": [first]}


def slack() -> dict[str, Any]:
    def say(second: int, user: str, text: str, **more: Any) -> dict[str, Any]:
        return {"type": "message", "ts": f"{CLOCK + second}.000100", "user": user, "text": text, **more}

    start = f"{CLOCK + 1}.000100"
    return {
        "channels.json": [{"id": "C1", "name": "help"}],
        "users.json": [{"id": "U1", "name": "ann"}, {"id": "U2", "name": "bo", "profile": {"display_name": "Bo B"}}],
        "help/2026-09-21.json": [
            say(1, "U1", "How do I print &lt;this&gt;, <@U2>?", thread_ts=start, reply_count=2),
            say(2, "U2", "See <https://docs.example.com/print|the page>.", thread_ts=start),
            say(3, "U1", "good morning"),
            say(4, "U2", "<@U2> has joined the channel", subtype="channel_join"),
            say(5, "", "build passed", subtype="bot_message", bot_id="B1"),
        ],
        "help/2026-09-22.json": [say(90_000, "U1", "Thanks!", thread_ts=start)],
    }


def sharegpt() -> dict[str, Any]:
    names = {"user": "human", "assistant": "gpt"}
    said = [{"from": names[role], "value": text} for role, text in TWO]
    return {"id": "7", "conversations": [{"from": "system", "value": "be kind"}, *said]}


def openai() -> dict[str, Any]:
    call = {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}
    said = [{"role": role, "content": text} for role, text in TWO]
    said[2]["content"] = [{"type": "text", "text": TWO[2][1]}, {"type": "image_url", "image_url": {}}]  # type: ignore[assignment]
    return {"messages": [{"role": "system", "content": "be kind"}, *said[:3], call, {"role": "tool", "content": "2"}, said[3]]}


def session() -> dict[str, Any]:
    said = [{"role": role, "content": text, "time": stamp(minute)} for minute, (role, text) in enumerate(TWO)]
    return {"sessionId": "own-talk", "date": "2026-09-21", "channel": "webchat", "participants": ["Ann", "Bot"],
            "topics": ["keys"], "summary": "about keys", "messages": said}  # fmt: skip


def own_turns() -> list[dict[str, Any]]:
    talk = {"session_id": "s1", "workspace_id": "w1"}
    return [
        {"timestamp": stamp(1), "request_id": "r1", **talk, "user_message": TWO[0][1], "assistant_message_id": "a1"},
        {"timestamp": stamp(3), "request_id": "r2", **talk, "user_message": TWO[2][1], "rating": "up"},
        {"event": "rating", "assistant_message_id": "a1", "rating": "down", "rated_at": stamp(9), "rating_reasons": ["wrong"]},
    ]
