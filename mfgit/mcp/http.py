"""Serving over streamable HTTP: loopback without more, any other address with a token."""

import hmac
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from mfgit.errors import BadInput

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
SHORTEST = 16
"""Characters of a token."""


def loopback(host: str) -> bool:
    """Tell whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def guarded(application: Application, token: str) -> Application:
    """Return an application that answers to bearers of a token only."""
    wanted = token.encode()

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scheme, _, given = dict(scope["headers"]).get(b"authorization", b"").partition(b" ")
            if scheme.lower() != b"bearer" or not hmac.compare_digest(given.strip(), wanted):  # RFC 9110, 11.1: in any case
                headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")]
                await send({"type": "http.response.start", "status": 401, "headers": headers})
                await send({"type": "http.response.body", "body": b"A token is needed.\n"})
                return
        await application(scope, receive, send)

    return call


def local(host: str) -> TransportSecuritySettings:
    """Return the settings by which pages of other sites, and names that lead here from elsewhere, are refused."""
    names = dict.fromkeys((f"[{host}]" if ":" in host else host, "127.0.0.1", "localhost", "[::1]"))
    hosts = [f"{name}:*" for name in names]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=hosts, allowed_origins=[f"http://{each}" for each in hosts]
    )


def application(server: MCPServer, host: str, token: str) -> Application:
    """Return the ASGI application of a server; with a token, requests need it and may name any host."""
    if not token:
        return server.streamable_http_app(host=host, transport_security=local(host))
    open_to_all = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return guarded(server.streamable_http_app(host=host, transport_security=open_to_all), token)


def serve(server: MCPServer, host: str, port: int, token: str = "") -> None:
    """Serve at `http://HOST:PORT/mcp` until interrupted. Raises `BadInput` when the address cannot be had."""
    import uvicorn

    try:
        uvicorn.run(application(server, host, token), host=host, port=port, log_level="warning")
    except SystemExit:  # uvicorn has logged why
        raise BadInput(f"The server could not listen on {host}:{port}.", "Is the port in use?") from None
