"""Vectors from a model on this disk, through model2vec: static vectors, so a thousand texts take milliseconds and no GPU.

A multilingual one is minishlab/potion-multilingual-128M. Nothing is ever fetched: the folder has to be there. Larger
models are better served by an endpoint.
"""

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mfgit.backends.embedding import unit
from mfgit.backends.protocols import BackendError
from mfgit.errors import BadInput, not_installed
from mfgit.sections import VectorConfig

WEIGHTS = "model.safetensors"
SAMPLE = 65_536
"""Bytes at either end of a file that tell one model from another."""


class LocalEmbedder:
    """A model in a folder. It is loaded when it is first asked."""

    def __init__(self, settings: VectorConfig) -> None:
        self.folder = Path(settings.model).expanduser()
        self.prefix = settings.prefix
        self.model: Any = None
        if not self.folder.is_absolute() or not (self.folder / WEIGHTS).is_file():
            raise BadInput(
                f"vector.model is {settings.model!r}, which is no folder with a {WEIGHTS}.",
                "Give the whole path of a model2vec model's folder, or set vector.url to ask an endpoint for that model.",
            )
        if find_spec("model2vec") is None:
            raise not_installed("A local model needs the library model2vec", "vector")
        self.name = f"{self.folder.name} {fingerprint(self.folder)}" + (f" {self.prefix!r}" if self.prefix else "")

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector of length 1 for each text; raises `BackendError` for a folder that holds no such model.

        A text without a word that the model knows has no direction: its vector is of zeros.
        """
        if not texts:
            return []
        try:
            found = self.loaded().encode([self.prefix + text for text in texts], use_multiprocessing=False).tolist()
        except Exception as error:  # the library documents none of what it raises for a damaged model
            raise BackendError(f"{self.folder} cannot be used as a model2vec model ({type(error).__name__})") from None
        return [unit(vector) or [0.0] * len(vector) for vector in found]

    def loaded(self) -> Any:
        """Return the model, read from the folder the first time."""
        if self.model is None:
            from model2vec import StaticModel

            self.model = StaticModel.from_pretrained(self.folder, force_download=False)
        return self.model


def fingerprint(folder: Path) -> str:
    """Return what tells a model from another of the same name: a hash of its files' sizes and of both their ends."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.suffix in (".json", ".safetensors", ".txt")):
        with path.open("rb") as file:
            size = file.seek(0, 2)
            digest.update(f"{path.name} {size} ".encode())
            for place in (0, max(0, size - SAMPLE)):
                file.seek(place)
                digest.update(file.read(SAMPLE))
    return digest.hexdigest()[:12]
