"""Adopt and undo: the only commands that move the target, each by one commit in the person's name."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from mfgit import aliases, layout
from mfgit.adopt.rules import Candidate, refusal
from mfgit.adopt.undoing import brought, without
from mfgit.errors import BadInput, Refusal
from mfgit.model import Alias, Known, Record, Source
from mfgit.plumbing import Git, GitFailedError
from mfgit.project.base import Repository
from mfgit.project.contradicting import Contradictions, weighed
from mfgit.project.deciding import REFUSED, find, look, machine, signed
from mfgit.proposal import message
from mfgit.proposal.overlay import has_answer, is_marked_draft, tidied
from mfgit.proposal.render import misplaced, render, root_of, with_aliases
from mfgit.reasons.forms import say
from mfgit.repo.branches import HEADS, Branch
from mfgit.repo.known import Survey
from mfgit.repo.landing import land
from mfgit.repo.merging import blob_texts, merge, own_files, tree_of
from mfgit.repo.worktrees import checked_out
from mfgit.repo.writing import Moved, NewCommit, RefChange, decide, move, write

ATTEMPTS = 8
"""How often a decision is made anew because the target moved meanwhile."""
Pairs = frozenset[tuple[str, str]]
"""The (page, alias) pairs of an `index.json`, pages as paths from the top."""


class Decided(NamedTuple):
    """What came of adopting or undoing: the proposal, the commit that the target is at, whether that is news, and warnings."""

    known: Known
    commit: str
    changed: bool
    warnings: tuple[str, ...] = ()


class Tip(NamedTuple):
    """What is to be merged: a commit with the proposal's own files, its aliases in there, whether it answers, and its texts."""

    commit: str
    own: tuple[str, ...]
    aliases: tuple[Alias, ...]
    answered: bool
    texts: tuple[str, ...] = ()


# ---- adopt


def adopt(repository: Repository, text: str, reviewed: str | None = None, *, despite_contradiction: bool = False) -> Decided:
    """Merge a proposal into the target, in the person's name; one that is adopted already stays so.

    `reviewed` is the commit that was read: the branch must still be there. `despite_contradiction` adopts what says the
    opposite of an original or of an adopted answer; where a person wrote it, it is a warning. Raises `Refusal` with the
    reason, nothing moved; `BadInput` for an unknown id.
    """

    def once(state: Survey, target: str) -> Decided:
        one = find(state, text)
        branch = state.branches.get(one.id)
        if one.status == "adopted":
            return Decided(one, target, False)
        if one.status in REFUSED:
            form = "refused.gone" if one.reason else "refused.unsaid"
            raise Refusal(say(form, id=one.id, state=one.status, reason=one.reason), say("hint.gone", id=one.id))
        check_reviewed(repository.git, one, reviewed)
        commit, warnings = merged(repository, state, one, target, despite_contradiction=despite_contradiction)
        land(repository.git, repository.target, target, commit, f"mfgit adopt {one.id}")
        tidy_away(repository.git, branch)
        return Decided(one, commit, True, warnings)

    return until_settled(repository, once)


def until_settled(repository: Repository, once: Callable[[Survey, str], Decided]) -> Decided:
    """Decide on what Git knows now, and anew each time the target moved meanwhile."""
    for attempt in range(ATTEMPTS):
        target = repository.target_commit()
        try:
            return once(look(repository, target), target)
        except Moved:
            if attempt == ATTEMPTS - 1:
                raise
    raise AssertionError


def check_reviewed(git: Git, one: Known, reviewed: str | None) -> None:
    """Raise `Refusal` unless the proposal still is what was read."""
    if reviewed is None:
        return
    commit = git.commit_of(reviewed)
    if commit is None:
        raise BadInput(f"There is no commit {reviewed}.", "Give the commit that mfgit proposals --json names.")
    if commit != one.commit:
        raise Refusal(
            say("refused.moved", id=one.id, now=(one.commit or "")[:12], then=commit[:12]),
            say("hint.moved", id=one.id),
        )


def merged(
    repository: Repository, state: Survey, one: Known, target: str, *, despite_contradiction: bool
) -> tuple[str, tuple[str, ...]]:
    """Return the ready merge commit of a proposal, and what to warn of; raises `Refusal` when it may not be adopted."""
    git, record, alias_path = repository.git, one.record, layout.aliases_path(root_of(one.record))
    tip = read_tip(repository, one, target)
    result = merge(git, target, tip.commit, tip.own, alias_path)
    held, held_there = (blob.data for blob in git.blobs((f"{target}:{alias_path}", f"{result.tree}:{alias_path}")))
    files = dict(result.files)
    lost: tuple[tuple[Alias, str], ...] = ()
    now = files.get(alias_path) or held_there
    if tip.aliases and now is not None:
        wanted = replace(record, aliases=tip.aliases)
        files[alias_path] = with_aliases(now, wanted, alias_path)
        lost = tuple(misplaced(aliases.parse(now, alias_path), wanted).items())
    elif record.action_type == "index" and held is not None:
        lost = tuple(misplaced(aliases.parse(held, alias_path), record).items())
    others = [other for other in state.known if other.status == "adopted"]
    edited = one.status in ("edited", "undone")
    found = Contradictions() if despite_contradiction else weighed(git, one, tip.texts, target, others, edited=edited)
    it = Candidate(
        record=record,
        branch=one.branch or layout.branch_name(one.id),
        answered=tip.answered,
        moved=moved_sources(git, record, target),
        misplaced=lost,
        conflicts=[path for path in result.conflicts if path not in files],
        violations=(),
        adds=bool(tip.aliases or lost) if record.action_type == "index" else True,
        others=others,
        contradictions=found.machine,
    )
    if why := refusal(it):
        raise why
    commit = NewCommit((target, tip.commit), message.adopting(record), signed(repository), files, result.tree)
    made = decide(git, commit)
    check_guard(repository, it, target, tree_of(git, made))
    return made, found.person


def check_guard(repository: Repository, it: Candidate, target: str, tree: str) -> None:
    """Raise `Refusal` when the guard refuses the tree that would land, or when it is what the target has."""
    if tree == tree_of(repository.git, target):
        raise refusal(it._replace(adds=False)) or Refusal("There is nothing to merge.")
    if why := refusal(it._replace(violations=violations(repository, target, tree))):
        raise why


def violations(repository: Repository, target: str, tree: str) -> list[str]:
    """Return what the guard says of a tree on top of the target, on the machine's lane."""
    from mfgit.guard import landing

    return [f"{found.path} {found.why}" for found in landing(repository.git, target, target, tree)]


def read_tip(repository: Repository, one: Known, target: str) -> Tip:
    """Return what of a proposal is to be merged, a completed draft without the marks of one."""
    git, record, alias_path = repository.git, one.record, layout.aliases_path(root_of(one.record))
    commit = propose_again(repository, one, target) if one.status == "undone" else str(one.commit)
    own = own_files(git, commit, one.id, record.root)
    texts = {path: data.decode("utf-8", "replace") for path, data in blob_texts(git, own).items() if path.endswith(".md")}
    answered = record.action_type == "index" or any(map(has_answer, texts.values()))
    marked = {path: tidied(text).encode() for path, text in texts.items() if has_answer(text) and is_marked_draft(text)}
    if marked:
        commit = decide(git, NewCommit((commit,), message.tidying(record), signed(repository), marked))
    there = pairs(git.blob(f"{commit}:{alias_path}"), record)
    return Tip(
        commit, tuple(own), tuple(a for a in record.aliases if (a.path, a.alias) in there), answered, tuple(texts.values())
    )


def pairs(data: bytes | None, record: Record) -> Pairs:
    """Return what an `index.json` leads to what."""
    if data is None:
        return frozenset()
    root = root_of(record)
    found = aliases.parse(data, layout.aliases_path(root))
    return frozenset((root.join(document.path), alias) for document in found.documents for alias in document.aliases)


def moved_sources(git: Git, record: Record, target: str) -> list[Source]:
    """Return the originals of a record that are not what they were."""
    names = [f"{target}:{source.path}" for source in record.based_on]
    return [source for source, blob in zip(record.based_on, git.blobs(names), strict=True) if blob.oid != source.blob]


def tidy_away(git: Git, branch: Branch | None) -> None:
    """Delete the branch of what is adopted, unless it moved on, is checked out or locked: its commits are in the target now."""
    if branch is None or branch.held is None or HEADS + branch.identity in checked_out(git):
        return
    try:
        move(git, [RefChange(HEADS + branch.identity, None, branch.held)], "mfgit adopt")
    except (Moved, GitFailedError):
        return


# ---- undo


def undo(repository: Repository, text: str) -> Decided:
    """Take an adopted proposal out of the target by a new commit in the person's name. Raises `Refusal` for any other."""

    def once(state: Survey, target: str) -> Decided:
        one = find(state, text)
        one = state.held.get(one.id, one)
        if one.status != "adopted":
            form = "refused.undone" if one.status == "undone" else "refused.undoing"
            raise Refusal(say(form, id=one.id, state=one.status), say("hint.undoing", id=one.id))
        files = taken_out(repository.git, state, one, target)
        if not files:
            raise Refusal(say("refused.nothing_left", id=one.id))
        said = message.undoing(one.record, one.commit)
        made = decide(repository.git, NewCommit((target,), said, signed(repository), files))
        if found := violations(repository, target, tree_of(repository.git, made)):
            raise Refusal(f"Undoing {one.id} breaks a rule of the guard: {found[0]}.")
        land(repository.git, repository.target, target, made, f"mfgit undo {one.id}")
        return Decided(one, made, True)

    return until_settled(repository, once)


def taken_out(git: Git, state: Survey, one: Known, target: str) -> dict[str, bytes | None]:
    """Return the files that undoing changes: the proposal's own go, and its aliases leave `index.json`."""
    files: dict[str, bytes | None] = dict.fromkeys(own_files(git, target, one.id, one.record.root))
    alias_path = layout.aliases_path(root_of(one.record))
    names = (f"{target}:{alias_path}", f"{one.commit}:{alias_path}", f"{one.commit}^:{alias_path}")
    now, then, before = (blob.data for blob in git.blobs(names))
    if now is None or not one.record.aliases:
        return files
    edited = without_aliases(now, before, state, one)
    back = before is not None and now == then and pairs(edited, one.record) == pairs(before, one.record)
    if before is not None and back and same_outside(before, now, alias_path):
        edited = before  # every byte, where the team laid the file out in its own way
    return files if edited == now else {**files, alias_path: edited}


def without_aliases(now: bytes, before: bytes | None, state: Survey, one: Known) -> bytes:
    """Return `index.json` without the aliases that a proposal brought; `before` is the file before it was adopted."""
    root, alias_path = root_of(one.record), layout.aliases_path(root_of(one.record))
    gone = brought(one.record, pairs(before, one.record), [other.record for other in state.known])
    adopted = [other.record for other in (*state.known, *state.held.values()) if other.status == "adopted"]
    lists = {root.join(document.path): document.aliases for document in aliases.parse(now, alias_path).documents}
    changed = without(lists, one.record, gone, adopted)
    return aliases.edit(now, {str(root.relative(page)): said for page, said in changed.items()}, alias_path)


def same_outside(one: bytes, other: bytes, where: str) -> bool:
    """Tell whether two files differ in their aliases only."""
    return aliases.outside(one, where) == aliases.outside(other, where)


def propose_again(repository: Repository, one: Known, target: str) -> str:
    """Return a commit on the target that adds what an undone proposal had when it was taken out. Moves nothing.

    It is the machine's when its files are what the record makes, else the person's, whose text must be kept.
    """
    git, record = repository.git, one.record
    alias_path = layout.aliases_path(root_of(record))
    before = f"{one.commit}^"
    names = (f"{target}:{alias_path}", f"{one.commit}:{alias_path}", f"{before}:{alias_path}")
    now, after, had = (blob.data for blob in git.blobs(names))
    files: dict[str, bytes] = blob_texts(git, own_files(git, str(git.commit_of(before)), one.id, record.root))
    back = pairs(had, record) - pairs(after, record)
    wanted = replace(record, aliases=tuple(a for a in record.aliases if (a.path, a.alias) in back))
    if now is not None and wanted.aliases and (changed := with_aliases(now, wanted, alias_path)) != now:
        files[alias_path] = changed
    if dict(render(record, now).files) == files:
        return write(git, [NewCommit((target,), message.proposing(record), machine(repository, record), files)])[0]
    return decide(git, NewCommit((target,), message.reopening(record), signed(repository), files))
