"""What can be found in the archive: turns by day file and offset, and sessions. Never writes."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from mfgit.archive import days
from mfgit.archive.slices import Folders, Slice
from mfgit.errors import BadInput
from mfgit.text.fold import fold

if TYPE_CHECKING:
    from mfgit.model import Turn

MOST, LAST = 100_000, 20_000
"""Characters of one field that can be found, and how many of them are its last ones: what is longer is a pasted file."""
TURN_FIELDS = (("question", "user_message"), ("reply", "assistant_message"), ("topic", "topic"))
"""What a field is called to the reader, and in the turn."""
UNCLEAN = -1
"""The check of a line from which redaction took something, so that it is redacted again whenever it is shown."""


class Place(NamedTuple):
    """Where a document stands.

    A turn: the day of its file as `datetime.date`'s ordinal (below 0 for a compressed file) and the byte where its line
    begins, with the line's CRC-32 where redaction found nothing in it. A session: 0, the number of the message (-1: what is
    said about the session), and the name of its file below `sessions/`.
    """

    day: int
    at: int
    check: int = UNCLEAN
    file: str = ""


class Document(NamedTuple):
    """One thing that can be found.

    `fields` are (name, redacted text), `when` epoch seconds, `day` the ordinal of its own day (0: none), `label` what any
    part of finds it.
    """

    place: Place
    session_id: str
    fields: tuple[tuple[str, str], ...]
    when: int
    day: int
    label: str = ""


def read(part: Slice, problems: list[str]) -> Iterator[Document]:
    """Yield the documents of a slice; the files of what cannot be read go to `problems`."""
    try:
        if part.key.startswith("s "):
            yield from session_documents(part.path)
        else:
            yield from turn_documents(part, problems)
    except (OSError, EOFError, ValueError, RecursionError, BadInput):
        problems.append(part.path.name)


def turn_documents(part: Slice, problems: list[str]) -> Iterator[Document]:
    """Yield the turns of a slice of a day file."""
    from mfgit.archive.entries import Unreadable

    day = date.fromisoformat(part.path.name[:10]).toordinal() * (-1 if part.end < 0 else 1)
    with days.unpacked(part.path) if part.end < 0 else part.path.open("rb", buffering=1 << 18) as stream:
        stream.seek(part.start)
        offset = part.start
        while part.end < 0 or offset < part.end:
            data = stream.readline() if part.end < 0 else stream.readline(part.end - offset)
            if not data:
                return
            if line := days.strip(data):
                try:
                    if document := line_document(line, Place(day, offset)):
                        yield document
                except Unreadable:
                    problems.append(part.path.name)
            offset += len(data)


def line_document(line: bytes, place: Place) -> Document | None:
    """Return what can be found of a line, None for a rating; what retention left of an old turn is found by its topic."""
    from mfgit.archive.entries import RETAINED, checked_turn, entry, parse

    value = parse(line)
    if isinstance(value, dict) and "user_message" not in value:
        if "event" in value:
            return None
        if RETAINED in value:
            entry(line)
            noon = datetime.combine(date.fromordinal(abs(place.day)), datetime.min.time(), UTC)
            return turn_document(value, noon, place, line)
    return turn_document(value, checked_turn(value), place, line)


def turn_document(value: Mapping[str, Any], when: datetime, place: Place, line: bytes) -> Document:
    """Return what can be found of a checked turn; `line` is the one that it stands on."""
    raw = turn_fields(value)
    fields = cleaned(raw)
    checked = Place(place.day, place.at, crc32(line) if fields == raw else UNCLEAN)
    topics = (value["topic"],) if value.get("topic") else ()
    return Document(
        checked, value.get("session_id") or "", shortened(fields), int(when.timestamp()), when.toordinal(), label(topics)
    )


def turn_fields(value: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the fields of a turn that hold something."""
    given = ((name, value.get(field)) for name, field in TURN_FIELDS)
    return tuple((name, text) for name, text in given if isinstance(text, str) and text.strip())


def shortened(fields: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return redacted fields without the middle of what is too long."""
    if all(len(text) <= MOST for _, text in fields):
        return fields
    return tuple((name, text if len(text) <= MOST else f"{text[: MOST - LAST]}\n…\n{text[-LAST:]}") for name, text in fields)


def cleaned(given: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return fields that hold something, redacted: another program may have written them."""
    from mfgit.redact import redact

    return tuple((name, redact(text)) for name, text in given if text.strip())


def label(names: Iterable[str]) -> str:
    """Return topics and keywords as the folded text whose every part finds them."""
    if not names:
        return ""
    from mfgit.redact import redact

    return "\x1f".join(" ".join(fold(redact(name)).split()) for name in names)


def session_value(path: Path) -> dict[str, Any]:
    """Return a session file's object; raises `OSError` and `ValueError`."""
    with days.unpacked(path) if path.suffix == ".gz" else path.open("rb") as stream:
        data = stream.read()
    value = json.loads(data.decode("utf-8-sig"))
    if not isinstance(value, dict) or not isinstance(value.get("sessionId"), str):
        raise ValueError("no session")
    return value


def session_documents(path: Path) -> Iterator[Document]:
    """Yield a session, and those of its messages that no day file has."""
    value = session_value(path)
    when, day = time_of(value)
    place = Place(0, -1, UNCLEAN, f"{path.parent.name}/{path.name}")
    names = [name for field in ("topics", "keywords") for name in strings(value.get(field))]
    about = Document(place, value["sessionId"], shortened(cleaned(session_fields(value))), when, day, label(names))
    yield about
    known = in_turns(value)
    for number, message in enumerate(value.get("messages") or []):
        if number not in known and (fields := message_fields(message)):
            yield about._replace(place=place._replace(at=number), fields=shortened(cleaned(fields)), label="")


def in_turns(value: Mapping[str, Any]) -> set[int]:
    """Return which messages of a session the day files have as turns: none of one that another program wrote."""
    if "messageCount" not in value or not value.get("messages"):
        return set()
    from mfgit.archive.conversations import exchanged
    from mfgit.session import conversation

    said = conversation(value, "the session")
    exchanges, _ = exchanged(said)
    kept = {id(message) for each in exchanges for message in (each.question, *each.reply())}
    return {number for number, message in enumerate(said.messages) if id(message) in kept}


def session_fields(value: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the fields by which a session is found, those that say most first."""
    found = [("title", text(value.get("title")))]
    found += [("topics", ", ".join(strings(value.get("topics")))), ("keywords", ", ".join(strings(value.get("keywords"))))]
    found.append(("summary", text(value.get("summary"))))
    for name, keys in (("decisions", ("text", "context")), ("lessons", ("text", "context")), ("feedback", ("user",))):
        given = value.get(name)
        told = (
            [text(each.get(key)) for each in given if isinstance(each, dict) for key in keys] if isinstance(given, list) else []
        )
        found.append((name, "\n".join(filter(None, told))))
    return found


def message_fields(message: Any) -> list[tuple[str, str]]:
    """Return the fields of one message: what a user asked, or what came back."""
    from mfgit.session import text_of

    name = {"user": "question", "assistant": "reply"}.get(text(message.get("role"))) if isinstance(message, dict) else None
    return [(name, text_of(message.get("content")))] if name else []


def text(value: Any) -> str:
    """Return a string, an empty one for anything else."""
    return value if isinstance(value, str) else ""


def strings(value: Any) -> list[str]:
    """Return the strings of a list, none for anything else."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def time_of(value: Mapping[str, Any]) -> tuple[int, int]:
    """Return when a session was (epoch seconds) and the ordinal of its day, 0 for none."""
    from mfgit.model import parse_time

    try:
        day = date.fromisoformat(text(value.get("date"))).toordinal()
    except ValueError:
        day = 0
    for name in ("started", "archivedAt"):
        try:
            when = parse_time(value.get(name), name)
        except BadInput:
            continue
        if name == "started" or not day or when.toordinal() == day:
            return int(when.timestamp()), day or when.toordinal()
    noon = datetime.combine(date.fromordinal(day), datetime.min.time(), UTC) if day else None
    return (int(noon.timestamp()) + 43_200 if noon else 0), day


class Seen(NamedTuple):
    """A document that was found, read from the archive again."""

    session_id: str
    request_id: str
    fields: tuple[tuple[str, str], ...]


def again(folders: Folders, place: Place) -> Seen | None:
    """Return the document at a place, redacted; None when it is no longer there."""
    try:
        return turn_again(folders.chat, place) if place.day else session_again(folders.sessions / "sessions", place)
    except (OSError, EOFError, ValueError, LookupError, RecursionError):
        return None


def session_again(folder: Path, place: Place) -> Seen:
    """Return what is at a place of a session file."""
    value = session_value(folder / place.file)
    fields = session_fields(value) if place.at < 0 else message_fields(value["messages"][place.at])
    return Seen(value["sessionId"], "", shortened(cleaned(fields)))


def turn_again(chat: Path, place: Place) -> Seen | None:
    """Return the turn whose line begins at a place; a line that is known to be clean needs no second look."""
    line = days.strip(line_at(chat, place))
    if crc32(line) == place.check:
        value = json.loads(line)
        if value.get("request_id") and b"\\u" not in line:
            return Seen(value.get("session_id") or "", value["request_id"], shortened(turn_fields(value)))
    from mfgit.archive.entries import Unreadable, entry
    from mfgit.model import Turn

    try:
        item = entry(line)
    except Unreadable:
        return None
    if isinstance(item, Turn):
        fields = turn_fields({field: getattr(item, field) for _, field in TURN_FIELDS})
        return Seen(item.session_id or "", item.request_id, shortened(cleaned(fields)))
    value = getattr(item, "value", {})
    return Seen(value.get("session_id") or "", value["request_id"], shortened(cleaned(turn_fields(value)))) if value else None


def line_at(chat: Path, place: Place) -> bytes:
    """Return the line that begins at a place; raises `OSError`."""
    name = f"{date.fromordinal(abs(place.day))}.jsonl"
    with days.unpacked(chat / f"{name}.gz") if place.day < 0 else (chat / name).open("rb") as stream:
        stream.seek(place.at)
        return stream.readline()


def turn_of(line: bytes) -> "Turn | None":
    """Return the turn on a line, None when it holds none."""
    from mfgit.archive.entries import Unreadable, entry
    from mfgit.model import Turn

    try:
        item = entry(line)
    except Unreadable:
        return None
    return item if isinstance(item, Turn) else None
