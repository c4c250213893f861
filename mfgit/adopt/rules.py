"""Why a proposal may not be adopted, in one sentence each, in the order in which a person would settle them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mfgit.errors import Refusal
from mfgit.model import Alias, Known, Record, Source
from mfgit.reasons.forms import say


class Candidate(NamedTuple):
    """A proposal about to be merged, and the facts that decide.

    `answered`: its overlay says something besides the marks of a draft. `moved`: originals that changed since. `misplaced`:
    aliases that cannot be written, and why. `conflicts`: paths that Git could not merge. `violations`: what the guard says of
    the tree that would land. `contradictions`: what it says against originals and adopted answers. `adds`: whether the merge
    changes anything at all.
    """

    record: Record
    branch: str
    answered: bool
    moved: Sequence[Source]
    misplaced: Sequence[tuple[Alias, str]]
    conflicts: Sequence[str]
    violations: Sequence[str]
    adds: bool
    others: Sequence[Known]
    contradictions: Sequence[str] = ()


def refusal(it: Candidate) -> Refusal | None:
    """Return why a candidate may not be adopted, None when it may."""
    found = next(filter(None, (rule(it) for rule in RULES)), None)
    return Refusal(found[0], found[1]) if found else None


Verdict = tuple[str, str] | None


def stale(it: Candidate) -> Verdict:
    """Refuse what was proposed against originals that say something else now."""
    if not it.moved:
        return None
    return (
        say("refused.stale", id=it.record.id, pages=named(source.path for source in it.moved)),
        say("hint.stale", id=it.record.id),
    )


def draft(it: Candidate) -> Verdict:
    """Refuse an overlay without an answer."""
    if it.answered:
        return None
    checkout = f"git worktree add ../draft {it.branch}"
    return say("refused.draft", id=it.record.id), say("hint.draft", command=checkout)


def second(it: Candidate) -> Verdict:
    """Refuse a second active answer to the same question."""
    keys = set(it.record.keys)
    for other in it.others:
        record = other.record
        same = record.root == it.record.root and other.id != it.record.id and keys & set(record.keys)
        if same and "index" not in (record.action_type, it.record.action_type):
            return (
                say("refused.second", id=it.record.id, other=other.id, path=record.adopted_path),
                say("hint.second", other=other.id),
            )
    return None


def contradicting(it: Candidate) -> Verdict:
    """Refuse an answer that says the opposite of an original or of an adopted answer."""
    if not it.contradictions:
        return None
    return (
        say("refused.contradicting", id=it.record.id, how=it.contradictions[0]),
        say("hint.contradicting", branch=it.branch, id=it.record.id),
    )


def lost_aliases(it: Candidate) -> Verdict:
    """Refuse aliases that have no place or lead elsewhere already."""
    if not it.misplaced:
        return None
    alias, why = it.misplaced[0]
    return (
        f"{it.record.id} cannot be adopted: the wording “{alias.alias}” {why}.",
        "Take it off the branch, settle index.json on the target, or reject the proposal.",
    )


def conflict(it: Candidate) -> Verdict:
    """Refuse what Git cannot merge."""
    if not it.conflicts:
        return None
    return say("refused.conflict", id=it.record.id, paths=named(it.conflicts)), say("hint.conflict")


def guarded(it: Candidate) -> Verdict:
    """Refuse a result that the guard refuses."""
    if not it.violations:
        return None
    more = f" (and {len(it.violations) - 1} more)" if len(it.violations) > 1 else ""
    return (f"{it.record.id} breaks a rule of the guard: {it.violations[0]}{more}", f"Correct the branch {it.branch}.")


def nothing(it: Candidate) -> Verdict:
    """Refuse a merge that would change nothing."""
    return None if it.adds else (say("refused.nothing", id=it.record.id), say("hint.nothing"))


RULES = (stale, draft, lost_aliases, second, contradicting, conflict, guarded, nothing)


def named(paths: Iterable[str]) -> str:
    """Return up to three paths in a row."""
    found = list(paths)
    return ", ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "")
