"""tantivy, for millions of turns on one machine: `pip install 'mfgit[tantivy]'`.

It is handed our terms, apart by blanks, for its tokenizer that cuts at blanks and does nothing else.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tantivy
from tantivy import Occur, Query

from mfgit.index import forward
from mfgit.index.engine import SearchEngine
from mfgit.index.ranked import Ranked
from mfgit.index.searcher import Damaged, Searcher
from mfgit.index.shape import Row, Shape
from mfgit.index.view import View

FILES = "tantivy"
NUMBER = "number"
HEAP = 128_000_000
"""Bytes of memory that a writer fills before it writes a segment."""
MOST = 10_000_000


@contextmanager
def no_panic() -> Iterator[None]:
    """Turn a panic in tantivy, which damaged files cause and which is no ordinary exception, into `Damaged`."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise Damaged("tantivy cannot read its files") from None


def files(place: Path) -> str:
    """Return the folder of tantivy's own files."""
    return str(place / FILES)


def schema(shape: Shape) -> Any:
    """Return the schema of an index: nothing is stored, `forward` does that."""
    builder = tantivy.SchemaBuilder()
    for name in shape.boosts:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    for name in shape.exact:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    return builder.add_unsigned_field(NUMBER, fast=True).build()


class Tantivy:
    """The engine for one machine."""

    def create(self, place: Path, shape: Shape) -> None:
        """Make an index without documents."""
        forward.create(place)
        (place / FILES).mkdir()
        tantivy.Index(schema(shape), files(place))

    @contextmanager
    def writing(self, place: Path, shape: Shape) -> Iterator["Writer"]:
        """Yield a writer; one thread, so that memory stays within `HEAP`."""
        with no_panic():
            index = tantivy.Index.open(files(place))
            writer = index.writer(HEAP, 1)
            total = index.searcher().num_docs
        texts = forward.Appender(place, tuple(shape.boosts), total)
        try:
            yield Writer(writer, texts, shape, total)
        except BaseException:
            texts.close(durable=False)
            writer.rollback()
            raise
        texts.close(durable=True)
        with no_panic():
            writer.commit()
            writer.wait_merging_threads()

    def open(self, place: Path, shown: View, shape: Shape) -> Searcher | None:
        """Return a searcher, None when the index is damaged or does not hold what the view names."""
        try:
            with no_panic():
                index = tantivy.Index.open(files(place))
                reader = Reader(index.schema, index.searcher())
            if reader.total > shown.last:
                return Ranked(reader, forward.Forward(place, tuple(shape.boosts), reader.total), shown, shape.boosts)
        except Exception:  # noqa: S110 - damaged files raise whatever they like
            pass
        return None

    def settle(self, place: Path) -> None:
        """Do nothing: the folder is all there is."""

    def drop(self, place: Path) -> None:
        """Do nothing: the folder is all there is."""


class Writer:
    """Hands rows to tantivy and to the documents' file."""

    def __init__(self, writer: Any, texts: forward.Appender, shape: Shape, total: int) -> None:
        self.writer, self.texts, self.shape, self.total = writer, texts, shape, total

    def add(self, row: Row) -> None:
        """Take one document."""
        document = tantivy.Document()
        for name, text in self.texts.add(row.terms, row.kept).items():
            document.add_text(name, text)
        for name in self.shape.exact:
            for term in row.terms[name]:
                document.add_text(name, forward.clean(term))
        document.add_unsigned(NUMBER, self.total)
        self.writer.add_document(document)
        self.total += 1


class Reader:
    """An open index of tantivy."""

    most = MOST
    counts_empty = True
    scale = 1.0

    def __init__(self, schema: Any, searcher: Any) -> None:
        self.schema, self.searcher = schema, searcher
        self.total: int = searcher.num_docs

    @no_panic()
    def count(self, field: str, terms: Sequence[str]) -> list[int]:
        """Return how many documents hold each of some terms."""
        return [self.searcher.doc_freq(field, term) for term in terms]

    def expect(self, terms: Sequence[str]) -> None:
        """Do nothing: a count costs a microsecond."""

    @no_panic()
    def documents(self, field: str, term: str) -> Sequence[int]:
        """Return the documents that hold a term, rising."""
        count = self.searcher.doc_freq(field, term)
        if not count:
            return []
        query = Query.const_score_query(Query.term_query(self.schema, field, term, "basic"), 1.0)
        return sorted(number for number, _ in self.numbered(self.searcher.search(query, count, count=False).hits))

    @no_panic()
    def best(self, asked: Sequence[tuple[str, str, float]], limit: int) -> list[tuple[int, float]]:
        """Return the best documents and their scores, best first."""
        terms = [
            (Occur.Should, Query.boost_query(Query.term_query(self.schema, field, term, "freq"), weight))
            for field, term, weight in asked
        ]
        query = Query.boolean_query(terms)
        return self.numbered(self.searcher.search(query, min(limit, max(1, self.total)), count=False).hits)

    def numbered(self, hits: Sequence[tuple[float, Any]]) -> list[tuple[int, float]]:
        """Return hits by the documents' numbers."""
        numbers = self.searcher.fast_field_values(NUMBER, [address for _, address in hits])
        return [(number, score) for number, (score, _) in zip(numbers, hits, strict=True)]

    @no_panic()
    def starting(self, field: str, prefix: str, limit: int) -> list[str]:
        """Return the first terms of a field that begin with a text."""
        return sorted(term for term, _ in self.searcher.terms_with_prefix(field, prefix))[:limit]


ENGINE: SearchEngine = Tantivy()
