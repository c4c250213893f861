"""Folding: one spelling for what readers take for the same text.

NFKC (full-width forms, ligatures, compatibility ideographs) → lower case → traditional Chinese to simplified, character by
character. OpenCC is loaded only when a text holds a Han character, since its dictionaries cost a few milliseconds.
"""

import functools
import re
import unicodedata
from typing import Any

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
HAN_CHARACTER = re.compile(f"[{HAN}]")

_simplified: dict[int, str] = {}
"""Code point -> its simplified form; holds every Han character met so far in this process."""


def fold(text: str) -> str:
    """Return the text in its one spelling; its length may differ."""
    return simplify(unicodedata.normalize("NFKC", text).lower())


def simplify(text: str) -> str:
    """Return the text with every traditional character replaced by its simplified form."""
    unseen = {character for character in HAN_CHARACTER.findall(text) if ord(character) not in _simplified}
    if unseen:
        learn(sorted(unseen))
    return text.translate(_simplified) if HAN_CHARACTER.search(text) else text


def learn(characters: list[str]) -> None:
    """Ask OpenCC for single characters; a line break between them keeps it from seeing phrases."""
    converted = converter().convert("\n".join(characters)).split("\n")
    for character, simple in zip(characters, converted, strict=True):
        _simplified[ord(character)] = simple


@functools.cache
def converter() -> Any:
    """Return OpenCC with its dictionaries loaded."""
    import opencc

    return opencc.OpenCC("t2s")
