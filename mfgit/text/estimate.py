"""How many tokens a text takes in a language model's window, estimated on the safe side and without a vocabulary.

Every model counts in its own way, so the rules stay above what common ones count: a Chinese, Japanese or Korean character
takes a token and a quarter, a word one for each four letters begun, digits one for each two, a sign, a line break and any
other letter one each, and whatever is left (emoji) as many as it has bytes. Lines together take what they take one by one.
"""

import re

PIECES = re.compile(
    r"(?P<wide>[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]+)"
    r"|(?P<word>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<lines>[\n\r]+)|(?P<space>[ \t]+)"
    r"|(?P<sign>[!-~])|(?P<letters>[^\W\d_]+)|(?P<rest>.)",
    re.DOTALL,
)


def tokens(text: str) -> int:
    """Return about how many tokens a text takes, rather too many than too few."""
    return sum(weight(str(found.lastgroup), found[0]) for found in PIECES.finditer(text))


def weight(kind: str, piece: str) -> int:
    """Return the tokens of one piece."""
    size = len(piece)
    if kind == "rest":
        return len(piece.encode("utf-8", "surrogatepass"))
    if kind == "space":
        return (size + 2) // 4
    return {"wide": -(-5 * size // 4), "word": -(-size // 4), "digits": -(-size // 2)}.get(kind, size)


def longest(text: str, budget: int) -> str:
    """Return the longest beginning of a text, in whole lines where one fits, that takes at most `budget` tokens."""
    if tokens(text) <= budget:
        return text
    kept, left = 0, budget
    for line in text.splitlines(keepends=True):
        cost = tokens(line)
        if cost > left:
            break
        left -= cost
        kept += len(line)
    if text[:kept].strip():
        return text[:kept].rstrip()
    return within(text, budget)


def within(text: str, budget: int) -> str:
    """Return the longest beginning of a text, in characters, that takes at most `budget` tokens."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(text[:middle]) <= budget else (low, middle - 1)
    return text[:low].rstrip()
