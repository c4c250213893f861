"""`mfgit eval`: how often questions find their known page."""

from pathlib import Path

import click

from mfgit.cli import common, completing
from mfgit.cli.common import clean
from mfgit.errors import BadInput
from mfgit.project.evaluating import Evaluation, RefReport

MOST_CHANGED = 20
MOST_UNKNOWN = 5


@click.command("eval", short_help="Measure how often questions find their known page first.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--ref",
    "refs",
    metavar="REF",
    multiple=True,
    shell_complete=completing.refs,
    help="Ask at this ref; may be given several times (default: HEAD).",
)
@common.root_option
@click.option("--max-regressions", type=click.IntRange(0), help="Exit 1 when more questions than this get worse.")
@click.option("--fail-below", type=click.FloatRange(0, 1), help="Exit 1 when hit@1 of the last ref is below this.")
@common.json_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    file: Path,
    refs: tuple[str, ...],
    roots: tuple[str, ...],
    max_regressions: int | None,
    fail_below: float | None,
    as_json: bool,
) -> int:
    """Ask the questions of FILE, JSON lines of {"question", "doc_ids": [path]}, and measure hit@1, hit@5 and MRR@10.

    With several refs, also list the questions that find another page first, or a known page at another rank, at the last ref
    than at the first. A question may carry the user's turns before it as "history": [text].
    """
    if max_regressions is not None and len(refs) < 2:
        raise BadInput("--max-regressions compares two refs.", "Give --ref twice, as in --ref main --ref HEAD.")
    with common.progress() as progress:
        evaluation = common.project(ctx).evaluate(file, refs, roots=roots, progress=progress)
    if as_json:
        common.print_json(evaluation.to_json())
    else:
        show(evaluation)
    return verdict(evaluation, max_regressions, fail_below)


def verdict(evaluation: Evaluation, most_worse: int | None, least: float | None) -> int:
    """Return the exit code, with a sentence for each limit that is not kept."""
    said = []
    if most_worse is not None and (worse := evaluation.worse()) > most_worse:
        said.append(f"{worse:,} questions get worse, more than {most_worse:,}.")
    hit1 = evaluation.refs[-1].measures.hit1
    if least is not None and hit1 < least:
        said.append(f"hit@1 is {hit1:.3f}, below {least:g}.")
    for sentence in said:
        click.echo(f"mfgit: {sentence}", err=True)
    return 1 if said else 0


def show(evaluation: Evaluation) -> None:
    """Print an evaluation as text."""
    width = max(3, *(len(report.ref) for report in evaluation.refs))
    click.echo(f"{len(evaluation.questions):,} questions\n")
    click.echo(f"{'ref':{width}}  commit        hit@1  hit@5  MRR@10")
    for report in evaluation.refs:
        m = report.measures
        click.echo(f"{clean(report.ref):{width}}  {report.commit[:12]}  {m.hit1:.3f}  {m.hit5:.3f}  {m.mrr10:.3f}")
    for report in evaluation.refs:
        show_unknown(report)
    changed = evaluation.changed()
    if changed:
        better = sum(entry["verdict"] == "better" for entry in changed)
        click.echo(f"\n{len(changed):,} questions find something else, {better:,} better and {evaluation.worse():,} worse:")
    for entry in changed[:MOST_CHANGED]:
        was, now = (rank or "-" for rank in entry["ranks"])
        first = f"{entry['before'] or 'nothing'} -> {entry['after'] or 'nothing'}"
        click.echo(clean(f"  {entry['verdict']:6}  {entry['question']}\n          {first}  (known page: {was} -> {now})"))
    if len(changed) > MOST_CHANGED:
        click.echo(f"  and {len(changed) - MOST_CHANGED:,} more (--json lists all)")


def show_unknown(report: RefReport) -> None:
    """Print the pages that questions name and a ref does not have."""
    if not report.unknown:
        return
    more = len(report.unknown) - MOST_UNKNOWN
    pages = ", ".join(report.unknown[:MOST_UNKNOWN]) + (f" and {more:,} more (--json lists all)" if more > 0 else "")
    counted = f"; {report.lost:,} of the questions name no other page and count as not found" if report.lost else ""
    click.echo(clean(f"\n{report.ref} does not have {pages}{counted}."))
