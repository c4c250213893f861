"""`mfgit archive get`: a conversation as it was."""

import re

import click

from mfgit.cli import common
from mfgit.cli.common import clean
from mfgit.project import fetching

HEAD = re.compile(r"^(?=\d+  \S)", re.MULTILINE)
"""Where a line of a message looks like the head of another message; it is set in by a blank."""


@click.command("get")
@click.argument("identity", metavar="ID")
@click.option("--messages", metavar="RANGE", help="Only these messages: 3-10, 5, 20- or -10 (the last ten).")
@click.option(
    "--budget",
    type=click.IntRange(0),
    default=0,
    metavar="BYTES",
    help="Print at most so much, all counted (from 1000 on), and name the ranges left.",
)
@common.json_option
@click.pass_context
def command(ctx: click.Context, *, identity: str, messages: str | None, budget: int, as_json: bool) -> None:
    """Print an archived conversation by its session id, a request id in it, or an unambiguous start of either."""
    with common.progress() as progress:
        found = common.project(ctx).fetch(identity, messages=messages, budget=budget, progress=progress)
    if as_json:
        common.print_json(found.to_json())
    else:
        show(found)


def show(found: fetching.Fetched) -> None:
    """Print a conversation as text."""
    about = found.talk.about
    head = "  ".join(each for each in (found.talk.date, found.talk.session_id, str(about.get("title", ""))) if each)
    click.secho(clean(head), bold=True)
    for name in ("topics", "summary"):
        if value := about.get(name):
            click.echo(clean(f"{name}: {value if isinstance(value, str) else ', '.join(map(str, value))}"))
    for number, message, cut in found.part.messages:
        when = message.time.isoformat(timespec="minutes") if message.time else ""
        click.secho(clean(f"\n{number}  {message.role}  {when}".rstrip()), fg="cyan")
        click.echo(HEAD.sub(" ", clean(message.content)) + (f"\n… {cut:,} bytes left out" if cut else ""))
    if found.note:
        click.echo(clean(f"\n{found.note}"))
    if found.part.suggested:
        click.echo(f"Ranges that fit: {', '.join(found.part.suggested)}")
