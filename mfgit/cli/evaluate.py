"""`mfgit eval`: how often questions find their known page."""

from pathlib import Path

import click

from mfgit.cli import common
from mfgit.cli.common import clean
from mfgit.project.evaluating import Evaluation

MOST_CHANGED = 20


@click.command("eval", short_help="Measure how often questions find their known page first.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--ref", "refs", metavar="REF", multiple=True, help="Ask at this ref; may be given several times (default: HEAD)."
)
@common.json_option
@click.pass_context
def command(ctx: click.Context, file: Path, refs: tuple[str, ...], as_json: bool) -> None:
    """Ask the questions of FILE, JSON lines of {"question", "doc_ids": [path]}, and measure hit@1, hit@5 and MRR@10.

    With several refs, also list the questions whose first page differs between the first ref and the last.
    """
    with common.progress() as progress:
        evaluation = common.project(ctx).evaluate(file, refs, progress=progress)
    if as_json:
        common.print_json(evaluation.to_json())
    else:
        show(evaluation)


def show(evaluation: Evaluation) -> None:
    """Print an evaluation as text."""
    width = max(3, *(len(report.ref) for report in evaluation.refs))
    click.echo(f"{len(evaluation.questions):,} questions\n")
    click.echo(f"{'ref':{width}}  commit        hit@1  hit@5  MRR@10")
    for report in evaluation.refs:
        m = report.measures
        click.echo(f"{clean(report.ref):{width}}  {report.commit[:12]}  {m.hit1:.3f}  {m.hit5:.3f}  {m.mrr10:.3f}")
    changed = evaluation.changed()
    if changed:
        click.echo(f"\n{len(changed):,} questions find another page first:")
    for entry in changed[:MOST_CHANGED]:
        click.echo(clean(f"  {entry['question']}\n    {entry['before'] or 'nothing'} -> {entry['after'] or 'nothing'}"))
    if len(changed) > MOST_CHANGED:
        click.echo(f"  and {len(changed) - MOST_CHANGED:,} more (--json lists all)")
