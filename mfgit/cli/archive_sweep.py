"""`mfgit archive sweep`: archive what has been idle; for cron and timers."""

import click

from mfgit.cli.common import clean, json_option, print_json, progress, project
from mfgit.errors import EXIT_NO, EXIT_OK


@click.command()
@click.argument("files", nargs=-1, metavar="[TRANSCRIPT]...")
@click.option("--now", "everything", is_flag=True, help="Take what is still going on, too: for the end of the day.")
@click.option(
    "--idle", type=click.IntRange(0), default=30, show_default=True, metavar="MINUTES", help="How long nothing was said."
)
@click.option("--memories", is_flag=True, help="Also propose what is worth remembering, as mfgit memories --propose does.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, files: tuple[str, ...], everything: bool, idle: int, memories: bool, as_json: bool) -> int:
    """Archive sessions that have been idle: of appended turns, and of agents' transcripts.

    What was open at 23:59 local time is taken by the first run after that. Transcripts are those that a hook handed over,
    those that archive.transcripts names, and those given here. May be run as often as you like: what was read is not read
    again. Exit code 1 when one of several given could not be archived.
    """
    from mfgit.project import sweeping

    with progress() as show:
        swept = sweeping.sweep(project(ctx), files, everything=everything, idle=idle, memories=memories, progress=show)
    for problem in swept.problems:
        click.echo(clean(f"mfgit: {problem}"), err=True)
    if as_json:
        shown = {"sessions": list(swept.sessions), "problems": list(swept.problems), "proposals": dict(swept.proposals)}
        print_json({**swept._asdict(), **shown})
    else:
        end = f"; {swept.too_old:,} left, older than retention keeps whole" if swept.too_old else ""
        said = f"{len(swept.sessions):,} sessions archived, {swept.turns:,} new turns; {swept.going_on:,} still going on"
        click.echo(said + end)
        for proposal, status in swept.proposals.items():
            click.echo(f"Proposal {proposal}: {status}")
    return EXIT_NO if files and swept.problems else EXIT_OK
