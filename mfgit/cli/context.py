"""`mfgit context`: the block of passages to hand to an assistant."""

import sys
from typing import Any

import click

from mfgit.answer.block import LEAST_BUDGET
from mfgit.cli import common


@click.command("context", short_help="Print the block of passages to hand to an assistant.")
@click.argument("query")
@common.reading
@click.option("-n", "limit", type=click.IntRange(1, 60), default=5, show_default=True, help="At most this many passages.")
@click.option("--tokens", "budget", type=click.IntRange(LEAST_BUDGET), help="At most this many tokens, estimated.")
@common.narrowing
@common.json_option
@click.pass_context
def command(ctx: click.Context, /, *, query: str, history: tuple[str, ...], as_json: bool, **options: Any) -> int:
    """Print the passages for QUERY as one block: originals first, what grew out of conversations marked and fenced.

    Where nothing speaks to the question the block says so and names the nearest pages. What the reader should know (a word
    that was corrected, a file that cannot be read) goes to standard error. Exit code 0 with passages, 1 with none.
    """
    before = common.turns(history)
    with common.progress() as progress:
        made = common.project(ctx).context(query, history=before, progress=progress, **options)
    if as_json:
        common.print_json(made.to_json())
    else:
        click.echo(common.clean(made.block) if sys.stdout.isatty() else common.without_controls(made.block), nl=False)
        if made.answer.note:
            click.echo(common.clean(made.answer.note), err=True)
    return 0 if made.answered else 1
