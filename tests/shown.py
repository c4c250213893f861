"""Checks of what the documentation shows but does not run: settings, data, programs, and the options of commands."""

import configparser
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import yaml

from mfgit import config
from mfgit.cli.group import cli
from mfgit.errors import BadInput
from mfgit.guard.command import read_arguments
from tests.blocks import Block, Page, Wrong, mentions

STREAM = re.compile(r"(?<=\s)\d(?=[<>])")
"""The number of a stream that is led elsewhere: no word of the command."""
FOREIGN = {"build-system", "project", "repos", "tool"}
"""Tables of TOML files that are not mfgit's own."""
CALL = re.compile(
    r"""(?:^|[-|;&(=:*'"\[]|\b(?:sudo|exec|run|env))\s*(?:[\w/.-]*/bin/)?(mfgit +[a-zA-Z-][^|<>;&`()#]*)""", re.MULTILINE
)
"""Where a command may stand: first, behind an operator or another command, as the value of a key."""


def check_command(block: str) -> None:
    """Check that bash can read a script."""
    ran = subprocess.run(["bash", "-n"], input=block, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise Wrong(ran.stderr)


def check_toml(text: str) -> None:
    """Check a TOML file; unless it is another program's, as the settings of mfgit."""
    if not FOREIGN & set(tomllib.loads(text)):
        config.parse(text, "mfgit.toml")


def check_lines(text: str) -> None:
    """Check that every line is a JSON document."""
    for line in text.splitlines():
        json.loads(line)


def check_yaml(text: str) -> None:
    """Check that a YAML file can be read; a workflow is for zizmor to judge besides, all at once."""
    list(yaml.safe_load_all(text))


def check_units(text: str) -> None:
    """Check that a file of sections and keys can be read."""
    configparser.ConfigParser(strict=False, interpolation=None).read_string(text)


CHECKS: dict[str, Callable[[str], Any] | None] = {
    "bash": check_command,
    "console": None,  # its commands are run
    "crontab": None,
    "diff": None,
    "dockerfile": None,
    "html": None,
    "http": None,
    "ini": check_units,
    "json": json.loads,
    "jsonl": check_lines,
    "markdown": None,
    "mermaid": None,
    "nginx": None,
    "python": lambda text: compile(text, "block", "exec"),
    "text": None,
    "toml": check_toml,
    "ts": None,
    "yaml": check_yaml,
    "{toctree}": None,
}
"""Language -> what checks a block of it that is not run."""


def check(page: Page) -> None:
    """Raise `Wrong` where a block has no language or an unknown one, or cannot be read as what it says it is."""
    for block in page.blocks:
        where = f"{page.name}:{block.line}"
        if block.language not in CHECKS:
            raise Wrong(f"{where}: a block names one of {', '.join(CHECKS)}, not {block.language or 'nothing'}")
        checker = None if block.excuse else CHECKS[block.language]
        if checker:
            try:
                checker(block.text)
            except Exception as error:
                raise Wrong(f"{where}: {error}") from error


def is_workflow(block: Block) -> bool:
    """Whether a block is a whole GitHub workflow."""
    said = yaml.safe_load(block.text) if block.language == "yaml" else None
    return isinstance(said, dict) and "jobs" in said


def judge(workflows: dict[str, str], folder: Path) -> None:
    """Let zizmor judge workflows, by the name of a file each."""
    place = folder / ".github/workflows"
    place.mkdir(parents=True)
    for name, text in workflows.items():
        (place / f"{name}.yml").write_text(text, "utf-8")
    zizmor = Path(sys.executable).parent / "zizmor"
    ran = subprocess.run([zizmor, "--offline", "--no-progress", folder], capture_output=True, text=True, check=False)
    if ran.returncode:
        raise Wrong(ran.stdout + ran.stderr)


def check_mentions(page: Page) -> None:
    """Raise `Wrong` where a page names a command or an option that there is not."""
    for text, line in mentions(page):
        for found in CALL.findall(STREAM.sub("", text.replace("\\\n", " "))):
            if unknown := missing(words_of(found)):
                raise Wrong(f"{page.name}:{line}: `{found.strip()}`: {unknown}")


def words_of(text: str) -> list[str]:
    """Return the words of a command line; where its quotes are cut off, those between blanks."""
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return text.split()


def missing(words: list[str]) -> str:
    """Return which command or option of `mfgit …` there is not, else nothing."""
    command: click.Command = cli
    context = click.Context(cli, info_name="mfgit")
    rest = words[1:]
    while rest and rest[0] != "--":
        word = rest.pop(0)
        if word.startswith("-"):
            name, has_value, _ = word.partition("=")
            known = {name: option for option in command.get_params(context) for name in (*option.opts, *option.secondary_opts)}
            if name not in known:
                return f"there is no option {name}"
            option = known[name]
            if isinstance(option, click.Option) and not option.is_flag and not option.count and not has_value:
                del rest[: option.nargs]
        elif isinstance(command, click.Group):
            below = command.get_command(context, word)
            if below is None:
                return f"there is no command {word}"
            if word == "guard":
                return refused_by_the_guard(rest)
            command, context = below, click.Context(below, info_name=word, parent=context)
    return missing(rest[1:]) if rest[1:2] == ["mfgit"] else ""


def refused_by_the_guard(arguments: list[str]) -> str:
    """Return what the guard, which reads its own arguments, says to them."""
    try:
        read_arguments(arguments)
    except BadInput as error:
        return str(error)
    return ""
