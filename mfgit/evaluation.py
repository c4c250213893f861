"""How well a ranking finds known pages: hit@1, hit@5 and MRR@10. Pure."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

DEPTH = 10
"""Pages of a ranking that count."""


class Measures(NamedTuple):
    """Shares from 0 to 1: known page first, among the first five, and the mean of 1/rank within the first ten."""

    hit1: float
    hit5: float
    mrr10: float


def rank_of(pages: Sequence[str], known: Collection[str]) -> int:
    """Return the rank, from 1, of the first known page; 0 when none is among the first ten."""
    return next((rank for rank, page in enumerate(pages[:DEPTH], 1) if page in known), 0)


def distinct(paths: Iterable[str]) -> list[str]:
    """Return pages in the order of their best passage, each once."""
    return list(dict.fromkeys(paths))[:DEPTH]


def measure(ranks: Sequence[int]) -> Measures:
    """Return the measures of the ranks of many questions."""
    count = max(1, len(ranks))
    return Measures(
        sum(rank == 1 for rank in ranks) / count,
        sum(0 < rank <= 5 for rank in ranks) / count,
        sum(1 / rank for rank in ranks if rank) / count,
    )
