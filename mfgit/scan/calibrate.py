"""`scan --calibrate`: per rule of the decision table, how many of its proposals people took. It only tells, it changes nothing.

Everything is read from what Git knows of proposals, so another clone that has fetched the same refs tells the same.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from mfgit.model import Known, Record
from mfgit.sections import ScanConfig

LEVEL, Z = 0.95, 1.959964
"""How sure the intervals are, and the normal quantile of that."""
ANSWER, FOUND, AGREE = ("answer_coverage_en", "answer_coverage_zh"), ("found_share",), ("agree_share",)
QUESTION = ("question_coverage_en", "question_coverage_zh")
RULES = (
    (1, "index", "an original holds the answer, few wordings find it", ANSWER + AGREE + FOUND),
    (2, "supplement", "an original holds the answer, is found, and users are unhappy", ANSWER + AGREE + FOUND),
    (3, "", "an original holds the answer, is found, and nobody is unhappy", ANSWER + AGREE + FOUND),
    (4, "skill", "a procedure that a workspace keeps asking for", ("how_share", "steps_share", "skill_sessions", *AGREE)),
    (5, "verified_answer", "the originals are silent, good answers agree", ("agree_people", *AGREE)),
    (6, "", "an original probably covers the question, and nobody is unhappy", QUESTION),
    (7, "supplement", "everything else", ()),
)
"""Number, action type (empty for none), condition and settings of each rule of the decision table."""
OTHERS: tuple[int, str, str, tuple[str, ...]] = (0, "", "made by hand, or by an earlier version", ())
BY_RULE = re.compile(r"^\w+, by rule (\d)(?!\d)")
DECIDED = ("adopted", "rejected", "undone", "closed")


class Row(NamedTuple):
    """What became of one rule's proposals; `low` to `high` is where the share that people take lies, by Wilson.

    Taken are the adopted ones; those rejected, or adopted and undone, are not. What is open, or closed because the originals
    answer it, says nothing of the rule. `share` is None before the first decision.
    """

    rule: int
    action_type: str
    condition: str
    settings: dict[str, float]
    adopted: int
    rejected: int
    undone: int
    closed: int
    open: int

    @property
    def decided(self) -> int:
        """How many people have decided."""
        return self.adopted + self.rejected + self.undone

    @property
    def share(self) -> float | None:
        """The share of the decided ones that people took."""
        return self.adopted / self.decided if self.decided else None

    def to_json(self) -> dict[str, Any]:
        """Return a row of `scan --calibrate --json`."""
        low, high = wilson(self.adopted, self.decided)
        share = None if self.share is None else round(self.share, 4)
        return {**self._asdict(), "decided": self.decided, "share": share, "low": round(low, 4), "high": round(high, 4)}


def calibrate(known: Iterable[Known], settings: ScanConfig) -> list[Row]:
    """Return the rows of the decision table, rule 1 first, then one for proposals that no rule made, if there are any."""
    count = Counter((rule_of(one.record), one.status if one.status in DECIDED else "open") for one in known)
    rules = [*RULES, OTHERS] if any(rule == 0 for rule, _ in count) else RULES
    return [
        Row(
            number,
            kind,
            told,
            {name: getattr(settings, name) for name in names},
            *(count[number, state] for state in (*DECIDED, "open")),
        )
        for number, kind, told, names in rules
    ]


def rule_of(record: Record) -> int:
    """Return the rule that made a proposal, by its reasons; 0 when they don't say."""
    found = (BY_RULE.match(line) for line in record.why)
    return next((int(match[1]) for match in found if match), 0)


def wilson(taken: int, of: int) -> tuple[float, float]:
    """Return the Wilson score interval of a share, 0 to 1 where nothing is known (E. B. Wilson, JASA 1927)."""
    if not of:
        return 0.0, 1.0
    share, square = taken / of, Z * Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = Z / (1 + square / of) * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def to_json(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the document of `scan --calibrate --json`."""
    return {"level": LEVEL, "rules": [each.to_json() for each in rows]}


def lines(rows: Sequence[Row]) -> list[str]:
    """Return the table in lines of text."""
    head = f"{'rule':4}  {'type':15}  {'adopted':>7}  {'rejected':>8}  {'undone':>6}  {'closed':>6}  {'open':>5}  taken"
    told = [head]
    for each in rows:
        name = str(each.rule or "–")
        counts = f"{each.adopted:>7}  {each.rejected:>8}  {each.undone:>6}  {each.closed:>6}  {each.open:>5}"
        told.append(f"{name:4}  {each.action_type or 'none':15}  {counts}  {taken(each)}")
        limits = ", ".join(f"{name} = {value:g}" for name, value in each.settings.items())
        told.append(f"      {each.condition}{f' ({limits})' if limits else ''}")
    return [*told, "", "Nothing was changed: the limits are settings of [scan] in mfgit.toml."]


def taken(each: Row) -> str:
    """Return the share that people took, with its interval."""
    if each.rule and not each.action_type:
        return "proposes nothing"
    if each.share is None:
        return "nothing decided yet"
    low, high = wilson(each.adopted, each.decided)
    return f"{100 * each.share:.0f} % of {each.decided} ({100 * low:.0f} to {100 * high:.0f} %)"
