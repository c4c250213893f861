"""The knowledge base over HTTP: search, and the block that an assistant is given."""

from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Query

from mfgit.answer.block import LEAST_BUDGET
from mfgit.server import shapes
from mfgit.server.access import Here, Reader

if TYPE_CHECKING:
    from mfgit.project.options import Asking

router = APIRouter(tags=["knowledge"])
Question = Annotated[str, Query(min_length=1, max_length=2000, description="A question, in Chinese or English.")]
Ref = Annotated[str | None, Query(pattern=shapes.REF, description="Branch, tag or commit; the checked-out one unless given.")]
With = Annotated[
    str | None, Query(alias="with", pattern=shapes.IDENTITY, description="Search as if this proposal were adopted.")
]
Limit = Annotated[int, Query(ge=1, le=50)]
Roots = Annotated[
    list[Annotated[str, Query(min_length=1, max_length=1000)]],
    Query(alias="root", max_length=20, description="See these knowledge roots only (path or workspace id)."),
]
History = Annotated[
    list[Annotated[str, Query(max_length=2000)]],
    Query(max_length=20, description="The user's turns before the question, the oldest first, for one that leans on them."),
]
Tokens = Annotated[
    int | None, Query(alias="tokens", ge=LEAST_BUDGET, le=1_000_000, description="Tokens of the block at most, estimated.")
]
Only = Annotated[Literal["original", "overlay"] | None, Query()]


@router.get("/search")
def search(
    *,
    here: Here,
    _: Reader,
    q: Question,
    ref: Ref = None,
    with_id: With = None,
    limit: Limit = 10,
    only: Only = None,
    roots: Roots = [],  # noqa: B006 - the framework copies it
    history: History = [],  # noqa: B006
) -> shapes.Hits:
    """Find the passages that answer a question, originals first; overlays are marked."""
    options: Asking = {"ref": ref, "with_id": with_id, "limit": limit, "only": only, "roots": roots, "history": history}
    return shapes.Hits(**here.living.search(q, **options).to_json())


@router.get("/context")
def context(
    *,
    here: Here,
    _: Reader,
    q: Question,
    ref: Ref = None,
    with_id: With = None,
    limit: Limit = 5,
    only: Only = None,
    roots: Roots = [],  # noqa: B006 - the framework copies it
    history: History = [],  # noqa: B006
    budget: Tokens = None,
) -> shapes.Context:
    """Return the block of passages to hand to an assistant, fenced as data."""
    options: Asking = {"ref": ref, "with_id": with_id, "limit": limit, "only": only, "roots": roots, "history": history}
    made = here.living.context(q, budget=budget, **options)
    sources = list(dict.fromkeys(hit.passage.path for hit in made.answer.hits)) if made.answered else []
    return shapes.Context(
        block=made.block,
        answered=made.answered,
        hits=[shapes.Hit(**hit.to_json()) for hit in made.answer.hits],
        commit=made.answer.commit,
        sources=sources,
        citations=list(made.citations),
        tokens=made.tokens,
        left_out=made.left_out,
        note=made.answer.note,
    )
