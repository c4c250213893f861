"""`mfgit restore`: reopen rejected, closed or undone proposals."""

import click

from mfgit.cli import completing
from mfgit.cli.common import clean, json_option, print_json, project


@click.command("restore", short_help="Reopen a rejected, closed or undone proposal.")
@click.argument("ids", metavar="ID...", nargs=-1, required=True, shell_complete=completing.proposals(*completing.DECLINED))
@json_option
@click.pass_context
def command(ctx: click.Context, *, ids: tuple[str, ...], as_json: bool) -> None:
    """Reopen rejected, closed or undone proposals, each as its branch. ID may be the start of an id."""
    here = project(ctx)
    done = []
    for identity in ids:
        one = here.restore(identity)
        done.append(one.to_json())
        if not as_json:
            click.echo(f"Reopened {one.id} on the branch {one.branch}: {clean(one.record.title)}")
    if as_json:
        print_json(done)
