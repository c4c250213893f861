"""The knowledge base over HTTP: search, and the block that an assistant is given."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from mfgit.server import shapes
from mfgit.server.access import Here, Reader

router = APIRouter(tags=["knowledge"])
Question = Annotated[str, Query(min_length=1, max_length=2000, description="A question, in Chinese or English.")]
Ref = Annotated[str | None, Query(pattern=shapes.REF, description="Branch, tag or commit; the checked-out one unless given.")]
With = Annotated[
    str | None, Query(alias="with", pattern=shapes.IDENTITY, description="Search as if this proposal were adopted.")
]
Limit = Annotated[int, Query(ge=1, le=50)]
Only = Annotated[Literal["original", "overlay"] | None, Query()]


@router.get("/search")
def search(
    *, here: Here, _: Reader, q: Question, ref: Ref = None, with_id: With = None, limit: Limit = 10, only: Only = None
) -> shapes.Hits:
    """Find the passages that answer a question, originals first; overlays are marked."""
    return shapes.Hits(**here.living.search(q, ref=ref, with_id=with_id, limit=limit, only=only).to_json())


@router.get("/context")
def context(
    *, here: Here, _: Reader, q: Question, ref: Ref = None, with_id: With = None, limit: Limit = 5, only: Only = None
) -> shapes.Context:
    """Return the block of passages to hand to an assistant, fenced as data."""
    answer, block = here.living.context(q, ref=ref, with_id=with_id, limit=limit, only=only)
    sources = list(dict.fromkeys(hit.passage.path for hit in answer.hits))
    return shapes.Context(block=block, commit=answer.commit, sources=sources, note=answer.note)
