"""`mfgit guard` when something stands before it, such as `mfgit -C PATH guard`; else the guard is reached without click."""

from typing import TYPE_CHECKING

import click

from mfgit.guard.command import FLAGS, HELP, VALUES, main

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

WORDS = sorted({*FLAGS, *VALUES, *HELP})


def offer(ctx: click.Context, param: click.Parameter | None, incomplete: str) -> list[str]:
    """Return what TAB offers: commands, and options behind a dash."""
    return [word for word in WORDS if word.startswith(incomplete) and (incomplete or word[0] != "-")]


class Guard(click.Command):
    """A command whose words the guard reads itself."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Return what TAB offers behind a dash."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(word) for word in offer(ctx, None, incomplete)]


@click.command(
    "guard",
    cls=Guard,
    add_help_option=False,
    context_settings={"ignore_unknown_options": True},
    help="Check that the machine left every original alone.",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, shell_complete=offer)
@click.pass_context
def command(ctx: click.Context, arguments: tuple[str, ...]) -> int:
    return main(["guard", "-C", ctx.find_root().obj or ".", *arguments])
