"""Average linkage on a sparse graph: two clusters join while the mean likeness of their members reaches a cut.

A pair without an edge counts as nothing alike, so chains don't form. The closest pair of clusters joins first; ties are
broken by the smallest members, so that the order of the input never matters.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

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
    part = parts(graph, cut)
    refused: dict[int, list[tuple[int, int]]] = {}
    for a, b in apart:
        if part[a] == part[b]:
            refused.setdefault(int(part[a]), []).append((a, b))
    return sorted(rows for name, edges in edges_of(graph, part) for rows in of_part(edges, refused.get(name, ()), cut))


def parts(graph: Graph, cut: float) -> npt.NDArray[np.int32]:
    """Return the part of the graph that each row lies in; clusters never reach beyond one.

    Two clusters whose mean likeness reaches the cut have a pair that does, so parts are joined by such pairs alone.
    """
    strong = graph.cosine >= cut
    links = coo_array((strong[strong], (graph.first[strong], graph.second[strong])), shape=(graph.size, graph.size))
    _, labels = connected_components(links, directed=False)
    found: npt.NDArray[np.int32] = labels
    return found


def edges_of(graph: Graph, part: npt.NDArray[np.int32]) -> Iterator[tuple[int, list[tuple[int, int, float]]]]:
    """Yield each part of two rows or more with the pairs inside it."""
    inside = np.flatnonzero(part[graph.first] == part[graph.second])
    names = part[graph.first[inside]]
    order = np.argsort(names, kind="stable")
    inside, names = inside[order], names[order]
    ends = np.flatnonzero(np.diff(names, append=-1)) + 1
    for start, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=len(ends) > 0):
        rows = inside[start:end]
        columns = graph.first[rows].tolist(), graph.second[rows].tolist(), graph.cosine[rows].tolist()
        yield int(names[start]), list(zip(*columns, strict=True))


def of_part(edges: Iterable[tuple[int, int, float]], apart: Iterable[tuple[int, int]], cut: float) -> list[list[int]]:
    """Return the clusters of one part."""
    likeness: defaultdict[int, Neighbours] = defaultdict(dict)
    for a, b, cosine in edges:
        likeness[a][b] = likeness[b][a] = cosine
    refused: dict[int, set[int]] = {}
    for a, b in apart:
        refused.setdefault(a, set()).add(b)
        refused.setdefault(b, set()).add(a)
    return join(likeness, refused, cut)


def join(likeness: dict[int, Neighbours], refused: dict[int, set[int]], cut: float) -> list[list[int]]:
    """Merge the closest clusters until none is close enough; a cluster is named by its smallest row."""
    members: dict[int, list[int]] = {row: [row] for row in likeness}
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


def merge(likeness: dict[int, Neighbours], refused: dict[int, set[int]], a: int, b: int) -> None:
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
