"""`mfgit preview`: what adopting a proposal would change for those who ask."""

from collections.abc import Iterator

import click

from mfgit.cli import common, completing
from mfgit.cli.common import clean_line
from mfgit.project.previewing import Change, Found, Preview, counts

MOST_SHOWN = 20


@click.command("preview", short_help="Ask a proposal's questions before and after adopting it.")
@click.argument("identity", metavar="ID", shell_complete=completing.proposals())
@common.json_option
@click.pass_context
def command(ctx: click.Context, *, identity: str, as_json: bool) -> int:
    """Ask the questions of a proposal's cluster on the target and on the tree that adopting it would make.

    Tells for each which page comes first, before and after, and where the page stands that should answer; then which other
    known questions (aliases, other proposals') get worse. Nothing is written and no checkout is touched. ID may be the start
    of an id. Exit code 1 when the proposal does not merge.
    """
    with common.progress() as progress:
        found = common.project(ctx).preview(identity, progress=progress)
    if as_json:
        common.print_json(found.to_json())
    else:
        for line in lines(found):
            click.echo(clean_line(line))
    return 1 if found.conflict else 0


def lines(found: Preview) -> Iterator[str]:
    """Yield the page of a preview."""
    one = found.known
    yield f"{one.id}  {one.status}  {one.record.action_type}  {one.record.title}"
    if found.conflict:
        yield f"It does not merge into {found.target[:12]}: {found.conflict}"
        return
    yield f"Should answer: {', '.join(found.pages) or 'nothing'}"
    yield from ("", f"{told(found.questions)} of its own questions, on {found.target[:12]} and with the proposal:")
    for change in found.questions[:MOST_SHOWN]:
        yield from shown(change)
    if len(found.questions) > MOST_SHOWN:
        yield f"  and {len(found.questions) - MOST_SHOWN} more (--json lists all)"
    more = f", {found.left_out:,} that share less were not asked" if found.left_out else ""
    others = f"{told(found.others)} of other known questions that share words with it{more}."
    yield from ("", others if found.others or more else "No other known question shares words with it.")
    for change in [each for each in found.others if each.verdict == "worse"][:MOST_SHOWN]:
        yield from shown(change)


def told(changes: tuple[Change, ...]) -> str:
    """Return how many questions got better and worse."""
    count = counts(changes)
    return f"{count['better']} better, {count['worse']} worse, {count['same']} the same"


def shown(change: Change) -> Iterator[str]:
    """Yield the lines of a question."""
    yield f"  {change.verdict:6}  {change.question}"
    yield f"          {place(change.before)} -> {place(change.after)}"
    if change.after.mark and change.after.mark != change.before.mark:
        yield f"          {change.after.mark}"


def place(found: Found) -> str:
    """Return which page comes first, and the rank of the one that should."""
    rank = "" if found.rank == 1 else f" (wanted: rank {found.rank})" if found.rank else " (wanted: not found)"
    return f"{found.first or 'nothing'}{rank}"
