"""`archive forget`: a person or a session out of everything mfgit keeps, and what only Git's history still holds."""

import shlex
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mfgit import layout
from mfgit.archive import days
from mfgit.archive.catalogue import Catalogue
from mfgit.archive.erasing import Line, damaged, erase, erase_quarantine, lines, needles_of, unreadable
from mfgit.archive.holds import read_holds
from mfgit.archive.pending import NAME as PENDING
from mfgit.archive.retention import LOG
from mfgit.archive.rewriting import finish
from mfgit.archive.sessions import SessionStore, file_name, replace_file, twin_name
from mfgit.archive.store import Store
from mfgit.errors import BadInput, Refusal
from mfgit.model import Known, Progress, Record, quiet
from mfgit.project import deciding
from mfgit.project.archiving import chat_folder
from mfgit.project.archiving_sessions import session_folder
from mfgit.project.base import Repository
from mfgit.project.retaining import OPEN
from mfgit.project.scanning import SNAPSHOT
from mfgit.redact import either
from mfgit.session import Session
from mfgit.text.questions import ask

COUNTED = "How often a question was asked still counts them in proposals that do not cite them, until the next mfgit scan."
ROLES = frozenset({"user", "assistant", "system", "tool", "human", "bot", "None"})
"""Participants that name nobody."""
PURGE = "git reflog expire --expire=now --all && git gc --prune=now"


@dataclass
class Forgotten:
    """What was removed, or would be; `history` says what Git still holds, with the command that purges it.

    `unreadable` names files that cannot be read (`FILE: WHY`), and so may still hold something.
    """

    turns: int = 0
    sessions: list[str] = field(default_factory=list)
    proposals: list[str] = field(default_factory=list)
    removed_proposals: list[str] = field(default_factory=list)
    history: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    note: str | None = None

    @property
    def nothing(self) -> bool:
        """Tell whether nothing of theirs was found."""
        return not (self.turns or self.sessions or self.proposals or self.removed_proposals or self.history)


@dataclass
class Found:
    """Whom to forget, and what is theirs: ids of sessions, turns and replies, and the keys of their questions.

    `owners` are all users that any of it belongs to, `talks` all sessions that a turn of theirs belongs to, and `asked` is
    how often each question of theirs was asked by them.
    """

    users: frozenset[str]
    sessions: set[str]
    requests: set[str] = field(default_factory=set)
    replies: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    owners: set[str] = field(default_factory=set)
    talks: set[str] = field(default_factory=set)
    turns: int = 0
    asked: Counter[str] = field(default_factory=Counter)

    def is_theirs(self, line: Line) -> bool:
        """Tell whether a line of a day file has to go; of a line that cannot be read its bytes are asked."""
        if not line.readable:
            return any(needle in line.data for needle in self.needles())
        value = line.value
        if "event" in value and "user_message" not in value:
            return value.get("assistant_message_id") in self.replies
        return self.is_turn(value)

    def is_turn(self, value: dict[str, Any]) -> bool:
        """Tell whether a turn is theirs."""
        return value.get("user_id") in self.users or value.get("session_id") in self.sessions

    def is_said(self, cited: str) -> bool:
        """Tell whether what a memory cites, `SESSION#MESSAGE` or `SESSION`, was said in a conversation of theirs."""
        return not {cited, cited.rpartition("#")[0]}.isdisjoint(self.sessions | self.talks | self.requests)

    def needles(self) -> list[bytes]:
        """Return the bytes by which their lines are known."""
        return needles_of({*self.users, *self.sessions, *self.requests, *self.replies})


def forget(
    repository: Repository,
    users: Sequence[str] = (),
    sessions: Sequence[str] = (),
    *,
    dry_run: bool = False,
    progress: Progress = quiet,
) -> Forgotten:
    """Remove users and sessions from day files, sessions, indexes and open proposals; a killed run is run again.

    Raises `Refusal` when something of theirs is on legal hold, before anything is removed, and `BadInput` for an empty id.
    """
    if not all(each.strip() for each in (*users, *sessions)):
        raise BadInput("The id of whom to forget is empty.", "Give it as the archive has it.")
    store = SessionStore(session_folder(repository))
    if not dry_run:
        finish_interrupted(repository)
    theirs, talks = (frozenset(each for given in names for each in either(given)) for names in (users, sessions))
    found = find(repository, store, theirs, set(talks), progress)
    refuse_held(store, found)
    outcome = Forgotten(found.turns, sorted(file_of for file_of in found.sessions if store.path_of(file_of)))
    outcome.unreadable = [*damaged(chat_folder(repository)), *dict.fromkeys(map(str, store.problems))]
    rewrite, remove, outcome.history = proposals(repository, found)
    outcome.proposals = [record.id for record in rewrite]
    outcome.removed_proposals = remove
    if found.turns and deciding.known(repository):
        outcome.note = COUNTED
    if dry_run:
        return outcome
    if rewrite or remove:  # first of all, since only the turns say which proposals cite them
        deciding.write_proposals(repository, rewrite, remove)
    forget_derived(repository, store)
    if chat_folder(repository).is_dir():
        with Store(chat_folder(repository)) as chat:
            erase(chat, found.is_theirs)
            erase_quarantine(chat, found.needles())
            forget_log(chat, found)
    forget_sessions(store, found)
    return outcome


def finish_interrupted(repository: Repository) -> None:
    """Finish what a killed `retain` left beside the day files, so that everything is in files that are looked through."""
    if chat_folder(repository).is_dir():
        with Store(chat_folder(repository)) as chat:
            finish(chat)


def find(repository: Repository, store: SessionStore, users: frozenset[str], sessions: set[str], progress: Progress) -> Found:
    """Return what belongs to users and sessions."""
    found = Found(users, set(sessions), owners=set(users))
    for session in store.all():
        if users & people(session) or session.session_id in sessions:
            found.sessions.add(session.session_id)
            found.owners |= people(session)
    for file in days.day_files(chat_folder(repository)):
        progress("Looking for what is theirs", 0, 0)
        if unreadable(file):
            continue
        with file.open() as stream:
            for line in lines(stream):
                if line.readable and found.is_turn(line.value):
                    found.turns += 1
                    found.owners.add(str(line.value.get("user_id")))
                    if isinstance(line.value.get("session_id"), str):
                        found.talks.add(line.value["session_id"])
                    found.requests.add(str(line.value.get("request_id")))
                    if isinstance(line.value.get("assistant_message_id"), str):
                        found.replies.add(line.value["assistant_message_id"])
                    found.asked[ask(str(line.value.get("user_message", ""))).key] += 1
    found.keys = set(found.asked) - {""}
    return found


def people(session: Session) -> frozenset[str]:
    """Return the people of a session; the names of roles, which stand for people who are not named, are none."""
    return frozenset((*session.participants, str(session.extra.get("user_id")))) - ROLES


def refuse_held(store: SessionStore, found: Found) -> None:
    """Raise `Refusal` when something of theirs is on legal hold."""
    theirs = {"user": found.owners, "session": found.sessions, "request": found.requests}
    held = [hold for hold in read_holds(store.folder) if hold.id in theirs[hold.kind]]
    if held:
        said = "; ".join(map(str, held[:5]))
        others = any(hold.kind == "user" and hold.id not in found.users for hold in held) and bool(found.users)
        shared = " Others are held who share a conversation with them." if others else ""
        raise Refusal(f"On legal hold: {said}.{shared}", "Take it off with mfgit archive hold remove, if it may go.")


def forget_derived(repository: Repository, store: SessionStore) -> None:
    """Delete indexes, embeddings and the scan's word counts; each is made anew without what is forgotten."""
    from mfgit.project.recalling import forget_index

    forget_index(repository)
    shutil.rmtree(store.folder / "embeddings", ignore_errors=True)
    for name in ("search", "vectors"):
        shutil.rmtree(repository.common / "mfgit" / name, ignore_errors=True)
    shutil.rmtree((chat_folder(repository) / SNAPSHOT).parent, ignore_errors=True)
    (store.folder / PENDING).unlink(missing_ok=True)


def forget_log(chat: Store, found: Found) -> None:
    """Take what names their sessions out of retention's log."""
    path = chat.folder / LOG
    names = [f"/{name}.json".encode() for each in found.sessions for name in (file_name(each), twin_name(each))]
    with chat.trouble(), chat.locked():
        if names and path.exists():
            every = path.read_bytes().splitlines(keepends=True)
            replace_file(path, b"".join(line for line in every if not any(name in line for name in names)))


def forget_sessions(store: SessionStore, found: Found) -> None:
    """Delete their session files and what the catalogue says of them."""
    with store.locked(), store.trouble():
        catalogue = Catalogue(store)
        store.tidy()
        for session_id in sorted(found.sessions):
            path = store.path_of(session_id)
            if path is not None:
                catalogue.begin()
                store.remove(session_id)
                catalogue.note(path, None)
        catalogue.finish()


# ---- proposals


def proposals(repository: Repository, found: Found) -> tuple[list[Record], list[str], list[str]]:
    """Return the open proposals' records without them, ids of proposals nothing is left of, and what history still holds."""
    if not (found.requests or found.sessions) or repository.git.commit_of(repository.target) is None:
        return [], [], []
    rewrite: list[Record] = []
    remove: list[str] = []
    history: list[str] = []
    for known in deciding.known(repository):
        record = without(known.record, found)
        if record == known.record:
            continue
        if known.status in OPEN and record is not None:
            rewrite.append(record)
        elif known.status in OPEN:
            remove.append(known.id)
        history.append(held_by(known))
    if history:
        history.append(f"What no ref reaches any more goes with: {PURGE} (in every clone, and on the server).")
    return rewrite, remove, history


def without(record: Record, found: Found) -> Record | None:
    """Return a record that cites and quotes nothing of theirs; None when nothing else is left of it.

    The text of a memory is made of all that it cites, so of one that cites anything of theirs nothing is left.
    """
    if f"{layout.FORGED}/memory/" in (record.adopted_path or ""):
        return None if any(found.is_said(each.request_id) for each in record.evidence) else record
    evidence = tuple(each for each in record.evidence if each.request_id not in found.requests)
    others = {ask(each.excerpt).key for each in evidence}
    theirs = found.keys - others
    questions = tuple(each for each in record.questions if ask(each).key not in theirs)
    aliases = tuple(each for each in record.aliases if ask(each.alias).key not in theirs)
    if (evidence, questions, aliases) == (record.evidence, record.questions, record.aliases):
        return record
    if not evidence:
        return None
    title = record.title
    if ask(title).key in theirs:
        title = questions[0] if questions else evidence[0].excerpt or record.id
    asked = max(len(evidence), record.frequency - sum(found.asked[key] for key in record.keys))
    users = max(1, record.distinct_users - len(found.users))
    return replace(
        record,
        evidence=evidence,
        questions=questions,
        aliases=aliases,
        title=title,
        frequency=min(record.frequency, asked),
        distinct_users=min(record.distinct_users, users),
        dissatisfied_count=min(record.dissatisfied_count, asked),
    )


def held_by(known: Known) -> str:
    """Return where Git still holds what a proposal cited of them, and how to take it out."""
    path = layout.record_path(layout.Root(known.record.root, known.record.target_layer), known.id)
    if known.status in OPEN:
        more = "; a person edited its text: look at it" if known.status == "edited" else ""
        branch = layout.branch_name(known.id)
        return f"{known.id} ({known.status}): earlier commits of {branch}, also where it was pushed{more}."
    if known.status in ("rejected", "closed"):
        return (
            f"{known.id} ({known.status}): {layout.rejected_ref(known.id)}; git update-ref -d {layout.rejected_ref(known.id)}"
        )
    paths = [path, known.record.adopted_path] if known.record.adopted_path else [path]
    filtered = " ".join(f"--path {shlex.quote(each)}" for each in paths)
    first = f"mfgit undo {known.id}, then " if known.status == "adopted" else ""
    where = f"{' and '.join(paths)} in the history of the target"
    return f"{known.id} ({known.status}): {where}; {first}git filter-repo --invert-paths {filtered}"
