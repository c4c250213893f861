"""Text as rules read it: other forms of figures, letters, hyphens and blanks as the ASCII ones, and nothing that is not seen.

Input methods, word processors and chat programs write such characters by themselves; nobody who reads the text sees them.
"""

import re
import unicodedata

FORMS = (
    *range(0xFF10, 0xFF1A),
    *range(0xFF21, 0xFF3B),
    *range(0xFF41, 0xFF5B),
    *map(ord, "＠．－＿＋＝／"),
    *range(0x1D400, 0x1D800),
    *range(0x2460, 0x2469),
    *range(0x2070, 0x208A),
)
"""Full-width, mathematical, circled and raised forms: the compatibility form (NFKC) of each is one ASCII character."""
DIGITS = (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50)
"""Zeros of other scripts: Arabic, Persian, Devanagari, Bengali, Thai."""
HYPHENS = "\u2010\u2011\u2012\u2013\u2014\u2212\ufe58\ufe63"
BLANKS = "\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
UNSEEN = "\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f"
"""Soft hyphens, joiners, marks of direction, variation selectors and tags, as a class of a pattern takes them."""

NARROW = (
    {code: plain for code in FORMS if len(plain := unicodedata.normalize("NFKC", chr(code))) == 1 and plain.isascii()}
    | {zero + value: str(value) for zero in DIGITS for value in range(10)}
    | dict.fromkeys(map(ord, HYPHENS), "-")
    | dict.fromkeys(map(ord, BLANKS), " ")
)
OTHER = re.compile(
    "[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a＠．－＿＋＝／\U0001d400-\U0001d7ff\u2460-\u2468\u2070-\u2089"
    "\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\u2010-\u2013\u2212\ufe58\ufe63"
    f"{BLANKS}]|(?<=[0-9])\u2014(?=[0-9])"
)
"""A character that `NARROW` changes; the long dash only between figures, since Chinese writes it everywhere."""
HIDDEN = re.compile(f"[{UNSEEN}]+")


def narrowed(text: str) -> str:
    """Return a text with such characters as the ASCII ones, each at its place."""
    return text if text.isascii() or not OTHER.search(text) else text.translate(NARROW)


def seen(text: str) -> tuple[str, list[int]]:
    """Return a text without what is not seen, and the place of each character that is left in the text as given.

    There are no places when every character is left at its own.
    """
    if text.isascii() or not HIDDEN.search(text):
        return text, []
    places: list[int] = []
    at = 0
    for gap in HIDDEN.finditer(text):
        places += range(at, gap.start())
        at = gap.end()
    return HIDDEN.sub("", text), [*places, *range(at, len(text))]
