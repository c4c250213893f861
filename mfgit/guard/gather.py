"""Fetches what the rules read, and hands it to them."""

from collections.abc import Sequence

from mfgit.guard import rules
from mfgit.guard.changes import Listing, read_tree
from mfgit.guard.policy import Policy
from mfgit.guard.rules import Contents, Step, Violation
from mfgit.plumbing import Objects


def assess(objects: Objects, steps: Sequence[Step], policy: Policy) -> list[Violation]:
    """Return every violation of some steps, in their order."""
    contents = read(objects, steps, policy)
    return [violation for step in steps for violation in rules.judge(step, policy, contents)]


def read(objects: Objects, steps: Sequence[Step], policy: Policy) -> Contents:
    """Return what the objects that the steps need hold."""
    wanted = {oid: limit for step in steps for oid, limit in rules.needed(step, policy)}
    limited = [oid for oid, limit in wanted.items() if limit]
    sizes = {oid: int(found.data or 0) for oid, found in zip(limited, objects.ask("info", limited), strict=True)}
    small = [oid for oid, limit in wanted.items() if not limit or sizes[oid] <= limit]
    found = zip(small, objects.ask("contents", small), strict=True)
    data = {oid: blob.data for oid, blob in found if blob.data is not None}

    def is_page(tree: str, path: str) -> bool:
        return next(objects.ask("info", [f"{tree}:{path}"])).kind == "blob"

    return Contents(sizes, data, folders(objects, steps), is_page)


def folders(objects: Objects, steps: Sequence[Step]) -> dict[str, Listing | None]:
    """Return what the new or changed folders of the steps list; None for one that is damaged."""
    found: dict[str, Listing | None] = {}
    wanted = list(dict.fromkeys(oid for step in steps for oid in step.found.folders.values()))
    for oid, tree in zip(wanted, objects.ask("contents", wanted), strict=True):
        try:
            found[oid] = None if tree.data is None else read_tree(tree.data, len(oid) // 2)
        except ValueError:
            found[oid] = None
    return found
