"""`archive session add`: one session as JSON, or an agent's transcript file."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mfgit.errors import BadInput
from mfgit.model import Progress, quiet, read_json
from mfgit.printing import clean_line
from mfgit.project.archiving_sessions import Stored, store
from mfgit.project.base import Repository
from mfgit.project.following import Followed, follow
from mfgit.redact import safe_id
from mfgit.session import SHAPE, Conversation, conversation


@dataclass(frozen=True, slots=True)
class Added:
    """The sessions that were given, what became of them, and what followed (memories proposed, notes)."""

    sessions: tuple[str, ...]
    stored: Stored
    followed: Followed

    def to_json(self) -> dict[str, Any]:
        """Return what `session add --json` prints."""
        return {"sessions": list(self.sessions), **self.stored._asdict(), "proposals": self.followed.proposals}

    def lines(self) -> list[str]:
        """Return what `session add` prints."""
        stored = self.stored
        names = ", ".join(self.sessions[:3]) + (" …" if len(self.sessions) > 3 else "")
        if not stored.conversations and not stored.turns and not stored.ratings:
            return [f"{names}: known already ({turns(stored.already_known)})"]
        said = f"Archived {names}: {turns(stored.turns, 'new ')}"
        proposed = [f"Proposal {one}: {status}" for one, status in self.followed.proposals.items()]
        return [said + (f", {stored.already_known:,} known already" if stored.already_known else ""), *proposed]


def turns(count: int, what: str = "") -> str:
    """Return a count of turns as words."""
    return f"{count:,} {what}turn{'' if count == 1 else 's'}"


def add(
    repository: Repository,
    data: bytes | None,
    file: str | None = None,
    *,
    meta: Mapping[str, Any] | None = None,
    channel: str | None = None,
    memories: bool = False,
    progress: Progress = quiet,
) -> Added:
    """Archive the sessions of `data`, or of a file; `meta` and `channel` are said of all of them.

    `memories` proposes what of them is worth remembering. Raises `BadInput` that names what cannot be read, without showing it.
    """
    given = {name: value for name, value in (meta or {}).items() if value is not None}
    ids: list[str] = []
    empty: list[str] = []

    def noted() -> Iterator[Conversation]:
        for each in conversations(data, file):
            ids.append(safe_id(each.id))
            if not each.meta.get("summary") and not any(message.content.strip() for message in each.messages):
                empty.append(ids[-1])
            yield replace(each, meta={**each.meta, **given}, channel=channel or each.channel)

    fresh: list[str] = []
    stored = store(repository, noted(), progress, archived=fresh)
    if not ids:
        raise BadInput(f"{file or 'The standard input'} holds no session.", SHAPE)
    if len(empty) == len(ids):
        raise BadInput(f"{clean_line(', '.join(empty[:3]))} holds no message with a text, so nothing was stored.", SHAPE)
    return Added(tuple(dict.fromkeys(ids)), stored, follow(repository, fresh, memories=memories, progress=progress))


def conversations(data: bytes | None, file: str | None) -> Iterator[Conversation]:
    """Yield the conversations of JSON in our own format, one or a line each, or of a transcript file."""
    if file is not None:
        path = Path(file)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise BadInput(f"{file} cannot be read: {error.strerror}.") from None
        if not is_session(data):
            yield from transcript(path)
            return
    where = file or "standard input"
    text = (data or b"").strip()
    if not text:
        raise BadInput(f"{where} is empty.", SHAPE)
    for number, value in enumerate(values(text, where), 1):
        yield own(value, where if number == 1 else f"{where}, session {number}")


def is_session(data: bytes) -> bool:
    """Tell whether bytes are sessions of our own format: an object with messages."""
    try:
        value = json.loads(data.partition(b"\n")[0] if data.count(b"\n") and data[:1] == b"{" and data[1:2] != b"\n" else data)
    except (ValueError, RecursionError):
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            return False
    return isinstance(value, dict) and isinstance(value.get("messages"), list) and "sessionId" in value


def values(data: bytes, where: str) -> Iterator[Any]:
    """Yield the JSON values of one document, or of a line each."""
    lines = data.split(b"\n")
    try:
        found = [json.loads(line) for line in lines if line.strip()]
    except (ValueError, RecursionError):
        found = [read_json(data, where)]
    for value in found:
        if isinstance(value, list):
            yield from value
        else:
            yield value


def own(value: Any, where: str) -> Conversation:
    """Return the conversation of a session; one without an id gets one from its content, the same every time."""
    if isinstance(value, dict) and not value.get("sessionId") and isinstance(value.get("messages"), list):
        first = json.dumps(value["messages"][:1], sort_keys=True, ensure_ascii=True) + str(value.get("date"))
        value = {**value, "sessionId": "s-" + hashlib.sha256(first.encode()).hexdigest()[:16]}
    return conversation(value, where)


def transcript(path: Path) -> Iterator[Conversation]:
    """Yield the conversations of an agent's transcript file; raises `BadInput` when it is of no known format."""
    from mfgit.importers.formats import detect, format_named
    from mfgit.importers.source import Source

    with Source(path) as source:
        name = detect(source)
        if name in (None, "turns", "sessions"):
            raise BadInput(f"{path} is neither a session nor a transcript that mfgit knows.", SHAPE)
        for each in format_named(str(name)).read(source):
            if isinstance(each, Conversation):
                yield each
