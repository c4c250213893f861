"""The one analyzer, for originals, overlays, aliases, questions and the archive, in Chinese and English.

Runs of Han and Kana give their pairs of characters and their single characters, the singles without function characters.
Other words are kept whole, with the parts of snake_case and camelCase, and English is stemmed lightly.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from mfgit.text.fold import HAN, any_han, simplify

KANA = "\u3040-\u30ff\u31f0-\u31ff"
RUN = re.compile(r"\w+(?:['\u2019]\w+)*")
CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
MIXED = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
POSSESSIVE = re.compile("['\u2019]s?$")

FUNCTION_CHARACTERS = frozenset(
    "的了吗么呢吧啊呀嘛哦着过得地是在有和与跟及或而且但就都也还又再很太更最把被让给对从到向往于以为因所之其此该"
    "我你您他她它们咱这那哪谁什怎几多个些每某一不没无可能会要想请问好谢嗯如若则即等上下里中"
)
"""Characters that bind words together and say little on their own."""

CHINESE_STOP_WORDS_TEXT = """
一下 一个 不是 为什 为何 么办 了吗 什么 他们 以及 会不 但是 你们 你好 办呢 可以 哪个 哪些 哪里 因为
如何 如果 应该 怎么 怎办 怎样 您好 想要 想问 我们 我想 我要 或者 所以 时候 是不 是什 是否 有没 没有
的是 的话 能不 能否 请问 谢谢 还是 这个 这样 那个 那样 需要
"""
CHINESE_STOP_WORDS = frozenset(CHINESE_STOP_WORDS_TEXT.split())
"""Pairs of characters that ask or bind; they are dropped from questions and kept in documents."""

ENGLISH_STOP_WORDS_TEXT = """
a about after again all also am an and any anyone are arent as at be because been before being but by can cannot cant
could couldnt d did didnt do does doesnt doing done dont during each for from further get getting got had hadnt has
hasnt have havent having he hello help her here hers hi him his how however i if im in into is isnt it its ive just
know let lets like ll m may me might more most must my need no nor not now of off ok on once only or other our ours
out over own please re s same shall she should shouldnt so some someone such t tell than thank thanks that thats the
their them then there theres these they theyre this those through to too under until up us ve very want was wasnt we
were werent weve what whats when where whether which while who whom why will with wont would wouldnt you your youre
yours
"""
ENGLISH_STOP_WORDS = frozenset(ENGLISH_STOP_WORDS_TEXT.split())
"""Words that ask or bind; they are dropped from questions and kept in documents."""


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, with repeats."""
    return [term for _, found in pieces(text) for term in found]


def query_terms(text: str) -> list[str]:
    """Return the distinct terms of a question in order, without stop words unless nothing else is left."""
    every = list(pieces(text))
    kept = [term for word, found in every if word not in ENGLISH_STOP_WORDS for term in found if term not in CHINESE_STOP_WORDS]
    return list(dict.fromkeys(kept or [term for _, found in every for term in found]))


def only_binds(text: str) -> bool:
    """Tell whether a text has words, and all of them ask or bind."""
    every = list(pieces(text))
    return bool(every) and all(word in ENGLISH_STOP_WORDS if word else all(map(binds, found)) for word, found in every)


def binds(characters: str) -> bool:
    """Tell whether a character or a pair of Chinese asks or binds."""
    return characters in CHINESE_STOP_WORDS or FUNCTION_CHARACTERS.issuperset(characters)


def language(text: str) -> str:
    """Return the language of a text's reader: `zh` when Han characters are at least as many as other words, else `en`."""
    if text.isascii():
        return "en"
    text = unicodedata.normalize("NFKC", text)
    han = len(any_han().findall(text))
    words = sum(1 for word, _ in pieces(text) if word)
    return "zh" if han and han >= words else "en"


def spelled(term: str, texts: Iterable[str]) -> str:
    """Return the first word of some texts, in lower case, that has this stem, as a person would write it; else the term."""
    return next((word for text in texts for word, _ in pieces(text) if word and stem(word) == term), term)


def pieces(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield a text's words (plain, in lower case) and runs of Han and Kana (as an empty word), each with its terms."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    for match in RUN.finditer(text):
        found = match[0]
        if found.isascii():
            yield plain(found), word_terms(found)
        else:
            yield from mixed_pieces(found)


def mixed_pieces(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the pieces of letters that may be of several scripts at once."""
    for part in ideographs().split(text):
        if not part.strip("_'\u2019"):
            continue
        if ideographs().match(part):
            yield "", characters(simplify(part))
        else:
            yield plain(part), word_terms(part)


@functools.cache
def ideographs() -> re.Pattern[str]:
    """Return the pattern of a run of Han and Kana; made only when a text needs it."""
    return re.compile(f"([{HAN}{KANA}]+)")


def characters(run: str) -> list[str]:
    """Return the single characters and the pairs of a run of Han and Kana."""
    singles = [c for c in run if c not in FUNCTION_CHARACTERS and not "\u3040" <= c <= "\u309f"]
    return singles + [run[i : i + 2] for i in range(len(run) - 1)]


@functools.lru_cache(maxsize=65536)
def word_terms(word: str) -> tuple[str, ...]:
    """Return a word and, when it is a compound name, its parts, each once."""
    whole = plain(word)
    if not whole:
        return ()
    if "_" not in word and not MIXED.search(word):
        return (stem(whole),)
    parts = [part for piece in word.split("_") for part in (CAMEL.findall(piece) if piece.isascii() else [piece])]
    return tuple(dict.fromkeys([stem(whole), *(stem(part.lower()) for part in parts if len(part) > 1)]))


def plain(word: str) -> str:
    """Return a word in lower case, without apostrophes and a possessive s, and without underscores around it."""
    lowered = word.lower().strip("_")
    return POSSESSIVE.sub("", lowered).replace("'", "").replace("\u2019", "")


@functools.lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return an English word without its inflection; other words, numbers and names with digits come back as they are."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    return without_final(without_ending(singular(word)))


def singular(word: str) -> str:
    """Return a word without its plural or third-person s."""
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def without_ending(word: str) -> str:
    """Return a word without -ing, -ed or -ly, where a word with a vowel is left."""
    for ending in ("edly", "ingly", "ing", "ed", "ly"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and any(vowel in rest for vowel in "aeiouy"):
            doubled = len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz"
            return rest[:-1] if doubled else rest
    return word


def without_final(word: str) -> str:
    """Return a word without a final e, and with a final y as i, so that forms of one word meet."""
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word
