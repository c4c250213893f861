"""Passages near a question by meaning, where `[vector]` is configured: their vectors, made as a tree is first searched.

`<git common dir>/mfgit/vectors/` holds, for each model, the vectors by the hash of their text, so that only changed passages
are embedded, and `views/`, one file a tree with the rows in the order of its positions. All of it is derived. Whatever
goes wrong with a model, the search goes on by words alone and says so.
"""

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from mfgit.config import VECTOR_VARIABLES
from mfgit.errors import BadInput
from mfgit.index.searcher import Searcher
from mfgit.passages import Passage
from mfgit.progress import Progress, quiet
from mfgit.project import views
from mfgit.project.base import Repository
from mfgit.project.views import Where
from mfgit.text import tokens

if TYPE_CHECKING:
    from mfgit.backends.cache import Vectors
    from mfgit.backends.nearest import Rows
    from mfgit.backends.protocols import Embedder

FOLDER = "vectors"
MOST_VIEWS = 6
"""Trees whose rows are kept; another one's are put together from the vectors by text."""
POOL = 60
"""Passages that a model may name."""
FLOOR = {"en": 4.0, "zh": 4.0}
"""Standard deviations above unrelated questions from which on a passage is near; see docs/models.md for what it was set on."""
LONGEST = 2000
"""Characters of a passage that are embedded: what it is about stands at its beginning, and most models read 512 tokens."""
QUICK = 5.0
"""Seconds that a search waits for the vector of its question."""
PATIENCE = 20.0
"""Seconds that a search spends on passages without a vector where nobody sees its progress; the next one goes on."""
CHUNK, BATCH = 512, 64
"""Passages read from Git at once, and of those the ones that are embedded between two looks at the clock."""
KEEP = 2000
"""New vectors after which they are kept, so that a kill loses little."""


class Near(NamedTuple):
    """Positions near a question, nearest first, and why there are none where that is not the question's doing."""

    positions: Sequence[int] = ()
    note: str = ""


class Away(BadInput):
    """The model of a search cannot be asked, where going on by words alone would compare two things."""


class Unfinished(Exception):
    """Some passages have no vector yet; the text says how many."""


class Meaning:
    """What a search asks a model with: the rows of an open tree and the embedder of questions. `opened` makes one."""

    def __init__(self, embedder: "Embedder", rows: "Rows") -> None:
        self.embedder = embedder
        self.rows = rows

    def near(self, query: str, mask: bytes | None) -> Near:
        """Return the passages near a question, among the positions of a mask (None: all)."""
        from mfgit.backends.nearest import nearest
        from mfgit.backends.protocols import BackendError
        from mfgit.redact import redact

        lang = tokens.language(query)
        if lang not in self.rows.scales or not query.strip():
            return Near()
        try:
            vector = self.embedder.embed([redact(query)])[0]
        except BackendError as problem:
            return Near((), by_words(problem))
        if len(vector) != self.rows.matrix.shape[1]:
            return Near((), by_words(f"{self.embedder.name} gives vectors of another dimension than before"))
        zero, deviation = self.rows.scales[lang]
        return Near(nearest(self.rows, vector, zero + FLOOR[lang] * deviation, POOL, mask))


class Silent:
    """No passages by meaning: none where no model is configured, with a `note` where one is and cannot be used."""

    def __init__(self, note: str = "") -> None:
        self.answer = Near((), note)

    def near(self, query: str, mask: bytes | None) -> Near:
        """Return nothing, and why."""
        return self.answer


Finds = Meaning | Silent


def surely(near: Near) -> Sequence[int]:
    """Return the positions near a question; raises `Away` where the model could not be asked."""
    if near.note:
        raise Away(near.note, "Start the model, or set vector.search = false to search by words.")
    return near.positions


def by_words(problem: object) -> str:
    """Return the sentence that says why a search went by words alone."""
    return f"Searched by words alone: {problem}."


def configured(repository: Repository) -> bool:
    """Tell whether searches ask a model, without reading the settings where they cannot name one."""
    environment = os.environ if repository.environment is None else repository.environment
    named = any(environment.get(name) for name in VECTOR_VARIABLES.values())
    if repository.top is not None and not named and "vector" not in (repository.config_text() or ""):
        return False
    settings = repository.config.vector
    return bool(settings.model) and settings.search


def opened(
    repository: Repository, where: Where, searcher: Searcher, progress: Progress = quiet, *, patience: float | None = PATIENCE
) -> Finds:
    """Return what finds passages by meaning in an open tree, embedding those that are new.

    Without a progress to look at it does so for `patience` seconds at most (None: for as long as it takes). Raises `BadInput`
    for settings that cannot be used.
    """
    if not searcher.view.documents or not configured(repository):
        return NOTHING
    from mfgit.backends import open_embedder
    from mfgit.backends.protocols import BackendError

    settings, environment = repository.config.vector, repository.environment
    quick = settings._replace(retries=0, timeout=min(settings.timeout, QUICK))
    patient = settings if patience is None else settings._replace(retries=min(settings.retries, 1))
    questions = open_embedder(patient if patience is None else quick, environment)
    probing = open_embedder(patient, environment)
    passages = open_embedder(patient._replace(prefix=settings.passage_prefix), environment)
    end = None if progress is not quiet or patience is None else time.monotonic() + patience
    try:
        return Meaning(questions, rows_of(Making(repository, where, searcher, probing, passages, progress, end)))
    except (BackendError, Unfinished) as problem:
        return Silent(by_words(problem))


class Making(NamedTuple):
    """All that the rows of a tree are made with: embedders of questions and of passages; `end` is when to stop, if ever."""

    repository: Repository
    where: Where
    searcher: Searcher
    questions: "Embedder"
    passages: "Embedder"
    progress: Progress
    end: float | None

    @property
    def size(self) -> int:
        """How many passages the tree has."""
        return len(self.searcher.view.documents)

    @property
    def model(self) -> str:
        """What makes rows and questions comparable."""
        return f"{self.questions.name} / {self.passages.name}"

    @property
    def path(self) -> Path:
        """The file of the tree's rows."""
        import hashlib

        key = views.view_key(self.where.tree, views.checkout_settings(self.repository))
        digest = hashlib.blake2b(self.model.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
        return folder_of(self.repository) / "views" / f"{key}-{digest}"


kept: "WeakKeyDictionary[Searcher, tuple[str, Rows]]" = WeakKeyDictionary()
"""Per open searcher: its view never changes, so neither do its rows."""


def folder_of(repository: Repository) -> Path:
    """Return the folder of the passages' vectors."""
    return repository.common / "mfgit" / FOLDER


def vectors_of(repository: Repository, embedder: "Embedder") -> "Vectors":
    """Return the vectors that an embedder made before."""
    from datetime import UTC, datetime

    from mfgit.backends.cache import Vectors

    return Vectors(embedder, folder_of(repository), datetime.now(UTC).date())


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

    vectors = vectors_of(making.repository, making.passages)
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
    """Yield the vectors of a tree's passages in the order of its positions; raises `BackendError` and `Unfinished`."""
    from mfgit.backends.cache import key_of

    fresh, due = 0, 1
    for start in range(0, making.size, CHUNK):
        passages = [making.searcher.passage(place) for place in range(start, min(making.size, start + CHUNK))]
        texts = [told(passage) for passage in views.with_texts(making.repository.git, passages)]
        for begin in range(0, len(texts), BATCH):
            batch = texts[begin : begin + BATCH]
            missing = sum(key_of(text) not in vectors.known for text in batch)
            if missing and fresh and making.end is not None and time.monotonic() > making.end:
                raise Unfinished(f"{start + begin} of {making.size} passages have vectors so far, the next search goes on")
            yield vectors.of(batch)
            fresh += missing
            if fresh >= due:
                keep(vectors)
                due += KEEP
            if missing:
                making.progress("Embedding passages", start + begin + len(batch), making.size)


def keep(vectors: "Vectors") -> None:
    """Keep what was embedded; raises `Unfinished` where it cannot be written, so that no search embeds everything again."""
    if problem := vectors.keep():
        raise Unfinished(problem)


def told(passage: Passage) -> str:
    """Return what is embedded of a passage: where it stands, and the beginning of its text, redacted."""
    from mfgit.redact import redact
    from mfgit.text import markup

    heads = dict.fromkeys(head for head in (passage.title, *passage.trail, passage.heading) if head)
    return redact(f"{' > '.join(heads)}\n{markup.words(passage.text)}")[:LONGEST]


def scales_of(making: Making, data: bytes) -> dict[str, tuple[float, float]]:
    """Return for each language in which the model is of use the cosines of the passages with questions of no concern."""
    from mfgit.backends import nearest
    from mfgit.backends.calibration import calibrate, probes

    asked = vectors_of(making.repository, making.questions)
    useful = calibrate(asked.floats)
    asked.keep()
    spreads = {lang: nearest.spread(data, making.size, asked.floats([one for one, _ in probes(lang)])) for lang in useful}
    return {lang: scale for lang, scale in spreads.items() if scale is not None}


def drop_old(folder: Path) -> None:
    """Remove the rows that were made longest ago, beyond those that are kept."""
    files = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in files[MOST_VIEWS:]:
        path.unlink(missing_ok=True)


NOTHING = Silent()
