"""`mfgit archive import`: conversations out of other products' exports."""

from pathlib import Path

import click

from mfgit.cli.common import clean, json_option, print_json, progress, project
from mfgit.errors import EXIT_BAD_INPUT, EXIT_OK
from mfgit.project.importing import FORMATS, Imported, import_path


@click.command("import")
@click.argument("name", metavar="FORMAT", type=click.Choice(FORMATS))
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@json_option
@click.pass_context
def command(ctx: click.Context, *, name: str, path: Path, as_json: bool) -> int:
    """Import an export of another product: a file, a zip file or a folder.

    FORMAT is auto, or one of turns, sessions, chatgpt, claude, claude-code, openclaw, codex, openwebui, librechat, slack,
    sharegpt, openai. What is stored already is not stored twice. What could not be taken is counted by reason. When a file
    breaks off, what was whole is imported and the exit code is 2.
    """
    with progress() as show:
        done = import_path(project(ctx), name, path, show)
    if as_json:
        print_json({name: given for name, given in done._asdict().items() if name != "damage"})
    else:
        click.echo(clean(told(done)))
    for sentence in done.damage:
        click.echo(f"mfgit: {clean(f'{path}: {sentence}' if sentence.partition(':')[0] != path.name else sentence)}", err=True)
    return EXIT_BAD_INPUT if done.damage else EXIT_OK


def told(done: Imported) -> str:
    """Return in words what an import did."""
    new = [many(done.conversations, "conversation"), many(done.turns, "turn"), many(done.ratings, "rating")]
    parts = [f"{new[0]} with {new[1]} and {new[2]} imported ({done.format})"]
    if done.already_known:
        parts.append(f"{many(done.already_known, 'turn')} known already")
    lines = ["; ".join(parts) + "."]
    if done.skipped:
        lines.append("Left out, or kept without turns:")
        lines += [f"  {count:>7,}  {reason}" for reason, count in sorted(done.skipped.items(), key=lambda each: -each[1])]
    return "\n".join(lines)


def many(count: int, what: str) -> str:
    """Return a count with its word."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
