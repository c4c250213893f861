"""`mfgit mcp`: serve the archive and the knowledge to agents."""

import os

import click

from mfgit.cli import common
from mfgit.errors import BadInput, not_installed

TOKEN = "MFGIT_MCP_TOKEN"  # noqa: S105 - the name of a variable


@click.command("mcp", short_help="Serve archive and knowledge to agents, over MCP.")
@click.option("--http", is_flag=True, help="Serve streamable HTTP at /mcp instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen, with --http.")
@click.option("--port", type=click.IntRange(1, 65535), default=8765, show_default=True, help="Where to listen, with --http.")
@click.pass_context
def command(ctx: click.Context, *, http: bool, host: str, port: int) -> None:
    """Serve the tools archive_session, search_archive, get_session, extract_memories, record_correction and search_knowledge.

    Over standard input and output, as Claude Code, OpenClaw and Cursor start it. With --http other addresses than loopback
    need a token in the environment variable MFGIT_MCP_TOKEN, which clients send as a bearer.
    """
    common.project(ctx)  # a folder without a repository is said here, not at the first call
    try:
        from mfgit.mcp import http as over_http
        from mfgit.mcp import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types", "pydantic"):
            raise
        raise not_installed("The MCP server needs the package mcp", "mcp") from None
    made = server.make(ctx.find_root().obj or ".")
    if not http:
        made.run("stdio")
        return
    token = os.environ.get(TOKEN, "")
    if not over_http.loopback(host) and len(token) < over_http.SHORTEST:
        raise BadInput(
            f"Listening on {host} needs a token of {over_http.SHORTEST} characters or more, since others can reach it.",
            f"Set {TOKEN}, and give it to the clients as a bearer token.",
        )
    over_http.serve(made, host, port, token)
