"""Whoosh, the default: pure Python, in files of its own. See `searcher` for the ranking and `pool` for the writing."""

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mfgit.index import pool
from mfgit.index.engine import SearchEngine
from mfgit.index.searcher import Searcher
from mfgit.index.shape import Row, Shape
from mfgit.index.view import View

BLOCK = 4096
"""Postings in a block. Whoosh's own 128, compressed and in one file, read twice as slowly here, where lists are read whole."""


def storage(place: Path) -> Any:
    """Return Whoosh's storage of a folder. Without mmap: each open would copy every segment."""
    from whoosh.filedb.filestore import FileStorage

    return FileStorage(str(place), supports_mmap=False)  # type: ignore[no-untyped-call]


class Whoosh:
    """The default engine."""

    def create(self, place: Path, shape: Shape) -> None:
        """Make an index without documents."""
        from mfgit.index import fields

        storage(place).create_index(fields.schema(shape))

    @contextmanager
    def writing(self, place: Path, shape: Shape) -> Iterator["Writer"]:
        """Yield a writer.

        The small segments at the end are taken up first, so that the new segment holds them and then the new documents: every
        document keeps its number, and there are never more than a few segments.
        """
        from whoosh.codec import whoosh3
        from whoosh.reading import SegmentReader

        index = storage(place).open_index()
        codec = whoosh3.W3Codec(blocklimit=BLOCK, compression=0)  # type: ignore[no-untyped-call]
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

    def open(self, place: Path, shown: View, shape: Shape) -> Searcher | None:
        """Return a searcher, None when the index is damaged or does not hold what the view names."""
        try:
            reader = storage(place).open_index().reader()
            total = reader.doc_count_all()
            if total > shown.last:
                found = Searcher([*reader.leaf_readers()] if total else [], total, shown, shape.boosts)
                weakref.finalize(found, reader.close)
                return found
            reader.close()
        except Exception:  # noqa: S110 - damaged files raise whatever they like
            pass
        return None

    def settle(self, place: Path) -> None:
        """Do nothing: the folder is all there is."""

    def drop(self, place: Path) -> None:
        """Do nothing: the folder is all there is."""


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
