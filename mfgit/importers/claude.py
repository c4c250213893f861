"""Claude.ai: the data export, a zip file or folder with `conversations.json`.

Messages are a flat list. Newer exports name each message's parent: then edits and retries are in it too, and the branch that
ends in the newest message is what the user sees.
"""

from collections.abc import Iterator
from typing import Any

from mfgit.importers.found import Damage, Skipped, kind_of
from mfgit.importers.jsonstream import documents
from mfgit.importers.parts import OTHER_BRANCH, Builder, branch, compact, each, mapping, sequence, string, text_of, when
from mfgit.importers.source import Source
from mfgit.session import Conversation

EXPECTED = "a Claude.ai export: conversations.json, or the zip file or folder that holds it (claude)"
CONVERSATIONS = r"(^|/)conversations(-\d+)?\.json$"
ROLES = {"human": "user", "user": "user", "assistant": "assistant"}


def read(source: Source) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the conversations of an export."""
    for member in source.files(CONVERSATIONS, r"\.json$"):
        yield from each(documents(member, ("conversations",)), conversation)


def conversation(value: Any) -> Iterator[Conversation | Skipped]:
    """Yield one conversation of the export."""
    messages = value.get("chat_messages") if isinstance(value, dict) else None
    if not isinstance(messages, list):
        yield Skipped("not a conversation")
        return
    talk = Builder()
    talk.id, talk.title, talk.started = string(value.get("uuid")), string(value.get("name")), when(value.get("created_at"))
    messages = [message for message in messages if isinstance(message, dict)]
    shown = visible(messages, string(value.get("current_leaf_message_uuid")))
    if len(shown) < len(messages):
        talk.skipped[OTHER_BRANCH] += len(messages) - len(shown)
    for message in shown:
        add(talk, message)
    yield from talk.finish("claude", participants=("user", "assistant"))


def visible(messages: list[dict[str, Any]], leaf: Any) -> list[dict[str, Any]]:
    """Return the messages of the branch that the user sees."""
    nodes = {string(message.get("uuid")) or str(number): message for number, message in enumerate(messages)}
    if len(nodes) < len(messages):
        return messages
    newest = leaf if leaf in nodes else next(reversed(nodes), None)
    return branch(nodes, newest, lambda message: string(message.get("parent_message_uuid")))


def add(talk: Builder, message: dict[str, Any]) -> None:
    """Add a message, what came attached to it, and what its tools did."""
    role = ROLES.get(string(message.get("sender")))
    if role is None:
        talk.skipped["message of an unknown role"] += 1
        return
    time = message.get("created_at")
    for block in sequence(message.get("content")):
        kind = mapping(block).get("type")
        if kind == "tool_use":
            talk.tool(f"{string(block.get('name'))} {compact(block.get('input'))}", time)
        elif kind == "tool_result":
            talk.tool(text_of(block.get("content")), time)
        elif kind != "text":
            talk.skipped[f"{kind_of(kind)} block"] += 1
    said = text_of(message.get("content"))
    talk.say(role, said if said.strip() else string(message.get("text")), time, message.get("uuid"))
    for attached in sequence(message.get("attachments")):
        talk.tool(string(mapping(attached).get("extracted_content")), time)
