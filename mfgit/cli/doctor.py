"""`mfgit doctor`: what is stale, broken or unreadable, and the command that mends it."""

import click

from mfgit.cli import common, completing
from mfgit.cli.common import clean, clean_line
from mfgit.errors import EXIT_NO, EXIT_OK
from mfgit.project.doctoring import Report


@click.command("doctor", short_help="List what is stale, broken or unreadable, with the command that mends it.")
@click.option(
    "--ref",
    metavar="REF",
    shell_complete=completing.refs,
    help="Look at the tree of this branch, tag or commit (default: HEAD).",
)
@common.json_option
@click.pass_context
def command(ctx: click.Context, ref: str | None, as_json: bool) -> int:
    """List what is stale, contradictory, broken, unguarded, unreadable or orphaned, each with what mends it.

    Changes nothing. Exit code 0 when all is well, 1 when something was found.
    """
    with common.progress() as progress:
        report = common.project(ctx).examine(ref, progress)
    if as_json:
        common.print_json(report.to_json())
    else:
        show(report)
    return EXIT_NO if report.findings else EXIT_OK


def show(report: Report) -> None:
    """Print a report as text."""
    for finding in report.findings:
        click.echo(
            f"{click.style(clean_line(finding.path), bold=True)}  {clean_line(finding.what)}\n    {clean_line(finding.mend)}"
        )
    count = len(report.findings)
    said = f"{count} thing{'s' if count > 1 else ''} to mend." if count else "All is well."
    click.echo(f"{said} Looked at {clean(report.ref)} ({report.commit[:12]}).")
