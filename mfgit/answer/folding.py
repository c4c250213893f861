"""Near-duplicates: a passage that says what one above it says is folded into that one and named with it.

Docs repeat themselves: a warning that is included in many pages, a page that was copied for a new version. Shown one by one
they take the places of other answers. Only passages whose words are nearly all the same and whose numbers and refusals are the
same are folded, and never an overlay: each has a mark of its own.
"""

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mfgit.passages import Passage

SAME = 0.95
"""Share of the neighbours (pairs of words, or of characters of Chinese) that two passages must have in common to say the same.

One word of forty that differs is enough not to: pages on how to enable and to disable a thing differ by no more.
"""
LEAST = 8
"""Neighbours of a passage that says enough to be compared."""
HAN = r"[\u3400-\u4dbf\u4e00-\u9fff]"
LETTERS = re.compile(r"[^\W\d_]+")
NUMBER = re.compile(r"\d+")
DENIED = re.compile(r"\b(?:not|no|never|cannot)\b|n['\u2019]t\b|[不没未勿非]", re.IGNORECASE)


class Said(NamedTuple):
    """What two passages must share: their words as neighbours, what they count, and how often they deny."""

    words: frozenset[tuple[str, str]]
    numbers: frozenset[str]
    denied: int


def fold(passages: Sequence[Passage]) -> list[list[int]]:
    """Return the passages to show, in order, each as its index followed by those of the ones that are folded into it."""
    groups: list[list[int]] = []
    told = [said(passage) for passage in passages]
    for at, passage in enumerate(passages):
        for group in groups:
            first = passages[group[0]]
            if first.kind == passage.kind == "original" and alike(told[group[0]], told[at]):
                group.append(at)
                break
        else:
            groups.append([at])
    return groups


def said(passage: Passage) -> Said:
    """Return what a passage says below its heading."""
    lines = passage.text.split("\n")
    body = "\n".join(lines[1:] if lines[0].startswith("#") else lines).lower()
    return Said(frozenset(itertools.pairwise(words(body))), frozenset(NUMBER.findall(body)), len(DENIED.findall(body)))


def words(text: str) -> Iterator[str]:
    """Yield the words of a text: one character of Chinese, or a run of other letters."""
    for run in LETTERS.findall(text):
        if run.isascii():
            yield run
        else:
            yield from one_word().findall(run)


@functools.cache
def one_word() -> "re.Pattern[str]":
    """Return the pattern of a word in a run of letters; made only when a text needs it."""
    return re.compile(rf"{HAN}|(?:(?!{HAN}).)+")


def alike(one: Said, other: Said) -> bool:
    """Return whether two passages say the same in nearly the same words."""
    if one.numbers != other.numbers or one.denied != other.denied or min(len(one.words), len(other.words)) < LEAST:
        return False
    return len(one.words & other.words) >= SAME * len(one.words | other.words)
