"""`mfgit doctor`: what is stale, broken or unreadable, and the command that mends it."""

import sys

import click

from mfgit.cli import common, completing
from mfgit.cli.common import clean, clean_line
from mfgit.errors import EXIT_NO, EXIT_OK, BadInput
from mfgit.project import Project
from mfgit.project.doctoring import Report


@click.command("doctor", short_help="List what is stale, broken or unreadable, with the command that mends it.")
@click.option(
    "--ref",
    metavar="REF",
    shell_complete=completing.refs,
    help="Look at the tree of this branch, tag or commit (default: HEAD).",
)
@click.option("--migrate", is_flag=True, help="Bring what earlier versions of mfgit stored otherwise up to date.")
@click.option("-y", "--yes", is_flag=True, help="Migrate without asking.")
@click.option("-n", "--dry-run", is_flag=True, help="Only show what would be migrated.")
@common.json_option
@click.pass_context
def command(ctx: click.Context, *, ref: str | None, migrate: bool, yes: bool, dry_run: bool, as_json: bool) -> int:
    """List what is stale, contradictory, broken, unguarded, unreadable or orphaned, each with what mends it.

    Changes nothing. Exit code 0 when all is well, 1 when something was found.

    --migrate shows, then brings up to date what earlier versions of mfgit stored otherwise: hooks, names of session files,
    search indexes, word counts. Nothing in Git is touched, and no conversation. Asks first on a terminal; elsewhere --yes or
    --dry-run has to be given.
    """
    if migrate and ref:
        raise click.UsageError("--migrate looks at no ref: nothing in Git is migrated.")
    if migrate:
        return migrated(common.project(ctx), yes=yes, dry_run=dry_run, as_json=as_json)
    if yes or dry_run:
        raise click.UsageError("--yes and --dry-run go with --migrate.")
    with common.progress() as progress:
        report = common.project(ctx).examine(ref, progress)
    if as_json:
        common.print_json(report.to_json())
    else:
        show(report)
    return EXIT_NO if report.findings else EXIT_OK


def migrated(project: Project, *, yes: bool, dry_run: bool, as_json: bool) -> int:
    """Show what is to be migrated, ask, and do it."""
    steps = project.migration()
    asks = bool(steps) and not (yes or dry_run)
    if asks and not sys.stdin.isatty():
        raise BadInput(
            "mfgit doctor --migrate asks before it writes, and nobody is here to answer.",
            "Add --yes to migrate, --dry-run to look.",
        )
    if not as_json:
        for step in steps:
            click.echo(f"{click.style(clean_line(step.path), bold=True)}  {clean_line(step.what)}")
    if asks and not click.confirm("Migrate this?", err=as_json):
        click.echo("Nothing was changed.", err=True)
        return EXIT_NO
    if steps and not dry_run:
        steps = project.migrate()
    if as_json:
        common.print_json({"migrated": bool(steps) and not dry_run, "steps": [step.to_json() for step in steps]})
    elif not steps:
        click.echo("There is nothing to migrate.")
    else:
        click.echo("Nothing was changed: --dry-run." if dry_run else f"Migrated {len(steps)}.")
    return EXIT_OK


def show(report: Report) -> None:
    """Print a report as text."""
    for finding in report.findings:
        click.echo(
            f"{click.style(clean_line(finding.path), bold=True)}  {clean_line(finding.what)}\n    {clean_line(finding.mend)}"
        )
    count = len(report.findings)
    said = f"{count} thing{'s' if count > 1 else ''} to mend." if count else "All is well."
    click.echo(f"{said} Looked at {clean(report.ref)} ({report.commit[:12]}).")
