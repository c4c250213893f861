"""Redaction of texts and of JSON values."""

import bisect
import functools
import re
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from mfgit.redact import library
from mfgit.redact.chain import Chain, current
from mfgit.redact.chinese import CHINESE, LABELLED
from mfgit.redact.english import ENGLISH
from mfgit.redact.keys import SECRETS
from mfgit.redact.narrow import narrowed, seen
from mfgit.redact.personal import NATIONAL, PERSONAL
from mfgit.redact.rules import GATES, NARROWER, Rule
from mfgit.redact.starts import begun

RULES = (*SECRETS, *CHINESE, *PERSONAL, *NATIONAL, *LABELLED, *ENGLISH)
"""Our own rules, the more telling first."""
WHOLE = tuple(rule for rule in RULES if rule.gate == "begin")
EVERY_GATE = frozenset((*GATES, *NARROWER))
HINTS = {
    gate: tuple(dict.fromkeys((hint, rule.folded) for rule in RULES if rule.gate == gate for hint in rule.hints))
    for gate in dict.fromkeys(rule.gate for rule in RULES if rule.hints)
}
"""Gate -> the hints of its rules, and whether each is looked for in the text in small letters."""
PARAGRAPH = re.compile(r"\n[ \t\r]*\n")
MARK = re.compile(r"\[redacted:[a-z-]+\]")
"""What stands where something was taken out."""
ORDINAL = re.compile(r"(\[redacted:[a-z-]*?)-(?!id\])[a-z]{1,2}\]")
NOISE = re.compile(r"[\s()-]")
"""What may stand between the digits of one and the same number."""
ROUNDS = 4
"""How often a text is gone over: what is left beside a mark may be found only then."""
SECRET_NAME = re.compile(
    r"(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credential|(?:api|private|access|secret)[-_]?key|密码|口令|密钥)$",
    re.IGNORECASE,
)
"""Names whose strings go as a whole."""
LONG = 16
"""Characters from which a group of a library's pattern is the secret itself and no prefix of it."""


class Span(NamedTuple):
    """Characters `start` to `end` that have to go, found by the rule of this `rank` in the table."""

    start: int
    end: int
    rank: int
    kind: str


def redact(text: str) -> str:
    """Return text with secrets and personal data replaced by `[redacted:KIND]`; doing it twice changes nothing more."""
    return Redactor().text(text)


class Redactor:
    """Redacts the texts of one session, so that a thing has one mark wherever it is said.

    The first of a kind is `[redacted:KIND]`, the next other one `[redacted:KIND-b]`, and so on. What was taken out is
    remembered for as long as this object lives, and nowhere else.
    """

    def __init__(self) -> None:
        self.marks: dict[tuple[str, str], str] = {}
        self.counts: dict[str, int] = {}

    def text(self, text: str) -> str:
        """Return text with secrets and personal data replaced by their marks."""
        for _ in range(ROUNDS):
            found = spans(text)
            if not found:
                break
            text = self.replaced(text, found)
        return text

    def value(self, value: Any, name: str = "") -> Any:
        """Return a JSON value with every string in it redacted; `name` is the key it stands under.

        What stands under a name like `password` goes as a whole, and so does a long number that is a phone or an id.
        """
        if isinstance(value, str):
            if value and SECRET_NAME.search(name) and not MARK.fullmatch(value):
                return self.mark("password", value)
            return self.text(value)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**10:
            changed = self.text(str(value))
            return value if changed == str(value) else changed
        if isinstance(value, list):
            return [self.value(item, name) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self.value(item, key) for key, item in value.items()}
        return value

    def replaced(self, text: str, found: list[Span]) -> str:
        """Return the text with a mark at each place."""
        parts, at = [], 0
        for start, end, _, kind in found:
            parts += [text[at:start], self.mark(kind, text[start:end])]
            at = end
        return "".join([*parts, text[at:]])

    def mark(self, kind: str, taken: str) -> str:
        """Return what stands for something of a kind: the same for the same, however it is spaced."""
        key = (kind, NOISE.sub("", narrowed(seen(taken)[0])).lower())
        if key not in self.marks:
            number = self.counts[kind] = self.counts.get(kind, 0) + 1
            self.marks[key] = f"[redacted:{kind}{'' if number == 1 else '-' + letters(number)}]"
        return self.marks[key]


def letters(number: int) -> str:
    """Return a number from 1 on as letters: a to z, aa, ab, and so on. Figures would count as part of a question."""
    shown = ""
    while number:
        number, rest = divmod(number - 1, 26)
        shown = chr(ord("a") + rest) + shown
    return shown


def renumbered(*texts: str) -> list[str]:
    """Return redacted texts with the marks of each kind counted from the first in them, as if redacted by themselves."""
    redactor = Redactor()

    def again(match: re.Match[str]) -> str:
        first = unnumbered(match[0])
        return redactor.mark(first[len("[redacted:") : -1], match[0])

    return [MARK.sub(again, text) if "[redacted:" in text else text for text in texts]


def unnumbered(text: str) -> str:
    """Return redacted text with every mark as the first of its kind: what two texts have to be compared by."""
    return ORDINAL.sub(r"\1]", text)


def spans(text: str) -> list[Span]:
    """Return what has to go, in order; what overlaps is one, of the kind of the rule that comes first in the table.

    Rules are tried on one paragraph at a time, since most paragraphs of a long text need few of them; but for private keys.
    """
    text, places = seen(text)
    text = narrowed(text)
    found = spans_of(text, 0, WHOLE, ("begin",)) if GATES["begin"](text, "") else []
    start = 0
    for gap in PARAGRAPH.finditer(text):
        found += spans_of(text[start : gap.start()], start, RULES)
        start = gap.end()
    found += spans_of(text[start:], start, RULES)
    chain = current()
    if chain is not None:
        found = chained(chain, text, found)
    joined = merged(sorted(found))
    return [span._replace(start=places[span.start], end=places[span.end - 1] + 1) for span in joined] if places else joined


def chained(chain: Chain, text: str, found: list[Span]) -> list[Span]:
    """Return what has to go with what the settings add, and without what they let stay."""
    marks = [match.span() for match in MARK.finditer(text)]
    first = len(RULES) + len(library.table())
    found = [*found, *(Span(start, end, first, kind) for start, end, kind in chain.more(text) if outside((start, end), marks))]
    return [span for span in found if not chain.lets(span.kind, text[span.start : span.end])]


def spans_of(text: str, offset: int, rules: tuple[Rule, ...], wanted: Collection[str] = EVERY_GATE) -> list[Span]:
    """Return what rules find in a paragraph that begins at `offset`; `wanted` are the gates that any of them stands behind."""
    small = folded(text)
    opened = gates(text, small, wanted)
    if not opened:
        return []
    marks = [match.span() for match in MARK.finditer(text)] if "[redacted:" in text else []
    if rules is RULES:
        tried = admitted(opened, hinted(opened, text, small))
    else:
        tried = tuple((rank, rule) for rank, rule in enumerate(rules) if rule.gate in opened)
    if "mixed" in opened and rules is RULES:
        tried += library.rules(small, len(RULES))
    begins: dict[str, list[int]] = {}
    found = []
    for rank, rule in tried:
        where = small if rule.folded else text
        for match in begun(rule, where, small, begins) if rule.starts else rule.pattern.finditer(where):
            start, end = place_of(match)
            if rule.check(text[start:end]) and (not marks or outside((start, end), marks)):
                found.append(Span(start + offset, end + offset, rank, rule.kind))
    return found


def hinted(opened: frozenset[str], text: str, small: str) -> frozenset[str]:
    """Return the hints that a text holds, of the rules whose gates are open."""
    return frozenset(
        hint for gate in opened for hint, folded in HINTS.get(gate, ()) if (hint in small if folded else hint in text)
    )


@functools.lru_cache(maxsize=4096)
def admitted(opened: frozenset[str], hints: frozenset[str]) -> tuple[tuple[int, Rule], ...]:
    """Return the rules whose gates are open and whose matches may be there by their hints, each with its rank in the table."""
    return tuple(
        (rank, rule)
        for rank, rule in enumerate(RULES)
        if rule.gate in opened and (not rule.hints or hints.intersection(rule.hints))
    )


def outside(place: tuple[int, int], marks: list[tuple[int, int]]) -> bool:
    """Tell whether a place touches no mark; marks are in order."""
    after = bisect.bisect_left(marks, place[1], key=lambda mark: mark[0])
    return after == 0 or marks[after - 1][1] <= place[0]


def merged(found: list[Span]) -> list[Span]:
    """Return sorted spans with overlapping ones made one."""
    kept: list[Span] = []
    for span in found:
        if kept and span.start < kept[-1].end:
            first = min(kept[-1], span, key=lambda each: each.rank)
            kept[-1] = Span(kept[-1].start, max(kept[-1].end, span.end), first.rank, first.kind)
        else:
            kept.append(span)
    return kept


def folded(text: str) -> str:
    """Return a text with ASCII letters small, each character at its place."""
    return text.lower() if text.isascii() else text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def gates(text: str, small: str, wanted: Collection[str]) -> frozenset[str]:
    """Return the names of those of the wanted gates that are open for a text."""
    opened = [name for name, gate in GATES.items() if name in wanted and gate(text, small)]
    for name, (wider, gate) in NARROWER.items():
        if wider in opened and name in wanted and gate(text, small):
            opened.append(name)
    return frozenset(opened)


def gates_of(rules: Iterable[Rule]) -> frozenset[str]:
    """Return the gates that rules stand behind, with those that these are within."""
    found = {rule.gate for rule in rules}
    for name in reversed(NARROWER):
        found |= {NARROWER[name][0]} if name in found else set()
    return frozenset(found)


def place_of(match: re.Match[str]) -> tuple[int, int]:
    """Return the place of the secret in a match: the group `value`, a long group of a library's pattern, or all of it."""
    if "value" in match.re.groupindex:
        return match.span("value")
    if not match.re.groups:
        return match.span()
    longest = max(range(match.re.groups + 1), key=lambda group: len(match[group] or "") if group else LONG - 1)
    return match.span(longest)


def redact_value(value: Any, name: str = "") -> Any:
    """Return a JSON value with every string in it redacted, marked within the value as a `Redactor` does."""
    return Redactor().value(value, name)
