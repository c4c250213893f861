"""`mfgit refresh`: re-apply open proposals to the current target."""

import click

from mfgit.cli import completing
from mfgit.cli.common import clean, json_option, print_json, project


@click.command("refresh", short_help="Re-apply every open proposal to the current target.")
@click.argument("ids", metavar="[ID...]", nargs=-1, shell_complete=completing.proposals(*completing.OPEN))
@click.option("--checked", is_flag=True, help="You compared the proposals named with their changed originals: they still hold.")
@click.option("--rebase", is_flag=True, help="Make branches that nobody edited anew, for a host that merges by rebase.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, ids: tuple[str, ...], checked: bool, rebase: bool, as_json: bool) -> None:
    """Re-apply open proposals (all, or those named) to the current target, so that they merge without conflicts.

    What a person wrote on a branch is kept. Touches neither the checkout nor the target. ID may be the start of an id.
    After --rebase a branch that was pushed needs `git push --force-with-lease`, or `mfgit publish`, which does that with care.
    """
    done = project(ctx).refresh(ids, checked, rebase)
    if as_json:
        print_json(
            {"moved": list(done.moved), "in_place": done.in_place, "problems": list(done.problems), "target": done.target}
        )
        return
    for problem in done.problems:
        click.echo(f"mfgit: {clean(problem)}", err=True)
    click.echo(f"Re-applied {len(done.moved)} proposals to {done.target[:12]}; {done.in_place} were there already.")
