"""Whether a sentence says only what a source says: the same words in the same order, or two clauses of them swapped.

A lexical rule on purpose, the same for English and Chinese: it can be read and tested, and errs on the side of the source.
Words that say nothing (fillers) may come and go. Numbers, names, negations and words that limit a statement are part of the
sequence, so none can be added, dropped, or moved to something else.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from mfgit.text.tokens import ENGLISH_STOP_WORDS, stem

HAN = "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0002ffff"
WORD = rf"(?:(?![{HAN}])\w)+"
TOKEN = re.compile(
    rf"`[^`\n]+`|\]\([^)\n]*\)|https?://[^\s<>()（）。，；]+|{WORD}(?:[.\-/@:+#,'’]{WORD})*|[{HAN}]|[%$€£¥°≥≤<>=+#]"
)
SENTENCE = re.compile(r".+?(?:[。！？!?；;]+[”’」\"')）]*|\.+[\"')]*(?=\s|$)|$)\s*")
LINE_MARK = re.compile(r"\s*(?:(?:[-*+>]|#{1,6}|\d{1,3}[.)、])\s+)*")
FENCE = re.compile(r"\s*(?:```|~~~)")
INVISIBLE = ("Cc", "Cf", "Co", "Cs", "Cn")

NEGATIONS_TEXT = "not no never none neither nor without nothing nobody nowhere hardly"
LIMITS_TEXT = """
if unless only except when while until before after within since because must shall should may might could would always
all every each any some most many few both either usually sometimes often rarely more less least than about approximately
from off out up down over under above below into onto against again once twice half double zero one two three four five six
seven eight nine ten eleven twelve twenty thirty hundred thousand million first second third last free
"""
FILLERS_TEXT = """
please pls plz thx kindly just simply basically actually really well okay ok so then there here also thanks thank sorry hello hi
sure gotta gonna wanna lol hey yeah yes you your yours we our us i my me it its that this these those is are was were be been
am do does did can will let lets to of in on at for and or the a an as by with but
"""
NOT = frozenset(
    f"{verb}nt"
    for verb in (
        "are",
        "ca",
        "could",
        "did",
        "do",
        "does",
        "had",
        "has",
        "have",
        "is",
        "need",
        "should",
        "was",
        "were",
        "wo",
        "would",
    )
) | {"cannot"}
"""Negated verbs without their apostrophe."""
NEGATIONS, LIMITS = frozenset(NEGATIONS_TEXT.split()), frozenset(LIMITS_TEXT.split())
FILLERS = (ENGLISH_STOP_WORDS | frozenset(FILLERS_TEXT.split())) - NEGATIONS - LIMITS - NOT
FILLERS_ZH = frozenset("的了呢吧啊哦嗯呀啦嘛哈呗哎唉噢请您你我们咱也就都而且并即之地得着")
NEGATIONS_ZH = frozenset("不没无未别勿非莫否禁")
LIMITS_ZH = frozenset(
    "只仅必须应可能或若如果除才前后内外上下先至少多最约每任何全所总常半一二两三四五六七八九十百千万亿零免费超"
)
BINDING = NEGATIONS | NEGATIONS_ZH | LIMITS | LIMITS_ZH
DROPPED = 0.3
"""Share of a source sentence's words that a wording may leave out, from its ends."""
LEFT = 0.7
"""Share of a draft's words that have to be left in a polished text."""
JOINED = 3
"""Sentences of a source that one sentence may be made of."""


class Word(NamedTuple):
    """One word: what it is compared by, and whether it may not be left out."""

    form: str
    special: bool


# ---- reading


def words(text: str) -> list[Word]:
    """Return the words of a text that say something, in order."""
    found: list[Word] = []
    for number, match in enumerate(TOKEN.finditer(unicodedata.normalize("NFKC", text))):
        found += word(match[0], first=number == 0)
    return found


def word(piece: str, *, first: bool) -> Iterator[Word]:
    """Yield what a piece of text stands for: nothing for a filler, two words for a negated verb."""
    lower = piece.lower().replace("’", "'")
    if len(piece) == 1 and re.match(f"[{HAN}]", piece):
        if piece not in FILLERS_ZH:
            yield Word(piece, piece in NEGATIONS_ZH or piece in LIMITS_ZH)
        return
    if lower.replace("'", "") in NOT:
        yield Word("not", special=True)
        return
    plain = re.sub(r"'(?:s|re|ll|ve|d|m)$", "", lower)
    if plain in NEGATIONS or plain in LIMITS:
        yield Word(plain, special=True)
    elif plain not in FILLERS or (len(piece) == 1 and is_name(piece, first=first) and piece != "I"):
        yield Word(stem(plain) if plain.isalpha() else lower, is_name(piece, first=first))


def is_name(piece: str, *, first: bool) -> bool:
    """Tell whether a piece of text is a number, a sign, code, an address, or written like a name."""
    if not piece.isalpha():
        return True
    return any(c.isupper() for c in piece[1:]) or (piece[0].isupper() and not first)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, line by line, without the marks that begin a line; code blocks are lines too."""
    lines = (line[len(mark[0]) :] if (mark := LINE_MARK.match(line)) else line for line in text.split("\n"))
    return [found[0] for line in lines for found in SENTENCE.finditer(line) if found[0].strip()]


def windows(texts: Iterable[str]) -> list[list[Word]]:
    """Return the words of every sentence of some texts, and of up to three that follow each other."""
    found: list[list[Word]] = []
    for text in texts:
        said = [part for part in map(words, sentences(text)) if part]
        for size in range(1, JOINED + 1):
            found += [list(chain(*said[start : start + size])) for start in range(len(said) - size + 1)]
    return found


# ---- the rule


def grounded(sentence: str, sources: Sequence[Sequence[Word]]) -> bool:
    """Tell whether a sentence says what one of some windows says."""
    said = words(sentence)
    if not said or any(unicodedata.category(c) in INVISIBLE for c in sentence if c not in "\n\t"):
        return False
    return any(same(said, source) for source in sources)


def same(said: Sequence[Word], source: Sequence[Word]) -> bool:
    """Tell whether words are a stretch of a source's, in its order or in two parts swapped, and leave nothing special out."""
    size, most = len(said), len(source)
    if not most * (1 - DROPPED) <= size <= most:
        return False
    forms, wanted = [w.form for w in said], [w.form for w in source]
    orders = [forms] if bound(source) else [forms[cut:] + forms[:cut] for cut in range(size)]
    for start in range(most - size + 1):
        left_out = (*source[:start], *source[start + size :])
        if not any(w.special for w in left_out) and wanted[start : start + size] in orders:
            return True
    return False


def bound(source: Sequence[Word]) -> bool:
    """Tell whether swapping two parts of a sentence could change what it says: it negates, limits, or names two things."""
    return any(w.form in BINDING for w in source) or sum(w.special for w in source) > 1


def kept(text: str, draft: str, sources: Iterable[str]) -> tuple[str, int]:
    """Return a polished text with its grounded sentences only, and how many were dropped; nothing when the rest is of no use.

    Of no use: code blocks other than the draft's, less than `LEFT` of its words, or a number, name or limit of it gone.
    """
    if blocks(text) != blocks(draft):
        return "", len(sentences(text))
    known = windows([draft, *sources])
    headed = any(line.lstrip().startswith("#") for line in outside(draft))
    lines: list[str] = []
    dropped = 0
    inside = False
    for line in text.split("\n"):
        fence = bool(FENCE.match(line))
        if inside or fence or not line.strip():
            inside ^= fence
            lines.append(line)
            continue
        found, lost = kept_line(line, known, headed=headed)
        lines += found
        dropped += lost
    result = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return (result if complete(result, draft) else ""), dropped


def kept_line(line: str, known: Sequence[Sequence[Word]], *, headed: bool) -> tuple[list[str], int]:
    """Return a line with its grounded sentences, no line when none is left, and how many were dropped."""
    mark = LINE_MARK.match(line)
    start = mark[0] if mark else ""
    parts = [found[0] for found in SENTENCE.finditer(line[len(start) :]) if found[0].strip()]
    good = [part for part in parts if grounded(part, known)]
    shown = start if headed else re.sub(r"#+\s+", "", start)
    return ([shown + "".join(good).rstrip()] if good else []), len(parts) - len(good)


def complete(text: str, draft: str) -> bool:
    """Tell whether a text still holds what a draft says."""
    have, want = [w.form for w in words(text)], words(draft)
    held = set(have)
    if any(w.form not in held for w in want if w.special):
        return False
    return bool(want) and sum(w.form in held for w in want) >= LEFT * len(want)


def outside(text: str) -> Iterator[str]:
    """Yield the lines of a text that are in no code block."""
    inside = False
    for line in text.split("\n"):
        fence = bool(FENCE.match(line))
        if not inside and not fence:
            yield line
        inside ^= fence


def blocks(text: str) -> list[str]:
    """Return the lines of a text's code blocks, with their fences."""
    found: list[str] = []
    inside = False
    for line in text.split("\n"):
        fence = bool(FENCE.match(line))
        if inside or fence:
            found.append(line.rstrip())
        inside ^= fence
    return found
