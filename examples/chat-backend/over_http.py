"""A chat backend that speaks to `mfgit serve`, and goes on when that is away.

Start it with MFGIT_URL, MFGIT_WRITER_TOKEN and MFGIT_READER_TOKEN in the environment: `uvicorn over_http:app`.

Questions are asked with the reader's token. Turns and ratings go to disk first (OUTBOX, ./outbox) and from there to mfgit with
the writer's token. Without mfgit the answer says so, and what is in the outbox waits.
"""

import logging
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from chat import BUDGET, QUESTION, Asked, Found, Rated, backend, respond
from fastapi import FastAPI, Request
from fastapi.responses import Response
from outbox import Outbox

READING = httpx2.Timeout(3.0, connect=1.0)
"""Seconds that a user is kept waiting for passages."""
WRITING = httpx2.Timeout(10.0)
log = logging.getLogger("chat")


def client(role: str, timeout: httpx2.Timeout) -> httpx2.Client:
    """Return a client of mfgit with the token of a role; none is needed on loopback."""
    token = os.environ.get(f"MFGIT_{role}_TOKEN")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx2.Client(base_url=os.environ.get("MFGIT_URL", "http://127.0.0.1:8700"), headers=headers, timeout=timeout)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Keep connections and the sender of the outbox open while the backend runs."""
    with (
        client("READER", READING) as app.state.reader,
        client("WRITER", WRITING) as writer,
        Outbox(Path(os.environ.get("OUTBOX", "outbox")), writer) as app.state.outbox,
    ):
        yield


app = backend(lifespan)


def outbox(request: Request) -> Outbox:
    """Return the open outbox."""
    found: Outbox = request.app.state.outbox
    return found


def look_up(reader: httpx2.Client, asked: Asked) -> Found:
    """Return what mfgit finds; where it is away, slow or broken, that it was not reachable."""
    try:
        response = reader.get("/context", params={"q": asked.question[:QUESTION], "tokens": BUDGET, **asked.search()})
        response.raise_for_status()
        return Found.model_validate_json(response.content)
    except (httpx2.HTTPError, ValueError) as error:
        log.warning("no passages: %s", type(error).__name__)
        return Found(reachable=False)


@app.post("/chat")
def chat(asked: Asked, request: Request) -> Response:
    """Answer a question from the documentation."""

    def store(turn: Mapping[str, Any]) -> None:
        outbox(request).put("/archive/turns", turn)

    return respond(asked, look_up(request.app.state.reader, asked), store)


@app.post("/ratings", status_code=204)
def rate(rated: Rated, request: Request) -> Response:
    """Keep the user's verdict on an answer; it follows its turn."""
    body = {"assistant_message_id": rated.message_id, "rating": rated.rating, "reasons": rated.reasons, "note": rated.note}
    outbox(request).put("/archive/ratings", body)
    return Response(status_code=204)


@app.get("/health")
def health(request: Request) -> dict[str, int]:
    """Tell how much waits for mfgit."""
    return {"waiting": len(outbox(request).waiting())}
