"""What can be found in the archive: turns by day file and offset, and sessions. Never writes.

A file is told apart from the one that had its name before by its number on the disk, its size and its last bytes, so that
only what was appended since has to be read again.
"""

import gzip
import hashlib
import json
import os
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from mfgit.archive import days
from mfgit.archive.entries import Unreadable, entry
from mfgit.archive.ids import loaded
from mfgit.errors import BadInput
from mfgit.model import Turn, parse_time
from mfgit.redact import redact
from mfgit.text.fold import fold

TAIL = 64
"""Bytes at the end of what was read that have to be there again."""
MOST = 100_000
"""Characters of one field that can be found; a text longer than that is a file somebody pasted."""
SESSION = "session"
"""The name of the part of a session that is no message."""


class Slice(NamedTuple):
    """A part of the archive that is read at once: bytes `start` to `end` of a day file, or a whole file (`end` -1)."""

    key: str
    path: Path
    start: int
    end: int


class Place(NamedTuple):
    """Where a document stands: the file by its name in its folder, and the byte (a session: the message, -1 for itself)."""

    file: str
    at: int
    session_id: str
    request_id: str
    day: str


class Document(NamedTuple):
    """One thing that can be found: its fields (name, redacted text), when it was (epoch seconds), and its folded label."""

    place: Place
    fields: tuple[tuple[str, str], ...]
    when: int
    label: str = ""

    @property
    def ordinal(self) -> int:
        """The day as a number, 0 for one that is none."""
        try:
            return date.fromisoformat(self.place.day).toordinal()
        except ValueError:
            return 0


class Folders(NamedTuple):
    """Where the day files and the session files are."""

    chat: Path
    sessions: Path


def fingerprint(folders: Folders) -> str:
    """Return what changes whenever a file of the archive does; it costs one look at each day file and session folder."""
    seen: list[object] = []
    for file in days.day_files(folders.chat):
        try:
            state = file.path.stat()
        except OSError:
            continue
        seen.append((file.path.name, state.st_ino, state.st_size, state.st_mtime_ns))
    for month in month_folders(folders.sessions):
        try:
            seen.append((month.name, month.stat().st_mtime_ns))
        except OSError:
            continue
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:32]


def month_folders(sessions: Path) -> list[Path]:
    """Return the folders that hold session files."""
    try:
        return sorted(path for path in (sessions / "sessions").iterdir() if path.is_dir())
    except OSError:
        return []


def slices(folders: Folders, known: Collection[str]) -> list[Slice]:
    """Return the archive as slices, oldest day first, then the sessions; slices whose keys are known are the same as before."""
    before: dict[str, dict[int, Slice]] = {}
    for key in known:
        if key.startswith("t "):
            _, name, start, end, _ = key.split(" ")
            before.setdefault(name, {})[int(start)] = Slice(key, folders.chat / name.partition("/")[0], int(start), int(end))
    found: list[Slice] = []
    for file in days.day_files(folders.chat):
        try:
            found += [whole(file.path, "z")] if file.compressed else plain_slices(file.path, before)
        except OSError:
            continue
    for month in month_folders(folders.sessions):
        with os.scandir(month) as items:
            files = sorted(item.name for item in items if item.name.endswith((".json", ".json.gz")) and item.name[0] != ".")
        found += [each for name in files if (each := present(month / name))]
    return found


def present(path: Path) -> Slice | None:
    """Return the slice of a session file, None when it is gone."""
    try:
        return whole(path, "s")
    except OSError:
        return None


def whole(path: Path, kind: str) -> Slice:
    """Return a file as one slice."""
    state = path.stat()
    return Slice(f"{kind} {path.parent.name}/{path.name} {state.st_ino} {state.st_size} {state.st_mtime_ns}", path, 0, -1)


def plain_slices(path: Path, before: Mapping[str, Mapping[int, Slice]]) -> list[Slice]:
    """Return the slices of a day file: those read before, as long as the file still is the same, and what came since."""
    with path.open("rb", buffering=0) as stream:
        state = os.fstat(stream.fileno())
        name = f"{path.name}/{state.st_ino:x}"
        chain: list[Slice] = []
        links, end = before.get(name, {}), 0
        while end in links and links[end].end > end:
            chain.append(links[end])
            end = chain[-1].end
        if chain and (end > state.st_size or tail_of(stream, end) != chain[-1].key.rpartition(" ")[2]):
            chain, end = [], 0
        last = whole_lines(stream, end, state.st_size)
        if last > end:
            chain.append(Slice(f"t {name} {end} {last} {tail_of(stream, last)}", path, end, last))
    return chain


def tail_of(stream: Any, end: int) -> str:
    """Return what stands for the last bytes before `end`."""
    stream.seek(max(0, end - TAIL))
    return hashlib.sha256(stream.read(min(end, TAIL))).hexdigest()[:12]


def whole_lines(stream: Any, start: int, size: int) -> int:
    """Return where the last line that is whole ends, between `start` and `size`; a JSON value is whole without its line end."""
    end = size
    while end > start:
        begin = max(start, end - 65536)
        stream.seek(begin)
        newline = stream.read(end - begin).rfind(b"\n")
        if newline >= 0:
            end = begin + newline + 1
            break
        end = begin
    stream.seek(end)
    return size if size > end and loaded(stream.read(size - end).strip()) else end


def read(part: Slice, problems: list[str]) -> Iterator[Document]:
    """Yield the documents of a slice; what cannot be read is named in `problems`, as `FILE` or `FILE:offset`."""
    try:
        if part.key.startswith("s "):
            yield from session_documents(part.path)
        else:
            yield from turn_documents(part, problems)
    except (OSError, EOFError, ValueError, RecursionError, BadInput):
        problems.append(part.path.name)


def turn_documents(part: Slice, problems: list[str]) -> Iterator[Document]:
    """Yield the turns of a slice of a day file."""
    with gzip.open(part.path, "rb") if part.end < 0 else part.path.open("rb", buffering=1 << 18) as stream:
        stream.seek(part.start)
        offset = part.start
        while part.end < 0 or offset < part.end:
            data = stream.readline() if part.end < 0 else stream.readline(part.end - offset)
            if not data:
                return
            line = days.strip(data)
            if line:
                try:
                    item = entry(line)
                except Unreadable:
                    problems.append(f"{part.path.name}:{offset}")
                else:
                    if isinstance(item, Turn):
                        yield turn_document(item, part.path.name, offset)
            offset += len(data)


def turn_document(turn: Turn, file: str, offset: int) -> Document:
    """Return what can be found of a turn."""
    place = Place(file, offset, turn.session_id or "", turn.request_id, turn.date)
    given = (("question", turn.user_message), ("reply", turn.assistant_message), ("topic", turn.topic or ""))
    return Document(place, cleaned(given), int(turn.timestamp.timestamp()), label((turn.topic,)) if turn.topic else "")


def cleaned(given: Any) -> tuple[tuple[str, str], ...]:
    """Return fields that hold something, redacted: another program may have written them."""
    return tuple((name, redact(text[:MOST])) for name, text in given if isinstance(text, str) and text.strip())


def label(names: Any) -> str:
    """Return topics and keywords as the folded text whose every part finds them."""
    return "\x1f".join(" ".join(fold(redact(name)).split()) for name in names if isinstance(name, str))


def session_value(path: Path) -> dict[str, Any]:
    """Return a session file's object; raises `OSError` and `ValueError`."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    value = json.loads(data.decode("utf-8-sig"))
    if not isinstance(value, dict) or not isinstance(value.get("sessionId"), str):
        raise ValueError("no session")
    return value


def session_documents(path: Path) -> Iterator[Document]:
    """Yield a session, and its messages where no day file has them: that is where another program wrote it."""
    value = session_value(path)
    when, day = time_of(value)
    file = f"{path.parent.name}/{path.name}"
    place = Place(file, -1, value["sessionId"], "", day)
    names = [name for field in ("topics", "keywords") for name in strings(value.get(field))]
    yield Document(place, cleaned(session_fields(value)), when, label(names))
    if "messageCount" not in value:
        for number, message in enumerate(value.get("messages") or []):
            if fields := message_fields(message):
                yield Document(place._replace(at=number), cleaned(fields), when)


def session_fields(value: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the fields by which a session is found, those that say most first."""
    found = [("title", value.get("title") or "")]
    found += [("topics", ", ".join(strings(value.get("topics")))), ("keywords", ", ".join(strings(value.get("keywords"))))]
    found.append(("summary", value.get("summary") or ""))
    for name, keys in (("decisions", ("text", "context")), ("lessons", ("text", "context")), ("feedback", ("user",))):
        told = [str(each[key]) for each in value.get(name) or () if isinstance(each, dict) for key in keys if each.get(key)]
        found.append((name, "\n".join(told)))
    return found


def message_fields(message: Any) -> list[tuple[str, str]]:
    """Return the fields of one message: what a user asked, or what came back."""
    if not isinstance(message, dict):
        return []
    from mfgit.session import text_of

    name = {"user": "question", "assistant": "reply"}.get(message.get("role", ""))
    return [(name, text_of(message.get("content")))] if name else []


def strings(value: Any) -> list[str]:
    """Return the strings of a list, none for anything else."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def time_of(value: Mapping[str, Any]) -> tuple[int, str]:
    """Return when a session was (epoch seconds) and its day."""
    day = value.get("date") if isinstance(value.get("date"), str) else ""
    for name in ("started", "archivedAt"):
        try:
            when = parse_time(value.get(name), name)
        except BadInput:
            continue
        if name == "started" or not day or when.date().isoformat() == day:
            return int(when.timestamp()), day or when.date().isoformat()
    try:
        return int(datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC).timestamp()), day or ""
    except ValueError:
        return 0, day or ""


def again(folders: Folders, place: Place) -> tuple[tuple[str, str], ...]:
    """Return the fields of a document that was found, read from the archive; none when it is no longer there."""
    try:
        if days.NAME.fullmatch(place.file):
            return turn_again(folders.chat / place.file, place)
        value = session_value(folders.sessions / "sessions" / place.file)
        if value["sessionId"] != place.session_id:
            return ()
        return cleaned(session_fields(value) if place.at < 0 else message_fields(value["messages"][place.at]))
    except (OSError, EOFError, ValueError, LookupError, Unreadable):
        return ()


def turn_again(path: Path, place: Place) -> tuple[tuple[str, str], ...]:
    """Return the fields of a turn at its byte of its day file."""
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
        stream.seek(place.at)
        item = entry(days.strip(stream.readline()))
    if not isinstance(item, Turn) or item.request_id != place.request_id:
        return ()
    return turn_document(item, place.file, place.at).fields
