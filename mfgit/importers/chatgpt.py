"""ChatGPT: the data export, a zip file or folder with `conversations.json`, or `conversations-000.json` and so on since 2025.

A conversation is a tree (`mapping`); the branch that ends in `current_node` is what the user sees. Thumbs are in
`message_feedback.json` beside it.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from mfgit.importers.found import Damage, Skipped, kind_of
from mfgit.importers.jsonstream import documents
from mfgit.importers.parts import OTHER_BRANCH, Builder, branch, each, mapping, sequence, string, verdict, when
from mfgit.importers.source import Source
from mfgit.model import Rating
from mfgit.session import Conversation

EXPECTED = "a ChatGPT export: conversations.json, or the zip file or folder that holds it (chatgpt)"
CONVERSATIONS = r"(^|/)conversations(-\d+)?\.json$"
FEEDBACK = r"(^|/)message_feedback\.json$"
SAID = ("text", "multimodal_text")
TOOL_TEXT = ("code", "execution_output", "tether_quote", "tether_browsing_display")


class Thumb(NamedTuple):
    """A rating of `message_feedback.json`."""

    rating: Rating
    reasons: tuple[Any, ...]
    note: Any


def read(source: Source) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the conversations of an export."""
    thumbs = read_thumbs(source)
    given = len(set(map(id, thumbs.values())))
    used: set[int] = set()
    for member in source.files(CONVERSATIONS, r"\.json$"):
        yield from each(documents(member, ("conversations",)), lambda value: conversation(value, thumbs, used))
    if given > len(used):
        yield Skipped("rating of a message that is not shown", given - len(used))


def read_thumbs(source: Source) -> dict[str, Thumb]:
    """Return the ratings by the id of their message. Newer exports name it `id`."""
    thumbs: dict[str, Thumb] = {}
    for member in [] if source.alone else source.files(FEEDBACK):
        for row in map(mapping, documents(member)):
            rating = verdict(row.get("rating"))
            if rating is not None:
                thumb = Thumb(rating, *note_of(row))
                thumbs |= {name: thumb for name in (row.get("id"), row.get("message_id")) if isinstance(name, str)}
    return thumbs


def note_of(row: Mapping[str, Any]) -> tuple[tuple[Any, ...], Any]:
    """Return the tags and the text of a rating; `content` is JSON in a string."""
    content = row.get("content")
    try:
        content = json.loads(content) if isinstance(content, str) else content
    except (ValueError, RecursionError):
        content = {"text": content}
    content = mapping(content)
    return tuple(sequence(content.get("tags"))), content.get("text") or row.get("text")


def conversation(value: Any, thumbs: Mapping[str, Thumb], used: set[int]) -> Iterator[Conversation | Skipped]:
    """Yield one conversation of the export."""
    nodes = value.get("mapping") if isinstance(value, dict) else None
    if not isinstance(nodes, dict):
        yield Skipped("not a conversation")
        return
    nodes = {name: node for name, node in nodes.items() if isinstance(node, dict)}
    talk = Builder()
    talk.id = string(value.get("conversation_id")) or string(value.get("id"))
    talk.title, talk.started = string(value.get("title")), when(value.get("create_time"))
    talk.meta = {name: value[name] for name in ("gizmo_id", "default_model_slug") if isinstance(value.get(name), str)}
    shown = visible(nodes, string(value.get("current_node")))
    hidden = sum(bool(mapping(node.get("message"))) for node in nodes.values())
    for node in shown:
        message = mapping(node.get("message"))
        hidden -= bool(message)
        if message:
            add(talk, message, thumbs, used, string(node.get("id")))
    if hidden > 0:
        talk.skipped[OTHER_BRANCH] += hidden
    yield from talk.finish("chatgpt", participants=("user", "assistant"))


def visible(nodes: Mapping[str, Any], leaf: Any) -> list[Any]:
    """Return the nodes of the branch that the user sees; without a current node, of the one with the newest message."""
    parents = {name: string(node.get("parent")) for name, node in nodes.items()}
    for name, node in nodes.items():
        for child in sequence(node.get("children")):
            if isinstance(child, str) and child in parents:
                parents[child] = parents[child] or name
    if leaf not in nodes:
        inner = set(parents.values())
        leaves = [name for name in nodes if name not in inner]
        leaf = max(leaves, key=lambda name: made(nodes[name]), default=None)
    place = {id(node): parents[name] for name, node in nodes.items()}
    return branch(nodes, leaf, lambda node: place[id(node)])


def made(node: Mapping[str, Any]) -> float:
    """Return when the message of a node was made, 0 for never."""
    time = when(mapping(node.get("message")).get("create_time"))
    return time.timestamp() if time else 0.0


def add(talk: Builder, message: Mapping[str, Any], thumbs: Mapping[str, Thumb], used: set[int], node: str) -> None:
    """Add a message of the visible branch, or count why not."""
    content, role = mapping(message.get("content")), mapping(message.get("author")).get("role")
    kind = string(content.get("content_type"))
    if mapping(message.get("metadata")).get("is_visually_hidden_from_conversation"):
        talk.skipped["hidden message"] += 1
    elif role == "tool" or kind in TOOL_TEXT or message.get("recipient") not in (None, "all"):
        talk.tool(parts_of(content) or string(content.get("text")) or string(content.get("result")), message.get("create_time"))
    elif kind not in SAID:
        talk.skipped[f"{kind_of(kind)} message"] += 1
    elif role in ("user", "assistant", "system"):
        name = string(message.get("id")) or node
        if (
            talk.say(role, parts_of(content), message.get("create_time"), name)
            and (thumb := thumbs.get(name))
            and role == "assistant"
        ):
            used.add(id(thumb))
            talk.rate(*thumb)
    else:
        talk.skipped["message of an unknown role"] += 1


def parts_of(content: Mapping[str, Any]) -> str:
    """Return the text of a message's parts; of spoken ones the transcription."""
    parts = [part if isinstance(part, str) else string(mapping(part).get("text")) for part in sequence(content.get("parts"))]
    return "\n".join(part for part in parts if part)
