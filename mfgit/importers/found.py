"""What an importer hands out besides conversations: what it left out, and where a file breaks off."""

import re
from typing import NamedTuple

PLAIN = re.compile(r"[A-Za-z][\w.-]{0,39}")
"""Names of record types that are shown; anything else may be text of a conversation."""


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
    return value if isinstance(value, str) and PLAIN.fullmatch(value) else "untyped"
