"""One JSON request to a model or a hosting service: bounded in time and size, tried again where that helps, without leaks.

Only https, or http to this machine, unless `plain_http` is set. Redirects are not followed and a proxy is never asked for
this machine, so a key goes nowhere but to the configured host. What an error says never holds a key, a request, or an answer.
"""

import ipaddress
import json
import re
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from mfgit.backends.protocols import BackendError
from mfgit.errors import BadInput, not_installed
from mfgit.sections import LlmConfig, VectorConfig

KEY_NAME = re.compile(r"MFGIT_[A-Z0-9_]+")
KEY = re.compile(r"[\x21-\x7e]+")
AGAIN = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""Statuses after which the same request may succeed; 529 is what some services answer when overloaded."""
DONE = (200, 201, 204)
NO_CONTENT = 204
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds before the second try (doubled before each further one), and the most that `Retry-After` is obeyed for."""
REASONS = {
    401: "does not accept the key",
    403: "does not accept the key",
    404: "has no such address or model",
    413: "finds the request too large",
    429: "asks to send less",
}


class Endpoint(NamedTuple):
    """Where requests go: `url` is the base, such as http://localhost:11434/v1; `timeout` are seconds for one whole try.

    `table` is the table of the settings, and the extra that brings what is needed; `headers` go with every request.
    """

    table: str
    url: str
    key: str
    timeout: float
    retries: int
    sleep: Callable[[float], None] = time.sleep
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def host(self) -> str:
        """The host and port, for messages."""
        return urlsplit(self.url).netloc


class Failed(BackendError):
    """A try that did not succeed; `again` tells whether another may, `wait` the seconds asked for, if any."""

    def __init__(self, message: str, *, again: bool = False, wait: float | None = None, status: int = 0) -> None:
        super().__init__(message)
        self.again, self.wait, self.status = again, wait, status


def endpoint(
    table: str, url: str, key_variable: str, environment: Mapping[str, str], *, timeout: float, retries: int, plain_http: bool
) -> Endpoint:
    """Return a checked endpoint for the settings of `[table]`; raises `BadInput` that names the setting."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        parts, host = urlsplit(""), ""
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise BadInput(
            f"{table}.url is not the address of an endpoint.",
            'Write it like url = "http://localhost:11434/v1", without ? and #.',
        )
    if parts.username is not None or parts.password is not None:
        raise BadInput(
            f"{table}.url holds a name or a password.",
            f"Take it out and name the variable that holds a key in {table}.key_variable.",
        )
    if parts.scheme == "http" and not plain_http and not is_here(host):
        raise BadInput(
            f"{table}.url is plain http to {host}: conversations and the key could be read on the way.",
            f"Use https, or set {table}.plain_http = true for a network that you trust.",
        )
    if find_spec("httpx2") is None:
        raise not_installed(f"{table}.url needs the library httpx2", table)
    return Endpoint(table, url.rstrip("/"), key_from(table, key_variable, environment), timeout, retries)


def endpoint_of(table: str, settings: VectorConfig | LlmConfig, environment: Mapping[str, str]) -> Endpoint:
    """Return the checked endpoint of a model; raises `BadInput` that names the setting."""
    return endpoint(
        table,
        settings.url,
        settings.key_variable,
        environment,
        timeout=settings.timeout,
        retries=settings.retries,
        plain_http=settings.plain_http,
    )


def is_here(host: str) -> bool:
    """Tell whether a host is this machine, by its name or number alone: a look-up could answer otherwise later."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"


def key_from(table: str, name: str, environment: Mapping[str, str]) -> str:
    """Return the key that the environment holds under a name, nothing where no name is set.

    Only names that begin with MFGIT_ are read: a `mfgit.toml` must not be able to send any other secret away.
    """
    if not name:
        return ""
    if not KEY_NAME.fullmatch(name):
        raise BadInput(
            f"{table}.key_variable is not a name that begins with MFGIT_, in capitals.",
            f'Write key_variable = "MFGIT_{table.upper()}_KEY" and put the key into that variable.',
        )
    key = environment.get(name, "").strip()
    if not KEY.fullmatch(key):
        state = "holds characters that no key has" if key else "is not set"
        raise BadInput(f"The environment variable {name} that {table}.key_variable names {state}.", f"Put the key into {name}.")
    return key


def ask(to: Endpoint, path: str, payload: Mapping[str, Any], limit: int) -> Any:
    """POST JSON and return the JSON of the answer, of at most `limit` bytes; raises `Failed`."""
    return send(to, "POST", path, payload, limit)


def send(to: Endpoint, method: str, path: str, payload: Mapping[str, Any] | None, limit: int) -> Any:
    """Send one request (`payload` None: without a body) and return the JSON of the answer; raises `Failed`.

    A try that may succeed later is made again up to `retries` times, after the wait that the endpoint asks for.
    """
    body = None if payload is None else json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
    for attempt in range(to.retries + 1):
        try:
            return once(to, method, path, body, limit)
        except Failed as failure:
            wait = FIRST_WAIT * 2**attempt if failure.wait is None else failure.wait
            if not failure.again or attempt == to.retries or wait > LONGEST_WAIT:
                raise
            to.sleep(wait)
    raise AssertionError("the last try returns or raises")


def once(to: Endpoint, method: str, path: str, body: bytes | None, limit: int) -> Any:
    """Make one try; `Failed` says what came of it in words that hold nothing of the request or the answer."""
    import httpx2 as http

    end = time.monotonic() + to.timeout
    proxied = not is_here(urlsplit(to.url).hostname or "")
    try:
        with (
            http.Client(timeout=to.timeout, trust_env=proxied, follow_redirects=False) as client,
            client.stream(method, f"{to.url}{path}", content=body, headers=headers_for(to, body)) as answer,
        ):
            if answer.status_code not in DONE:
                raise refused(to, answer.status_code, answer.headers)
            data = read(answer.iter_raw(), limit, end, to)
    except http.TimeoutException:
        raise Failed(f"{to.host} did not answer within {to.timeout:g} seconds", again=True) from None
    except http.HTTPError as error:
        raise Failed(f"{to.host} cannot be asked ({type(error).__name__})", again=True) from None
    return parsed(data, to) if data or answer.status_code != NO_CONTENT else None


def headers_for(to: Endpoint, body: bytes | None) -> dict[str, str]:
    """Return the headers of a request."""
    headers = {"Accept": "application/json", "Accept-Encoding": "identity", **dict(to.headers)}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if to.key:
        headers["Authorization"] = f"Bearer {to.key}"
    return headers


def read(chunks: Any, limit: int, end: float, to: Endpoint) -> bytes:
    """Return the bytes of an answer; raises `Failed` for one that is too large or drips for longer than a try may take."""
    data = bytearray()
    for chunk in chunks:
        data += chunk
        if len(data) > limit:
            raise Failed(f"{to.host} answered with more than {limit} bytes")
        if time.monotonic() > end:
            raise Failed(f"{to.host} did not answer within {to.timeout:g} seconds", again=True)
    return bytes(data)


def parsed(data: bytes, to: Endpoint) -> Any:
    """Return JSON; raises `Failed`, which another try may mend where the answer was cut off."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise Failed(f"{to.host} answered with something that is not whole JSON", again=True) from None


def refused(to: Endpoint, status: int, headers: Mapping[str, str]) -> Failed:
    """Return what a status that is no success means."""
    wait = seconds(headers.get("Retry-After"))
    limited = status == 429 or (status == 403 and (wait is not None or headers.get("X-RateLimit-Remaining") == "0"))
    if limited and wait is None:
        wait = until(headers.get("X-RateLimit-Reset") or headers.get("RateLimit-Reset"))
    said = 429 if limited else status
    why = REASONS.get(said, "fails" if status >= 500 else "does not accept the request")
    return Failed(f"{to.host} {why} (status {status})", again=said in AGAIN, wait=wait, status=said)


def until(reset: str | None) -> float | None:
    """Return the seconds until a limit ends, given as a moment in seconds since 1970; None where it says nothing."""
    if reset is None or not re.fullmatch(r"\d{9,11}", reset, re.ASCII):
        return None
    return max(0.0, float(reset) - time.time())


def seconds(after: str | None) -> float | None:
    """Return the seconds that a `Retry-After` asks for, given in seconds or as a date; None where it says neither."""
    if after is None:
        return None
    if re.fullmatch(r"\s*\d{1,9}\s*", after, re.ASCII):
        return float(after)
    try:
        when = parsedate_to_datetime(after)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
