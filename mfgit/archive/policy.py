"""How long what is kept: a pure function from a turn or a session, and the time, to what stays of it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from mfgit.archive.entries import RETAINED, SAFE
from mfgit.archive.meeting import all_marks
from mfgit.errors import BadInput
from mfgit.model import parse_time
from mfgit.redact import Redactor, redact_value, safe_id
from mfgit.session import SUMMARY, TRACE, WHOLE, Session

IDS = (
    "timestamp",
    "date",
    "request_id",
    "session_id",
    "user_id",
    "workspace_id",
    "user_agent_id",
    "help_mode",
    "partial",
    "assistant_message_id",
    "source",
    "archived_at",
    "imported_at",
)
VERDICT = ("rating", "rating_reasons", "rated_at", "topic")
KEPT = {SUMMARY: (*IDS, "user_message", *VERDICT), TRACE: (*IDS, *VERDICT)}
"""What is left of a turn: ids, rating, topic and question; later only ids, rating and topic."""
TEXTS = ("user_message", "rating_reasons", "topic")


class Terms(NamedTuple):
    """After how many days conversations lose their messages, and after how many all but a trace."""

    whole: int
    summary: int


class Holds(NamedTuple):
    """What may not go: ids of users, sessions and turns. Legal holds keep everything of theirs, pins the cited turns."""

    users: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    requests: frozenset[str] = frozenset()
    pinned: frozenset[str] = frozenset()


class Policy(NamedTuple):
    """What retention goes by, at one time."""

    help: Terms
    workspace: Terms
    holds: Holds
    now: datetime

    def terms(self, is_help: Any, workspace: Any) -> Terms:
        """Return the terms of a layer; of what belongs to none, the longer ones."""
        if is_help:
            return self.help
        if workspace:
            return self.workspace
        return Terms(max(self.help.whole, self.workspace.whole), max(self.help.summary, self.workspace.summary))

    def shortest(self) -> int:
        """Return the days that everything is kept whole for."""
        return min(self.help.whole, self.workspace.whole)

    def closed(self, day: str) -> bool:
        """Tell whether a day is over for so long, everywhere on earth, that something of it may be due."""
        return (self.now.astimezone(UTC).date() - date.fromisoformat(day)).days > self.shortest()

    def of_turn(self, turn: Mapping[str, Any]) -> str:
        """Return what should be left of a turn. Raises `BadInput` for one whose times cannot be read."""
        holds = self.holds
        request, session, user = (safe_id(str(turn.get(name))) for name in ("request_id", "session_id", "user_id"))
        if request in holds.requests | holds.pinned or session in holds.sessions or user in holds.users:
            return WHOLE
        times = [turn[name] for name in ("timestamp", "archived_at", "imported_at") if turn.get(name)]
        since = max(parse_time(when, "time") for when in times)
        return self.after(self.now - since, self.terms(turn.get("help_mode"), turn.get("workspace_id")))

    def of_session(self, session: Session, written: datetime) -> str:
        """Return what should be left of a session; `written` is its file's time, for one that says nothing of its own."""
        users = {safe_id(str(each)) for each in (session.extra.get("user_id"), *session.participants)}
        if safe_id(session.session_id) in self.holds.sessions or users & self.holds.users:
            return WHOLE
        times = [session.archived_at or written, session.started, *(message.time for message in session.messages[-1:])]
        since = max(when for when in times if when)
        return self.after(self.now - since, self.terms(session.extra.get("help_mode"), session.extra.get("workspace_id")))

    @staticmethod
    def after(age: timedelta, terms: Terms) -> str:
        """Return what is left at an age."""
        if age.days < terms.whole:
            return WHOLE
        return SUMMARY if age.days < terms.summary else TRACE


def reduced(turn: Mapping[str, Any], left: str) -> dict[str, Any]:
    """Return what is left of a turn, redacted by the rules of today; the turn itself when nothing has to go."""
    if left == WHOLE or turn.get(RETAINED) in (left, TRACE):
        return dict(turn)
    kept = {name: turn[name] for name in KEPT[left] if turn.get(name) not in (None, [], "")}
    kept |= {name: redact_value(kept[name]) for name in TEXTS if name in kept}
    kept |= {name: safe_id(kept[name]) for name in SAFE if isinstance(kept.get(name), str)}
    return {**kept, RETAINED: left}


def reduced_session(session: Session, left: str) -> Session:
    """Return what is left of a session; the session itself when nothing has to go."""
    if left == WHOLE or session.state in (left, TRACE):
        return session
    less = replace(session, messages=(), state=left, cleared=all_marks(session))
    if session.source:
        return less
    redactor = Redactor()  # another program's: nobody has redacted it yet
    as_is = ("sessionId", "archivedAt", "started", "cleared", "user_id", "workspace_id")
    plain = {name: given if name in as_is else redactor.value(given, name) for name, given in less.to_json().items()}
    return Session.from_json(plain, session.session_id)


def readable(turn: Mapping[str, Any], policy: Policy) -> str:
    """Return what should be left of a turn; all of it when its times cannot be read."""
    try:
        return policy.of_turn(turn)
    except (BadInput, ValueError, OverflowError):
        return WHOLE
