"""Errors as one clear sentence: problem documents of RFC 9457. None repeats what was sent."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match, Route

from mfgit.errors import MfgitError, Refusal
from mfgit.plumbing import GitFailedError

MEDIA = "application/problem+json"
SENTENCES = {404: "There is nothing at this address.", 405: "This address does not take that method."}


class Problem(BaseModel):
    """What went wrong (RFC 9457); some problems carry more members, which their operations name."""

    type: str = "about:blank"
    title: str = Field(description="The name of the status.")
    status: int
    detail: str = Field(description="One sentence: what is wrong, and where.")
    hint: str | None = Field(None, description="What to do about it.")


class Failure(Exception):
    """An answer that is no: its status, the sentence, what to do, headers, and further members."""

    def __init__(self, status: int, detail: str, hint: str = "", headers: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(detail)
        self.status, self.detail, self.hint, self.headers, self.more = status, detail, hint, headers, more


def body(status: int, detail: str, hint: str = "", **more: Any) -> bytes:
    """Return a problem document."""
    value = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    return json.dumps({**value, **({"hint": hint} if hint else {}), **more}).encode()


def answer(failure: Failure) -> Response:
    """Return the response of a failure."""
    data = body(failure.status, failure.detail, failure.hint, **failure.more)
    return Response(data, failure.status, dict(failure.headers or {}), MEDIA)


def of_error(error: MfgitError) -> Failure:
    """Return a failure of the project: a refusal is a conflict, Git that failed our trouble, all else the caller's."""
    if isinstance(error, Refusal):
        return Failure(409, error.message, error.hint)
    if isinstance(error, GitFailedError):
        return Failure(500, "Git could not do it; the server's log names where.")
    return Failure(400, error.message, error.hint)


def of_validation(error: RequestValidationError) -> Failure:
    """Return which parts of a request are not as they should be, without their values."""
    found = []
    for each in error.errors():
        place = ".".join(str(part) for part in each["loc"][1:] if str(part).isidentifier() or isinstance(part, int))
        where = {"body": "the body", "query": "the query", "path": "the address"}.get(str(each["loc"][0]), "the request")
        kind = "not JSON" if each["type"] == "json_invalid" else said(each)
        found.append(f"{place[:80]} in {where}: {kind}" if place and kind != "not JSON" else f"{where} is {kind}")
    return Failure(422, f"The request cannot be used: {'; '.join(dict.fromkeys(found[:5]))}.")


def said(error: Mapping[str, Any]) -> str:
    """Return what was expected; messages of pydantic name types, lengths and choices, not what was given."""
    texts = {"missing": "missing", "extra_forbidden": "not known here", "value_error": "not usable"}
    kind = str(error["type"])
    return texts.get(kind) or str(error["msg"])[:200].rstrip(".")


def allowed(request: Request) -> str:
    """Return every method that an address takes; the framework names those of its first route only."""
    routes: list[BaseRoute] = request.app.state.routes
    here = [route for route in routes if isinstance(route, Route) and route.matches(request.scope)[0] != Match.NONE]
    methods = {method for route in here for method in route.methods or ()}
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


def install(app: FastAPI) -> None:
    """Let an application answer every error as a problem."""

    async def failed(_: Request, error: Exception) -> Response:
        assert isinstance(error, Failure)
        return answer(error)

    async def project_error(_: Request, error: Exception) -> Response:
        assert isinstance(error, MfgitError)
        return answer(of_error(error))

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return answer(of_validation(error))

    async def framework(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        detail = SENTENCES.get(error.status_code, f"The request was refused: {HTTPStatus(error.status_code).phrase}.")
        headers = {"Allow": allowed(request)} if error.status_code == 405 else error.headers
        return answer(Failure(error.status_code, detail, headers=headers))

    app.add_exception_handler(Failure, failed)
    app.add_exception_handler(MfgitError, project_error)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, framework)
