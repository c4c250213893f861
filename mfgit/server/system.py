"""The service itself over HTTP: whether it is well, and browser sessions."""

from contextlib import suppress

from fastapi import APIRouter, Depends, Request, Response

from mfgit import __version__
from mfgit.errors import MfgitError
from mfgit.server import shapes
from mfgit.server.access import Anyone, Here, Principal, address, cookie_name, identified, of_token, public, verified
from mfgit.server.problems import Failure
from mfgit.server.service import Service
from mfgit.server.visits import LASTS, Visit

router = APIRouter(tags=["service"])


@router.get("/health", dependencies=[Depends(public)])
def health(request: Request, response: Response, here: Here) -> shapes.Health:
    """Tell whether the repository can be read (503: it cannot), and to those with a token what runs by itself."""
    told = None
    with suppress(Failure):
        identified(request, here)
        told = here.automatic.state
    try:
        here.living.project().target_commit()
        return shapes.Health(status="ok", version=__version__, automatic=told() if told else None)
    except MfgitError as error:
        response.status_code = 503
        return shapes.Health(status="failing", version=__version__, detail=error.message if told else None)


@router.get("/session")
def who(asking: Anyone) -> shapes.Who:
    """Tell who is asking, and a session's secret against forged requests."""
    return told(asking, asking.visit)


@router.post("/session", dependencies=[Depends(public)])
def log_in(given: shapes.Login, request: Request, response: Response, here: Here) -> shapes.Who:
    """Change a token into a browser session, kept in a cookie that scripts cannot read."""
    token = verified(request, here, given.token)
    request.state.actor = token.name
    visit = begin(here, response, token.name)
    with suppress(OSError):
        here.audit.note(token.name, "log in", address=address(request))
    return told(of_token(token), visit)


@router.delete("/session", status_code=204)
def log_out(request: Request, response: Response, here: Here, asking: Anyone) -> None:
    """End the browser session."""
    here.visits.end(request.cookies.get(cookie_name(here), ""))
    response.delete_cookie(cookie_name(here), secure=here.settings.secure, httponly=True, samesite="strict")
    with suppress(OSError):
        here.audit.note(asking.name, "log out")


def begin(here: Service, response: Response, name: str) -> Visit:
    """Begin a session of a token (an empty name: of whoever is on this machine) and set its cookie."""
    cookie, visit = here.visits.begin(name)
    response.set_cookie(cookie_name(here), cookie, max_age=LASTS, secure=here.settings.secure, httponly=True, samesite="strict")
    return visit


def told(asking: Principal, visit: Visit | None) -> shapes.Who:
    """Return what is told to somebody about themselves."""
    return shapes.Who(name=asking.name, roles=sorted(asking.roles), csrf=visit.csrf if visit else None)
