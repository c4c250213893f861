"""Reading the archive: day files to turns, with late ratings folded in. Never writes."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from mfgit.archive import days
from mfgit.archive.days import Day, RawLine
from mfgit.archive.entries import NEAR, UNDATED, Rated, Same, Trace, Unreadable, entry
from mfgit.archive.ids import SESSION_ID, unescaped
from mfgit.archive.remote import RemoteFolder
from mfgit.model import Progress, Turn, quiet, with_rating
from mfgit.redact import safe_id, unnumbered

UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Problem(NamedTuple):
    """What cannot be read: `what` is wrong in a few words, `reason` says more. `line` is 0 for a whole file.

    Neither holds any text of the line, which may be a secret.
    """

    file: str
    line: int
    what: str
    reason: str = ""

    def __str__(self) -> str:
        """Return `FILE:LINE: what (reason)`."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.what}" + (f" ({self.reason})" if self.reason else "")


class Reading(NamedTuple):
    """The turns of a window, oldest first, and what could not be read in the files that hold it."""

    turns: tuple[Turn, ...]
    problems: tuple[Problem, ...]


class Census(NamedTuple):
    """What `check` counts: `repeated` are lines whose request_id came before, `problems` what cannot be read.

    `traces` are turns of which retention has left ids, rating and topic. `sessions` are session files that can be read.
    """

    files: int
    turns: int
    ratings: int
    repeated: int
    problems: tuple[Problem, ...]
    traces: int = 0
    sessions: int = 0


def read(
    folder: Path | RemoteFolder,
    since: datetime,
    until: datetime,
    progress: Progress = quiet,
    only: Collection[str] | None = None,
    *,
    holding: Collection[bytes] = (),
) -> Reading:
    """Return the turns with `since` <= timestamp <= `until` of the day files in `folder`, each request_id once.

    The last rating of a reply wins; of two lines with one request_id the first does, unless it was partial and the other
    is not. `only` are the sessions whose turns are wanted; lines of others are not even parsed, nor, where `holding` is
    given, lines that hold none of these bytes in lower case. Problems are of every file that can hold such a turn. Files that
    are not day files are passed over; a folder that is not there is an empty archive. Raises `BadInput` only when the folder
    itself cannot be read.
    """
    first, last = days.around(since.astimezone(UTC).date(), until.astimezone(UTC).date())
    turns: dict[str, Turn] = {}
    ratings: dict[str, Rated] = {}
    problems: list[Problem] = []
    for item in entries(files_of(folder, first, last), progress, only, holding):
        if isinstance(item, Turn):
            wanted = since <= item.timestamp <= until and (only is None or item.session_id in only)
            if wanted and supersedes(item, turns.get(item.request_id)):
                turns[item.request_id] = item
        elif isinstance(item, Rated):
            ratings[item.assistant_message_id] = item
        elif isinstance(item, Problem):
            problems.append(item)
    folded = [folded_turn(turn, ratings) for turn in once(turns.values())]
    return Reading(tuple(sorted(folded, key=lambda turn: turn.timestamp)), tuple(problems))


def files_of(folder: Path | RemoteFolder, first: date = date.min, last: date = date.max) -> Sequence[Day]:
    """Return the day files from `first` to `last`, oldest first, here or elsewhere."""
    return days.day_files(folder, first, last) if isinstance(folder, Path) else folder.day_files(first, last)


def once(turns: Collection[Turn]) -> list[Turn]:
    """Return turns without those of whole sessions that also came by themselves: the same question at about the same time."""
    sessions = {turn.session_id for turn in turns if "archived_at" in turn.extra}
    if not sessions:
        return list(turns)
    alone: dict[tuple[str | None, str], list[datetime]] = {}
    for turn in turns:
        if turn.session_id in sessions and "archived_at" not in turn.extra:
            alone.setdefault((turn.session_id, unnumbered(turn.user_message)), []).append(turn.timestamp)
    return [turn for turn in turns if not came_alone(turn, alone)]


def came_alone(turn: Turn, alone: dict[tuple[str | None, str], list[datetime]]) -> bool:
    """Tell whether a turn of a whole session came by itself as well; each of those stands for one such turn only."""
    times = alone.get((turn.session_id, unnumbered(turn.user_message)), []) if "archived_at" in turn.extra else []
    found = next((when for when in times if UNDATED in turn.extra or abs(when - turn.timestamp) <= NEAR), None)
    if found is not None:
        times.remove(found)
    return found is not None


def supersedes(turn: Turn, known: Turn | None) -> bool:
    """Tell whether a turn stands for its request_id: the first does, or the first that is whole."""
    return known is None or (known.partial and not turn.partial)


def folded_turn(turn: Turn, ratings: dict[str, Rated]) -> Turn:
    """Return a turn with its last rating."""
    rated = ratings.get(turn.assistant_message_id or "")
    return turn if rated is None else with_rating(turn, rated.event)


def check(folder: Path | RemoteFolder, progress: Progress = quiet) -> Census:
    """Read every day file and count what is there; memory grows with the ids only."""
    files = files_of(folder)
    known: set[bytes] = set()
    turns = ratings = repeated = traces = 0
    problems: list[Problem] = []
    for item in entries(files, progress):
        if isinstance(item, Turn):
            key = item.request_id.encode()
            repeated += key in known
            known.add(key)
            turns += 1
        elif isinstance(item, Rated):
            ratings += 1
        elif isinstance(item, Trace):
            traces += 1
        else:
            problems.append(item)
    return Census(len(files), turns, ratings, repeated, tuple(problems), traces)


def entries(
    files: Sequence[Day],
    progress: Progress = quiet,
    only: Collection[str] | None = None,
    holding: Collection[bytes] = (),
) -> Iterator[Turn | Rated | Trace | Problem]:
    """Yield what the lines of day files are, in order; with `only`, ratings and what may be a turn of those sessions.

    With `holding`, lines that hold one of these bytes in lower case.
    """
    total = sum(file.size for file in files)
    same: Same = {}
    done = 0
    for file in files:
        progress("Reading the archive", done, total)
        if isinstance(file, days.DayFile) and file.path.is_symlink():
            yield Problem(file.path.name, 0, "is a symbolic link", "it is read, and never written to")
        try:
            for number, line in enumerate(days.lines(file)):
                if number == 0 and line.data.startswith(UTF16):
                    yield Problem(file.path.name, 1, "UTF-16 text", "save the file as UTF-8")
                    break
                if (only is None or concerns(line.data, only)) and (not holding or holds(line.data, holding)):
                    yield understood(file, line, same)
        except (OSError, EOFError) as error:
            yield Problem(file.path.name, 0, "cannot be read", getattr(error, "strerror", None) or str(error))
        done += file.size
    progress("Reading the archive", done, total)


def concerns(data: bytes, sessions: Collection[str]) -> bool:
    """Tell whether a line may be a rating or a turn of one of some sessions."""
    return b'"event"' in data or any(safe_id(unescaped(match[1])) in sessions for match in SESSION_ID.finditer(data))


def holds(data: bytes, parts: Collection[bytes]) -> bool:
    """Tell whether a line in lower case holds one of some bytes."""
    lowered = data.lower()
    return any(part in lowered for part in parts)


def understood(file: Day, line: RawLine, same: Same) -> Turn | Rated | Trace | Problem:
    """Return what one line is."""
    try:
        return entry(line.data, same)
    except Unreadable as error:
        what = error.what if line.ended else "an unfinished last line (torn)"
        return Problem(file.path.name, line.number, what, error.reason)
