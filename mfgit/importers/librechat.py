"""LibreChat: one exported conversation, as a tree (`messagesTree`, `children`) or flat (`messages`).

Of several answers to one message, or several wordings of one, the last is what the user sees.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from mfgit.importers.found import Damage, Skipped
from mfgit.importers.jsonstream import records
from mfgit.importers.parts import OTHER_BRANCH, Builder, branch, compact, each, mapping, sequence, string, verdict, when
from mfgit.importers.source import Source
from mfgit.session import Conversation

EXPECTED = "a conversation exported from LibreChat as JSON (librechat)"
FILES = r"\.jsonl?$"


def read(source: Source) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the conversations of files."""
    for member in source.files(FILES):
        yield from each(records(member), lambda value: conversation(mapping(value)))


def conversation(value: Mapping[str, Any]) -> Iterator[Conversation | Skipped]:
    """Yield one conversation."""
    nodes = dict(walk(value.get("messagesTree") or value.get("messages")))
    if not any("isCreatedByUser" in node for node in nodes.values()):
        yield Skipped("not a conversation")
        return
    talk = Builder()
    talk.id, talk.title = string(value.get("conversationId")), string(value.get("title"))
    talk.started = when(value.get("createdAt"))
    talk.meta = {name: value[name] for name in ("endpoint", "model") if isinstance(value.get(name), str)}
    shown = branch(nodes, leaf_of(nodes), lambda node: string(node.get("parentMessageId")))
    if len(shown) < len(nodes):
        talk.skipped[OTHER_BRANCH] += len(nodes) - len(shown)
    for node in shown:
        add(talk, node)
    yield from talk.finish("librechat", participants=("user", "assistant"))


def walk(level: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the messages of a tree or list with their ids, parents before children."""
    waiting = [(node, "") for node in reversed(sequence(level))]
    number = 0
    while waiting:
        node, above = waiting.pop()
        if not isinstance(node, dict):
            continue
        number += 1
        name = string(node.get("messageId")) or f"{number}"
        plain = {key: value for key, value in node.items() if key != "children"}
        yield name, {**plain, "messageId": name, **({"parentMessageId": above} if above else {})}
        waiting += [(child, name) for child in reversed(sequence(node.get("children")))]


def leaf_of(nodes: Mapping[str, Mapping[str, Any]]) -> str:
    """Return where the visible branch ends: the last child of the last child, and so on."""
    last: dict[Any, str] = {}
    for name, node in nodes.items():
        parent = string(node.get("parentMessageId"))
        last[parent if parent in nodes else None] = name
    name, seen = last.get(None, next(iter(nodes))), set()
    while name in last and name not in seen:
        seen.add(name)
        name = last[name]
    return name


def add(talk: Builder, node: Mapping[str, Any]) -> None:
    """Add a message and its rating."""
    time = node.get("createdAt") or node.get("updatedAt")
    role = "user" if node.get("isCreatedByUser") is True else "assistant"
    said = [string(node.get("text"))]
    for part in map(mapping, sequence(node.get("content"))):
        if part.get("type") == "tool_call":
            call = mapping(part.get("tool_call"))
            talk.tool(f"{string(call.get('name'))} {compact(call.get('args'))}\n{string(call.get('output'))}", time)
        elif part.get("type") == "text":
            text = part.get("text")
            said.append(text if isinstance(text, str) else string(mapping(text).get("value")))
        else:
            talk.skipped["thinking or attachment"] += 1
    texts = [text for text in said if text.strip()]
    text = texts[0] if said[0].strip() else "\n".join(texts) if texts else ""
    if node.get("error") is True and role == "assistant":
        talk.skipped["error message"] += 1
    elif talk.say(role, text, time, node.get("messageId")):
        note = mapping(node.get("feedback"))
        rating = verdict(note.get("rating"))
        if rating is not None and role == "assistant":
            tag = note.get("tag")
            talk.rate(rating, (mapping(tag).get("key") or tag,), note.get("text"))
