"""Postings on their way into a segment, gathered by term and handed over a list at a time.

Whoosh's own way sorts every posting and checks it four times, which takes half of the time of indexing. The lists go into
its files through its field writer; how a list becomes blocks has private names there, so without those they go one by one.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

Posting = tuple[str, bytes, int, float, bytes]


class Pool:
    """What Whoosh's writer asks of a pool.

    All of a batch stays in memory, 4 bytes for each time that a term occurs (its document is noted once for each) and some
    200 for each term.
    """

    def __init__(self, block: int) -> None:
        self.block = block
        self.fields: defaultdict[str, defaultdict[str, array[int]]] = defaultdict(lambda: defaultdict(lambda: array("I")))

    def take(self, field: str, terms: Sequence[str], document: int) -> None:
        """Take the terms of one document; documents come in rising order."""
        known = self.fields[field]
        for term in terms:
            known[term].append(document)

    def add(self, item: Posting) -> None:
        """Take one posting of a segment that is merged: field, term, document, weight, and no further value."""
        field, term, document, weight, _ = item
        self.fields[field][term.decode("utf-8", "surrogatepass")].extend([document] * round(weight))

    def iter_postings(self) -> Iterator[Posting]:
        """Yield nothing: `hand_over` is what writes the postings."""
        return iter(())

    def hand_over(self, fieldwriter: Any, schema: Any) -> None:
        """Write all postings by field and term."""
        for field in sorted(self.fields):
            terms = self.fields.pop(field)
            fieldwriter.start_field(field, schema[field])
            for key, term in sorted((term.encode("utf-8", "surrogatepass"), term) for term in terms):
                fieldwriter.start_term(key)
                self.write(fieldwriter, *counted(terms.pop(term)))
                fieldwriter.finish_term()
            fieldwriter.finish_field()

    def write(self, fieldwriter: Any, documents: "array[int]", weights: "array[float]") -> None:
        """Write the list of one term."""
        blocks: Any = getattr(fieldwriter, "_postwriter", None)
        if not hasattr(blocks, "_write_block"):
            for document, weight in zip(documents, weights, strict=True):
                fieldwriter.add(document, weight, b"", 0)
            return
        for start in range(0, len(documents), self.block):
            if start:
                blocks._write_block()
            blocks._ids = documents[start : start + self.block]
            blocks._weights = weights[start : start + self.block]
            blocks._maxweight = max(blocks._weights)

    def save(self) -> None:
        """Keep everything where it is."""

    def cancel(self) -> None:
        """Let everything go."""
        self.fields.clear()

    cleanup = cancel


def counted(documents: "array[int]") -> "tuple[array[int], array[float]]":
    """Return each document once, and how often it stood there."""
    if len(documents) == 1:
        return documents, array("f", (1.0,))
    counts = Counter(documents)
    return array("I", counts), array("f", counts.values())


def fill(writer: Any, block: int) -> Pool:
    """Give a writer a pool of this kind and return it."""
    pool = Pool(block)
    writer.pool = pool

    def add_postings(schema: Any, _lengths: Any, _items: Iterable[Posting]) -> None:
        pool.hand_over(writer.fieldwriter, schema)

    writer.fieldwriter.add_postings = add_postings
    return pool
