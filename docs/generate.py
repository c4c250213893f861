"""Write the pages that come from the code, in `reference/`. `make docs` runs it; a test compares."""

import importlib
import sys
from pathlib import Path

import click

from docs import shapes
from mfgit.cli.group import COMMANDS, cli
from mfgit.config import AUTO_SCAN_VARIABLE, CHAT_ARCHIVE_VARIABLE, ENGINE_VARIABLE, LLM_VARIABLES, VECTOR_VARIABLES
from mfgit.guard import command as guard
from mfgit.project.settings import SECTIONS, settings_file, toml
from mfgit.sections import RootPattern

FOLDER = Path(__file__).parent
WIDTH = 78
BACKEND_ROWS = "\n".join(
    f"| `{name}` | `{table}.{key}` |"
    for table, names in (("vector", VECTOR_VARIABLES), ("llm", LLM_VARIABLES))
    for key, name in names.items()
)

COMMANDS_HEAD = """\
# Commands

<!-- Written by docs/generate.py: run `make docs` after changing a command. -->

`-C PATH` stands before the command and names the repository. `--json` prints one JSON document, stable and described in
`schemas/`. Exit codes: 0 yes or done, 1 the answer is no, 2 used wrongly or bad input, 3 a bug in mfgit, 130 interrupted,
141 when the reader of the output went away.
"""

CONFIGURATION_HEAD = f"""\
# Configuration

<!-- Written by docs/generate.py: run `make docs` after changing a setting. -->

Settings live in `mfgit.toml` at the top of the knowledge repository; `mfgit init` writes one. None is needed to start: without
it the whole repository is one `help` root, and the guard holds only mfgit's own commits.

A command's flag wins over the environment, the environment over the file, the file over the default. A setting that mfgit does
not know is an error that names the nearest one it knows. The guard reads the file from the branch that a change goes to, never
from the change itself.

## Top level

| setting | default | meaning |
|---|---|---|
| `target` | `"main"` | The branch that adopted proposals land on. |
| `[[root]]` | the whole repository, layer `help` | A knowledge root; the table may be repeated. |
| `path` in `[[root]]` | none | A folder, `"."` for the whole repository; one component may be `*`, the workspace id. |
| `layer` in `[[root]]` | `"help"` | `"help"` for what the help assistant is asked, `"workspace"` for what a workspace's is. |

## Environment

| variable | setting it replaces |
|---|---|
| `{CHAT_ARCHIVE_VARIABLE}` | `archive.chat` |
{BACKEND_ROWS}
| `{ENGINE_VARIABLE}` | `index.engine` |
| `{AUTO_SCAN_VARIABLE}` | `serve.auto_scan` |
| `MFGIT_ORIGINAL_EDIT` | none: the reason for an edit of an original, for the [guard](guard.md)'s hook |
| `NO_COLOR` | none: no colour on a terminal |
"""


def main(folder: Path = FOLDER) -> None:
    """Write every page, below a folder."""
    for name, text in pages().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
        print(folder / name)


def pages() -> dict[str, str]:
    """Return the generated pages by their path below `docs/`."""
    return {
        "reference/commands.md": commands_page(),
        "reference/configuration.md": configuration_page(),
        "reference/formats.md": shapes.formats_page(),
        "reference/http.md": shapes.http_page(),
    }


def commands_page() -> str:
    """Return the `--help` of every command and subcommand."""
    parts = [
        f"{'#' * (len(words) + 1)} mfgit {' '.join(words)}\n\n```text\n{help_of(words)}\n```\n" for words in command_names()
    ]
    return "\n".join([COMMANDS_HEAD, *parts])


def command_names() -> list[tuple[str, ...]]:
    """Return every command, and behind a group its own commands."""
    found: list[tuple[str, ...]] = []
    for name in COMMANDS:
        module = importlib.import_module(f"mfgit.cli.{'evaluate' if name == 'eval' else name}")
        found += names_below((name,), module.command)
    return found


def names_below(words: tuple[str, ...], command: click.Command) -> list[tuple[str, ...]]:
    """Return a command, and all that stand behind it."""
    found = [words]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            found += names_below((*words, name), below) if below else []
    return found


def help_of(words: tuple[str, ...]) -> str:
    """Return what `mfgit WORDS --help` prints."""
    if words == ("guard",):
        return guard.USAGE.strip()
    context = click.Context(cli, info_name="mfgit", terminal_width=WIDTH, **cli.context_settings)
    for word in words:
        assert isinstance(context.command, click.Group)
        below = context.command.get_command(context, word)
        assert below
        context = below.context_class(below, info_name=word, parent=context, **below.context_settings)
    return "\n".join(line.rstrip() for line in context.command.get_help(context).strip().splitlines())


def configuration_page() -> str:
    """Return every setting with its default and meaning, and a whole file."""
    parts = [CONFIGURATION_HEAD]
    for name, (defaults, sentences) in SECTIONS.items():
        rows = [f"| `{key}` | `{toml(getattr(defaults, key))}` | {sentence} |" for key, sentence in sentences.items()]
        parts.append("\n".join([f"## [{name}]", "", "| setting | default | meaning |", "|---|---|---|", *rows, ""]))
    example = settings_file("main", [RootPattern("help", "help"), RootPattern("workspaces/*/knowledge", "workspace")])
    parts.append(f"## A whole file\n\nAs `mfgit init` writes it:\n\n```toml\n{example}```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
