"""Editing the text of an open proposal: one commit of the person on its branch, no checkout needed."""

from mfgit.errors import BadInput, Refusal
from mfgit.model import Known
from mfgit.project.adopting import check_reviewed
from mfgit.project.base import Repository
from mfgit.project.deciding import close, find, known, look, one_of, signed
from mfgit.proposal import message
from mfgit.proposal.overlay import split
from mfgit.reasons.forms import say
from mfgit.repo.branches import HEADS
from mfgit.repo.merging import blob_texts, own_files
from mfgit.repo.writing import NewCommit, RefChange, decide, move

OPEN = ("open", "edited", "stale")
LONGEST = 200_000
"""Characters of a text."""


def edit(repository: Repository, text: str, body: str, reviewed: str, path: str | None = None) -> Known:
    """Put `body` in the place of a proposal's text, its front matter left alone; return the proposal as it now is.

    `reviewed` is the commit whose text was edited: the branch must still be there. `path` names the page where a proposal
    has several. Raises `Refusal` for one that is not open, has no page, moved on, or is checked out; `BadInput` for a text
    that is none.
    """
    state = look(repository)
    one = find(state, text)
    branch = state.branches.get(one.id)
    if one.status not in OPEN or branch is None:
        raise Refusal(say("refused.editing", id=one.id, state=one.status), say("hint.editing"))
    check_reviewed(repository.git, one, reviewed)
    close(repository, branch)
    page, before = page_of(repository, one, path)
    matter, old = split(before)
    said = checked(body)
    if old.strip() == said:
        return one
    files: dict[str, bytes | None] = {page: f"{matter}\n{said}\n".encode()}
    made = decide(repository.git, NewCommit((branch.tip.oid,), message.writing(one.record), signed(repository), files))
    move(repository.git, [RefChange(HEADS + one.id, made, branch.held)], "mfgit edit")
    return one_of(known(repository), one.id)


def checked(body: str) -> str:
    """Return a text to be written, with plain line ends and nothing around it; raises `BadInput`."""
    said = body.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not said:
        raise BadInput(say("refused.empty"), say("hint.empty"))
    if len(said) > LONGEST:
        raise BadInput(say("refused.long", count=f"{len(said):,}", most=f"{LONGEST:,}"))
    if "\0" in said or any("\ud800" <= character <= "\udfff" for character in said):
        raise BadInput(say("refused.broken"), say("hint.broken"))
    return said


def page_of(repository: Repository, one: Known, path: str | None) -> tuple[str, str]:
    """Return path and text of the page that a proposal adds; raises `Refusal` where it adds none, `BadInput` for another."""
    own = own_files(repository.git, str(one.commit), one.id, one.record.root)
    pages = {name: data for name, data in blob_texts(repository.git, own).items() if name.endswith(".md")}
    if not pages:
        raise Refusal(say("refused.pageless", id=one.id))
    if path is None and len(pages) > 1:
        raise BadInput(f"{one.id} has {len(pages)} pages: {', '.join(pages)}.", "Name one of them.")
    name = path if path is not None else next(iter(pages))
    if name not in pages:
        raise BadInput(f"{one.id} has no page {name}.", f"It has {', '.join(pages)}.")
    return name, pages[name].decode("utf-8", "replace")
