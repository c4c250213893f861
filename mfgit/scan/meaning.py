"""Pairs of questions that mean the same though their words differ, as an embedding model sees them.

How far a model finds two questions above unrelated ones is told in standard deviations of its cosine, and the words that they
share support it. That is put on the scale of the words: at the model's strictness it is the cut of the linkage. A pair's
likeness is then the larger of the two. Questions of different languages are never paired, nor bare topics ("ajax php problem"),
of which a model sees only that they are about the same thing.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

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
WORDS = 4.0
"""Standard deviations that the cosine of the words counts for, when it is 1: what both see is seldom wrong."""
NEAR = 0.65
"""Deviations below the same question at which two are somewhat alike: a steep slope, so that nothing chains."""
SHARED = 0.84
"""Cosine of words beyond which no model is needed."""
PAIRS = 20_000
"""Pairs whose words are compared at once."""

Floats = npt.NDArray[np.float64]


def with_meaning(words: Graph, matrix: csr_array, normals: Sequence[str], meaning: Meaning, cut: float) -> Graph:
    """Return the graph with the pairs that a model finds alike; where both know a pair, the larger likeness counts.

    `matrix` has the unit vectors of the words of `normals`, `cut` is the linkage's.
    """
    graphs = [words]
    for lang, scale in sorted(meaning.scales.items()):
        rows = [row for row, normal in enumerate(normals) if language(normal) == lang and asks(normal, lang)]
        if len(rows) > 1:
            vectors = rows_of(meaning.vectors([normals[row] for row in rows]), len(rows))
            place = np.array(rows, np.int32)
            for one, other, cosine in candidates(vectors, scale, meaning.strictness):
                first, second = place[one], place[other]
                likeness = scaled(cosine, shared(matrix, first, second), scale, meaning.strictness, cut)
                kept = likeness >= THRESHOLD
                graphs.append(Graph(words.size, first[kept], second[kept], likeness[kept]))
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


def candidates(
    vectors: npt.NDArray[np.float32], scale: tuple[float, float], strictness: float
) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]]:
    """Yield the pairs of rows, the first smaller, that may be alike when their words say so too, with their cosine."""
    zero, deviation = scale
    least = zero + (strictness - NEAR - WORDS * SHARED) * deviation
    step = max(1, BLOCK // len(vectors))
    for start in range(0, len(vectors), step):
        cosine = np.round(vectors[start : start + step] @ vectors[start:].T, DIGITS)
        one, other = np.nonzero(np.triu(cosine >= least, 1))
        yield one + start, other + start, cosine[one, other].astype(np.float64)


def shared(matrix: csr_array, first: npt.NDArray[np.int32], second: npt.NDArray[np.int32]) -> Floats:
    """Return the cosine of the words of pairs of rows."""
    found = np.empty(len(first))
    for begin in range(0, len(first), PAIRS):
        part = slice(begin, begin + PAIRS)
        found[part] = matrix[first[part]].multiply(matrix[second[part]]).sum(axis=1)
    return found


def scaled(cosine: Floats, words: Floats, scale: tuple[float, float], strictness: float, cut: float) -> Floats:
    """Return a model's cosines, supported by the words' cosines, as likeness: two straight lines that meet at the cut."""
    zero, deviation = scale
    support = np.round((cosine - zero) / deviation + WORDS * words, DIGITS)
    most = max((1 - zero) / deviation + WORDS, strictness + NEAR)
    found: Floats = np.interp(support, [strictness - NEAR, strictness, most], [THRESHOLD, cut, 1.0], left=0.0)
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
