"""What the TAB key of a shell offers as values: ids of proposals with their titles, and refs.

A shell starts mfgit at every TAB, so a folder without a repository offers nothing and says nothing.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from mfgit.errors import MfgitError
from mfgit.project import Project

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Value = TypeVar("Value")
OPEN = ("open", "edited", "stale")
DECLINED = ("rejected", "closed", "undone")


def proposals(*statuses: str) -> "Callable[[click.Context, click.Parameter, str], list[CompletionItem]]":
    """Return what offers the ids of proposals of these statuses (none: of all), but those that stand there already."""

    def offer(ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        from mfgit.cli.common import clean_line

        standing = ctx.params.get(param.name or "") or ()
        return [
            CompletionItem(one.id, help=clean_line(one.record.title))
            for one in asked(ctx, Project.proposals)
            if one.id.startswith(incomplete) and one.id not in standing and (not statuses or one.status in statuses)
        ]

    return offer


def refs(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Offer HEAD, branches and tags."""
    return [name for name in ("HEAD", *asked(ctx, Project.refs)) if name.startswith(incomplete)]


def asked(ctx: click.Context, question: Callable[[Project], Sequence[Value]]) -> Sequence[Value]:
    """Return what the project of the `-C` folder says, nothing where it cannot be asked."""
    try:
        return question(Project.open(ctx.find_root().params.get("folder") or "."))
    except MfgitError:
        return ()
