"""An index on disk, as `<git common dir>/mfgit/search/`: safe against other processes, kills and damage.

- `current-FORMAT` names the folder in use, `index-FORMAT-…`, so that a rebuild is switched to in one step. It may live
  elsewhere: where the folder can come from somebody else, only a name that we wrote down ourselves is believed, since Whoosh's
  files are pickles. Each format has names of its own: an older mfgit and a newer one work side by side.
- In that folder: the engine's files; `catalogue`, document key → its numbers, lengths and labels; `views/`, one file a tree;
  `last`, what the view made last is made of, so that the next one is made from what differs.
Everything is written under a lock, the engine's files first, then the catalogue, then the view: a reader starts from the view
and finds whole what it names. Documents keep their numbers for good: none is deleted, and small segments are merged in
their order. Too many documents that no recent tree holds: the next update builds the index anew.
"""

import errno
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from mfgit import durable
from mfgit.errors import BadInput, MfgitError
from mfgit.index import catalogue, engine, last, view
from mfgit.index.catalogue import Catalogue, Placed
from mfgit.index.engine import SearchEngine, Writer
from mfgit.index.last import Compare, Last
from mfgit.index.removing import KEEPER, drop_old_views, older, remove
from mfgit.index.searcher import Searcher
from mfgit.index.shape import PASSAGES, Row, Shape
from mfgit.index.view import View
from mfgit.progress import Progress, quiet

FORMAT = 12
"""Counted up when the same passages give other files or other terms, so that an index made before is not used."""
FEW = 20
"""Entries up to which each is looked for in the catalogue, instead of reading it whole."""


class Entry(NamedTuple):
    """A document that a tree holds: a `key` for everything that its passages depend on, and its kind (see `view`)."""

    key: str
    kind: int


Load = Callable[[Sequence[Entry]], Iterable[tuple[Entry, Iterable[Any]]]]
"""Gives what the shape of the index makes rows of, for the entries that the index does not know yet."""


class Plan(NamedTuple):
    """What a view is to hold: its key, its entries in order, and sentences for whoever searches it.

    `origin` is for the `Compare` of the next `step`; without one, the next tree is made from all its entries.
    """

    key: str
    entries: Sequence[Entry]
    notes: Sequence[str] = ()
    origin: bytes = b""


Kept = dict[Path, tuple[str, Searcher]]
"""What a process that asks often keeps open: for each index the key of its last view and the searcher. For one thread."""


class Store:
    """One index of a `shape`, in a folder; `pointer` is the file that names the folder in use, `kept_by` the engine."""

    def __init__(
        self,
        folder: Path,
        shape: Shape = PASSAGES,
        pointer: Path | None = None,
        kept: "Kept | None" = None,
        kept_by: str = engine.DEFAULT,
    ) -> None:
        self.kept: Kept = {} if kept is None else kept
        self.kept_by = kept_by
        self.folder = folder
        self.shape = shape
        self.pointer = pointer or folder / f"current-{FORMAT}"
        self.shared = pointer is not None

    def open(self, key: str) -> Searcher | None:
        """Return a searcher for the tree of a view's key; None when it has to be made first (or is damaged)."""
        last, found = self.kept.get(self.pointer, ("", None))
        if found is not None and last == f"{self.kept_by} {key}":
            return found
        try:
            place = self.current()
            shown = view.open_view(place / "views" / key)
        except (OSError, ValueError, KeyError):
            return None
        return self.keep(key, self.engine.open(place, shown, self.shape))

    def keep(self, key: str, found: Searcher | None) -> Searcher | None:
        """Keep a searcher open for the next question, in place of the one before."""
        if found is not None:
            self.kept[self.pointer] = f"{self.kept_by} {key}", found
        return found

    def let_go(self) -> None:
        """Open the index anew next time."""
        self.kept.pop(self.pointer, None)

    def update(
        self,
        key: str,
        entries: Sequence[Entry],
        load: Load,
        notes: Sequence[str],
        progress: Progress = quiet,
        *,
        origin: bytes = b"",
    ) -> Searcher:
        """Return a searcher for a tree, adding the documents that are new. Where nothing can be written, it works in memory."""
        return self.follow(lambda known: Plan(key, entries, notes, origin), load, progress)

    def follow(self, plan: Callable[[Collection[str]], Plan], load: Load, progress: Progress = quiet) -> Searcher:
        """Do as `update` does, for a plan that is made under the lock from the keys that the index knows."""
        try:
            with self.locked():
                planned = plan(self.known())
                found = self.open(planned.key) or self.add(planned, load, progress)
                self.keep(planned.key, found)
                return found
        except OSError as error:
            said = f"the search index cannot be kept ({error.strerror or error}), so every search builds it anew"
            planned = plan(())
            found = self.in_memory(planned._replace(notes=(*planned.notes, said)), load, progress)
            self.keep(planned.key, found)
            return found

    def step(self, key: str, compare: Compare, load: Load, progress: Progress = quiet) -> Searcher | None:
        """Return a searcher for a tree that differs little from the one before it; None where `update` has to make it."""
        try:
            with self.locked():
                return self.open(key) or self.keep(key, self.stepped(key, compare, load, progress))
        except MfgitError:
            raise
        except Exception:  # damaged files raise whatever they like; `update` makes them anew, or says what is wrong
            return None

    def stepped(self, key: str, compare: Compare, load: Load, progress: Progress) -> Searcher | None:
        """Do what `step` does; called under the lock."""
        place = self.current()
        before = last.read(place)
        steps = compare(before.key, before.origin)
        if steps is None:
            return None
        known = catalogue.opened(place)
        self.add_documents(place, known, [Entry(step.key, step.kind) for step in steps.steps if step.key], load, progress)
        if len(steps.steps) > FEW:
            known.all()
        shown, after = last.follow(before, view.open_view(place / "views" / before.key), key, steps, known.find)
        if self.wasteful(known.held, len(shown.documents)):
            return None
        return self.show(place, shown, after)

    def known(self) -> Collection[str]:
        """Return the keys of the entries that the index holds."""
        try:
            return catalogue.opened(self.current()).all()
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return ()

    def in_memory(self, plan: Plan, load: Load, progress: Progress) -> Searcher:
        """Return a searcher of an index that lasts as long as the searcher."""
        import shutil
        import tempfile

        folder = ""
        try:
            folder = tempfile.mkdtemp(prefix="mfgit-")
            found = Store(Path(folder), self.shape).add(plan, load, progress)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            where = f"{self.folder} or {tempfile.gettempdir()}"
            raise BadInput(
                f"The search index cannot be written to {where}: {error.strerror or error}.", "Free some space."
            ) from None
        weakref.finalize(found, shutil.rmtree, folder, ignore_errors=True)
        return found

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the index's lock; the kernel gives it back when its holder dies."""
        import fcntl

        if self.elsewhere():
            raise OSError(errno.ELOOP, f"{self.folder} is behind a symbolic link")
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def elsewhere(self) -> bool:
        """Tell whether the folder leads out of what it lies in: a shared archive may come with a link where it should be."""
        return self.shared and (self.folder.is_symlink() or self.folder.parent.is_symlink())

    def add(self, plan: Plan, load: Load, progress: Progress) -> Searcher:
        """Add what is new, write the view, return its searcher; called under the lock."""
        place = self.usable(plan.entries)
        if place is not None:
            try:
                if found := self.grow(place, plan, load, progress):
                    return found
            except MfgitError:
                raise
            except Exception:  # noqa: S110 - damaged files raise whatever they like; what is not damage comes up again below
                pass
        place = self.fresh()
        try:
            found = self.grow(place, plan, load, progress)
            if found is None:
                raise BadInput(f"The search index at {self.folder} cannot be read back.", f"Delete it: rm -r {self.folder}")
            self.engine.settle(place)
            self.pointer.parent.mkdir(parents=True, exist_ok=True)
            durable.replace(self.pointer, [f"{FORMAT} {self.kept_by} {place.name}\n".encode()])
        except BaseException:
            remove(place)
            raise
        remove(*(other for other in older(self.folder.glob("index-*"), FORMAT + 1) if other != place))
        for other in older(self.pointer.parent.glob(f"{self.pointer.name.partition('-')[0]}*"), FORMAT):
            other.unlink(missing_ok=True)
        return found

    def grow(self, place: Path, plan: Plan, load: Load, progress: Progress) -> Searcher | None:
        """Add what is new to a folder's index, then the view; return its searcher, None when it cannot be read back."""
        known = catalogue.opened(place)
        self.add_documents(place, known, plan.entries, load, progress)
        shown, kept = make_view(self.shape, plan, known.all())
        return self.show(place, shown, kept)

    def show(self, place: Path, shown: View, kept: Last) -> Searcher | None:
        """Write a view, then what the next one is made from; return the searcher, None when the index cannot be read back."""
        durable.replace(place / "views" / kept.key, [view.dump(shown)])
        if kept.origin:
            durable.replace(place / last.NAME, [last.dump(kept)])
        drop_old_views(place / "views", self.shape.views)
        return self.engine.open(place, shown, self.shape)

    def add_documents(self, place: Path, known: Catalogue, entries: Sequence[Entry], load: Load, progress: Progress) -> None:
        """Add the documents that the index does not hold yet, to it and to its catalogue."""
        missing = [entry for entry in dict.fromkeys(entries) if known.find(entry.key) is None]
        if not missing:
            return
        new: dict[str, Placed] = {}
        with self.engine.writing(place, self.shape) as writer:
            for number, (entry, items) in enumerate(load(missing)):
                progress("Indexing documents", number + 1, len(missing))
                new[entry.key] = add_rows(writer, self.shape, items)
        known.add(new)

    def discard(self) -> None:
        """Give up the index in use: the next update makes a new one."""
        self.let_go()
        with suppress(OSError):
            self.pointer.unlink(missing_ok=True)

    def current(self) -> Path:
        """Return the folder in use; raises `ValueError` for one of another version or engine, `OSError` where there is none."""
        version, kept_by, name = self.pointer.read_text("ascii").split()
        if (version, kept_by) != (str(FORMAT), self.kept_by):
            raise ValueError("made by another version or engine")
        if self.elsewhere():
            raise ValueError("behind a symbolic link")
        return self.folder / name

    def usable(self, entries: Sequence[Entry]) -> Path | None:
        """Return the folder in use, None when there is none or it holds too much that nobody asks for."""
        try:
            place = self.current()
            known = catalogue.opened(place)
            placed = known.all()
            wanted = sum(placed[entry.key].size if entry.key in placed else 1 for entry in entries)
            return None if self.wasteful(known.held, wanted) else place
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def wasteful(self, held: int, wanted: int) -> bool:
        """Tell whether an index holds too many documents for a tree of `wanted` ones."""
        return held > self.shape.waste * wanted + self.shape.floor

    def fresh(self) -> Path:
        """Return a new, empty folder."""
        import tempfile

        place = Path(tempfile.mkdtemp(prefix=f"index-{FORMAT}-", dir=self.folder))
        try:
            (place / "views").mkdir()
            (place / KEEPER).write_text(self.kept_by, "ascii")
            self.engine.create(place, self.shape)
            catalogue.create(place)
        except BaseException:
            remove(place)
            raise
        return place

    @property
    def engine(self) -> SearchEngine:
        """What keeps the index; raises `BadInput` where it is not installed."""
        return engine.engine(self.kept_by)


def add_rows(writer: Writer, shape: Shape, items: Iterable[Any]) -> Placed:
    """Hand the rows of one entry to a writer; return where they are."""
    first = writer.total
    lengths: list[list[int]] = [[] for _ in shape.boosts]
    numbers: list[list[int]] = [[] for _ in range(shape.numbers)]
    labels: dict[str, str] = {}
    for at, item in enumerate(items):
        row: Row = shape.row(item)
        writer.add(row)
        for column, name in zip(lengths, shape.boosts, strict=True):
            column.append(len(row.terms[name]))
        for column, value in zip(numbers, row.numbers, strict=True):
            column.append(value)
        if row.label:
            labels[str(at)] = row.label
    return Placed(first, lengths, numbers, labels)


def make_view(shape: Shape, plan: Plan, known: Mapping[str, Placed]) -> tuple[View, Last]:
    """Return the view of a plan's documents, and what the next one is made from."""
    documents: list[int] = []
    starts: list[int] = []
    kinds = bytearray()
    lengths: list[list[int]] = [[] for _ in shape.boosts]
    numbers: list[list[int]] = [[] for _ in range(shape.numbers)]
    labels: list[str] = []
    sizes: list[int] = []
    entries = plan.entries if shape.stock else sorted(plan.entries, key=lambda entry: known[entry.key].first)
    for entry in entries:
        placed = known[entry.key]
        sizes.append(placed.size)
        labels += [f"{len(documents) + int(at)}\t{label}\n" for at, label in placed.labels.items()]
        starts += [len(documents)] if placed.size else []
        documents += range(placed.first, placed.first + placed.size)
        kinds += bytes([entry.kind]) * placed.size
        for column, more in zip((*lengths, *numbers), (*placed.lengths, *placed.numbers), strict=True):
            column.extend(more)
    told = "".join(labels).encode("utf-8", "surrogatepass")
    shown = view.make(documents, starts, bytes(kinds), lengths, plan.notes, numbers=numbers, labels=told)
    return shown, Last(plan.key, sizes, lengths, plan.origin)
