"""`mfgit archive forget`: remove a person or a session everywhere."""

import click

from mfgit.cli.common import clean, json_option, print_json, progress, project


@click.command()
@click.option("--user", "users", multiple=True, metavar="ID", help="A user, by user_id or as a session's participant.")
@click.option("--session", "sessions", multiple=True, metavar="ID", help="A session.")
@click.option("--dry-run", is_flag=True, help="Say what would go, and remove nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, *, users: tuple[str, ...], sessions: tuple[str, ...], dry_run: bool, yes: bool, as_json: bool
) -> None:
    """Remove users or sessions: turns, ratings, sessions, indexes, embeddings, and the excerpts of open proposals.

    Says what Git's history still holds and how to purge it. What is on legal hold is refused.
    """
    from mfgit.project import forgetting

    if not users and not sessions:
        raise click.UsageError("Name whom to forget with --user or --session.")
    if not (dry_run or yes or as_json):
        click.confirm("Remove them for good?", abort=True, err=True)
    with progress() as show:
        outcome = forgetting.forget(project(ctx), users, sessions, dry_run=dry_run, progress=show)
    if as_json:
        print_json({"dry_run": dry_run, **vars(outcome)})
        return
    changed = len(outcome.proposals) + len(outcome.removed_proposals)
    said = f"{outcome.turns:,} turns, {len(outcome.sessions):,} sessions, and what {changed:,} open proposals cite of them"
    click.echo(f"{'Would remove' if dry_run else 'Removed'} {said}.")
    for each in outcome.unreadable:
        click.echo(clean(f"Passed over, and may still hold something of theirs: {each}"), err=True)
    if outcome.note:
        click.echo(outcome.note)
    if outcome.history:
        click.echo("Git's history still holds:")
    for line in outcome.history:
        click.echo(clean(f"  {line}"))
