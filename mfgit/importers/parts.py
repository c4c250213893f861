"""What the formats share: times, texts of content blocks, the visible branch of a tree, and building a conversation."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from mfgit.importers.found import Damage, Skipped
from mfgit.model import Rating
from mfgit.session import Conversation, Message, shallow

FIRST_YEAR, LAST_YEAR = 1990, 2100
"""Years that a conversation may be of."""
UNITS = (1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9)
"""Numbers below the first are times in seconds divided by the second: seconds, milli-, micro-, nanoseconds."""
VERDICTS: dict[object, Rating] = {1: "up", -1: "down", "1": "up", "-1": "down"}
VERDICTS |= dict.fromkeys(("up", "thumbsup", "thumbs_up", "positive", "good", "like", "liked"), "up")
VERDICTS |= dict.fromkeys(("down", "thumbsdown", "thumbs_down", "negative", "bad", "dislike", "disliked"), "down")
OTHER_BRANCH = "message of another branch"
NO_TEXT = "message without text"
KEPT_RECORDS = 200
"""Records of unknown types that are kept with a conversation; more are only counted."""


def each(
    values: Iterable[Any], conversations: Callable[[Any], Iterable[Conversation | Skipped]]
) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the conversations of every value that was read, and what could not be read as it is."""
    for value in values:
        if isinstance(value, Damage | Skipped):
            yield value
        else:
            yield from conversations(value)


def when(value: Any) -> datetime | None:
    """Return a time given as (milli-, micro-, nano-) seconds since 1970 or as ISO 8601, UTC unless it says; else None."""
    if isinstance(value, str) and re.fullmatch(r"\d{9,20}(\.\d+)?", value):
        value = float(value)
    try:
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            divisor = next((divisor for bound, divisor in UNITS if value < bound), 1e9)
            found = datetime.fromtimestamp(value / divisor, UTC)
        elif isinstance(value, str) and len(value) < 40:
            found = datetime.fromisoformat(value.strip())
        else:
            return None
        found = found if found.tzinfo else found.replace(tzinfo=UTC)
        return found if FIRST_YEAR <= found.astimezone(UTC).year <= LAST_YEAR else None
    except (ValueError, OverflowError, OSError):
        return None


def string(value: Any) -> str:
    """Return a string as it is, empty for anything else."""
    return value if isinstance(value, str) else ""


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object as it is, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def sequence(value: Any) -> Sequence[Any]:
    """Return an array as it is, an empty one for anything else."""
    return value if isinstance(value, list) else ()


def verdict(value: Any) -> Rating:
    """Return a thumb in any spelling, or its number 1 or -1, as up or down; None for none."""
    known = value.lower() if isinstance(value, str) else value
    return VERDICTS.get(known) if isinstance(known, str | int | float) and not isinstance(known, bool) else None


def text_of(content: Any, kinds: Iterable[str] = ("text",)) -> str:
    """Return the text of a string, or of the blocks of these types in a list."""
    if isinstance(content, str):
        return content
    blocks = [block for block in sequence(content) if isinstance(block, dict) and str(block.get("type")) in kinds]
    return "\n".join(string(block.get("text")) for block in blocks)


def compact(value: Any) -> str:
    """Return the arguments of a tool call as text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) if shallow(value) else "…"


def digest(*parts: Any) -> str:
    """Return 16 hex digits that stand for values."""
    text = json.dumps(parts, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def counted(counts: Mapping[str, int]) -> Iterator[Skipped]:
    """Yield what was left out."""
    for reason, count in counts.items():
        yield Skipped(reason, count)


def branch(nodes: Mapping[str, Any], leaf: Any, parent: Callable[[Any], Any]) -> list[Any]:
    """Return the nodes from the root to a leaf; all, in order, when none names a parent."""
    if not any(parent(node) for node in nodes.values()):
        return list(nodes.values())
    path, seen = [], set()
    while leaf in nodes and leaf not in seen:
        seen.add(leaf)
        path.append(nodes[leaf])
        leaf = parent(nodes[leaf])
    return path[::-1]


class Builder:
    """A conversation as it is being read: messages in order, what was left out, records of unknown types."""

    def __init__(self) -> None:
        self.id = ""
        self.title = ""
        self.started: datetime | None = None
        self.messages: list[Message] = []
        self.skipped: Counter[str] = Counter()
        self.records: list[Any] = []
        self.meta: dict[str, Any] = {}

    def say(self, role: str, content: str, time: Any = None, identity: Any = None, rating: Rating = None) -> bool:
        """Add a message; say False, and count it, when it has no text."""
        if not content.strip():
            self.skipped[NO_TEXT] += 1
            return False
        name = identity if isinstance(identity, str) and identity else None
        self.messages.append(Message(role=role, content=content.strip("\n"), time=when(time), id=name, rating=rating))
        return True

    def tool(self, content: str, time: Any = None) -> None:
        """Add what was said to a tool or by one, when there is any."""
        if content.strip():
            self.messages.append(Message(role="tool", content=content, time=when(time)))

    def rate(self, rating: Rating, reasons: Iterable[Any] = (), note: Any = None) -> None:
        """Rate the last message."""
        said = tuple(reason for reason in reasons if isinstance(reason, str) and reason)
        last = self.messages[-1]
        self.messages[-1] = replace(last, rating=rating, rating_reasons=said, rating_note=string(note) or None)

    def keep(self, record: Any, kind: str) -> None:
        """Keep a record of an unknown type, and count it."""
        self.skipped[f"unknown record: {kind}"] += 1
        if len(self.records) < KEPT_RECORDS and shallow(record):
            self.records.append(record)

    def finish(self, source: str, *, channel: str = "", participants: tuple[str, ...] = ()) -> Iterator[Conversation | Skipped]:
        """Yield the conversation, if anything was said in it by user or assistant, and what was left out."""
        yield from counted(self.skipped)
        if not any(message.role in ("user", "assistant") for message in self.messages):
            yield Skipped("conversation without messages")
            return
        identity = self.id or derived_id(source, self.messages)
        meta = {**self.meta, **({"records": self.records} if self.records else {})}
        yield Conversation(
            id=identity,
            source=source,
            channel=channel or source,
            participants=participants,
            title=self.title,
            started=self.started or next((message.time for message in self.messages if message.time), None),
            messages=tuple(self.messages),
            meta=meta,
        )


def derived_id(source: str, messages: Sequence[Message]) -> str:
    """Return an id for a conversation that has none: from its start when that has a time, since it may grow; else from all."""
    said = [(message.role, message.content) for message in messages]
    first = messages[0]
    return f"{source}-{digest(first.time, said[0]) if first.time else digest(said)}"
