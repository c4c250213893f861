"""What commands share: the project of the `-C` folder, `--json`, and progress that shows on a terminal only."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from mfgit.printing import clean, clean_line, without_controls
from mfgit.progress import Progress
from mfgit.project import Project

__all__ = [
    "clean",
    "clean_line",
    "json_option",
    "json_text",
    "plain_terminal",
    "print_json",
    "progress",
    "project",
    "without_controls",
]

Command = TypeVar("Command", bound=Callable[..., Any])


def json_option(command: Command) -> Command:
    """Add `--json`, handed over as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")(command)


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
