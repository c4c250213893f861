"""One line of a day file, parsed and checked: a turn or a rating, or why it is neither."""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from mfgit import formats, model
from mfgit.errors import BadInput
from mfgit.model import Turn, fault, parse_time
from mfgit.redact import safe_id

FIELDS = frozenset(Turn.__slots__) - {"extra"}
SHARED = ("session_id", "user_id", "workspace_id", "user_agent_id", "topic")
"""Fields whose values come in many turns."""
NOTHING: Mapping[str, Any] = {}
"""The fields that most turns don't have, one empty mapping for all; turns are frozen, so nobody writes to it."""
Same = dict[str, str]
ODD = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
"""Escapes that can stand for what no file may hold: NUL, and halves of surrogate pairs."""
SURROGATE = re.compile(r"[\0\ud800-\udfff]")


SAFE = ("request_id", "session_id", "user_id", "user_agent_id", "assistant_message_id")
"""Ids that another program may have written as they are, personal or not."""


class Unreadable(Exception):
    """A line that is neither a turn nor a rating. `what` is wrong in a few words; `reason` says more, and no text of it."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"{what}: {reason}")
        self.what = what
        self.reason = reason


class Rated(NamedTuple):
    """A rating that arrived later, as its line has it."""

    assistant_message_id: str
    event: Mapping[str, Any]


class Trace(NamedTuple):
    """What retention left of an old turn: its ids, rating and topic."""

    value: Mapping[str, Any]


RETAINED = "retained"
"""A field of turns that retention has reduced: `summary` without the reply, `trace` without the question too."""
UNDATED = "undated"
"""A field of turns of conversations whose questions carry no times of their own."""
NEAR = timedelta(minutes=15)
"""How far apart the times of one question may be that a chat backend and a whole conversation give."""


def parse(data: bytes) -> Any:
    """Parse one line as JSON; raises `Unreadable`."""
    try:
        value = json.loads(data.decode())
    except UnicodeDecodeError as error:
        raise Unreadable("not UTF-8 text", f"byte {error.start + 1} of the line") from None
    except json.JSONDecodeError as error:
        raise Unreadable("not valid JSON", f"{error.msg.removesuffix(' at')} at column {error.colno}") from None
    except (RecursionError, ValueError):
        raise Unreadable("not usable JSON", "nested too deeply, or a number of thousands of digits") from None
    return repaired(value) if ODD.search(data) else value


def repaired(value: Any) -> Any:
    """Return a value whose strings hold no NUL and no half of a surrogate pair: U+FFFD stands where one was."""
    if isinstance(value, str):
        return SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [repaired(item) for item in value]
    if isinstance(value, dict):
        return {repaired(key): repaired(item) for key, item in value.items()}
    return value


def check_version(value: Any) -> None:
    """Raise `Unreadable` for a line of a version that is not known here."""
    found = value.get(formats.FIELD) if isinstance(value, Mapping) else None
    if formats.newer(found, formats.TURN) and not formats.is_number(found):
        raise Unreadable("an unknown format", f"its {formats.FIELD} is no whole number from 1 on; put it right")
    if formats.newer(found, formats.TURN):
        raise Unreadable("a newer format", f"version {found}, and this mfgit reads up to {formats.TURN}; upgrade mfgit here")


def checked_turn(value: Any) -> datetime:
    """Check that a value is a turn and return its time; raises `Unreadable`."""
    check_version(value)
    if reason := fault("turn", value):
        raise Unreadable("not a turn", reason)
    if value.get("rated_at") is not None:
        time_of(value["rated_at"], "rated_at")
    return time_of(value["timestamp"], "timestamp")


def time_of(value: Any, field: str) -> datetime:
    """Return a time; raises `Unreadable` when there is no such time."""
    try:
        return parse_time(value, field)
    except BadInput:
        raise Unreadable("no such time", f"{field} must be a time with offset, like 2026-01-31T09:30:00+08:00") from None


def checked_rating(value: Any) -> Rated:
    """Check that a value is a rating and return it; raises `Unreadable`."""
    if reason := fault("rating", value):
        raise Unreadable("not a rating", reason)
    time_of(value["rated_at"], "rated_at")
    message_id = safe_id(value["assistant_message_id"])
    return Rated(message_id, {**value, "assistant_message_id": message_id, "rating": plain_rating(value["rating"])})


def plain_rating(value: Any) -> model.Rating:
    """Return a rating with a whole number as `int`."""
    return int(value) if isinstance(value, float) else value


def derived_id(value: Mapping[str, Any]) -> str:
    """Return the request id of a turn that has none: the same for the same content, however it is laid out."""
    return "r-" + digest(json.dumps(value, sort_keys=True, ensure_ascii=True))


def reply_id(request_id: str) -> str:
    """Return the message id of a reply that has none."""
    return "m-" + digest(request_id)


def digest(text: str) -> str:
    """Return 16 hex digits that stand for a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def to_turn(value: Mapping[str, Any], when: datetime, same: Same | None = None) -> Turn:
    """Return a checked value as a `Turn`; what it does not know goes to `extra`.

    `same` collects ids that come in many turns, so that those of one reading hold each of them once.
    """
    known = {name: given for name, given in value.items() if given is not None and name in FIELDS}
    known["timestamp"] = when
    known["request_id"] = value.get("request_id") or derived_id(value)
    known |= {name: safe_id(known[name]) for name in SAFE if name in known}
    if "rating" in known:
        known["rating"] = plain_rating(known["rating"])
    if "rating_reasons" in known:
        known["rating_reasons"] = tuple(known["rating_reasons"])
    if "rated_at" in known:
        known["rated_at"] = parse_time(known["rated_at"], "rated_at")
    if same is not None:
        known.update({name: same.setdefault(known[name], known[name]) for name in SHARED if name in known})
    extra = {name: given for name, given in value.items() if name not in FIELDS and name != "date"}
    return Turn(**{"intent_meta": NOTHING, **known}, extra=extra or NOTHING)


def entry(data: bytes, same: Same | None = None) -> Turn | Rated | Trace:
    """Return what one line of a day file is; raises `Unreadable`."""
    value = parse(data)
    if isinstance(value, dict) and "user_message" not in value:
        check_version(value)
        if "event" in value:
            return checked_rating(value)
        if value.get(RETAINED) == "trace" and isinstance(value.get("request_id"), str):
            return Trace(value)
    when = checked_turn(value)
    return to_turn(value, when, same)
