"""What the rest of mfgit may ask of a model, and the null forms that answer when no model is configured."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class BackendError(Exception):
    """A model could not be asked or gave an answer of no use; the text says which, and never holds a key or a conversation.

    What a stage does then is its own decision: search goes on by words, a scan stops, a draft keeps the rules' text.
    """


@dataclass(frozen=True, slots=True)
class Draft:
    """A text made by the rules, and all that a polished form of it may say.

    `lang` is en or zh; `sources` are the texts it came from: answers, excerpts, passages of originals, messages. The title
    and the text are sources of their own. `title` may be empty where only the text is wanted.
    """

    lang: str
    title: str
    text: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Polished:
    """A title and text to use: the model's where each sentence is grounded, the rules' where not.

    `note` says why something of the model's was not taken. `settled` is false when the model could not be asked, so that
    asking later is worth it.
    """

    title: str
    text: str
    note: str = ""
    settled: bool = True


class Embedder(Protocol):
    """Texts to vectors."""

    @property
    def name(self) -> str:
        """What makes vectors comparable: the model and whatever changes them; empty for the null form."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector of length 1 for each text, all of the same dimension. Raises `BackendError`."""


class Polisher(Protocol):
    """Better wording for a text, without a new fact."""

    @property
    def name(self) -> str:
        """The model; empty for the null form."""

    def polish(self, draft: Draft) -> Polished:
        """Return better wording, in which every sentence is grounded in the draft and its sources. Never raises."""


class NullEmbedder:
    """No model: no vectors."""

    name = ""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return an empty vector for each text."""
        return [[] for _ in texts]


class NullPolisher:
    """No model: the rules' text."""

    name = ""

    def polish(self, draft: Draft) -> Polished:
        """Return the draft as it is."""
        return Polished(draft.title, draft.text)
