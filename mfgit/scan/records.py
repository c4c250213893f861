"""From a decided cluster to its record: what Git will hold, a pure function of the turns and of what the record held before."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mfgit.model import Alias, Evidence, Known, Record, Source, Turn, format_time
from mfgit.reasons.forms import say
from mfgit.scan.decide import Rule
from mfgit.scan.facts import Facts, Passage
from mfgit.scan.related import related
from mfgit.scan.values import Cluster
from mfgit.text.personal import Held, masked

EVIDENCE, EXCERPT, QUESTIONS, TITLE = 20, 200, 10, 160
"""Turns cited in Git, characters of an excerpt, wordings listed, characters of a title."""
SENTENCE = re.compile(r"[.!?](?=\s)|[。！？]")
ALIASES = 5
RESTS = 0.75
"""Share of what the nearest page has of an answer from which another page counts as one that the answer rests on."""
OFTEN = 10
"""Turns from which a question nobody complained about is of medium priority."""

REASONS = 3
"""Reasons of users that `why` counts."""

Redact = Callable[[str], str]


class Kin(NamedTuple):
    """Another proposal that a cluster is related to: its id, and how, in a sentence."""

    id: str
    told: str


@dataclass(frozen=True)
class Candidate:
    """A cluster worth a proposal: where it lies, the proposal it continues, and what was decided about it.

    `returned` says why a settled proposal comes back; `rejected` that it does not; `bad_needed` is how many ratings down
    make a proposal by themselves; `kin` tells of proposals that had its questions too.
    """

    cluster: Cluster
    place: tuple[str, int]
    known: Known | None
    facts: Facts
    rule: Rule
    bad_needed: int
    returned: str = ""
    rejected: bool = False
    kin: tuple[Kin, ...] = ()


def make(identity: str, candidate: Candidate, redact: Redact, *, excerpts: bool) -> Record:
    """Return the record of a proposal."""
    cluster, facts, rule, known = candidate.cluster, candidate.facts, candidate.rule, candidate.known
    questions = [one_line(text) for text in facts.wordings]
    turns = cluster.turns
    first = min(filter(None, (format_time(turns[0].timestamp), known.record.first_seen if known else "")))
    return Record(
        id=identity,
        title=shortened(one_line(facts.title)) or identity,
        action_type=rule.type,
        target_layer=facts.layer,
        root=facts.root,
        priority=priority(cluster, candidate.bad_needed),
        frequency=len(turns),
        lang=facts.lang,
        distinct_users=cluster.users,
        dissatisfied_count=len(cluster.bad),
        rating_reasons=reasons(cluster.bad, redact, facts.held),
        suggestion="" if withheld(facts, rule) else redact(facts.answers[0].text),
        questions=tuple(dict.fromkeys(filter(None, questions)))[:QUESTIONS],
        aliases=aliases(facts) if rule.type == "index" else (),
        evidence=tuple(evidence(turn, redact, facts.held, excerpts=excerpts) for turn in sample(turns)),
        keys=tuple(sorted(cluster.keys | set(known.record.keys if known else ()))),
        why=tuple(one_line(masked(redact(line), facts.held)) for line in why(candidate)),
        first_seen=first,
        last_seen=format_time(turns[-1].timestamp),
        based_on=based_on(facts, rule),
        related=related(facts, rule),
        adopted_path=known.record.adopted_path if known and same_kind(known.record.action_type, rule.type) else None,
        extra=known.record.extra if known else {},
    )


def same_kind(one: str, other: str) -> bool:
    """Whether two action types change the same file: a page of answers is one, whether verified or to be checked."""
    return one == other or {one, other} == {"supplement", "verified_answer"}


def shortened(title: str) -> str:
    """Return a title of at most `TITLE` characters: its first sentences where they fit, else as many words as do."""
    if len(title) <= TITLE:
        return title
    head = title[:TITLE]
    ends = [found.end() for found in SENTENCE.finditer(head)]
    if ends and ends[-1] >= TITLE // 4:
        return head[: ends[-1]].strip()
    return f"{head[: TITLE - 1].rsplit(' ', 1)[0].rstrip(' ,;:，；：')}…"


def one_line(text: str) -> str:
    """Return a text as one line of printable characters."""
    return "".join(character for character in " ".join(text.split()) if character.isprintable())


def priority(cluster: Cluster, bad_needed: int) -> str:
    """Return high where enough users were unhappy, medium where answers look weak or many ask, else low."""
    if cluster.unhappy >= bad_needed:
        return "high"
    return "medium" if cluster.bad or cluster.doubtful >= 2 or len(cluster.askings) >= OFTEN else "low"


def reasons(bad: Sequence[Turn], redact: Redact, held: Held) -> tuple[str, ...]:
    """Return the reasons that users gave, the most frequent first."""
    count = Counter(masked(one_line(redact(reason)), held) for turn in bad for reason in turn.rating_reasons)
    return tuple(sorted(count, key=lambda reason: (-count[reason], reason)))


def sample(turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns to cite, by time: the unhappy ones first in choosing, then the rated, then the newest."""
    chosen = sorted(
        turns, key=lambda turn: (not turn.dissatisfied, not turn.satisfied, -turn.timestamp.timestamp(), turn.request_id)
    )[:EVIDENCE]
    return sorted(chosen, key=lambda turn: (turn.timestamp, turn.request_id))


def evidence(turn: Turn, redact: Redact, held: Held, *, excerpts: bool) -> Evidence:
    """Return the citation of a turn, with marks in the place of what is of one person."""
    excerpt = masked(one_line(redact(turn.user_message)), held)[:EXCERPT] if excerpts else ""
    given = tuple(masked(one_line(redact(reason)), held) for reason in turn.rating_reasons)
    return Evidence(turn.request_id, turn.date, excerpt, turn.rating, given)


def aliases(facts: Facts) -> tuple[Alias, ...]:
    """Return the most frequent wordings that don't find the page, as aliases of it."""
    assert facts.page is not None
    return tuple(Alias(facts.page.path, text) for text in facts.aliases[:ALIASES])


def based_on(facts: Facts, rule: Rule) -> tuple[Source, ...]:
    """Return the originals that a proposal rests on: the page of an alias, or the pages near the answer."""
    if rule.type == "index":
        return (source(facts.page),) if facts.page else ()
    return tuple(source(near) for near in facts.thin if near.coverage >= RESTS * facts.thin[0].coverage)


def source(passage: Passage) -> Source:
    """Return a passage's page and the blob it had."""
    return Source(passage.path, passage.hit.passage.blob)


def why(candidate: Candidate) -> list[str]:
    """Return why a proposal exists and why it is of this type, in sentences."""
    cluster, rule = candidate.cluster, candidate.rule
    turns = cluster.turns
    rated = [turn for turn in turns if turn.satisfied or turn.dissatisfied]
    asked = {"turns": len(turns), "sessions": cluster.sessions, "first": turns[0].date, "last": turns[-1].date}
    lines = [say("why.asked" if cluster.users else "why.asked_by_nobody_known", **asked, users=cluster.users)]
    if rated:
        form = "why.rated_one" if len(rated) == 1 else "why.rated"
        lines.append(say(form, bad=len(cluster.bad), rated=len(rated), given=given_reasons(cluster.bad)))
    if cluster.weak:
        signs = [say(f"sign.{sign}", count=count) for sign, count in cluster.signs]
        lines.append(say("why.weak", answers=len(cluster.weak), signs=signs))
    if len(cluster.askings) < len(turns):
        lines.append(say("why.repeated", turns=len(turns), count=len(cluster.askings)))
    if candidate.returned:
        lines.append(candidate.returned)
    shown = not withheld(candidate.facts, rule)
    if shown and candidate.facts.answers[0].cut:
        lines.append(say("why.cut"))
    if shown and "[redacted:" in candidate.facts.answers[0].text:
        lines.append(say("why.redacted"))
    lines.append(say("why.rule", type=say(f"type.{rule.type}"), rule=rule.number, reason=rule.reason(candidate.facts)))
    return [*lines, *(kin.told for kin in candidate.kin), *cluster.apart]


def withheld(facts: Facts, rule: Rule) -> bool:
    """Tell whether a proposal has no answer to offer: none is known, none is needed, or good ones contradict each other."""
    return not facts.answers or rule.type == "index" or facts.disputed


def given_reasons(bad: Sequence[Turn]) -> str:
    """Return in brackets which reasons users gave, the most frequent first."""
    count = Counter(reason for turn in bad for reason in turn.rating_reasons)
    first = sorted(count, key=lambda reason: (-count[reason], reason))[:REASONS]
    told = [say("given_reason.it", reason=reason, count=count[reason]) for reason in first]
    return say("given.reasons", reasons=told) if told else ""


def times(count: int, what: str) -> str:
    """Return a number of things in words."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
