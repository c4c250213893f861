"""Exports of other products into the archive: each conversation once, and a truthful account of what was left out."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mfgit.errors import BadInput
from mfgit.importers.formats import MODULES, detect, format_named
from mfgit.importers.found import Damage, Skipped
from mfgit.importers.source import Source
from mfgit.model import Progress, quiet
from mfgit.project.base import Repository
from mfgit.session import Conversation

AUTO = "auto"
FORMATS = (AUTO, *MODULES)


class Imported(NamedTuple):
    """What an import did: new conversations, turns and ratings, and turns that were known already.

    `skipped` counts by reason what was left out; `damage` says where files could not be read to their end.
    """

    format: str
    conversations: int
    turns: int
    ratings: int
    skipped: dict[str, int]
    already_known: int
    damage: tuple[str, ...] = ()


class Account:
    """What an importer said besides conversations, and how much it gave."""

    def __init__(self, source: Source, progress: Progress) -> None:
        self.source = source
        self.progress = progress
        self.skipped: Counter[str] = Counter()
        self.damage: list[str] = []
        self.given = 0
        self.why = ""
        """Why the first thing that was given could not be stored."""

    def sifted(self, found: Iterator[Any]) -> Iterator[Any]:
        """Yield what is to be stored, and take note of the rest."""
        for each in found:
            if isinstance(each, Skipped):
                self.skipped[each.reason] += each.times
            elif isinstance(each, Damage):
                self.skipped["file that breaks off"] += 1
                self.damage.append(str(each))
            else:
                self.given += 1
                yield each
            self.progress("Importing", min(self.source.read, self.source.size), self.source.size)


def import_path(repository: Repository, name: str, path: Path, progress: Progress = quiet) -> Imported:
    """Import a file, zip file or folder in the format `name`, or in the one it looks like for `auto`.

    Raises `BadInput` when nothing in it can be imported; then nothing was stored.
    """
    with Source(path) as source:
        found = detect(source) if name == AUTO else name
        if found is None:
            raise BadInput(f"{path} is no export that mfgit knows; expected one of {', '.join(MODULES)}.", unknown_hint(source))
        account = Account(source, progress)
        values = account.sifted(format_named(found).read(source))
        done = (import_turns if found == "turns" else import_conversations)(repository, values, account)
        if not account.given:
            raise nothing(path, found, account)
    return done._replace(format=found)


def unknown_hint(source: Source) -> str:
    """Return what to do about a source in no known format."""
    if not source.members:
        return "There is no file in it."
    return "Name the format if you know it: mfgit archive import FORMAT FILE."


def nothing(path: Path, name: str, account: Account) -> BadInput:
    """Return the error for a source that holds nothing to import."""
    why = "; ".join([*account.damage, *(f"{reason}: {count}" for reason, count in account.skipped.most_common(5))])
    first = f" The first: {account.why}." if account.why else ""
    expected = format_named(name).EXPECTED
    return BadInput(
        f"{path} holds nothing to import; expected {expected}.", f"Left out: {why}.{first}" if why else "Nothing is in it."
    )


def import_conversations(repository: Repository, conversations: Iterator[Conversation], account: Account) -> Imported:
    """Store conversations as sessions and turns."""
    from mfgit.project.archiving_sessions import store

    done = store(repository, conversations, quiet)
    skipped = account.skipped + Counter(done.skipped)
    return Imported("", done.conversations, done.turns, done.ratings, dict(skipped), done.already_known, tuple(account.damage))


def import_turns(repository: Repository, values: Iterator[Any], account: Account) -> Imported:
    """Store our own turns, and the ratings that came later."""
    from mfgit.project.importing_turns import store_turns

    tally = store_turns(repository, values)
    account.given -= tally.refused
    account.why = tally.why
    account.skipped += tally.skipped
    skipped = account.skipped
    return Imported("", len(tally.talks), tally.turns, tally.ratings, dict(skipped), tally.known, tuple(account.damage))
