"""Folding: one spelling for what readers take for the same text.

NFKC (full-width forms, ligatures, compatibility ideographs) → lower case → traditional Chinese to simplified, character by
character. The table of characters is loaded only when a text holds a Han character.
"""

import functools
import re
import unicodedata
from collections.abc import Mapping

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
FIRST = "\u3005"
"""The first of the Han characters: a text of lower ones alone has none."""


def fold(text: str) -> str:
    """Return the text in its one spelling; its length may differ."""
    return simplify(unicodedata.normalize("NFKC", text).lower())


def simplify(text: str) -> str:
    """Return the text with every traditional character replaced by its simplified form."""
    if text.isascii() or max(text) < FIRST:
        return text
    return text.translate(table())


@functools.cache
def any_han() -> re.Pattern[str]:
    """Return the pattern of one Han character; made only when a text needs it, since that takes 2 ms."""
    return re.compile(f"[{HAN}]")


@functools.cache
def table() -> Mapping[int, int]:
    """Return code point → code point of its simplified form."""
    from mfgit.text import traditional

    return str.maketrans(traditional.TRADITIONAL, traditional.SIMPLIFIED)
