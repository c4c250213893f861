"""Everything that one serving process has: the project, who may come in, the log, and what runs by itself."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fastapi import Request

from mfgit.errors import BadInput
from mfgit.project.living import Living
from mfgit.server.audit import Audit
from mfgit.server.automatic import Automatic
from mfgit.server.jobs import Scans
from mfgit.server.limits import Limiter
from mfgit.server.lookback import LookBacks
from mfgit.server.tokens import Tokens
from mfgit.server.visits import Visits

if TYPE_CHECKING:
    import os

LOOPBACK = ("localhost", "127.0.0.1", "::1")
WILDCARDS = ("0.0.0.0", "::", "")  # noqa: S104 - names to compare with, nothing listens here
FAILURES_A_MINUTE = 10


@dataclass(frozen=True)
class Settings:
    """How to serve: the address, the address that users see (behind a proxy), whether tokens are needed, requests a second.

    `open` means that whoever reaches the address may do everything: on loopback, unless tokens are asked for.
    """

    host: str = "127.0.0.1"
    port: int = 8700
    public_url: str = ""
    require_tokens: bool = False
    rate: float = 100.0

    @property
    def open(self) -> bool:
        """Whether no token is needed."""
        return self.host in LOOPBACK and not self.public_url and not self.require_tokens

    @property
    def secure(self) -> bool:
        """Whether browsers come over HTTPS."""
        return self.public_url.startswith("https://")

    @property
    def hosts(self) -> frozenset[str] | None:
        """The names that requests may call the server by, without port; None where only tokens protect a wildcard address."""
        public = urlsplit(self.public_url).hostname
        if self.host in WILDCARDS and not public:
            return None
        near = LOOPBACK if self.host in LOOPBACK else ((self.host,) if self.host not in WILDCARDS else ())
        return frozenset(name.lower() for name in (*near, public) if name)

    def check(self) -> None:
        """Raise `BadInput` for a public address that is none."""
        if not self.public_url:
            return
        if not is_server(self.public_url):
            raise BadInput(f"{self.public_url} is not the address of a server.", "Give it like https://kb.example.com.")


def is_server(url: str) -> bool:
    """Tell whether a text is the address of a whole server."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises where it is none
    except ValueError:
        return False
    more = parts.path not in ("", "/") or parts.query or parts.fragment or parts.username
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not more


class Service:
    """One serving process. Made when the application is, started and stopped with it."""

    def __init__(self, folder: "str | os.PathLike[str]", settings: Settings) -> None:
        settings.check()
        self.settings = settings
        self.living = Living(folder)
        common = self.living.first.common
        self.look_backs = LookBacks(self.living)
        self.tokens = Tokens(common)
        self.visits = Visits()
        self.audit = Audit(common)
        self.scans = Scans(self.living, self.audit)
        self.automatic = Automatic(self.living, self.scans)
        self.limiter = Limiter(0 if settings.open else settings.rate, 2 * settings.rate)
        self.failures = Limiter(FAILURES_A_MINUTE / 60, FAILURES_A_MINUTE)

    def start(self) -> None:
        """Begin what runs by itself."""
        self.automatic.start()

    def stop(self) -> None:
        """End what runs by itself, within seconds, and close what is open."""
        self.automatic.stop()
        self.scans.stop()
        self.living.close()


def service(request: Request) -> Service:
    """Return the service that a request is for."""
    found: Service = request.app.state.service
    return found
