"""Posting lists: for a term, the numbers of the documents that hold it and how often.

Whoosh's matchers answer one posting a call. Their blocks hold the same numbers as arrays, which is 5 to 10 times faster to
read but has private names; where those are missing (another Whoosh) the slow public way gives the same lists.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple


class Postings(NamedTuple):
    """Document numbers, rising, and the weight of the term in each."""

    documents: Sequence[int]
    weights: Sequence[float]


NO_POSTINGS = Postings((), ())


def read(leaves: Sequence[tuple[Any, int]], field: str, term: str) -> Postings:
    """Return the postings of a term over the segments of an index, given as (reader, number of its first document)."""
    from whoosh.reading import TermNotFound

    key = term.encode("utf-8", "surrogatepass")
    parts: list[Postings] = []
    for reader, base in leaves:
        try:
            matcher = reader.postings(field, key)
        except TermNotFound:
            continue
        found = read_blocks(matcher) if hasattr(matcher, "_read_ids") else walk(matcher)
        parts.append(Postings([base + number for number in found.documents], found.weights) if base else found)
    if len(parts) == 1:
        return parts[0]
    return Postings([n for part in parts for n in part.documents], [w for part in parts for w in part.weights])


def read_blocks(matcher: Any) -> Postings:
    """Return a matcher's postings from its blocks."""
    documents: list[int] = []
    weights: list[float] = []
    while matcher.is_active():
        matcher._read_ids()  # noqa: SLF001 - see the module's docstring
        matcher._read_weights()  # noqa: SLF001
        documents += matcher._ids  # noqa: SLF001
        weights += matcher._weights  # noqa: SLF001
        matcher._next_block()  # noqa: SLF001
    return Postings(documents, weights)


def walk(matcher: Any) -> Postings:
    """Return a matcher's postings one by one, by public methods only."""
    documents: list[int] = []
    weights: list[float] = []
    while matcher.is_active():
        documents.append(matcher.id())
        weights.append(matcher.weight())
        matcher.next()
    return Postings(documents, weights)
