"""Proposals over HTTP: scan, list, read, edit and decide. Every decision is logged and carries its actor as Git author."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Path, Query

from mfgit.errors import BadInput, MfgitError, Refusal
from mfgit.model import Known, parse_time
from mfgit.project import deciding
from mfgit.project.main import Project
from mfgit.reasons.forms import say
from mfgit.server import lookback, shapes
from mfgit.server.access import Here, Principal, Reader, Reviewer
from mfgit.server.jobs import Wanted
from mfgit.server.problems import Failure
from mfgit.server.service import Service

LOOK_BACK = 30
"""Days that the stats look back."""
STATUSES = ("open", "edited", "stale", "adopted", "rejected", "closed", "undone")
PRIORITIES = ("high", "medium", "low")
router = APIRouter(prefix="/admin/memoryforge", tags=["proposals"])
Identity = Annotated[str, Path(pattern=shapes.IDENTITY, description="An id, or the unambiguous start of one.")]
Result = TypeVar("Result")


# ---- scanning


@router.post("/scan", status_code=202)
def begin_scan(wanted: shapes.ScanWanted, here: Here, who: Reviewer) -> shapes.Scan:
    """Start a scan in the background; 409 while one is going on. `GET` at the same address tells how it is."""
    for name in ("since", "until"):
        if (given := getattr(wanted, name)) is not None:
            parse_time(given, name)
    begun = here.scans.begin(Wanted(**wanted.model_dump()), who.name)
    if begun is None:
        raise Failure(409, say("refused.scanning"), say("hint.scanning"))
    return shapes.Scan(**known_of(shapes.Scan, begun))


@router.get("/scan")
def scan_status(here: Here, _: Reader) -> shapes.Scan:
    """Tell how the scan is that runs, or was that ran last."""
    return shapes.Scan(**known_of(shapes.Scan, here.scans.status()))


def known_of(shape: type[shapes.Scan], value: dict[str, Any]) -> dict[str, Any]:
    """Return the members of a status that are told."""
    return {name: value[name] for name in shape.model_fields if name in value}


# ---- reading


@router.get("/proposals")
def proposals(
    *,
    here: Here,
    who: Reader,
    layer: Annotated[Literal["help", "workspace"] | None, Query()] = None,
    type: Annotated[shapes.ActionType | None, Query()] = None,  # noqa: A002 - the name in the address
    priority: Annotated[Literal["high", "medium", "low"] | None, Query()] = None,
    language: Annotated[Literal["en", "zh"] | None, Query()] = None,
    status: Annotated[shapes.Status | None, Query()] = None,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> shapes.Proposals:
    """List the proposals: what waits for a decision first, the most urgent first."""
    state = here.living.survey()
    wanted = {"target_layer": layer, "action_type": type, "priority": priority, "lang": language}
    found = matching(state.known, (status,) if status else STATUSES, wanted)
    page = [shapes.Proposal(**told(one, who)) for one in found[offset : offset + limit]]
    return shapes.Proposals(total=len(found), offset=offset, proposals=page, problems=len(state.problems))


def matching(known: Iterable[Known], statuses: Sequence[str], wanted: Mapping[str, str | None]) -> list[Known]:
    """Return the proposals of some statuses whose records have the wanted values (None: any), the most urgent first."""
    found = [
        one
        for one in known
        if one.status in statuses and all(value in (None, getattr(one.record, name)) for name, value in wanted.items())
    ]
    return sorted(found, key=order)


def order(one: Known) -> tuple[int, int, int, str]:
    """Return where a proposal stands in the list."""
    priority = PRIORITIES.index(one.record.priority) if one.record.priority in PRIORITIES else len(PRIORITIES)
    return STATUSES.index(one.status), priority, -one.record.frequency, one.id


def told(one: Known, who: Principal) -> dict[str, Any]:
    """Return what somebody may know of a proposal."""
    value = {name: member for name, member in one.to_json().items() if name in shapes.Proposal.model_fields}
    hidden = {} if who.has("reviewer") else {"evidence": None, "rating_reasons": None}
    return {**value, **hidden}


@router.get("/proposals/{identity}")
def proposal(here: Here, who: Reader, identity: Identity) -> shapes.Shown:
    """Return one proposal: why it exists, its evidence for who may see it, its texts and what it changes."""
    here_now = here.living.project()
    found = here_now.show(resolved(here, identity))
    texts = {shapes.whole(path): text for path, text in found.texts.items()}
    return shapes.Shown(**told(found.known, who), texts=texts, diff=found.diff, similar_titles=dict(found.titles))


@router.get("/proposals/{identity}/preview")
def preview(here: Here, who: Reader, identity: Identity) -> shapes.Preview:
    """Ask a proposal's questions before and after adopting it; the archive's wordings for who may see conversations only."""
    project = here.living.project()
    return shapes.Preview(**project.preview(resolved(here, identity), archive=who.has("reviewer")).to_json())


@router.get("/stats")
def stats(here: Here, _: Reader) -> lookback.Stats:
    """Count the proposals and what was decided in the last 30 days, and look back at what the adopted ones did."""
    state = here.living.survey()
    every = state.known
    recent = datetime.now(UTC) - timedelta(days=LOOK_BACK)
    decided = [one for one in every if one.decided_at and one.decided_at >= recent]
    return lookback.Stats(
        total=len(every),
        by_status=Counter(one.status for one in every),
        by_type=Counter(one.record.action_type for one in every),
        by_layer=Counter(one.record.target_layer for one in every),
        by_language=Counter(one.record.lang for one in every),
        days=LOOK_BACK,
        adopted=Counter(one.record.action_type for one in decided if one.status == "adopted"),
        rejected=sum(one.status == "rejected" for one in decided),
        look_back=lookback.shaped(here.look_backs.get(state, LOOK_BACK)),
    )


# ---- deciding


@router.post("/proposals/{identity}/adopt")
def adopt(given: shapes.Adopting, here: Here, who: Reviewer, identity: Identity) -> shapes.Decision:
    """Merge a proposal into the target; 409 with the reason when that may not be, or it is not what was reviewed any more."""

    def work(project: Project, one: str) -> shapes.Decision:
        done = project.adopt(one, given.reviewed)
        return shapes.Decision(id=one, status="adopted", commit=done.commit, changed=done.changed)

    return decided(here, who, "adopt", identity, work)


@router.post("/proposals/{identity}/reject")
def reject(given: shapes.Rejecting, here: Here, who: Reviewer, identity: Identity) -> shapes.Decision:
    """Decline a proposal, with the reason."""
    return decided(here, who, "reject", identity, lambda project, one: of(project.reject(one, given.reason, given.forever)))


@router.post("/proposals/{identity}/restore")
def restore(here: Here, who: Reviewer, identity: Identity) -> shapes.Decision:
    """Reopen a rejected or undone proposal."""
    return decided(here, who, "restore", identity, lambda project, one: of(project.restore(one)))


@router.post("/proposals/{identity}/undo")
def undo(here: Here, who: Reviewer, identity: Identity) -> shapes.Decision:
    """Take an adopted proposal out of the target by a new commit."""

    def work(project: Project, one: str) -> shapes.Decision:
        done = project.undo(one)
        return shapes.Decision(id=one, status="undone", commit=done.commit, changed=done.changed)

    return decided(here, who, "undo", identity, work)


@router.put("/proposals/{identity}/draft")
def edit_draft(given: shapes.Draft, here: Here, who: Reviewer, identity: Identity) -> shapes.Decision:
    """Put a text in the place of an open proposal's, as a commit on its branch; the next scan leaves it alone."""

    def work(project: Project, one: str) -> shapes.Decision:
        return of(project.edit_draft(one, given.text, given.reviewed, given.path))

    return decided(here, who, "draft", identity, work)


def of(one: Known) -> shapes.Decision:
    """Return a decision about a proposal that changed."""
    return shapes.Decision(**{name: getattr(one, name) for name in ("id", "status", "commit")}, changed=True)


def resolved(here: Service, identity: str) -> str:
    """Return the whole id that the start of one means; raises a 404."""
    try:
        return deciding.find(here.living.survey(), identity).id
    except BadInput as error:
        raise Failure(404, error.message, error.hint) from None


def decided(here: Service, who: Principal, action: str, identity: str, work: Callable[[Project, str], Result]) -> Result:
    """Carry out a decision in the name of who made it, one at a time, and log what came of it."""
    one = resolved(here, identity)
    result = "failed"
    try:
        with here.living.deciding:
            done = work(here.living.project(who.signature), one)
        result = "done"
    except MfgitError as error:
        result = "refused" if isinstance(error, Refusal) else "failed"
        raise
    finally:
        log_decision(here, who, action, one, result)
    return done


def log_decision(here: Service, who: Principal, action: str, one: str, result: str) -> None:
    """Note a decision; Git has the commit, so that a full disk does not turn what was done into an error."""
    with suppress(OSError):
        here.audit.note(who.name, action, one, result)
