"""One scope's questions as a graph: vectors, alike pairs, vetoes, and the clusters that come of them."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mfgit.model import Turn
from mfgit.reasons.forms import say
from mfgit.scan import linkage, vetoes
from mfgit.scan.features import Frequencies, Vectors, vectors
from mfgit.scan.graph import Graph, similar_pairs
from mfgit.scan.meaning import with_meaning
from mfgit.scan.signals import LIFTS, weak_turns
from mfgit.scan.values import Asked, Cluster, Meaning, Similar
from mfgit.scan.vetoes import Veto

VETOES_TOLD = 2
QUOTED = 100
"""Characters of a question that is quoted."""
PAIRS = 50_000


@dataclass(frozen=True)
class Space:
    """The questions of a scope. `rows` are clusters of row numbers into `normals`; every row is in exactly one."""

    scope: str
    normals: tuple[str, ...]
    asked: Mapping[str, Sequence[Asked]]
    vectors: Vectors
    graph: Graph
    vetoes: Mapping[tuple[int, int], Veto]
    rows: tuple[tuple[int, ...], ...]
    cluster_of: Sequence[int]
    cut: float


def build(
    scope: str,
    asked: Sequence[Asked],
    frequencies: Frequencies,
    names: frozenset[str],
    *,
    similar: Similar = similar_pairs,
    meaning: Meaning | None = None,
) -> Space:
    """Return a scope's questions in clusters. The normal forms are sorted first, so the order of turns never matters."""
    by_normal: defaultdict[str, list[Asked]] = defaultdict(list)
    for item in asked:
        by_normal[item.normal].append(item)
    normals = tuple(sorted(by_normal))
    found = vectors(normals, frequencies)
    graph = similar(found)
    cut = linkage.cut_for(len(normals))
    if meaning is not None:
        graph = with_meaning(graph, found.matrix, normals, meaning, cut)
    refused = vetoes.vetoed(pairs_of(graph), normals, names)
    joined = linkage.clusters(without(graph, refused), cut, refused)
    inside = {row for rows in joined for row in rows}
    rows = sorted([*map(tuple, joined), *((row,) for row in range(len(normals)) if row not in inside)])
    cluster_of = array("i", bytes(4 * len(normals)))
    for number, cluster in enumerate(rows):
        for row in cluster:
            cluster_of[row] = number
    return Space(scope, normals, by_normal, found, graph, refused, tuple(rows), cluster_of, cut)


def pairs_of(graph: Graph) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a graph, some thousands in memory at once."""
    for begin in range(0, len(graph.first), PAIRS):
        part = slice(begin, begin + PAIRS)
        yield from zip(graph.first[part].tolist(), graph.second[part].tolist(), strict=True)


def without(graph: Graph, refused: Mapping[tuple[int, int], Veto]) -> Graph:
    """Return the graph without its vetoed pairs."""
    kept = np.fromiter((pair not in refused for pair in pairs_of(graph)), np.bool_, len(graph.first))
    return Graph(graph.size, graph.first[kept], graph.second[kept], graph.cosine[kept])


def clusters(space: Space, wanted: Sequence[int], after: dict[str, Turn], shown: Callable[[str], str] = str) -> list[Cluster]:
    """Return the clusters with these numbers; `after` tells which turn followed which, `shown` how others may read a text."""
    told = vetoes_by_cluster(space, set(wanted), shown)
    return [cluster(space, number, after, told.get(number, ())) for number in wanted]


def cluster(space: Space, number: int, after: dict[str, Turn], apart: Sequence[str]) -> Cluster:
    """Return one cluster with its turns by time."""
    rows = space.rows[number]
    normals = tuple(space.normals[row] for row in rows)
    asked = sorted(
        (item for normal in normals for item in space.asked[normal]),
        key=lambda item: (item.turn.timestamp, item.turn.request_id),
    )
    weak = weak_turns(asked, after) if len(asked) > 1 else {}
    signs = Counter(sign for found in weak.values() for sign in found if LIFTS[sign] > 0)
    told = tuple(sorted(signs.items(), key=lambda item: (-item[1], item[0])))
    return Cluster(space.scope, normals, medoid(space, rows), tuple(asked), frozenset(weak), tuple(apart), told)


def medoid(space: Space, rows: Sequence[int]) -> str:
    """Return the normal form that is most like all turns of its cluster."""
    if len(rows) == 1:
        return space.normals[rows[0]]
    inside = space.vectors.matrix[np.array(rows)]
    weights = np.array([len(space.asked[space.normals[row]]) for row in rows], dtype=np.float64)
    likeness = np.round(inside @ (inside.T @ weights), 9)
    return min(zip(-likeness, (space.normals[row] for row in rows), strict=True))[1]


def vetoes_by_cluster(space: Space, wanted: set[int], shown: Callable[[str], str]) -> dict[int, list[str]]:
    """Return in words which questions were kept apart from a cluster, the most frequent ones."""
    found: defaultdict[int, Counter[tuple[str, Veto]]] = defaultdict(Counter)
    for (a, b), reason in space.vetoes.items():
        for row, other in ((a, b), (b, a)):
            mine = space.cluster_of[row]
            if mine in wanted and space.cluster_of[other] != mine:
                asked = space.asked[space.normals[other]]
                found[mine][asked[0].text, reason] += len(asked)
    return {
        number: [apart(shown(text), reason) for (text, reason), _ in sorted(told.items(), key=most)[:VETOES_TOLD]]
        for number, told in found.items()
    }


def most(item: tuple[tuple[str, Veto], int]) -> tuple[int, tuple[str, Veto]]:
    """Return what questions that were kept apart are sorted by."""
    return -item[1], item[0]


def apart(text: str, reason: Veto) -> str:
    """Return in a sentence which question was kept apart, and why."""
    return say("why.apart", text=shortened(text), kind=say(f"kind.{reason.kind}"), what=reason.what)


def shortened(text: str) -> str:
    """Return the beginning of a text in one line, in whole words and without half a mark."""
    line = " ".join(text.split())
    if len(line) <= QUOTED:
        return line
    cut = line[:QUOTED]
    open_mark = cut.rfind("[redacted:")
    cut = cut[:open_mark] if open_mark > cut.rfind("]") else cut
    return f"{cut.rsplit(' ', 1)[0] if ' ' in cut[QUOTED // 2 :] else cut}…"


def links(space: Space) -> dict[int, dict[int, float]]:
    """Return for each cluster the others that it is somewhat like, without a veto: "may be the same as"."""
    found: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for (a, b), cosine in zip(pairs_of(space.graph), space.graph.cosine, strict=True):
        one, other = space.cluster_of[a], space.cluster_of[b]
        if one != other and (a, b) not in space.vetoes:
            found[one][other] = found[other][one] = max(float(cosine), found[one].get(other, 0.0))
    return found
