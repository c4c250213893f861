"""`mfgit publish`: push proposals and open a pull or merge request for each."""

from typing import Any

import click

from mfgit.cli import completing
from mfgit.cli.common import clean, clean_line, json_option, print_json, progress, project
from mfgit.project.publishing import Outcome, Published


@click.command("publish", short_help="Push proposals and open a pull or merge request for each.")
@click.argument("ids", metavar="[ID...]", nargs=-1, shell_complete=completing.proposals(*completing.OPEN))
@click.option("--remote", metavar="NAME", default="", help="Push to this Git remote (default: publish.remote).")
@click.option("--dry-run", is_flag=True, help="Write nothing, here or there; print what would be done, with every text.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, ids: tuple[str, ...], remote: str, dry_run: bool, as_json: bool) -> int:
    """Push open proposals (all, or those named) and open or update one pull or merge request for each.

    GitHub, GitLab, Gitea and Forgejo, told by the remote's address. The token is read from MFGIT_PUBLISH_TOKEN, or from
    GITHUB_TOKEN, GITLAB_TOKEN or GITEA_TOKEN; GitLab needs none. Requests of proposals that were rejected here are closed.
    Exits 1 when something could not be done; the rest is done all the same.
    """
    with progress() as shown:
        done = project(ctx).publish(ids, remote=remote, dry_run=dry_run, progress=shown)
    if as_json:
        print_json(to_json(done))
    else:
        for one in done.proposals:
            tell(one, with_text=dry_run)
        click.echo(summary(done))
    return 1 if done.failed else 0


def tell(one: Published, *, with_text: bool) -> None:
    """Print one proposal."""
    would = "would be: " if with_text else ""
    click.echo(f"{one.id}  {would}branch {one.branch}, request {one.request}  {clean_line(one.url)}".rstrip())
    for problem in one.problems:
        click.echo(f"mfgit: {one.id}: {clean(problem)}", err=True)
    if with_text and one.title:
        click.echo(f"\n  {clean_line(one.title)}\n  labels: {names(one.labels)}; reviewers: {names(one.reviewers)}\n")
        click.echo("\n".join(f"  {clean(line)}".rstrip() for line in one.text.splitlines()) + "\n")


def names(found: tuple[str, ...]) -> str:
    """Return names in one line."""
    return clean_line(", ".join(found)) or "none"


def summary(done: Outcome) -> str:
    """Return the last line."""
    count = sum(1 for one in done.proposals if not one.problems)
    would = "would be published" if done.dry_run else "published"
    return f"{count} of {len(done.proposals)} proposals {would} on {done.service} ({done.by})."


def to_json(done: Outcome) -> dict[str, Any]:
    """Return the document of `--json`."""
    entries = [
        {
            "id": one.id,
            "branch": one.branch,
            "request": one.request,
            "url": one.url or None,
            "title": one.title,
            "text": one.text,
            "labels": list(one.labels),
            "reviewers": list(one.reviewers),
            "problems": list(one.problems),
        }
        for one in done.proposals
    ]
    return {"service": done.service, "by": done.by, "dry_run": done.dry_run, "proposals": entries}
