"""Archiving by itself: an agent's hook hands its transcript over, and a sweep takes what has been idle, or all at day's end."""

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from mfgit import archive
from mfgit.archive import days
from mfgit.archive.entries import RETAINED
from mfgit.archive.meeting import marks_of, seen
from mfgit.archive.pending import Pending
from mfgit.archive.policy import Holds, Policy, readable
from mfgit.archive.sessions import PLAIN_NAME, SessionStore, replace_file
from mfgit.errors import BadInput
from mfgit.model import Progress, Turn, format_time, quiet, read_json
from mfgit.project.adding import Added, transcript
from mfgit.project.archiving import chat_folder
from mfgit.project.archiving_sessions import session_folder, store
from mfgit.project.base import Repository
from mfgit.project.following import follow
from mfgit.project.retaining import terms_of
from mfgit.redact import redact
from mfgit.session import WHOLE, Conversation, Message, Session

IDLE = 30
"""Minutes without a word after which a session is archived."""
STATE = "transcripts.json"
DAY_END = clock(23, 59)
"""The local time at which all that is open is archived."""
AGENT = re.compile(r"agent:([A-Za-z0-9_-]+):")
"""The beginning of a session's key in OpenClaw; the agent's sessions are in a folder of its name."""
PATHS = ("transcript_path", "transcriptPath", "session_file", "sessionFile", "path")


class Swept(NamedTuple):
    """What a sweep archived: sessions by id, how many turns were new, what is still going on, what could not be read.

    `too_old` counts sessions of turns that were left because retention no longer keeps such old ones whole; `proposals` are
    those of memories (id → new, updated, unchanged).
    """

    sessions: tuple[str, ...]
    turns: int
    going_on: int
    problems: tuple[str, ...]
    too_old: int = 0
    proposals: Mapping[str, str] = MappingProxyType({})


class State:
    """Which transcripts are known, with the stamp each had when it was archived (empty: not yet). Derived but for open ones."""

    def __init__(self, sessions: SessionStore) -> None:
        self.sessions = sessions
        self.path = sessions.folder / STATE
        try:
            value = json.loads(self.path.read_bytes())
        except (OSError, ValueError, RecursionError):
            value = {}
        known = value.get("transcripts") if isinstance(value, dict) else None
        self.stamps: dict[str, str] = {str(name): str(stamp) for name, stamp in (known or {}).items()}

    def save(self, changes: dict[str, str | None]) -> None:
        """Write changes (None: no longer known) over what another process may have written meanwhile."""
        if not changes:
            return
        with self.sessions.locked(), self.sessions.trouble():
            stamps = State(self.sessions).stamps
            for name, stamp in changes.items():
                stamps.pop(name, None) if stamp is None else stamps.update({name: stamp})
            data = json.dumps({"transcripts": dict(sorted(stamps.items()))}, ensure_ascii=False, indent=1)
            replace_file(self.path, data.encode("utf-8", "surrogateescape") + b"\n")


def hook(
    repository: Repository, data: bytes, file: str | None = None, progress: Progress = quiet, *, memories: bool = False
) -> Added:
    """Archive the transcript that an agent's hook names, as JSON on its standard input or as a file.

    The transcript is remembered for the next sweeps. Raises `BadInput` when there is none.
    """
    value = read_json(data, "the hook's input") if data.strip() else {}
    given = file or named(value)
    if not given or "\0" in given:
        raise BadInput("The hook's input names no transcript.", 'It should hold "transcript_path"; or name the file.')
    path = Path(given).expanduser().absolute()
    before = stamp_of(path)
    ids: list[str] = []
    fresh: list[str] = []
    stored = store(repository, noted(transcript(path), ids), progress, archived=fresh)
    if not ids:
        raise BadInput(f"{path} holds no session yet.")
    State(SessionStore(session_folder(repository))).save({str(path): before})
    return Added(tuple(dict.fromkeys(ids)), stored, follow(repository, fresh, memories=memories, progress=progress))


def named(value: Any) -> str | None:
    """Return the transcript that a hook's input names: at its top, in its context, or by the session's key and id."""
    if not isinstance(value, dict):
        return None
    context = part_of(value, "context")
    inside = [value, context, part_of(context, "previousSessionEntry"), part_of(context, "sessionEntry")]
    found = [place for part in inside for name in PATHS if isinstance(place := part.get(name), str) and place]
    if found:
        return found[0]
    key = str(value.get("sessionKey") or context.get("sessionKey") or "")
    for part in (inside[2], context, value, inside[3]):
        if (match := AGENT.match(key)) and isinstance(name := part.get("sessionId"), str) and PLAIN_NAME.fullmatch(name):
            home = Path(os.environ.get("OPENCLAW_STATE_DIR") or "~/.openclaw")
            return str(home / "agents" / match[1] / "sessions" / f"{name}.jsonl")
    return None


def part_of(value: dict[str, Any], name: str) -> dict[str, Any]:
    """Return an object inside another, an empty one when there is none."""
    part = value.get(name)
    return part if isinstance(part, dict) else {}


def noted(conversations: Iterable[Conversation], ids: list[str]) -> Iterator[Conversation]:
    """Yield conversations and note their ids."""
    for each in conversations:
        ids.append(each.id)
        yield each


def sweep(
    repository: Repository,
    files: Sequence[str] = (),
    *,
    everything: bool = False,
    idle: int = IDLE,
    memories: bool = False,
    progress: Progress = quiet,
    now: datetime | None = None,
) -> Swept:
    """Archive what has been idle for `idle` minutes or open at the last 23:59, or `everything`: turns and transcripts.

    Sessions are those of the day files, whatever their day, that are in no archived session or have grown since. Transcripts
    are those that hooks have handed over, those that the settings name, and `files`. Again changes nothing.
    `memories` proposes what of the new ones is worth remembering. Raises `BadInput` when one of `files` is not there.
    """
    now = now or datetime.now(UTC)
    before = now if everything else max(now - timedelta(minutes=idle), day_end(now))
    missing = [each for each in files if "\0" in each or not any(matching([each]))]
    if missing:
        raise BadInput(f"There is no transcript {missing[0]!r}.", "Name a file, a folder with .jsonl files, or a pattern.")
    ids, turns, going_on, problems = sweep_transcripts(repository, files, before, progress)
    found = sweep_turns(repository, before, now, progress)
    named = tuple(dict.fromkeys([*ids, *found.sessions]))
    then = follow(repository, named, memories=memories, progress=progress)
    told = (*problems, *found.problems, *then.notes)
    return Swept(named, turns, going_on + found.going_on, told, found.too_old, then.proposals)


def day_end(now: datetime) -> datetime:
    """Return the last 23:59 that has passed by the local clock."""
    today = now.astimezone().date()
    ends = (datetime.combine(day, DAY_END).astimezone() for day in (today, today - timedelta(days=1)))
    return next(end for end in ends if end <= now)


# ---- transcripts


def sweep_transcripts(
    repository: Repository, files: Sequence[str], before: datetime, progress: Progress
) -> tuple[list[str], int, int, list[str]]:
    """Archive the transcripts that changed and that nobody has written to since `before`."""
    state = State(SessionStore(session_folder(repository)))
    changes: dict[str, str | None] = {}
    ids: list[str] = []
    turns = going_on = 0
    problems: list[str] = []
    for name in sorted({*state.stamps, *matching(repository.config.archive.transcripts), *matching(files)}):
        path = Path(name)
        stamp = stamp_of(path)
        if not stamp:
            changes |= {name: None} if name in state.stamps else {}
        elif stamp != state.stamps.get(name):
            if path.stat().st_mtime > before.timestamp():
                going_on += 1
                continue
            try:
                stored = store(repository, transcript(path), progress, archived=ids)
            except BadInput as error:
                problems.append(error.message)
                continue
            changes[name] = stamp
            turns += stored.turns
    state.save(changes)
    return ids, turns, going_on, problems


def matching(patterns: Iterable[str]) -> Iterator[str]:
    """Yield the files that patterns name; a folder stands for the `.jsonl` files in it."""
    for pattern in patterns:
        place = Path(pattern).expanduser().absolute()
        found = [place] if place.exists() else sorted(Path(place.anchor).glob(str(place.relative_to(place.anchor))))
        for path in found:
            yield from map(str, sorted(path.rglob("*.jsonl")) if path.is_dir() else [path])


def stamp_of(path: Path) -> str:
    """Return what changes whenever a file does; nothing for one that is not there."""
    try:
        state = path.stat()
    except OSError:
        return ""
    return f"{state.st_mtime_ns}-{state.st_size}"


# ---- sessions of which the day files hold the turns


def sweep_turns(repository: Repository, before: datetime, now: datetime, progress: Progress) -> Swept:
    """Make sessions of the turns that a chat backend appended, of those that nobody has spoken in since `before`."""
    folder, sessions = chat_folder(repository), SessionStore(session_folder(repository))
    if not days.day_files(folder):
        return Swept((), 0, 0, ())
    pending = Pending(sessions)
    pending.follow(folder, now, progress)
    due = {name for name, each in pending.waiting.items() if each.last <= before}
    old, problems = archived(sessions, due)
    due -= problems.keys()
    ids: list[str] = []
    talks = talks_of(folder, due, first_day(pending, due, old), progress) if due else {}
    young = {name: turns for name, turns in talks.items() if any(is_young(repository, turn, now) for turn in turns)}
    parts = (conversation_of(name, turns, old.get(name)) for name, turns in sorted(young.items()))
    store(repository, parts, progress, now, partial=True, archived=ids)
    pending.done(due)
    pending.save()
    return Swept(tuple(ids), 0, len(pending.waiting) - len(problems), tuple(problems.values()), len(talks) - len(young))


def archived(sessions: SessionStore, names: Iterable[str]) -> tuple[dict[str, Session], dict[str, str]]:
    """Return those of some sessions that are archived already, and what is wrong with those that cannot be read."""
    found: dict[str, Session] = {}
    problems: dict[str, str] = {}
    for name in sorted(names):
        try:
            old = sessions.read(name)
        except BadInput as error:
            problems[name] = f"{error.message} Its new turns wait until that file is mended or moved away."
        else:
            found |= {name: old} if old else {}
    return found, problems


def first_day(pending: Pending, names: Iterable[str], old: Mapping[str, Session]) -> datetime:
    """Return the time from which turns of some sessions are looked for."""
    named = [pending.waiting[name].day for name in names]
    day = min([*named, *(session.date for session in old.values() if days.is_day(session.date))])
    first, _ = days.around(date.fromisoformat(day), date.fromisoformat(day))
    return datetime.combine(first, clock(0), UTC)


def talks_of(folder: Path, names: Collection[str], since: datetime, progress: Progress) -> dict[str, list[Turn]]:
    """Return the turns of some sessions that are still whole and came by themselves, by session, oldest first."""
    talks: dict[str, list[Turn]] = defaultdict(list)
    for turn in archive.read(folder, since, datetime.max.replace(tzinfo=UTC), progress, names).turns:
        if turn.session_id and "archived_at" not in turn.extra and RETAINED not in turn.extra:
            talks[turn.session_id].append(turn)
    return talks


def is_young(repository: Repository, turn: Turn, now: datetime) -> bool:
    """Tell whether a turn is in the first of retention's tiers."""
    terms = terms_of(repository)
    given = {"timestamp": format_time(turn.timestamp), "help_mode": turn.help_mode, "workspace_id": turn.workspace_id}
    policy = Policy(terms["help"], terms["workspace"], Holds(), now)
    return readable({**given, "imported_at": turn.extra.get("imported_at")}, policy) == WHOLE


def conversation_of(name: str, turns: Sequence[Turn], old: Session | None) -> Conversation:
    """Return the conversation that turns are the parts of; what a session already has in other words of place is left out."""
    messages = [message for turn in turns for message in messages_of(turn)]
    ids = {message.id for message in messages}
    known = (*marks_of(old), *map(seen, old.messages)) if old else ()
    said = Counter(each.said for each in known if each.id not in ids)
    fresh = []
    for message in messages:
        key = seen(replace(message, content=redact(message.content))).said
        if said[key]:
            said[key] -= 1
        else:
            fresh.append(message)
    first = turns[0]
    given = {name: getattr(first, name) for name in ("user_id", "workspace_id", "user_agent_id")}
    return Conversation(
        id=name,
        source=old.source if old and old.source else "turns",
        channel=str(first.extra.get("channel") or (old.channel if old else "") or "chat"),
        participants=(*dict.fromkeys(turn.user_id or "user" for turn in turns), "assistant"),
        started=first.timestamp,
        messages=tuple(fresh),
        meta={key: value for key, value in {**given, "help_mode": first.help_mode or None}.items() if value is not None},
    )


def messages_of(turn: Turn) -> Iterator[Message]:
    """Yield the question and the reply of a turn."""
    yield Message("user", turn.user_message, turn.timestamp, turn.request_id)
    if turn.assistant_message:
        message = Message("assistant", turn.assistant_message, turn.timestamp, turn.assistant_message_id)
        yield replace(message, rating=turn.rating, rating_reasons=turn.rating_reasons, rating_note=turn.rating_note)
