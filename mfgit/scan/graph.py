"""All pairs of questions whose cosine is at least a threshold: exact, without comparing all with all.

With features ordered from rare to frequent, two unit vectors that reach the threshold share a feature within the *prefix* of
both, the prefix being cut where what follows is shorter than the threshold (Bayardo, Ma, Srikant 2007). So only
prefixes are joined, and the pairs that come out are measured on the whole vectors. Prefix features more frequent than
`FREQUENT` are not joined on: the one place where a pair can be missed.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from mfgit.scan.features import Vectors, in_rows
from mfgit.scan.shards import Floats, Integers, Pairs, similar

THRESHOLD = 0.5
FREQUENT = 500


class Graph(NamedTuple):
    """Pairs `first` < `second` of row numbers and their cosine, sorted by the pair."""

    size: int
    first: Integers
    second: Integers
    cosine: Floats


def similar_pairs(vectors: Vectors, threshold: float = THRESHOLD, frequent: int = FREQUENT) -> Graph:
    """Return every pair of rows whose cosine is at least `threshold`."""
    prefix = prefixes(vectors.matrix, threshold, frequent)
    return Graph(vectors.matrix.shape[0], *similar(vectors.matrix, prefix, threshold))


def prefixes(matrix: csr_array, threshold: float = THRESHOLD, frequent: int = FREQUENT) -> csr_array:
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


def united(size: int, parts: Iterable[Pairs]) -> Graph:
    """Return the graph of all these pairs of `size` rows; of a pair that comes more than once the larger cosine counts."""
    nothing: Pairs = (np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))
    first, second, cosine = (np.concatenate(column) for column in zip(nothing, *parts, strict=True))
    order = np.lexsort((-cosine, second, first))
    first, second, cosine = first[order], second[order], cosine[order]
    new = np.ones(len(first), np.bool_)
    new[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return Graph(size, first[new], second[new], cosine[new])
