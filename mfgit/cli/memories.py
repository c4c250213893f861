"""`mfgit memories`: what of a session is worth remembering."""

import click

from mfgit.cli import common
from mfgit.cli.common import clean
from mfgit.project import remembering


@click.command("memories", short_help="Extract what a session is worth remembering for.")
@click.argument("session")
@click.option("--types", metavar="TYPE,…", default="", help="Of user, feedback, project, reference; all unless given.")
@click.option("--propose", is_flag=True, help="Write them as Markdown under _forged/memory/TYPE/, one proposal a type.")
@click.option("--root", metavar="PATH", help="The knowledge root they go to, where there are several.")
@common.json_option
@click.pass_context
def command(ctx: click.Context, *, session: str, types: str, propose: bool, root: str | None, as_json: bool) -> int:
    """Extract memories from SESSION (its id or the start of it): by rules, each a quote with its place in the original.

    Exit code 0 with memories, 1 with none.
    """
    with common.progress() as progress:
        found = common.project(ctx).memories(session, types=types.split(","), propose=propose, root=root, progress=progress)
    if as_json:
        common.print_json(found.to_json())
    else:
        show(found)
    return 0 if found.memories else 1


def show(found: remembering.Remembered) -> None:
    """Print memories as text."""
    for memory in found.memories:
        where = f"message {memory.message}" if memory.message else memory.date
        click.echo(f"{click.style(memory.type, bold=True)}  {clean(memory.text)}  ({where})")
    for proposal, status in found.proposals.items():
        click.echo(f"Proposal {proposal}: {status}")
    if found.note:
        click.echo(clean(found.note), err=bool(found.memories))
