"""Write a sentence of the table, and tell one that was written before in Chinese: both by the same form.

Records in Git hold English sentences. `say` writes them; `in_chinese` reads one back by the English side of a form and puts
what stood in its holes into the Chinese side. A sentence that no form knows stays as it is.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from mfgit.reasons.refusals import REFUSALS
from mfgit.reasons.table import REASONS

FORMS = {**REASONS, **REFUSALS}

LONGEST = 4_000
"""Characters of a sentence that is read back."""
PATIENCE = 300_000
"""Steps that reading all sentences of one page may take, a third of a second: whoever can push can write a record, and no text
may keep a server busy. A sentence of the scan takes up to 3,000."""
ENTRIES = 10
"""Entries that a list may have: the scan writes fewer, and each is read inside the one before."""
HOLE = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]\d+)?")
SHARE = re.compile(r"\d+ %")


class Hole(NamedTuple):
    """A place in a form: `kind` is empty for any text, `#` a number, `%` a share, `user|users` so many, else a group of forms.

    An `optional` group may be missing, and has a blank before it in English where it is `spaced`; of a `listed` one there
    may be several, with commas.
    """

    name: str
    kind: str
    optional: bool = False
    spaced: bool = False
    listed: bool = False


Parts = tuple[str | Hole, ...]
Filled = tuple[int, dict[str, str]]


class Weary(Exception):
    """Reading took too many steps."""


class Steps:
    """What is left of the patience with the sentences of one page."""

    def __init__(self) -> None:
        self.left = PATIENCE

    def take(self) -> None:
        """Count a step; raises `Weary` after too many."""
        self.left -= 1
        if self.left < 0:
            raise Weary


@functools.cache
def parts(form: str) -> Parts:
    """Return the English side of a form in pieces; raises `KeyError` for a form that is not there."""
    pieces = HOLE.split(FORMS[form][0])  # text, name, kind, text, name, kind, …, text
    holes = map(hole, pieces[1::3], pieces[2::3])
    return tuple(part for both in zip_longest(pieces[::3], holes) for part in both if part)


def hole(name: str, kind: str | None) -> Hole:
    """Return the hole that a form describes as `{name:kind}` or `{name}`."""
    kind = kind or ""
    return Hole(name, kind.strip(" ?*"), kind.endswith("?"), kind.startswith(" "), kind.endswith("*"))


@functools.cache
def group(name: str) -> tuple[str, ...]:
    """Return the forms of a group, those of `why` for one that is `why.asked`."""
    return tuple(form for form in FORMS if form.startswith(f"{name}."))


# ---- writing


def say(form: str, **values: object) -> str:
    """Return a sentence in English; the values of groups are sentences too. Raises `KeyError` for a form that is not there."""
    return "".join(part if isinstance(part, str) else written(part, values[part.name]) for part in parts(form))


def written(place: Hole, value: object) -> str:
    """Return what stands in a hole: a share is given as 0 to 1, a list as its entries."""
    if place.listed and isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(value)
    if place.kind == "%" and isinstance(value, int | float):
        return f"{100 * value:.0f} %"
    if place.kind == "#" and isinstance(value, float):
        return f"{value:g}"
    if "|" in place.kind:
        one, many = place.kind.split("|")
        return f"{value} {one if value == 1 else many}"
    return f" {value}" if place.spaced and value else str(value)


# ---- reading


def in_chinese(text: str, *groups: str, steps: Steps) -> str | None:
    """Return what an English sentence of some groups says in Chinese, None where no form knows it or no steps are left."""
    if len(text) > LONGEST:
        return None
    try:
        return next((said for each in groups for end, said in read_group(each, text, 0, steps) if end == len(text)), None)
    except Weary:
        return None


def read_group(name: str, text: str, at: int, steps: Steps) -> Iterator[tuple[int, str]]:
    """Yield where the sentences of a group that begin somewhere may end, and what each says in Chinese."""
    for form in group(name):
        for end, values in fill(parts(form), text, at, steps):
            yield end, FORMS[form][1].format_map(values)


def fill(these: Parts, text: str, at: int, steps: Steps) -> Iterator[Filled]:
    """Yield where pieces that begin somewhere may end, and what stands in their holes in Chinese."""
    steps.take()
    if not these:
        yield at, {}
        return
    first, rest = these[0], these[1:]
    if isinstance(first, str):
        if text.startswith(first, at):
            yield from fill(rest, text, at + len(first), steps)
        return
    for end, said in holds(first, rest, text, at, steps):
        for last, more in fill(rest, text, end, steps):
            yield last, {first.name: said, **more}


def holds(place: Hole, rest: Parts, text: str, at: int, steps: Steps) -> Iterator[tuple[int, str]]:
    """Yield where a hole may end, and what stands in it in Chinese."""
    if not place.kind:
        yield from ((end, text[at:end]) for end in ends(rest, text, at))
    elif place.kind in "#%" or "|" in place.kind:
        yield from number(place.kind, text, at)
    else:
        start = at + 1 if place.spaced and text.startswith(" ", at) else at
        if start > at or not place.spaced:
            yield from (listed if place.listed else read_group)(place.kind, text, start, steps)
        if place.optional:
            yield at, ""


def ends(rest: Parts, text: str, at: int) -> Iterator[int]:
    """Yield where a text of any kind may end, the nearest place first: before what comes next in the form."""
    following = rest[0] if rest and isinstance(rest[0], str) else ""
    end = text.find(following, at)
    while end >= 0:
        yield end
        end = text.find(following, end + 1)


def number(kind: str, text: str, at: int) -> Iterator[tuple[int, str]]:
    """Yield where a number, a share or a count with its noun ends, and its figures."""
    found = (SHARE if kind == "%" else NUMBER).match(text, at)
    if not found:
        return
    figures = found[0].replace(" ", "")
    if "|" not in kind:
        yield found.end(), figures
    for noun in sorted(kind.split("|"), key=len, reverse=True) if "|" in kind else ():
        if text.startswith(f" {noun}", found.end()):
            yield found.end() + 1 + len(noun), figures


def listed(name: str, text: str, at: int, steps: Steps, most: int = ENTRIES) -> Iterator[tuple[int, str]]:
    """Yield where a list of sentences of a group may end, and what it says in Chinese."""
    for end, said in read_group(name, text, at, steps):
        yield end, said
        if most > 1 and text.startswith(", ", end):
            yield from ((last, f"{said}、{more}") for last, more in listed(name, text, end + 2, steps, most - 1))
