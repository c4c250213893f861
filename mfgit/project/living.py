"""A project that stays open, for a server: searchers are kept between questions, and appends share their syncs.

Everything may be called from any thread. No answer is older than its question: each looks where the ref and the archive are
now, and a kept searcher is taken only when it is of that very state.
"""

import itertools
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from mfgit.archive import slices
from mfgit.archive.appending import Ack, Ready, Rejected, append_ready, ready_value
from mfgit.archive.store import LOCK, Store
from mfgit.errors import Missing
from mfgit.index.searcher import Damaged, Searcher
from mfgit.plumbing import Blob, Git
from mfgit.progress import quiet
from mfgit.project import archiving, deciding, fetching, nearing_archive, quoting, recalling, searching, views
from mfgit.project.main import Project
from mfgit.project.periods import period

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self, Unpack

    from mfgit.model import Rating
    from mfgit.project.options import Asking, Handing
    from mfgit.repo.known import Survey
    from mfgit.repo.writing import Signature

AT_ONCE = 4
"""Searches of the knowledge that run at the same time, each with a searcher to itself; more wait."""
KEPT = 6
"""Searchers of the knowledge that are kept for the next question."""
MOST_CACHED = 64 << 20
"""Bytes of texts out of Git that are kept."""
State = TypeVar("State")
moments = itertools.count(1)
"""Tells what came first; counting up is one step in CPython, which no other thread can divide."""


class Fresh(Generic[State]):
    """What is looked up for many callers at once: each gets what was looked up after it came, never something older."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.looked = 0
        self.state: State | None = None

    def get(self, came: int, look: Callable[[], State]) -> State:
        """Return the state for a caller that came at a moment."""
        with self.lock:
            if self.state is None or self.looked < came:
                self.state, began = None, next(moments)
                self.state = look()
                self.looked = began
            return self.state


class Lender(Generic[State]):
    """Searchers that stay open, each lent to one thread at a time: they keep lists and file positions of their own."""

    def __init__(self, at_once: int, kept: int) -> None:
        self.kept = kept
        self.turn = threading.BoundedSemaphore(at_once)
        self.fresh: Fresh[State] = Fresh()
        self.lock = threading.Lock()
        self.idle: list[tuple[State, Searcher]] = []

    @contextmanager
    def lend(
        self, look: Callable[[], State], make: Callable[[State], Searcher], *, shared: bool = True
    ) -> Iterator[tuple[State, Searcher]]:
        """Yield the state that `look` finds and a searcher of it; one that fails is not kept.

        `shared`: callers that wait for each other look once, after the last of them came.
        """
        came = next(moments)
        with self.turn:
            state = self.fresh.get(came, look) if shared else look()
            searcher = self.take(state) or make(state)
            yield state, searcher
            with self.lock:
                self.idle.append((state, searcher))
                del self.idle[: -self.kept]

    def take(self, state: State) -> Searcher | None:
        """Return an idle searcher of a state, None when there is none."""
        with self.lock:
            for place in reversed(range(len(self.idle))):
                if self.idle[place][0] == state:
                    return self.idle.pop(place)[1]
        return None


class View(NamedTuple):
    """A state of the knowledge: the key of its view, and where it is."""

    key: str
    where: views.Where


class CachingGit(Git):
    """Git that keeps the objects it was asked for by their whole ids, which never change what they stand for."""

    def __init__(self, git: Git) -> None:
        super().__init__(git.folder, alone=git.alone)
        self.lock = threading.Lock()
        self.size = 0
        self.cache: OrderedDict[str, Blob] = OrderedDict()

    def blobs(self, names: Iterable[str]) -> Iterator[Blob]:
        """Yield the objects named, in order, asking Git for those only that are not known."""
        wanted = list(names)
        with self.lock:
            known = {name: self.cache[name] for name in wanted if name in self.cache}
            for name in known:
                self.cache.move_to_end(name)
        missing = list(dict.fromkeys(name for name in wanted if name not in known))
        found = dict(zip(missing, super().blobs(missing), strict=True))
        self.keep(blob for name, blob in found.items() if name == blob.oid and blob.data is not None)
        for name in wanted:
            yield known.get(name) or found[name]

    def keep(self, blobs: Iterable[Blob]) -> None:
        """Remember objects, and forget those asked for longest ago where it gets too much."""
        with self.lock:
            for blob in blobs:
                if blob.oid not in self.cache:
                    self.cache[blob.oid] = blob
                    self.size += len(blob.data or b"")
            while self.size > MOST_CACHED:
                self.size -= len(self.cache.popitem(last=False)[1].data or b"")


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
    """A repository that many threads ask and write to at the same time: what `Project` is for one.

    Questions and appends have the names and results that they have there; for everything else `project()` gives a `Project`.
    Close it, or open it by `with`.
    """

    def __init__(self, folder: str | os.PathLike[str], environment: Mapping[str, str] | None = None) -> None:
        self.first = Project.open(folder, environment)
        self.git = CachingGit(self.first.git)
        self.passages: Lender[View] = Lender(AT_ONCE, KEPT)
        self.conversations: Lender[str] = Lender(1, 1)  # what a question costs there is Python, which takes turns anyway
        self.appender = Appender()
        self.deciding = threading.Lock()

    def __enter__(self) -> "Self":
        return self

    def __exit__(
        self, kind: "type[BaseException] | None", error: "BaseException | None", trace: "TracebackType | None"
    ) -> None:
        self.close()

    def project(self, actor: "Signature | None" = None) -> Project:
        """Return the project with its settings as they are now, for one request; `actor` is who decides in it."""
        found = Project(self.first.git, self.first.top, self.first.common, self.first.environment)
        found.actor = actor
        return found

    def reading(self) -> Project:
        """Return the project for a question: it reads texts out of Git once."""
        return Project(self.git, self.first.top, self.first.common, self.first.environment)

    def search(self, query: str, **options: "Unpack[Asking]") -> searching.Answer:
        """Return what a question finds, as `Project.search` does."""
        here = self.reading()
        rest: dict[str, Any] = {"limit": searching.DEFAULT_HITS, **options}
        ref, with_id = rest.pop("ref", None), rest.pop("with_id", None)
        progress = rest.pop("progress", quiet)

        def look() -> View:
            where = views.locate(here, ref, with_id)
            return View(views.view_key(where.tree, views.checkout_settings(here)), where)

        def make(view: View) -> Searcher:
            return views.searcher(here, view.where, progress)

        try:
            with self.passages.lend(look, make, shared=ref is None and with_id is None) as (view, searcher):
                return searching.ask(here, view.where, searcher, query, **rest)
        except Damaged:
            return searching.search(here, query, ref=ref, with_id=with_id, progress=progress, **rest)

    def context(self, query: str, **options: "Unpack[Handing]") -> quoting.Context:
        """Return what a question finds and the block to hand to an assistant, as `Project.context` does."""
        rest: dict[str, Any] = {"limit": quoting.DEFAULT_PASSAGES, **options, "weigh": True}
        budget = rest.pop("budget", None)
        return quoting.quoted(self.search(query, **rest), budget)

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
                where = recalling.folders(here)
                near = nearing_archive.near(here, where, searcher, query, asked.wanted)
                return recalling.recall(searcher, where, asked, limit, by, near=near)
        except Damaged:
            return recalling.search(here, query, date=date, since=since, until=until, limit=limit, by=by)

    def fetch(self, identity: str, *, messages: str | None = None, budget: int = 0) -> fetching.Fetched:
        """Return a conversation by the start of its id, as `fetching.get` does."""
        here = self.project()
        if not identity.strip():
            raise Missing("No id was given.")
        try:
            with self.archive(here) as searcher:
                return fetching.fetched(searcher, recalling.folders(here), identity.strip(), messages, budget)
        except Damaged:
            return fetching.get(here, identity, messages=messages, budget=budget)

    @contextmanager
    def archive(self, here: Project) -> Iterator[Searcher]:
        """Yield a searcher of the archive as it is now."""
        where = recalling.folders(here)

        def look() -> str:
            return slices.fingerprint(where)

        def make(_: str) -> Searcher:
            return recalling.searcher_of(here)

        with self.conversations.lend(look, make) as (_, searcher):
            yield searcher

    def append(self, turns: Iterable[Mapping[str, Any]]) -> list[Ack]:
        """Archive turns, redacted; return their ids and days once they are on the disk.

        Raises `BadInput` that names the first that is no turn (the others are stored), or when the disk refuses.
        """
        items = [ready_value(number, turn) for number, turn in enumerate(turns, 1)]
        return archiving.all_stored(self.append_ready(items))

    def append_ready(self, items: Sequence[Ready | Rejected]) -> list[Ack | Rejected]:
        """Store turns that are checked and redacted already (`appending.ready_value`); see `Appender`."""
        return self.appender.append(archiving.chat_folder(self.project()), list(items))

    def rate(self, message_id: str, rating: "Rating", reasons: Sequence[str] = (), note: str | None = None) -> str:
        """Store the user's verdict on a reply; return the day of its file. Raises `Missing` for an unknown reply."""
        return archiving.rate_reply(self.project(), message_id, rating, reasons, note)[0]

    def survey(self) -> "Survey":
        """Return every proposal that Git knows."""
        return deciding.look(self.project())

    def close(self) -> None:
        """Close what appends have open; searchers close with their last question."""
        with self.appender.writing:
            self.appender.close()
