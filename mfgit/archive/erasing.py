"""Taking lines out of day files, now and in every file: for forgetting a person, and for secrets that later rules find.

A plain day file may be open in another program, so a line is overwritten with blanks where it stands, its end first: a
kill leaves the ids at its beginning, by which the next run finds it again. Compressed days and quarantine files are ours
alone and are replaced as a whole.
"""

import gzip
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from mfgit.archive import days
from mfgit.archive.appending import IDS, encoded, redacted_turn
from mfgit.archive.days import DayFile
from mfgit.archive.entries import Unreadable, entry
from mfgit.archive.ids import loaded
from mfgit.archive.sessions import replace_file
from mfgit.archive.store import Store
from mfgit.redact import redact_value, safe_id
from mfgit.redact.redaction import MARK

PIECE = 4096
QUARANTINE = ".quarantine"
NEVER_LISTED = frozenset(("event", "assistant_message_id", "rating", "rated_at"))
"""Fields of a rating that are no text."""


class Line(NamedTuple):
    """One line of a day file: where it stands, its bytes, and its value (empty when it cannot be read)."""

    number: int
    start: int
    data: bytes
    value: dict[str, Any]
    readable: bool


def lines(stream: BinaryIO) -> Iterator[Line]:
    """Yield the whole lines of an open day file that are not blank."""
    start = 0
    for number, raw in enumerate(stream, 1):
        data = days.strip(raw)
        if data and raw.endswith(b"\n"):
            try:
                entry(data)
                yield Line(number, start, raw, loaded(data), True)
            except Unreadable:
                yield Line(number, start, raw, loaded(data), False)
        start += len(raw)


def erase(store: Store, wanted: Callable[[Line], bool]) -> int:
    """Take every wanted line out of every day file, durably; return how many. Raises `BadInput` when the disk refuses.

    A file that cannot be read is passed over; `damaged` names it.
    """
    count = 0
    for file in days.day_files(store.folder):
        with store.trouble(), store.locked():
            if not unreadable(file):
                count += erase_packed(file, wanted) if file.compressed else erase_plain(file, wanted)
    return count


def damaged(folder: Path) -> list[str]:
    """Return `FILE: WHY` of every day file that cannot be read."""
    return [f"{file.path.name}: {why}" for file in days.day_files(folder) if (why := unreadable(file))]


def unreadable(file: DayFile) -> str:
    """Return why a day file cannot be read to its end: it is no file, or compressed and cut off; empty when it can be."""
    try:
        with file.open() as stream:
            while file.compressed and stream.read(1 << 20):
                pass
    except FileNotFoundError:
        return ""
    except days.Damaged as error:
        return str(error.strerror)
    except OSError as error:
        if file.path.is_file():
            raise
        return str(error.strerror)
    return ""


def erase_plain(file: DayFile, wanted: Callable[[Line], bool]) -> int:
    """Blank the wanted lines of a day file."""
    with file.path.open("rb") as stream:
        found = [line for line in lines(stream) if wanted(line)]
    if found:
        with file.path.open("r+b", buffering=0) as stream:
            for line in found:
                blank(stream.fileno(), line.start, len(line.data) - 1)
            os.fsync(stream.fileno())
    return len(found)


def blank(descriptor: int, start: int, size: int) -> None:
    """Overwrite bytes with blanks, the last ones first."""
    for begin in range(start + (size - 1) // PIECE * PIECE, start - 1, -PIECE):
        os.pwrite(descriptor, b" " * (min(begin + PIECE, start + size) - begin), begin)


def erase_packed(file: DayFile, wanted: Callable[[Line], bool]) -> int:
    """Replace a compressed day file by one without the wanted lines."""
    with file.open() as stream:
        every = list(lines(stream))
    kept = [line for line in every if not wanted(line)]
    if len(kept) < len(every):
        if kept:
            replace_file(file.path, gzip.compress(b"".join(line.data for line in kept), 6, mtime=0))
        else:
            file.path.unlink()
    return len(every) - len(kept)


def erase_quarantine(store: Store, needles: list[bytes]) -> int:
    """Take the lines that hold one of these bytes out of the quarantine files, and the file when nothing is left."""
    count = 0
    for path in sorted(store.folder.glob(f"*{QUARANTINE}")):
        with store.trouble(), store.locked():
            every = path.read_bytes().splitlines(keepends=True)
            kept = [line for line in every if not any(needle in line for needle in needles)]
            count += len(every) - len(kept)
            if len(kept) < len(every):
                if kept:
                    replace_file(path, b"".join(kept))
                else:
                    path.unlink()
    return count


def needles_of(ids: set[str]) -> list[bytes]:
    """Return the bytes by which ids are found in lines that cannot be parsed."""
    found = {json.dumps(each).encode() for each in ids}
    found |= {json.dumps(each, ensure_ascii=False).encode("utf-8", "surrogatepass") for each in ids}
    return sorted(found)


# ---- secrets that later rules find


class Leak(NamedTuple):
    """A line, or a session (line 0), that holds what today's rules would take out; nothing of it is shown."""

    file: str
    line: int
    kinds: tuple[str, ...]

    def __str__(self) -> str:
        """Return `FILE:LINE: holds KIND and KIND`."""
        return f"{self.file}{f':{self.line}' if self.line else ''}: holds {' and '.join(self.kinds) or 'a secret'}"


def cleaned(value: dict[str, Any]) -> dict[str, Any]:
    """Return the value of a line as today's rules leave it."""
    if "event" in value and "user_message" not in value:
        clean = {name: given if name in NEVER_LISTED else redact_value(given, name) for name, given in value.items()}
        return clean | {"assistant_message_id": safe_id(value["assistant_message_id"])}
    return redacted_turn(value)


def kinds(before: Any, after: Any) -> tuple[str, ...]:
    """Return the kinds of marks that are there after and were not before."""

    def marks(value: Any) -> list[str]:
        return [found[10:-1] for found in MARK.findall(json.dumps(value, ensure_ascii=False))]

    old = marks(before)
    names: set[str] = {"personal id"} if ids_of(before) != ids_of(after) else set()
    return tuple(sorted(names | {kind for kind in marks(after) if marks(after).count(kind) > old.count(kind)}))


def ids_of(value: Any) -> list[Any]:
    """Return the ids of a turn, a rating or a session."""
    own = [value.get(name) for name in (*IDS, "sessionId", "participants")]
    return own + [message.get("id") for message in value.get("messages", ())]


def leaks(folder: Path) -> Iterator[Leak]:
    """Yield the lines of the day files that today's rules would change; what cannot be read is passed over."""
    for file in days.day_files(folder):
        if unreadable(file):
            continue
        with file.open() as stream:
            for line in lines(stream):
                if line.readable and (clean := cleaned(line.value)) != line.value:
                    yield Leak(file.path.name, line.number, kinds(line.value, clean))


def mend(store: Store) -> int:
    """Replace every line that today's rules would change, durably: the clean one is added before the other goes."""
    count = 0
    for file in days.day_files(store.folder):
        with store.trouble(), store.locked():
            if not unreadable(file):
                count += mend_packed(file) if file.compressed else mend_plain(store, file)
    return count


def mend_plain(store: Store, file: DayFile) -> int:
    """Mend one day file."""
    with file.path.open("rb") as stream:
        found = [(line, clean) for line in lines(stream) if line.readable and (clean := cleaned(line.value)) != line.value]
    if found:
        writer, _ = store.write(file.date, b"".join(encoded(clean) for _, clean in found))
        writer.sync()
        store.writers.pop(file.date).close()
        with file.path.open("r+b", buffering=0) as stream:
            for line, _ in found:
                blank(stream.fileno(), line.start, len(line.data) - 1)
            os.fsync(stream.fileno())
    return len(found)


def mend_packed(file: DayFile) -> int:
    """Mend one compressed day file."""
    with file.open() as stream:
        every = list(lines(stream))
    after = [encoded(clean) if (clean := cleaned(line.value)) != line.value else line.data for line in every]
    changed = sum(line.data != data for line, data in zip(every, after, strict=True))
    if changed:
        replace_file(file.path, gzip.compress(b"".join(after), 6, mtime=0))
    return changed
