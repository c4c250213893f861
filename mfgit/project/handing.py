"""Archiving one session that an agent names by its key: from the messages it hands over, or from its transcript."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from mfgit.archive.conversations import keep
from mfgit.archive.sessions import SessionStore
from mfgit.errors import BadInput, MfgitError
from mfgit.project.adding import transcript
from mfgit.project.archiving_sessions import Stored, session_folder, store
from mfgit.project.base import Repository
from mfgit.project.sweeping import State, matching
from mfgit.session import Conversation, conversation

NAMES = "sessions.json"
"""The file beside OpenClaw's transcripts that says which session a key is."""


class Handed(NamedTuple):
    """The session as it is in the archive, and what was new."""

    session_id: str
    date: str
    stored: Stored


def archive_session(
    repository: Repository,
    key: str,
    *,
    include_messages: bool = True,
    messages: Sequence[Mapping[str, Any]] = (),
    about: Mapping[str, Any] | None = None,
) -> Handed:
    """Archive the session with this key, redacted; again changes nothing but what is new.

    `messages` are {role, content, time}; with none, the transcript that has this key is read: of those a hook handed over,
    and those the settings name. `about` may hold channel, participants, title. Without `include_messages` only summary,
    topics, decisions and the like are kept. Raises `BadInput`.
    """
    key = key.strip()
    if not key:
        raise BadInput("sessionKey is empty.", "Give the key of a session, such as agent:main:main.")
    if messages:
        given = {**(about or {}), "sessionId": key, "messages": [dict(each) for each in messages]}
        found = replace(conversation(given, "the session"), source="mcp")
    else:
        more: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in (about or {}).items()
        }
        found = replace(named(repository, key), **more)
    if not include_messages:
        found = told(found)
    stored = store(repository, [found])
    session = SessionStore(session_folder(repository)).read(found.id)
    if session is None:
        raise BadInput(f"The session {key} holds nothing to archive.", "Give messages of the roles user and assistant.")
    return Handed(session.session_id, session.date, stored)


def told(found: Conversation) -> Conversation:
    """Return a conversation without its messages, and with what they are about."""
    session = keep(found, None, datetime.now(UTC)).session
    names = ("summary", "topics", "keywords", "decisions", "lessons", "feedback")
    meta = {**found.meta, **{name: getattr(session, name) for name in names if getattr(session, name)}}
    return replace(found, messages=(), meta=meta, started=session.started or found.started)


def named(repository: Repository, key: str) -> Conversation:
    """Return the conversation with a key from the transcripts that are known; raises `BadInput`."""
    state = State(SessionStore(session_folder(repository)))
    paths = sorted({*state.stamps, *matching(repository.config.archive.transcripts)})
    wanted = {key, *aliases(paths, key)}
    likely = [path for path in paths if any(each in Path(path).stem for each in wanted)]
    for path in (*likely, *(path for path in paths if path not in likely)):
        for each in readable(Path(path)):
            if each.id in wanted or Path(path).stem in wanted:
                return each
    raise BadInput(
        f"No transcript of the session {key} is known.",
        "Hand the messages over, or name the transcripts in mfgit.toml under [archive] transcripts.",
    )


def readable(path: Path) -> Iterator[Conversation]:
    """Yield the conversations of a transcript, none of one that cannot be read."""
    try:
        yield from transcript(path)
    except (MfgitError, OSError):
        return


def aliases(paths: Sequence[str], key: str) -> Iterator[str]:
    """Yield the ids of the sessions that a key stands for, by the lists beside the transcripts."""
    for folder in sorted({Path(path).parent for path in paths}):
        try:
            value = json.loads((folder / NAMES).read_bytes())
            yield str(value[key]["sessionId"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
