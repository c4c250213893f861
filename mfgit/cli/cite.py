"""`mfgit cite`: the passage that a citation names."""

import sys

import click

from mfgit.cli import common


@click.command("cite", short_help="Print the passage that a citation names.")
@click.argument("citation")
@common.json_option
@click.pass_context
def command(ctx: click.Context, *, citation: str, as_json: bool) -> None:
    """Print the passage that CITATION names, as it was: path#anchor@commit, as mfgit context prints it."""
    passage = common.project(ctx).cited(citation)
    if as_json:
        common.print_json(
            {
                "citation": citation,
                "path": passage.path,
                "heading": " > ".join((*passage.trail, passage.heading)) or None,
                "kind": passage.kind,
                "lines": list(passage.lines),
                "text": passage.text,
                "proposal": passage.proposal,
            }
        )
    else:
        click.echo(common.clean(passage.text) if sys.stdout.isatty() else common.without_controls(passage.text))
