"""A patch in lines that a page can colour."""

from typing import NamedTuple

META = ("index ", "new file", "deleted file", "--- ", "+++ ")
IN_A_FILE = (("diff ", "file"), *((start, "meta") for start in META), ("@@", "hunk"))
IN_A_HUNK = (("@@", "hunk"), ("+", "added"), ("-", "removed"))
"""How a line begins -> what it is; the first that fits."""
MOST = 2_000
"""Lines that are shown."""


class Line(NamedTuple):
    """A line of a patch and what it is."""

    kind: str
    text: str


def lines_of(patch: str) -> list[Line]:
    """Return the lines of a patch; inside a hunk only the first character counts."""
    found: list[Line] = []
    inside = False
    for text in patch.rstrip("\n").split("\n")[:MOST] if patch.strip() else []:
        if text.startswith("diff "):
            inside = False
        kind = next((kind for start, kind in (IN_A_HUNK if inside else IN_A_FILE) if text.startswith(start)), "same")
        inside = inside or kind == "hunk"
        found.append(Line(kind, text))
    return found
