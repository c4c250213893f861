"""Passages near a question by meaning, where `[vector]` is configured: their vectors, made as a tree is first searched.

`<git common dir>/mfgit/vectors/` holds, for each model, the vectors by the hash of their text, so that only changed passages
are embedded, and `views/`, one file a tree with the rows in the order of its positions. All of it is derived. Whatever
goes wrong with a model, the search goes on by words alone and says so.
"""

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mfgit.config import VECTOR_VARIABLES
from mfgit.errors import BadInput
from mfgit.index.searcher import Searcher
from mfgit.passages import Passage
from mfgit.plumbing import Git
from mfgit.progress import Progress, quiet
from mfgit.project import views
from mfgit.project.base import Repository
from mfgit.project.views import Where
from mfgit.text import tokens

if TYPE_CHECKING:
    from mfgit.backends.nearest import Rows
    from mfgit.backends.protocols import Embedder
    from mfgit.project.vectoring import Texts

FOLDER = "vectors"
POOL = 60
"""Passages that a model may name."""
FLOOR = 4.5
"""Standard deviations above unrelated questions from which on a passage is near; docs/explanation/models.md says on what."""
LONGEST = 2000
"""Characters of a passage that are embedded: what it is about stands at its beginning, and most models read 512 tokens."""
QUICK = 5.0
"""Seconds that a search waits for the vector of its question."""
PATIENCE = 20.0
"""Seconds that a search spends on passages without a vector where nobody sees its progress; the next one goes on."""


class Near(NamedTuple):
    """Positions near a question, nearest first, and why there are none where that is not the question's doing."""

    positions: Sequence[int] = ()
    note: str = ""


class Away(BadInput):
    """The model of a search cannot be asked, where going on by words alone would compare two things."""


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
        return Near(nearest(self.rows, vector, zero + FLOOR * deviation, POOL, mask))


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
    """Return what finds passages by meaning in an open tree, embedding those that are new; as `finding`."""
    if not searcher.view.documents or not configured(repository):
        return NOTHING
    key = views.view_key(where.tree, views.checkout_settings(repository))
    source = Passages(repository.git, searcher)
    return finding(repository, View(folder_of(repository), key, searcher), source, progress, patience=patience)


class View(NamedTuple):
    """An open view of an index: its key, its searcher, and the folder of its vectors."""

    folder: Path
    key: str
    searcher: Searcher


def finding(
    repository: Repository, shown: View, source: "Texts", progress: Progress, *, patience: float | None = PATIENCE
) -> Finds:
    """Return what finds by meaning in an open view of an index, embedding what is new.

    Without a progress to look at it does so for `patience` seconds at most (None: for as long as it takes). Raises `BadInput`
    for settings that cannot be used.
    """
    from mfgit.backends import open_embedder
    from mfgit.backends.protocols import BackendError
    from mfgit.project.vectoring import Making, Unfinished, rows_of

    settings, environment = repository.config.vector, repository.environment
    quick = settings._replace(retries=0, timeout=min(settings.timeout, QUICK))
    patient = settings if patience is None else settings._replace(retries=min(settings.retries, 1))
    questions = open_embedder(patient if patience is None else quick, environment)
    probing = open_embedder(patient, environment)
    passages = open_embedder(patient._replace(prefix=settings.passage_prefix), environment)
    end = None if progress is not quiet or patience is None else time.monotonic() + patience
    try:
        return Meaning(questions, rows_of(Making(*shown, source, probing, passages, progress, end)))
    except (BackendError, Unfinished) as problem:
        return Silent(by_words(problem))


class Passages:
    """The passages of an open tree, by their texts."""

    what = "passages"

    def __init__(self, git: Git, searcher: Searcher) -> None:
        self.git, self.searcher = git, searcher
        self.read: dict[int, str] = {}

    def keys(self, places: range) -> list[bytes]:
        """Return the hashes of the texts, which are read for that, some positions at a time."""
        from mfgit.backends.cache import key_of

        found = views.with_texts(self.git, [self.searcher.passage(place) for place in places])
        self.read = dict(zip(places, map(told, found), strict=True))
        return [key_of(text) for text in self.read.values()]

    def texts(self, places: Sequence[int]) -> list[str]:
        """Return the texts of positions that `keys` read last."""
        return [self.read[place] for place in places]


def folder_of(repository: Repository) -> Path:
    """Return the folder of the passages' vectors."""
    return repository.common / "mfgit" / FOLDER


def told(passage: Passage) -> str:
    """Return what is embedded of a passage: where it stands, and the beginning of its text, redacted."""
    from mfgit.redact import redact
    from mfgit.text import markup

    heads = dict.fromkeys(head for head in (passage.title, *passage.trail, passage.heading) if head)
    return redact(f"{' > '.join(heads)}\n{markup.words(passage.text)}")[:LONGEST]


NOTHING = Silent()
