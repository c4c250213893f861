"""The legal-hold list `<sessions>/holds.json`: whose conversations neither retention nor forgetting may touch.

People may edit the file by hand; what it says wrongly is an error, since nothing may go because of a typing mistake.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from mfgit.archive.policy import Holds
from mfgit.archive.sessions import SessionStore, replace_file
from mfgit.errors import BadInput
from mfgit.model import format_time, read_json
from mfgit.redact import either, redact, safe_id

NAME = "holds.json"
KINDS = ("user", "session", "request")


class Hold(NamedTuple):
    """One entry: what is held (`kind` and `id`), why, and since when."""

    kind: str
    id: str
    reason: str = ""
    since: str = ""

    def __str__(self) -> str:
        """Return the entry for people."""
        return f"{self.kind} {self.id}, since {self.since[:10] or '?'}" + (f": {self.reason}" if self.reason else "")


def read_holds(folder: Path) -> list[Hold]:
    """Return the entries of the list; raises `BadInput` that names what is wrong with it."""
    path = folder / NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.", "Nothing goes from the archive until it can be.") from None
    value = read_json(data, str(path))
    entries = value.get("holds") if isinstance(value, dict) else None
    if not isinstance(entries, list):
        raise BadInput(f"{path} holds no list.", 'Write {"holds": [{"kind": "user", "id": "u1", "reason": "…"}]}.')
    return [hold_of(entry, f"{path}, entry {number}") for number, entry in enumerate(entries, 1)]


def hold_of(entry: Any, where: str) -> Hold:
    """Return one entry of the list, its reason redacted, since a person may have written it."""
    known = isinstance(entry, Mapping) and entry.get("kind") in KINDS
    if not known or not isinstance(entry.get("id"), str) or not entry["id"]:
        raise BadInput(f"{where} is not {{kind, id}} with a kind of {', '.join(KINDS)}.", "Correct the entry.")
    return Hold(entry["kind"], entry["id"], redact(str(entry.get("reason") or "")), str(entry.get("since") or ""))


def write_holds(store: SessionStore, holds: list[Hold]) -> None:
    """Replace the list; the store's lock is held."""
    value = {"holds": [hold._asdict() for hold in sorted(holds)]}
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
