"""A project that stays open, for a server: searchers are kept between questions, and appends share their syncs.

Everything may be called from any thread. No answer is older than its question: each looks where the ref and the archive are
now, and a kept searcher is taken only when it is of that very state.
"""

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mfgit.archive import slices
from mfgit.archive.appending import Ack, Ready, Rejected, append_ready
from mfgit.archive.store import LOCK, Store
from mfgit.errors import BadInput
from mfgit.index.searcher import Damaged, Searcher
from mfgit.project import archiving, deciding, fetching, recalling, searching, views
from mfgit.project.main import Project
from mfgit.project.periods import period

if TYPE_CHECKING:
    from mfgit.model import Rating
    from mfgit.repo.known import Survey
    from mfgit.repo.writing import Signature

AT_ONCE = 4
"""Searches of one kind that run at the same time, each with a searcher to itself; more wait."""
KEPT = 6
"""Searchers of one kind that are kept for the next question."""


class Lender:
    """Searchers that stay open, each lent to one thread at a time: they keep lists and file positions of their own."""

    def __init__(self) -> None:
        self.turn = threading.BoundedSemaphore(AT_ONCE)
        self.lock = threading.Lock()
        self.idle: list[tuple[str, Searcher]] = []

    @contextmanager
    def lend(self, key_of: Callable[[], str], make: Callable[[], Searcher]) -> Iterator[Searcher]:
        """Yield a searcher of the state that `key_of` names now; one that fails is not kept."""
        with self.turn:
            key = key_of()
            searcher = self.take(key) or make()
            yield searcher
            with self.lock:
                self.idle.append((key, searcher))
                del self.idle[:-KEPT]

    def take(self, key: str) -> Searcher | None:
        """Return an idle searcher of a state, None when there is none."""
        with self.lock:
            for place in reversed(range(len(self.idle))):
                if self.idle[place][0] == key:
                    return self.idle.pop(place)[1]
        return None


class Batch:
    """What one caller wants to be appended, and what became of it."""

    def __init__(self, items: list[Ready | Rejected]) -> None:
        self.items = items
        self.results: list[Ack | Rejected] | None = None
        self.error: Exception | None = None


class Appender:
    """The chat folder open for appending. Callers that come while the disk is busy share the next write and its sync."""

    def __init__(self) -> None:
        self.queue: list[Batch] = []
        self.queued = threading.Lock()
        self.writing = threading.Lock()
        self.store: Store | None = None

    def append(self, folder: Path, items: list[Ready | Rejected]) -> list[Ack | Rejected]:
        """Store checked turns; return what became of each once they are on the disk. Raises `BadInput` when it refuses."""
        batch = Batch(items)
        with self.queued:
            self.queue.append(batch)
        with self.writing:
            if batch.results is None and batch.error is None:
                with self.queued:
                    taken, self.queue = self.queue, []
                self.write(folder, taken)
        if batch.error is not None:
            raise batch.error
        assert batch.results is not None
        return batch.results

    def write(self, folder: Path, taken: list[Batch]) -> None:
        """Append what several callers want by one write a day, and tell each what became of its own."""
        try:
            results = append_ready(self.opened(folder), [item for batch in taken for item in batch.items])
        except Exception as error:  # every caller of the batch is told, whatever it was
            self.close()
            for batch in taken:
                batch.error = error
            return
        at = 0
        for batch in taken:
            batch.results = results[at : at + len(batch.items)]
            at += len(batch.items)

    def opened(self, folder: Path) -> Store:
        """Return the open store of a folder, anew when it is another one or was replaced on the disk."""
        if self.store is not None and not (self.store.folder == folder and same_file(self.store.lock, folder / LOCK)):
            self.close()
        if self.store is None:
            self.store = Store(folder)
        return self.store

    def close(self) -> None:
        """Close the store, if it is open; the next append opens it again."""
        store, self.store = self.store, None
        if store is not None:
            store.close()


def same_file(descriptor: int, path: Path) -> bool:
    """Tell whether an open file still is the one at a path."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False


class Living:
    """A repository that many threads ask and write to at the same time."""

    def __init__(self, folder: str | os.PathLike[str], environment: Mapping[str, str] | None = None) -> None:
        self.first = Project.open(folder, environment)
        self.passages = Lender()
        self.conversations = Lender()
        self.appender = Appender()
        self.deciding = threading.Lock()

    def project(self, actor: "Signature | None" = None) -> Project:
        """Return the project with its settings as they are now, for one request; `actor` is who decides in it."""
        first = self.first
        found = Project(first.git, first.top, first.common, first.environment)
        found.actor = actor
        return found

    def search(
        self, query: str, *, ref: str | None = None, with_id: str | None = None, limit: int = 10, only: str | None = None
    ) -> searching.Answer:
        """Return what a question finds, as `searching.search` does."""
        here = self.project()
        where = views.locate(here, ref, with_id)

        def key() -> str:
            return views.view_key(where.tree, views.checkout_settings(here))

        try:
            with self.passages.lend(key, lambda: views.searcher(here, where)) as searcher:
                return searching.ask(here, where, searcher, query, limit=limit, only=only)
        except Damaged:
            return searching.search(here, query, ref=ref, with_id=with_id, limit=limit, only=only)

    def context(self, query: str, **options: Any) -> tuple[searching.Answer, str]:
        """Return what a question finds and the block to hand to an assistant."""
        from mfgit.answer.block import block
        from mfgit.text import tokens

        answer = self.search(query, **options)
        return answer, block(query, answer.hits, answer.commit, tokens.language(query))

    def recall(
        self,
        query: str,
        *,
        date: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int = recalling.DEFAULT_LIMIT,
        by: str = "date",
    ) -> recalling.Recall:
        """Return the turns and sessions that a question finds, as `recalling.search` does."""
        here, when = self.project(), period(date, since, until)
        try:
            with self.archive(here) as searcher:
                asked = recalling.understood(searcher, query, when)
                return recalling.recall(searcher, recalling.folders(here), asked, limit, by)
        except Damaged:
            return recalling.search(here, query, date=date, since=since, until=until, limit=limit, by=by)

    def fetch(self, identity: str, *, messages: str | None = None, budget: int = 0) -> fetching.Fetched:
        """Return a conversation by the start of its id, as `fetching.get` does."""
        here = self.project()
        if not identity.strip():
            raise BadInput("No id was given.")
        try:
            with self.archive(here) as searcher:
                return fetching.fetched(searcher, recalling.folders(here), identity.strip(), messages, budget)
        except Damaged:
            return fetching.get(here, identity, messages=messages, budget=budget)

    @contextmanager
    def archive(self, here: Project) -> Iterator[Searcher]:
        """Yield a searcher of the archive as it is now."""
        where = recalling.folders(here)
        with self.conversations.lend(lambda: slices.fingerprint(where), lambda: recalling.searcher_of(here)) as searcher:
            yield searcher

    def append(self, items: Sequence[Ready | Rejected]) -> list[Ack | Rejected]:
        """Store turns that are checked and redacted already (`appending.ready_value`); see `Appender`."""
        return self.appender.append(archiving.chat_folder(self.project()), list(items))

    def rate(self, message_id: str, rating: "Rating", reasons: Sequence[str] = (), note: str | None = None) -> str:
        """Store the user's verdict on a reply; return the day of its file. Raises `BadInput` for an unknown reply."""
        return archiving.rate_reply(self.project(), message_id, rating, reasons, note)[0]

    def survey(self) -> "Survey":
        """Return every proposal that Git knows."""
        return deciding.look(self.project())

    def close(self) -> None:
        """Close what is open."""
        with self.appender.writing:
            self.appender.close()
