"""Who is asking, and whether they may: a bearer token, a browser session, or anybody on this machine where that is allowed."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from hmac import compare_digest
from typing import Annotated, NamedTuple

from fastapi import Depends, Request

from mfgit.reasons.forms import say
from mfgit.repo.writing import Signature
from mfgit.server.problems import Failure
from mfgit.server.service import Service, service
from mfgit.server.tokens import ROLES, Token
from mfgit.server.visits import Visit

SAFE = ("GET", "HEAD", "OPTIONS")
CSRF_HEADER = "X-CSRF-Token"
LOCAL = "local"
"""The actor in the log where no token is needed; decisions then carry the name that Git knows."""
HINT = "Send Authorization: Bearer TOKEN; mfgit serve token add makes one."


class Principal(NamedTuple):
    """Who asks: a name, an address, roles, and the session where there is one."""

    name: str
    email: str
    roles: frozenset[str]
    visit: Visit | None = None

    def has(self, role: str) -> bool:
        """Tell whether this may do what a role may; a reviewer may do what a reader may."""
        return role in self.roles or (role == "reader" and "reviewer" in self.roles)

    @property
    def signature(self) -> Signature | None:
        """The Git author of what is decided; None: the person whom Git knows here."""
        return Signature(self.name, self.email, datetime.now(UTC)) if self.email else None


def cookie_name(here: Service) -> str:
    """Return the name of the session's cookie; browsers keep a `__Host-` one from other hosts and from plain HTTP."""
    return "__Host-mfgit" if here.settings.secure else "mfgit"


def address(request: Request) -> str:
    """Return where a request comes from."""
    return request.client.host if request.client else "unknown"


async def principal(request: Request) -> Principal:
    """Return who asks; raises a 401 for nobody, a 403 for a request that may be forged, a 429 for too many."""
    here = service(request)
    found = identified(request, here)
    request.state.actor = found.name
    slow_down(here, found.name if found.name != LOCAL else address(request))
    return found


def identified(request: Request, here: Service, secret: str | None = None) -> Principal:
    """Return who asks, by what the request carries; `secret` is its session's where not in the header, as in a form."""
    header = request.headers.get("authorization")
    if header is not None:
        scheme, _, given = header.partition(" ")
        if scheme.lower() != "bearer":
            raise Failure(401, "Only bearer tokens are taken.", HINT, {"WWW-Authenticate": "Bearer"})
        return of_token(verified(request, here, given.strip()))
    visit = here.visits.find(request.cookies.get(cookie_name(here), ""))
    if visit is not None and (known := of_visit(here, visit)):
        if request.method not in SAFE:
            check_not_forged(visit, request.headers.get(CSRF_HEADER, "") if secret is None else secret)
        return known
    if here.settings.open:
        return anybody()
    raise Failure(401, "This needs a token.", HINT, {"WWW-Authenticate": "Bearer"})


def check_not_forged(visit: Visit, given: str) -> None:
    """Raise a 403 unless a change carries the secret of its session, which no page of another site can know."""
    if not compare_digest(given.encode("utf-8", "replace"), visit.csrf.encode()):
        raise Failure(403, "The request lacks the secret of its session.", f"Send it as {CSRF_HEADER}; GET /session tells it.")


def verified(request: Request, here: Service, secret: str) -> Token:
    """Return the token of a secret; whoever shows wrong ones is told soon to wait, which keeps nobody with a right one out."""
    token = here.tokens.find(secret)
    if token is not None:
        return token
    wait = here.failures.take(address(request))
    if wait:
        raise too_many(wait)
    raise Failure(401, "The token is not known here.", HINT, {"WWW-Authenticate": 'Bearer error="invalid_token"'})


def of_token(token: Token, visit: Visit | None = None) -> Principal:
    """Return who a token stands for."""
    return Principal(token.name, token.email, frozenset(token.roles), visit)


def of_visit(here: Service, visit: Visit) -> Principal | None:
    """Return who a session stands for; None when its token was revoked."""
    if not visit.name:
        return anybody(visit) if here.settings.open else None
    token = next((token for token in here.tokens.all() if token.name == visit.name), None)
    return of_token(token, visit) if token else None


def anybody(visit: Visit | None = None) -> Principal:
    """Return whoever is on this machine."""
    return Principal(LOCAL, "", frozenset(ROLES), visit)


def too_many(wait: float) -> Failure:
    """Return the refusal of a caller who asks too often."""
    seconds = max(1, round(wait + 0.5))
    return Failure(429, say("refused.often"), say("hint.often", seconds=seconds), {"Retry-After": str(seconds)})


def slow_down(here: Service, caller: str) -> None:
    """Count a request; raises a 429 for one too many."""
    wait = here.limiter.take(caller)
    if wait:
        raise too_many(wait)


def needs(role: str) -> Callable[[Request], Awaitable[Principal]]:
    """Return a dependency that lets only those of a role in, and says who they are."""

    async def check(request: Request) -> Principal:
        found = await principal(request)
        if not found.has(role):
            raise Failure(403, say("refused.role", role=role), say("hint.role"))
        return found

    return check


async def public(request: Request) -> None:
    """Let everybody in, as often as the limits allow."""
    slow_down(service(request), address(request))


Here = Annotated[Service, Depends(service)]
Writer = Annotated[Principal, Depends(needs("writer"))]
Reader = Annotated[Principal, Depends(needs("reader"))]
Reviewer = Annotated[Principal, Depends(needs("reviewer"))]
Anyone = Annotated[Principal, Depends(principal)]
