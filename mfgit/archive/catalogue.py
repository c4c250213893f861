"""The catalogue `<sessions>/index.json`: one line a session, so that it is read and renewed without holding it whole.

It is derived: whatever it says can be read from the session files, and it is made anew when it may be behind them. One of a
newer version stays: what changes is left to be noted by its own mfgit, which makes it anew for the marker that stays with it.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mfgit.archive.dayfile import private, sync_folder
from mfgit.archive.sessions import ENDINGS, SessionStore, earlier_names
from mfgit.session import Session

NAME = "index.json"
VERSION = 1
HEAD, TAIL = f'{{"version": {VERSION}, "sessions": [\n'.encode(), b"\n]}\n"
STATED = re.compile(rb'\{"version": (\d{1,9}),')
KEY = re.compile(rb'\{"file": ("(?:[^"\\]|\\.)*")')
MARKER = ".index.stale."
"""Begins the name of a file that is there while the process of its number may have left the catalogue behind."""
FIELDS = ("date", "channel", "participants", "title", "topics", "keywords", "summary", "messageCount", "archivedAt", "state")


class Catalogue:
    """The catalogue of one session archive. The store's lock is held by the caller of all but `entries`."""

    def __init__(self, store: SessionStore) -> None:
        self.store = store
        self.path = store.folder / NAME
        self.marker = store.folder / f"{MARKER}{os.getpid()}"
        self.pending: dict[str, bytes | None] = {}

    def note(self, path: Path, session: Session | None) -> None:
        """Remember that a session file was written, or deleted."""
        key = f"{path.parent.name}/{path.name}"
        other = key.removesuffix(".gz") if key.endswith(".gz") else f"{key}.gz"
        self.pending[other] = None
        for name in earlier_names(session.session_id) if session else ():
            self.pending |= {f"{path.parent.name}/{name}{ending}": None for ending in ENDINGS}
        self.pending[key] = None if session is None else line_of(key, session)

    def begin(self) -> None:
        """Say that session files are about to change."""
        if not self.marker.exists():
            self.marker.touch()
            sync_folder(self.store.folder)

    def finish(self) -> None:
        """Write what is pending; the whole catalogue when it is missing, or a process ended without having written its part."""
        if self.newer():
            self.pending.clear()
            return
        behind = self.left_behind()
        if behind:
            self.store.tidy()
        if behind or not self.path.exists():
            self.rebuild()
        elif self.pending:
            self.write(self.renewed())
        self.pending.clear()
        for path in (*behind, self.marker):
            path.unlink(missing_ok=True)

    def newer(self) -> int:
        """Return the version of a catalogue that a newer mfgit wrote, 0 for every other."""
        try:
            with self.path.open("rb") as stream:
                stated = STATED.match(stream.readline(100))
        except OSError:
            return 0
        return int(stated[1]) if stated and int(stated[1]) > VERSION else 0

    def left_behind(self) -> list[Path]:
        """Return the markers of processes that ended without having written their part."""
        return [path for path in self.store.folder.glob(f"{MARKER}*") if path != self.marker and not running(path)]

    def rebuild(self) -> None:
        """Write the catalogue from the session files."""
        self.write(self.read())

    def read(self) -> Iterator[tuple[str, bytes]]:
        """Yield (key, line) of every session file that can be read."""
        for file in self.store.files():
            if (session := self.store.load(file.path)) is not None:
                yield file.key, line_of(file.key, session)

    def renewed(self) -> Iterator[tuple[str, bytes]]:
        """Yield the entries there are with the pending ones among them, in order of keys."""
        fresh = sorted((key, line) for key, line in self.pending.items() if line is not None)
        at = 0
        for key, line in self.lines():
            while at < len(fresh) and fresh[at][0] < key:
                yield fresh[at]
                at += 1
            if key not in self.pending:
                yield key, line
        yield from fresh[at:]

    def lines(self) -> Iterator[tuple[str, bytes]]:
        """Yield (key, line) of the entries there are."""
        with self.path.open("rb") as stream:
            for line in stream:
                if match := KEY.match(line):
                    yield str(json.loads(match[1])), line.rstrip(b",\n")

    def entries(self) -> Iterator[Mapping[str, Any]]:
        """Yield the entries of the catalogue; none when there is no file, those of the session files beside a newer one."""
        if self.path.exists():
            for _, line in self.read() if self.newer() else self.lines():
                yield json.loads(line)

    def write(self, entries: Iterable[tuple[str, bytes]]) -> None:
        """Replace the catalogue. Raises `OSError`; then the old one stays."""
        fresh = self.path.with_name(f".{NAME}.{os.getpid()}.new")
        try:
            with open(fresh, "wb", opener=private) as stream:
                stream.write(HEAD)
                stream.writelines((b",\n" if number else b"") + line for number, (_, line) in enumerate(entries))
                stream.write(TAIL)
                stream.flush()
                os.fsync(stream.fileno())
            fresh.replace(self.path)
            sync_folder(self.path.parent)
        except OSError:
            fresh.unlink(missing_ok=True)
            raise


def line_of(key: str, session: Session) -> bytes:
    """Return the entry of a session."""
    value = session.to_json()
    entry = {"file": key, "sessionId": session.session_id, **{name: value[name] for name in FIELDS}}
    return json.dumps(entry, ensure_ascii=False).encode("utf-8", "replace")


def running(marker: Path) -> bool:
    """Tell whether the process that a marker names is another one that still runs."""
    number = marker.name.removeprefix(MARKER)
    if not number.isdigit() or int(number) == os.getpid():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
