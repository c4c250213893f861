"""Posting lists: for a term, the numbers of the documents that hold it and how often.

Whoosh's matchers answer one posting a call. Their blocks hold the same numbers as arrays, which is 5 to 10 times faster to
read but has private names; where those are missing (another Whoosh) the slow public way gives the same lists.
"""

from collections.abc import Sequence
from itertools import accumulate, islice, repeat
from typing import Any


def read(leaves: Sequence[tuple[Any, int]], field: str, term: str) -> tuple[list[int], list[float]]:
    """Return the document numbers of a term, rising, and its weight in each.

    `leaves` are the segments of an index as (reader, number of its first document).
    """
    from whoosh.reading import TermNotFound

    key = term.encode("utf-8", "surrogatepass")
    documents: list[int] = []
    weights: list[float] = []
    for reader, base in leaves:
        try:
            matcher = reader.postings(field, key)
        except TermNotFound:
            continue
        add = read_blocks if hasattr(matcher, "_read_data") else walk
        add(matcher, base, documents, weights)
    return documents, weights


def read_blocks(matcher: Any, base: int, documents: list[int], weights: list[float]) -> None:
    """Add a matcher's postings from its blocks: differences of document numbers, and an array of weights."""
    while matcher.is_active():
        matcher._read_data()  # noqa: SLF001 - see the module's docstring
        differences = matcher._data[0]  # noqa: SLF001
        documents.extend(islice(accumulate(differences, initial=base), 1, None))
        kept = matcher._data[1]  # noqa: SLF001
        weights.extend(
            repeat(1.0 if kept is None else kept, len(differences)) if kept is None or isinstance(kept, float) else kept
        )
        matcher._next_block()  # noqa: SLF001


def walk(matcher: Any, base: int, documents: list[int], weights: list[float]) -> None:
    """Add a matcher's postings one by one, by public methods only."""
    while matcher.is_active():
        documents.append(base + matcher.id())
        weights.append(matcher.weight())
        matcher.next()
