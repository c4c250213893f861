"""What follows once sessions are archived, where it is wanted: a summary in better words, and memories as proposals.

Neither is needed for a session to be safe, so nothing here undoes or refuses anything: what went wrong is told.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from mfgit.archive.caps import capped_text
from mfgit.archive.catalogue import Catalogue
from mfgit.archive.sessions import SessionStore
from mfgit.errors import MfgitError
from mfgit.model import Progress, quiet
from mfgit.project.archiving_sessions import session_folder
from mfgit.project.base import Repository
from mfgit.session import WHOLE, Session

POLISHED = "summaryBy"
"""A field of sessions: the model that worded the summary."""


class Followed(NamedTuple):
    """How each proposal of memories was written (id → new, updated, unchanged), and what went wrong."""

    proposals: dict[str, str]
    notes: tuple[str, ...]


def follow(repository: Repository, ids: Iterable[str], *, memories: bool = False, progress: Progress = quiet) -> Followed:
    """Word the summaries of archived sessions better where a model is set, and propose their memories where wanted."""
    named = list(dict.fromkeys(ids))
    notes = list(polish(repository, named, progress))
    proposals: dict[str, str] = {}
    if memories:
        from mfgit.project.remembering import extract

        for number, name in enumerate(named):
            progress("Extracting memories", number, len(named))
            try:
                proposals |= extract(repository, name, propose=True).proposals
            except MfgitError as error:
                notes.append(f"No memories of {name}: {error.message}")
    return Followed(proposals, tuple(dict.fromkeys(notes)))


def polish(repository: Repository, ids: list[str], progress: Progress) -> Iterator[str]:
    """Word summaries better, one at a time and without holding the archive meanwhile; yield why that was not possible."""
    if not repository.config.llm.url or not ids:
        return
    from mfgit.backends import open_polisher
    from mfgit.backends.protocols import Draft
    from mfgit.redact import redact
    from mfgit.text.tokens import language

    store = SessionStore(session_folder(repository))
    try:
        polisher = open_polisher(repository.config.llm, repository.environment)
        for number, name in enumerate(ids):
            progress("Wording summaries", number, len(ids))
            session = store.read(name)
            if session is None or not session.summary or session.state != WHOLE:
                continue
            said = tuple(message.content for message in session.messages if message.role in ("user", "assistant"))
            found = polisher.polish(Draft(language(session.summary), "", session.summary, said))
            text = capped_text("summary", redact(found.text))
            if text.strip() and text != session.summary:
                put(store, session, text, polisher.name)
            if not found.settled:
                yield f"Summaries stay in the words of the rules: {found.note}."
                return
    except MfgitError as error:
        yield f"Summaries stay in the words of the rules: {error.message}"


def put(store: SessionStore, session: Session, summary: str, model: str) -> None:
    """Write a session's summary, unless the session has changed meanwhile."""
    with store.locked(), store.trouble():
        if store.read(session.session_id) != session:
            return
        catalogue = Catalogue(store)
        catalogue.begin()
        better = replace(session, summary=summary, extra={**session.extra, POLISHED: model})
        catalogue.note(store.put(better), better)
        catalogue.finish()
