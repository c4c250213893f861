"""The embedder of the settings, its vectors beside the archive, and its scale: what a scan compares meanings with."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from mfgit.backends import open_embedder
from mfgit.backends.cache import Vectors
from mfgit.backends.calibration import calibrate
from mfgit.backends.protocols import BackendError
from mfgit.errors import BadInput
from mfgit.project.archiving_sessions import session_folder
from mfgit.project.base import Repository
from mfgit.project.nearing_archive import FOLDER
from mfgit.scan.values import Meaning

Answer = TypeVar("Answer")


def folder_of(repository: Repository) -> Path:
    """Return the folder of the vectors."""
    return session_folder(repository) / FOLDER


def opened(repository: Repository, redact: Callable[[str], str]) -> tuple[Meaning, Vectors] | None:
    """Return what a scan compares meanings with and the vectors to keep afterwards, None where no model is configured.

    What goes to the model is redacted. Raises `BadInput` for settings that cannot be used and a model that cannot be asked:
    a scan without it would propose other things, and be taken for a change.
    """
    embedder = open_embedder(repository.config.vector, repository.environment)
    if not embedder.name:
        return None
    vectors = Vectors(embedder, folder_of(repository), datetime.now(UTC).date())
    scales = asked(lambda: calibrate(vectors.floats))

    def embed(texts: Sequence[str]) -> bytes:
        return asked(lambda: vectors.of([redact(text) for text in texts]))

    return Meaning(embedder.name, embed, scales, repository.config.vector.strictness), vectors


def kept(model: tuple[Meaning, Vectors] | None) -> list[str]:
    """Keep a scan's vectors; return what is to be reported."""
    if model is None:
        return []
    meaning, vectors = model
    useless = f"vector: {meaning.name} tells questions of no language apart, so they are compared by words alone"
    return [problem for problem in ("" if meaning.scales else useless, vectors.keep()) if problem]


def asked(question: Callable[[], Answer]) -> Answer:
    """Return the answer of a model; raises `BadInput` that says what to do when there is none."""
    try:
        return question()
    except BackendError as problem:
        raise BadInput(
            f"The embedding model cannot be used: {problem}.",
            "Start it, or take [vector] out of mfgit.toml to scan by words alone.",
        ) from None
