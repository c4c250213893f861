"""`mfgit archive`: keep conversations, redacted and durable."""

import importlib
import sys
from typing import Any

import click

from mfgit.cli.common import clean, clean_line, json_option, json_text, print_json, progress, project
from mfgit.cli.group import NearGroup
from mfgit.errors import EXIT_BAD_INPUT, EXIT_NO, EXIT_OK
from mfgit.progress import quiet

MODULES = {
    "import": "archive_import",
    "session": "archive_session",
    "search": "archive_search",
    "get": "archive_get",
    "hook": "archive_hook",
    "sweep": "archive_sweep",
    "retain": "archive_retain",
    "hold": "archive_hold",
    "forget": "archive_forget",
}
"""Command -> the module of `mfgit.cli` that holds it; imported only when the command is used."""
RATINGS = ("up", "down", "1", "2", "3", "4", "5")
EXAMPLE = (
    '{"timestamp": "2026-10-01T09:30:00+08:00", "request_id": "r0001", "session_id": "s1", "user_id": "u1", "help_mode": true, '
    '"user_message": "How do I cancel an order?", "assistant_message": "Open the orders page and press Cancel.", '
    '"assistant_message_id": "a0001"}'
)
"""One turn with everything that a scan looks at."""
APPEND = f"""Append turns: one JSON object a line on standard input, at least {{"timestamp", "user_message"}}.

For each turn, once it is on the disk and in order, one line is printed: {{"request_id", "assistant_message_id",
"date"}}. A line that is no turn is named on standard error and passed over; the exit code is then 2.

A complete line; help_mode or workspace_id says which knowledge root a turn belongs to:

\b
{EXAMPLE}
"""


class ArchiveGroup(NearGroup):
    """The group, with the commands that have a module of their own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names: what goes in first, then what comes out, then what keeps it in order."""
        return ["append", "rate", *MODULES, "check", "guard"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name, None for an unknown one."""
        if cmd_name not in MODULES:
            return super().get_command(ctx, cmd_name)
        found: click.Command = importlib.import_module(f"mfgit.cli.{MODULES[cmd_name]}").command
        return found


@click.group(cls=ArchiveGroup)
def command() -> None:
    """Keep conversations in day files: redacted before they are written, durable before they are acknowledged."""


@command.command(help=APPEND)
@click.option("--json", "as_json", is_flag=True, help="Changes nothing: what is printed is JSON always, one object a line.")
@click.pass_context
def append(ctx: click.Context, *, as_json: bool) -> int:
    """Append turns, as `APPEND` tells."""
    from mfgit.archive.appending import Ack, Rejected
    from mfgit.project import archiving

    code = EXIT_OK
    if sys.stdin is None:  # then its number may belong to a file of ours
        raise click.UsageError("Standard input is closed; give the turns there, one JSON object a line.")
    with progress() as show:
        shown = quiet if sys.stdout.isatty() else show  # acknowledgements would be drawn over
        for results in archiving.append_stream(project(ctx), sys.stdin.fileno(), shown):
            acks = [json_text(result._asdict()) + "\n" for result in results if isinstance(result, Ack)]
            sys.stdout.write("".join(acks))
            sys.stdout.flush()
            for result in results:
                if isinstance(result, Rejected):
                    code = EXIT_BAD_INPUT
                    click.echo(f"mfgit: standard input, line {result.line}: {clean_line(result.reason)}", err=True)
                elif isinstance(result, str):
                    click.echo(f"mfgit: {clean(result)}", err=True)
    return code


@command.command()
@click.argument("message_id", metavar="ASSISTANT_MESSAGE_ID")
@click.argument("rating", type=click.Choice(RATINGS), metavar="RATING")
@click.option("--reason", "reasons", multiple=True, metavar="TEXT", help="Why; may be given several times.")
@click.option("--note", metavar="TEXT", help="What the user wrote about the reply.")
@json_option
@click.pass_context
def rate(
    ctx: click.Context, *, message_id: str, rating: str, reasons: tuple[str, ...], note: str | None, as_json: bool
) -> None:
    """Rate a stored reply: up, down, or 1 (bad) to 5 (good). The last rating of a reply counts."""
    from mfgit.project import archiving

    value = int(rating) if rating.isdigit() else rating
    day, notes = archiving.rate_reply(project(ctx), message_id, value, reasons, note)
    for sentence in notes:
        click.echo(f"mfgit: {clean(sentence)}", err=True)
    if as_json:
        print_json({"assistant_message_id": message_id, "rating": value, "date": day})
    else:
        click.echo(clean(f"Rated {message_id} {rating}, in the file of {day}."))


@command.command()
@click.option("--rescan", is_flag=True, help="Also look for secrets that today's rules find in what is stored.")
@click.option("--mend", is_flag=True, help="Take them out, and make the catalogue of sessions anew.")
@json_option
@click.pass_context
def check(ctx: click.Context, *, rescan: bool, mend: bool, as_json: bool) -> int:
    """Read the whole archive, turns and sessions; name what cannot be read, where, and exit with 1 if there is any.

    With --rescan also what holds a secret, as another program may have written it or an older rule left it.
    """
    from mfgit.project import archiving

    leaks, mended = rescanned(ctx, rescan=rescan or mend, mend=mend)
    with progress() as show:
        found = archiving.check_archive(project(ctx), show)
    aside = archiving.quarantined(project(ctx))
    if as_json:
        shown = {**found._asdict(), "problems": [each._asdict() for each in found.problems], "quarantined": aside}
        more = {"leaks": [each._asdict() for each in leaks], "mended": mended} if rescan or mend else {}
        print_json({**shown, **more})
    else:
        for leak in leaks:
            click.echo(clean(str(leak)))
        if mend:
            click.echo(f"{mended:,} lines and sessions mended")
        for problem in found.problems:
            click.echo(clean(str(problem)))
        for name in aside:
            click.echo(clean(f"{name}: holds unfinished lines (torn) that were set aside earlier"))
        click.echo(f"{found.turns:,} turns and {found.ratings:,} ratings in {found.files:,} day files", nl=False)
        click.echo(f"; {found.sessions:,} sessions" if found.sessions else "", nl=False)
        click.echo(f"; {found.repeated:,} turns came again" if found.repeated else "", nl=False)
        end = f"; {len(found.problems):,} problems" if found.problems else "; all can be read"
        click.echo(f"; {found.traces:,} older ones are traces" if found.traces else "", nl=False)
        click.echo(end)
    return EXIT_NO if found.problems or (leaks and not mend) else EXIT_OK


def rescanned(ctx: click.Context, *, rescan: bool, mend: bool) -> tuple[list[Any], int]:
    """Return what a rescan finds, and how much was mended."""
    if not rescan:
        return [], 0
    from mfgit.project import rescanning

    return rescanning.rescan(project(ctx)), rescanning.mend_archive(project(ctx)) if mend else 0


@command.command("guard")
@click.option("--staged", is_flag=True, help="What is staged now; the default.")
@click.option("--range", "span", metavar="BASE..HEAD", help="What every commit of a range brings in (CI).")
@click.option("--allow", "allowed", multiple=True, metavar="PATTERN", help="Let paths of this pattern or folder through.")
@json_option
@click.pass_context
def guard_command(ctx: click.Context, *, staged: bool, span: str | None, allowed: tuple[str, ...], as_json: bool) -> int:
    """Keep archive files and secrets out of Git.

    Refuses day files, session files and quarantines, wherever they lie and whatever they are called, and overlays that
    hold what redaction takes out.
    """
    from mfgit.guard import report
    from mfgit.project import leaking

    if staged and span:
        raise click.UsageError("--staged and --range cannot go together.", ctx)
    found = leaking.in_range(project(ctx), span, allowed) if span else leaking.staged(project(ctx), allowed)
    if as_json:
        click.echo(report.as_json(found))
    elif found:
        click.echo(report.as_text(found), nl=False, err=True)
    return EXIT_NO if found else EXIT_OK
