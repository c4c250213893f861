"""`mfgit context`: the block of passages to hand to an assistant."""

import sys
from typing import Any

import click

from mfgit.cli import common


@click.command("context", short_help="Print the block of passages to hand to an assistant.")
@click.argument("query")
@click.option("--ref", metavar="REF", help="Read the tree of this branch, tag or commit (default: HEAD).")
@click.option("--with", "with_id", metavar="ID", help="Read the tree that adopting this proposal would make.")
@click.option("-n", "limit", type=click.IntRange(1, 60), default=5, show_default=True, help="At most this many passages.")
@click.option("--only", type=click.Choice(["original", "overlay"]), help="Passages of this kind only.")
@common.narrowing
@common.json_option
@click.pass_context
def command(ctx: click.Context, /, *, query: str, history: tuple[str, ...], as_json: bool, **options: Any) -> int:
    """Print the passages for QUERY as one block: originals first, what grew out of conversations marked and fenced.

    What the reader should know (a word that was corrected, a file that cannot be read) goes to standard error. Exit code 0
    with passages, 1 with none.
    """
    before = common.turns(history)
    with common.progress() as progress:
        answer, block = common.project(ctx).context(query, history=before, progress=progress, **options)
    if as_json:
        common.print_json({**answer.to_json(), "block": block})
    else:
        click.echo(common.clean(block) if sys.stdout.isatty() else common.without_controls(block), nl=False)
        if answer.note:
            click.echo(common.clean(answer.note), err=True)
    return 0 if answer.hits else 1
