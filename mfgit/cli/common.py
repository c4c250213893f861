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


def print_json(value: Any, indent: int | None = 2) -> None:
    """Print one JSON document; where the stream cannot take a character, and for loose bytes of a name, as escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    click.echo(text if encodable(text) else json.dumps(value, indent=indent))


def encodable(text: str) -> bool:
    """Tell whether standard output can take a text: no loose bytes of a file name, no character its encoding lacks."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def clean(text: str) -> str:
    """Return text from conversations or files as safe to print: control characters shown, not sent to the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else escaped(c) for c in text)


def clean_line(text: str) -> str:
    """Return a name or a title as safe to print in a line: `clean`, and line breaks and tabs shown too."""
    return "".join(c if c.isprintable() else escaped(c) for c in text)


def escaped(char: str) -> str:
    """Return a character that does not print as an escape; a loose byte of a file name as that byte."""
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


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
