"""Which messages of a session are known already: those it holds, and those of which retention has left a mark only."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from mfgit.archive.entries import digest
from mfgit.errors import BadInput
from mfgit.model import parse_time
from mfgit.redact import unnumbered
from mfgit.session import Message, Session


class Seen(NamedTuple):
    """What tells a message from the others of its session: who said it, a hash of what, when, and its own id."""

    role: str
    digest: str
    time: datetime | None
    id: str | None

    @property
    def said(self) -> tuple[str, str]:
        """Who said what."""
        return self.role, self.digest

    def to_json(self) -> dict[str, Any]:
        """Return what is left of the message in a session's file once it has been cleared."""
        left = {"role": self.role, "said": self.digest, "time": self.time.isoformat() if self.time else None, "id": self.id}
        return {name: given for name, given in left.items() if given is not None}


class Met(NamedTuple):
    """All messages of a session, `known` with the cleared ones before them, and the place in `known` of each that came.

    Where nothing is left of the cleared ones, `known` is empty and the conversation has to be taken as it came.
    """

    messages: tuple[Message, ...]
    known: tuple[Seen, ...]
    places: tuple[int, ...]


def seen(message: Message) -> Seen:
    """Return what tells a message from the others; marks in its text count whatever their number."""
    return Seen(message.role, digest(unnumbered(message.content)), message.time, message.id)


def marks_of(session: Session) -> tuple[Seen, ...]:
    """Return what is left of the messages that retention cleared; a time that cannot be read is none."""
    found = []
    for mark in session.cleared:
        try:
            time = parse_time(mark["time"], "time") if mark.get("time") else None
        except BadInput:
            time = None
        found.append(Seen(mark["role"], mark["said"], time, mark.get("id")))
    return tuple(found)


def all_marks(session: Session) -> tuple[Mapping[str, Any], ...]:
    """Return the marks that a session has once its messages are cleared, too."""
    return (*session.cleared, *(seen(message).to_json() for message in session.messages))


def meet(old: Session | None, new: Sequence[Message], *, partial: bool) -> Met:
    """Return what a session holds once messages have come; what is known of them is not taken again, all else is."""
    if old is None:
        messages, places = together((), new)
        return Met(messages, tuple(map(seen, messages)), places)
    gone = marks_of(old)
    if not gone and old.message_count > len(old.messages) and not partial:
        return Met(together(old.messages, since_cleared(old, new)).messages, (), ())
    at = known_places(gone, new)
    fresh = [message for message, place in zip(new, at, strict=True) if place is None]
    messages, places = together(old.messages, fresh, whole=not partial and not gone)
    following = (place + len(gone) for place in places)
    every = tuple(next(following) if place is None else place for place in at)
    return Met(messages, (*gone, *map(seen, messages)), every)


def since_cleared(old: Session, new: Sequence[Message]) -> Sequence[Message]:
    """Return what came after a session was cleared that has no marks: by time, or by number where there are no times."""
    if all(message.time for message in new) and old.archived_at:
        return [message for message in new if message.time and message.time > old.archived_at]
    return new[old.message_count - len(old.messages) :]


class Together(NamedTuple):
    """All messages of a session, and the place among them of each one that came."""

    messages: tuple[Message, ...]
    places: tuple[int, ...]


def together(old: Sequence[Message], new: Sequence[Message], *, whole: bool = False) -> Together:
    """Return what is known of a session and what is new; nothing that was said is dropped, and no time is lost.

    When everything known came again, all is in the order in which it came; else what is new follows what is known.
    `whole` says that the conversation came from its beginning.
    """
    found = exported_again(old, new) if whole else None
    if found is None:
        found = known_places(list(map(seen, old)), new)
    if len(set(found) - {None}) == len(old):
        every = tuple(each if at is None else again(old[at], each) for at, each in zip(found, new, strict=True))
        return Together(every, tuple(range(len(new))))
    messages, places = list(old), []
    for at, each in zip(found, new, strict=True):
        places.append(len(messages) if at is None else at)
        if at is None:
            messages.append(each)
        else:
            messages[at] = again(old[at], each, marks=True)
    return Together(tuple(messages), tuple(places))


def exported_again(old: Sequence[Message], new: Sequence[Message]) -> list[int | None] | None:
    """Return the places of a conversation that begins with all that is known, word for word; None when it does not.

    An export may give every message another id and another time than the one before.
    """
    if not 2 <= len(old) <= len(new) or any(seen(a).said != seen(b).said for a, b in zip(old, new, strict=False)):
        return None
    return [place if place < len(old) else None for place in range(len(new))]


def known_places(old: Sequence[Seen], new: Sequence[Message]) -> list[int | None]:
    """Return where each new message is among the known ones, each of which is found once at most."""
    if not old:
        return [None] * len(new)
    free: dict[Hashable, list[int]] = defaultdict(list)
    for number, each in enumerate(old):
        for key in (*keys_of(each), each.said):
            free[key].append(number)
    came = list(map(seen, new))
    taken: set[int] = set()
    found: list[int | None] = [None] * len(new)
    for keys in (keys_of, lambda each: (each.said,)):  # the surest first: what has no time may be any of the same words
        for number, each in enumerate(came):
            if found[number] is None:
                near = (at for key in keys(each) for at in free.get(key, ()) if at not in taken)
                found[number] = next((at for at in near if may_be(old[at], each)), None)
                taken |= {at for at in (found[number],) if at is not None}
    return found


def keys_of(each: Seen) -> tuple[Hashable, ...]:
    """Return what tells a message from the others of its session: its id, and who said what when."""
    exact = (*each.said, each.time)
    return (("id", each.id), exact) if each.id else (exact,)


def may_be(old: Seen, new: Seen) -> bool:
    """Tell whether messages that have something in common are one: no ids that differ, else no times that differ."""
    if old.id and new.id:
        return old.id == new.id
    return not (old.time and new.time) or old.time == new.time


def again(old: Message, new: Message, marks: bool = False) -> Message:
    """Return a known message as it came again; one in a part keeps its text when only the numbers of `marks` differ."""
    same = marks and unnumbered(old.content) == unnumbered(new.content)
    rated = new if new.rating is not None else old
    return replace(
        new,
        content=old.content if same else new.content,
        time=old.time or new.time,
        id=old.id or new.id,
        rating=rated.rating,
        rating_reasons=rated.rating_reasons,
        rating_note=rated.rating_note,
        extra={**old.extra, **new.extra},
    )
