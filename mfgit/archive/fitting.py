"""What fits into a budget of bytes: everything that is shown counts, whether it is printed as text or as JSON."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from mfgit.printing import clean
from mfgit.session import Message

LEAST = 1000
"""Bytes from which on a budget is kept: less does not hold the ids, the ranges and the words around them."""
LEAST_ROOM = 300
"""Bytes for messages, whatever the budget: an answer without a word would have to be asked for again."""
INDENT = 8
"""Bytes that a line of JSON may be indented by, where a value stands deep in another."""
LONGEST_ID = 100
MOST_NAMED = 5
"""Ranges that are named; the last of them is all that is left."""


class Fitted(NamedTuple):
    """A message with its number, as it is shown, and how many bytes of its text are left out."""

    number: int
    message: Message
    left_out: int


def weight(value: Any) -> int:
    """Return the bytes that a value takes at most, printed as text or as JSON, which both show some characters as escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    lines = text.split("\n")
    escaped = text if all(map(str.isprintable, lines)) else clean(text)
    return max(len(shown.encode("utf-8", "replace")) for shown in (text, escaped)) + INDENT * len(lines)


def lean(message: Message) -> Message:
    """Return a message without what a tight answer can do without: rating notes and fields that mfgit does not know."""
    identity = message.id if message.id and len(message.id) <= LONGEST_ID else None
    return replace(message, role=message.role[:20], id=identity, rating_reasons=(), rating_note=None, extra={})


def message_weight(message: Message) -> int:
    """Return the bytes that a message takes at most, with its number and all that is said about it."""
    return weight({"number": 10**6, **lean(message).to_json(), "bytes_left_out": 10**9}) + len(", bytes left out")


def cut(number: int, message: Message, room: int) -> Fitted:
    """Return a message that takes at most `room` bytes, or without text where even that is more."""
    message = lean(message)
    if message_weight(message) <= room:
        return Fitted(number, message, 0)
    data = message.content.encode("utf-8", "replace")
    kept = replace(message, content=longest(message.content, room - message_weight(replace(message, content=""))))
    return Fitted(number, kept, len(data) - len(kept.content.encode("utf-8", "replace")))


def longest(text: str, room: int) -> str:
    """Return the longest beginning of a text that takes at most `room` bytes, printed as text or as JSON."""
    least, most = 0, max(0, min(len(text), room))
    while least < most:
        middle = (least + most + 1) // 2
        if weight(text[:middle]) - weight("") <= room:
            least = middle
        else:
            most = middle - 1
    return text[:least]


def about_within(about: Mapping[str, Any], room: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return as much of what is said about a conversation as fits, the first fields first, and the names of what was cut."""
    kept: dict[str, Any] = {}
    lost: list[str] = []
    for name, value in about.items():
        left = room - weight(kept)
        if weight({name: value}) <= left:
            kept[name] = value
            continue
        lost.append(name)
        if shorter := part_of(value, left - weight({name: ""})):
            kept[name] = shorter
    return kept, tuple(lost)


def part_of(value: Any, room: int) -> Any:
    """Return the beginning of a text or a list that fits, None for nothing."""
    if isinstance(value, str):
        return longest(value, room - 4) + " …" if room > 2 * LONGEST_ID else None
    if not isinstance(value, list):
        return None
    found: list[Any] = []
    for each in value:
        if weight([*found, each]) > room:
            break
        found.append(each)
    return found or None


def ranges(sizes: Sequence[int], first: int, room: int) -> list[tuple[int, int]]:
    """Return ranges (first, last) whose messages take at most `room` together (0: all do); one too large is alone."""
    if not sizes:
        return []
    starts, used = [first], 0
    for number, each in enumerate(sizes, first):
        if room and number > starts[-1] and used + each > room:
            starts.append(number)
            used = 0
        used += each
    ends = [*starts, first + len(sizes)]
    return [(start, following - 1) for start, following in pairwise(ends)]


def named(chunks: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Return ranges as text, the last of many as all that is left."""
    if len(chunks) > MOST_NAMED:
        chunks = [*chunks[: MOST_NAMED - 1], (chunks[MOST_NAMED - 1][0], chunks[-1][1])]
    return tuple(f"{first}-{last}" for first, last in chunks)


def shown(messages: Sequence[Message], first: int, room: int, clean_text: Callable[[str], str]) -> tuple[Fitted, ...]:
    """Return messages with their numbers, redacted; with a `room` none of them takes more."""
    found: list[Fitted] = []
    for number, message in enumerate(messages, first):
        text = clean_text(message.content)
        told = message if text == message.content else replace(message, content=text)
        found.append(cut(number, told, room) if room else Fitted(number, told, 0))
    return tuple(found)
