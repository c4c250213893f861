"""What an importer hands out besides conversations: what it left out, and where a file breaks off."""

import re
from typing import NamedTuple

from mfgit.redact import redact

PLAIN = re.compile(r"(?=.{1,40}$)[A-Za-z][a-z]*+\d{0,2}(?:[_.-]?[A-Z]?[a-z]++\d{0,2})*+", re.ASCII)
"""Names of record types that are shown, words that may end in figures; anything else may be text of a conversation."""


class Skipped(NamedTuple):
    """Something that was not taken: why, in a few words that hold no text of the export, and how often."""

    reason: str
    times: int = 1


class Damage(NamedTuple):
    """A file that could not be read to its end; what was whole before came out. `what` holds no text of the export."""

    name: str
    what: str

    def __str__(self) -> str:
        return f"{self.name}: {self.what}"


def kind_of(value: object) -> str:
    """Return the type of a record as it may be shown and counted."""
    plain = isinstance(value, str) and PLAIN.fullmatch(value) and redact(value) == value
    return str(value) if plain else "untyped"
