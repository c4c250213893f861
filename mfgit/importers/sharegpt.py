"""ShareGPT: data sets of `{"conversations": [{"from", "value"}]}`, an array or JSON Lines. There are no times."""

from collections.abc import Iterator
from typing import Any

from mfgit.importers.found import Damage, Skipped
from mfgit.importers.jsonstream import records
from mfgit.importers.parts import Builder, derived_id, each, mapping, string, when
from mfgit.importers.source import Source
from mfgit.session import Conversation

EXPECTED = 'ShareGPT data: {"conversations": [{"from", "value"}]}, an array or JSON Lines (sharegpt)'
FILES = r"\.jsonl?$"
ROLES = {
    **dict.fromkeys(("human", "user"), "user"),
    **dict.fromkeys(("gpt", "assistant", "chatgpt", "bing", "bard", "model", "bot"), "assistant"),
    **dict.fromkeys(("tool", "function", "observation", "function_call", "function_response", "tool_call"), "tool"),
    "system": "system",
}


def read(source: Source) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the conversations of files."""
    for member in source.files(FILES):
        yield from each(records(member), conversation)


def conversation(value: Any) -> Iterator[Conversation | Skipped]:
    """Yield one conversation."""
    row = mapping(value)
    said = row.get("conversations") or row.get("conversation")
    messages = [message for message in said if isinstance(message, dict)] if isinstance(said, list) else []
    if not any("value" in message or "content" in message for message in messages):
        yield Skipped("not a conversation")
        return
    talk = Builder()
    talk.title = string(row.get("title"))
    talk.started = when(row.get("create_time") or row.get("timestamp"))
    if isinstance(row.get("system"), str) and row["system"].strip():
        talk.say("system", row["system"])
    for message in messages:
        role = ROLES.get(string(message.get("from") or message.get("role")).lower())
        text = string(message["value"] if "value" in message else message.get("content"))
        if role is None:
            talk.skipped["message of an unknown role"] += 1
        elif role == "tool":
            talk.tool(text)
        else:
            talk.say(role, text)
    if isinstance(row.get("id"), str | int) and talk.messages:  # a number in its data set: other data sets have it, too
        talk.id = f"{row['id']}-{derived_id('', talk.messages).strip('-')}"
    yield from talk.finish("sharegpt", participants=("user", "assistant"))
