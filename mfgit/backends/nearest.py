"""Vectors as rows of one file, in an order of the caller's, and which of them are near a question's vector.

The file is a line of JSON and the rows in half precision, little-endian. It is derived: replaced whole, and made anew when it
is lost, damaged, or of another model.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mfgit import durable

SCHEMA = 1
DIGITS = 4
"""Digits that a cosine is taken to: what lies beyond depends on the machine."""

Floats = npt.NDArray[np.float32]


class Rows(NamedTuple):
    """Vectors of length 1 by position, and for each language the cosine of unrelated questions: (mean, deviation)."""

    matrix: Floats
    scales: Mapping[str, tuple[float, float]]


def of_bytes(data: bytes, count: int) -> Floats:
    """Return `count` vectors in half precision as rows of length 1; one without direction stays without."""
    rows = np.frombuffer(data, "<f2").reshape(count, -1).astype(np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    found: Floats = rows / lengths
    return found


def spread(data: bytes, count: int, questions: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """Return mean and standard deviation of the cosines of `count` rows and questions unrelated to them; None for no spread."""
    if not count:
        return None
    cosines = of_bytes(data, count) @ np.array(questions, np.float32).T
    deviation = float(cosines.std(dtype=np.float64))
    return (round(float(cosines.mean(dtype=np.float64)), DIGITS), round(deviation, DIGITS)) if deviation > 10**-DIGITS else None


def nearest(rows: Rows, question: Sequence[float], least: float, most: int, wanted: bytes | None) -> list[int]:
    """Return up to `most` positions with a cosine of at least `least`, nearest first; of the same cosine the earlier one.

    `wanted` has a byte a position, 0 for those to leave out (None: all count).
    """
    cosines = np.round(rows.matrix @ np.array(question, np.float32), DIGITS)
    enough = cosines >= least
    if wanted is not None:
        enough &= np.frombuffer(wanted, np.uint8) > 0
    places = np.flatnonzero(enough)
    order = np.lexsort((places, -cosines[places]))[:most]
    return [int(place) for place in places[order]]


def read(path: Path, model: str, size: int) -> Rows | None:
    """Return the rows of a file; None for one that is not there, damaged, or not of this model and number of rows."""
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline(10_000))
            if (head["schema"], head["model"], head["size"]) != (SCHEMA, model, size):
                return None
            scales = {lang: (float(zero), float(deviation)) for lang, (zero, deviation) in head["scales"].items()}
            return Rows(of_bytes(file.read(), size), scales)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def write(path: Path, model: str, size: int, data: bytes, scales: Mapping[str, Sequence[float]]) -> None:
    """Write a file of rows in one step; raises `OSError`."""
    head = json.dumps({"schema": SCHEMA, "model": model, "size": size, "scales": scales}).encode() + b"\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    durable.replace(path, [head, data])
