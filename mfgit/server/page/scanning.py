"""Starting a scan and watching it."""

from datetime import date, timedelta
from typing import Any

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from mfgit.errors import MfgitError
from mfgit.reasons.forms import say
from mfgit.server import problems, proposals, shapes
from mfgit.server.access import Here, Principal
from mfgit.server.page import coming
from mfgit.server.page.rendering import HOME, page
from mfgit.server.problems import Failure
from mfgit.server.service import Service

router = coming.router()
BLANK = dict.fromkeys(("started", "by", "error", "result", "dry_run"))
"""What the status of a scan may lack."""
UNKNOWN = {"what": "", "done": 0, "of": 0}


@router.get("/scan")
def scan(request: Request, here: Here, who: coming.Reader) -> HTMLResponse:
    """Show how the last scan is, and the form for the next."""
    return shown(request, here, who, "scan.html")


@router.get("/scan/state")
def state(request: Request, here: Here, who: coming.Reader) -> HTMLResponse:
    """Show how the scan is, and nothing else: what a script puts into the page."""
    return shown(request, here, who, "scan_state.html")


def shown(request: Request, here: Service, who: Principal, template: str, status: int = 200, **more: Any) -> HTMLResponse:
    """Return a page on the scan."""
    status_now = here.scans.status()
    result = status_now.get("result") or {}
    values = {
        "scan": {**BLANK, **status_now, "progress": status_now.get("progress") or UNKNOWN},
        "aside": list(result.get("turns", {}).get("set_aside", {}).items()),
        "left": [(each["reason"], each["count"]) for each in result.get("not_proposed", ())],
        "days": here.living.project().config.scan.days,
        "reviewer": who.has("reviewer"),
        "alert": None,
        "typed": {},
        **more,
    }
    return page(request, who, template, values, status)


@router.post("/scan")
def begin(request: Request, here: Here, who: coming.Reviewer, given: coming.Form) -> Response:
    """Start a scan."""
    try:
        proposals.begin_scan(wanted(given), here, who)
    except Failure as failure:
        return shown(request, here, who, "scan.html", failure.status, alert=failure, typed=given)
    except MfgitError as error:
        alert = problems.of_error(error)
        return shown(request, here, who, "scan.html", alert.status, alert=alert, typed=given)
    return RedirectResponse(f"{HOME}/scan", 303)


def wanted(given: dict[str, str]) -> shapes.ScanWanted:
    """Return the window that a form asks for; raises a 422 for one that is none."""
    days = given.get("days", "").strip()
    if days and not (days.isascii() and days.isdigit() and len(days) < 5):
        raise Failure(422, say("refused.days"))
    since, until = day_of(given.get("since", "")), day_of(given.get("until", ""))
    return coming.shaped(
        shapes.ScanWanted,
        days=int(days) if days and since is None else None,
        since=f"{since}T00:00:00+00:00" if since else None,
        until=f"{until + timedelta(days=1)}T00:00:00+00:00" if until else None,
        dry_run=bool(given.get("dry_run")),
    )


def day_of(text: str) -> date | None:
    """Return the day that a field names, None for an empty one; raises a 422 for one that is none."""
    try:
        found = date.fromisoformat(text.strip()) if text.strip() else None
    except ValueError:
        found = date.max
    if found is not None and not 1970 <= found.year < 9999:
        raise Failure(422, say("refused.day"))
    return found
