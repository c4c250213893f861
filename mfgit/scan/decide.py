"""The decision table: from the facts of a cluster to one action type, by the first rule that holds.

Every rule carries the sentence that tells a reviewer, with the numbers, why it was this one.
"""

from collections.abc import Callable
from typing import NamedTuple

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


def percent(share: float) -> str:
    """Return a share in words."""
    return f"{100 * share:.0f} %"


def where(facts: Facts) -> str:
    """Return which original holds the answer, and how sure that is."""
    assert facts.page is not None
    needed = percent(facts.limits.holds_answer(facts.lang))
    sure = (
        f"{percent(facts.page.coverage)} of the answer rated good, {needed} needed"
        if facts.page.coverage >= facts.limits.holds_answer(facts.lang)
        else "the answers rated good name it"
    )
    heading = facts.page.hit.passage.heading
    return f"{facts.page.path}{f' ({heading})' if heading else ''} holds the answer ({sure})"


def unhappiness(facts: Facts) -> str:
    """Return how many were unhappy."""
    return f"{facts.bad} rated down, {facts.weak} looked weak"


def enough(facts: Facts) -> str:
    """Return how many wordings find the page."""
    return f"{len(facts.found)} of {len(facts.wordings)} wordings find it"


def not_found_reason(facts: Facts) -> str:
    """Return why aliases help."""
    return f"{where(facts)}, but only {enough(facts)} in the first three (under {percent(facts.limits.found_share)})."


def no_place_reason(facts: Facts) -> str:
    """Return why aliases would help and cannot be added."""
    return (
        f"{where(facts)}, but only {enough(facts)}, and no wording can be added as an alias: "
        "mfgit init gives every page an entry in index.json."
    )


def thin_reason(facts: Facts) -> str:
    """Return why an original that is found does not do."""
    return (
        f"{where(facts)} and {enough(facts)}, yet users are unhappy ({unhappiness(facts)}): its owner may want to look at it."
    )


def agreed_reason(facts: Facts) -> str:
    """Return why an answer is taken as verified."""
    agree = f"{percent(facts.agreement.share)} agree ({percent(facts.limits.agree_share)} needed)"
    said = f"{facts.praised} answers were rated good, {agree}, of {facts.agreement.people} people, none was rated down."
    if not facts.thin:
        return f"The originals are silent; {said}"
    nearest = facts.thin[0]
    return f"The originals say little ({nearest.path} has {percent(nearest.coverage)} of the answer); {said}"


def procedure_reason(facts: Facts) -> str:
    """Return why an answer is taken as a procedure."""
    limits = facts.limits
    needed = f"{percent(limits.how_share)}, {percent(limits.steps_share)} and {limits.skill_sessions} needed"
    return (
        f"{agreed_reason(facts)} {percent(facts.asks_how)} ask how, {percent(facts.in_steps)} of the answers have ordered "
        f"steps, in {facts.sessions} sessions ({needed})."
    )


def covered_reason(facts: Facts) -> str:
    """Return why a question is taken as covered."""
    assert facts.nearest is not None
    share = percent(facts.nearest.coverage)
    needed = percent(facts.limits.covers_question(facts.lang))
    return f"{facts.nearest.path} probably covers it ({share} of the question, {needed} needed), and nobody is unhappy."


def draft_reason(facts: Facts) -> str:
    """Return why a person has to write or check."""
    if not facts.answers:
        none = "The answers rated good are about one user each" if facts.private else "No answer was rated good"
        return f"{near(facts)} {none} ({unhappiness(facts)}), so a person has to write it."
    agree = f", {percent(facts.agreement.share)} of them agree" if facts.praised > 1 else ""
    if facts.disputed:
        needed = f"{percent(facts.agreement.share)} of {facts.praised} agree, {percent(facts.limits.agree_share)} needed"
        told = f"{near(facts)} Answers rated good disagree ({needed}), so a person has to write it; {unhappiness(facts)}."
        return " ".join(filter(None, (told, facts.agreement.contradiction, facts.against)))
    told = f"{near(facts)} One answer to check: {facts.praised} rated good{agree}; {unhappiness(facts)}."
    return " ".join(filter(None, (told, alone(facts), facts.agreement.contradiction, facts.against)))


def alone(facts: Facts) -> str:
    """Return that one person's ratings don't verify an answer, when that is in the way."""
    if facts.praised < 2 or facts.agreement.people >= facts.limits.agree_people:
        return ""
    count = facts.agreement.people
    of = "one user or session" if count == 1 else f"{count} users or sessions"
    return f"All the good ratings that agree are of {of}; {facts.limits.agree_people} are needed to publish it."


def near(facts: Facts) -> str:
    """Return what the originals have on a question that no rule could settle."""
    if held(facts):
        return f"{where(facts)}."
    if facts.thin:
        return f"The originals say little on it: {facts.thin[0].path} has {percent(facts.thin[0].coverage)} of the answer."
    if facts.nearest is None:
        return "The originals are silent on it."
    share = percent(facts.nearest.coverage)
    if facts.nearest.coverage < facts.limits.covers_question(facts.lang):
        needed = percent(facts.limits.covers_question(facts.lang))
        return (
            f"The originals are silent on it: the nearest, {facts.nearest.path}, has {share} of the question ({needed} needed)."
        )
    return f"The nearest original, {facts.nearest.path}, has the words of the question ({share}) but no known answer."


NO_PLACE = "an original answers it, few find it, and its index.json takes no alias: see mfgit init"
NOTHING_TO_DO = "an original answers it, is found, and nobody is unhappy"
PROBABLY_COVERED = "an original probably covers it, and nobody is unhappy"

TABLE = (
    Rule(1, "index", lambda f: held(f) and f.found_share < f.limits.found_share and bool(f.aliases), not_found_reason),
    Rule(2, "supplement", lambda f: held(f) and f.unhappy, thin_reason),
    Rule(3, "", lambda f: held(f) and f.found_share < f.limits.found_share, no_place_reason, NO_PLACE),
    Rule(3, "", held, lambda f: f"{where(f)}, {enough(f)}, and nobody is unhappy.", NOTHING_TO_DO),
    Rule(4, "skill", lambda f: agreed(f) and procedure(f), procedure_reason),
    Rule(5, "verified_answer", agreed, agreed_reason),
    Rule(6, "", covered, covered_reason, PROBABLY_COVERED),
    Rule(7, "supplement", lambda f: True, draft_reason),
)
"""First rule that holds wins; the last one always does."""


def decide(facts: Facts) -> Rule:
    """Return the first rule that holds."""
    return next(rule for rule in TABLE if rule.holds(facts))
