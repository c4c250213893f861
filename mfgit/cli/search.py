"""`mfgit search`: find the passages that answer a question."""

from typing import TYPE_CHECKING, Any

import click

from mfgit.cli import common
from mfgit.cli.common import clean, clean_line
from mfgit.errors import MfgitError
from mfgit.passages import Hit
from mfgit.project.searching import DEFAULT_HITS, Answer

if TYPE_CHECKING:
    from mfgit.project.expecting import Expected

SKIP = 125
"""What `git bisect run` takes for a commit that cannot be tested."""
PREVIEW = 240
"""Characters of a passage that are shown."""


@click.command("search", short_help="Find the passages that answer a question.")
@click.argument("query")
@common.reading
@click.option(
    "-n", "limit", type=click.IntRange(1, 60), default=DEFAULT_HITS, show_default=True, help="Show at most this many."
)
@common.narrowing
@click.option("--expect", metavar="PAGE", help="Exit 1 unless this page (PATH or PATH#ANCHOR) comes first; for git bisect run.")
@common.json_option
@click.pass_context
def command(
    ctx: click.Context, /, *, query: str, expect: str | None, history: tuple[str, ...], as_json: bool, **options: Any
) -> int:
    """Find the passages that answer QUERY, originals first.

    Reads what is committed, never the work tree. Exit code 0 with hits, 1 with none (the note says why). With --expect, 0 when
    the page comes first, 1 when another does, 2 for a page that is not there; while a bisect is going on, 125 where the commit
    cannot be searched (what git bisect run skips).
    """
    before = common.turns(history)
    if expect is not None:
        return expecting(ctx, query, expect, before, as_json=as_json, **options)
    with common.progress() as progress:
        answer = common.project(ctx).search(query, history=before, progress=progress, **options)
    if as_json:
        common.print_json(answer.to_json())
    else:
        show(answer)
    return 0 if answer.hits else 1


def expecting(ctx: click.Context, query: str, page: str, history: list[str], *, as_json: bool, **options: Any) -> int:
    """Say whether a page comes first; 125 where the commit that a bisect is at cannot be searched."""
    project = common.project(ctx)
    try:
        with common.progress() as progress:
            found = project.expect(query, page, history=history, progress=progress, **options)
    except MfgitError as error:
        if not project.bisecting():
            raise
        click.echo(f"mfgit: {clean(str(error))}", err=True)
        return SKIP
    if as_json:
        common.print_json(found.to_json())
    else:
        click.echo(clean(verdict(found)))
    return 0 if found.met else 1


def verdict(found: "Expected") -> str:
    """Return whether the expected page came first, and what did instead."""
    where = f"{found.answer.commit[:12]}: "
    if found.met:
        return f"{where}{found.page} comes first."
    place = f"it is at rank {found.rank}" if found.rank else "it is not among what was found"
    hits = found.answer.hits
    if not hits:
        return f"{where}{found.page} does not come first: nothing was found. {found.answer.note or ''}".rstrip()
    first = hits[0].passage
    anchor = f"#{first.anchor}" if first.anchor else ""
    return f"{where}{first.path}{anchor} comes first, not {found.page}: {place}."


def show(answer: Answer) -> None:
    """Print an answer as text."""
    for number, hit in enumerate(answer.hits, 1):
        click.echo(f"{number:2}  {title(hit)}")
        if hit.mark:
            click.secho(f"    {clean_line(hit.mark)}", fg="yellow")
        click.echo(f"    {clean_line(preview(hit.passage.text))}")
        if hit.folded:
            click.echo(f"    Nearly the same: {', '.join(clean_line(f'{p.path}:{p.lines[0]}') for p in hit.folded)}")
        click.echo()
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
