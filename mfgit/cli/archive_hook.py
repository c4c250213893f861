"""`mfgit archive hook`: what an agent's own hook calls at compaction and at the end of a session."""

import sys

import click

from mfgit.cli.common import clean, json_option, print_json, progress, project
from mfgit.errors import EXIT_NO, EXIT_OK, MfgitError


@click.command()
@click.argument("file", required=False, metavar="[TRANSCRIPT]")
@click.option("--memories", is_flag=True, help="Also propose what is worth remembering, as mfgit memories --propose does.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, file: str | None, memories: bool, as_json: bool) -> int:
    """Archive the transcript that a hook of Claude Code or OpenClaw names on standard input, or the one given.

    Exits with 0, or with 1 and a sentence on standard error: nothing that an agent would take as a veto.
    """
    from mfgit.project import sweeping

    try:
        data = b"" if file or sys.stdin is None else sys.stdin.buffer.read()
        with progress() as show:
            added = sweeping.hook(project(ctx), data, file, show, memories=memories)
    except MfgitError as error:
        click.echo(clean(f"mfgit: {error}"), err=True)
        return EXIT_NO
    for note in added.followed.notes:
        click.echo(clean(f"mfgit: {note}"), err=True)
    if as_json:
        print_json(added.to_json())
    else:
        for line in added.lines():
            click.echo(clean(line), err=True)
    return EXIT_OK
