"""The `mfgit` group: its commands are imported when they are called, so that each starts as fast as it can."""

import importlib
import sys
from typing import TYPE_CHECKING, Any

import click

from mfgit import __version__
from mfgit.errors import EXIT_BAD_INPUT, EXIT_BROKEN_PIPE, EXIT_INTERRUPTED, BadInput

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "init": "Set a knowledge repository up: settings, aliases files, hooks.",
    "demo": "Show the whole loop on a sample repository, in English and Chinese.",
    "archive": "Keep conversations: append, rate, check.",
    "scan": "Find the questions that repeat or disappoint, and propose answers.",
    "proposals": "List the proposals.",
    "show": "Show one proposal: why, evidence, and what it would change.",
    "preview": "Ask a proposal's questions before and after adopting it.",
    "adopt": "Merge proposals into the target branch.",
    "reject": "Decline a proposal, with the reason.",
    "restore": "Reopen a rejected proposal.",
    "undo": "Take an adopted proposal out again, by a new commit.",
    "refresh": "Re-apply every open proposal to the current target.",
    "publish": "Push proposals and open a pull or merge request for each.",
    "sync": "Read back what became of pull and merge requests.",
    "search": "Find the passages that answer a question.",
    "context": "Print the block of passages to hand to an assistant.",
    "cite": "Print the passage that a citation names.",
    "memories": "Extract what a session is worth remembering for.",
    "correct": "Put a misunderstanding right from the archived words.",
    "mcp": "Serve archive and knowledge to agents, over MCP.",
    "serve": "Serve archive, knowledge and review over HTTP.",
    "eval": "Measure how often questions find their known page first.",
    "guard": "Check that the machine left every original alone.",
    "stats": "Look back: adopts by type, and each question before and after.",
    "doctor": "List what is stale, broken or unreadable, with the command that mends it.",
}
"""Command -> its one line of help; the module `mfgit.cli.NAME` holds the click command `command`."""


ON_WINDOWS = "Run it in WSL 2 or in its container; people who write and review on Windows need Git alone."


class NearGroup(click.Group):
    """A group that names the nearest of its commands for one that it has not."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or fail with the nearest name there is."""
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-") and not ctx.resilient_parsing:
            import difflib

            near = difflib.get_close_matches(args[0], names, 1, 0.5)
            hint = f" Did you mean {near[0]}?" if near else f" {ctx.command_path} --help lists the commands."
            named = args[0] or "''"
            raise click.UsageError(f"There is no command {named}.{hint}", ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(NearGroup):
    """A group that imports the module of a command only when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of a first day with mfgit."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name, None for an unknown one."""
        if cmd_name not in COMMANDS:
            return None
        if sys.platform == "win32" and cmd_name != "guard":
            raise BadInput("mfgit does not run on Windows itself, whose files and locks work otherwise.", ON_WINDOWS)
        module = "evaluate" if cmd_name == "eval" else cmd_name
        found: click.Command = importlib.import_module(f"mfgit.cli.{module}").command
        return found

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Return what TAB offers in a command's place, without importing the commands."""
        from click.shell_completion import CompletionItem

        commands = [CompletionItem(name, help=line) for name, line in COMMANDS.items() if name.startswith(incomplete)]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-C", "folder", type=click.Path(), metavar="PATH", default=".", help="Work in the repository that holds PATH.")
@click.version_option(__version__, "-V", "--version", message="mfgit %(version)s")
@click.pass_context
def cli(ctx: click.Context, folder: str) -> None:
    """Keep a Markdown knowledge base learning from real conversations, with every original left as people wrote it."""
    from mfgit.cli.common import plain_terminal

    ctx.obj = folder
    ctx.color = False if plain_terminal() else None


def main(arguments: list[str]) -> int:
    """Run the command line; return its exit code."""
    stream = sys.stdout
    try:
        result: Any = cli.main(arguments, prog_name="mfgit", standalone_mode=False)
    except click.exceptions.Abort as error:
        if isinstance(error.__cause__, EOFError):  # nobody interrupted anything: click takes every end of a file for that
            raise error.__cause__ from None
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        error.show(sys.stderr)
        return EXIT_BAD_INPUT
    except SystemExit:
        if sys.stdout is not stream:  # click replaces it where a reader like `head` went away
            return EXIT_BROKEN_PIPE
        raise
    return result if isinstance(result, int) else 0
