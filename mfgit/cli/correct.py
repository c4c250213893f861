"""`mfgit correct`: put a misunderstanding right from the record."""

import click

from mfgit.cli import common
from mfgit.cli.common import clean
from mfgit.project import correcting


@click.command("correct", short_help="Put a misunderstanding right from the archived words.")
@click.argument("query")
@click.option("--date", metavar="DAY", help="When it was said: a day, a month or a range.")
@click.option("--belief", metavar="TEXT", help="What was taken for true, to compare with the original.")
@click.option("--record", "correction", metavar="TEXT", help="What is right: proposed as a feedback memory.")
@click.option("--root", metavar="PATH", help="The knowledge root the memory goes to, where there are several.")
@common.json_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    query: str,
    date: str | None,
    belief: str | None,
    correction: str | None,
    root: str | None,
    as_json: bool,
) -> None:
    """Search the archive for QUERY, show the original words, compare them with what was believed, record the correction."""
    with common.progress() as progress:
        done = correcting.correct(
            common.project(ctx), query, date=date, belief=belief, correction=correction, root=root, progress=progress
        )
    if as_json:
        common.print_json(done.to_json())
    else:
        show(done)


def show(done: correcting.Corrected) -> None:
    """Print what was really said, and how the belief compares."""
    click.secho(clean(f"{done.date}  {done.session_id}"), bold=True)
    for number, message, _ in done.messages:
        click.secho(clean(f"{number}  {message.role}"), fg="cyan")
        click.echo(clean(message.content))
    if done.comparison:
        told = done.comparison
        missing = ", ".join((*told.numbers, *(word for word in told.words if word not in told.numbers)))
        click.echo(
            f"\nOf the belief, {told.share:.0%} of the words stand there"
            + (f"; not there: {clean(missing)}." if missing else ".")
        )
    if done.recorded:
        for proposal, status in done.recorded.proposals.items():
            click.echo(f"Proposal {proposal}: {status}. mfgit show {proposal} shows it.")
    else:
        click.echo("\nRecord what is right with --record TEXT; it becomes a proposal that a person reviews.")
