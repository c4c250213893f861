"""All pairs of questions whose cosine is at least a threshold: exact, without comparing all with all.

With features ordered from rare to frequent, two unit vectors that reach the threshold share a feature within the *prefix* of
both, the prefix being cut where what follows is shorter than the threshold (Bayardo, Ma, Srikant 2007). So only
prefixes are joined, and the pairs that come out are measured on the whole vectors. Prefix features more frequent than
`FREQUENT` are not joined on: the one place where a pair can be missed.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from mfgit.scan.features import Vectors, in_rows

THRESHOLD = 0.5
FREQUENT = 500
BLOCK, MEASURED = 1_000_000, 20_000
"""Pairs held in memory at once, and pairs whose whole vectors are."""

Integers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


class Graph(NamedTuple):
    """Pairs `first` < `second` of row numbers and their cosine, sorted by the pair."""

    size: int
    first: Integers
    second: Integers
    cosine: Floats


def similar_pairs(vectors: Vectors, threshold: float = THRESHOLD, frequent: int = FREQUENT) -> Graph:
    """Return every pair of rows whose cosine is at least `threshold`."""
    matrix = vectors.matrix
    prefix = prefixes(matrix, threshold, frequent)
    columns = prefix.T.tocsr()
    work = np.cumsum(prefix @ np.diff(columns.indptr).astype(np.float64))
    parts: list[Graph] = []
    start, size = 0, matrix.shape[0]
    while start < size:
        done = work[start - 1] if start else 0.0
        stop = max(start + 1, int(np.searchsorted(work, done + BLOCK, "right")))
        parts.append(measured(matrix, prefix[start:stop] @ columns, start, threshold))
        start = stop
    empty = Graph(size, np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))
    return Graph(
        size,
        np.concatenate([part.first for part in (empty, *parts)]),
        np.concatenate([part.second for part in (empty, *parts)]),
        np.concatenate([part.cosine for part in (empty, *parts)]),
    )


def prefixes(matrix: csr_array, threshold: float, frequent: int) -> csr_array:
    """Return a 0/1 matrix of the features in each row's prefix, without the too frequent ones."""
    rare = np.bincount(matrix.indices, minlength=matrix.shape[1]) <= frequent
    kept = rare[matrix.indices]
    kept &= np.concatenate([np.zeros(0, np.bool_), *(rests(*part) >= threshold**2 - 1e-9 for part in in_rows(matrix))])
    starts = np.concatenate(([0], np.cumsum(kept, dtype=np.int64)))[matrix.indptr]
    return csr_array((np.ones(int(starts[-1]), np.float32), matrix.indices[kept], starts), shape=matrix.shape)


def rests(data: Floats, starts: npt.NDArray[np.int64]) -> Floats:
    """Return for each number of some rows the squared length of its row from there on."""
    before = np.concatenate(([0.0], np.cumsum(data**2)))
    return np.repeat(before[starts[1:]], np.diff(starts)) - before[:-1]


def measured(matrix: csr_array, candidates: csr_array, start: int, threshold: float) -> Graph:
    """Return the candidate pairs above the diagonal that reach the threshold, with their cosine."""
    candidates = candidates.tocoo()
    first, second = candidates.row.astype(np.int64) + start, candidates.col.astype(np.int64)
    above = first < second
    first, second = first[above], second[above]
    order = np.lexsort((second, first))
    first, second = first[order], second[order]
    cosine = np.empty(len(first))
    for begin in range(0, len(first), MEASURED):
        part = slice(begin, begin + MEASURED)
        cosine[part] = matrix[first[part]].multiply(matrix[second[part]]).sum(axis=1)
    reached = cosine >= threshold - 1e-9
    kept = first[reached].astype(np.int32), second[reached].astype(np.int32), np.minimum(cosine[reached], 1.0)
    return Graph(matrix.shape[0], *kept)
