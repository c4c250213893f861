"""`mfgit show`: one proposal, why it exists, its evidence, its text and its diff."""

from collections.abc import Iterator

import click

from mfgit.cli import completing
from mfgit.cli.common import clean, json_option, print_json, project
from mfgit.model import Evidence
from mfgit.project.showing import Shown

NEXT = {
    "open": "mfgit adopt {id}, or mfgit reject {id} --reason …",
    "edited": "mfgit adopt {id}, or mfgit reject {id} --reason …",
    "stale": "mfgit scan proposes it anew; mfgit refresh {id} --checked keeps it as it is",
    "adopted": "mfgit undo {id} takes it out again",
    "rejected": "mfgit restore {id} reopens it",
    "closed": "mfgit restore {id} reopens it; a scan does when the originals no longer answer it",
    "undone": "mfgit adopt {id} adopts it again, mfgit restore {id} reopens it as a branch",
}


@click.command("show", short_help="Show one proposal: why, evidence, and what it would change.")
@click.argument("identity", metavar="ID", shell_complete=completing.proposals())
@json_option
@click.pass_context
def command(ctx: click.Context, *, identity: str, as_json: bool) -> None:
    """Show one proposal: why it exists, its evidence with ratings, its text, and what it would change.

    ID may be the start of an id.
    """
    shown = project(ctx).show(identity)
    if as_json:
        print_json(
            {**shown.known.to_json(), "texts": shown.texts, "diff": shown.diff, "contradictions": list(shown.contradictions)}
        )
    else:
        click.echo("\n".join(clean(line) for line in lines(shown)))


def lines(shown: Shown) -> Iterator[str]:
    """Yield the page of a proposal."""
    one, record = shown.known, shown.known.record
    yield f"{record.title}"
    yield f"{one.id}  {one.status}  {record.action_type}  {record.priority} priority  {record.target_layer} root {record.root}"
    if one.branch:
        yield f"branch {one.branch} at {(one.commit or '')[:12]}"
    if one.reason:
        yield f"{one.status}{' for ever' if one.forever else ''}: {one.reason}"
    yield ""
    by = f" by {record.distinct_users} people" if record.distinct_users else ""
    who = f"{by}, {record.dissatisfied_count} unhappy"
    yield f"Asked {record.frequency} times{who}, {record.first_seen} to {record.last_seen}."
    yield from (f"  why: {reason}" for reason in record.why)
    yield from (f"  based on {source.path}" for source in record.based_on)
    yield from (f"  contradicts: {against}" for against in shown.contradictions)
    yield from (f"  related {page.path}{f': “{page.quote}”' if page.quote else ''}" for page in record.related)
    yield from (f"  may be the same as {other}  {shown.titles.get(other, '(waiting)')}" for other in shown.similar)
    yield from ("", f"Evidence ({len(record.evidence)} of {record.frequency}):")
    yield from map(evidence, record.evidence)
    for path, text in shown.texts.items():
        yield from ("", f"Text ({path}):", *(f"  {line}" for line in text.split("\n")))
    yield from (
        "",
        "Changes:",
        shown.diff.rstrip() or "  nothing on the target",
        "",
        f"Next: {NEXT[one.status].format(id=one.id)}",
    )


def evidence(entry: Evidence) -> str:
    """Return one cited turn."""
    rating = "" if entry.rating is None else f" [{entry.rating}{': ' + ', '.join(entry.reasons) if entry.reasons else ''}]"
    return f"  {entry.date}  {entry.request_id}{rating}  {entry.excerpt}"
