"""A chat backend with mfgit in its own process: the knowledge repository and the archive are on this machine.

Start it with `MFGIT_REPOSITORY=/path/to/repository uvicorn in_process:app`.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from chat import BUDGET, QUESTION, Asked, Found, Rated, backend, respond
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from mfgit.errors import MfgitError, Missing
from mfgit.project.living import Living


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Keep the repository open while the backend runs: many threads ask it at once."""
    with Living(os.environ.get("MFGIT_REPOSITORY", ".")) as app.state.knowledge:
        yield


app = backend(lifespan)


def knowledge(request: Request) -> Living:
    """Return the open repository."""
    found: Living = request.app.state.knowledge
    return found


@app.exception_handler(MfgitError)
def refused(_: Request, error: MfgitError) -> JSONResponse:
    """Answer a disk that is full or a repository that cannot be read: nothing was acknowledged."""
    return JSONResponse({"detail": error.message}, 503)


# Functions without `async` run in a thread each, so that a search or a write to the disk holds nobody else up.


@app.post("/chat")
def chat(asked: Asked, request: Request) -> Response:
    """Answer a question from the documentation."""
    here = knowledge(request)
    found = here.context(asked.question[:QUESTION], budget=BUDGET, **asked.search())
    return respond(asked, Found.model_validate(found.to_json()), lambda turn: here.append([turn]))


@app.post("/ratings", status_code=204)
def rate(rated: Rated, request: Request) -> Response:
    """Keep the user's verdict on an answer."""
    try:
        knowledge(request).rate(rated.message_id, rated.rating, rated.reasons, rated.note)
    except Missing:
        return JSONResponse({"detail": "There is no such answer."}, 404)
    return Response(status_code=204)
