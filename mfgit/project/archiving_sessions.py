"""Whole conversations into the archive: session files, the catalogue, and their turns in the day files, once."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from mfgit.archive.catalogue import Catalogue
from mfgit.archive.conversations import Kept, keep
from mfgit.archive.sessions import SessionStore
from mfgit.archive.store import Store
from mfgit.archive.storing import store_turns
from mfgit.model import Progress, quiet
from mfgit.project.archiving import chat_folder
from mfgit.project.base import Repository
from mfgit.redact import safe_id
from mfgit.session import Conversation

BATCH, BATCH_TEXT = 256, 1 << 21
"""Conversations, and characters of them, that share a sync at most."""
PENDING = 4000
"""Catalogue entries that are kept back at most, or a sixth of those written so far."""


class Stored(NamedTuple):
    """What `store` did: conversations and turns that are new or grew, ratings that are new, and turns known already.

    `skipped` counts by reason what is no turn: commands, interruptions, conversations without a question.
    """

    conversations: int
    turns: int
    ratings: int
    already_known: int
    skipped: dict[str, int]


def session_folder(repository: Repository) -> Path:
    """Return the folder of the session archive; a relative setting starts at the top of the repository."""
    return repository.folder / repository.config.archive.sessions


def store(
    repository: Repository,
    conversations: Iterable[Conversation],
    progress: Progress = quiet,
    now: datetime | None = None,
    *,
    partial: bool = False,
    archived: list[str] | None = None,
) -> Stored:
    """Archive conversations: redacted, durable, each once however often and in whatever export it comes.

    They are taken a batch at a time, so memory does not grow with their number. `partial` ones are the last part of
    conversations whose turns are in the day files already. `archived` takes the ids of what is new or grew. Raises `BadInput`
    when the disk refuses.
    """
    now = now or datetime.now(UTC)
    count: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    sessions = SessionStore(session_folder(repository))
    catalogue = Catalogue(sessions)
    one_layer = all(pattern.layer == "help" for pattern in repository.config.roots)
    with Store(chat_folder(repository)) as chat:
        for batch in batches(replace(each, id=safe_id(each.id)) for each in conversations):
            kept = store_batch(sessions, catalogue, [in_layer(each, one_layer) for each in batch], now, partial)
            if archived is not None:
                archived += [each.session.session_id for each, new in kept if new]
            turns = store_turns(chat, (turn for each, _ in kept for turn in each.turns if not partial), now)
            for each, _ in kept:
                skipped.update(each.skipped)
            skipped.update(turns.refused)
            count["conversations"] += sum(new for _, new in kept)
            count.update(turns=turns.turns, ratings=turns.ratings, known=turns.known, done=len(kept))
            progress("Archiving conversations", count["done"], 0)
            if len(catalogue.pending) > max(PENDING, count["done"] // 6):
                flush(sessions, catalogue)
    flush(sessions, catalogue)
    return Stored(count["conversations"], count["turns"], count["ratings"], count["known"], dict(sorted(skipped.items())))


def batches(conversations: Iterable[Conversation]) -> Iterator[list[Conversation]]:
    """Yield conversations in batches, in order; one of an id that the batch has already begins another."""
    batch: list[Conversation] = []
    size = 0
    for conversation in conversations:
        if batch and (len(batch) >= BATCH or size >= BATCH_TEXT or any(conversation.id == each.id for each in batch)):
            yield batch
            batch, size = [], 0
        batch.append(conversation)
        size += sum(len(message.content) for message in conversation.messages)
    if batch:
        yield batch


def in_layer(conversation: Conversation, one_layer: bool) -> Conversation:
    """Return a conversation with its layer, where the repository has the help layer only and nothing else is said."""
    if not one_layer or conversation.meta.get("workspace_id") or conversation.meta.get("help_mode") is not None:
        return conversation
    return replace(conversation, meta={**conversation.meta, "help_mode": True})


def store_batch(
    sessions: SessionStore, catalogue: Catalogue, batch: list[Conversation], now: datetime, partial: bool
) -> list[tuple[Kept, bool]]:
    """Write the session files of a batch, durably; return what is kept of each, and whether there was anything new.

    They come before the turns: the time that a conversation without times gets is remembered here.
    """
    kept = []
    with sessions.locked(), sessions.trouble():
        for conversation in batch:
            old = sessions.read(conversation.id)
            each = keep(conversation, old, now, partial=partial)
            worth = each.session != old and bool(each.turns or each.session.messages or each.session.summary)
            kept.append((each, worth))
        if any(new for _, new in kept):
            catalogue.begin()
            fresh = [each.session for each, new in kept if new]
            for path, session in zip(sessions.put_all(fresh), fresh, strict=True):
                catalogue.note(path, session)
    return kept


def flush(sessions: SessionStore, catalogue: Catalogue) -> None:
    """Bring the catalogue up to date; also when a process that was killed has left it behind."""
    if catalogue.pending or catalogue.left_behind():
        with sessions.locked(), sessions.trouble():
            catalogue.finish()
