"""`mfgit archive retain`: let go of what has been kept long enough."""

import click

from mfgit.cli.common import clean, json_option, print_json, progress, project


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would go, and write nothing.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, dry_run: bool, as_json: bool) -> None:
    """Keep 7 days whole, to 30 days without replies and messages, then ids, rating, topic and summary, compressed.

    What was imported counts from its import. Turns that open proposals cite and what is on legal hold stay whole.
    """
    from mfgit.project import retaining

    with progress() as show:
        outcome = retaining.retain(project(ctx), dry_run=dry_run, progress=show)
    if as_json:
        print_json({"dry_run": dry_run, **retaining.report(outcome)})
        return
    for change in outcome.changes if dry_run else ():
        click.echo(clean(f"{change.file}: {change.summary:,} to a summary, {change.trace:,} to a trace"))
    for name in outcome.in_use:
        click.echo(clean(f"mfgit: {name} is being written by another program; the next run takes it"), err=True)
    for problem in outcome.problems:
        click.echo(clean(f"mfgit: {problem}"), err=True)
    summary, trace = sum(each.summary for each in outcome.changes), sum(each.trace for each in outcome.changes)
    would = "would be " if dry_run else ""
    if not summary + trace:
        click.echo("Nothing is due.")
    else:
        files = len(outcome.changes)
        left = f"{summary:,} turns and sessions {would}left as a summary, {trace:,} {would}left as a trace"
        click.echo(f"{left}, in {files:,} files.")
