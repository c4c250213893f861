"""`mfgit archive session`: archive whole conversations."""

import sys
from typing import Any

import click

from mfgit.cli.common import clean, json_option, print_json, progress, project
from mfgit.cli.group import NearGroup


@click.group(cls=NearGroup)
def command() -> None:
    """Archive whole conversations, with what was decided and learned in them."""


@command.command()
@click.argument("file", required=False, metavar="[FILE]", type=click.Path())
@click.option("--workspace", metavar="ID", help="The workspace that the conversation belongs to.")
@click.option("--help-layer", is_flag=True, help="It belongs to the help layer.")
@click.option("--channel", metavar="NAME", help="Where it took place, such as webchat.")
@click.option("--memories", is_flag=True, help="Also propose what is worth remembering, as mfgit memories --propose does.")
@json_option
@click.pass_context
def add(
    ctx: click.Context,
    *,
    file: str | None,
    workspace: str | None,
    help_layer: bool,
    channel: str | None,
    memories: bool,
    as_json: bool,
) -> None:
    """Archive a session: JSON on standard input (no FILE, or -), or a FILE of it or of an agent's transcript.

    JSON is {"sessionId", "messages": [{"role", "content", "time"}], …}; what is missing of "summary", "topics" and the
    like is made. The same session may be added again when it has grown.
    """
    from mfgit.project import adding

    meta: dict[str, Any] = {"workspace_id": workspace, "help_mode": help_layer or None}
    data = None
    if file in (None, "-"):
        file = None
        if sys.stdin is None or sys.stdin.isatty():
            raise click.UsageError("Give the session on standard input, or name a file.")
        data = sys.stdin.buffer.read()
    with progress() as show:
        added = adding.add(project(ctx), data, file, meta=meta, channel=channel, memories=memories, progress=show)
    for note in added.followed.notes:
        click.echo(clean(f"mfgit: {note}"), err=True)
    if as_json:
        print_json(added.to_json())
    else:
        for line in added.lines():
            click.echo(clean(line))
