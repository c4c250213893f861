"""Vectors of everything that an open index holds, in the order of its positions: kept by text, put together per view.

A folder holds, for each model, the vectors by a key of what was embedded, so that only what is new is asked for, and
`views/`, one file a view of the index. All of it is derived.
"""

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from mfgit.index.searcher import Searcher
from mfgit.progress import Progress

if TYPE_CHECKING:
    from mfgit.backends.cache import Vectors
    from mfgit.backends.nearest import Rows
    from mfgit.backends.protocols import Embedder

MOST_VIEWS = 6
"""Views whose rows are kept; another one's are put together from the vectors by text."""
CHUNK, BATCH = 512, 64
"""Texts read at once, and of those the ones that are embedded between two looks at the clock."""
KEEP = 2000
"""New vectors after which they are kept, so that a kill loses little."""


class Unfinished(Exception):
    """Some texts have no vector yet, or none can be kept; the text says why."""


class Texts(Protocol):
    """What is embedded of an open index."""

    @property
    def what(self) -> str:
        """What the texts are called in a sentence, such as passages."""

    def keys(self, places: range) -> list[bytes]:
        """Return for each position what its vector is kept by: 16 bytes."""

    def texts(self, places: Sequence[int]) -> list[str]:
        """Return the redacted texts of positions."""


class Making(NamedTuple):
    """All that the rows of a view are made with: texts, embedders of questions and of them; `end` is when to stop, if ever."""

    folder: Path
    key: str
    searcher: Searcher
    source: Texts
    questions: "Embedder"
    passages: "Embedder"
    progress: Progress
    end: float | None

    @property
    def size(self) -> int:
        """How many positions the view has."""
        return len(self.searcher.view.documents)

    @property
    def model(self) -> str:
        """What makes rows and questions comparable."""
        return f"{self.questions.name} / {self.passages.name}"

    @property
    def path(self) -> Path:
        """The file of the view's rows."""
        import hashlib

        digest = hashlib.blake2b(self.model.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
        return self.folder / "views" / f"{self.key}-{digest}"


kept: "WeakKeyDictionary[Searcher, tuple[str, Rows]]" = WeakKeyDictionary()
"""Per open searcher: its view never changes, so neither do its rows."""


def vectors_of(folder: Path, embedder: "Embedder") -> "Vectors":
    """Return the vectors that an embedder made before."""
    from datetime import UTC, datetime

    from mfgit.backends.cache import Vectors

    return Vectors(embedder, folder, datetime.now(UTC).date())


def rows_of(making: Making) -> "Rows":
    """Return the rows of a tree, from its file or made anew; raises `BackendError` and `Unfinished`."""
    from mfgit.backends import nearest

    name, found = kept.get(making.searcher, ("", None))
    if found is not None and name == making.model:
        return found
    found = nearest.read(making.path, making.model, making.size) or made(making)
    kept[making.searcher] = making.model, found
    return found


def made(making: Making) -> "Rows":
    """Make the rows of a tree; what is embedded before a model fails is kept."""
    from mfgit.backends import nearest

    vectors = vectors_of(making.folder, making.passages)
    try:
        data = b"".join(embedded(making, vectors))
    finally:
        vectors.keep()
    scales = scales_of(making, data)
    with contextlib.suppress(OSError):
        nearest.write(making.path, making.model, making.size, data, scales)
        drop_old(making.path.parent)
    return nearest.Rows(nearest.of_bytes(data, making.size), scales)


def embedded(making: Making, vectors: "Vectors") -> Iterator[bytes]:
    """Yield the vectors of a view in the order of its positions; raises `BackendError` and `Unfinished`."""
    fresh, due = 0, 1
    for start in range(0, making.size, CHUNK):
        places = range(start, min(making.size, start + CHUNK))
        keys = making.source.keys(places)
        missing = {key: place for key, place in zip(keys, places, strict=True) if key not in vectors.known}
        texts = dict(zip(missing, making.source.texts(list(missing.values())), strict=True))
        for batch in batches(texts):
            if fresh and making.end is not None and time.monotonic() > making.end:
                have = start + sum(key in vectors.known for key in keys)
                what = making.source.what
                raise Unfinished(f"{have} of {making.size} {what} have vectors so far, the next search goes on")
            vectors.make(batch)
            vectors.touch(batch)
            fresh += len(batch)
            if fresh >= due:
                keep(vectors)
                due += KEEP
            making.progress(f"Embedding {making.source.what}", start + len(keys), making.size)
        yield vectors.got(keys)


def batches(texts: Mapping[bytes, str]) -> Iterator[dict[bytes, str]]:
    """Yield texts by their keys, some at a time."""
    items = list(texts.items())
    for begin in range(0, len(items), BATCH):
        yield dict(items[begin : begin + BATCH])


def keep(vectors: "Vectors") -> None:
    """Keep what was embedded; raises `Unfinished` where it cannot be written, so that no search embeds everything again."""
    if problem := vectors.keep():
        raise Unfinished(problem)


def scales_of(making: Making, data: bytes) -> dict[str, tuple[float, float]]:
    """Return for each language in which the model is of use the cosines of the passages with questions of no concern."""
    from mfgit.backends import nearest
    from mfgit.backends.calibration import calibrate, probes

    asked = vectors_of(making.folder, making.questions)
    useful = calibrate(asked.floats)
    asked.keep()
    spreads = {lang: nearest.spread(data, making.size, asked.floats([one for one, _ in probes(lang)])) for lang in useful}
    return {lang: scale for lang, scale in spreads.items() if scale is not None}


def drop_old(folder: Path) -> None:
    """Remove the rows that were made longest ago, beyond those that are kept."""
    files = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in files[MOST_VIEWS:]:
        path.unlink(missing_ok=True)
