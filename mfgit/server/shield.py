"""What every request passes before anything of ours sees it, and what every answer carries: plain ASGI.

The name it was sent to, where it was sent from, its size; headers against framing, sniffing and caching; one line in the
log, with the route and never the address, since addresses hold questions; and an end to every failure that nobody foresaw.
"""

import asyncio
import logging
import time
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from mfgit.server.problems import MEDIA, body
from mfgit.server.service import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
log = logging.getLogger("mfgit.serve")
MOST_BYTES = 1 << 20
"""Bytes of a body."""
MOST_TURN_BYTES = 8 << 20
"""Bytes of a body of turns."""
BODY_SECONDS = 30.0
"""How long a body may take to come."""
SAFE = ("GET", "HEAD", "OPTIONS")
HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"cache-control": b"no-store",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}
"""What every answer carries unless it says something else itself, as a page does about its own policy."""
ONLY_HTTPS = {b"strict-transport-security": b"max-age=31536000"}


class Refused(Exception):
    """A request that goes no further: status and sentence."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


class Shield:
    """The outermost application."""

    def __init__(self, app: Application, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, hand it on, and log what came of it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        began = time.monotonic()
        answer = Answer(send, secure=self.settings.secure, whole=scope["method"] != "HEAD")
        asked = scope if answer.whole else {**scope, "method": "GET"}
        try:
            check_host(scope, self.settings)
            check_origin(scope, self.settings)
            whole = await read_body(scope, receive)
            await self.app(asked, replayed(whole, receive), answer)
        except Refused as refused:
            await answer.fail(refused.status, refused.detail)
        except Exception as error:
            log.error("bug: %s at %s", type(error).__name__, place_of(error))
            await answer.fail(500, "This is a bug in mfgit; the server's log names where.")
        finally:
            route = getattr(asked.get("route"), "path", "-")
            actor = asked.get("state", {}).get("actor", "-")
            took = 1000 * (time.monotonic() - began)
            log.info("%s %s %s %d %.0f ms", actor, scope["method"], route, answer.status, took)


class Answer:
    """What goes back, with the headers that every answer carries; only those, unless it is wanted `whole` (HEAD)."""

    def __init__(self, send: Send, *, secure: bool, whole: bool) -> None:
        self.send, self.secure, self.whole = send, secure, whole
        self.status = 0

    async def __call__(self, message: Message) -> None:
        """Send a part of an answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            given = {name.lower() for name, _ in message.get("headers", [])}
            more = {**HEADERS, **(ONLY_HTTPS if self.secure else {})}
            added = [(name, value) for name, value in more.items() if name not in given]
            message = {**message, "headers": [*message.get("headers", []), *added]}
        elif not self.whole:
            message = {**message, "body": b""}
        await self.send(message)

    async def fail(self, status: int, detail: str) -> None:
        """Answer with a problem, unless an answer has begun."""
        if self.status:
            return
        data = body(status, detail)
        headers = [(b"content-type", MEDIA.encode()), (b"content-length", str(len(data)).encode())]
        if status in (408, 413):
            headers.append((b"connection", b"close"))  # what was not read is no next request
        await self({"type": "http.response.start", "status": status, "headers": headers})
        await self({"type": "http.response.body", "body": data})


def header(scope: Scope, name: bytes) -> str | None:
    """Return a header of a request, None when it is not there; raises `Refused` when it is there twice."""
    found = [value for key, value in scope["headers"] if key == name]
    if len(found) > 1:
        raise Refused(400, f"The header {name.decode()} is there twice.")
    return found[0].decode("latin-1").strip() if found else None


def check_host(scope: Scope, settings: Settings) -> None:
    """Refuse a request that was sent to another name: a page of somebody else's may have made its own name mean us."""
    host = header(scope, b"host")
    if host is None:
        raise Refused(400, "The request has no Host header.")
    if settings.hosts is not None and host_name(host) not in settings.hosts:
        raise Refused(421, "This server does not answer to that name; --public-url tells it another.")


def host_name(host: str) -> str:
    """Return a Host header without its port, in lower case; nothing for one that is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def check_origin(scope: Scope, settings: Settings) -> None:
    """Refuse a change that a page from elsewhere asks for."""
    if scope["method"] in SAFE:
        return
    origin, host = header(scope, b"origin"), (header(scope, b"host") or "").lower()
    own = {f"http://{host}", f"https://{host}", settings.public_url.rstrip("/").lower()} - {""}
    if origin is not None and origin.lower() not in own:
        raise Refused(403, "The request comes from a page of another site.")
    if header(scope, b"sec-fetch-site") not in (None, "same-origin", "none"):
        raise Refused(403, "The request comes from a page of another site.")


def limit_of(scope: Scope) -> int:
    """Return how many bytes a body may have."""
    return MOST_TURN_BYTES if scope["path"] == "/archive/turns" else MOST_BYTES


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Return the whole body; refuses one that is too large, before all of it has come, or that takes too long."""
    most = limit_of(scope)
    length = header(scope, b"content-length")
    if length is not None and length.isascii() and length.isdigit() and int(length[:12]) > most:
        raise Refused(413, f"The body is larger than {most:,} bytes.")
    if length in (None, "0") and header(scope, b"transfer-encoding") is None:
        return b""
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refused(400, "The request ended before its body did.")
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > most:
                    raise Refused(413, f"The body is larger than {most:,} bytes.")
                if not message.get("more_body"):
                    return b"".join(parts)
    except TimeoutError:
        raise Refused(408, "The body took too long to come.") from None


def replayed(whole: bytes, receive: Receive) -> Receive:
    """Return what hands a body that was read to an application, and after it what comes."""
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": whole, "more_body": False}

    return again


def place_of(error: BaseException) -> str:
    """Return where an exception was raised, without its message."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return " < ".join(f"{frame.filename.rpartition('/mfgit/')[2]}:{frame.lineno}" for frame in reversed(frames))
