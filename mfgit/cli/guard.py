"""`mfgit guard` when something stands before it, such as `mfgit -C PATH guard`; else the guard is reached without click."""

import click

from mfgit.guard.command import main


@click.command(
    "guard",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True},
    help="Check that the machine left every original alone.",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(ctx: click.Context, arguments: tuple[str, ...]) -> int:
    return main(["guard", "-C", ctx.find_root().obj or ".", *arguments])
