"""`archive check --rescan`: what today's rules find in what is stored, and mending it."""

from collections.abc import Collection, Iterator
from typing import Any

from mfgit.archive.catalogue import Catalogue
from mfgit.archive.checking import mend_catalogue
from mfgit.archive.erasing import Leak, kinds, leaks, mend
from mfgit.archive.rewriting import finish
from mfgit.archive.sessions import SessionStore
from mfgit.archive.store import Store
from mfgit.project.archiving import chat_folder
from mfgit.project.archiving_sessions import session_folder
from mfgit.project.base import Repository
from mfgit.redact import Redactor, safe_id
from mfgit.session import Session

AS_IS = frozenset(("date", "archivedAt", "started", "state", "messageCount", "cleared", "workspace_id"))
IDS = frozenset(("sessionId", "user_id", "user_agent_id"))
OF_MESSAGE = frozenset(("role", "time", "rating"))


def rescan(repository: Repository) -> list[Leak]:
    """Return the lines and sessions that hold what today's rules would take out. Never writes."""
    return [*leaks(chat_folder(repository)), *(leak for leak, _, _ in session_leaks(SessionStore(session_folder(repository))))]


def mend_archive(repository: Repository) -> int:
    """Take it out, durably, make the catalogue anew, and let the indexes be; return how many lines and sessions changed."""
    from mfgit.project.recalling import forget_index

    count = 0
    if chat_folder(repository).is_dir():
        with Store(chat_folder(repository)) as chat:
            finish(chat)
            count += mend(chat)
    store = SessionStore(session_folder(repository))
    if store.sessions.is_dir():
        with store.locked(), store.trouble():
            catalogue = Catalogue(store)
            for _, old, clean in session_leaks(store):
                catalogue.begin()
                place = store.put(clean)
                catalogue.note(place, clean)
                if old.session_id != clean.session_id and (gone := store.remove(old.session_id)):
                    catalogue.note(gone, None)
                count += 1
            catalogue.finish()
    mend_catalogue(store)
    if count:
        forget_index(repository)
    return count


def session_leaks(store: SessionStore) -> Iterator[tuple[Leak, Session, Session]]:
    """Yield the sessions that today's rules would change, each with what they would leave of it."""
    for file in list(store.files()):
        session = store.load(file.path)
        if session is None:
            continue
        clean = cleaned(session)
        if clean != session:
            yield Leak(file.key, 0, kinds(session.to_json(), clean.to_json())), session, clean


def cleaned(session: Session) -> Session:
    """Return a session as today's rules leave it; its times stay, and so do ids that are nobody's."""
    redactor = Redactor()
    value = session.to_json()
    messages = [
        {name: given if name in OF_MESSAGE else left(redactor, name, given, ("id",)) for name, given in each.items()}
        for each in value.pop("messages")
    ]
    value["participants"] = [safe_id(each) for each in value.get("participants", ())]
    plain = {name: given if name in AS_IS else left(redactor, name, given, IDS) for name, given in value.items()}
    return Session.from_json({**plain, "messages": messages}, session.session_id)


def left(redactor: Redactor, name: str, given: Any, ids: Collection[str]) -> Any:
    """Return what today's rules leave of a field."""
    return safe_id(given) if name in ids and isinstance(given, str) else redactor.value(given, name)
