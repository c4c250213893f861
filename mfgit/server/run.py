"""Serving until a signal says otherwise."""

import functools
import logging
import signal
import sys
from typing import TYPE_CHECKING

import uvicorn

from mfgit.errors import BadInput
from mfgit.server.app import make
from mfgit.server.service import Settings

if TYPE_CHECKING:
    from mfgit.server.tokens import Tokens

GRACE = 10
"""Seconds that requests under way have to end."""
CONNECTIONS = 512
FORMAT = "%(asctime)s %(levelname)s %(message)s"


def serve(folder: str, settings: Settings) -> None:
    """Serve a repository. Raises `BadInput` when tokens are needed and there are none, or the address cannot be had."""
    app = make(folder, settings)
    tokens: Tokens = app.state.service.tokens
    if not settings.open and not tokens.all():
        raise BadInput(
            "This address needs tokens, since others can reach it, and there are none.",
            "Make one: mfgit serve token add NAME --role reviewer",
        )
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format=FORMAT)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.public_url),
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=GRACE,
        )
    )
    logging.getLogger("mfgit.serve").info("serving at http://%s:%d", settings.host, settings.port)
    signal.signal(signal.SIGTERM, functools.partial(leave, server))  # what uvicorn hands the signal on to, once it is done
    try:
        server.run()
    except SystemExit:  # uvicorn has logged why
        raise BadInput(f"The server could not listen on {settings.host}:{settings.port}.", "Is the port in use?") from None
    logging.getLogger("mfgit.serve").info("ended")


def leave(server: uvicorn.Server, *_: object) -> None:
    """Let a server end with exit code 0, as it was told to."""
    server.should_exit = True
