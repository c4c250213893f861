"""The archive as slices that are read at once, so that only what was appended since the last time has to be read again.

A file is told apart from the one that had its name before by its number on the disk, its size and its last bytes.
"""

import hashlib
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mfgit.archive import days
from mfgit.archive.ids import loaded

TAIL = 64
"""Bytes at the end of what was read that have to be there again."""


class Slice(NamedTuple):
    """A part of the archive that is read at once: bytes `start` to `end` of a day file, or a whole file (`end` -1)."""

    key: str
    path: Path
    start: int
    end: int


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
