"""Posting lists: for a term, the numbers of the documents that hold it and how often.

Whoosh's matchers answer one posting a call. Their blocks hold the same numbers as arrays, which is 5 to 10 times faster to
read but has private names; where those are missing (another Whoosh) the slow public way gives the same lists.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from typing import Any

Leaves = Sequence[tuple[Any, int]]
"""The segments of an index as (reader, number of its first document)."""


def read(leaves: Leaves, field: str, term: str) -> "tuple[list[int], array[float]]":
    """Return the document numbers of a term, rising, and its weight in each."""
    documents: list[int] = []
    weights = array("f")
    for matcher, base in matchers(leaves, field, term):
        add = read_blocks if hasattr(matcher, "_read_data") else walk
        add(matcher, base, documents, weights)
    return documents, weights


def count(leaves: Leaves, field: str, term: str) -> int:
    """Return how many documents hold a term, without reading their numbers."""
    key = term.encode("utf-8", "surrogatepass")
    return sum(int(reader.doc_frequency(field, key)) for reader, _ in leaves)


def among(leaves: Leaves, field: str, term: str, chosen: Sequence[int]) -> dict[int, float]:
    """Return which of some document numbers (rising) hold a term, with its weight; only blocks that may hold one are read."""
    found: dict[int, float] = {}
    for matcher, base in matchers(leaves, field, term):
        if hasattr(matcher, "_read_data"):
            look_into_blocks(matcher, base, chosen, found)
        else:
            documents: list[int] = []
            weights = array("f")
            walk(matcher, base, documents, weights)
            found |= picked(documents, weights, chosen)
    return found


def matchers(leaves: Leaves, field: str, term: str) -> Iterator[tuple[Any, int]]:
    """Yield Whoosh's matcher of a term in each segment that holds it, and the number of the segment's first document."""
    from whoosh.reading import TermNotFound

    key = term.encode("utf-8", "surrogatepass")
    for reader, base in leaves:
        try:
            yield reader.postings(field, key), base
        except TermNotFound:
            continue


def read_blocks(matcher: Any, base: int, documents: list[int], weights: "array[float]") -> None:
    """Add a matcher's postings from its blocks."""
    while matcher.is_active():
        read_block(matcher, base, documents, weights)
        matcher._next_block()  # noqa: SLF001 - see the module's docstring


def read_block(matcher: Any, base: int, documents: list[int], weights: "array[float]") -> None:
    """Add the postings of one block: differences of document numbers, and an array of weights, or the one weight of all."""
    matcher._read_data()  # noqa: SLF001 - see the module's docstring
    differences, kept, *_ = matcher._data  # noqa: SLF001
    documents.extend(islice(accumulate(differences, initial=base), 1, None))
    one = kept is None or isinstance(kept, float)
    weights.extend(array("f", (1.0 if kept is None else kept,)) * len(differences) if one else kept)


def look_into_blocks(matcher: Any, base: int, chosen: Sequence[int], found: dict[int, float]) -> None:
    """Add those of some document numbers that a matcher's blocks hold."""
    start = 0
    while matcher.is_active() and start < len(chosen):
        end = bisect_right(chosen, base + matcher.block_max_id(), start)
        if end > start:
            documents: list[int] = []
            weights = array("f")
            read_block(matcher, base, documents, weights)
            found |= picked(documents, weights, chosen[start:end])
        start = end
        matcher._next_block()  # noqa: SLF001 - see the module's docstring


def picked(documents: Sequence[int], weights: Sequence[float], chosen: Sequence[int]) -> dict[int, float]:
    """Return the weights of those of some document numbers that stand in a list."""
    places = ((document, at(documents, document)) for document in chosen)
    return {document: weights[place] for document, place in places if place >= 0}


def at(documents: Sequence[int], document: int) -> int:
    """Return where a number stands in a rising list, -1 where it does not."""
    place = bisect_left(documents, document)
    return place if place < len(documents) and documents[place] == document else -1


def walk(matcher: Any, base: int, documents: list[int], weights: "array[float]") -> None:
    """Add a matcher's postings one by one, by public methods only."""
    while matcher.is_active():
        documents.append(base + matcher.id())
        weights.append(matcher.weight())
        matcher.next()
