"""The pairs of a shard: candidates that share a feature of their prefixes, measured on the whole vectors.

Pure, and on NumPy and SciPy alone: the module is what a worker of a cluster is sent, and a worker needs not have mfgit.
"""

import platform

import numpy as np
import numpy.typing as npt
import scipy
from scipy.sparse import csr_array

BLOCK, MEASURED = 1_000_000, 20_000
"""Pairs held in memory at once, and pairs whose whole vectors are."""

Integers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Pairs = tuple[Integers, Integers, Floats]
"""Row numbers `first` < `second` and their cosine, sorted by the pair."""


def similar(matrix: csr_array, prefix: csr_array, threshold: float) -> Pairs:
    """Return every pair of rows that share a column of `prefix` and whose cosine in `matrix` is at least `threshold`."""
    columns = prefix.T.tocsr()
    work = np.cumsum(prefix @ np.diff(columns.indptr).astype(np.float64))
    found: list[Pairs] = [(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))]
    start, size = 0, matrix.shape[0]
    while start < size:
        done = work[start - 1] if start else 0.0
        stop = max(start + 1, int(np.searchsorted(work, done + BLOCK, "right")))
        found.append(measured(matrix, prefix[start:stop] @ columns, start, threshold))
        start = stop
    first, second, cosine = zip(*found, strict=True)
    return np.concatenate(first), np.concatenate(second), np.concatenate(cosine)


def measured(matrix: csr_array, candidates: csr_array, start: int, threshold: float) -> Pairs:
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
    return first[reached].astype(np.int32), second[reached].astype(np.int32), np.minimum(cosine[reached], 1.0)


def versions() -> dict[str, str]:
    """Return what has to be the same everywhere for the numbers to be."""
    return {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}


def shard(rows: tuple[npt.NDArray[np.generic], ...], own: bytes, threshold: float) -> tuple[dict[str, str], Pairs]:
    """Return the pairs of some columns, `own` as 32-bit numbers, and the versions that found them.

    `rows` are the numbers, columns and row starts of the unit vectors, then the columns and row starts of their prefixes.
    """
    data, indices, starts, kept, kept_starts = rows
    columns = np.frombuffer(own, np.int32)
    size, width = len(starts) - 1, int(max(indices.max(initial=0), columns.max(initial=0))) + 1
    matrix = csr_array((data, indices, starts), shape=(size, width))
    mine = np.zeros(width, np.bool_)
    mine[columns] = True
    here = mine[kept]
    ends = np.concatenate(([0], np.cumsum(here, dtype=np.int64)))[kept_starts]
    prefix = csr_array((np.ones(int(ends[-1]), np.float32), kept[here], ends), shape=(size, width))
    return versions(), similar(matrix, prefix, threshold)
