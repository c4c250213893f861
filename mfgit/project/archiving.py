"""The archive of a repository: where it is, and what goes in."""

import os
import select
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mfgit.archive.appending import Ack, Rejected, append, append_values
from mfgit.archive.rating import Rate, rate
from mfgit.archive.reading import Census, check
from mfgit.archive.remote import RemoteFolder
from mfgit.archive.store import Store
from mfgit.config import is_url
from mfgit.errors import BadInput
from mfgit.model import Progress, Rating, quiet
from mfgit.project.base import Repository

BATCH = 1 << 18
"""Bytes of input that share one sync at most."""


def chat_folder(repository: Repository) -> Path:
    """Return the folder of the day files. Raises `Refusal` for an archive that lies elsewhere."""
    return repository.chat_folder


def chat_source(repository: Repository) -> Path | RemoteFolder:
    """Return where the day files are read from: their folder, or a URL. Raises `BadInput` for a URL that cannot be used."""
    given = repository.config.archive.chat
    return RemoteFolder(given) if is_url(given) else chat_folder(repository)


def append_stream(repository: Repository, descriptor: int, progress: Progress = quiet) -> Iterator[list[Ack | Rejected | str]]:
    """Append the JSON lines of an open file; yield what became of each, as soon as it is on the disk.

    Between acknowledgements come sentences about damage found in the day files and set aside. Raises `BadInput` when the
    disk refuses.
    """
    with Store(chat_folder(repository)) as store:
        done = 0
        for lines in batches(descriptor):
            results: list[Ack | Rejected | str] = list(append(store, lines))
            results += store.notes
            store.notes.clear()
            done += len(lines)
            progress("Archiving", done, 0)
            yield results


def batches(descriptor: int) -> Iterator[list[tuple[int, bytes]]]:
    """Yield numbered lines, blank ones left out: all that is waiting at a time, up to `BATCH` bytes, but whole lines only."""
    number, parts, ended = 0, [b""], False
    while not ended:
        data = waiting(descriptor)
        ended = not data
        parts.append(data)
        if b"\n" not in data and not ended:
            continue
        lines = b"".join(parts).split(b"\n")
        parts = [] if ended else [lines.pop()]
        batch = [(number + at, line) for at, line in enumerate(lines, 1) if line.strip(b" \t\r\xef\xbb\xbf")]
        number += len(lines)
        if batch:
            yield [(at, line.removeprefix(b"\xef\xbb\xbf")) for at, line in batch]


def waiting(descriptor: int) -> bytes:
    """Return what can be read now, waiting for the first byte only; empty at the end of the input."""
    try:
        data = os.read(descriptor, BATCH)
        parts, size = [data], len(data)
        while data and size < BATCH and select.select([descriptor], [], [], 0)[0]:
            data = os.read(descriptor, BATCH - size)
            parts.append(data)
            size += len(data)
    except OSError as error:
        raise BadInput(
            f"The turns cannot be read: {error.strerror}.", "Give them on standard input, one JSON object a line."
        ) from None
    return b"".join(parts)


def append_turns(repository: Repository, turns: Iterable[Mapping[str, Any]]) -> list[Ack]:
    """Append turns given as JSON values; return their acknowledgements. Raises `BadInput` that names the first that is none."""
    with Store(chat_folder(repository)) as store:
        return all_stored(append_values(store, turns))


def all_stored(results: list[Ack | Rejected]) -> list[Ack]:
    """Return acknowledgements; raises `BadInput` for the first value that is no turn."""
    for result in results:
        if isinstance(result, Rejected):
            raise BadInput(f"Turn {result.line} cannot be archived: {result.reason}.")
    return [result for result in results if isinstance(result, Ack)]


def rate_reply(
    repository: Repository, message_id: str, rating: Rating, reasons: Iterable[str] = (), note: str | None = None
) -> tuple[str, list[str]]:
    """Store a rating; return the day of its file, and sentences about damage set aside there."""
    with Store(chat_folder(repository)) as store:
        day = rate(store, Rate(message_id, rating, tuple(reasons), note), datetime.now(UTC))
        return day, store.notes


def check_archive(repository: Repository, progress: Progress = quiet) -> Census:
    """Read the whole archive and count; `problems` name file and line, or session file and field, of what cannot be read."""
    from mfgit.archive.checking import check_sessions
    from mfgit.archive.sessions import SessionStore

    turns = check(chat_source(repository), progress)
    found = check_sessions(SessionStore(repository.folder / repository.config.archive.sessions), progress)
    return turns._replace(problems=(*turns.problems, *found.problems), sessions=found.sessions)


def quarantined(repository: Repository) -> list[str]:
    """Return the names of the files that hold torn lines set aside."""
    folder = chat_source(repository)
    if not isinstance(folder, Path):
        return []
    return sorted(path.name for path in folder.glob("*.quarantine")) if folder.is_dir() else []
