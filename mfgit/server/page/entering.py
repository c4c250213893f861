"""Signing in and out, and the files that pages load."""

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from mfgit.reasons.forms import say
from mfgit.server.access import Here, Principal, address, cookie_name, public, verified
from mfgit.server.page import coming
from mfgit.server.page.rendering import ASSETS, HOME, asset, forget, page
from mfgit.server.problems import Failure
from mfgit.server.system import begin

router = coming.router()
front = APIRouter(include_in_schema=False)
A_YEAR = "public, max-age=31536000, immutable"
AN_HOUR = "public, max-age=3600"


@router.get("/static/{name}", dependencies=[Depends(public)])
def static(name: str, v: str = "") -> Response:
    """Return a file that pages load; one whose address changes with its content may be kept."""
    if name not in ASSETS:
        raise Failure(404, say("refused.no_address"))
    return Response(asset(name), media_type=ASSETS[name], headers={"Cache-Control": A_YEAR if v else AN_HOUR})


@router.get("/sign-in", dependencies=[Depends(public)])
def sign_in(request: Request) -> HTMLResponse:
    """Show the form that takes a token."""
    return page(request, None, "sign_in.html", {"back": inside(request.query_params.get("next", "")), "alert": ""})


@router.post("/sign-in", dependencies=[Depends(public)])
def signed_in(request: Request, here: Here, given: coming.Form) -> Response:
    """Change a token into a browser session."""
    back = inside(given.get("next", ""))
    try:
        token = verified(request, here, given.get("token", "").strip())
    except Failure as failure:
        alert = "sign_in.wait" if failure.status == 429 else "sign_in.wrong"
        again = page(request, None, "sign_in.html", {"back": back, "alert": alert}, failure.status)
        again.headers.update({name: value for name, value in (failure.headers or {}).items() if name == "Retry-After"})
        return again
    request.state.actor = token.name
    answer = RedirectResponse(back, 303)
    begin(here, answer, token.name)
    with suppress(OSError):
        here.audit.note(token.name, "log in", address=address(request))
    return answer


@router.post("/sign-out")
def sign_out(request: Request, here: Here, who: Annotated[Principal, Depends(coming.asking)]) -> Response:
    """End the session."""
    here.visits.end(request.cookies.get(cookie_name(here), ""))
    answer = RedirectResponse(f"{HOME}/sign-in", 303)
    forget(request, answer)
    with suppress(OSError):
        here.audit.note(who.name, "log out")
    return answer


@router.get("/{rest:path}")
def nothing(rest: str, _: coming.Reader) -> Response:
    """Lead an address with a slash too many to the page that is meant; any other is said to be none."""
    if rest.rstrip("/") != rest or not rest:
        return RedirectResponse(f"{HOME}/{rest}".rstrip("/"), 307)
    raise Failure(404, say("refused.no_address"))


@front.get("/", dependencies=[Depends(public)])
def home() -> Response:
    """Lead whoever opens the server in a browser to the page."""
    return RedirectResponse(HOME, 307)


def inside(address: str) -> str:
    """Return an address to go on to, which must be a page of ours."""
    path = address.partition("?")[0]
    ours = (path == HOME or path.startswith(f"{HOME}/")) and "\\" not in address and ".." not in path
    return address if ours and address.isascii() and address.isprintable() else HOME
