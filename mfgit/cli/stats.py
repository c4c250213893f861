"""`mfgit stats`: what adopted proposals did for those who ask."""

from collections.abc import Iterator

import click

from mfgit.adopt.lookback import Look, Period, flagged
from mfgit.cli import common
from mfgit.cli.common import clean_line
from mfgit.project.looking_back import DAYS, MOST_DAYS, LookBack

SAID = {
    "came_back": "Came back (asked after adoption, and users were not satisfied)",
    "unasked": "Nobody asks any more",
    "unfound": "Not found first by any of its own questions",
    "stale": "Stale (the originals moved on)",
}


@click.command("stats", short_help="Look back: adopts by type, and each question before and after.")
@click.option(
    "--days", type=click.IntRange(1, MOST_DAYS), default=DAYS, show_default=True, metavar="N", help="Days to look back."
)
@common.json_option
@click.pass_context
def command(ctx: click.Context, *, days: int, as_json: bool) -> int:
    """Look back at what was adopted: by type, and for each proposal how its question was asked before and after.

    Counts turns of the archive by the questions of each proposal's record, and asks a search what it finds for them now. What
    users were shown is not logged, so it is not told. Without an archive only Git and the records tell. Changes nothing.
    """
    with common.progress() as progress:
        found = common.project(ctx).stats(days, progress=progress)
    if as_json:
        common.print_json(found.to_json())
    else:
        for line in lines(found):
            click.echo(clean_line(line))
    return 0


def lines(found: LookBack) -> Iterator[str]:
    """Yield the page of a look back."""
    by_type = ", ".join(f"{kind} {count}" for kind, count in sorted(found.adopted.items()))
    more = f" ({by_type})" if by_type else ""
    yield (
        f"Last {found.days} days: {found.adopted.total()} adopted{more}, {found.rejected.total()} rejected,"
        f" {found.undone.total()} undone."
    )
    if found.heard.note:
        yield found.heard.note
    if found.heard.unreadable:
        yield f"{found.heard.unreadable} lines of the archive cannot be read: mfgit archive check lists them."
    for problem in found.problems:
        yield f"Left out: {problem}"
    for look in found.looks:
        yield from shown(look)
    for name, ids in flagged(found.looks).items():
        if ids:
            yield from ("", f"{SAID[name]}: {' '.join(ids)}")


def shown(look: Look) -> Iterator[str]:
    """Yield the lines of a proposal."""
    one, hits = look.known, look.hits
    when = f"{one.decided_at:%Y-%m-%d}" if one.decided_at else "long ago"
    yield from ("", f"{one.id}  {one.record.action_type}  adopted {when}  {one.record.title}")
    yield f"  before  {told(look.before)}"
    yield f"  after   {told(look.after)}"
    yield f"  now     first for {hits.first} and in the first ten for {hits.found} of {hits.asked} of its questions"
    if look.standing.stale:
        yield f"  stale   {', '.join(look.standing.stale)}"


def told(period: Period | None) -> str:
    """Return a period in words."""
    if period is None:
        return "not known: no day of the archive tells"
    share = (
        "" if period.dissatisfied_share is None else f", {period.dissatisfied} not satisfied ({period.dissatisfied_share:.0%})"
    )
    turns = f"{period.turns} turn{'' if period.turns == 1 else 's'}"
    if period.days is None:
        return f"{turns}{share}, as counted when it was proposed ({period.since[:10]} to {period.until[:10]})"
    rate = "" if period.per_week is None else f"{period.per_week:g} a week, "
    days = f"{period.days:.1f} days" if period.days >= 1 else "less than a day"
    return f"{rate}{turns} in {days}{share}"
