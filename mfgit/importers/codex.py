"""Codex: the session files `rollout-*.jsonl` under `~/.codex/sessions/`, in both shapes.

Since late 2025 each line is `{timestamp, type, payload}`, before it is the item itself behind a first line about the session.
What is said is there twice, as `response_item` for the model and as `event_msg` for the screen: the items count, the events
only where there are no items.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mfgit.importers.found import Damage, Skipped, kind_of
from mfgit.importers.jsonstream import records
from mfgit.importers.parts import Builder, compact, mapping, sequence, string, text_of, when
from mfgit.importers.source import Member, Source
from mfgit.session import Conversation

EXPECTED = "a session file of Codex (rollout-….jsonl), or a folder of them (codex)"
FILES = r"\.jsonl$"
TEXT = ("input_text", "output_text", "text")
INJECTED = re.compile(
    r"\s*(<(environment_context|user_instructions|permissions|INSTRUCTIONS|turn_aborted|skill|collaboration_mode|apps_|plugins_)"
    r"|# AGENTS\.md instructions)"
)
ITEMS = frozenset(
    (
        *("message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"),
        *("local_shell_call", "local_shell_call_output", "web_search_call", "ghost_snapshot", "compaction"),
    )
)
EVENTS = {"user_message": "user", "agent_message": "assistant"}
COUNTED = ("turn_context", "compacted", "state", "event_msg")


def read(source: Source) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the sessions of a file or folder."""
    for member in source.files(FILES):
        yield from session_file(member)


def session_file(member: Member) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the session of one file."""
    talk, screen = Builder(), Builder()
    found = False
    for record in records(member, ("items",)):
        if isinstance(record, Skipped | Damage):
            yield record
        elif not isinstance(record, dict):
            yield Skipped("record that is no object")
        else:
            found = True
            add(talk, screen, record)
    if not any(message.role == "user" for message in talk.messages) and screen.messages:
        talk.messages = screen.messages
    if talk.meta.pop("subagent", False):
        yield Skipped("session of a sub-agent")
    elif found:
        yield from talk.finish("codex", participants=("user", "assistant"))


def add(talk: Builder, screen: Builder, record: Mapping[str, Any]) -> None:
    """Add what a line says to its session, or count why not."""
    kind, payload = string(record.get("type")), mapping(record.get("payload"))
    time = record.get("timestamp") or payload.get("timestamp")
    if kind == "session_meta":
        head(talk, payload, time)
    elif kind == "response_item":
        item(talk, payload, time)
    elif kind in ITEMS:
        item(talk, record, time)
    elif not kind and isinstance(record.get("id"), str) and time and not talk.messages:
        head(talk, record, time)
    elif kind == "event_msg" and string(payload.get("type")) in EVENTS:
        screen.say(EVENTS[payload["type"]], string(payload.get("message")), time)
    elif kind in COUNTED or record.get("record_type") == "state":
        talk.skipped[f"{kind_of(kind or 'state')} record"] += 1
    else:
        talk.keep(record, kind_of(kind))


def head(talk: Builder, about: Mapping[str, Any], time: Any) -> None:
    """Take what the first record says of its session; those of sessions it was forked from come later."""
    if not talk.id:
        talk.id, talk.started = string(about.get("id")), when(about.get("timestamp") or time)
        talk.meta = {name: about[name] for name in ("cwd", "cli_version", "originator") if isinstance(about.get(name), str)}
        talk.meta |= {"subagent": True} if "subagent" in mapping(about.get("source")) else {}


def item(talk: Builder, payload: Mapping[str, Any], time: Any) -> None:
    """Add one item of the conversation."""
    kind = string(payload.get("type"))
    if kind == "message":
        speak(talk, payload, time)
    elif kind.endswith("_output"):
        talk.tool(output_of(payload.get("output")), time)
    elif kind.endswith("_call"):
        arguments = payload.get("arguments") or payload.get("input") or payload.get("action")
        talk.tool(f"{string(payload.get('name')) or kind} {compact(arguments)}", time)
    elif kind in ITEMS:
        talk.skipped[f"{kind} item"] += 1
    else:
        talk.keep(payload, kind_of(kind))


def output_of(output: Any) -> str:
    """Return what a tool gave back: text, blocks, or an object in JSON with `output`."""
    if isinstance(output, dict):
        output = output.get("content") or output.get("output")
    return text_of(output, TEXT) if isinstance(output, str | list) else ""


def speak(talk: Builder, payload: Mapping[str, Any], time: Any) -> None:
    """Add a message, but what the program put in."""
    role, content = payload.get("role"), payload.get("content")
    blocks = [content] if isinstance(content, str) else [text_of([block], TEXT) for block in sequence(content)]
    asked = [block for block in blocks if role != "user" or not INJECTED.match(block)]
    text = "\n".join(asked)
    if role not in ("user", "assistant") or (blocks and not asked):
        talk.skipped["message put in by the program"] += 1
    else:
        talk.say(str(role), text, time, payload.get("id"))
