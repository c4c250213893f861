"""`mfgit sync`: read back what became of pull and merge requests."""

import click

from mfgit.cli.common import clean, clean_line, json_option, print_json, progress, project


@click.command("sync", short_help="Read back what became of pull and merge requests.")
@click.option("--remote", metavar="NAME", default="", help="The Git remote of the service (default: publish.remote).")
@click.option("--dry-run", is_flag=True, help="Change nothing; print what was decided there.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, remote: str, dry_run: bool, as_json: bool) -> int:
    """Read back what people decided on the hosting service, and share rejections with every clone.

    A request closed without merging rejects its proposal, for the reason in the last comment of who closed it; one that was
    opened again restores it; one that was merged, in any way, is adopted once the target is here. Moves refs only.
    Exits 1 when something could not be settled.
    """
    with progress() as shown:
        done = project(ctx).sync(remote=remote, dry_run=dry_run, progress=shown)
    if as_json:
        changes = [{"id": one.id, "what": one.what, "why": one.why, "url": one.url or None} for one in done.changes]
        print_json({"changes": changes, "problems": list(done.problems), "pushed": done.pushed, "dry_run": done.dry_run})
    else:
        for one in done.changes:
            click.echo(f"{one.id}  {one.what}  {clean_line(one.why)}  {clean_line(one.url)}".rstrip())
        for problem in done.problems:
            click.echo(f"mfgit: {clean(problem)}", err=True)
        click.echo(f"{len(done.changes)} proposals {'would change' if dry_run else 'changed'}; {done.pushed} refs pushed.")
    return 1 if done.problems else 0
