"""Whoosh, the default: pure Python, in files of its own. See `searcher` for the ranking and `pool` for the writing."""

import weakref
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mfgit.index import segments
from mfgit.index.engine import SearchEngine
from mfgit.index.searcher import Searcher
from mfgit.index.shape import Row, Shape
from mfgit.index.view import View

if TYPE_CHECKING:
    from mfgit.index.postings import Block, Leaves

BLOCK = 4096
"""Postings in a block. Whoosh's own 128, compressed and in one file, read twice as slowly here, where lists are read whole."""


def storage(place: Path) -> Any:
    """Return Whoosh's storage of a folder. Without mmap: each open would copy every segment."""
    from whoosh.filedb.filestore import FileStorage

    return FileStorage(str(place), supports_mmap=False)


class Whoosh:
    """The default engine."""

    def create(self, place: Path, shape: Shape) -> None:
        """Make an index without documents."""
        from mfgit.index import fields

        storage(place).create_index(fields.schema(shape))
        segments.listed(place, ())

    @contextmanager
    def writing(self, place: Path, shape: Shape) -> Iterator["Writer"]:
        """Yield a writer.

        The small segments at the end are taken up first, so that the new segment holds them and then the new documents: every
        document keeps its number, and there are never more than a few segments.
        """
        from whoosh.codec import whoosh3
        from whoosh.reading import SegmentReader

        from mfgit.index import pool

        index = storage(place).open_index()
        codec = whoosh3.W3Codec(blocklimit=BLOCK, compression=0)
        writer = index.writer(limitmb=256, codec=codec, compound=False)
        if not shape.stock:
            pool.fill(writer, BLOCK)
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
            yield Writer(writer, total, shape)
        except BaseException:
            writer.cancel()
            raise
        writer.commit(mergetype=lambda _writer, _segments: kept)
        segments.listed(place, [(leaf.reader.segment().segment_id(), leaf.size) for leaf, _ in through_whoosh(place)])

    def open(self, place: Path, shown: View, shape: Shape) -> Searcher | None:
        """Return a searcher, None when the index is damaged or does not hold what the view names."""
        ways: tuple[Callable[[Path], Leaves], ...] = (segments.opened, through_whoosh)
        for opened in ways:
            try:
                leaves = opened(place)
            except Exception:  # noqa: S112 - damaged files raise whatever they like
                continue
            total = sum(leaf.size for leaf, _ in leaves)
            if total > shown.last:
                return Searcher(leaves, total, shown, shape.boosts)
        return None

    def settle(self, place: Path) -> None:
        """Do nothing: the folder is all there is."""

    def drop(self, place: Path) -> None:
        """Do nothing: the folder is all there is."""


def through_whoosh(place: Path) -> "list[tuple[Leaf, int]]":
    """Return the segments of a folder as Whoosh itself reads them, whatever its files look like by now."""
    reader = storage(place).open_index().reader()
    return [(Leaf(leaf), base) for leaf, base in reader.leaf_readers()] if reader.doc_count_all() else []


class Leaf:
    """A segment, read by what every Whoosh has for all to use: one posting a call, 5 to 10 times slower than `segments`."""

    def __init__(self, reader: Any) -> None:
        self.reader = reader
        self.size: int = reader.doc_count_all()
        weakref.finalize(self, reader.close)

    def count(self, field: str, term: bytes) -> int:
        """Return how many documents hold a term."""
        return int(self.reader.doc_frequency(field, term))

    def blocks(self, field: str, term: bytes) -> "Iterator[Block]":
        """Yield the whole list of a term as one block."""
        if not self.count(field, term):
            return
        matcher = self.reader.postings(field, term)
        documents, weights = array("I"), array("f")
        while matcher.is_active():
            documents.append(matcher.id())
            weights.append(matcher.weight())
            matcher.next()
        yield documents[-1], lambda base: ([base + document for document in documents], weights)

    def starting(self, field: str, prefix: bytes) -> Iterator[bytes]:
        """Yield the terms of a field that begin with a text, in order."""
        return iter(self.reader.expand_prefix(field, prefix))

    def kept(self, number: int) -> Any:
        """Return what is kept of a document."""
        return self.reader.stored_fields(number)["kept"]


class Writer:
    """Hands rows to Whoosh's writer."""

    def __init__(self, writer: Any, total: int, shape: Shape) -> None:
        self.writer, self.total, self.stock = writer, total, shape.stock

    def add(self, row: Row) -> None:
        """Take one document."""
        if self.stock:
            self.writer.add_document(kept=row.kept, **row.terms)
        else:
            for name, terms in row.terms.items():
                self.writer.pool.take(name, terms, self.writer.docnum)
            self.writer.add_document(kept=row.kept or None)
        self.total += 1


ENGINE: SearchEngine = Whoosh()
