"""What a question is made of, and the sparse unit vectors that its likeness to others is measured on."""

import functools
import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from mfgit.text.fold import HAN

VERSION = 1
ROWS = 50_000
"""Rows of a matrix that are worked on at once."""
STOP_WORD, CHARACTER, PAIR, GRAMS = 0.3, 0.6, 1.0, 0.35
"""Weights of an English stop word, a Chinese character, a pair of them, and the 3-grams of a word (a plain word is 1)."""

WORD = re.compile(f"([{HAN}]+)|[^\\s{HAN}]+")
PARTICLES = re.compile("[的了吗呢啊呀吧嘛哦]")
STOP_WORDS_TEXT = """
a an the i im ive id you your my me we our it its he she they them this that these those there is are am was were be
been being do does did done have has had having can could will would shall should may might must of in on at to for from
by with as and or but if so than then not no what which who how why when where any some get got about into up out just
please also very too s t m re ve d ll need want
"""
STOP_WORDS = frozenset(STOP_WORDS_TEXT.split())
"""Words that say little of what a question is about; questions that differ in them alone are close."""


class Frequencies(NamedTuple):
    """In how many of `texts` distinct questions each feature occurs: the one input of a scan besides its window."""

    texts: int
    counts: Mapping[str, int]

    def idf(self, feature: str) -> float:
        """Return the inverse document frequency of a feature; one never seen counts as seen once."""
        return math.log((self.texts + 1) / min(self.counts.get(feature, 1), self.texts + 1)) + 0.5

    @property
    def version(self) -> str:
        """A short hash of the numbers: the same for the same snapshot."""
        import hashlib

        text = f"{VERSION} {self.texts} " + " ".join(
            f"{name}={self.counts[name]}" for name in sorted(self.counts) if self.counts[name] > 1
        )
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """Return the snapshot as JSON values; features seen once are left out, since unseen ones count as seen once."""
        counts = {name: self.counts[name] for name in sorted(self.counts) if self.counts[name] > 1}
        return {"schema": VERSION, "version": self.version, "texts": self.texts, "counts": counts}

    @classmethod
    def from_json(cls, value: Any) -> "Frequencies | None":
        """Return the frequencies of a snapshot, None for one of another version or shape."""
        if not isinstance(value, dict) or value.get("schema") != VERSION or not isinstance(value.get("texts"), int):
            return None
        counts = value.get("counts")
        if not isinstance(counts, dict) or not all(isinstance(number, int) and number > 0 for number in counts.values()):
            return None
        return cls(max(1, value["texts"]), counts)


class Vectors(NamedTuple):
    """One unit row for each text; columns are features, the rarest among these texts first."""

    matrix: csr_array
    features: tuple[str, ...]


def singular(word: str) -> str:
    """Return an English word without its plural s."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4 and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    return word[:-1]


@functools.lru_cache(32768)
def of_word(word: str) -> tuple[tuple[str, float], ...]:
    """Return the weighted features of one Latin word: itself, and its 3-grams when it is a word of some length."""
    stem = singular(word)
    if word in STOP_WORDS:
        return ((stem, STOP_WORD),)
    padded = f"^{stem}$"
    grams = [padded[i : i + 3] for i in range(len(padded) - 2)] if len(stem) > 3 else []
    weight = GRAMS * math.sqrt(4 / len(grams)) if grams else 0.0
    return ((stem, 1.0), *((f"~{gram}", weight) for gram in grams))


def of_run(run: str) -> tuple[tuple[str, float], ...]:
    """Return the weighted features of a run of Chinese characters without particles: each of them and each pair."""
    run = PARTICLES.sub("", run) or run
    singles = tuple((character, CHARACTER) for character in run)
    return singles + tuple((run[i : i + 2], PAIR) for i in range(len(run) - 1))


def features(normal: str) -> dict[str, float]:
    """Return the features of a normalised text, each with weight x the square root of its count."""
    found: Counter[str] = Counter()
    weights: dict[str, float] = {}
    for part in WORD.finditer(normal):
        for feature, weight in of_run(part[0]) if part[1] else of_word(part[0]):
            found[feature] += 1
            weights[feature] = weight
    return {feature: weights[feature] * math.sqrt(count) for feature, count in found.items()}


def count(texts: Iterable[str]) -> Frequencies:
    """Return the document frequencies of distinct normalised texts; a feature seen once is left out, as one never seen."""
    counts: Counter[str] = Counter()
    number = 0
    for text in texts:
        counts.update(features(text).keys())
        number += 1
    return Frequencies(number, {feature: seen for feature, seen in counts.items() if seen > 1})


def vectors(texts: Sequence[str], frequencies: Frequencies) -> Vectors:
    """Return the unit vectors of distinct normalised texts; beyond them and a number for each feature no memory is held."""
    number: dict[str, int] = {}
    columns, weights, starts = array("i"), array("d"), array("q", [0])
    for text in texts:
        for feature, weight in features(text).items():
            columns.append(number.setdefault(feature, len(number)))
            weights.append(weight)
        starts.append(len(columns))
    indices, data = np.frombuffer(columns, np.int32), np.frombuffer(weights, np.float64)
    here = np.bincount(indices, minlength=len(number)).tolist()
    order = sorted(number, key=lambda feature: (here[number[feature]], feature))
    place = np.empty(len(order), np.int32)
    place[[number[feature] for feature in order]] = np.arange(len(order), dtype=np.int32)
    idf = np.array([frequencies.idf(feature) for feature in order])
    for begin in range(0, len(indices), 20 * ROWS):
        part = slice(begin, begin + 20 * ROWS)
        indices[part] = place[indices[part]]
        data[part] *= idf[indices[part]]
    matrix = csr_array((data, indices, np.frombuffer(starts, np.int64)), shape=(len(texts), len(order)))
    matrix.sort_indices()
    return Vectors(unit(matrix), tuple(order))


def unit(matrix: csr_array) -> csr_array:
    """Return the matrix with every row of length 1 (an empty row stays empty); the numbers given are overwritten."""
    for data, starts in in_rows(matrix):
        squares = np.add.reduceat(np.append(data**2, 0.0), starts[:-1])
        squares[np.diff(starts) == 0] = 1.0
        np.divide(data, np.repeat(np.sqrt(squares), np.diff(starts)), out=data)
    return matrix


def in_rows(matrix: csr_array) -> Iterator[tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]]:
    """Yield the numbers of some rows at a time, not copied, and where each row starts in them."""
    for begin in range(0, matrix.shape[0], ROWS):
        starts = matrix.indptr[begin : begin + ROWS + 1].astype(np.int64)
        yield matrix.data[starts[0] : starts[-1]], starts - starts[0]
