"""OpenClaw and pi: session files, JSON Lines that begin with a `session` record.

From version 2 on the records are a tree by `id` and `parentId`; the branch that ends in the last record is the session.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from mfgit.importers.found import Damage, Skipped, kind_of
from mfgit.importers.jsonstream import records
from mfgit.importers.parts import OTHER_BRANCH, Builder, branch, compact, mapping, sequence, string, text_of, when
from mfgit.importers.source import Member, Source
from mfgit.session import Conversation

EXPECTED = "a session file of OpenClaw or pi (.jsonl), or a folder of them (openclaw)"
FILES = r"\.jsonl(\.(reset|deleted)\b.*)?$"
KNOWN = frozenset(
    (
        *("compaction", "branch_summary", "model_change", "thinking_level_change", "custom", "custom_message", "label"),
        *("session_info", "leaf"),
    )
)
"""Records that are no messages; they are counted by type."""
MIRROR = "delivery-mirror"
"""The model that OpenClaw names where it notes what it sent to a channel: the reply once more."""


def read(source: Source) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the sessions of a file or folder."""
    for member in source.files(FILES):
        yield from session_file(member)


def session_file(member: Member) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the session of one file."""
    talk = Builder()
    nodes: dict[str, Mapping[str, Any]] = {}
    parents: dict[int, str] = {}
    last = ""
    for record in records(member):
        if isinstance(record, Skipped | Damage):
            yield record
        elif not isinstance(record, dict):
            yield Skipped("record that is no object")
        elif record.get("type") == "session":
            head(talk, record)
        else:
            name = string(record.get("id")) or f"line {len(nodes)}"
            parent = string(record.get("parentId"))
            parents[id(record)] = parent if parent in nodes or not parent else last  # its parent was lost: the one before
            nodes[name], last = record, name
    shown = branch(nodes, last, lambda record: parents[id(record)])
    if len(shown) < len(nodes):
        talk.skipped[OTHER_BRANCH] += len(nodes) - len(shown)
    for record in shown:
        add(talk, record)
    if nodes or talk.id:
        yield from talk.finish("openclaw", participants=("user", "assistant"))


def head(talk: Builder, record: Mapping[str, Any]) -> None:
    """Take what the first record of a file says of its session."""
    if not talk.id:
        talk.id, talk.started = string(record.get("id")), when(record.get("timestamp"))
        talk.meta = {
            name: record[name] for name in ("cwd", "parentSession", "branchedFrom") if isinstance(record.get(name), str)
        }


def add(talk: Builder, record: Mapping[str, Any]) -> None:
    """Add what a record says, or count why not."""
    kind = kind_of(record.get("type"))
    if kind == "session_info" and string(record.get("name")):
        talk.title = record["name"]
    if kind in KNOWN:
        talk.skipped[f"{kind} record"] += 1
    elif kind != "message":
        talk.keep(record, kind)
    elif not isinstance(record.get("message"), dict):
        talk.skipped["record without a message"] += 1
    else:
        converse(talk, record["message"], record)


def converse(talk: Builder, message: Mapping[str, Any], record: Mapping[str, Any]) -> None:
    """Add a message: what was said, and tools as theirs."""
    role, content = message.get("role"), message.get("content")
    if message.get("model") == MIRROR:
        talk.skipped["copy of a reply"] += 1
        return
    time = record.get("timestamp") or message.get("timestamp")
    if role == "toolResult":
        talk.tool(text_of(content), time)
    elif role == "bashExecution":
        talk.tool(f"{string(message.get('command'))}\n{string(message.get('output'))}", time)
    elif role not in ("user", "assistant"):
        talk.skipped[f"{kind_of(role)} message"] += 1
    else:
        text = text_of(content)
        if text.strip() or not sequence(content):
            talk.say(str(role), text, time, record.get("id"))
        for block in map(mapping, sequence(content)):
            if block.get("type") == "toolCall":
                talk.tool(f"{string(block.get('name'))} {compact(block.get('arguments'))}", time)
            elif block.get("type") != "text":
                talk.skipped[f"{kind_of(block.get('type'))} block"] += 1
