"""Getting an archived conversation as it was, by its id or the start of one."""

import difflib
import json
from typing import Any, NamedTuple

from mfgit.archive import days, fitting, ids
from mfgit.archive.documents import Place, line_at, turn_of
from mfgit.archive.sessions import SessionStore
from mfgit.archive.slices import Folders
from mfgit.archive.talks import Excerpt, Talk, excerpt, of_session, of_turns, span
from mfgit.errors import BadInput, Missing, Refusal
from mfgit.index.searcher import Damaged, Searcher
from mfgit.model import Turn
from mfgit.progress import Progress, quiet
from mfgit.project import nearing_archive, recalling
from mfgit.project.base import Repository
from mfgit.redact import either, redact

MOST_NAMED = 5
ABOUT_SHARE = 3
"""The part of a budget, as 1 of so many, that what is said about a conversation may take."""
ENOUGH = 50
"""Ids with one beginning that are looked at."""


class Fetched(NamedTuple):
    """A conversation and the part of it that was asked for; `request_id` is set when the id named one turn of it.

    `lost` are the fields of what is said about it that did not fit into the budget whole.
    """

    talk: Talk
    part: Excerpt
    request_id: str | None = None
    lost: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return what `archive get --json` prints."""
        talk, part = self.talk, self.part
        messages = [
            {"number": number, **message.to_json(), **({"bytes_left_out": cut} if cut else {})}
            for number, message, cut in part.messages
        ]
        return {
            "session_id": talk.session_id,
            "request_id": self.request_id,
            "date": talk.date,
            **talk.about,
            "messages": messages,
            "range": [part.first, part.last],
            "total": part.total,
            "suggested": list(part.suggested),
            "note": self.note,
        }

    @property
    def note(self) -> str | None:
        """What the reader should know: what retention cleared, and how to get the rest."""
        said = [self.talk.note] if self.talk.note else []
        if self.lost:
            said.append(f"Cut to fit: {', '.join(self.lost)}.")
        if self.part.suggested:
            said.append(
                f"Messages {self.part.first}-{self.part.last} of {self.part.total} fit; next is {self.part.suggested[0]}."
            )
        return " ".join(said) or None


def get(
    repository: Repository,
    identity: str,
    *,
    messages: str | None = None,
    budget: int = 0,
    progress: Progress = quiet,
) -> Fetched:
    """Return a conversation by its session id, a request id in it, or an unambiguous start of either.

    `messages` is a range as in `talks.span`; a request id alone gives its own messages. All that is printed of the result
    takes at most `budget` bytes, from `fitting.LEAST` on; 0 is no limit. Raises `BadInput` for an id that
    is not there (it names near ones) or not unambiguous.
    """
    if budget < 0:
        raise BadInput(f"The budget is {budget} bytes; it must be 0 (no limit) or more.")
    identity = identity.strip()
    if not identity:
        raise Missing("No id was given.", "mfgit archive search finds conversations and names their ids.")
    for _ in range(2):
        searcher = recalling.searcher_of(repository, progress)
        try:
            return fetched(searcher, recalling.folders(repository), identity, messages, budget)
        except Damaged:
            recalling.store_of(repository).discard()
    raise BadInput("The archive's index cannot be read back.", f"Delete it: rm -r {recalling.index_folder(repository)}")


def fetched(searcher: Searcher, where: Folders, identity: str, messages: str | None, budget: int) -> Fetched:
    """Return a conversation, with the help of an open index."""
    found = named(searcher, where, identity)
    turn = None if is_session(searcher, where, found) else turn_named(where, found)
    talk = talk_of(searcher, where, turn.session_id if turn and turn.session_id else found, turn)
    numbers = numbers_of(talk, turn) if turn else []
    if turn and not numbers:
        talk = of_turns(turn.session_id or "", [turn])
    if numbers and messages is None:
        messages = f"{numbers[0]}-{numbers[-1]}"
    return within(talk, messages, budget, found if turn else None)


def within(talk: Talk, messages: str | None, budget: int, request_id: str | None) -> Fetched:
    """Return as much of a conversation as a budget of bytes holds, with all that is said beside its messages."""
    if not budget:
        return Fetched(talk, excerpt(talk.messages, messages), request_id)
    total = len(talk.messages)
    span(messages, total)
    most = tuple(f"{total}-{total}" for _ in range(fitting.MOST_NAMED))
    names = tuple(talk.about)
    bare = Fetched(talk._replace(about={}), Excerpt((), total, total, total, most), request_id, names)
    left = max(0, budget - fitting.weight(bare.to_json()) - fitting.weight(most))
    about, lost = fitting.about_within(talk.about, left // ABOUT_SHARE)
    room = max(fitting.LEAST_ROOM, left - fitting.weight(about))
    return Fetched(talk._replace(about=about), excerpt(talk.messages, messages, room), request_id, lost)


def numbers_of(talk: Talk, turn: Turn) -> list[int]:
    """Return the numbers of a turn's question and of all that follows it up to the next question; none when it is not there."""
    asked = [number for number, message in enumerate(talk.messages, 1) if message.role == "user"]
    same = [
        number
        for number in asked
        if talk.messages[number - 1].id == turn.request_id or talk.messages[number - 1].content == turn.user_message
    ]
    if not same:
        return []
    start = min(same, key=lambda number: talk.messages[number - 1].time != turn.timestamp)
    end = next((number - 1 for number in asked if number > start), len(talk.messages))
    return list(range(start, end + 1))


def named(searcher: Searcher, where: Folders, text: str) -> str:
    """Return the id that a text is or begins; raises `BadInput`."""
    for each in either(text):
        if is_session(searcher, where, each) or turn_named(where, each):
            return each
    sessions = {*searcher.starting("id", text, ENOUGH), *SessionStore(where.sessions).find(text)}
    found = sorted(sessions or request_ids(where, text))
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInput(
            f"{redact(text)} is the start of {len(found)}{' or more' if len(found) >= ENOUGH else ''} ids: "
            f"{', '.join(found[:MOST_NAMED])}{', …' if len(found) > MOST_NAMED else ''}.",
            "Give more of the id.",
        )
    near = difflib.get_close_matches(text, searcher.starting("id", text[:2], 1000), 3, 0.6)
    hint = f"Near are {', '.join(near)}." if near else "mfgit archive search finds conversations and names their ids."
    raise Missing(f"There is no conversation or turn {redact(text)} in the archive.", hint)


def talk_of(searcher: Searcher, where: Folders, session_id: str, turn: Turn | None) -> Talk:
    """Return the conversation of a session id: its file, and what the day files have of it where that holds no messages."""
    session = SessionStore(where.sessions).read(session_id)
    if session is not None and session.messages:
        return of_session(session)
    places = [nearing_archive.place_of(searcher, position) for position in searcher.holders("id", session_id)]
    told = of_turns(session_id, read_turns(where, [place for place in places if place.day]))
    if session is None and turn is not None and not told.messages:
        return of_turns("", [turn])
    if session is None:
        if not told.messages:
            raise Refusal(f"{session_id} is no longer in the archive.", "mfgit archive search finds what is.")
        return told
    kept = of_session(session)
    return kept._replace(messages=told.messages)


def read_turns(where: Folders, places: list[Place]) -> list[Turn]:
    """Return the turns at some places of the day files, each request once."""
    found: dict[str, Turn] = {}
    for place in sorted(places):
        try:
            turn = turn_of(days.strip(line_at(where.chat, place)))
        except (OSError, EOFError):
            continue
        if turn is not None:
            found.setdefault(turn.request_id, turn)
    return list(found.values())


def is_session(searcher: Searcher, where: Folders, text: str) -> bool:
    """Tell whether a text is the whole id of a session."""
    return bool(searcher.holders("id", text)) or SessionStore(where.sessions).path_of(text) is not None


def turn_named(where: Folders, request_id: str) -> Turn | None:
    """Return the turn with this request id, the newest day first; None when there is none."""
    for file in reversed(days.day_files(where.chat)):
        try:
            with file.open() as stream:
                value = ids.find(stream, "request_id", request_id)
        except (OSError, EOFError):
            continue
        if value is not None and (turn := turn_of(json.dumps(value).encode())):
            return turn
    return None


def request_ids(where: Folders, start: str) -> list[str]:
    """Return request ids that begin with a text, up to `ENOUGH`, the newest day first."""
    found: dict[str, None] = {}
    for file in reversed(days.day_files(where.chat)):
        try:
            with file.open() as stream:
                for _, data in ids.blocks(stream, 0):
                    every = (ids.unescaped(match[1]) for match in ids.REQUEST_ID.finditer(data))
                    found.update(dict.fromkeys(each for each in every if each.startswith(start)))
        except (OSError, EOFError):
            continue
        if len(found) >= ENOUGH:
            break
    return list(found)[:ENOUGH]
