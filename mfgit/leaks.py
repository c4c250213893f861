"""What must not enter Git: files of the archive, and secrets in overlays.

Files are judged by where they are, by what they are called, and by what they hold, since a conversation that was copied to
another name is one still. Pure: paths and bytes in, leaks out.
"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mfgit import layout
from mfgit.redact import spans

DAY_FILE = re.compile(r"\d{4}-\d\d-\d\d\.jsonl(\.gz)?(\.\w+|~)?", re.ASCII)
"""Names of day files, and of what is made beside them: `.quarantine`, `.tmp`, a copy of an editor."""
QUARANTINE = ".quarantine"
GZIP = b"\x1f\x8b"
UNPACKED = 1 << 24
"""Bytes of a compressed file that are looked at: 16 MiB."""
LINES = 1000
"""Lines of a file that are looked at when its name says nothing."""
TELLING = (b"user_message", b"assistant_message", b"sessionId")
"""One of these is in every file that holds conversations."""
TURN = frozenset(["user_message", "assistant_message", "assistant_message_id", "request_id", "rating"])
SESSION = frozenset(["messages", "summary", "archivedAt", "decisions", "participants"])
CONTACTS = frozenset(["email", "phone", "ip", "mac", "address", "name"])
"""Kinds that a page may name on purpose, such as the mail address of a support desk; a record of evidence may not."""
IDS = frozenset(
    ["id", "ids", "keys", "proposal", "sources", "request_id", "based_on", "blob", "path", "adopted_path", "root"]
).union(["created", "first_seen", "last_seen", "date", "schema"])
"""Keys of overlays and records under which ids, hashes, paths and times stand, which look like keys of services."""
FRONT = "---\n"
KEY = re.compile(r"(\w[\w-]*)\s*:")


class Leak(NamedTuple):
    """One file that must not enter Git: the rule it breaks (archive, secret), and half a sentence that shows no secret."""

    path: str
    rule: str
    why: str


class File(NamedTuple):
    """A file as it would enter Git; `data` is None for one that is not read, such as a link or one that is very large."""

    path: str
    data: bytes | None


def find(files: Iterable[File], folders: Sequence[str], allowed: Sequence[str] = ()) -> Iterator[Leak]:
    """Yield the leaks of files; `folders` are those of the archive, `allowed` patterns of paths that are let through."""
    inside = tuple(layout.fold(folder.strip("/")) + "/" for folder in folders)
    for file in files:
        if any(fits(file.path, pattern) for pattern in allowed):
            continue
        why = archive_fault(file, inside)
        if why:
            yield Leak(file.path, "archive", why)
        elif file.data and layout.FORGED in file.path.split("/")[:-1]:
            yield from secrets(file.path, file.data)


def fits(path: str, pattern: str) -> bool:
    """Tell whether a path fits a pattern of the shell, or lies in a folder that does."""
    import fnmatch

    return fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(path, pattern.rstrip("/") + "/*")


# ---- files of the archive


def archive_fault(file: File, inside: tuple[str, ...]) -> str:
    """Return why a file belongs to the archive, nothing when it does not."""
    name = file.path.rsplit("/", 1)[-1]
    if layout.fold(file.path).startswith(inside) and name not in layout.FOLDER_MARKERS:
        return "lies in a folder of the archive"
    if name.endswith(QUARANTINE):
        return "holds lines that were set aside from an archive"
    data = unpacked(file.data or b"")
    if DAY_FILE.fullmatch(name):
        if data is None or any(is_turn(value) for value in json_lines(data)):
            return "is a day file of conversations"
        return ""
    if data is None or not any(word in data for word in TELLING):
        return ""
    return "holds conversations, whatever it is called" if holds_conversations(data) else ""


def unpacked(data: bytes) -> bytes | None:
    """Return the plain bytes of a file, of a compressed one the first; None when it cannot be unpacked."""
    if not data.startswith(GZIP):
        return data
    try:
        return zlib.decompressobj(wbits=31).decompress(data, UNPACKED)
    except zlib.error:
        return None


def json_lines(data: bytes) -> Iterator[Any]:
    """Yield the value of every line that is JSON, None for a line that is none; blank lines are passed over."""
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if line.strip():
            yield value_of(line) if line.lstrip()[:1] in (b"{", b"[") else None


def value_of(data: bytes) -> Any:
    """Return what JSON says, None when it is none."""
    try:
        return json.loads(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None


def holds_conversations(data: bytes) -> bool:
    """Tell whether a file is conversations as a whole: one JSON value of them, or lines of which half are turns.

    A page that shows a turn as an example is not.
    """
    if is_conversation(value_of(data)):
        return True
    lines = [value for value, _ in zip(json_lines(data), range(LINES), strict=False)]
    return 2 * sum(map(is_conversation, lines)) >= len(lines) > 0


def is_conversation(value: Any) -> bool:
    """Tell whether a JSON value is a turn, a rating, a session, or a list or catalogue of them."""
    if isinstance(value, list):
        return any(is_turn(item) or is_session(item) for item in value[:LINES])
    lists = [each for each in value.values() if isinstance(each, list)] if isinstance(value, dict) else []
    listed = any(is_turn(item) or is_session(item) for each in lists for item in each[:LINES])
    return listed or is_turn(value) or is_session(value)


def is_turn(value: Any) -> bool:
    """Tell whether a JSON value is a turn, what retention leaves of one, or a rating."""
    if not isinstance(value, Mapping):
        return False
    return ("timestamp" in value and not TURN.isdisjoint(value)) or (
        value.get("event") == "rating" and "assistant_message_id" in value
    )


def is_session(value: Any) -> bool:
    """Tell whether a JSON value is a session or its entry in the catalogue."""
    return isinstance(value, Mapping) and "sessionId" in value and not SESSION.isdisjoint(value)


# ---- secrets in overlays


def secrets(path: str, data: bytes) -> Iterator[Leak]:
    """Yield what an overlay or a record holds that redaction would take out: each kind once, with its first line."""
    text = data.decode("utf-8", "replace")
    record = value_of(data) if path.endswith(".json") else None
    found: dict[str, int] = {}
    if record is None:
        for span in spans(without_ids(text)):
            if span.kind not in CONTACTS:
                found.setdefault(span.kind, text.count("\n", 0, span.start) + 1)
    else:
        for said in texts(record):
            for span in spans(said):
                found.setdefault(span.kind, line_of(text, said))
    for kind, line in found.items():
        where = f" in line {line}" if line else ""
        yield Leak(path, "secret", f"holds what redaction takes out: {kind}{where}")


def without_ids(text: str) -> str:
    """Return a page with the ids of its front matter blanked; every other character stays at its place."""
    end = text.find("\n" + FRONT, len(FRONT) - 1) if text.startswith(FRONT) else -1
    if end < 0:
        return text
    kept, key = [], ""
    for line in text[:end].split("\n"):
        named = KEY.match(line.lstrip(" -"))
        key = named[1].rsplit("-", 1)[-1] if named else key
        kept.append(" " * len(line) if key in IDS else line)
    return "\n".join(kept) + text[end:]


def texts(value: Any, name: str = "") -> Iterator[str]:
    """Yield every text of a JSON value but ids, hashes, paths and times."""
    if isinstance(value, str):
        if name not in IDS:
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts(item, name)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if key not in IDS or not isinstance(item, str):
                yield from texts(item, key)


def line_of(text: str, said: str) -> int:
    """Return the line of a JSON file on which a text stands, 0 when it is written in another way."""
    at = text.find(json.dumps(said, ensure_ascii=False))
    return text.count("\n", 0, at) + 1 if at >= 0 else 0
