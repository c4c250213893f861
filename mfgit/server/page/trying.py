"""The hit tester: what a question finds now, and what it would find with a proposal."""

import re
from typing import Literal

from fastapi import Request
from fastapi.responses import HTMLResponse

from mfgit.errors import MfgitError
from mfgit.project.searching import Answer
from mfgit.reasons.forms import say
from mfgit.server import problems, proposals, shapes
from mfgit.server.access import Here
from mfgit.server.page import coming
from mfgit.server.page.browsing import WAITING
from mfgit.server.page.rendering import page
from mfgit.server.problems import Failure

Kind = Literal["original", "overlay"] | None
router = coming.router()
MOST = 2_000
"""Characters of a question."""
HITS = 8
LONGEST = 700
"""Characters of a passage that are shown."""
CHOICES = 200
"""Proposals to choose from."""


@router.get("/try")
def tried(request: Request, here: Here, who: coming.Reader) -> HTMLResponse:
    """Ask a question, and show the hits; with a proposal beside what is found now."""
    given = request.query_params
    question, identity = given.get("q", "").strip()[:MOST], given.get("with", "")
    only: Kind = "original" if given.get("only") == "original" else "overlay" if given.get("only") == "overlay" else None
    alert, found = None, []
    if question:
        try:
            found = answers(here, question, only, identity)
        except MfgitError as error:
            alert = problems.of_error(error)
        except Failure as failure:
            alert = failure
    choices = proposals.matching(here.living.survey().known, WAITING, {})[:CHOICES]
    values = {
        "question": question, "only": only or "", "identity": identity, "answers": found, "choices": choices, "alert": alert,
        "cut": cut,
    }  # fmt: skip
    return page(request, who, "try.html", values, alert.status if alert else 200)


def answers(here: Here, question: str, only: Kind, identity: str) -> list[tuple[str, Answer]]:
    """Return what a question finds on the target: (the heading in the table, the answer), now and with a proposal."""
    target = here.living.project().target
    if not identity:
        return [("try.now", here.living.search(question, ref=target, limit=HITS, only=only))]
    if not re.fullmatch(shapes.IDENTITY, identity):
        raise Failure(404, say("refused.no_such"))
    one = proposals.resolved(here, identity)
    now = here.living.search(question, ref=target, limit=HITS, only=only)
    return [("try.now", now), ("try.then", here.living.search(question, ref=target, with_id=one, limit=HITS, only=only))]


def cut(text: str) -> str:
    """Return a passage, not too long to be looked over."""
    return text if len(text) <= LONGEST else text[:LONGEST].rstrip() + " …"
