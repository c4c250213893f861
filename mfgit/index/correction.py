"""Typing errors: a word that no document holds becomes the known word that was clearly meant, one edit away.

A word that is spelled right and just not there must stay what it is. Without a dictionary that can only be told by the
edit: a letter replaced makes other short words (house, horse), two letters swapped hardly ever do.
"""

import functools
from collections.abc import Callable, Iterable, Iterator

from mfgit.text import tokens

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST = 8
"""Words that are corrected, the first ones: each costs some 500 look-ups, and a pasted log is full of unknown words."""
SWAPPED, ADDED, REPLACED = 4, 5, 6
"""Letters of the shortest stem that is corrected by swapping two letters, by adding or dropping one, by replacing one."""
CLEAR = 2
"""The correction is in this many times more documents than any other, or it isn't known what was meant."""
BINDING_TEXT = """
above across against along although amid among around behind below beneath beside besides between beyond despite down except
inside near onto outside since though throughout till toward towards underneath unless unlike upon via whereas within without
"""
"""Words that bind and still say something: they count in a question, and they are never misspelled names of things."""


def correct(terms: Iterable[str], frequency: Callable[[str], int], known: Callable[[str], bool]) -> dict[str, str]:
    """Return unknown term → its correction.

    `frequency` is how many documents hold a term; `known` is a fast first test that may say yes too often, never no.
    """
    found: dict[str, str] = {}
    tried = 0
    for term in terms:
        if len(term) < SWAPPED or not (term.isascii() and term.isalpha()) or frequency(term) or term in binding():
            continue
        tried += 1
        if tried > MOST:
            break
        likely = {word for word in neighbours(term) if word in binding() or known(word)}
        if likely and likely.isdisjoint(binding()):
            best, *others = sorted(likely, key=lambda word: (-frequency(word), word))
            rival = frequency(others[0]) if others else 0
            if frequency(best) >= max(1, CLEAR * rival):
                found[term] = best
    return found


@functools.cache
def binding() -> frozenset[str]:
    """Return the stems of words that bind or ask: neither they nor what is one edit away is corrected."""
    return frozenset(map(tokens.stem, (*tokens.ENGLISH_STOP_WORDS, *BINDING_TEXT.split())))


def neighbours(word: str) -> Iterator[str]:
    """Yield every word that a typing error may have made this one of. The first letter is seldom wrong and stays."""
    size = len(word)
    for at in range(1, size + 1):
        head, tail = word[:at], word[at:]
        if len(tail) > 1 and tail[0] != tail[1]:
            yield head + tail[1] + tail[0] + tail[2:]
        if size >= ADDED:
            yield from (head + letter + tail for letter in LETTERS)
            yield from [head + tail[1:]] if tail else []
        if size >= REPLACED and tail:
            yield from (head + letter + tail[1:] for letter in LETTERS if letter != tail[0])
