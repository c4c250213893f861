"""`mfgit archive forget`: remove a person or a session everywhere."""

import sys
from typing import TYPE_CHECKING

import click

from mfgit.cli.common import clean, json_option, print_json, progress, project
from mfgit.errors import EXIT_NO, EXIT_OK, BadInput

if TYPE_CHECKING:
    from mfgit.project.forgetting import Forgotten


@click.command()
@click.option("--user", "users", multiple=True, metavar="ID", help="A user, by user_id or as a session's participant.")
@click.option("--session", "sessions", multiple=True, metavar="ID", help="A session.")
@click.option("--dry-run", is_flag=True, help="Say what would go, and remove nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, *, users: tuple[str, ...], sessions: tuple[str, ...], dry_run: bool, yes: bool, as_json: bool
) -> int:
    """Remove users or sessions: turns, ratings, sessions, indexes, embeddings, and the excerpts of open proposals.

    Says what Git's history still holds and how to purge it. What is on legal hold is refused. Says first what would go and asks
    on a terminal; elsewhere --yes or --dry-run has to be given. Exit code 1 where nothing of theirs is found.
    """
    from mfgit.project import forgetting

    if not users and not sessions:
        raise click.UsageError("Name whom to forget with --user or --session.")
    repository = project(ctx)
    if not (dry_run or yes) and not asked(forgetting.forget(repository, users, sessions, dry_run=True)):
        click.echo("Nothing was removed.", err=True)
        return EXIT_NO
    with progress() as show:
        outcome = forgetting.forget(repository, users, sessions, dry_run=dry_run, progress=show)
    if as_json:
        print_json({"dry_run": dry_run, **vars(outcome)})
    else:
        tell(outcome, dry_run=dry_run)
    return EXIT_NO if outcome.nothing else EXIT_OK


def asked(outcome: "Forgotten") -> bool:
    """Say what would go, and return whether it may."""
    if not sys.stdin.isatty():
        raise BadInput(
            "mfgit archive forget asks before it removes, and nobody is here to answer.",
            "Add --yes to remove, --dry-run to look.",
        )
    click.echo(f"Would remove {counted(outcome)}.", err=True)
    return click.confirm("Remove them for good?", err=True)


def counted(outcome: "Forgotten") -> str:
    """Return how much goes."""
    counts = (
        (outcome.turns, "turn"),
        (len(outcome.sessions), "session"),
        (len(outcome.proposals) + len(outcome.removed_proposals), "open proposal"),
    )
    turns, sessions, proposals = (f"{count:,} {noun}{'' if count == 1 else 's'}" for count, noun in counts)
    return f"{turns}, {sessions}, and what {proposals} cite{'s' if proposals.startswith('1 ') else ''} of them"


def tell(outcome: "Forgotten", *, dry_run: bool) -> None:
    """Print what was removed and what Git still holds."""
    if outcome.nothing:
        click.echo(
            "Nothing of theirs is in the archive or in a proposal. Look whether the id is as the archive has it.", err=True
        )
    else:
        click.echo(f"{'Would remove' if dry_run else 'Removed'} {counted(outcome)}.")
    for each in outcome.unreadable:
        click.echo(clean(f"Passed over, and may still hold something of theirs: {each}"), err=True)
    if outcome.note:
        click.echo(outcome.note)
    if outcome.history:
        click.echo("Git's history still holds:")
    for line in outcome.history:
        click.echo(clean(f"  {line}"))
