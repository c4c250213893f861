"""Vectors that were made before, so that a text is embedded once: one file a model, derived, and gone when it is deleted.

The file is a line of JSON and then records of the same size, sorted: 16 bytes of the text's hash, the day of its last use, and
the vector in half precision, little-endian. It is replaced whole, so that a reader sees the old or the new one. What was not
used for `KEPT_DAYS` is left out: a vector must not outlive the question it was made of.
"""

import hashlib
import json
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from mfgit import durable
from mfgit.backends.protocols import BackendError, Embedder
from mfgit.text.slug import ascii_slug

SCHEMA = 1
KEY, DAY = 16, 4
KEPT_DAYS = 30
ENDING = ".vectors"


def key_of(text: str) -> bytes:
    """Return what a text is kept by."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY).digest()


def file_of(folder: Path, model: str) -> Path:
    """Return the file of a model's vectors."""
    digest = hashlib.blake2b(model.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    return folder / f"{ascii_slug(model, 60) or 'model'}-{digest}{ENDING}"


class Vectors:
    """An embedder's vectors: from the file where it has them, else made. `today` is the day of use."""

    def __init__(self, embedder: Embedder, folder: Path, today: date) -> None:
        self.embedder = embedder
        self.path = file_of(folder, embedder.name)
        self.today = today.toordinal()
        self.dimensions, self.known = read(self.path, embedder.name)
        self.days: dict[bytes, int] = {key: day for key, (day, _) in self.known.items()}
        self.changed = False

    def of(self, texts: Sequence[str]) -> bytes:
        """Return the vectors of texts one after the other, in half precision; raises `BackendError`."""
        keys = [key_of(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self.known}
        self.make(missing)
        return self.got(keys)

    def got(self, keys: Iterable[bytes]) -> bytes:
        """Return the vectors of keys that are known, one after the other, as used today."""
        found = list(keys)
        self.touch(found)
        return b"".join(self.known[key][1] for key in found)

    def touch(self, keys: Iterable[bytes]) -> None:
        """Note that keys are in use today."""
        for key in keys:
            self.changed |= self.days.get(key) != self.today
            self.days[key] = self.today

    def make(self, missing: dict[bytes, str]) -> None:
        """Embed texts that are not known yet."""
        if not missing:
            return
        made = self.embedder.embed(list(missing.values()))
        if not self.known:
            self.dimensions = len(made[0])
        if any(len(vector) != self.dimensions for vector in made):
            raise BackendError(f"The model {self.embedder.name} gives vectors of another dimension than before")
        for key, vector in zip(missing, made, strict=True):
            self.known[key] = (self.today, struct.pack(f"<{self.dimensions}e", *vector))

    def floats(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors of a few texts as numbers."""
        data = self.of(texts)
        return (
            [list(row) for row in struct.iter_unpack(f"<{self.dimensions}e", data)] if self.dimensions else [[] for _ in texts]
        )

    def keep(self) -> str:
        """Replace the file with what was used lately; return why that could not be done, nothing when it was."""
        if not self.changed:
            return ""
        kept = {key: data for key, (_, data) in self.known.items() if self.days[key] > self.today - KEPT_DAYS}
        try:
            replace(self.path, self.embedder.name, self.dimensions, {key: (self.days[key], kept[key]) for key in kept})
        except OSError as error:
            return f"{self.path} cannot be written: {error.strerror}; the next scan embeds its questions anew"
        self.changed = False
        return ""


def replace(path: Path, model: str, dimensions: int, kept: Mapping[bytes, tuple[int, bytes]]) -> None:
    """Replace a file of vectors in one step by records of (day, vector); raises `OSError`."""
    head = json.dumps({"schema": SCHEMA, "model": model, "dimensions": dimensions}).encode() + b"\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    durable.replace(path, [head, *(key + struct.pack("<I", kept[key][0]) + kept[key][1] for key in sorted(kept))])


def only(path: Path, keys: Collection[bytes]) -> None:
    """Leave in a file the vectors of some keys; a file that cannot be read or written goes altogether."""
    try:
        with path.open("rb") as file:
            model = json.loads(file.readline(10_000))["model"]
        dimensions, known = read(path, model)
        replace(path, model, dimensions, {key: record for key, record in known.items() if key in keys})
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        path.unlink(missing_ok=True)


def read(path: Path, model: str) -> tuple[int, dict[bytes, tuple[int, bytes]]]:
    """Return the dimensions and the records of a file; none for one that is not there, damaged, or of another model."""
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline(10_000))
            dimensions = head["dimensions"]
            if head["schema"] != SCHEMA or head["model"] != model or type(dimensions) is not int or dimensions < 1:
                return 0, {}
            data = file.read()
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return 0, {}
    size = KEY + DAY + 2 * dimensions
    return (0, {}) if len(data) % size else (dimensions, dict(records(data, size)))


def records(data: bytes, size: int) -> Iterator[tuple[bytes, tuple[int, bytes]]]:
    """Yield the records of a file's bytes by their key."""
    for start in range(0, len(data), size):
        day = int.from_bytes(data[start + KEY : start + KEY + DAY], "little")
        yield data[start : start + KEY], (day, data[start + KEY + DAY : start + size])
