"""Conversations over HTTP: what goes in, and for reviewers what is found again."""

import functools
import json
from typing import Annotated, Any, Literal

import anyio
import anyio.to_thread
from fastapi import APIRouter, Query, Request

from mfgit.archive.appending import OWN, Ack, Ready, Rejected, ready_line, ready_value
from mfgit.errors import BadInput, Missing
from mfgit.model import schema
from mfgit.server import shapes
from mfgit.server.access import Here, Reviewer, Writer
from mfgit.server.problems import Failure
from mfgit.server.service import Service

MOST_TURNS = 1_000
"""Turns of a request."""
LINES = "application/x-ndjson"
BUDGET = 20_000
MOST_BYTES = 1_000_000
router = APIRouter(prefix="/archive", tags=["archive"])


def turn_body() -> dict[str, Any]:
    """Return what OpenAPI says of a body of turns: the schema of a turn, which is the one that turns are checked against."""
    turn = {name: value for name, value in schema("turn").items() if name[0] != "$"}
    many = {"type": "array", "items": turn, "minItems": 1, "description": f"At most {MOST_TURNS}; more are a 413."}
    content = {"application/json": {"schema": {"anyOf": [turn, many]}}, LINES: {"schema": {"type": "string"}}}
    return {"requestBody": {"required": True, "content": content}}


@router.post("/turns", openapi_extra=turn_body())
async def append_turns(request: Request, here: Here, _: Writer) -> shapes.Appended:
    """Archive one turn, an array of turns, or JSON lines; answered once all are on the disk, redacted.

    A turn whose `request_id` is known is acknowledged and not stored twice, so after any failure the same request may be
    sent again. Where some are no turns (422), `acknowledged` names those that are stored and `rejected` the others. So
    are those with a field that only mfgit sets: `source`, `archived_at`, `imported_at`, `retained`, `undated`.
    """
    kind = (request.headers.get("content-type") or "").partition(";")[0].strip().lower()
    if kind not in ("application/json", LINES):
        raise Failure(415, f"Turns come as application/json or {LINES}.")
    data = await request.body()
    work = functools.partial(store, here, data, lines=kind == LINES)
    results = await anyio.to_thread.run_sync(work, limiter=request.app.state.writing)
    acknowledged = [shapes.Acknowledged(**result._asdict()) for result in results if isinstance(result, Ack)]
    rejected = [{"number": result.line, "reason": result.reason} for result in results if isinstance(result, Rejected)]
    if rejected:
        said = f"{len(rejected)} of {len(results)} are no turns; number {rejected[0]['number']}: {rejected[0]['reason']}."
        done = [each.model_dump() for each in acknowledged]
        raise Failure(422, said, "The others are stored." if done else "", acknowledged=done, rejected=rejected)
    return shapes.Appended(acknowledged=acknowledged)


def store(here: Service, data: bytes, *, lines: bool) -> list[Ack | Rejected]:
    """Check, redact and store the turns of a body."""
    items = of_lines(data) if lines else of_json(data)
    if not items:
        raise Failure(422, "The body holds no turn.")
    if len(items) > MOST_TURNS:
        raise Failure(413, f"The body holds more than {MOST_TURNS:,} turns.", "Send them in several requests.")
    try:
        return here.living.append_ready(items)
    except BadInput as error:  # the turns are checked: what is left is the disk
        raise unavailable(error) from None


def unavailable(error: BadInput) -> Failure:
    """Return the failure of a disk that refuses: the caller did nothing wrong and may come again."""
    return Failure(503, error.message, "Nothing was acknowledged; send it again later.", {"Retry-After": "10"})


def of_lines(data: bytes) -> list[Ready | Rejected]:
    """Return the turns of JSON lines."""
    found = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    return [ready_line(number, line, OWN) for number, line in found[: MOST_TURNS + 1]]


def of_json(data: bytes) -> list[Ready | Rejected]:
    """Return the turns of a JSON document."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise Failure(400, "The body is not JSON.") from None
    values = value if isinstance(value, list) else [value]
    return [ready_value(number, each, OWN) for number, each in enumerate(values[: MOST_TURNS + 1], 1)]


@router.post("/ratings")
def rate(given: shapes.RatingGiven, here: Here, _: Writer) -> shapes.Rated:
    """Archive the user's verdict on a stored reply; the last one counts."""
    try:
        day = here.living.rate(given.assistant_message_id, given.rating, given.reasons, given.note)
    except Missing:
        raise Failure(404, "No stored reply has this id.") from None
    except BadInput as error:
        raise unavailable(error) from None
    return shapes.Rated(assistant_message_id=given.assistant_message_id, rating=given.rating, date=day)


@router.get("/search")
def search(
    *,
    here: Here,
    _: Reviewer,
    q: Annotated[str, Query(min_length=1, max_length=2000, description="What to look for, in Chinese or English.")],
    date: Annotated[str | None, Query(max_length=40, description="A day, a month, a year, or FIRST..LAST.")] = None,
    since: Annotated[str | None, Query(max_length=20)] = None,
    until: Annotated[str | None, Query(max_length=20)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 10,
    by: Annotated[Literal["date", "score"], Query(description="Newest first, or best first.")] = "date",
) -> shapes.ArchiveHits:
    """Find past conversations: turns by their words, sessions by topic, keywords and summary."""
    found = here.living.recall(q, date=date, since=since, until=until, limit=limit, by=by)
    return shapes.ArchiveHits(**found.to_json())


@router.get("/sessions/{session_id:path}")
def session(
    *,
    here: Here,
    _: Reviewer,
    session_id: str,
    messages: Annotated[str | None, Query(max_length=40, description="A range: 3-10, 5, 20- or -10.")] = None,
    budget: Annotated[int, Query(ge=200, le=MOST_BYTES, description="Bytes of text at most.")] = BUDGET,
) -> shapes.SessionPart:
    """Get the words of a conversation by its id, a request id in it, or the unambiguous start of one."""
    try:
        found = here.living.fetch(session_id, messages=messages, budget=budget)
    except Missing:
        raise Failure(404, "There is no such conversation in the archive.") from None
    return shapes.SessionPart(**found.to_json())
