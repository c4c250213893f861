"""`mfgit serve`: the HTTP API, and the tokens that let people in."""

import click

from mfgit.cli.common import clean_line, json_option, print_json, project
from mfgit.cli.group import NearGroup
from mfgit.errors import not_installed
from mfgit.server.audit import Audit
from mfgit.server.tokens import ROLES, Tokens

LIBRARIES = ("fastapi", "starlette", "uvicorn", "pydantic", "anyio", "jinja2", "markupsafe")
ACTOR = "command line"


@click.group(
    "serve",
    cls=NearGroup,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND] [ARGS]...",  # not every click says that it may be left out
    short_help="Serve archive, knowledge and review over HTTP.",
)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen.")
@click.option("--port", type=click.IntRange(1, 65535), default=8700, show_default=True, help="Where to listen.")
@click.option("--public-url", default="", metavar="URL", help="The address that users see, where a proxy stands before this.")
@click.option("--require-tokens", is_flag=True, help="Let nobody in without a token, on this machine either.")
@click.option("--rate", type=click.FloatRange(0), default=100.0, show_default=True, help="Requests a second of one token.")
@click.pass_context
def command(ctx: click.Context, *, host: str, port: int, public_url: str, require_tokens: bool, rate: float) -> None:
    """Serve the HTTP API and, at /memoryforge, the page for reviewers. The document of the API is at /openapi.json.

    On loopback, the default, everybody on this machine may do everything. Any other address, a public URL and
    --require-tokens need tokens. Meanwhile idle sessions are archived every minute, and with serve.auto_scan in the
    settings the archive is scanned now and then.
    """
    if ctx.invoked_subcommand is not None:
        return
    project(ctx)  # a folder without a repository is said here
    try:
        from mfgit.server.run import serve
        from mfgit.server.service import Settings
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in LIBRARIES:
            raise
        raise not_installed(f"The server needs {error.name}", "server") from None
    serve(ctx.find_root().obj or ".", Settings(host, port, public_url, require_tokens, rate))


@command.group("token", cls=NearGroup)
def token() -> None:
    """Make, list and revoke the tokens of this repository. Only hashes are kept, in the Git directory."""


@token.command("add")
@click.argument("name")
@click.option("--role", "roles", type=click.Choice(ROLES), multiple=True, required=True, help="May be given several times.")
@click.option("--email", default="", metavar="ADDRESS", help="With the name, the Git author of what is decided.")
@json_option
@click.pass_context
def add(ctx: click.Context, *, name: str, roles: tuple[str, ...], email: str, as_json: bool) -> None:
    """Make a token and print it, this once.

    writer: adds turns and ratings. reader: searches the knowledge and sees proposals without their evidence. reviewer: a
    reader who also sees conversations, scans and decides.
    """
    secret = Tokens(project(ctx).common).add(name, roles, email)
    Audit(project(ctx).common).note(ACTOR, "token add", name)
    if as_json:
        print_json({"name": name, "roles": sorted(set(roles)), "token": secret})
    else:
        click.echo(secret)
        click.echo("Keep it: it is stored nowhere, and not shown again.", err=True)


@token.command("list")
@json_option
@click.pass_context
def list_tokens(ctx: click.Context, *, as_json: bool) -> None:
    """List the tokens, without their secrets."""
    found = Tokens(project(ctx).common).all()
    if as_json:
        print_json(
            [{name: value for name, value in each._asdict().items() if name not in ("digest", "extra")} for each in found]
        )
    elif not found:
        click.echo("There are no tokens. mfgit serve token add NAME --role ROLE makes one.")
    for each in () if as_json else found:
        click.echo(clean_line(f"{each.name}  <{each.email}>  {', '.join(each.roles)}  since {each.created}"))


@token.command("revoke")
@click.argument("name")
@click.pass_context
def revoke(ctx: click.Context, *, name: str) -> None:
    """Revoke a token: whoever has it, and its browser sessions, are refused from now on."""
    Tokens(project(ctx).common).revoke(name)
    Audit(project(ctx).common).note(ACTOR, "token revoke", name)
    click.echo(clean_line(f"Revoked {name}."))
