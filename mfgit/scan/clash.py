"""Whether an answer says the opposite of a page: other numbers, a denial or an opposite word in a clause that is else the same.

Stricter than `contradictions`, which compares answers to one question: a page says much that an answer does not speak of, so
two clauses count only when nearly all of their words are the same, and when the page says nothing that agrees.
"""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from mfgit.scan.contradictions import CLAUSE, CONDITION, HAN_NUMBER, LIST_MARK, NEGATION, Clause, numbers_of, read, yes_and_no
from mfgit.scan.opposites import opposite_en, opposite_zh
from mfgit.scan.quantifiers import SENTENCE, apart
from mfgit.text.fold import fold
from mfgit.text.tokens import language, query_terms

SAME = {"en": 0.7, "zh": 0.7}
"""Share of the terms of two clauses, numbers aside, that both have, from which they are about the same."""
TERMS = {"en": 3, "zh": 6}
"""Terms of a clause, numbers aside, that it needs to be compared; Chinese characters and their pairs count each."""
NEAR = 0.5
"""Share of terms from which another clause of the page that does not contradict speaks for the answer."""
QUOTED = 80
"""Characters of a clause that a reviewer is shown."""
NOISE = re.compile(
    r"(?:```|~~~).*?(?:```|~~~|\Z)|^[ \t]*\|.*$|\]\([^)\n]*\)|https?://\S+|<[^<>\n]*>|[*_`#>\[\]]",
    re.DOTALL | re.MULTILINE,
)
HEADING = re.compile(r"^#{1,6}[ \t].*$", re.MULTILINE)
"""A heading names what its section is about, often a question or what goes wrong; it states nothing."""
ASKS = re.compile(
    r"^\W*(?:how|why|what|which|where|who|whose|(?:is|are|does|do|did|can|could|should|will|has|have)"
    r" (?:i|we|you|there|it|the|an?)\b)"
    r"|^\W*(?:怎么|怎样|如何|为什么|为何|请问|哪)|[吗呢]\W*$|是否|能否|\bwhether\b"
)
"""How a clause begins or ends that asks."""
COMMAND = re.compile(r"(?:^|\s)--?[a-zA-Z][\w-]*(?:[\s=]|$)")
"""An option of a command: its numbers are an example's."""
PARTLY = re.compile(
    r"\b(?:not|n't) (?:(?:be|been|being) )?"
    r"(?:properly|correctly|fully|completely|entirely|necessarily|really|exactly|directly|yet)\b"
    r"|(?:不|没有?|未)(?:一定|必|完全|正确|正常|直接|总是)"
)
"""A denial of the degree or the manner, not of the thing."""
DIGITS = re.compile(r"\d[\d.,]*")
SCOPE = re.compile(
    r"\b(?:but|however|although|though|except|unless|only|without|if|when|than|while|instead|before|since|prior|until|prevents?"
    r"|avoids?|errors?|checks?|ensures?|make sure|verify|indicates?|means)\b"
    r"|但|除|仅|只|若|如果|当|时|之前|以前|之后|以后|[版本]起|避免|防止|检查|确保|报错"
)
"""Words by which a clause says where it holds, or what is wrong where it does not."""
ANSWERED = re.compile(r"^\W*(?:yes|no|nope|yeah)\b\W*")
DENIED = re.compile(rf"{NEGATION.pattern}|无(?![论法需须])")
LOOSE = frozenset(("from / to", "in / out", "up / down", "with / without", "左 / 右"))
"""Opposites that answers of the same meaning may have."""
ALIKE = 0.7
"""Share of the terms of a question and of a page's title that both have, from which yes and no answer the same question."""


class Clash(NamedTuple):
    """What an answer and a page say that cannot both be: in a word, and in the words of each."""

    what: str
    ours: str
    theirs: str


class Part(NamedTuple):
    """A clause as written and as compared; `terms` are those without numbers."""

    raw: str
    clause: Clause
    terms: frozenset[str]
    numbers: frozenset[str]


def clash(answer: str, page: str, question: str = "", title: str = "") -> Clash | None:
    """Return the first clause of an answer that a page contradicts, with the page's, None when there is none.

    Yes and no are compared where the `question` is the page's `title`.
    """
    return next(clashes(answer, page, question, title), None)


def clashes(answer: str, page: str, question: str = "", title: str = "") -> Iterator[Clash]:
    """Yield every clause of an answer that a page contradicts, with the page's."""
    ours, theirs = parts(answer), parts(page)
    for mine in ours:
        alike = [(share(mine, other), other) for other in theirs]
        if any(near >= NEAR and not opposed(mine, other) for near, other in alike):
            continue
        near, best = max(alike, key=lambda pair: pair[0], default=(0.0, mine))
        if near >= SAME[language(mine.raw)] and (what := opposed(mine, best)):
            yield Clash(what, mine.raw[:QUOTED], best.raw[:QUOTED])
    if who := apart(stated(answer), stated(page)):
        yield Clash(who[0], who[1][:QUOTED], who[2][:QUOTED])
    if same(question, title) and (begins := opening(answer, page)):
        yield begins


def same(question: str, title: str) -> bool:
    """Tell whether a question is a title, nearly."""
    one, other = set(query_terms(question)), set(query_terms(title))
    denied = len(DENIED.findall(fold(question))) % 2 != len(DENIED.findall(fold(title))) % 2
    return bool(one) and not denied and len(one & other) >= ALIKE * len(one | other)


def opening(answer: str, page: str) -> Clash | None:
    """Return the contradiction of an answer and a page that open with yes and no."""
    ours, first = stated(answer), next((line for line in stated(page).splitlines() if line.strip()), "")
    return Clash("yes / no", " ".join(ours.split())[:QUOTED], first.strip()[:QUOTED]) if yes_and_no(ours, first) else None


@functools.lru_cache(256)
def parts(text: str) -> tuple[Part, ...]:
    """Return the clauses of a text that say enough to be compared."""
    return tuple(split(text))


def split(text: str) -> Iterator[Part]:
    """Yield the clauses of a text that say enough to be compared."""
    for raw in CLAUSE.split(stated(text)):
        said = " ".join(raw.split())
        folded = ANSWERED.sub("", fold(said))
        if not said or any(pattern.search(folded) for pattern in (CONDITION, SCOPE, ASKS, PARTLY)) or COMMAND.search(said):
            continue
        clause = read(folded)
        terms = read(HAN_NUMBER.sub(" ", DIGITS.sub(" ", folded))).about
        if len(terms) >= TERMS[language(said)]:
            yield Part(said, clause, terms, frozenset(numbers_of(said)))


@functools.lru_cache(256)
def stated(text: str) -> str:
    """Return the sentences of a text that state something: no headings, code, links or questions."""
    plain = LIST_MARK.sub("", NOISE.sub(" ", HEADING.sub(" ", text)).replace("\u2019", "'").replace("—", ","))
    return SENTENCE.sub(lambda found: " " if found[0].rstrip().endswith(("?", "？")) else found[0], plain)


def share(one: Part, other: Part) -> float:
    """Return the share of the terms of two clauses that both have."""
    both = len(one.terms & other.terms)
    return both / max(1, len(one.terms | other.terms))


def opposed(one: Part, other: Part) -> str:
    """Return what two clauses have on opposite sides, nothing when they agree."""
    if len(DENIED.findall(one.clause.text)) % 2 != len(DENIED.findall(other.clause.text)) % 2:
        return "said and denied"
    if one.numbers and other.numbers and not one.numbers & other.numbers:
        return f"{' '.join(sorted(one.numbers))} / {' '.join(sorted(other.numbers))}"
    found = opposite_en(one.clause.words, other.clause.words) or opposite_zh(one.clause.text, other.clause.text)
    return "" if found in LOOSE else found
