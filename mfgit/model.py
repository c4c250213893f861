"""Frozen records that the stages hand to each other, and their JSON, checked against `schemas/`.

Times are aware `datetime`s inside and RFC 3339 text outside. Reading keeps the fields it does not know (`extra`), and
writing puts them back. `jsonschema` is imported here only, and only when a value does not pass the quick check.
"""

import functools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mfgit import formats, passages, progress
from mfgit.errors import BadInput
from mfgit.schemacheck import compiled

Passage = passages.Passage
Hit = passages.Hit
Progress = progress.Progress
quiet = progress.quiet
Rating = str | int | None
DOWN: tuple[Rating, ...] = ("down", 1, 2)
UP: tuple[Rating, ...] = ("up", 4, 5)
ACTION_TYPES = ("index", "verified_answer", "skill", "supplement")
PRIORITIES = ("high", "medium", "low")


@dataclass(frozen=True, slots=True)
class Turn:
    """One user question and its reply, its late ratings already folded in."""

    request_id: str
    timestamp: datetime
    user_message: str
    assistant_message: str = ""
    session_id: str | None = None
    user_id: str | None = None
    workspace_id: str | None = None
    user_agent_id: str | None = None
    help_mode: bool = False
    partial: bool = False
    intent_meta: Mapping[str, Any] = field(default_factory=dict)
    assistant_message_id: str | None = None
    rating: Rating = None
    rating_reasons: tuple[str, ...] = ()
    rating_note: str | None = None
    rated_at: datetime | None = None
    topic: str | None = None
    review: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def dissatisfied(self) -> bool:
        """Whether the user was unhappy with the reply: down, 1 or 2."""
        return self.rating in DOWN

    @property
    def satisfied(self) -> bool:
        """Whether the user was happy with the reply: up, 4 or 5."""
        return self.rating in UP

    @property
    def date(self) -> str:
        """The day in the turn's own offset, as `YYYY-MM-DD`."""
        return self.timestamp.date().isoformat()


@dataclass(frozen=True, slots=True)
class Evidence:
    """One turn that a proposal cites; `excerpt` is redacted and short, or empty when excerpts are off."""

    request_id: str
    date: str
    excerpt: str = ""
    rating: Rating = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """An original that something is based on: its path from the top and the blob it had."""

    path: str
    blob: str


@dataclass(frozen=True, slots=True)
class Alias:
    """Another wording (`alias`) that leads to the page `path` (from the top)."""

    path: str
    alias: str


@dataclass(frozen=True, slots=True)
class Related:
    """An original that a reader of a proposal should see: its path from the top, title, anchor, and a sentence of it."""

    path: str
    title: str = ""
    anchor: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A proposal as Git holds it. `keys` are 8-byte hashes in hex of every question the proposal ever had."""

    id: str
    title: str
    action_type: str
    target_layer: str
    root: str
    priority: str
    frequency: int
    lang: str = "en"
    distinct_users: int = 0
    dissatisfied_count: int = 0
    rating_reasons: tuple[str, ...] = ()
    suggestion: str = ""
    questions: tuple[str, ...] = ()
    aliases: tuple[Alias, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    keys: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    similar: tuple[str, ...] = ()
    first_seen: str = ""
    last_seen: str = ""
    based_on: tuple[Source, ...] = ()
    related: tuple[Related, ...] = ()
    adopted_path: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON values, in the order of the fields."""
        plain = {name: plainly(getattr(self, name)) for name in self.__slots__ if name != "extra"}
        return {**plain, "schema": formats.RECORD, **self.extra}

    def dump(self) -> bytes:
        """Return the bytes of the record's file."""
        return (json.dumps(self.to_json(), ensure_ascii=False, indent=2) + "\n").encode()

    @classmethod
    def load(cls, data: bytes, where: str) -> "Record":
        """Read the bytes of a record's file; raises `BadInput` that names `where` and the field, `Newer` for a newer one."""
        value = read_json(data, where)
        if isinstance(value, dict):
            formats.refuse_newer(value.get("schema"), formats.RECORD, where)
        check("record", value, where)
        known: dict[str, Any] = {name: value[name] for name in cls.__slots__ if name in value and name != "extra"}
        shapes: dict[str, Callable[[Any], Any]] = {
            "evidence": lambda entry: Evidence(**pick(Evidence, {**entry, "reasons": tuple(entry.get("reasons", ()))})),
            "aliases": lambda entry: Alias(**pick(Alias, entry)),
            "based_on": lambda entry: Source(**pick(Source, entry)),
            "related": lambda entry: Related(**pick(Related, entry)),
        }
        for name, given in known.items():
            if isinstance(given, list):
                known[name] = tuple(map(shapes.get(name, str), given))
        return cls(**known, extra={k: v for k, v in value.items() if k not in cls.__slots__ and k != "schema"})


@dataclass(frozen=True, slots=True)
class Known:
    """A proposal that Git knows: `status` is open, edited, stale, adopted, rejected, undone, or closed (originals answer it).

    `commit` is the branch's tip, the rejected ref's commit, or the target's commit that adopted it or took it out.
    `decided_at` is when it was adopted, rejected, closed or undone; `reason` why it was rejected or closed; `forever` whether
    it may never come back.
    """

    id: str
    status: str
    record: Record
    branch: str | None = None
    commit: str | None = None
    decided_at: datetime | None = None
    reason: str = ""
    forever: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return an entry of `proposals --json`."""
        state = {
            "id": self.id,
            "status": self.status,
            "branch": self.branch,
            "commit": self.commit,
            "decided_at": format_time(self.decided_at) if self.decided_at else None,
            "reason": self.reason,
            "forever": self.forever,
        }
        return {**state, **{k: v for k, v in self.record.to_json().items() if k not in state}}


def plainly(value: Any) -> Any:
    """Return a field's value as JSON knows it."""
    if isinstance(value, tuple):
        return [plainly(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: plainly(getattr(value, name)) for name in value.__slots__}
    return value


def pick(kind: type, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of a mapping that a record has fields for."""
    return {name: entry[name] for name in kind.__slots__ if name in entry}  # type: ignore[attr-defined]


def with_rating(turn: Turn, event: Mapping[str, Any]) -> Turn:
    """Return the turn with a later rating folded in."""
    return replace(
        turn,
        rating=event["rating"],
        rating_reasons=tuple(event.get("rating_reasons") or ()),
        rating_note=event.get("rating_note"),
        rated_at=parse_time(event["rated_at"], "rated_at"),
    )


# ---- JSON and schemas


def read_json(data: bytes, where: str) -> Any:
    """Parse UTF-8 JSON (a BOM is passed over); raises `BadInput` that names `where`, line and column."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadInput(f"{where} is not UTF-8 text (byte {error.start}).", "Save it as UTF-8.") from None
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")  # some of Python's sentences end with it
        raise BadInput(f"{where} is not valid JSON: {what} at line {error.lineno}, column {error.colno}.") from None
    except RecursionError:
        raise BadInput(f"{where} is nested too deeply to be read.") from None


def schema_folder() -> Path:
    """Return the folder of the schemas: inside an installed package, or beside the package in a checkout."""
    inside = Path(__file__).parent / "schemas"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "schemas"


@functools.cache
def schema(name: str) -> Any:
    """Return `schemas/NAME.schema.json`."""
    return json.loads((schema_folder() / f"{name}.schema.json").read_text("utf-8"))


@functools.cache
def quick_check(name: str) -> Callable[[Any], bool]:
    """Return a function that says whether a value fits `schemas/NAME.schema.json`."""
    return compiled(schema(name))


def check(name: str, value: Any, where: str) -> None:
    """Raise `BadInput` that names `where` and the field unless `value` fits `schemas/NAME.schema.json`."""
    if quick_check(name)(value):
        return
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schema(name)).iter_errors(value))
    if error is not None:
        place = ".".join(str(part) for part in error.absolute_path)
        said = error.message if len(error.message) < 200 else error.message[:200] + "…"
        raise BadInput(f"{where}: {f'field {place}: ' if place else ''}{said}.")


def fault(name: str, value: Any) -> str | None:
    """Return what is wrong with `value` by `schemas/NAME.schema.json` without showing any of it, None when it fits.

    For conversations: what `jsonschema` says repeats the value, and the value may be a secret.
    """
    if quick_check(name)(value):
        return None
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schema(name)).iter_errors(value))
    if error is None:
        return None
    if error.validator == "required":
        return "no " + " and no ".join(key for key in error.validator_value if key not in error.instance)
    place = [str(part) for part in error.absolute_path]
    shown = ".".join(place) if not place or place[0] in schema(name)["properties"] else "a field"
    wanted = error.validator_value if error.validator == "type" else schema_at(name, place).get("description", "something else")
    return f"{shown or 'the line'} must be {wanted if isinstance(wanted, str) else ' or '.join(wanted)}"


def schema_at(name: str, place: Sequence[str]) -> Mapping[str, Any]:
    """Return what a schema says of a place within a value; nothing where it does not tell."""
    found: Mapping[str, Any] = schema(name)
    for part in place:
        found = found.get("properties", {}).get(part) or found.get("items", {})
    return found


# ---- times

TIME = re.compile(r"^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)$")


def parse_time(text: Any, where: str) -> datetime:
    """Read an RFC 3339 time with offset; raises `BadInput` that names `where`."""
    try:
        if isinstance(text, str) and TIME.match(text):
            return datetime.fromisoformat(text.upper())
    except ValueError:
        pass
    raise BadInput(f"{where}: {text!r} is not a time with offset.", "Write it like 2026-01-31T09:30:00+08:00.")


def format_time(when: datetime) -> str:
    """Return a time as RFC 3339 in UTC, to the second."""
    return when.astimezone(UTC).isoformat(timespec="seconds")
