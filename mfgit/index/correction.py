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
INFLECTED = 7
"""Letters of the shortest word with an ending that is corrected by what was typed, its stem being shorter."""
LONGEST = 48
"""Letters of the longest word or name that is corrected: each costs some 55 look-ups."""
VOWELS = "aeiou"
VOWELS_SET = frozenset(VOWELS)
ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
CLEAR = 2
"""The correction is in this many times more documents than any other, or it isn't known what was meant."""
BINDING_TEXT = """
above across against along although amid among around behind below beneath beside besides between beyond despite down except
inside near onto outside since though throughout till toward towards underneath unless unlike upon via whereas within without
"""
"""Words that bind and still say something: they count in a question, and they are never misspelled names of things."""


def keys_beside() -> dict[str, str]:
    """Return letter → the letters of the keys left and right of it."""
    return {row[at]: row[max(0, at - 1) : at] + row[at + 1 : at + 2] for row in ROWS for at in range(len(row))}


BESIDE = keys_beside()


def correct(
    terms: Iterable[str], frequency: Callable[[str], int], known: Callable[[str], bool], text: str = ""
) -> dict[str, str]:
    """Return unknown term → its correction; `text` is where the terms are from, for how their words were typed.

    `frequency` is how many documents hold a term; `known` is a fast first test that may say yes too often, never no.
    """
    found: dict[str, str] = {}
    typed = {tokens.stem(word): word for word, _ in tokens.pieces(text) if word}
    tried = 0
    for term in terms:
        if not correctable(term) or frequency(term) or term in binding():
            continue
        tried += 1
        if tried > MOST:
            break
        near = {*neighbours(term), *(() if "_" in term else slips(term, typed.get(term, term)))}
        likely = {word for word in near if word in binding() or known(word)}
        if likely and likely.isdisjoint(binding()):
            best, *others = sorted(likely, key=lambda word: (-frequency(word), word))
            rival = frequency(others[0]) if others else 0
            if frequency(best) >= max(1, CLEAR * rival):
                found[term] = best
    return found


def correctable(term: str) -> bool:
    """Tell whether a term is a word, or a name of words with underscores, and of a length that is corrected.

    Figures are never wrong: `error_40` is another name than `error_404`.
    """
    return SWAPPED <= len(term) <= LONGEST and term.isascii() and term.replace("_", "").isalpha()


@functools.cache
def binding() -> frozenset[str]:
    """Return the stems of words that bind or ask: neither they nor what is one edit away is corrected."""
    return frozenset(map(tokens.stem, (*tokens.ENGLISH_STOP_WORDS, *BINDING_TEXT.split())))


def slips(term: str, word: str) -> Iterator[str]:
    """Yield the terms that a word of a short stem may have been, by the mistakes that hardly ever make another word.

    Two letters of its ending swapped (dreamign); one vowel for another at the end (gizmi) or beside a vowel (dreeming); and
    in an inflected word a key beside the right one (dreaning), or a vowel left out (dreming).
    """
    inflected = word != term
    if not inflected:
        yield from (tokens.stem(word[:at] + word[at + 1] + word[at] + word[at + 2 :]) for at in range(1, len(word) - 1))
    for at in range(1, len(term)) if len(term) >= ADDED else ():
        head, letter, tail = term[:at], term[at], term[at + 1 :]
        if letter not in VOWELS:
            others = BESIDE.get(letter, "") if inflected and len(word) >= INFLECTED else ""
        else:
            others = VOWELS if head[-1] in VOWELS or tail[:1] in VOWELS_SET or not (tail or inflected) else ""
        yield from (head + other + tail for other in others)
    if inflected and len(word) >= INFLECTED and len(term) < ADDED:
        yield from (
            term[:at] + vowel + term[at:]
            for at in range(1, len(term))
            for vowel in VOWELS
            if term[at - 1] in VOWELS or term[at] in VOWELS
        )


def candidates(term: str) -> set[str]:
    """Return every term that `correct` may ask for in place of one, however its word was typed."""
    return {*neighbours(term), *slips(term, term), *slips(term, f"{term}{'ing':->{INFLECTED}}")}


def without_parts(terms: Iterable[str], text: str, fixes: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    """Return the terms without the parts of compound names that were corrected as a whole, and the corrections that are left.

    Of `OpenClow` that is `openclaw` alone, as when it is written in small letters: `clow` is nobody's word. A name with
    underscores that is corrected stands for its parts too.
    """
    wholes = [found for _, found in tokens.pieces(text) if len(found) > 1 and found[0] in fixes and found[0].isascii()]
    parts = {part for found in wholes for part in found[1:]}
    stay = {term for _, found in tokens.pieces(text) if found not in wholes for term in found}
    left = [term for term in terms if term not in parts or term in stay]
    return left, {old: new for old, new in fixes.items() if old in left}


def neighbours(word: str) -> Iterator[str]:
    """Yield every word that a typing error may have made this one of. The first letter is seldom wrong and stays."""
    size, letters = len(word), LETTERS + "_" * ("_" in word)
    for at in range(1, size + 1):
        head, tail = word[:at], word[at:]
        if len(tail) > 1 and tail[0] != tail[1]:
            yield head + tail[1] + tail[0] + tail[2:]
        if size >= ADDED:
            yield from (head + letter + tail for letter in letters)
            yield from [head + tail[1:]] if tail else []
        if size >= REPLACED and tail:
            yield from (head + letter + tail[1:] for letter in letters if letter != tail[0])
