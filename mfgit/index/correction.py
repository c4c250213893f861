"""Typing errors: an unknown word becomes the most frequent known word that is one edit away."""

from collections.abc import Callable, Iterable, Iterator

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST = 8
"""Words that are corrected, the first ones: each costs some 500 look-ups, and a pasted log is full of unknown words."""
SHORTEST = 4
"""Letters: below that, one edit makes another word."""


def correct(terms: Iterable[str], frequency: Callable[[str], int], known: Callable[[str], bool]) -> dict[str, str]:
    """Return unknown term → its correction.

    `frequency` is how many documents hold a term; `known` is a fast first test that may say yes too often, never no.
    """
    found: dict[str, str] = {}
    tried = 0
    for term in terms:
        if len(term) < SHORTEST or not (term.isascii() and term.isalpha()) or frequency(term):
            continue
        tried += 1
        if tried > MOST:
            break
        likely = [word for word in neighbours(term) if known(word)]
        best = max(likely, key=lambda word: (frequency(word), word), default=None)
        if best is not None and frequency(best):
            found[term] = best
    return found


def neighbours(word: str) -> Iterator[str]:
    """Yield every word one edit away: a letter added, dropped or replaced, or two neighbours swapped."""
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if tail:
            yield head + tail[1:]
        if len(tail) > 1 and tail[0] != tail[1]:
            yield head + tail[1] + tail[0] + tail[2:]
        for letter in LETTERS:
            yield head + letter + tail
            if tail and letter != tail[0]:
                yield head + letter + tail[1:]
