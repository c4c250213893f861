"""Open WebUI: exported chats, one or many, with the ratings that their messages carry; and the export of feedback.

A chat is a tree (`history.messages`); the branch that ends in `currentId` is what the user sees. Reasoning and tool calls are
folded into the text as `<details type=…>` and left out. In the export of feedback each row holds the chat it rates.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mfgit.importers.found import Damage, Skipped
from mfgit.importers.jsonstream import records
from mfgit.importers.parts import OTHER_BRANCH, Builder, branch, each, mapping, sequence, string, text_of, verdict, when
from mfgit.importers.source import Source
from mfgit.session import Conversation

EXPECTED = "chats exported from Open WebUI, one or all (openwebui)"
FILES = r"\.jsonl?$"
FOLDED = re.compile(
    r"<details(\b[^>]*\btype=[^>]*>|>\s*<summary>\s*(Thought|Thinking|Reasoning|Tool)).*?</details>\n?", re.DOTALL
)
REASONING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>\n?", re.DOTALL)


def read(source: Source) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the chats of an export."""
    for member in source.files(FILES):
        yield from each(records(member, ("chats", "data")), conversation)


def conversation(value: Any) -> Iterator[Conversation | Skipped]:
    """Yield one chat of the export."""
    row = feedback = mapping(value)
    if isinstance(mapping(row.get("snapshot")).get("chat"), dict):
        row = row["snapshot"]["chat"]
    chat = mapping(row.get("chat")) or row
    history = mapping(chat.get("history"))
    nodes = {name: node for name, node in mapping(history.get("messages")).items() if isinstance(node, dict)}
    if not nodes:
        nodes = {str(number): node for number, node in enumerate(sequence(chat.get("messages"))) if isinstance(node, dict)}
    if not nodes or not any("role" in node for node in nodes.values()) or not ("history" in chat or "chat" in row):
        yield Skipped("not a conversation")
        return
    talk = Builder()
    talk.id, talk.title = string(row.get("id")), string(row.get("title")) or string(chat.get("title"))
    talk.started = when(row.get("created_at")) or when(chat.get("timestamp"))
    talk.meta = {"user_id": row["user_id"]} if isinstance(row.get("user_id"), str) else {}
    leaf = string(history.get("currentId"))
    shown = branch(nodes, leaf if leaf in nodes else next(reversed(nodes)), lambda node: string(node.get("parentId")))
    if len(shown) < len(nodes):
        talk.skipped[OTHER_BRANCH] += len(nodes) - len(shown)
    notes = {string(mapping(feedback.get("meta")).get("message_id")): mapping(feedback.get("data"))}
    for node in shown:
        add(talk, node, mapping(node.get("annotation")) or mapping(notes.get(string(node.get("id")))))
    yield from talk.finish("openwebui", participants=("user", "assistant"))


def add(talk: Builder, node: Mapping[str, Any], note: Mapping[str, Any]) -> None:
    """Add a message and its rating, or count why not."""
    role = node.get("role")
    if role not in ("user", "assistant", "system"):
        talk.skipped["message of an unknown role"] += 1
        return
    text = text_of(node.get("content"))
    if role == "assistant":
        text = REASONING.sub("", FOLDED.sub("", text))
    said = talk.say(role, text.strip(), node.get("timestamp"), node.get("id"))
    rating = verdict(note.get("rating"))
    if said and role == "assistant" and rating is not None:
        talk.rate(rating, (note.get("reason"), *sequence(note.get("tags"))), note.get("comment"))
