"""Average linkage on a sparse graph: two clusters join while the mean likeness of their members reaches a cut.

A pair without an edge counts as nothing alike, so chains don't form. The closest pair of clusters joins first; ties are
broken by the smallest members, so that the order of the input never matters.
"""

import heapq
from collections.abc import Iterable

from mfgit.scan.graph import Graph

CUT, CUT_MANY, MANY = 0.70, 0.75, 30_000
"""The cut, and the one above `MANY` distinct texts."""

Neighbours = dict[int, float]


def cut_for(texts: int) -> float:
    """Return the cut for a number of distinct texts."""
    return CUT_MANY if texts > MANY else CUT


def clusters(graph: Graph, cut: float, apart: Iterable[tuple[int, int]] = ()) -> list[list[int]]:
    """Return the clusters of two rows or more, each sorted, in the order of their first row.

    `apart` are vetoed pairs: clusters that hold such a pair between them never join.
    """
    likeness: list[Neighbours] = [{} for _ in range(graph.size)]
    for a, b, cosine in zip(graph.first.tolist(), graph.second.tolist(), graph.cosine.tolist(), strict=True):
        likeness[a][b] = likeness[b][a] = cosine
    refused: dict[int, set[int]] = {}
    for a, b in apart:
        refused.setdefault(a, set()).add(b)
        refused.setdefault(b, set()).add(a)
    return join(likeness, refused, cut)


def join(likeness: list[Neighbours], refused: dict[int, set[int]], cut: float) -> list[list[int]]:
    """Merge the closest clusters until none is close enough; a cluster is named by its smallest row."""
    members: dict[int, list[int]] = {row: [row] for row, near in enumerate(likeness) if near}
    heap = [(-value, a, b, 1, 1) for a in members for b, value in likeness[a].items() if a < b and value >= cut]
    heapq.heapify(heap)
    while heap:
        _, a, b, size_a, size_b = heapq.heappop(heap)
        if len(members.get(a, ())) != size_a or len(members.get(b, ())) != size_b or b in refused.get(a, ()):
            continue
        members[a] += members.pop(b)
        merge(likeness, refused, a, b)
        for c, total in likeness[a].items():
            mean = total / (len(members[a]) * len(members[c]))
            if mean >= cut:
                heapq.heappush(heap, (-mean, min(a, c), max(a, c), len(members[min(a, c)]), len(members[max(a, c)])))
    return sorted(sorted(rows) for rows in members.values() if len(rows) > 1)


def merge(likeness: list[Neighbours], refused: dict[int, set[int]], a: int, b: int) -> None:
    """Move every edge and refusal of cluster `b` to cluster `a`."""
    mine, theirs = likeness[a], likeness[b]
    mine.pop(b)
    for c, total in theirs.items():
        if c != a:
            del likeness[c][b]
            mine[c] = likeness[c][a] = mine.get(c, 0.0) + total
    likeness[b] = {}
    for c in refused.pop(b, set()):
        refused[c].discard(b)
        refused[c].add(a)
        refused.setdefault(a, set()).add(c)
