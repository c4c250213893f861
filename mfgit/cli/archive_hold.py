"""`mfgit archive hold`: the legal-hold list."""

import click

from mfgit.archive.holds import KINDS
from mfgit.cli.common import clean, json_option, print_json, project
from mfgit.cli.group import NearGroup
from mfgit.errors import EXIT_NO, EXIT_OK


@click.group(cls=NearGroup)
def command() -> None:
    """Keep what belongs to a user, a session or a turn whole, whatever retention or forgetting would do."""


@command.command()
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("identity", metavar="ID")
@click.option("--reason", default="", metavar="TEXT", help="Why it is held.")
@click.pass_context
def add(ctx: click.Context, *, kind: str, identity: str, reason: str) -> None:
    """Put a user, session or request on the list."""
    from mfgit.project import retaining
    from mfgit.redact import redact

    fresh = retaining.hold(project(ctx), kind, identity, reason)
    click.echo(clean(f"{kind} {redact(identity)} is {'now' if fresh else 'already'} on hold."))


@command.command()
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("identity", metavar="ID")
@click.pass_context
def remove(ctx: click.Context, *, kind: str, identity: str) -> int:
    """Take a user, session or request off the list."""
    from mfgit.project import retaining
    from mfgit.redact import redact

    found = retaining.release(project(ctx), kind, identity)
    click.echo(clean(f"{kind} {redact(identity)} {'is no longer' if found else 'was not'} on hold."))
    return EXIT_OK if found else EXIT_NO


@command.command("list")
@json_option
@click.pass_context
def list_(ctx: click.Context, as_json: bool) -> None:
    """Show the list."""
    from mfgit.project import retaining

    holds = retaining.holds(project(ctx))
    if as_json:
        print_json([hold.to_json() for hold in holds])
    else:
        click.echo(clean("\n".join(map(str, holds)) or "Nothing is on hold."))
