"""The check that the machine left every original alone. Standard library and `git` only; `command` is the entry of hooks.

A stage gathers what changed (`staged`, `commits`), `rules` judges it, `report` says it. Nothing here writes but `install`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mfgit.guard.rules import Violation
    from mfgit.plumbing import Git


def landing(git: "Git", policy_commit: str, base_commit: str, tree: str) -> "Sequence[Violation]":
    """Return what breaks the machine's rules in a tree that is to land on `base_commit`; settings are `policy_commit`'s."""
    from mfgit.guard import commits

    return commits.landing(git, policy_commit, base_commit, tree)
