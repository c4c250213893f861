"""File names made of titles: readable in both languages, and safe on every file system."""

import re
import unicodedata

WORD = re.compile(r"[^\W_]+")
ASCII_WORD = re.compile(r"[a-z0-9]+")


def slug(title: str, limit: int = 100) -> str:
    """Return a title as lower-case words joined by `-`, at most `limit` bytes of UTF-8; `question` when no word is left."""
    return joined(WORD.findall(folded(title)), limit) or "question"


def ascii_slug(title: str, limit: int) -> str:
    """Return the Latin words and digits of a title joined by `-`, at most `limit` bytes; empty when there are none."""
    return joined(ASCII_WORD.findall(folded(title)), limit)


def folded(title: str) -> str:
    """Return a title in one case and one composition."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", title).lower())


def joined(words: list[str], limit: int) -> str:
    """Return as many whole words as fit, or the start of the first one."""
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word
        if len(longer.encode()) > limit:
            break
        name = longer
    if not name and words:
        name = words[0].encode()[:limit].decode("utf-8", "ignore")
    return unicodedata.normalize("NFC", name)
