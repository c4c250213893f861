"""The part of a text that shows best why it was found."""

from collections import Counter, deque
from collections.abc import Collection, Iterator
from itertools import islice

from mfgit.text import tokens
from mfgit.text.fold import simplify

WIDTH = 200
"""Characters of a snippet."""
BEFORE = 40
"""Characters of it that stand before the first word that was asked for."""
MOST = 2000
"""Places that are compared at most."""


def places(text: str, terms: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield (character, term) for every place of a text where one of some terms stands."""
    for match in tokens.RUN.finditer(text):
        if match[0].isascii():
            yield from ((match.start(), term) for term in tokens.word_terms(match[0]) if term in terms)
            continue
        at = match.start()
        for part in tokens.ideographs().split(match[0]):
            if part and tokens.ideographs().match(part):
                plain = simplify(part)
                pieces = ((at + n, plain[n : n + size]) for n in range(len(plain)) for size in (2, 1))
                yield from (place for place in pieces if place[1] in terms)
            elif part:
                yield from ((at, term) for term in tokens.terms(part) if term in terms)
            at += len(part)


def best(text: str, terms: Collection[str], width: int = WIDTH) -> tuple[str, int]:
    """Return the snippet of a text with the most different terms, on one line, and how many of them it holds."""
    window: deque[tuple[int, str]] = deque()
    held: Counter[str] = Counter()
    at, count = 0, 0
    for place in islice(places(text, terms), MOST):
        window.append(place)
        held[place[1]] += 1
        while window[0][0] <= place[0] - (width - BEFORE):
            _, gone = window.popleft()
            held[gone] -= 1
            if not held[gone]:
                del held[gone]
        if len(held) > count:
            at, count = window[0][0], len(held)
            if count == len(terms):
                break
    return cut(text, at, width), count


def cut(text: str, at: int, width: int = WIDTH) -> str:
    """Return the text around a character, on one line, with dots where something is left out."""
    start = max(0, at - BEFORE)
    if start:
        blank = text.find(" ", start, at)
        start = blank + 1 if blank >= 0 else start
    shown = " ".join(text[start : start + width].split())
    return ("… " if start else "") + shown + (" …" if len(text) > start + width else "")
