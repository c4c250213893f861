"""The preview of a proposal: its questions, and others that are known, before and after adopting it."""

from fastapi import Request
from fastapi.responses import HTMLResponse

from mfgit.project.previewing import counts
from mfgit.server import proposals
from mfgit.server.access import Here, Principal
from mfgit.server.page import coming
from mfgit.server.page.browsing import Identity
from mfgit.server.page.rendering import page
from mfgit.server.service import Service

router = coming.router()


@router.get("/proposals/{identity}/preview")
def preview(request: Request, here: Here, who: coming.Reader, identity: Identity) -> HTMLResponse:
    """Show the preview as a page of its own."""
    return shown(request, here, who, identity, "preview.html")


@router.get("/proposals/{identity}/preview/part")
def part(request: Request, here: Here, who: coming.Reader, identity: Identity) -> HTMLResponse:
    """Show the preview and nothing else: what a script puts into the page of a proposal."""
    return shown(request, here, who, identity, "preview_body.html")


def shown(request: Request, here: Service, who: Principal, identity: str, template: str) -> HTMLResponse:
    """Ask and return a page; the archive's wordings are for who may see conversations only."""
    one = proposals.resolved(here, identity)
    found = here.living.project().preview(one, archive=who.has("reviewer"))
    worse = [change for change in found.others if change.verdict == "worse"]
    return page(request, who, template, {"preview": found, "counts": counts(found.questions), "worse": worse})
