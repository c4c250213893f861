"""`mfgit undo`: take adopted proposals out again."""

import click

from mfgit.cli import completing
from mfgit.cli.common import clean, json_option, print_json, project


@click.command("undo", short_help="Take an adopted proposal out again, by a new commit.")
@click.argument("ids", metavar="ID...", nargs=-1, required=True, shell_complete=completing.proposals("adopted"))
@json_option
@click.pass_context
def command(ctx: click.Context, *, ids: tuple[str, ...], as_json: bool) -> None:
    """Take adopted proposals out of the target again, each by a new commit in your name.

    Exactly what the proposal added goes; history stays, and it can be adopted again. ID may be the start of an id.
    """
    here = project(ctx)
    done = []
    for identity in ids:
        result = here.undo(identity)
        done.append({"id": result.known.id, "status": "undone", "commit": result.commit})
        if not as_json:
            click.echo(f"Undid {result.known.id} by {result.commit[:12]}: {clean(result.known.record.title)}")
    if as_json:
        print_json(done)
