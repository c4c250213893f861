"""`mfgit scan`: find the questions that repeat or disappoint, and propose answers."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from mfgit.cli.common import clean, json_option, print_json, progress, project
from mfgit.errors import BadInput

if TYPE_CHECKING:
    from mfgit.project.main import Project

PROBLEMS_SHOWN = 20


def moment(ctx: click.Context, parameter: click.Parameter, value: str | None) -> datetime | None:
    """Read a date, or a time with or without offset (UTC then)."""
    if value is None:
        return None
    try:
        return datetime.fromisoformat(value.strip().upper())
    except ValueError:
        raise BadInput(
            f"--{parameter.name} {value} is no date or time.", "Write it like 2026-01-31 or 2026-01-31T09:30:00+08:00."
        ) from None


@click.command()
@click.option(
    "--days", type=click.IntRange(1, 36500), help="Look at the last so many days (default: scan.days of the settings)."
)
@click.option("--since", callback=moment, metavar="TIME", help="Look from this date or time on, instead of --days.")
@click.option("--until", callback=moment, metavar="TIME", help="Look up to this date or time (default: now).")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Group the questions on the Dask cluster of this scheduler, like tcp://host:8786 (default: scan.scheduler).",
)
@click.option("--dry-run", is_flag=True, help="Write nothing: no branch, no snapshot.")
@click.option(
    "--explain",
    is_flag=False,
    flag_value="",
    metavar="[QUESTION]",
    help="Tell every reason; or what became of one question, and why.",
)
@click.option(
    "--calibrate", is_flag=True, help="Scan nothing; tell for each rule how many of its proposals were adopted and rejected."
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    days: int | None,
    since: datetime | None,
    until: datetime | None,
    scheduler: str | None,
    dry_run: bool,
    explain: str | None,
    calibrate: bool,
    as_json: bool,
) -> None:
    """Find the questions that repeat or disappoint, and propose answers, each on a branch of its own.

    Reads the conversations of the last days, and changes neither the checkout nor the target.
    """
    if calibrate:
        if days or since or until or explain is not None:
            raise BadInput("--calibrate reads what Git knows of proposals, of any time.", "Leave the other options out.")
        show_calibration(project(ctx), as_json=as_json)
        return
    from mfgit.scan import report
    from mfgit.scan.explain import explain as explain_question

    with progress() as show:
        window: dict[str, Any] = {"days": days, "since": since, "until": until}
        outcome = project(ctx).scan(**window, dry_run=dry_run, scheduler=scheduler, progress=show)
    for problem in outcome.problems[:PROBLEMS_SHOWN]:
        click.echo(f"mfgit: passed over {clean(problem)}", err=True)
    if len(outcome.problems) > PROBLEMS_SHOWN:
        click.echo(f"mfgit: and {len(outcome.problems) - PROBLEMS_SHOWN} more; mfgit archive check names them all", err=True)
    if as_json:
        asked = {"explained": explain_question(outcome, explain)} if explain else {}
        print_json({**outcome.to_json(), **asked})
    elif explain:
        click.echo("\n".join(clean(line) for line in explain_question(outcome, explain)))
    else:
        click.echo("\n".join(clean(line) for line in report.lines(outcome, explain=explain is not None)))


def show_calibration(here: "Project", *, as_json: bool) -> None:
    """Print what became of each rule's proposals."""
    from mfgit.scan.calibrate import lines, to_json

    rows = here.calibrate()
    if as_json:
        print_json(to_json(rows))
    else:
        click.echo("\n".join(clean(line) for line in lines(rows)))
