"""`mfgit init`: show what a knowledge repository lacks, ask, write it."""

import sys

import click

from mfgit.cli import common
from mfgit.config import FILE_NAME, read_root
from mfgit.errors import EXIT_NO, BadInput
from mfgit.project.setup import Plan
from mfgit.sections import RootPattern


@click.command()
@click.option(
    "--root",
    "roots",
    multiple=True,
    metavar="PATH[=LAYER]",
    help="A folder with originals; LAYER is help (default) or workspace. May be given again. Without it roots are found.",
)
@click.option("-y", "--yes", is_flag=True, help="Write without asking.")
@click.option("-n", "--dry-run", is_flag=True, help="Only show what would be written.")
@common.json_option
@click.pass_context
def command(ctx: click.Context, roots: tuple[str, ...], yes: bool, dry_run: bool, as_json: bool) -> int:
    """Set a knowledge repository up.

    Shows, then writes what is missing: mfgit.toml, the lines of .gitignore that keep conversations out of Git, the entries of
    index.json for every page, and the guard's hooks. What is there keeps every byte, and nothing is committed. Asks first on
    a terminal; elsewhere --yes or --dry-run has to be given.
    """
    project = common.project(ctx)
    with common.progress() as progress:
        plan = project.setup_plan([parse_root(text) for text in roots], progress)
    asks = not (yes or dry_run or plan.empty)
    if asks and not sys.stdin.isatty():
        raise BadInput(
            "mfgit init asks before it writes, and nobody is here to answer.", "Add --yes to write, --dry-run to look."
        )
    if not as_json:
        click.echo(common.clean(describe(plan, str(project.folder))))
    if asks and not click.confirm("Write this?", err=as_json):
        click.echo("Nothing was written.", err=True)
        return EXIT_NO
    if not dry_run and not plan.empty:
        project.set_up(plan)
    if as_json:
        common.print_json(to_json(plan, written=not dry_run and not plan.empty))
    elif not plan.empty:
        click.echo(common.clean("Nothing was written: --dry-run." if dry_run else afterwards(plan)))
    return 0


def parse_root(text: str) -> RootPattern:
    """Read `PATH` or `PATH=LAYER`; raises `BadInput`."""
    path, _, layer = text.partition("=")
    return read_root({"path": path, "layer": layer or "help"}, "--root", "mfgit init")


def describe(plan: Plan, folder: str) -> str:
    """Return what a plan would write, for people."""
    notes = [f"note: {note}" for note in plan.notes]
    if plan.empty:
        return "\n".join([f"{folder} is set up; there is nothing to write.", *notes])
    rows = [(change.path, change.what) for change in plan.changes]
    rows += [(below(hook, folder), "hook: runs mfgit guard") for hook in plan.hooks]
    width = max(len(path) for path, _ in rows)
    return "\n".join([f"In {folder}:", "", *(f"  {path:{width}}  {what}" for path, what in rows), "", *notes])


def below(place: str, folder: str) -> str:
    """Return a path from the top where it lies below, else as it is."""
    return place.removeprefix(f"{folder}/")


def afterwards(plan: Plan) -> str:
    """Return what to do after the files were written."""
    if not plan.next_commands:
        return "Done."
    lines = ["Done. Nothing is committed yet; to commit it:", "", *(f"  {line}" for line in plan.next_commands)]
    if any(change.path == FILE_NAME and change.before is None for change in plan.changes):
        lines += ["", "Then: mfgit archive import auto FILE brings conversations in, mfgit scan makes proposals of them."]
    return "\n".join(lines)


def to_json(plan: Plan, *, written: bool) -> dict[str, object]:
    """Return the plan for `--json`."""
    return {
        "written": written,
        "roots": [root._asdict() for root in plan.roots],
        "changes": [
            {
                "path": change.path,
                "new": change.before is None,
                "what": change.what,
                "text": change.after.decode("utf-8", "replace"),
            }
            for change in plan.changes
        ],
        "hooks": list(plan.hooks),
        "notes": list(plan.notes),
        "next": list(plan.next_commands),
    }
