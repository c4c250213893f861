"""`mfgit search`: find the passages that answer a question."""

import click

from mfgit.cli import common
from mfgit.cli.common import clean, clean_line
from mfgit.passages import Hit
from mfgit.project.searching import DEFAULT_HITS, Answer

PREVIEW = 240
"""Characters of a passage that are shown."""


@click.command("search", short_help="Find the passages that answer a question.")
@click.argument("query")
@click.option("--ref", metavar="REF", help="Search the tree of this branch, tag or commit (default: HEAD).")
@click.option("--with", "with_id", metavar="ID", help="Search the tree that adopting this proposal would make.")
@click.option(
    "-n", "limit", type=click.IntRange(1, 60), default=DEFAULT_HITS, show_default=True, help="Show at most this many."
)
@click.option("--only", type=click.Choice(["original", "overlay"]), help="Show passages of this kind only.")
@common.json_option
@click.pass_context
def command(
    ctx: click.Context, *, query: str, ref: str | None, with_id: str | None, limit: int, only: str | None, as_json: bool
) -> int:
    """Find the passages that answer QUERY, originals first.

    Reads what is committed, never the work tree. Exit code 0 with hits, 1 with none (the note says why).
    """
    with common.progress() as progress:
        project = common.project(ctx)
        answer = project.search(query, ref=ref, with_id=with_id, limit=limit, only=only, progress=progress)
    if as_json:
        common.print_json(answer.to_json())
    else:
        show(answer)
    return 0 if answer.hits else 1


def show(answer: Answer) -> None:
    """Print an answer as text."""
    for number, hit in enumerate(answer.hits, 1):
        click.echo(f"{number:2}  {title(hit)}")
        if hit.mark:
            click.secho(f"    {clean_line(hit.mark)}", fg="yellow")
        click.echo(f"    {clean_line(preview(hit.passage.text))}\n")
    if answer.note:
        click.echo(clean(answer.note), err=bool(answer.hits))


def title(hit: Hit) -> str:
    """Return the line that names a hit."""
    passage = hit.passage
    heading = " > ".join((*passage.trail, passage.heading)) or passage.title
    where = f"{passage.path}:{passage.lines[0]}"
    kind = "" if passage.kind == "original" else "  [stale overlay]" if passage.stale else "  [overlay]"
    return f"{click.style(clean_line(where), bold=True)}  {clean_line(heading)}{kind}  ({hit.score:.1f})"


def preview(text: str) -> str:
    """Return the beginning of a passage on one line, without its heading."""
    lines = text.split("\n")
    body = " ".join(" ".join(lines[1:] if lines[0].startswith("#") and len(lines) > 1 else lines).split())
    return body if len(body) <= PREVIEW else body[:PREVIEW].rsplit(" ", 1)[0] + " …"
