"""`mfgit archive search`: find turns and sessions again."""

import click

from mfgit.cli import common
from mfgit.cli.common import clean
from mfgit.project import recalling


@click.command("search")
@click.argument("query")
@click.option("--date", metavar="DAY", help="Only this day, month (2026-03), year or range (2026-03-01..2026-03-29).")
@click.option("--since", metavar="DAY", help="Only from this day on.")
@click.option("--until", metavar="DAY", help="Only up to this day.")
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(1, recalling.MOST_HITS),
    default=recalling.DEFAULT_LIMIT,
    show_default=True,
    help="Show at most this many.",
)
@click.option(
    "--by", type=click.Choice(["date", "score"]), default="date", show_default=True, help="Newest first, or best first."
)
@common.json_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    query: str,
    date: str | None,
    since: str | None,
    until: str | None,
    limit: int,
    by: str,
    as_json: bool,
) -> int:
    """Find archived turns and sessions by QUERY, newest first.

    Found is what has QUERY inside a topic or keyword, or all its words, typing errors corrected; where that is little, also
    what has most of them. Exit code 0 with hits, 1 with none (the note says why).
    """
    with common.progress() as progress:
        found = common.project(ctx).recall(query, date=date, since=since, until=until, limit=limit, by=by, progress=progress)
    if as_json:
        common.print_json(found.to_json())
    else:
        show(found)
    return 0 if found.hits else 1


def show(found: recalling.Recall) -> None:
    """Print what was found as text."""
    for number, hit in enumerate(found.hits, 1):
        ids = "  ".join(each for each in (hit.session_id, hit.request_id) if each)
        click.echo(f"{number:2}  {hit.date}  {click.style(clean(ids), bold=True)}  [{hit.field}]  ({hit.score:.1f})")
        click.echo(f"    {clean(hit.snippet)}\n")
    if found.note:
        click.echo(clean(found.note), err=bool(found.hits))
