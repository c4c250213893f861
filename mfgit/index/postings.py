"""Posting lists: for a term, the numbers of the documents that hold it and how often.

An index is made of segments; a list comes in blocks, so that where few documents are in question not all of it is read.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Protocol

Postings = tuple[Sequence[int], Sequence[float]]
"""The numbers of documents, rising, and the weight in each."""
Block = tuple[int, Callable[[int], Postings]]
"""The last document of a part of a list, and what reads the part: it takes what is to be added to each number."""


class Leaf(Protocol):
    """One segment, open for reading. Its methods raise anything where files are damaged."""

    @property
    def size(self) -> int:
        """How many documents there are."""

    def count(self, field: str, term: bytes) -> int:
        """Return how many documents hold a term."""

    def blocks(self, field: str, term: bytes) -> Iterator[Block]:
        """Yield the list of a term in blocks, none for a term that no document holds."""

    def starting(self, field: str, prefix: bytes) -> Iterator[bytes]:
        """Yield the terms of a field that begin with a text, in order."""

    def kept(self, number: int) -> Any:
        """Return what is kept of a document."""


Leaves = Sequence[tuple[Leaf, int]]
"""The segments of an index, each with the number of its first document."""


def read(leaves: Leaves, field: str, term: str) -> "tuple[list[int], array[float]]":
    """Return the document numbers of a term, rising, and its weight in each."""
    documents: list[int] = []
    weights = array("f")
    for leaf, base in leaves:
        for _, block in leaf.blocks(field, encoded(term)):
            numbers, more = block(base)
            documents.extend(numbers)
            weights.extend(more)
    return documents, weights


def count(leaves: Leaves, field: str, term: str) -> int:
    """Return how many documents hold a term, without reading their numbers."""
    return sum(leaf.count(field, encoded(term)) for leaf, _ in leaves)


def among(leaves: Leaves, field: str, term: str, chosen: Sequence[int]) -> dict[int, float]:
    """Return which of some document numbers (rising) hold a term, with its weight; only blocks that may hold one are read."""
    found: dict[int, float] = {}
    for leaf, base in leaves:
        start = 0
        for last, block in leaf.blocks(field, encoded(term)):
            end = bisect_right(chosen, base + last, start)
            if end > start:
                found |= picked(*block(base), chosen[start:end])
            start = end
            if start == len(chosen):
                break
    return found


def starting(leaves: Leaves, field: str, prefix: str, limit: int) -> set[str]:
    """Return the first terms of a field that begin with a text, up to `limit` of each segment."""
    terms = (term for leaf, _ in leaves for term in islice(leaf.starting(field, encoded(prefix)), limit))
    return {term.decode("utf-8", "surrogatepass") for term in terms}


def encoded(term: str) -> bytes:
    """Return a term as the files hold it."""
    return term.encode("utf-8", "surrogatepass")


def picked(documents: Sequence[int], weights: Sequence[float], chosen: Sequence[int]) -> dict[int, float]:
    """Return the weights of those of some document numbers that stand in a list."""
    places = ((document, at(documents, document)) for document in chosen)
    return {document: weights[place] for document, place in places if place >= 0}


def at(documents: Sequence[int], document: int) -> int:
    """Return where a number stands in a rising list, -1 where it does not."""
    place = bisect_left(documents, document)
    return place if place < len(documents) and documents[place] == document else -1
