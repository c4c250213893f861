"""`mfgit adopt`: merge proposals into the target."""

import click

from mfgit.cli import completing
from mfgit.cli.common import clean, json_option, print_json, project
from mfgit.errors import EXIT_NO, EXIT_OK, BadInput, Refusal


@click.command("adopt", short_help="Merge proposals into the target branch.")
@click.argument("ids", metavar="ID...", nargs=-1, required=True, shell_complete=completing.proposals(*completing.OPEN))
@click.option("--reviewed", metavar="COMMIT", help="Adopt only if the proposal still is at this commit (one ID).")
@click.option("--despite-contradiction", is_flag=True, help="Adopt what contradicts an original or an adopted answer (one ID).")
@json_option
@click.pass_context
def command(
    ctx: click.Context, *, ids: tuple[str, ...], reviewed: str | None, despite_contradiction: bool, as_json: bool
) -> int:
    """Merge proposals into the target branch, one merge commit each, in your name.

    The result of each merge is guarded before it lands. Drafts without an answer, stale proposals, a second answer to the
    same question, answers that contradict an original or an adopted answer, and conflicts are refused: exit code 1, the
    reason, and nothing moved. Where a person wrote what contradicts, it is a warning. Files that you have not committed
    stay as they are. ID may be the start of an id.
    """
    if reviewed and len(ids) > 1:
        raise BadInput("--reviewed names the commit of one proposal.", "Adopt them one by one.")
    if despite_contradiction and len(ids) > 1:
        raise BadInput("--despite-contradiction is said of one proposal.", "Adopt them one by one.")
    here = project(ctx)
    told: list[dict[str, object]] = []
    for identity in ids:
        try:
            done = here.adopt(identity, reviewed, despite_contradiction=despite_contradiction)
        except Refusal as why:
            refused = {"id": identity, "status": "refused", "commit": None, "reason": why.message, "hint": why.hint}
            told.append({**refused, "warnings": []})
            click.echo(f"mfgit: {clean(str(why))}", err=True)
            continue
        adopted = {"id": done.known.id, "status": "adopted", "commit": done.commit, "reason": None, "hint": None}
        told.append({**adopted, "warnings": list(done.warnings)})
        for warning in done.warnings:
            click.echo(f"mfgit: warning: {done.known.id}: {clean(warning)}", err=True)
        if not as_json:
            title = clean(done.known.record.title)
            click.echo(
                f"Adopted {done.known.id} as {done.commit[:12]}: {title}"
                if done.changed
                else f"{done.known.id} is adopted already."
            )
    if as_json:
        print_json(told)
    return EXIT_NO if any(entry["status"] == "refused" for entry in told) else EXIT_OK
