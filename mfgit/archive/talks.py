"""A conversation as it was: from its session file, or put together from the turns of the day files."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from mfgit.errors import BadInput
from mfgit.model import Turn
from mfgit.redact import redact
from mfgit.session import Message, Session

RANGE_HINT = "Write a range of messages as 3-10, 5, 20- (from the 20th on) or -10 (the last ten)."


class Talk(NamedTuple):
    """A conversation: what its session file says (`about`, without messages), and its messages, the first being number 1."""

    session_id: str
    date: str
    about: dict[str, Any]
    messages: tuple[Message, ...]
    note: str = ""


class Excerpt(NamedTuple):
    """The part of a talk that fits: (number, message, bytes left out of it), and ranges that hold the rest and fit each."""

    messages: tuple[tuple[int, Message, int], ...]
    first: int
    last: int
    total: int
    suggested: tuple[str, ...]


ABOUT = ("channel", "participants", "title", "topics", "keywords", "decisions", "lessons", "feedback", "summary", "state")


def of_session(session: Session) -> Talk:
    """Return the talk of a session file."""
    value = session.to_json()
    about = {name: value[name] for name in ABOUT if value.get(name)}
    cleared = session.message_count - len(session.messages)
    note = f"Retention cleared {cleared} messages of this session; its summary is kept." if cleared > 0 else ""
    return Talk(session.session_id, session.date, about, session.messages, note)


def of_turns(session_id: str, turns: Iterable[Turn]) -> Talk:
    """Return the talk that some turns are, in order of time."""
    said = sorted(turns, key=lambda turn: turn.timestamp)
    messages: list[Message] = []
    for turn in said:
        messages.append(Message("user", turn.user_message, turn.timestamp, turn.request_id))
        if turn.assistant_message:
            answer = Message("assistant", turn.assistant_message, turn.timestamp, turn.assistant_message_id)
            messages.append(answer)
    topics = list(dict.fromkeys(turn.topic for turn in said if turn.topic))
    return Talk(session_id, said[0].date if said else "", {"topics": topics} if topics else {}, tuple(messages))


def span(text: str | None, total: int) -> tuple[int, int]:
    """Return the first and last number of a range of messages, within `total`; raises `BadInput` that says how to write one."""
    if text is None or not text.strip():
        return min(1, total), total
    start, dash, end = text.strip().partition("-")
    if not all(part.strip().isdecimal() or not part.strip() for part in (start, end)) or not (start or end).strip():
        raise BadInput(f"{text!r} is no range of messages.", RANGE_HINT)
    if not start.strip():
        return max(1, total - int(end) + 1), total
    first = int(start)
    last = int(end) if end.strip() else total if dash else first
    if not 1 <= first <= last or first > total:
        raise BadInput(f"There are no messages {text}; this conversation has {total}.", RANGE_HINT)
    return first, min(last, total)


def excerpt(messages: Sequence[Message], wanted: str | None = None, budget: int = 0) -> Excerpt:
    """Return the messages of a range, redacted, up to `budget` bytes of text (0: all), and ranges for what is left.

    A message that does not fit alone is cut, and says how many bytes are missing.
    """
    first, last = span(wanted, len(messages))
    chunks = list(fitting([size(message) for message in messages[max(0, first - 1) : last]], first, budget))
    start, end = chunks[0] if chunks else (first, last)
    shown = tuple(shortened(number, messages[number - 1], budget) for number in range(start, end + 1) if number)
    return Excerpt(shown, start, end, len(messages), tuple(f"{a}-{b}" for a, b in chunks[1:]))


def size(message: Message) -> int:
    """Return the bytes of a message's text."""
    return len(message.content.encode("utf-8", "replace"))


def fitting(sizes: Sequence[int], first: int, budget: int) -> Iterable[tuple[int, int]]:
    """Yield ranges (first, last) whose messages fit into a budget together; one too large alone is a range of its own."""
    start, used = first, 0
    for number, each in enumerate(sizes, first):
        if budget and number > start and used + each > budget:
            yield start, number - 1
            start, used = number, 0
        used += each
    if sizes:
        yield start, first + len(sizes) - 1


def shortened(number: int, message: Message, budget: int) -> tuple[int, Message, int]:
    """Return a message with its number, cut to a budget of bytes, and how many bytes are missing."""
    text = redact(message.content)
    data = text.encode("utf-8", "replace")
    if not budget or len(data) <= budget:
        return number, with_text(message, text), 0
    kept = data[:budget].decode("utf-8", "ignore")
    return number, with_text(message, kept), len(data) - len(kept.encode("utf-8", "replace"))


def with_text(message: Message, text: str) -> Message:
    """Return a message with another text."""
    from dataclasses import replace

    return message if text == message.content else replace(message, content=text)
