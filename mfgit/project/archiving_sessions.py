"""Whole conversations into the archive: session files, the catalogue, and their turns in the day files, once."""

from collections.abc import Iterable
from typing import NamedTuple

from mfgit.model import Progress, quiet
from mfgit.project.base import Repository
from mfgit.session import Conversation


class Stored(NamedTuple):
    """What `store` did: conversations and turns that are new or grew, ratings that are new, and turns known already.

    `skipped` counts by reason what is no turn: commands, interruptions, conversations without a question.
    """

    conversations: int
    turns: int
    ratings: int
    already_known: int
    skipped: dict[str, int]


def store(repository: Repository, conversations: Iterable[Conversation], progress: Progress = quiet) -> Stored:
    """Archive conversations: redacted, durable, each once however often and in whatever export it comes.

    Takes them a batch at a time, so memory does not grow with their number. Raises `BadInput` when the disk refuses.
    """
    raise NotImplementedError
