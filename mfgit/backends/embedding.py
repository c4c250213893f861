"""Vectors from an OpenAI-compatible endpoint: `POST URL/embeddings` (Ollama, vLLM, llama.cpp, TEI, OpenAI)."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from mfgit.backends.endpoint import ask, endpoint_of
from mfgit.backends.protocols import BackendError
from mfgit.errors import BadInput
from mfgit.sections import VectorConfig

LONGEST = 8000
"""Characters of a text that are sent; models read some 500 to 8,000 tokens and some endpoints refuse what is longer."""
BYTES_A_TEXT = 200_000
"""What one vector may take in an answer: 8,192 numbers of 24 characters."""


class HttpEmbedder:
    """An endpoint that makes vectors."""

    def __init__(self, settings: VectorConfig, environment: Mapping[str, str]) -> None:
        if not settings.model:
            raise BadInput("vector.model is not set.", 'Name the model that the endpoint serves: model = "bge-m3".')
        self.settings = settings
        self.to = endpoint_of("vector", settings, environment)
        self.name = named(settings)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector of length 1 for each text; raises `BackendError`."""
        batch = self.settings.batch
        found = [vector for start in range(0, len(texts), batch) for vector in self.some(texts[start : start + batch])]
        if len({len(vector) for vector in found}) > 1:
            raise BackendError(f"{self.to.host} answered with vectors of several dimensions")
        return found

    def some(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors of one request."""
        prefix = self.settings.prefix
        payload = {
            "model": self.settings.model,
            "input": [prefix + text[:LONGEST] or " " for text in texts],
            "encoding_format": "float",
        }
        answer = ask(self.to, "/embeddings", payload, BYTES_A_TEXT * len(texts) + 100_000)
        vectors = read_vectors(answer, len(texts))
        if vectors is None:
            raise BackendError(f"{self.to.host} did not answer with one vector for each text")
        return vectors


def named(settings: VectorConfig) -> str:
    """Return what makes vectors comparable: the model, and the prefix where there is one."""
    return f"{settings.model} {settings.prefix!r}" if settings.prefix else settings.model


def read_vectors(answer: Any, count: int) -> list[list[float]] | None:
    """Return the vectors of an answer in the order of the texts, None for anything else than `count` vectors."""
    entries = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(entries, list) or len(entries) != count or not all(isinstance(entry, dict) for entry in entries):
        return None
    places = [entry.get("index", number) for number, entry in enumerate(entries)]
    if any(type(place) is not int for place in places) or sorted(places) != list(range(count)):
        return None
    by_place = {place: unit(entry.get("embedding")) for place, entry in zip(places, entries, strict=True)}
    found = [vector for place in range(count) if (vector := by_place[place]) is not None]
    return found if len(found) == count else None


def unit(value: Any) -> list[float] | None:
    """Return numbers as a vector of length 1, None for what is no vector or has no direction."""
    if not isinstance(value, list) or not all(type(number) in (int, float) for number in value):
        return None
    try:
        length = math.sqrt(math.fsum(number * number for number in value))
    except OverflowError:
        return None
    return [number / length for number in value] if length and math.isfinite(length) else None
