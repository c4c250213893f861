"""The index on disk: `<git common dir>/mfgit/search/`, safe against other processes, kills and damage.

- `current` names the folder in use, so that a rebuild is switched to in one step.
- In that folder: Whoosh's files; `catalogue.json`, document key → its numbers and lengths; `views/`, one file a tree.
Everything is written under a lock, Whoosh's files first, then the catalogue, then the view: a reader starts from the view
and finds whole what it names. Documents keep their numbers for good: none is deleted, and small segments are merged in
their order. Too many documents that no recent tree holds: the next update builds the index anew.
"""

import json
import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from mfgit.errors import BadInput, MfgitError
from mfgit.index import view
from mfgit.index.searcher import Searcher
from mfgit.index.stored import BOOSTS, stored
from mfgit.index.view import View
from mfgit.passages import Passage
from mfgit.progress import Progress, quiet

FORMAT = 7
"""Counted up when the same passages give other files or other terms, so that an index made before is not used."""
MOST_VIEWS = 40
BLOCK = 4096
"""Postings in a block. Whoosh's own 128, compressed and in one file, read twice as slowly here, where lists are read whole."""
WASTE = 4
"""An index with more than this many times the documents of the tree at hand (and `WASTE_FLOOR` more) is built anew."""
WASTE_FLOOR = 20_000


class Entry(NamedTuple):
    """A document that a tree holds: a `key` for everything that its passages depend on, and its kind (see `view`)."""

    key: str
    kind: int


Load = Callable[[Sequence[Entry]], Iterable[tuple[Entry, Sequence[Passage]]]]
"""Gives the passages of the documents that the index does not know yet."""


class Placed(NamedTuple):
    """Where a document's passages are in the index: the number of the first, and for each field the lengths of all."""

    first: int
    lengths: list[list[int]]


class Store:
    """The index of one repository."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self, key: str) -> Searcher | None:
        """Return a searcher for the tree of a view's key; None when it has to be made first (or is damaged)."""
        try:
            place = self.current()
            shown = view.load((place / "views" / key).read_bytes())
        except (OSError, ValueError, KeyError):
            return None
        return open_searcher(place, shown)

    def update(
        self, key: str, entries: Sequence[Entry], load: Load, notes: Sequence[str], progress: Progress = quiet
    ) -> Searcher:
        """Return a searcher for a tree, adding the documents that are new. Where nothing can be written, it works in memory."""
        try:
            with self.locked():
                return self.open(key) or self.add(key, entries, load, notes, progress)
        except OSError as error:
            said = f"the search index cannot be kept ({error.strerror or error}), so every search builds it anew"
            return self.in_memory(key, entries, load, (*notes, said), progress)

    def in_memory(self, key: str, entries: Sequence[Entry], load: Load, notes: Sequence[str], progress: Progress) -> Searcher:
        """Return a searcher of an index that lasts as long as the searcher."""
        import shutil
        import tempfile

        folder = ""
        try:
            folder = tempfile.mkdtemp(prefix="mfgit-")
            found = Store(Path(folder)).add(key, entries, load, notes, progress)
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

        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def add(self, key: str, entries: Sequence[Entry], load: Load, notes: Sequence[str], progress: Progress) -> Searcher:
        """Add what is new, write the view, return its searcher; called under the lock."""
        place = self.usable(len(entries))
        if place is not None:
            try:
                if found := grow(place, key, entries, load=load, notes=notes, progress=progress):
                    return found
            except MfgitError:
                raise
            except Exception:  # noqa: S110 - damaged files raise whatever they like; what is not damage comes up again below
                pass
        place = self.fresh()
        try:
            found = grow(place, key, entries, load=load, notes=notes, progress=progress)
            if found is None:
                raise BadInput(f"The search index at {self.folder} cannot be read back.", f"Delete it: rm -r {self.folder}")
            write(self.folder / "current", f"{FORMAT} {place.name}\n".encode())
        except BaseException:
            remove(place)
            raise
        remove(*(other for other in self.folder.glob("index-*") if other != place))
        return found

    def discard(self) -> None:
        """Give up the index in use: the next update makes a new one."""
        with suppress(OSError):
            (self.folder / "current").unlink(missing_ok=True)

    def current(self) -> Path:
        """Return the folder in use; raises `ValueError` for one of another version, `OSError` where there is none."""
        made_by, name = (self.folder / "current").read_text("ascii").split()
        if made_by != str(FORMAT):
            raise ValueError("made by another version")
        return self.folder / name

    def usable(self, wanted: int) -> Path | None:
        """Return the folder in use, None when there is none or it holds too much that nobody asks for."""
        try:
            place = self.current()
            known = read_catalogue(place)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return None if len(known) > WASTE * wanted + WASTE_FLOOR else place

    def fresh(self) -> Path:
        """Return a new, empty folder."""
        import tempfile

        from mfgit.index import fields

        place = Path(tempfile.mkdtemp(prefix="index-", dir=self.folder))
        (place / "views").mkdir()
        storage(place).create_index(fields.schema())
        write_catalogue(place, {})
        return place


def remove(*places: Path) -> None:
    """Remove folders: those that were in use before, that a kill left, or that could not be filled."""
    import shutil

    for place in places:
        shutil.rmtree(place, ignore_errors=True)


def grow(
    place: Path, key: str, entries: Sequence[Entry], *, load: Load, notes: Sequence[str], progress: Progress
) -> Searcher | None:
    """Add what is new to a folder's index, then the view; return its searcher, None when it cannot be read back."""
    catalogue = add_documents(place, entries, load, progress)
    shown = make_view(entries, catalogue, notes)
    write(place / "views" / key, view.dump(shown))
    drop_old_views(place / "views")
    return open_searcher(place, shown)


def storage(place: Path) -> Any:
    """Return Whoosh's storage of a folder. Without mmap: each open would copy every segment."""
    from whoosh.filedb.filestore import FileStorage

    return FileStorage(str(place), supports_mmap=False)  # type: ignore[no-untyped-call]


def open_searcher(place: Path, shown: View) -> Searcher | None:
    """Return a searcher of a folder's index, None when it is damaged or does not hold what the view names."""
    try:
        reader = storage(place).open_index().reader()
        total = reader.doc_count_all()
        if total > max(shown.documents, default=-1):
            found = Searcher([*reader.leaf_readers()] if total else [], total, shown)
            weakref.finalize(found, reader.close)
            return found
    except Exception:  # noqa: S110 - damaged files raise whatever they like
        pass
    return None


def add_documents(place: Path, entries: Sequence[Entry], load: Load, progress: Progress) -> dict[str, Placed]:
    """Add the documents that the index does not hold yet; return the whole catalogue."""
    catalogue = read_catalogue(place)
    missing = [entry for entry in dict.fromkeys(entries) if entry.key not in catalogue]
    if not missing:
        return catalogue
    with writing(place) as (writer, total):
        following = total
        for number, (entry, passages) in enumerate(load(missing)):
            progress("Indexing documents", number + 1, len(missing))
            rows = [add_passage(writer, passage) for passage in passages]
            catalogue[entry.key] = Placed(following, [list(column) for column in zip(*rows, strict=True)])
            following += len(rows)
    write_catalogue(place, catalogue)
    return catalogue


def add_passage(writer: Any, passage: Passage) -> list[int]:
    """Hand one passage to a writer; return the length of each field."""
    from mfgit.index import fields

    terms = fields.field_terms(passage)
    writer.add_document(passage=stored(passage), **terms)
    return [len(terms[name]) for name in BOOSTS]


@contextmanager
def writing(place: Path) -> Iterator[tuple[Any, int]]:
    """Yield a writer and the number its first document will have.

    The small segments at the end are taken up first, so that the new segment holds them and then the new documents: every
    document keeps its number, and there are never more than a few segments.
    """
    from whoosh.codec import whoosh3
    from whoosh.reading import SegmentReader

    index = storage(place).open_index()
    codec = whoosh3.W3Codec(blocklimit=BLOCK, compression=0)  # type: ignore[no-untyped-call]
    writer = index.writer(limitmb=256, codec=codec, compound=False)
    kept = list(writer.segments)
    total = sum(segment.doc_count_all() for segment in kept)
    taken: list[Any] = []
    size = 64
    while len(kept) > 1 and kept[-1].doc_count_all() <= 2 * size:
        taken.insert(0, kept.pop())
        size += taken[0].doc_count_all()
    for segment in taken:
        reader = SegmentReader(index.storage, index.schema, segment)
        writer.add_reader(reader)
        reader.close()
    try:
        yield writer, total
    except BaseException:
        writer.cancel()
        raise
    writer.commit(mergetype=lambda _writer, _segments: kept)


def make_view(entries: Sequence[Entry], catalogue: dict[str, Placed], notes: Sequence[str]) -> View:
    """Return the view of a tree's documents."""
    documents: list[int] = []
    starts: list[int] = []
    kinds = bytearray()
    lengths: list[list[int]] = [[] for _ in BOOSTS]
    for entry in entries:
        placed = catalogue[entry.key]
        count = len(placed.lengths[0]) if placed.lengths else 0
        starts += [len(documents)] if count else []
        documents += range(placed.first, placed.first + count)
        kinds += bytes([entry.kind]) * count
        for column, more in zip(lengths, placed.lengths, strict=False):
            column.extend(more)
    return view.make(documents, starts, bytes(kinds), lengths, notes)


def read_catalogue(place: Path) -> dict[str, Placed]:
    """Return document key → place."""
    value = json.loads((place / "catalogue.json").read_bytes())
    return {key: Placed(first, lengths) for key, (first, lengths) in value["documents"].items()}


def write_catalogue(place: Path, catalogue: dict[str, Placed]) -> None:
    """Write the catalogue in one step."""
    value = {"documents": catalogue}
    write(place / "catalogue.json", json.dumps(value, separators=(",", ":")).encode())


def drop_old_views(folder: Path) -> None:
    """Remove the views that were made longest ago, beyond a number that is kept."""
    views = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in views[MOST_VIEWS:]:
        path.unlink(missing_ok=True)


def write(path: Path, data: bytes) -> None:
    """Write a file in one step: readers see the old bytes or the new ones."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
