"""Pairs of questions that mean the same though their words differ, as an embedding model sees them.

The cosine of a model is put on the scale of the words: its `near` for the language is the threshold of the graph, its `same`
the cut of the linkage, and 1 is 1. A pair's likeness is then the larger of the two. Questions of different languages are never
paired, nor bare topics ("ajax php problem"), of which a model sees only that they are about the same thing.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from mfgit.scan.features import STOP_WORDS
from mfgit.scan.graph import THRESHOLD, Graph
from mfgit.scan.values import Meaning
from mfgit.text.tokens import language

BLOCK = 4_000_000
"""Pairs whose cosine is held in memory at once."""
BINDING = 2
"""Stop words that an English sentence has at least."""
DIGITS = 3
"""Digits that a cosine is taken to: what lies beyond depends on the machine."""


def with_meaning(words: Graph, normals: Sequence[str], meaning: Meaning, cut: float) -> Graph:
    """Return the graph with the pairs that a model finds alike; where both know a pair, the larger likeness counts."""
    graphs = [words]
    for lang in sorted(meaning.scales):
        rows = [row for row, normal in enumerate(normals) if language(normal) == lang and asks(normal, lang)]
        if len(rows) > 1:
            matrix = rows_of(meaning.vectors([normals[row] for row in rows]), len(rows))
            graphs += alike(matrix, np.array(rows, np.int32), len(normals), meaning.scales[lang], cut)
    return joined(graphs)


def asks(normal: str, lang: str) -> bool:
    """Tell whether a text asks or says something: an English one needs words that bind the others."""
    return lang != "en" or sum(word in STOP_WORDS for word in normal.split()) >= BINDING


def rows_of(data: bytes, count: int) -> npt.NDArray[np.float32]:
    """Return vectors as rows of length 1; one without direction stays without."""
    rows = np.frombuffer(data, "<f2").reshape(count, -1).astype(np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    found: npt.NDArray[np.float32] = rows / lengths
    return found


def alike(
    matrix: npt.NDArray[np.float32], rows: npt.NDArray[np.int32], size: int, scale: tuple[float, float], cut: float
) -> Iterator[Graph]:
    """Yield the pairs of rows whose likeness reaches the graph's threshold, some rows at a time."""
    step = max(1, BLOCK // len(matrix))
    for start in range(0, len(matrix), step):
        cosine = np.round(matrix[start : start + step] @ matrix[start:].T, DIGITS).astype(np.float64)
        likeness = scaled(cosine, scale, cut)
        one, other = np.nonzero(np.triu(likeness >= THRESHOLD, 1))
        yield Graph(size, rows[one + start], rows[other + start], np.minimum(likeness[one, other], 1.0))


def scaled(cosine: npt.NDArray[np.float64], scale: tuple[float, float], cut: float) -> npt.NDArray[np.float64]:
    """Return cosines of a model on the scale of the words: two straight lines that meet at the cut."""
    near, same = scale
    found: npt.NDArray[np.float64] = np.interp(cosine, [near, same, 1.0], [THRESHOLD, cut, 1.0], left=0.0)
    return found


def joined(graphs: Sequence[Graph]) -> Graph:
    """Return graphs of the same rows as one, each pair once with its largest likeness, sorted by the pair."""
    size = graphs[0].size
    first = np.concatenate([graph.first for graph in graphs])
    second = np.concatenate([graph.second for graph in graphs])
    cosine = np.concatenate([graph.cosine for graph in graphs])
    order = np.lexsort((-cosine, second, first))
    first, second, cosine = first[order], second[order], cosine[order]
    fresh = np.ones(len(first), np.bool_)
    fresh[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return Graph(size, first[fresh], second[fresh], cosine[fresh])
