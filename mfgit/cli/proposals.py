"""`mfgit proposals`: list the proposals."""

import click

from mfgit.cli.common import clean, clean_line, json_option, print_json, project
from mfgit.model import Known

STATUSES = ("open", "edited", "stale", "adopted", "rejected", "closed", "undone")
ORDER = {"high": 0, "medium": 1, "low": 2}


@click.command("proposals", short_help="List the proposals.")
@click.option("--status", type=click.Choice(STATUSES), help="List those of this status only.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, status: str | None, as_json: bool) -> None:
    """List the proposals: what waits for a decision first, then what was decided.

    Everything is read from Git, so every clone that has fetched the branches and refs/mfgit/* lists the same.
    """
    here = project(ctx)
    state = here.survey()
    for problem in state.problems:
        click.echo(f"mfgit: passed over: {clean(problem)}", err=True)
    found = [one for one in state.known if status in (None, one.status)]
    if as_json:
        print_json([one.to_json() for one in found])
    elif found:
        for one in sorted(
            found, key=lambda one: (STATUSES.index(one.status), ORDER.get(one.record.priority, 3), -one.record.frequency)
        ):
            click.echo(row(one))
        click.echo(f"\n{summary(found)}")
    else:
        click.echo(f"No proposal is {status}." if status else "There are no proposals. mfgit scan looks for some.")


def row(one: Known) -> str:
    """Return a line of the table."""
    record = one.record
    asked = f"{record.frequency}x" + (f" {record.dissatisfied_count} unhappy" if record.dissatisfied_count else "")
    return (
        f"{one.id}  {one.status:8}  {record.action_type:15}  {record.priority:6}  {asked:14}  {clean_line(record.title)[:80]}"
    )


def summary(found: list[Known]) -> str:
    """Return how many there are of each status, and the next step."""
    counts = ((sum(one.status == status for one in found), status) for status in STATUSES)
    told = ", ".join(f"{count} {status}" for count, status in counts if count)
    return f"{told}. mfgit show ID tells why, with the evidence."
