"""`archive check --rescan`: what today's rules find in what is stored, and mending it."""

from collections.abc import Iterator

from mfgit.archive.catalogue import Catalogue
from mfgit.archive.checking import mend_catalogue
from mfgit.archive.erasing import Leak, kinds, leaks, mend
from mfgit.archive.sessions import SessionStore
from mfgit.archive.store import Store
from mfgit.project.archiving import chat_folder
from mfgit.project.archiving_sessions import session_folder
from mfgit.project.base import Repository
from mfgit.redact import Redactor
from mfgit.session import Session

AS_IS = frozenset(("sessionId", "date", "archivedAt", "started", "state", "messageCount", "cleared"))
AS_IS |= frozenset(("user_id", "workspace_id", "user_agent_id"))
OF_MESSAGE = frozenset(("role", "time", "id", "rating"))


def rescan(repository: Repository) -> list[Leak]:
    """Return the lines and sessions that hold what today's rules would take out. Never writes."""
    return [*leaks(chat_folder(repository)), *(leak for leak, _ in session_leaks(SessionStore(session_folder(repository))))]


def mend_archive(repository: Repository) -> int:
    """Take it out, durably, make the catalogue anew, and let the indexes be; return how many lines and sessions changed."""
    from mfgit.project.recalling import forget_index

    count = 0
    if chat_folder(repository).is_dir():
        with Store(chat_folder(repository)) as chat:
            count += mend(chat)
    store = SessionStore(session_folder(repository))
    if store.sessions.is_dir():
        with store.locked(), store.trouble():
            catalogue = Catalogue(store)
            for _, clean in session_leaks(store):
                catalogue.begin()
                place = store.put(clean)
                catalogue.note(place, clean)
                count += 1
            catalogue.finish()
    mend_catalogue(store)
    if count:
        forget_index(repository)
    return count


def session_leaks(store: SessionStore) -> Iterator[tuple[Leak, Session]]:
    """Yield the sessions that today's rules would change, and what they would leave of each."""
    for file in list(store.files()):
        session = store.load(file.path)
        if session is None:
            continue
        clean = cleaned(session)
        if clean != session:
            yield Leak(file.key, 0, kinds(session.to_json(), clean.to_json())), clean


def cleaned(session: Session) -> Session:
    """Return a session as today's rules leave it; its ids and times stay."""
    redactor = Redactor()
    value = session.to_json()
    messages = [
        {name: given if name in OF_MESSAGE else redactor.value(given, name) for name, given in each.items()}
        for each in value.pop("messages")
    ]
    plain = {name: given if name in AS_IS else redactor.value(given, name) for name, given in value.items()}
    return Session.from_json({**plain, "messages": messages}, session.session_id)
