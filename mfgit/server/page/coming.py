"""Who comes to a page, what a form carries, and how an error looks to a person."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError

from mfgit.errors import MfgitError
from mfgit.reasons.forms import say
from mfgit.server import problems
from mfgit.server.access import LOCAL, SAFE, Principal, address, identified, slow_down
from mfgit.server.page.rendering import HOME, linked, page
from mfgit.server.problems import Failure
from mfgit.server.service import service

FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 20
SECRET = "csrf"  # noqa: S105 - the name of a field
Handler = Callable[[Request], Coroutine[Any, Any, Response]]
Shape = TypeVar("Shape", bound=BaseModel)


class PageRoute(APIRoute):
    """A route whose errors are pages: whoever has to sign in is sent there, all else is said in one sentence."""

    def get_route_handler(self) -> Handler:
        """Return the framework's handler with our errors around it."""
        inner = super().get_route_handler()

        async def handler(request: Request) -> Response:
            try:
                return await inner(request)
            except Failure as failure:
                return said(request, failure)
            except MfgitError as error:
                return said(request, problems.of_error(error))
            except RequestValidationError as error:
                return said(request, problems.of_validation(error))

        return handler


def router() -> APIRouter:
    """Return a router of pages."""
    return APIRouter(prefix=HOME, route_class=PageRoute, include_in_schema=False)


def said(request: Request, failure: Failure) -> Response:
    """Return the page of a failure."""
    if failure.status == 401 and "authorization" not in request.headers:
        back = request.url.path if request.method == "GET" else HOME
        query = request.url.query if request.method == "GET" else ""
        return RedirectResponse(linked(f"{HOME}/sign-in", {"next": f"{back}?{query}" if query else back}), 303)
    who: Principal | None = getattr(request.state, "who", None)
    answer = page(request, who, "error.html", {"failure": failure}, failure.status)
    answer.headers.update(failure.headers or {})
    return answer


async def form(request: Request) -> dict[str, str]:
    """Return the fields of a form, those that come twice with their last value."""
    kind = (request.headers.get("content-type") or "").partition(";")[0].strip().lower()
    if kind != FORM:
        raise Failure(415, f"Forms come as {FORM}.")
    try:
        text = (await request.body()).decode("ascii")
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        raise Failure(400, "The form cannot be read.") from None


async def asking(request: Request) -> Principal:
    """Return who asks for a page or sends a form; a form that does not carry its session's secret is refused."""
    here = service(request)
    changes = request.method not in SAFE
    bearer = "authorization" in request.headers
    secret = (await form(request)).get(SECRET, "") if changes else None
    found = identified(request, here, secret)
    if changes and found.visit is None and not bearer:  # a form of before a restart, or of somebody else's making
        raise Failure(403, "The form lacks the secret of its session.", "Open the page again and repeat the step.")
    request.state.actor, request.state.who = found.name, found
    slow_down(here, found.name if found.name != LOCAL else address(request))
    return found


def needs(role: str) -> Callable[[Request], Awaitable[Principal]]:
    """Return a dependency that lets only those of a role in."""

    async def check(request: Request) -> Principal:
        found = await asking(request)
        if not found.has(role):
            raise Failure(403, say("refused.role", role=role), say("hint.role"))
        return found

    return check


def shaped(shape: type[Shape], **values: Any) -> Shape:
    """Return what a form says as the API knows it; raises a 422 that names the fields."""
    try:
        return shape(**values)
    except ValidationError as error:
        found = [{**each, "loc": ("body", *each["loc"])} for each in error.errors()]
        raise problems.of_validation(RequestValidationError(found)) from None


Reader = Annotated[Principal, Depends(needs("reader"))]
Reviewer = Annotated[Principal, Depends(needs("reviewer"))]
Form = Annotated[dict[str, str], Depends(form)]
