"""OpenAI messages: `{"messages": [{"role", "content"}]}`, an array or JSON Lines, or one array of messages. Without times."""

from collections.abc import Iterator
from typing import Any

from mfgit.importers.found import Damage, Skipped, kind_of
from mfgit.importers.jsonstream import records
from mfgit.importers.parts import Builder, compact, mapping, sequence, string, text_of, when
from mfgit.importers.source import Member, Source
from mfgit.session import Conversation

EXPECTED = 'OpenAI messages: {"messages": [{"role", "content"}]}, an array or JSON Lines (openai)'
FILES = r"\.jsonl?$"
FOREIGN = ("sessionId", "history", "mapping", "chat_messages")
"""Keys of other formats whose objects have `messages`, too."""
TEXT = ("text", "input_text", "output_text")
ROLES = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
}


def read(source: Source) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the conversations of files."""
    for member in source.files(FILES):
        yield from file(member)


def file(member: Member) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the conversations of one file; messages that stand by themselves are one together."""
    single = Builder()
    for value in records(member):
        if isinstance(value, Damage | Skipped):
            yield value
        elif isinstance(mapping(value).get("messages"), list) and not any(key in value for key in FOREIGN):
            yield from conversation(value)
        elif mapping(value).get("role") in ROLES and "content" in value:
            add(single, value)
        else:
            yield Skipped("not a conversation")
    if single.messages:
        yield from single.finish("openai", participants=("user", "assistant"))


def conversation(row: dict[str, Any]) -> Iterator[Conversation | Skipped]:
    """Yield one conversation."""
    talk = Builder()
    talk.id, talk.title = string(row.get("conversation_id")), string(row.get("title"))
    talk.started = next((time for name in ("created_at", "created", "timestamp") if (time := when(row.get(name)))), None)
    for message in row["messages"]:
        add(talk, mapping(message))
    yield from talk.finish("openai", participants=("user", "assistant"))


def add(talk: Builder, message: Any) -> None:
    """Add a message, or count why not."""
    role = ROLES.get(string(message.get("role")))
    content, time = message.get("content"), message.get("timestamp") or message.get("created_at")
    for block in map(mapping, sequence(content)):
        if block.get("type") not in TEXT:
            talk.skipped[f"{kind_of(block.get('type'))} block"] += 1
    text = text_of(content, TEXT)
    if role is None:
        talk.skipped["message of an unknown role"] += 1
    elif role == "tool":
        talk.tool(text, time)
    elif text.strip() or not message.get("tool_calls"):
        talk.say(role, text, time, message.get("id"))
    for call in map(mapping, sequence(message.get("tool_calls"))):
        function = mapping(call.get("function"))
        talk.tool(f"{string(function.get('name'))} {compact(function.get('arguments'))}", time)
