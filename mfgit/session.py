"""Conversations as they come in (`Conversation`) and as they are kept (`Session`), and their JSON.

Times are aware `datetime`s inside and RFC 3339 text outside. A session keeps the fields it does not know (`extra`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from mfgit import formats
from mfgit.errors import BadInput
from mfgit.model import Rating, fault, format_time, parse_time

ROLES = ("user", "assistant", "system", "tool")
WHOLE, SUMMARY, TRACE = "whole", "summary", "trace"
"""What is left of a session: everything, all but its messages, or that and compressed."""
NAMES = {
    "session_id": "sessionId",
    "archived_at": "archivedAt",
    "message_count": "messageCount",
}
"""Fields whose name in JSON is another."""
HANDED = frozenset(("sessionId", "messages", "participants", "channel", "title", "source", "started"))
HANDED |= frozenset(("archivedAt", "state", "messageCount", "cleared"))
"""Fields of a session that are a conversation's own, or made anew when it is stored."""
OTHER_ROLES = {
    "human": "user",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "developer": "system",
    "function": "tool",
}
"""What other programs call the roles."""
SHAPE = 'A session is an object with "sessionId" and "messages": [{"role", "content", "time"}].'


@dataclass(frozen=True, slots=True)
class Message:
    """One thing said: `role` is user, assistant, system or tool; `id` is the source's own and names it in its conversation.

    `extra` are the fields that mfgit does not know.
    """

    role: str
    content: str
    time: datetime | None = None
    id: str | None = None
    rating: Rating = None
    rating_reasons: tuple[str, ...] = ()
    rating_note: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the message as a session file has it."""
        time = self.time.isoformat() if self.time else None
        value: dict[str, Any] = {"role": self.role, "content": self.content, "time": time}
        optional = {
            "id": self.id,
            "rating": self.rating,
            "rating_reasons": list(self.rating_reasons) or None,
            "rating_note": self.rating_note,
        }
        known = value | {name: given for name, given in optional.items() if given is not None}
        return {**known, **{name: given for name, given in self.extra.items() if name not in known}}

    @classmethod
    def from_json(cls, value: Mapping[str, Any], where: str) -> "Message":
        """Read a message of a checked session; raises `BadInput` for a time that is none."""
        return cls(
            role=value["role"],
            content=text_of(value.get("content")),
            time=time_of(value.get("time"), f"{where}: time"),
            id=value.get("id"),
            rating=value.get("rating"),
            rating_reasons=tuple(value.get("rating_reasons") or ()),
            rating_note=value.get("rating_note"),
            extra={name: given for name, given in value.items() if name not in cls.__slots__ or name == "extra"},
        )


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation as an importer, a hook or a caller hands it over; nothing of it is redacted yet.

    `id` is stable: the same conversation has it in every later export. `messages` are the visible branch, oldest first.
    `meta` may hold `user_id`, `workspace_id`, `user_agent_id` and `help_mode`, which go to the turns; `topics`, `keywords`,
    `decisions`, `lessons`, `feedback` and `summary`, which go before what mfgit would find; all else is kept with the session.
    """

    id: str
    source: str
    channel: str = ""
    participants: tuple[str, ...] = ()
    title: str = ""
    started: datetime | None = None
    messages: tuple[Message, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation in the archive, redacted: `date` is the day it began, `state` what retention has left of it.

    `cleared` has a mark for each message that retention took, oldest first: role, hash of the text, time and id.
    """

    session_id: str
    date: str
    channel: str = ""
    participants: tuple[str, ...] = ()
    title: str = ""
    source: str = ""
    topics: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    decisions: tuple[Mapping[str, Any], ...] = ()
    lessons: tuple[Mapping[str, Any], ...] = ()
    feedback: tuple[Mapping[str, Any], ...] = ()
    summary: str = ""
    messages: tuple[Message, ...] = ()
    message_count: int = 0
    started: datetime | None = None
    archived_at: datetime | None = None
    state: str = WHOLE
    cleared: tuple[Mapping[str, Any], ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the session as its file has it."""
        left_out = ("extra",) if self.cleared else ("extra", "cleared")
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in left_out}
        shown = {NAMES.get(name, name): shape(given) for name, given in plain.items()}
        return {**shown, **{name: given for name, given in self.extra.items() if name not in shown}}

    @classmethod
    def from_json(cls, value: Any, where: str) -> "Session":
        """Read a session file's value; raises `BadInput` that names `where` and the field, `Newer` for a newer one."""
        if isinstance(value, Mapping):
            formats.refuse_newer(value.get(formats.FIELD), formats.SESSION, where)
        if reason := fault("session", value):
            raise BadInput(f"{where} is no session: {reason}.", SHAPE)
        own = {NAMES.get(name, name): name for name in cls.__slots__ if name != "extra"}
        known: dict[str, Any] = {own[name]: given for name, given in value.items() if name in own and given is not None}
        for name in ("participants", "topics", "keywords", "decisions", "lessons", "feedback", "cleared"):
            known[name] = tuple(known.get(name, ()))
        known["messages"] = tuple(
            Message.from_json(each, f"{where}: messages.{number}") for number, each in enumerate(known.get("messages", ()))
        )
        known.setdefault("message_count", len(known["messages"]))
        for name in ("started", "archived_at"):
            if name in known:
                known[name] = time_of(known[name], f"{where}: {NAMES.get(name, name)}")
        known.setdefault("date", day_of(known))
        return cls(**known, extra={name: given for name, given in value.items() if name not in own})


def day_of(known: Mapping[str, Any]) -> str:
    """Return the day a session without a `date` began on: of its first message with a time, else of its archiving."""
    times = [message.time for message in known["messages"] if message.time] + [known.get("started"), known.get("archived_at")]
    return next((when.date().isoformat() for when in times if when), "1970-01-01")


def time_of(value: Any, where: str) -> datetime | None:
    """Return a time, None for none; raises `BadInput` that names `where` and does not show the value."""
    try:
        return parse_time(value, where) if value else None
    except BadInput:
        raise BadInput(f"{where} is no time with offset.", "Write it like 2026-01-31T09:30:00+08:00.") from None


def shape(value: Any) -> Any:
    """Return a field's value as JSON knows it."""
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, tuple):
        return [each.to_json() if isinstance(each, Message) else each for each in value]
    return value


def text_of(content: Any) -> str:
    """Return the text of a message's content: a string, or blocks of which those of text count."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [block if isinstance(block, str) else block.get("text") for block in blocks if isinstance(block, str | dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


def role_of(name: str, where: str) -> str:
    """Return one of the four roles; raises `BadInput` that names `where` and does not show what else is there."""
    role = OTHER_ROLES.get(name.lower(), name.lower())
    if role not in ROLES:
        raise BadInput(f"{where}: role is none of {', '.join(ROLES)}.", "Name who spoke in participants, not in role.")
    return role


def shallow(value: Any, levels: int = 60) -> bool:
    """Tell whether a value is nested in a way that everything can cope with."""
    if isinstance(value, dict | list):
        return levels > 0 and all(shallow(each, levels - 1) for each in (value.values() if isinstance(value, dict) else value))
    return True


def conversation(value: Any, where: str) -> Conversation:
    """Return the conversation of a session given in our own format; raises `BadInput` that names the field."""
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        raise BadInput(f"{where} is no session.", SHAPE)
    if not shallow(value):
        raise BadInput(f"{where} is nested too deeply.", "Objects and lists may be 60 levels deep.")
    session = Session.from_json(value, where)
    named = enumerate(session.messages)
    return Conversation(
        id=session.session_id,
        source=session.source or "session",
        channel=session.channel,
        participants=session.participants,
        title=session.title,
        started=session.started,
        messages=tuple(replace(each, role=role_of(each.role, f"{where}: messages.{number}")) for number, each in named),
        meta={name: given for name, given in value.items() if name not in HANDED},
    )
