"""The list of proposals, and one proposal as a reviewer reads it."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import Path, Request
from fastapi.responses import HTMLResponse

from mfgit.model import Known
from mfgit.proposal.overlay import has_answer
from mfgit.server import proposals, shapes
from mfgit.server.access import Here, Principal
from mfgit.server.page import coming
from mfgit.server.page.difference import lines_of
from mfgit.server.page.rendering import page
from mfgit.server.service import Service

WAITING = ("open", "edited", "stale")
"""What waits for a decision."""
ON_A_PAGE = 20
FILTERS = {
    "layer": ("target_layer", ("help", "workspace")),
    "type": ("action_type", ("index", "verified_answer", "skill", "supplement")),
    "priority": ("priority", proposals.PRIORITIES),
    "language": ("lang", ("en", "zh")),
}
"""A filter -> the field of a record, and its values."""
SHOWN_QUESTIONS = 12
BAD = ("down", 1, 2)
MARKER = '[//]: # "mfgit:'
DONE = ("adopt", "reject", "restore", "undo", "draft")
Identity = Annotated[str, Path(pattern=shapes.IDENTITY)]
router = coming.router()


class Listing(NamedTuple):
    """One page of the list: its proposals, where it stands, and how many there are by status."""

    proposals: Sequence[Known]
    total: int
    offset: int
    counts: dict[str, int]

    @property
    def before(self) -> int | None:
        """Where the page before begins."""
        return max(0, self.offset - ON_A_PAGE) if self.offset else None

    @property
    def after(self) -> int | None:
        """Where the page after begins."""
        return self.offset + ON_A_PAGE if self.offset + ON_A_PAGE < self.total else None


@router.get("")
def listed(request: Request, here: Here, who: coming.Reader) -> HTMLResponse:
    """Show the list that the filters leave."""
    given = request.query_params
    chosen = {name: given.get(name, "") for name in FILTERS}
    status = given.get("status", "waiting")
    state = here.living.survey()
    found = listing(state.known, status, chosen, given.get("q", "")[:200], offset_of(given.get("offset", "")))
    values = {
        "list": found, "filters": FILTERS, "chosen": chosen, "words": given.get("q", "")[:200], "status": status,
        "problems": len(state.problems), "filtered": any(chosen.values()) or bool(given.get("q")),
    }  # fmt: skip
    return page(request, who, "list.html", values)


def offset_of(text: str) -> int:
    """Return where a page begins; 0 for what is no such place."""
    return int(text) // ON_A_PAGE * ON_A_PAGE if text.isascii() and text.isdigit() and len(text) < 8 else 0


def listing(known: Sequence[Known], status: str, chosen: dict[str, str], text: str, offset: int) -> Listing:
    """Return the page of the list that a reader asks for; a value that is not known filters nothing."""
    wanted = {field: chosen[name] if chosen[name] in values else None for name, (field, values) in FILTERS.items()}
    every = [one for one in proposals.matching(known, proposals.STATUSES, wanted) if holds(one, text)]
    counts = Counter(one.status for one in every)
    some = {"waiting": sum(counts[each] for each in WAITING), **counts, "all": len(every)}
    kept = [one for one in every if one.status in of_status(status)]
    start = offset if offset < len(kept) else 0
    return Listing(kept[start : start + ON_A_PAGE], len(kept), start, some)


def of_status(name: str) -> Sequence[str]:
    """Return the statuses that a tab of the list stands for."""
    if name == "all":
        return proposals.STATUSES
    return (name,) if name in proposals.STATUSES else WAITING


def holds(one: Known, text: str) -> bool:
    """Tell whether the title, id or a question of a proposal holds every word."""
    record = one.record
    where = " ".join((one.id, record.title, *record.questions)).casefold()
    return all(part in where for part in text.casefold().split())


@router.get("/proposals/{identity}")
def one(request: Request, here: Here, who: coming.Reader, identity: Identity) -> HTMLResponse:
    """Show one proposal."""
    return shown(request, here, who, proposals.resolved(here, identity))


def shown(request: Request, here: Service, who: Principal, identity: str, status: int = 200, **more: Any) -> HTMLResponse:
    """Return the page of a proposal; `more` says what went wrong and what was typed."""
    project = here.living.project()
    found = project.show(identity)
    record = found.known.record
    waiting = proposals.matching(here.living.survey().known, WAITING, {})
    done = request.query_params.get("done", "")
    values = {
        "one": found.known,
        "record": record,
        "shown": found,
        "diff": lines_of(found.diff),
        "bad": BAD,
        "open": found.known.status in WAITING,
        "drafts": any(not has_answer(text) for text in found.texts.values()),
        "readable": readable,
        "target": project.target.removeprefix("refs/heads/"),
        "reviewer": who.has("reviewer"),
        "done": done if done in DONE else "",
        "alert": None,
        "typed": {},
        "questions": record.questions[:SHOWN_QUESTIONS],
        **neighbours(waiting, found.known),
        **more,
    }
    return page(request, who, "one.html", values, status)


def readable(text: str) -> str:
    """Return a text without the lines that only the machine reads."""
    said = "\n".join(line for line in text.split("\n") if not line.startswith(MARKER))
    return re.sub(r"\n{3,}", "\n\n", said).strip()


def neighbours(waiting: Sequence[Known], one: Known) -> dict[str, Known | None]:
    """Return the proposals before and after one among those that wait; for one that is decided, the first that waits."""
    ids = [each.id for each in waiting]
    if one.id not in ids:
        return {"previous": None, "next": waiting[0] if waiting else None}
    place = ids.index(one.id)
    return {
        "previous": waiting[place - 1] if place else None,
        "next": waiting[place + 1] if place + 1 < len(waiting) else None,
    }
