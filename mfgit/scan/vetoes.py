"""What keeps two questions apart however alike their words are: question words, numbers, opposites, product names."""

import functools
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mfgit.scan.opposites import SIDES, numbers_asked, opposite_en, opposite_zh

QUESTION_WORDS = (
    ("how long", r"\bhow (?:long|soon|quick(?:ly)?|fast)\b|多久|多长时间|几天|几个月|几年|多少天"),
    ("how much", r"\bhow (?:much|many)\b|多少|几个|几块|几钱"),
    ("why", r"\bwhy\b|\bhow come\b|\bwhat(?: is| s)? the reason\b|为什么|为何|为啥|什么原因|怎么回事|咋回事|原因"),
    ("when", r"\bwhen\b|\bwhat time\b|什么时候|何时|几点|啥时候|几时|几号|哪天"),
    ("where", r"\bwhere\b|哪里|哪儿|在哪|何处|什么地方"),
    ("who", r"\bwho(?:m|se)?\b|谁(?!知道)|哪个人"),
    ("how", r"\bhow (?:do|can|to|should|would|could|does|did|might|is|are)\b|怎么(?!回事|样)|怎样|如何|咋(?!回事)|怎么办"),
)
FAMILIES = tuple((name, re.compile(pattern)) for name, pattern in QUESTION_WORDS)


class Traits(NamedTuple):
    """What of a question can veto: its question words, numbers, its words that have an opposite, the text, and names."""

    asks: frozenset[str]
    numbers: frozenset[str]
    words: frozenset[str]
    text: str
    names: frozenset[str]


class Veto(NamedTuple):
    """Why two alike questions were kept apart: a kind and what differs, in words."""

    kind: str
    what: str


def traits(normal: str, names: frozenset[str] = frozenset()) -> Traits:
    """Return the traits of a normalised question; `names` are product names, single words as normalising leaves them."""
    words = frozenset(re.findall(r"[a-z0-9+#.]+", normal))
    return Traits(asked(normal), shared(numbers_asked(normal)), shared(words & SIDES), normal, shared(words & names))


@functools.lru_cache(4096)
def shared(words: frozenset[str]) -> frozenset[str]:
    """Return one set for all that are equal: most questions have none of these words, or one."""
    return words


@functools.lru_cache(65536)
def asked(normal: str) -> frozenset[str]:
    """Return the question words of a text; the longer ones hide the shorter they hold."""
    found = [name for name, pattern in FAMILIES if pattern.search(normal)]
    if "how long" in found or "how much" in found:
        found = [name for name in found if name not in ("how", "how much" if "how long" in found else "")]
    return frozenset(found)


def veto(one: Traits, other: Traits) -> Veto | None:
    """Return why the two must stay apart, None when nothing speaks against them."""
    if one.asks and other.asks and not one.asks & other.asks:
        return Veto("question word", differ(one.asks, other.asks))
    if one.numbers != other.numbers:
        return Veto("number", differ(one.numbers - other.numbers, other.numbers - one.numbers))
    if one.names - other.names and other.names - one.names:
        return Veto("name", differ(one.names - other.names, other.names - one.names))
    return opposite(one, other)


def opposite(one: Traits, other: Traits) -> Veto | None:
    """Return the opposite pair of which each question has one side only."""
    found = opposite_en(one.words, other.words)
    if not found and one.text != other.text:
        found = opposite_zh(one.text, other.text)
    return Veto("opposite", found) if found else None


def differ(one: Iterable[str], other: Iterable[str]) -> str:
    """Return two sets in words."""
    return f"{' '.join(sorted(one)) or 'none'} / {' '.join(sorted(other)) or 'none'}"


def vetoed(pairs: Iterable[tuple[int, int]], normals: Sequence[str], names: frozenset[str]) -> dict[tuple[int, int], Veto]:
    """Return the vetoes among pairs of questions, given by their place in `normals`."""
    known: dict[int, Traits] = {}
    told: dict[Veto, Veto] = {}
    found = {}
    for a, b in pairs:
        for row in (a, b):
            if row not in known:
                known[row] = traits(normals[row], names)
        if reason := veto(known[a], known[b]):
            found[a, b] = told.setdefault(reason, reason)
    return found
