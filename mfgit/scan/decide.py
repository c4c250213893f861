"""The decision table: from the facts of a cluster to one action type, by the first rule that holds.

Every rule carries the sentence that tells a reviewer, with the numbers, why it was this one.
"""

from collections.abc import Callable
from typing import NamedTuple

from mfgit.reasons.forms import say
from mfgit.scan.facts import Facts

CITED = 2
"""Good answers that name a page, from which it is taken to hold the answer."""


class Rule(NamedTuple):
    """One row: `type` is the action type, empty for nothing to propose; `reason` tells why, `short` names a pile of such."""

    number: int
    type: str
    holds: Callable[[Facts], bool]
    reason: Callable[[Facts], str]
    short: str = ""


def held(facts: Facts) -> bool:
    """Whether an original holds the good answer, and nothing that contradicts it is known."""
    if not facts.answers or facts.page is None or facts.against or facts.held_share < facts.limits.agree_share:
        return False
    return facts.page.coverage >= facts.limits.holds_answer(facts.lang) or facts.citations >= CITED


def agreed(facts: Facts) -> bool:
    """Whether good answers of two people or more agree, none contradicts them, and nobody was unhappy."""
    how, limits = facts.agreement, facts.limits
    enough = how.people >= limits.agree_people and how.share >= limits.agree_share
    return enough and not how.contradiction and not facts.against and facts.bad == 0 and not held(facts)


def procedure(facts: Facts) -> bool:
    """Whether a workspace keeps asking how, and is told in steps."""
    limits = facts.limits
    often = facts.asks_how >= limits.how_share and facts.sessions >= limits.skill_sessions
    return facts.layer == "workspace" and often and facts.in_steps >= limits.steps_share


def covered(facts: Facts) -> bool:
    """Whether an original covers the question, nobody knows a good answer, and nobody is unhappy."""
    return (
        not facts.answers
        and facts.nearest is not None
        and facts.nearest.coverage >= facts.limits.covers_question(facts.lang)
        and not facts.unhappy
    )


def where(facts: Facts) -> str:
    """Return which original holds the answer, and how sure that is."""
    assert facts.page is not None
    name = facts.page.hit.passage.heading
    page = {"path": facts.page.path, "heading": say("heading.it", heading=name) if name else ""}
    needed = facts.limits.holds_answer(facts.lang)
    if facts.page.coverage < needed:
        return say("where.named", **page)
    return say("where.measured", **page, share=facts.page.coverage, needed=needed)


def unhappiness(facts: Facts) -> str:
    """Return how many were unhappy."""
    return say("unhappy.it", bad=facts.bad, weak=facts.weak)


def enough(facts: Facts) -> dict[str, int]:
    """Return how many wordings find the page, of how many."""
    return {"found": len(facts.found), "wordings": len(facts.wordings)}


def not_found_reason(facts: Facts) -> str:
    """Return why aliases help."""
    return say("reason.not_found", where=where(facts), **enough(facts), least=facts.limits.found_share)


def no_place_reason(facts: Facts) -> str:
    """Return why aliases would help and cannot be added."""
    return say("reason.no_place", where=where(facts), **enough(facts))


def thin_reason(facts: Facts) -> str:
    """Return why an original that is found does not do."""
    return say("reason.thin", where=where(facts), **enough(facts), unhappy=unhappiness(facts))


def nothing_to_do_reason(facts: Facts) -> str:
    """Return why nothing is to be done."""
    return say("reason.nothing_to_do", where=where(facts), **enough(facts))


def agreed_reason(facts: Facts) -> str:
    """Return why an answer is taken as verified."""
    how, needed = facts.agreement, facts.limits.agree_share
    praise = say("praise.it", praised=facts.praised, share=how.share, needed=needed, people=how.people)
    if not facts.thin:
        return say("agreed.silent", praise=praise)
    return say("agreed.little", path=facts.thin[0].path, share=facts.thin[0].coverage, praise=praise)


def procedure_reason(facts: Facts) -> str:
    """Return why an answer is taken as a procedure."""
    limits = facts.limits
    needed = {"how_needed": limits.how_share, "steps_needed": limits.steps_share, "sessions_needed": limits.skill_sessions}
    found = {"how": facts.asks_how, "steps": facts.in_steps, "sessions": facts.sessions}
    return say("reason.procedure", agreed=agreed_reason(facts), **found, **needed)


def covered_reason(facts: Facts) -> str:
    """Return why a question is taken as covered."""
    assert facts.nearest is not None
    needed = facts.limits.covers_question(facts.lang)
    return say("reason.covered", path=facts.nearest.path, share=facts.nearest.coverage, needed=needed)


def draft_reason(facts: Facts) -> str:
    """Return why a person has to write or check."""
    told = {"near": near(facts), "unhappy": unhappiness(facts)}
    if not facts.answers:
        return say("reason.unanswered", **told, none=say("none.private" if facts.private else "none.unrated"))
    how = facts.agreement
    told |= {"answers": how.contradiction, "pages": facts.against}
    if facts.disputed:
        return say("reason.disputed", **told, share=how.share, praised=facts.praised, needed=facts.limits.agree_share)
    agree = say("agree.it", share=how.share) if facts.praised > 1 else ""
    return say("reason.one_answer", **told, praised=facts.praised, agree=agree, alone=alone(facts))


def alone(facts: Facts) -> str:
    """Return that one person's ratings don't verify an answer, when that is in the way."""
    if facts.praised < 2 or facts.agreement.people >= facts.limits.agree_people:
        return ""
    count = facts.agreement.people
    return say("alone.one" if count == 1 else "alone.some", count=count, needed=facts.limits.agree_people)


def near(facts: Facts) -> str:
    """Return what the originals have on a question that no rule could settle."""
    if held(facts):
        return say("near.held", where=where(facts))
    if facts.thin:
        return say("near.little", path=facts.thin[0].path, share=facts.thin[0].coverage)
    if facts.nearest is None:
        return say("near.silent")
    needed = facts.limits.covers_question(facts.lang)
    nearest = {"path": facts.nearest.path, "share": facts.nearest.coverage}
    return say("near.far", **nearest, needed=needed) if facts.nearest.coverage < needed else say("near.words", **nearest)


NO_PLACE, NOTHING_TO_DO, PROBABLY_COVERED = say("left.no_place"), say("left.nothing_to_do"), say("left.covered")

TABLE = (
    Rule(1, "index", lambda f: held(f) and f.found_share < f.limits.found_share and bool(f.aliases), not_found_reason),
    Rule(2, "supplement", lambda f: held(f) and f.unhappy, thin_reason),
    Rule(3, "", lambda f: held(f) and f.found_share < f.limits.found_share, no_place_reason, NO_PLACE),
    Rule(3, "", held, nothing_to_do_reason, NOTHING_TO_DO),
    Rule(4, "skill", lambda f: agreed(f) and procedure(f), procedure_reason),
    Rule(5, "verified_answer", agreed, agreed_reason),
    Rule(6, "", covered, covered_reason, PROBABLY_COVERED),
    Rule(7, "supplement", lambda f: True, draft_reason),
)
"""First rule that holds wins; the last one always does."""


def decide(facts: Facts) -> Rule:
    """Return the first rule that holds."""
    return next(rule for rule in TABLE if rule.holds(facts))
