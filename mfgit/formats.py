"""The versions of what mfgit stores and cannot make anew, and what is said of a newer one.

One rule for all of them: what names no version is of version 1, fields that are not known are kept, and a version above the
one here is refused by name and left as it is. Derived data needs no such words: each of its versions has a name of its own
or is made anew. docs/reference/formats.md lists both kinds.
"""

from typing import Any

from mfgit.errors import BadInput

FIELD = "mfgit_schema"
"""Where lines of day files, session files and overlays would name their version: other programs write such files, too, and
may have a `schema` of their own."""
TURN, SESSION, OVERLAY, RECORD, HOLDS, TOKENS, HOOK = 1, 1, 1, 1, 1, 1, 1
"""The highest version of each that is read, which is the one that is written."""


class Newer(BadInput):
    """Something is of a version that only a newer mfgit reads."""


def newer(found: Any, known: int) -> bool:
    """Tell whether a version that something names (None: none) is another than 1 to `known`."""
    return found is not None and not (type(found) is int and 1 <= found <= known)


def refuse_newer(found: Any, known: int, where: str) -> None:
    """Raise `Newer`, naming `where`, for a version that is not known here; what it is of stays as it is."""
    if newer(found, known):
        raise Newer(f"{where}: {told(found, known)}", mend(found))


def is_number(found: Any) -> bool:
    """Tell whether a version is one that some mfgit may write, and not damage."""
    return type(found) is int and 1 <= found < HIGHEST


def told(found: Any, known: int) -> str:
    """Return the sentence about a version that is not known here."""
    if is_number(found):
        return f"its format is version {found}, and this mfgit reads up to {known}; it is left as it is."
    return "its format names a version that is no whole number from 1 on; it is left as it is."


def mend(found: Any) -> str:
    """Return what to do about such a version."""
    return UPGRADE if is_number(found) else RIGHT


HIGHEST = 10**9
"""No version will ever be as high, and none has so many digits that a message is hard to read."""
UPGRADE = "A newer mfgit wrote it: upgrade mfgit here, then run the command again."
RIGHT = "Put the version right where it was damaged, or upgrade mfgit here if a newer one wrote it."
