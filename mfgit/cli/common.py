"""What commands share: the project of the `-C` folder, `--json`, and progress that shows on a terminal only."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from mfgit.cli import completing
from mfgit.errors import BadInput
from mfgit.printing import clean, clean_line, without_controls
from mfgit.progress import Progress
from mfgit.project import Project

__all__ = [
    "clean",
    "clean_line",
    "json_option",
    "json_text",
    "narrowing",
    "plain_terminal",
    "print_json",
    "progress",
    "project",
    "reading",
    "root_option",
    "turns",
    "without_controls",
]

ROOT_HELP = "See only what is below this knowledge root (its path or workspace id); repeatable."
HISTORY = 'Write ["first turn", "second turn"], or [{"role": "user", "content": "…"}, …].'
Command = TypeVar("Command", bound=Callable[..., Any])


def json_option(command: Command) -> Command:
    """Add `--json`, handed over as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")(command)


def reading(command: Command) -> Command:
    """Add `--ref` and `--with`, handed over as `ref` and `with_id`: the tree that is read."""
    ref = click.option(
        "--ref", metavar="REF", shell_complete=completing.refs,
        help="Read the tree of this branch, tag or commit (default: HEAD).",
    )  # fmt: skip
    adopted = click.option(
        "--with", "with_id", metavar="ID", shell_complete=completing.proposals(*completing.OPEN),
        help="Read the tree that adopting this proposal would make.",
    )  # fmt: skip
    return ref(adopted(command))


def narrowing(command: Command) -> Command:
    """Add `--only`, `--root` and `--history`, handed over as `only`, `roots` and `history`; `turns` reads the last."""
    only = click.option("--only", type=click.Choice(["original", "overlay"]), help="Passages of this kind only.")
    history = click.option(
        "--history", metavar="TEXT", multiple=True,
        help="The user's turn before, the oldest first; repeatable. A lone - reads a JSON list from standard input.",
    )  # fmt: skip
    return only(root_option(history(command)))


def root_option(command: Command) -> Command:
    """Add `--root`, handed over as `roots`."""
    return click.option("--root", "roots", metavar="ROOT", multiple=True, help=ROOT_HELP)(command)


def turns(history: Sequence[str]) -> list[str]:
    """Return the user's turns of `--history`: as given, or from standard input as a JSON list of texts or messages.

    Of messages (`{"role", "content"}`) those of the role user count; of a content in parts, its texts. Raises `BadInput`.
    """
    if list(history) != ["-"]:
        return list(history)
    try:
        value = json.loads(sys.stdin.buffer.read().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"Standard input is not valid JSON: {error}.", HISTORY) from None
    if not isinstance(value, list):
        raise BadInput("The history on standard input is not a list.", HISTORY)
    return [said for number, entry in enumerate(value, 1) if (said := turn(entry, number)) is not None]


def turn(entry: Any, number: int) -> str | None:
    """Return what a user said in one entry of a history, None for what somebody else said."""
    if isinstance(entry, dict) and entry.get("role") not in (None, "user"):
        return None
    said = entry.get("content") if isinstance(entry, dict) else entry
    if isinstance(said, list) and isinstance(entry, dict):
        parts = [part.get("text") if isinstance(part, dict) else part for part in said]
        said = "\n".join(part for part in parts if isinstance(part, str))
    if not isinstance(said, str):
        raise BadInput(f"Entry {number} of the history is neither a text nor a message.", HISTORY)
    return said


def project(ctx: click.Context) -> Project:
    """Return the project that `-C` names."""
    return Project.open(ctx.find_root().obj or ".")


def print_json(value: Any) -> None:
    """Print one JSON document."""
    click.echo(json_text(value, indent=2))


def json_text(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON; with escapes where standard output cannot take a character."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return text if encodable(text) else json.dumps(value, indent=indent)


def encodable(text: str) -> bool:
    """Tell whether standard output can take a text: no loose bytes of a file name, no character its encoding lacks."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def plain_terminal() -> bool:
    """Tell whether the terminal takes no escapes, or its user wants none (https://no-color.org)."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


@contextmanager
def progress() -> Iterator[Progress]:
    """Yield a `Progress` that draws a bar on a terminal's standard error, and nothing in a pipe."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda what, done, of: None
        return
    width = 0

    def draw(what: str, done: int, of: int) -> None:
        nonlocal width
        share = f"{'#' * (24 * done // of):24} {done:,} of {of:,}" if of else f"{done:,}"
        line = f"{what}  {share}"
        click.echo("\r" + line.ljust(width), nl=False, err=True)
        width = len(line)

    try:
        yield draw
    finally:
        if width:
            click.echo("\r" + " " * width + "\r", nl=False, err=True)
