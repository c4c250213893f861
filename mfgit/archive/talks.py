"""A conversation as it was: from its session file, or put together from the turns of the day files."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from mfgit.archive import fitting
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
    """The part of a talk that fits, and ranges that hold the rest and fit each, but for the last of many."""

    messages: tuple[fitting.Fitted, ...]
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
        raise BadInput(f"{redact(text)!r} is no range of messages.", RANGE_HINT)
    if not start.strip():
        return max(1, total - int(end) + 1), total
    first = int(start)
    last = int(end) if end.strip() else total if dash else first
    if not 1 <= first <= last or first > total:
        raise BadInput(f"There are no messages {redact(text)}; this conversation has {total}.", RANGE_HINT)
    return first, min(last, total)


def excerpt(messages: Sequence[Message], wanted: str | None = None, room: int = 0) -> Excerpt:
    """Return the messages of a range, redacted, that take up to `room` bytes (0: all), and ranges for what is left.

    A message that does not fit alone is cut, and says how many bytes are missing.
    """
    first, last = span(wanted, len(messages))
    asked = messages[max(0, first - 1) : last]
    sizes = [fitting.message_weight(each) if room else 0 for each in asked]
    chunks = fitting.ranges(sizes, first, room)
    if not chunks:
        return Excerpt((), first, last, len(messages), ())
    end = chunks[0][1]
    told = fitting.shown(messages[first - 1 : end], first, room, redact)
    while room and len(told) > 1 and sum(fitting.message_weight(each.message) for each in told) > room:
        told, end = told[:-1], end - 1  # redaction can make a message longer
    left = fitting.ranges(sizes[end + 1 - first :], end + 1, room)
    return Excerpt(told, first, end, len(messages), fitting.named(left))
