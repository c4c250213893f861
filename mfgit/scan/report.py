"""What a scan tells: the JSON that scripts rely on, and the text that people read."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from mfgit.model import PRIORITIES, Known, format_time
from mfgit.scan import wordings
from mfgit.scan.gather import HINTS
from mfgit.scan.records import one_line, times
from mfgit.scan.run import Result
from mfgit.scan.values import Closed, Inputs, Proposal, Window

EXAMPLES = 3
WAITING = 10
"""Proposals that wait, and rejected ones, that the text shows; the JSON has all."""
EXAMPLE = 120
"""Characters of an example."""


class Older(NamedTuple):
    """The turns before the window: how many, and the day of the first one, `YYYY-MM-DD`."""

    turns: int
    first: str


@dataclass(frozen=True)
class Outcome:
    """A finished scan: its window, what was found, what became of each proposal, and lines of the archive it could not read.

    `older` is counted only when the window holds no turn.
    """

    window: Window
    result: Result
    proposals: tuple[Proposal, ...]
    problems: tuple[str, ...]
    dry_run: bool
    archive: str
    older: Older | None = None

    @property
    def closed(self) -> list[Closed]:
        """The open proposals that the originals answer now, by id."""
        return sorted(self.result.closed)

    @property
    def expired(self) -> list[Known]:
        """The open proposals that nobody asked for in the window, by id."""
        return sorted(self.result.expired, key=lambda one: one.id)

    def to_json(self) -> dict[str, Any]:
        """Return the document of `scan --json`."""
        gathered = self.result.gathered
        return {
            "window": {"since": format_time(self.window.since), "until": format_time(self.window.until)},
            "turns": {"read": gathered.read, "used": gathered.used, "set_aside": dict(sorted(gathered.aside.items()))},
            "proposals": [proposal_json(proposal) for proposal in self.proposals],
            "closed": [{"id": each.id, "title": each.title, "page": each.page, "reason": each.reason} for each in self.closed],
            "expired": [expired_json(one) for one in self.expired],
            "not_proposed": not_proposed(self.result),
            "frequencies": {"version": self.result.frequencies.version, "texts": self.result.frequencies.texts},
            "meaning": meaning_json(self.result.inputs),
            "problems": list(self.problems),
        }


def meaning_json(inputs: Inputs | None) -> dict[str, Any] | None:
    """Return the embedding model that questions were compared with and the languages it was used for, None without one."""
    if inputs is None or inputs.meaning is None:
        return None
    model = inputs.meaning
    return {"model": model.name, "languages": sorted(model.scales), "strictness": model.strictness}


def proposal_json(proposal: Proposal) -> dict[str, Any]:
    """Return an entry of `proposals`; `evidence` names every turn of the cluster."""
    record = proposal.record
    return {
        "id": record.id,
        "branch": proposal.branch,
        "status": proposal.status,
        "title": record.title,
        "action_type": record.action_type,
        "target_layer": record.target_layer,
        "root": record.root,
        "priority": record.priority,
        "frequency": record.frequency,
        "distinct_users": record.distinct_users,
        "dissatisfied_count": record.dissatisfied_count,
        "rating_reasons": list(record.rating_reasons),
        "evidence": [turn.request_id for turn in proposal.cluster.turns],
        "why": list(record.why),
        "similar": list(record.similar),
    }


def expired_json(one: Known) -> dict[str, Any]:
    """Return an entry of `expired`: an open proposal that waits for a decision, and that nobody asked for in the window."""
    record = one.record
    return {"id": one.id, "branch": one.branch, "status": "waiting", "title": record.title, "last_seen": record.last_seen}


def not_proposed(result: Result) -> list[dict[str, Any]]:
    """Return the piles of questions that are not proposed, the largest first."""
    order = sorted(result.left.items(), key=lambda pile: (-len(pile[1]), pile[0]))
    redact = redact_of(result)
    return [{"reason": reason, "count": len(texts), "examples": shown(texts, redact)} for reason, texts in order if texts]


def redact_of(result: Result) -> Callable[[str], str]:
    """Return what takes secrets and personal data out of the texts of a scan."""
    return result.inputs.redact if result.inputs else str


def shown(texts: Iterable[str], redact: Callable[[str], str]) -> list[str]:
    """Return a few examples as short lines, without what is of one person."""
    return [one_line(wordings.shown(text, redact))[:EXAMPLE] for text in sorted(set(texts))[:EXAMPLES]]


# ---- text


def lines(outcome: Outcome, *, explain: bool = False) -> list[str]:
    """Return the report in lines of text; `explain` adds every reason of every proposal."""
    gathered = outcome.result.gathered
    window = f"{outcome.window.since:%Y-%m-%d} to {outcome.window.until:%Y-%m-%d}"
    told = [
        f"Read {times(gathered.read, 'turn')} of {window} in {outcome.archive}.",
        f"{gathered.used:,} ask something, {gathered.aside.total():,} were set aside{':' if gathered.aside else '.'}",
    ]
    told += [
        f"  {count:>6,} {set_aside(reason)}{examples(shown(gathered.examples[reason], redact_of(outcome.result)))}"
        for reason, count in gathered.aside.most_common()
    ]
    told += proposals(outcome, explain=explain)
    told += settled(outcome)
    left = not_proposed(outcome.result)
    if left:
        told += ["", "Not proposed:"]
        told += [f"  {pile['count']:>6,} {pile['reason']}{examples(pile['examples'])}" for pile in left]
    return [*told, "", *what_next(outcome)]


def set_aside(reason: str) -> str:
    """Return why turns are set aside, and what to do about it where something can be done."""
    return f"{reason}: {HINTS[reason]}" if reason in HINTS else reason


def examples(texts: Iterable[str]) -> str:
    """Return examples in a bracket, nothing when there are none."""
    quoted = [f"“{one_line(text)[:50]}”" for text in list(texts)[:2] if text.strip()]
    return f" ({', '.join(quoted)})" if quoted else ""


def proposals(outcome: Outcome, *, explain: bool) -> list[str]:
    """Return the proposals by priority: all that have a branch, and the first of those that wait or stay rejected."""
    waiting = [proposal for proposal in outcome.proposals if proposal.status == "waiting"]
    shown = {proposal.record.id for proposal in waiting[:WAITING]}
    told: list[str] = []
    for priority in PRIORITIES:
        mine = [
            proposal for proposal in outcome.proposals if proposal.record.priority == priority and proposal.status != "rejected"
        ]
        if mine:
            told += ["", f"{priority.capitalize()} priority: {times(len(mine), 'proposal')}"]
            listed = [proposal for proposal in mine if proposal.status != "waiting" or proposal.record.id in shown]
            told += [line for proposal in listed for line in entry(proposal, explain=explain)]
            told += more(len(mine) - len(listed), "waiting")
    rejected = [proposal for proposal in outcome.proposals if proposal.status == "rejected"]
    if rejected:
        told += ["", f"Rejected before, and not asked enough since to come back: {len(rejected):,}"]
        told += [f"  {proposal.record.id}  {proposal.record.title}" for proposal in rejected[:WAITING]]
        told += more(len(rejected) - WAITING, "rejected")
    return told


def settled(outcome: Outcome) -> list[str]:
    """Return the open proposals that the originals answer now, and those that nobody asked for."""
    told = []
    if closed := outcome.closed:
        would = "Would be closed" if outcome.dry_run else "Closed"
        told += ["", f"{would}, since the originals answer them now (mfgit restore ID reopens one):"]
        told += [line for each in closed for line in (f"  {each.id}  {each.title}", f"      {each.reason}")]
    if expired := outcome.expired:
        told += ["", "Open, waiting for a decision, and not asked in this time:"]
        told += [f"  {one.id}  {one.record.title}  (last {one.record.last_seen[:10]})" for one in expired[:WAITING]]
        told += more(len(expired) - WAITING, "waiting")
    return told


def more(count: int, what: str) -> list[str]:
    """Return a line for what is not listed, none when everything is."""
    return [f"  and {count:,} more {what}; mfgit scan --json has all"] if count > 0 else []


def entry(proposal: Proposal, *, explain: bool) -> list[str]:
    """Return one proposal in two lines, or in as many as it has reasons."""
    record = proposal.record
    unhappy = f", {record.dissatisfied_count} rated down" if record.dissatisfied_count else ""
    head = f"  {record.id}  {proposal.status:9} {record.action_type:15} {record.title}  ({record.frequency}×{unhappy})"
    if explain:
        return [head, *(f"      {line}" for line in record.why)]
    reason = next((line for line in record.why if line.startswith(f"{record.action_type}, by rule")), "")
    return [head, f"      {reason.partition(': ')[2] or reason}"]


def what_next(outcome: Outcome) -> list[str]:
    """Return what to do next, or why there is nothing."""
    count = Counter(proposal.status for proposal in outcome.proposals)
    if not outcome.proposals:
        return [why_none(outcome)]
    told = [", ".join(f"{number} {status}" for status, number in count.items()) + "."]
    if count["waiting"]:
        told.append(f"{count['waiting']} wait until others are decided (scan.max_open is how many are open at a time).")
    if outcome.dry_run:
        return [*told, "This was a dry run: nothing was written. mfgit scan writes the branches."]
    first = next((proposal.record.id for proposal in outcome.proposals if proposal.writes), None)
    return [*told, f"mfgit show {first} shows one; mfgit adopt or reject decides." if first else "mfgit proposals lists them."]


def why_none(outcome: Outcome) -> str:
    """Return why a scan proposes nothing."""
    gathered = outcome.result.gathered
    if not gathered.read:
        none = f"No proposals: there are no turns of this time in {outcome.archive}"
        if outcome.older is None:
            return f"{none}, and no older ones. mfgit archive append adds some."
        return f"{none}, but {times(outcome.older.turns, 'older one')}: mfgit scan --since {outcome.older.first} takes them."
    if not gathered.used:
        reason, count = gathered.aside.most_common(1)[0]
        return f"No proposals: all {times(gathered.read, 'turn')} were set aside, most as {set_aside(reason)} ({count})."
    piles: Mapping[str, list[str]] = outcome.result.left
    reason = max(sorted(piles), key=lambda name: len(piles[name]), default="")
    return f"No proposals: of {times(gathered.used, 'question')} most were left out because: {reason}."
