"""What both backends share: what a client sends and gets, what mfgit found, the prompt, and the turn to archive."""

import json
import logging
import uuid
from collections.abc import AsyncIterator, Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, closing
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from anyio import CancelScope
from fastapi import FastAPI, Request
from fastapi.concurrency import iterate_in_threadpool, run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from model import Prompt, Source, answer
from pydantic import BaseModel, Field, StrictInt, field_validator

BUDGET = 2_000
"""Tokens of the passages in a prompt, estimated."""
QUESTION, TURN, TURNS = 2_000, 500, 4
"""Characters of the question and of an earlier turn that a search is asked with, and how many of those turns."""
Store = Callable[[Mapping[str, Any]], object]
"""Keeps a turn; returns when it is on a disk."""


class Message(BaseModel):
    """A message of the conversation."""

    role: Literal["user", "assistant"]
    content: str = Field(min_length=1, max_length=20_000)


class Asked(BaseModel):
    """A question: the conversation so far, whose last message it is. `stream` sends the answer as it is made."""

    messages: list[Message] = Field(min_length=1, max_length=100)
    session_id: str = Field(min_length=1, max_length=200)
    user_id: str = Field(min_length=1, max_length=200)
    stream: bool = False

    @field_validator("messages")
    @classmethod
    def ends_with_the_question(cls, messages: list[Message]) -> list[Message]:
        """Refuse a conversation that ends with an answer: it would be archived as what a user asked."""
        if messages[-1].role != "user":
            raise ValueError("the last message is the user's question")
        return messages

    @property
    def question(self) -> str:
        """What the user asks now."""
        return self.messages[-1].content

    def search(self) -> dict[str, Any]:
        """Return the options of a search: the user's turns before, for a question that leans on them."""
        before = [message.content[:TURN] for message in self.messages[:-1] if message.role == "user"]
        return {"history": before[-TURNS:], "limit": 5}


class Rated(BaseModel):
    """The user's verdict on an answer: up, down, or 1 (bad) to 5 (good)."""

    message_id: str = Field(min_length=1, max_length=200)
    rating: Literal["up", "down"] | Annotated[StrictInt, Field(ge=1, le=5)]
    reasons: list[str] = Field(default_factory=list, max_length=20)
    note: str | None = Field(None, max_length=5_000)


class Found(BaseModel):
    """What mfgit found: `Context.to_json()` and `GET /context` hold these fields. Without `reachable` it was not asked."""

    block: str = ""
    answered: bool = False
    citations: list[str] = []
    hits: list[Source] = []
    reachable: bool = True

    def sources(self) -> list[Source]:
        """Return the passages in the block, numbered as they are there."""
        left, found = list(self.hits), []
        for citation in self.citations if self.answered else ():
            source = next(hit for hit in left if hit.citation == citation)
            left.remove(source)
            found.append(source)
        return found


def backend(lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]]) -> FastAPI:
    """Return an application that says what is wrong with a request."""
    app = FastAPI(title="Chat with the documentation", lifespan=lifespan)
    app.exception_handler(RequestValidationError)(unfit)
    return app


def unfit(_: Request, error: RequestValidationError) -> JSONResponse:
    """Say what is wrong with a request and repeat nothing of it: it may be megabytes, or what no JSON can hold."""
    return JSONResponse({"detail": [{"loc": one["loc"], "msg": one["msg"]} for one in error.errors()]}, 422)


def respond(asked: Asked, found: Found, store: Store) -> Response:
    """Answer a question. What the client gets last, the id of the message, it gets when the turn is stored."""
    earlier = [message.model_dump() for message in asked.messages[:-1]]
    sources = found.sources()
    best = found.hits[0] if sources else None  # it finds room in the block before all others
    prompt = Prompt(asked.question, found.block, sources, best, earlier, reachable=found.reachable)
    message_id = uuid.uuid4().hex

    def pieces() -> Generator[str]:
        said: list[str] = []
        whole = False
        try:
            for piece in answer(prompt):
                said.append(piece)
                yield piece
            whole = found.reachable
        finally:  # also when the model fails or the client goes away: what was said is kept, as partial
            store(turn(asked, message_id, "".join(said), partial=not whole))

    def done() -> dict[str, Any]:
        shown = ("citation", "kind", "mark", "stale")
        described = [{name: getattr(source, name) for name in shown} for source in sources]
        return {"message_id": message_id, "answered": found.answered, "sources": described}

    if not asked.stream:
        return JSONResponse({"answer": "".join(pieces()), **done()})
    streamed = to_the_end(events(pieces(), done))
    return StreamingResponse(streamed, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def to_the_end(parts: Generator[str]) -> AsyncIterator[str]:
    """Yield what a generator yields in a thread, and close it when the client goes away, which nobody else does."""
    try:
        async for part in iterate_in_threadpool(parts):
            yield part
    finally:
        with CancelScope(shield=True):
            await run_in_threadpool(parts.close)


def events(pieces: Generator[str], done: Callable[[], Mapping[str, Any]]) -> Generator[str]:
    """Yield server-sent events: `text` for each piece, then `done` once the turn is stored, or `failed`."""
    try:
        with closing(pieces):
            for piece in pieces:
                yield event("text", {"text": piece})
    except Exception:
        logging.getLogger("chat").exception("an answer was not finished or not stored")
        yield event("failed", {"detail": "The answer is not complete, or was not stored. Please ask again."})
    else:
        yield event("done", done())


def event(name: str, data: Mapping[str, Any]) -> str:
    """Return one server-sent event; JSON in ASCII holds no line break."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def turn(asked: Asked, message_id: str, said: str, *, partial: bool) -> dict[str, Any]:
    """Return the turn to archive. mfgit redacts it; its `request_id` makes it safe to send it again."""
    return {
        "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "request_id": uuid.uuid4().hex,
        "session_id": asked.session_id,
        "user_id": asked.user_id,
        "help_mode": True,  # the questions of a workspace have its `workspace_id` instead
        "user_message": asked.question,
        "assistant_message": said,
        "assistant_message_id": message_id,
        "partial": partial,
    }
