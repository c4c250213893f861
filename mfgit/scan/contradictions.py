"""Whether two answers contradict each other: yes and no at the start, other numbers, or a clause that says the opposite.

Clauses are compared with the clause of the other answer that is most like them, and only when each is the other's best:
so an answer that says more, or says it in another order, contradicts nothing.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mfgit.reasons.forms import say
from mfgit.scan.opposites import ENGLISH, opposite_en, opposite_zh
from mfgit.scan.quantifiers import apart
from mfgit.text.fold import fold
from mfgit.text.tokens import query_terms, stem

ALIKE = 0.6
"""Share of the shorter clause's other terms that two clauses about the same thing have in common."""
QUOTED = 60
"""Characters of an answer that a reviewer is shown."""

YES = re.compile(
    r"(?:yes|yeah|yep|yup|sure|certainly|of course|absolutely|definitely|correct)\b"
    r"|(?:是|是的|对|对的|可以|可以的|能|能的|会|会的|有|有的|支持|支持的|行|行的|需要|需要的|要|要的|没错|当然)(?=[\s,.!;，。！；～~]|$)|当然"
)
NO = re.compile(
    r"(?:no|nope|nah|not)\b(?! (?:problem|worries|doubt|matter|need|more|later))"
    r"|(?:不(?![用必]?(?:担心|客气|谢|着急)|好意思|同|过|仅|但|管|论|妨)|没(?!关系|问题|事|错)|无法|否|禁止|切勿|请勿)"
)
BARE_YES = re.compile(r"(?:可以|能|会|是|有|支持|需要|要|行)")
NOT_NEGATED = re.compile(
    r"\bnot only\b|\bno (?:later|more|less|fewer|sooner) than\b|\b(?:do not|don't) (?:forget|worry|hesitate)\b"
    r"|\bno (?:problem|worries|matter|doubt|longer than)\b|\bwhether or not\b"
    r"|不(?:同|断|仅|但|只是|过|管|论|错|久|妨|客气|好意思|用担心|必担心|要紧|超过)|没(?:关系|问题|事)|未来|[类级识特分区性个辨差判]别"
)
NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|cant|dont|doesnt|isnt|arent|wont|nor|none|nothing|unable|impossible)\b|n't\b"
    r"|不|没|无法|无需|无须|未|禁止|切勿|请勿|勿|非(?=[免必])|别"
)
CONDITION = re.compile(r"^\W*(?:if|when|whenever|unless|until|in case|should|or|如果|若|要是|假如|当|除非|一旦|万一|否则)")
CLAUSE = re.compile(r"[,;:!?，。；：！？、\n]+|\.(?!\d)")
WORD = re.compile(r"[a-z]+")

NUMBER = re.compile(r"\d+(?:\.\d+)?")
LIST_MARK = re.compile(r"^\s*(?:\d{1,2}[.)、．]|[-*+])\s*", re.MULTILINE)
SPELLED = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8"}
SPELLED |= {"nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30"}
SPELLED |= {"forty": "40", "fifty": "50", "sixty": "60", "ninety": "90", "hundred": "100"}
SPELLED_NUMBER = re.compile(rf"\b(?:{'|'.join(SPELLED)})\b")
HAN_NUMBER = re.compile(r"[零一二两三四五六七八九十百]+(?=个?[年月天周日小分秒元块万千倍次米度升克岁期工星])")
HAN_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2}

POLES = frozenset(stem(word) for pair in ENGLISH for word in pair) | {
    "ye",
    "yes",
    "no",
    "not",
    "never",
    "cannot",
    "must",
    "can",
}
STEMMED = {stem(word): word for pair in ENGLISH for word in pair}


class Clause(NamedTuple):
    """One clause: what it is about (terms without its poles), its words, its text, and whether it is negated."""

    about: frozenset[str]
    words: frozenset[str]
    text: str
    negated: bool


def contradiction(one: str, other: str) -> str:
    """Return in words how two answers contradict each other, nothing when they don't."""
    return yes_and_no(one, other) or opposed(one, other) or numbers_apart(one, other) or quantified(one, other)


def told(one: str, other: str, what: str) -> str:
    """Return a sentence for a reviewer."""
    first, second = (" ".join(text.split())[:QUOTED] for text in (one, other))
    return say("clash.answers", what=what, first=first, second=second)


def quantified(one: str, other: str) -> str:
    """Return `only / all` or the like when two answers let other people do the same thing."""
    found = apart(LIST_MARK.sub("", one), LIST_MARK.sub("", other))
    return found[0] if found else ""


# ---- yes and no


def yes_and_no(one: str, other: str) -> str:
    """Return `yes / no` when one answer begins with the one and the other with the other."""
    begins = [fold(text.replace("\u2019", "'")).lstrip(" \t\n*_#>“\"'") for text in (one, other)]
    for first, second in (begins, begins[::-1]):
        if YES.match(first) and NO.match(second):
            return "yes / no"
        able = BARE_YES.match(first)
        if able and second.startswith((f"不{able[0]}", f"没{able[0]}")):
            return f"{able[0]} / {second[:1]}{able[0]}"
    return ""


# ---- clauses


def opposed(one: str, other: str) -> str:
    """Return what two alike clauses of the answers have on opposite sides, nothing when there is no such pair."""
    ours, theirs = clauses(one), clauses(other)
    for mine in ours:
        best = nearest(mine, theirs)
        if best is not None and nearest(best, ours) is mine and (found := opposite(mine, best)):
            return found
    return ""


def nearest(clause: Clause, among: Sequence[Clause]) -> Clause | None:
    """Return the clause most like another, of equal ones the one that does not contradict it; None when none is alike."""
    alike = [(likeness(clause, each), not opposite(clause, each), -place) for place, each in enumerate(among)]
    best = max((entry for entry in alike if entry[0] > 0), default=None)
    return among[-best[2]] if best else None


def likeness(one: Clause, other: Clause) -> float:
    """Return the share of terms that two clauses have in common, 0 when they are about different things."""
    both = len(one.about & other.about)
    if both < ALIKE * min(len(one.about), len(other.about)):
        return 0.0
    return both / max(1, len(one.about | other.about))


def opposite(one: Clause, other: Clause) -> str:
    """Return what two clauses have on opposite sides."""
    if one.negated != other.negated:
        return "said and denied"
    return opposite_en(one.words, other.words) or opposite_zh(one.text, other.text)


@functools.lru_cache(1024)
def clauses(answer: str) -> tuple[Clause, ...]:
    """Return the clauses of an answer that say something, without conditions."""
    parts = CLAUSE.split(fold(LIST_MARK.sub("", answer).replace("\u2019", "'")))
    return tuple(clause for part in parts if not CONDITION.match(part) and (clause := read(part)).about)


def read(text: str) -> Clause:
    """Return one clause."""
    plain = NOT_NEGATED.sub(" ", text)
    words = frozenset(STEMMED.get(stem(word), word) for word in WORD.findall(plain))
    about = query_terms(NEGATION.sub("", plain))
    return Clause(frozenset(term for term in about if term not in POLES), words, plain, bool(NEGATION.search(plain)))


# ---- numbers


def numbers_apart(one: str, other: str) -> str:
    """Return the numbers of two answers of which each has some that the other has not: one may know more, not other ones."""
    first, second = numbers_of(one), numbers_of(other)
    if first <= second or second <= first:
        return ""
    return f"{' '.join(sorted(first - second))} / {' '.join(sorted(second - first))}"


def numbers_of(text: str) -> set[str]:
    """Return the numbers of an answer as digits, spelled ones of units too, without those that count its list items."""
    plain = fold(LIST_MARK.sub("", text))
    return set(NUMBER.findall(plain)) | {SPELLED[word] for word in SPELLED_NUMBER.findall(plain)} | set(han_numbers(plain))


def han_numbers(text: str) -> Iterator[str]:
    """Yield the Chinese numbers before a unit, as digits; a lone 一 mostly counts nothing."""
    for found in HAN_NUMBER.findall(text):
        if found != "一":
            yield str(value_of(found))


def value_of(numeral: str) -> int:
    """Return the value of a Chinese numeral below a thousand."""
    total, digit = 0, 0
    for character in numeral:
        if character in "十百":
            total += (digit or 1) * (10 if character == "十" else 100)
            digit = 0
        else:
            digit = HAN_DIGITS[character]
    return total + digit
