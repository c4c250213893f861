"""The rules: steps in, violations out. Pure; what objects hold comes in as `Contents`.

A step is what one commit (or the staged tree, or a landing) changes, and the lane it is judged on. On the machine lane only
overlays and alias lists may change; on the human lane everything, with a reason where something protected is touched.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mfgit import layout
from mfgit.errors import BadInput
from mfgit.guard import policy as kinds
from mfgit.guard.changes import ABSENT, FILE, GITLINK, REGULAR, Change, Diff, Listing, folders_above, tree_fault, twin
from mfgit.guard.policy import Policy

MACHINE = "machine"
HUMAN = "human"
ROOT, MERGE, PATCH, TIP = "root", "merge", "patch", "tip"


class Violation(NamedTuple):
    """A change and the rule it breaks: `path` as text, `why` half a sentence about it, `commit` "" for what is staged.

    `form` says what else than a usual commit it is: `ROOT`, `MERGE`, `PATCH` for one that `git am` is making, or `TIP` for
    the last one of a range, which needs no rebase to be mended.
    """

    path: str
    rule: str
    why: str
    commit: str = ""
    form: str = ""


class Step(NamedTuple):
    """What is judged: the difference, the tree it leads to, the lane, and whether a reason is given for originals."""

    found: Diff
    tree: str
    lane: str
    reason: bool = False
    commit: str = ""
    form: str = ""


class Contents(NamedTuple):
    """What the judged objects hold, by id: sizes, bytes (of overlays up to the largest one), folders (None: damaged).

    `is_page` tells whether a tree holds a file at a path.
    """

    sizes: Mapping[str, int]
    data: Mapping[str, bytes]
    folders: Mapping[str, Listing | None]
    is_page: Callable[[str, str], bool]


WHY = {
    kinds.ORIGINAL: ("original", "is an original"),
    kinds.FORGED: ("original", "is the folder of the overlays itself, or looks like it"),
    kinds.ROOT: ("original", "stands where a knowledge root is"),
    kinds.SETTINGS: ("settings", "decides how Git or the guard reads the repository"),
    kinds.ALIASES: ("aliases", "may change in its alias lists only"),
    kinds.OVERLAY: ("overlay", "is an overlay"),
    kinds.ARCHIVE: ("archive", "is a file of the archive"),
    kinds.OTHER: ("outside", "is neither an overlay nor an alias list"),
}
VERBS = {(True, False): "added", (False, True): "deleted"}


def judge(step: Step, policy: Policy, contents: Contents) -> list[Violation]:
    """Return every violation of a step, in the order of its changes."""
    if step.lane == HUMAN and policy.free:
        return []
    rules = machine_rules if step.lane == MACHINE else human_rules
    damaged = [Violation(path, rule, why, step.commit, step.form) for path, rule, why in malformed(step, contents)]
    return damaged + [
        Violation(change.path, rule, why, step.commit, step.form)
        for change in step.found.changes
        for rule, why in rules(change, step, policy, contents)
    ]


def malformed(step: Step, contents: Contents) -> Iterator[tuple[str, str, str]]:
    """Yield the folders that Git would never have written so."""
    for path, oid in step.found.folders.items():
        listing = contents.folders[oid]
        why = tree_fault(listing) if listing else "is damaged"
        if why:
            yield path or ".", "tree", f"is a folder that {why}"


def verb(change: Change) -> str:
    """Return what happened to a path, in a word."""
    return VERBS.get((change.old_mode == ABSENT, change.new_mode == ABSENT), "changed")


# ---- the human lane


def human_rules(change: Change, step: Step, policy: Policy, contents: Contents) -> Iterator[tuple[str, str]]:
    """Yield why a person needs a reason for a change, or why none helps: a conversation may leave Git, and not enter it."""
    if change.new_mode != ABSENT and policy.kind(change.path) == kinds.ARCHIVE:
        yield "archive", "is a file of the archive, and conversations stay out of Git"
    elif not step.reason and is_protected(change, step, policy, contents):
        kind = policy.kind(change.path)
        what = "is a submodule in a knowledge root" if GITLINK in (change.old_mode, change.new_mode) else WHY[kind][1]
        yield "reason", f"{what} and is {verb(change)} without a reason"


def is_protected(change: Change, step: Step, policy: Policy, contents: Contents) -> bool:
    """Tell whether a change is one that people give a reason for."""
    kind = policy.kind(change.path)
    if GITLINK in (change.old_mode, change.new_mode) and policy.zone(change.path):
        return True
    if kind == kinds.ROOT and policy.holds_files(change.path) and change.path not in step.found.gone:
        return not REGULAR.issuperset({change.old_mode, change.new_mode} - {ABSENT})
    if kind == kinds.ALIASES:
        return bool(outside_fault(change, contents)[0])
    return kind in kinds.PROTECTED


# ---- the machine lane


def machine_rules(change: Change, step: Step, policy: Policy, contents: Contents) -> Iterator[tuple[str, str]]:
    """Yield why the machine may not make a change."""
    kind = policy.kind(change.path)
    if kind == kinds.OVERLAY:
        if change.new_mode != ABSENT:
            yield from overlay_rules(change, step, policy, contents)
    elif kind == kinds.ALIASES:
        yield from aliases_rules(change, step, policy, contents)
    else:
        rule, why = WHY[kind]
        yield rule, f"{why} and is {verb(change)}"


def overlay_rules(change: Change, step: Step, policy: Policy, contents: Contents) -> Iterator[tuple[str, str]]:
    """Yield why an overlay may not be as it is: its content, and of its path what lies below the root or is new."""
    if change.new_mode != FILE:
        yield "overlay-mode", f"has mode {change.new_mode}; an overlay is a plain file ({FILE})"
        return
    zone = policy.zone(change.path)
    parts = change.path.split("/")
    below = zone.below.count("/") + 1 if zone else 0
    new = [folder in step.found.made for folder in folders_above(change.path)][1:]
    checked = [level for level, made in enumerate([*new, True]) if made or level >= len(parts) - below]
    if fault := next(filter(None, (layout.name_fault(parts[level]) for level in checked)), ""):
        yield "overlay-name", fault
    if not parts[-1].endswith(layout.OVERLAY_SUFFIXES):
        yield "overlay-name", "is neither .md nor .json"
    yield from twin_rules(change.path, checked, step, contents)
    size = contents.sizes.get(change.new, 0)
    data = contents.data.get(change.new)
    if data is None:
        why = (
            f"it has {size:,} bytes, more than {layout.MAX_OVERLAY:,}"
            if size > layout.MAX_OVERLAY
            else "its content is missing"
        )
        yield "overlay-text", why
    elif fault := layout.text_fault(data):
        yield "overlay-text", fault


def twin_rules(path: str, checked: Sequence[int], step: Step, contents: Contents) -> Iterator[tuple[str, str]]:
    """Yield the neighbours that a file system without regard to case would take for the same; `checked` numbers its parts."""
    parts = path.split("/")
    for level, folder in enumerate(folders_above(path)):
        listing = contents.folders.get(step.found.folders.get(folder, ""))
        other = twin(listing, parts[level]) if listing and level in checked else ""
        if other:
            yield "overlay-name", f"and {other!r} beside it are one name where case does not count"
            return


def outside_fault(change: Change, contents: Contents) -> tuple[str, str]:
    """Return the rule and why when an `index.json` changes outside of its alias lists, two empty strings when it does not."""
    if change.old_mode != change.new_mode or change.new_mode not in REGULAR:
        return "aliases", f"{WHY[kinds.ALIASES][1]}, and is {verb(change)}"
    from mfgit import aliases

    try:
        new = aliases.outside(contents.data[change.new], change.path)
    except (BadInput, KeyError) as error:
        return "aliases", error.message if isinstance(error, BadInput) else "is missing or too large"
    if new in expected_outside(change, contents):
        return "", ""
    return "aliases", "changes outside of its alias lists"


def expected_outside(change: Change, contents: Contents) -> list[bytes]:
    """Return what may stand outside of the alias lists: as before or, after a conflict, what only one side made of it."""
    sides = [outside_of(oid, change.path, contents) for oid in change.stages or (change.old,)]
    if len(sides) == 1:
        return [side for side in sides if side is not None]
    base, ours, theirs = sides
    decided = ours if theirs in (ours, base) else theirs if ours == base else None
    return [] if decided is None else [decided]


def outside_of(oid: str, path: str, contents: Contents) -> bytes | None:
    """Return the bytes outside of the alias lists of one version, None when it is none or cannot be read."""
    from mfgit import aliases

    try:
        return aliases.outside(contents.data[oid], path)
    except (BadInput, KeyError):
        return None


def aliases_rules(change: Change, step: Step, policy: Policy, contents: Contents) -> Iterator[tuple[str, str]]:
    """Yield why an `index.json` may not be as it is."""
    from mfgit import aliases

    rule, why = outside_fault(change, contents)
    if rule:
        yield rule, why
        return
    before: dict[str, list[Sequence[str]]] = {}
    for oid in change.stages or (change.old,):
        if outside_of(oid, change.path, contents) is not None:
            for old in aliases.parse(contents.data[oid], change.path).documents:
                before.setdefault(old.path, []).append(old.aliases)
    for document in aliases.parse(contents.data[change.new], change.path).documents:
        earlier = before.get(document.path, [])
        for fault in list_faults(document.aliases, earlier):
            yield "alias", f"{fault} (page {document.path[:80]!r})"
        added = set(document.aliases).difference(*earlier)
        if added and not leads_to_page(document.path, change.path, step.tree, policy, contents):
            yield "alias", f"an alias leads to {document.path[:80]!r}, which is no page of this root"


def list_faults(now: Sequence[str], earlier: Sequence[Sequence[str]]) -> list[str]:
    """Return what is wrong with an alias list that was not wrong with it before."""
    from mfgit import aliases

    if list(now) in map(list, earlier):
        return []
    known = {fault for old in earlier for fault in aliases.faults(old)}
    return [fault for fault in aliases.faults(now) if fault not in known]


def leads_to_page(page: str, file: str, tree: str, policy: Policy, contents: Contents) -> bool:
    """Tell whether an alias leads to a page that is there, in the root of its file, and is no overlay."""
    zone = policy.zone(file)
    if zone is None or any(part in ("", ".", "..") for part in page.split("/")) or any(map(layout.hidden, page)):
        return False
    path = page if zone.root == "." else f"{zone.root}/{page}"
    there = policy.zone(path)
    return there is not None and there.root == zone.root and policy.kind(path) != kinds.OVERLAY and contents.is_page(tree, path)


def needed(step: Step, policy: Policy) -> Iterator[tuple[str, int]]:
    """Yield the files that judging a step reads, each with the bytes up to which it is read (0: whole)."""
    for change in step.found.changes:
        kind = policy.kind(change.path)
        if kind == kinds.ALIASES:
            yield from ((oid, 0) for oid in (change.old, change.new, *(change.stages or ())) if oid.strip("0"))
        elif kind == kinds.OVERLAY and step.lane == MACHINE and change.new_mode == FILE:
            yield change.new, layout.MAX_OVERLAY
