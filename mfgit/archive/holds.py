"""The legal-hold list `<sessions>/holds.json`: whose conversations neither retention nor forgetting may touch.

People may edit the file by hand; what it says wrongly is an error, since nothing may go because of a typing mistake.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from mfgit import formats
from mfgit.archive.policy import Holds
from mfgit.archive.sessions import SessionStore, replace_file
from mfgit.errors import BadInput
from mfgit.model import format_time, read_json
from mfgit.redact import either, redact, safe_id

NAME = "holds.json"
KINDS = ("user", "session", "request")
OWN = ("kind", "id", "reason", "since")


class Hold(NamedTuple):
    """One entry: what is held (`kind` and `id`), why, since when, and fields that mfgit does not know."""

    kind: str
    id: str
    reason: str = ""
    since: str = ""
    extra: Mapping[str, Any] = MappingProxyType({})

    def to_json(self) -> dict[str, Any]:
        """Return the entry as its file has it."""
        return {**dict(zip(OWN, self, strict=False)), **self.extra}

    def __str__(self) -> str:
        """Return the entry for people."""
        return f"{self.kind} {self.id}, since {self.since[:10] or '?'}" + (f": {self.reason}" if self.reason else "")


def read_holds(folder: Path) -> list[Hold]:
    """Return the entries of the list; raises `BadInput` that names what is wrong with it."""
    entries = read_file(folder).get("holds")
    where = folder / NAME
    if not isinstance(entries, list):
        raise BadInput(f"{where} holds no list.", 'Write {"holds": [{"kind": "user", "id": "u1", "reason": "…"}]}.')
    return [hold_of(entry, f"{where}, entry {number}") for number, entry in enumerate(entries, 1)]


def read_file(folder: Path) -> dict[str, Any]:
    """Return what the file says; raises `BadInput` for one that cannot be read, `Newer` for one of a newer version."""
    path = folder / NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {"holds": []}
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.", "Nothing goes from the archive until it can be.") from None
    value = read_json(data, str(path))
    if not isinstance(value, dict):
        return {}
    formats.refuse_newer(value.get("version"), formats.HOLDS, str(path))
    return value


def hold_of(entry: Any, where: str) -> Hold:
    """Return one entry of the list, its reason redacted, since a person may have written it."""
    known = isinstance(entry, Mapping) and entry.get("kind") in KINDS
    if not known or not isinstance(entry.get("id"), str) or not entry["id"]:
        raise BadInput(f"{where} is not {{kind, id}} with a kind of {', '.join(KINDS)}.", "Correct the entry.")
    extra = {name: given for name, given in entry.items() if name not in OWN}
    return Hold(entry["kind"], entry["id"], redact(str(entry.get("reason") or "")), str(entry.get("since") or ""), extra)


def write_holds(store: SessionStore, holds: list[Hold]) -> None:
    """Replace the list; the store's lock is held."""
    ordered = sorted(holds, key=lambda hold: hold[: len(OWN)])
    value = {**read_file(store.folder), "holds": [hold.to_json() for hold in ordered]}
    with store.trouble():
        replace_file(store.folder / NAME, json.dumps(value, ensure_ascii=False, indent=2).encode() + b"\n")


def add_hold(store: SessionStore, hold: Hold, now: datetime) -> bool:
    """Put something on the list, its reason redacted; return whether it was not there. Raises `BadInput` for an empty id."""
    if not hold.id.strip():
        raise BadInput(f"The {hold.kind} to hold is empty.", "Give its id, as the archive has it.")
    hold = hold._replace(id=safe_id(hold.id), reason=redact(hold.reason))
    with store.locked():
        holds = read_holds(store.folder)
        if any((each.kind, each.id) == (hold.kind, hold.id) for each in holds):
            return False
        write_holds(store, [*holds, hold._replace(since=format_time(now))])
        return True


def remove_hold(store: SessionStore, kind: str, identity: str) -> bool:
    """Take something off the list; return whether it was there."""
    with store.locked():
        holds = read_holds(store.folder)
        left = [each for each in holds if each.kind != kind or each.id not in either(identity)]
        if len(left) < len(holds):
            write_holds(store, left)
        return len(left) < len(holds)


def as_policy(holds: list[Hold], pinned: frozenset[str]) -> Holds:
    """Return the list and the pins as retention takes them."""
    found = {kind: frozenset(name for each in holds if each.kind == kind for name in either(each.id)) for kind in KINDS}
    return Holds(found["user"], found["session"], found["request"], pinned)
