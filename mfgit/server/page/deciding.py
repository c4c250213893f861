"""What a reviewer does about a proposal: the forms of its page. Each decides, audits and leads back to the page."""

from collections.abc import Callable
from typing import Any

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from mfgit.errors import MfgitError
from mfgit.project.main import Project
from mfgit.server import problems, proposals, shapes
from mfgit.server.access import Here, Principal
from mfgit.server.page import coming
from mfgit.server.page.browsing import Identity, shown
from mfgit.server.page.rendering import HOME
from mfgit.server.problems import Failure
from mfgit.server.service import Service

router = coming.router()
Work = Callable[[Project, str, dict[str, str]], object]


def adopt(project: Project, one: str, given: dict[str, str]) -> object:
    """Adopt what was read."""
    wanted = coming.shaped(shapes.Adopting, reviewed=given.get("reviewed", ""))
    return project.adopt(one, wanted.reviewed, despite_contradiction=bool(given.get("despite")))


def reject(project: Project, one: str, given: dict[str, str]) -> object:
    """Reject, with the reason."""
    wanted = coming.shaped(shapes.Rejecting, reason=given.get("reason", ""), forever=bool(given.get("forever")))
    return project.reject(one, wanted.reason, wanted.forever)


def draft(project: Project, one: str, given: dict[str, str]) -> object:
    """Save the text."""
    wanted = coming.shaped(
        shapes.Draft, text=given.get("text", ""), reviewed=given.get("reviewed", ""), path=given.get("path") or None
    )
    return project.edit_draft(one, wanted.text, wanted.reviewed, wanted.path)


ACTIONS: dict[str, Work] = {
    "adopt": adopt,
    "reject": reject,
    "draft": draft,
    "restore": lambda project, one, _: project.restore(one),
    "undo": lambda project, one, _: project.undo(one),
}


def decide(action: str, request: Request, here: Service, who: Principal, *, identity: str, given: dict[str, str]) -> Response:
    """Carry a decision out; what is refused is said on the page of the proposal, with what was typed."""
    one = proposals.resolved(here, identity)
    try:
        proposals.decided(here, who, action, one, lambda project, one: ACTIONS[action](project, one, given))
    except Failure as failure:
        alert = failure
    except MfgitError as error:
        alert = problems.of_error(error)
    else:
        return RedirectResponse(f"{HOME}/proposals/{one}?done={action}", 303)
    return shown(request, here, who, one, alert.status, alert=alert, typed=given)


def offer(action: str) -> None:
    """Add the route of an action."""

    def route(request: Request, here: Here, who: coming.Reviewer, identity: Identity, given: coming.Form) -> Any:
        return decide(action, request, here, who, identity=identity, given=given)

    path = f"/proposals/{{identity}}/{action}"
    router.add_api_route(path, route, methods=["POST"], name=f"page {action}", response_model=None)
    router.add_api_route(path, back, methods=["GET"], name=f"page {action} again", response_model=None)


def back(here: Here, _: coming.Reader, identity: Identity) -> Response:
    """Lead whoever opens the address of a form, as after a refusal, to its proposal."""
    return RedirectResponse(f"{HOME}/proposals/{proposals.resolved(here, identity)}", 303)


for name in ACTIONS:
    offer(name)
