"""`mfgit reject`: decline proposals, with the reason."""

import click

from mfgit.cli import completing
from mfgit.cli.common import clean, json_option, print_json, project


@click.command("reject", short_help="Decline a proposal, with the reason.")
@click.argument("ids", metavar="ID...", nargs=-1, required=True, shell_complete=completing.proposals(*completing.OPEN))
@click.option("--reason", required=True, metavar="TEXT", help="Why; kept in Git for whoever asks next.")
@click.option("--forever", is_flag=True, help="Never propose it again, however often it is asked.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, ids: tuple[str, ...], reason: str, forever: bool, as_json: bool) -> None:
    """Decline proposals. Their branches become refs under refs/mfgit/rejected, which keep the reason.

    A scan brings one back only when it has been asked much more often since. ID may be the start of an id.
    """
    here = project(ctx)
    done = []
    for identity in ids:
        one = here.reject(identity, reason, forever)
        done.append(one.to_json())
        if not as_json:
            click.echo(f"Rejected {one.id}{' for ever' if one.forever else ''}: {clean(one.record.title)}")
    if as_json:
        print_json(done)
