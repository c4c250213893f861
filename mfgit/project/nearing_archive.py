"""Turns and sessions near a question by meaning, where `[vector]` is configured.

Their vectors lie in `<sessions>/embeddings/archive/`, kept by the hash of their text. Retention and `archive forget` take
out what is no longer in the archive.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from mfgit.archive import documents
from mfgit.archive.documents import Place
from mfgit.archive.slices import Folders
from mfgit.index.searcher import Searcher
from mfgit.progress import Progress, quiet
from mfgit.project import nearing
from mfgit.project.base import Repository
from mfgit.project.vectoring import Unfinished

FOLDER = "embeddings"
"""Where vectors of conversations are kept, below the folder of the sessions. Derived: it may be deleted at any time."""
PLACE, TEXT = slice(2, 5), 5
"""Which of the numbers kept of a document are its place, and which is the hash of its text."""
KEY = 16


class Documents:
    """What can be found in the archive, by the hashes that its index keeps."""

    what = "turns and messages"

    def __init__(self, where: Folders, searcher: Searcher) -> None:
        self.where, self.searcher = where, searcher

    def keys(self, places: Sequence[int]) -> list[bytes]:
        """Return the hashes of the texts at positions."""
        column = self.searcher.view.numbers[TEXT]
        return [column[place].to_bytes(KEY, "little", signed=True) for place in places]

    def texts(self, places: Sequence[int]) -> list[str]:
        """Return the redacted texts at positions; raises `Unfinished` where one is gone."""
        found = [documents.again(self.where, place_of(self.searcher, place)) for place in places]
        told = ["\n".join(text for _, text in one.fields)[: nearing.LONGEST] for one in found if one]
        if len(told) < len(found):
            raise Unfinished("the archive was changed meanwhile")
        return told


def place_of(searcher: Searcher, position: int) -> Place:
    """Return where the document at a position stands."""
    day, at, check = (column[position] for column in searcher.view.numbers[PLACE])
    return Place(day, at, check, "" if day else searcher.details(position)[0])


def folder_of(sessions: Path) -> Path:
    """Return the folder of the archive's vectors."""
    return sessions / FOLDER / "archive"


def near(
    repository: Repository, where: Folders, searcher: Searcher, query: str, wanted: bytes | None, *, progress: Progress = quiet
) -> nearing.Near:
    """Return the documents near a question, among the wanted positions (None: all), embedding those that are new."""
    if not searcher.view.documents or not nearing.configured(repository):
        return nearing.Near()
    import hashlib
    from array import array

    key = hashlib.blake2b(array("q", searcher.view.numbers[TEXT]).tobytes(), digest_size=16).hexdigest()
    shown = nearing.View(folder_of(where.sessions), key, searcher)
    return nearing.finding(repository, shown, Documents(where, searcher), progress).near(query, wanted)


def prune(where: Folders, searcher: Searcher) -> None:
    """Take out the vectors of what is no longer in the archive, for every model that was ever used."""
    from mfgit.backends.cache import ENDING, only

    folder = folder_of(where.sessions)
    held = set(Documents(where, searcher).keys(range(len(searcher.view.documents))))
    for path in folder.glob(f"*{ENDING}"):
        only(path, held)
    shutil.rmtree(folder / "views", ignore_errors=True)
