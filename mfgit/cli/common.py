"""What commands share: the project of the `-C` folder, `--json`, and progress that shows on a terminal only."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from mfgit.progress import Progress
from mfgit.project import Project

Command = TypeVar("Command", bound=Callable[..., Any])


def json_option(command: Command) -> Command:
    """Add `--json`, handed over as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")(command)


def project(ctx: click.Context) -> Project:
    """Return the project that `-C` names."""
    return Project.open(ctx.find_root().obj or ".")


def print_json(value: Any) -> None:
    """Print one JSON document."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    click.echo("".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text) if has_odd(text) else text)


def has_odd(text: str) -> bool:
    """Tell whether a text holds bytes of a file name or an argument that are not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def clean(text: str) -> str:
    """Return text from conversations or files as safe to print: control characters shown, not sent to the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in text)


@contextmanager
def progress() -> Iterator[Progress]:
    """Yield a `Progress` that draws a bar on a terminal's standard error, and nothing in a pipe."""
    if not sys.stderr.isatty():
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
