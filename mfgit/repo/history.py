"""When records came to the target and when they left it, read from its own history, so that every clone agrees.

The target's first parents are asked, each commit against the one before it: a merge, a squash, a rebase and a revert by
hand all look the same there.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from mfgit.layout import FORGED
from mfgit.plumbing import Git, decode
from mfgit.sections import RootPattern

RECORDS = f"{FORGED}/proposals"
ANYWHERE = (":(glob)**/_forged/proposals/*.json",)
"""The pathspec of every record there may be; naming the roots is six times faster on a long history."""
FLAGS = (
    *("--first-parent", "--diff-merges=first-parent", "--root", "--diff-filter=AD"),
    *("--raw", "-z", "--no-renames", "--no-abbrev", "--no-show-signature", "--no-mailmap"),
)


class Event(NamedTuple):
    """A record that came (`added`) or left, in `commit`, at `when`; `blob` holds the record, for one that left as it was."""

    added: bool
    identity: str
    path: str
    blob: str
    commit: str
    when: datetime


def pathspecs(roots: Iterable[RootPattern]) -> tuple[str, ...]:
    """Return the pathspecs of the records under some roots."""
    places = [RECORDS if root.path == "." else f"{root.path}/{RECORDS}" for root in roots]
    return tuple(f":(glob){place}/*.json" if "*" in place else f":(literal){place}" for place in places)


def events(git: Git, commit: str, records: Sequence[str] = ANYWHERE) -> tuple[Event, ...]:
    """Return what happened to records on the way to `commit`, the newest first; `records` are pathspecs."""
    out = git.out("log", *FLAGS, "--format=%x01%H %ct", "--end-of-options", commit, "--", *records)
    found: list[Event] = []
    for block in out.split(b"\1")[1:]:
        head, *fields = block.split(b"\0")
        oid, seconds = head.decode().split()
        when = datetime.fromtimestamp(int(seconds), UTC)
        fields = [field.lstrip(b"\n") for field in fields if field.strip(b"\n")]
        for meta, path in zip(fields[::2], fields[1::2], strict=True):
            found.append(event(meta.decode().split(), decode(path), oid, when))
    return tuple(found)


def event(meta: list[str], path: str, commit: str, when: datetime) -> Event:
    """Return one raw entry as an event; `meta` is `:MODE MODE BLOB BLOB A|D`."""
    added = meta[4] == "A"
    identity = path.rsplit("/", 1)[-1].removesuffix(".json")
    return Event(added, identity, path, meta[3] if added else meta[2], commit, when)
