"""Write the manual pages, `share/man/man1/*.1`, from the commands themselves. `make docs` runs it; a test compares.

One page a command; those behind a group, such as `archive append`, are sections of the group's page. In man(7) macros that
groff and mandoc both read, in ASCII, and the same under every click that mfgit takes.
"""

import importlib
import inspect
import re
import sys
from pathlib import Path

import click

from mfgit import __version__
from mfgit.cli.group import COMMANDS, cli
from mfgit.guard.command import USAGE

TOP = Path(__file__).parent.parent
FOLDER = TOP / "share/man/man1"
EXITS = (
    ("0", "yes, or done"),
    ("1", "the answer is no"),
    ("2", "used wrongly, or bad input"),
    ("3", "a bug in mfgit"),
    ("130", "interrupted"),
    ("141", "the reader of the output went away"),
)
VARIABLES = (
    ("CHAT_ARCHIVE_DIR", "The folder of the conversations, in place of archive.chat in mfgit.toml."),
    ("MFGIT_ORIGINAL_EDIT", "The reason for an edit of an original, for the guard's hook."),
    ("NO_COLOR", "No colour on a terminal."),
)
FILES = (
    ("mfgit.toml", "The settings, at the top of the knowledge repository; mfgit init writes it with every default."),
    ("ROOT/index.json", "The pages of a knowledge root, with the wordings that lead to them."),
    ("ROOT/_forged/", "What was adopted."),
    (".git/mfgit/", "Search indexes and other derived data, which may be deleted at any time."),
)


def main() -> None:
    """Write every page, and take away those of commands that are gone."""
    made = pages()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in set(FOLDER.glob("*.1")) - {FOLDER / name for name in made}:
        old.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, "ascii", newline="\n")
    sys.stdout.write(f"{FOLDER.relative_to(TOP)}: {len(made)} pages\n")


def pages() -> dict[str, str]:
    """Return the pages by their file name."""
    found = {"mfgit.1": overview()}
    for name, line in COMMANDS.items():
        command = importlib.import_module(f"mfgit.cli.{'evaluate' if name == 'eval' else name}").command
        parts = guard() if name == "guard" else [*synopsis(f"mfgit {name}", command), *body(command), *below(name, command)]
        found[f"mfgit-{name}.1"] = page(f"mfgit-{name}", line, parts)
    return found


def page(name: str, line: str, parts: list[str]) -> str:
    """Return a page from its parts between the name and the exit codes."""
    others = [other for other in ("mfgit", "mfgit-archive", "mfgit-guard") if other != name]
    see = ",\n".join(f".BR {literal(other)} (1)" for other in others).replace(",\n", " ,\n")
    lines = [
        '.\\" Written by docs/manual.py: run `make docs` after changing a command.',
        f'.TH {literal(name.upper())} 1 {released()} "mfgit {__version__}" "mfgit manual"',
        ".SH NAME",
        f"{literal(name)} \\- {plain(line[0].lower() + line[1:].rstrip('.'))}",
        *parts,
        ".SH EXIT STATUS",
        *(entry for code, meaning in EXITS for entry in (".TP", f".B {code}", plain(meaning))),
        ".SH SEE ALSO",
        see,
    ]
    return "\n".join(lines) + "\n"


def overview() -> str:
    """Return the page of `mfgit` itself."""
    text = (cli.help or "").strip()
    parts = [*synopsis("mfgit", cli), *body(cli), ".SH COMMANDS"]
    for name, line in COMMANDS.items():
        parts += [".TP", f".BR mfgit\\-{literal(name)} (1)", plain(line)]
    parts += [".SH ENVIRONMENT", *(entry for name, said in VARIABLES for entry in (".TP", f".B {literal(name)}", plain(said)))]
    parts += [".SH FILES", *(entry for name, said in FILES for entry in (".TP", f".I {literal(name)}", plain(said)))]
    return page("mfgit", text.split(".")[0].split(", with")[0] + ".", parts)


def guard() -> list[str]:
    """Return the page of the guard, which reads its arguments itself and keeps its help as it prints it."""
    usage, _, rest = USAGE.partition("\n")
    parts = [".SH SYNOPSIS", plain(usage.removeprefix("Usage: ")), ".SH DESCRIPTION"]
    for paragraph in rest.strip("\n").split("\n\n"):
        if paragraph.startswith(" "):
            parts += [".PP", ".nf", *(plain(line) for line in paragraph.splitlines()), ".fi"]
        else:
            parts += [".PP", plain(paragraph)]
    parts.remove(".PP")
    return parts


def below(words: str, command: click.Command) -> list[str]:
    """Return the sections of the commands behind a group, and of those behind them."""
    inner = behind(command)
    return [".SH COMMANDS", *(part for name, each in inner for part in section(f"{words} {name}", each))] if inner else []


def behind(command: click.Command) -> list[tuple[str, click.Command]]:
    """Return the names and commands that stand behind a group."""
    if not isinstance(command, click.Group):
        return []
    context = click.Context(command)
    found = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
    return [(name, each) for name, each in found if each]


def section(words: str, command: click.Command) -> list[str]:
    """Return the sections of one command behind a group."""
    parts = [f'.SS "{literal(words)}"', *synopsis(f"mfgit {words}", command)[1:], ".PP", *body(command)]
    shown = [part for part in parts if not part.startswith(".SH")]
    return [*shown, *(part for name, each in behind(command) for part in section(f"{words} {name}", each))]


def synopsis(words: str, command: click.Command) -> list[str]:
    """Return how a command is called, under its heading."""
    context = click.Context(command, info_name=words)
    pieces = " ".join(command.collect_usage_pieces(context))
    return [".SH SYNOPSIS", f".B {literal(words)}", plain(pieces)]


def body(command: click.Command) -> list[str]:
    """Return what a command does, and its options."""
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    parts = [".SH DESCRIPTION"]
    for paragraph in paragraphs:
        lines = paragraph.splitlines()
        parts += [".PP", *([".nf", *map(plain, lines[1:]), ".fi"] if lines[:1] == ["\b"] else [plain(" ".join(lines))])]
    parts.remove(".PP")
    options = [entry for each in command.params if isinstance(each, click.Option) for entry in option(each)]
    return [*parts, ".SH OPTIONS", *options, ".TP", "\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "Show the help of the command."]


def option(given: click.Option) -> list[str]:
    """Return the entry of an option; nothing for a hidden one."""
    if given.hidden:
        return []
    names = ", ".join(f"\\fB{literal(name)}\\fR" for name in (*given.opts, *given.secondary_opts))
    value = "" if given.is_flag or given.count else f" \\fI{literal(value_of(given))}\\fR"
    default = given.default if given.show_default and not given.is_flag else None
    shown = f" (default: {default})" if default not in (None, "") else ""
    again = " May be given several times." if given.multiple and "several" not in (given.help or "") else ""
    text = (given.help or "").strip()
    return [".TP", f"{names}{value}", plain(text.removesuffix(".") + shown + "." + again)]


def value_of(given: click.Option) -> str:
    """Return the word that stands for an option's value."""
    if given.metavar:
        return given.metavar
    if isinstance(given.type, click.Choice):
        return "|".join(str(choice) for choice in given.type.choices)
    return "NUMBER" if given.type.name.startswith(("integer", "float")) else given.type.name.upper()


def released() -> str:
    """Return the day of this version, from the change log."""
    found = re.search(rf"^## \[{re.escape(__version__)}\] - (\S+)", (TOP / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    return found[1] if found else '""'


def literal(text: str) -> str:
    """Return a text that is shown as it stands: backslashes, dashes and what ASCII lacks are escaped."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in escaped)


def plain(text: str) -> str:
    """Return a line of text; one that starts like a macro is not taken for one."""
    shown = literal(text)
    return f"\\&{shown}" if shown.startswith((".", "'")) else shown


if __name__ == "__main__":
    main()
