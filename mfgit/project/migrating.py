"""`doctor --migrate`: what earlier versions of mfgit stored otherwise, brought to what this one writes.

Only files of mfgit's own: hooks, the names of session files, derived data. What Git holds is never migrated: records and
overlays of every version are read for ever, and originals are people's. Each step is looked for anew, is one rename or one
removal of something derived, and may be killed at any point: the next run finds what is left to do.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from mfgit import config
from mfgit.archive.catalogue import Catalogue
from mfgit.archive.dayfile import sync_folder
from mfgit.archive.sessions import SessionFile, SessionStore, could_name, file_name, replace_file
from mfgit.errors import BadInput
from mfgit.guard import install
from mfgit.index.removing import older, remove
from mfgit.index.store import FORMAT
from mfgit.project import recalling, views
from mfgit.project.archiving_sessions import flush, session_folder
from mfgit.project.base import Repository
from mfgit.project.scanning import COUNTED, SNAPSHOT

KEPT = "migrated"
"""The folder, in the Git common directory below `mfgit`, where hooks stay as they were: the way back."""
RELEASED = ("0.1.0",)
"""Versions whose index of the archive lies in a folder that is named for the version."""

COUNTS = re.compile(r"frequencies-(\d{1,6})\.(\d{1,6})\.json", re.ASCII)


class Step(NamedTuple):
    """One thing to migrate: where it is, what is old about it and becomes of it, and what does that."""

    path: str
    what: str
    run: Callable[[], None]

    def to_json(self) -> dict[str, Any]:
        """Return the step as `doctor --migrate --json` has it."""
        return {"path": self.path, "what": self.what}


def plan(repository: Repository) -> tuple[Step, ...]:
    """Return what is to be migrated, in order; changes nothing."""
    return tuple(step for look in LOOKS for step in look(repository))


def carry_out(repository: Repository) -> tuple[Step, ...]:
    """Migrate everything that `plan` finds now; return the steps done. Raises `BadInput` where the disk refuses."""
    done = plan(repository)
    for step in done:
        try:
            step.run()
        except OSError as error:
            raise BadInput(
                f"{step.path} cannot be migrated: {error.strerror or error}.",
                "Nothing is lost, and what came before it is done; run mfgit doctor --migrate again once that is mended.",
            ) from None
    return done


# ---- hooks


def hooks(repository: Repository) -> Iterator[Step]:
    """Yield our hooks that are not as this version writes them."""
    for place in install.older(repository.git):
        what = f"a hook that this version writes otherwise; it is written anew, the old one stays in {kept(repository)}"
        yield Step(place, what, partial(renew, repository, Path(place)))


def kept(repository: Repository) -> Path:
    """Return the folder of the hooks as they were."""
    return repository.common / "mfgit" / KEPT


def renew(repository: Repository, place: Path) -> None:
    """Write a hook anew, once what it was is kept."""
    before = place.read_bytes()
    folder = kept(repository)
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / f"{place.name}-{hashlib.sha256(before).hexdigest()[:8]}", before)
    sync_folder(folder)
    install.put(os.fspath(place.parent), place.name)


# ---- sessions


def sessions(repository: Repository) -> Iterator[Step]:
    """Yield session files that have names of an earlier version, which may hold something of an id."""
    store = SessionStore(session_folder(repository))
    for file in store.files():
        if could_name(file.path.name) or (session := store.load(file.path)) is None:
            continue
        if store.path_of(session.session_id) in (None, file.path):  # else there are two, which `archive check` tells
            what = f"a session under an earlier version's name; it becomes {file_name(session.session_id)}, byte for byte"
            yield Step(str(file.path), what, partial(rename, store, file, session.session_id))
    catalogue = Catalogue(store)
    if catalogue.left_behind() and not catalogue.newer():
        what = "the catalogue of sessions, behind them since a run was ended; it is made anew"
        yield Step(str(catalogue.path), what, partial(flush, store, catalogue))


def rename(store: SessionStore, file: SessionFile, session_id: str) -> None:
    """Give a session's file the name it has today, and note that in the catalogue."""
    with store.locked():
        if store.path_of(session_id) not in (None, file.path) or not file.path.exists():
            return
        ending = ".json.gz" if file.path.suffix == ".gz" else ".json"
        target = file.path.with_name(store.name_in(file.path.parent, session_id, None) + ending)
        catalogue = Catalogue(store)
        catalogue.begin()
        file.path.rename(target)
        sync_folder(target.parent)
        catalogue.note(file.path, None)
        catalogue.note(target, store.load(target))
        catalogue.finish()


# ---- search indexes


def indexes(repository: Repository) -> Iterator[Step]:
    """Yield what is left of search indexes of earlier formats; those of newer ones stay."""
    pages, inside = views.store(repository).folder, repository.common / "mfgit"
    places = older([*pages.glob("index-*"), *pages.glob("current*"), *(inside / "archive").glob("*")], FORMAT)
    if not config.is_url(repository.config.archive.chat) and not (beside := recalling.store_of(repository)).elsewhere():
        names = [recalling.named(f"{version} {repository.common}") for version in RELEASED]
        places += older(beside.folder.glob("index-*"), FORMAT)
        places += [path for name in names if (path := beside.folder.with_name(name)).is_dir()]
    what = "a search index of an earlier version; it goes, since searches make their own"
    yield from (Step(str(path), what, partial(clear, path)) for path in places)


def clear(path: Path) -> None:
    """Remove a file or a folder of an index, and what its engine keeps elsewhere."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
    else:
        remove(*path.glob("index-*"), path)


def word_counts(repository: Repository) -> Iterator[Step]:
    """Yield the word counts of scans by earlier rules; those of newer ones stay."""
    if config.is_url(repository.config.archive.chat):
        return
    here = repository.chat_folder / SNAPSHOT
    now = tuple(map(int, COUNTED.split(".")))
    for path in sorted(here.parent.glob("frequencies*.json")):
        stated = COUNTS.fullmatch(path.name)
        if stated is None or tuple(map(int, stated.groups())) < now:
            yield Step(str(path), "word counts of an earlier version; they go, since a scan counts anew", partial(clear, path))


LOOKS: tuple[Callable[[Repository], Iterator[Step]], ...] = (hooks, sessions, indexes, word_counts)
