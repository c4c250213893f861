"""From a conversation to what is kept of it: a redacted session, and its turns. Pure: nothing is read or written here."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from mfgit.archive.caps import capped, capped_text
from mfgit.archive.entries import SURROGATE, UNDATED, digest
from mfgit.archive.meeting import Seen, meet, seen
from mfgit.archive.summary import summarize
from mfgit.model import format_time
from mfgit.redact import Redactor, renumbered, safe_id
from mfgit.session import ROLES, Conversation, Message, Session

AGENTS = frozenset(("claude-code", "openclaw", "codex", "pi"))
"""Sources in which a message that begins with a slash is a command."""
COMMAND = re.compile(
    r"\s*<(?:command-(?:name|message|args)|local-command|bash-(?:input|stdout|stderr)|task-notification|system-reminder"
    r"|environment_context|user_instructions|user-prompt-submit-hook|ide_\w+)\b|\s*Caveat: The messages below",
)
SLASH = re.compile(r"\s*/[a-z][\w:-]*(?:\s|$)", re.IGNORECASE)
INTERRUPTION = re.compile(r"\s*\[Request interrupted")
NO_QUESTION, A_COMMAND, AN_INTERRUPTION, BLANK = "conversation without a question", "command", "interruption", "empty message"
TURN_META = ("user_id", "workspace_id", "user_agent_id", "help_mode")
FOUND = ("topics", "keywords", "decisions", "lessons", "feedback")


@dataclass(slots=True)
class Exchange:
    """One user question of a redacted session and the messages that answer it."""

    question: Message
    replies: list[list[Message]] = field(default_factory=lambda: [[]])

    def reply(self) -> list[Message]:
        """Return the messages of the reply: the last run that no tool call parts."""
        return next((run for run in reversed(self.replies) if run), [])

    def rated(self) -> Message | None:
        """Return the message of the reply that was rated last."""
        return next((each for run in reversed(self.replies) for each in reversed(run) if each.rating is not None), None)


@dataclass(frozen=True, slots=True)
class Kept:
    """A conversation ready to be stored; `skipped` counts what is no turn, by reason."""

    session: Session
    turns: tuple[dict[str, Any], ...]
    skipped: Mapping[str, int]


def keep(conversation: Conversation, old: Session | None, now: datetime, *, partial: bool = False) -> Kept:
    """Return what is kept of a conversation; `old` is what the archive already has of it.

    A `partial` one is the last part of a conversation, and does not begin where the conversation began.
    """
    said = redacted(clean(conversation))
    if old is not None and not old.source:  # another program's: not redacted yet
        redactor = Redactor()
        old = replace(old, messages=tuple(redacted_message(redactor, message) for message in old.messages))
    met = meet(old, said.messages, partial=partial)
    messages = met.messages
    started = aware((old and old.started) or said.started or first_time(messages) or (old and old.archived_at) or now)
    if met.known:  # a time that is known stays: the day file of a turn goes by it
        times = [met.known[place].time for place in met.places]
        said = replace(
            said, messages=tuple(replace(m, time=time or m.time) for m, time in zip(said.messages, times, strict=True))
        )
    exchanges, skipped = exchanged(said)
    session = session_of(said, old, messages, started, now)
    turns = tuple(turn_values(said, exchanges, named(said, met.known, met.places), started, now))
    return Kept(session, turns, skipped)


def clean(conversation: Conversation) -> Conversation:
    """Return a conversation without the characters that no file may hold, and without messages that say nothing."""
    kept = (
        replace(each, content=SURROGATE.sub("\ufffd", each.content), time=aware(each.time) if each.time else None)
        for each in conversation.messages
    )
    messages = tuple(each for each in kept if each.content.strip() or each.role == "tool" or each.extra)
    return replace(conversation, messages=messages, id=SURROGATE.sub("\ufffd", conversation.id))


def redacted(conversation: Conversation) -> Conversation:
    """Return a conversation with secrets and personal data taken out, marks the same throughout, and its ids made safe."""
    redactor = Redactor()
    return replace(
        conversation,
        messages=tuple(redacted_message(redactor, message) for message in conversation.messages),
        id=safe_id(conversation.id),
        source=capped_text("source", redactor.text(conversation.source)),
        channel=capped_text("channel", redactor.text(conversation.channel)),
        participants=tuple(capped("participants", [redactor.text(safe_id(each)) for each in conversation.participants])),
        title=capped_text("title", redactor.text(conversation.title)),
        meta={
            redactor.text(name): safe_meta(given) if name in TURN_META else capped(name, redactor.value(given, name))
            for name, given in conversation.meta.items()
        },
    )


def safe_meta(given: Any) -> Any:
    """Return an id of a conversation's user made safe; what is no text as it is."""
    return safe_id(given) if isinstance(given, str) else given


def redacted_message(redactor: Redactor, message: Message) -> Message:
    """Return a message with every text in it redacted; a role that is none may be a name."""
    return replace(
        message,
        role=message.role if message.role in ROLES else redactor.text(message.role),
        content=redactor.text(message.content),
        id=safe_id(message.id) if message.id else message.id,
        rating_reasons=tuple(map(redactor.text, message.rating_reasons)),
        rating_note=redactor.text(message.rating_note) if message.rating_note else message.rating_note,
        extra=redactor.value(dict(message.extra)),
    )


def first_time(messages: Sequence[Message]) -> datetime | None:
    """Return the first time that any message has."""
    return next((message.time for message in messages if message.time), None)


def exchanged(conversation: Conversation) -> tuple[list[Exchange], Counter[str]]:
    """Return the questions of a conversation with their replies, and how many messages are none, by reason."""
    found: list[Exchange] = []
    skipped: Counter[str] = Counter()
    current: Exchange | None = None
    for message in conversation.messages:
        if message.role == "user":
            reason = aside(message.content, conversation.source)
            current = None if reason else Exchange(message)
            if current:
                found.append(current)
            else:
                skipped[reason] += 1
        elif current and message.role == "assistant" and message.content.strip():
            current.replies[-1].append(message)
        elif current and message.role == "tool" and current.replies[-1]:
            current.replies.append([])
    if not found:
        skipped[NO_QUESTION] += 1
    return found, skipped


def aside(text: str, source: str) -> str:
    """Return why what a user sent is no question, nothing when it may be one."""
    if INTERRUPTION.match(text):
        return AN_INTERRUPTION
    if COMMAND.match(text) or (source in AGENTS and SLASH.match(text)):
        return A_COMMAND
    return "" if text.strip() else BLANK


def turn_values(
    conversation: Conversation, exchanges: Sequence[Exchange], names: Mapping[int, str], started: datetime, now: datetime
) -> Iterator[dict[str, Any]]:
    """Yield the turns of a conversation as lines of a day file hold them; ids are the same for the same conversation."""
    meta = {name: conversation.meta[name] for name in TURN_META if conversation.meta.get(name) is not None}
    times = filled(conversation.messages, started)
    for exchange in exchanges:
        question, reply, rated = exchange.question, exchange.reply(), exchange.rated()
        when = times[id(question)]
        asked, answered = renumbered(question.content, "\n\n".join(message.content for message in reply))
        request_id = "r-" + digest(f"{conversation.id}\0{names[id(question)]}")
        yield {
            "timestamp": when.isoformat(),
            "date": when.date().isoformat(),
            "request_id": request_id,
            "session_id": conversation.id,
            **meta,
            "user_message": asked,
            "assistant_message": answered,
            "assistant_message_id": "m-" + digest(request_id),
            **(ratings(rated) if rated else {}),
            "source": conversation.source,
            "archived_at": format_time(now),
            **({} if question.time else {UNDATED: True}),
        }


def named(said: Conversation, known: Sequence[Seen], places: Sequence[int]) -> dict[int, str]:
    """Return the name of each question that came, by its identity: its id, else its text and how often it was asked before.

    `known` are all messages of the session, `places` those of what came; without them the conversation came as a whole.
    """
    occurred: Counter[tuple[str, str]] = Counter()
    names = []
    for each in known or [seen(message) for message in said.messages]:
        names.append(each.id or f"{each.digest}.{occurred[each.said]}")
        occurred[each.said] += 1
    came = [names[at] for at in places] if known else names
    return {id(message): name for message, name in zip(said.messages, came, strict=True)}


def ratings(message: Message) -> dict[str, Any]:
    """Return the rating fields of a message."""
    return {
        "rating": message.rating,
        "rating_reasons": list(message.rating_reasons),
        "rating_note": message.rating_note,
    }


def filled(messages: Sequence[Message], started: datetime) -> dict[int, datetime]:
    """Return the time of each message by its identity: its own, else that of the one before, else the beginning."""
    times: dict[int, datetime] = {}
    last = started
    for message in messages:
        last = message.time or last
        times[id(message)] = last
    return times


def aware(when: datetime) -> datetime:
    """Return a time with a zone; one without is taken as UTC."""
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def session_of(
    said: Conversation, old: Session | None, messages: tuple[Message, ...], started: datetime, now: datetime
) -> Session:
    """Return the session that is kept: `old` itself when nothing is new."""
    cleared = old.message_count - len(old.messages) if old else 0
    if old is not None and messages == old.messages and said.title in ("", old.title):
        return old
    found = summarize(messages, said.title, said.participants)._asdict()
    if old is not None and cleared:  # what is said of the cleared part is all that is left of it
        found = {name: merged(getattr(old, name), found[name]) for name in found}
    given = {name: tuple(said.meta[name]) for name in FOUND if said.meta.get(name)}
    extra = {name: value for name, value in said.meta.items() if name not in (*FOUND, "summary", "date")}
    return Session(
        session_id=said.id,
        date=str((old and old.date) or said.meta.get("date") or started.date().isoformat()),
        channel=said.channel or (old.channel if old else ""),
        participants=said.participants or (old.participants if old else ()),
        title=said.title or (old.title if old else ""),
        source=said.source,
        **{**{name: found[name] for name in FOUND}, **given},
        summary=str(said.meta.get("summary") or found["summary"]),
        messages=messages,
        message_count=len(messages) + cleared,
        started=started,
        archived_at=now,
        cleared=old.cleared if old else (),
        extra={**(old.extra if old else {}), **extra},
    )


def merged(old: Any, new: Any) -> Any:
    """Return two summaries' parts as one."""
    if isinstance(old, str):
        return old if new in old else f"{old} {new}".strip()
    return tuple({str(each): each for each in (*old, *new)}.values())
