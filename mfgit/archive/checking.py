"""Reading the session archive: files that cannot be read, and a catalogue that does not say what they say. Never writes."""

from collections.abc import Set
from typing import NamedTuple

from mfgit import formats
from mfgit.archive.catalogue import NAME, VERSION, Catalogue, line_of
from mfgit.archive.reading import Problem
from mfgit.archive.sessions import SessionStore, read_session
from mfgit.errors import BadInput
from mfgit.formats import Newer
from mfgit.model import Progress, quiet

AGAIN = "move the file away, then archive the session again: mfgit archive session add FILE"
MEND = "mfgit archive check --mend makes it anew"
FEW = 3
"""Session files that are named where the catalogue says something else."""


class Checked(NamedTuple):
    """How many sessions there are, how many only in part or as a trace, and what is wrong."""

    sessions: int
    reduced: int
    problems: tuple[Problem, ...]


def check_sessions(store: SessionStore, progress: Progress = quiet) -> Checked:
    """Read every session file and the catalogue; problems name file and field, and the command that mends it."""
    problems: list[Problem] = []
    lines: dict[str, bytes] = {}
    unread: set[str] = set()
    reduced = 0
    ids: dict[str, str] = {}
    for file in store.files():
        progress("Reading the sessions", len(lines), 0)
        try:
            session = read_session(file.path)
        except BadInput as error:
            mend = error.hint if isinstance(error, Newer) else AGAIN
            problems.append(Problem(f"sessions/{file.key}", 0, error.message.removesuffix("."), mend))
            unread.add(file.key)
            continue
        if session.session_id in ids:
            what = f"the same session as {ids[session.session_id]}"
            problems.append(Problem(f"sessions/{file.key}", 0, what, "compare the two and move one away"))
        ids.setdefault(session.session_id, f"sessions/{file.key}")
        lines[file.key] = line_of(file.key, session)
        reduced += session.state != "whole"
    return Checked(len(lines), reduced, (*problems, *catalogue_problems(Catalogue(store), lines, unread)))


def catalogue_problems(catalogue: Catalogue, lines: dict[str, bytes], unread: Set[str]) -> list[Problem]:
    """Return what is wrong with the catalogue, none while another process is about to write it.

    `unread` are session files that cannot be read; whatever it says of them stands.
    """
    if version := catalogue.newer():
        return [Problem(NAME, 0, formats.told(version, VERSION).removesuffix("."), formats.UPGRADE)]
    if any(catalogue.store.folder.glob(".index.stale.*")) and not catalogue.left_behind():
        return []
    if not catalogue.path.exists():  # it may be deleted at any time
        return []
    try:
        found = dict(catalogue.lines())
    except (OSError, ValueError) as error:
        return [Problem(NAME, 0, "the catalogue cannot be read", f"{type(error).__name__}; {MEND}")]
    wrong = sorted(key for key in (found.keys() | lines.keys()) - unread if found.get(key) != lines.get(key))
    if not wrong:
        return []
    named = ", ".join(wrong[:FEW]) + (" …" if len(wrong) > FEW else "")
    return [Problem(NAME, 0, f"the catalogue is out of step with {len(wrong):,} session files ({named})", MEND)]


def mend_catalogue(store: SessionStore) -> None:
    """Make the catalogue anew from the session files. Raises `BadInput` when the disk refuses."""
    if store.sessions.is_dir():
        with store.locked(), store.trouble():
            catalogue = Catalogue(store)
            store.tidy()
            if catalogue.newer():
                return
            catalogue.rebuild()
            for path in catalogue.left_behind():
                path.unlink(missing_ok=True)
