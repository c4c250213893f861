"""Rating a reply later: an event in the day file that holds it."""

from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from mfgit.archive import days
from mfgit.archive.appending import encoded
from mfgit.archive.ids import find
from mfgit.archive.store import Store
from mfgit.errors import BadInput, Missing
from mfgit.model import Rating, format_time
from mfgit.redact import either, redact, safe_id


class Rate(NamedTuple):
    """A verdict on a reply; `rating` is up, down or 1 to 5."""

    assistant_message_id: str
    rating: Rating
    reasons: tuple[str, ...] = ()
    note: str | None = None

    def event(self, now: datetime) -> dict[str, Any]:
        """Return the line that stores it, redacted."""
        return {
            "event": "rating",
            "assistant_message_id": self.assistant_message_id,
            "rating": self.rating,
            "rating_reasons": [redact(reason) for reason in self.reasons],
            "rating_note": None if self.note is None else redact(self.note),
            "rated_at": format_time(now),
        }


def rate(store: Store, rating: Rate, now: datetime) -> str:
    """Store a rating beside its turn; return the `YYYY-MM-DD` of the day file once it is on the disk.

    Raises `Missing` when no turn has that reply, `BadInput` when the disk refuses.
    """
    found = reply_of(store.folder, rating.assistant_message_id)
    if found is None:
        raise Missing(
            f"No stored reply has the id {redact(safe_id(rating.assistant_message_id))}.",
            "Give the assistant_message_id that archive append acknowledged.",
        )
    day, message_id = found
    with store.trouble():
        with store.locked():
            writer, _ = store.write(day, encoded(rating._replace(assistant_message_id=message_id).event(now)))
        writer.sync()
    return day


def reply_of(folder: Path, given: str) -> tuple[str, str] | None:
    """Return the day of a reply and the id it is stored under, whether that is the given one or the safe one."""
    return next(((day, each) for each in either(given) if (day := day_of(folder, each)) is not None), None)


def day_of(folder: Path, message_id: str) -> str | None:
    """Return the day whose file holds the turn with this reply, the newest first; None when no file does."""
    trouble = ""
    for file in reversed(days.day_files(folder)):
        try:
            with file.open() as stream:
                if find(stream, "assistant_message_id", message_id) is not None:
                    return file.date
        except (OSError, EOFError) as error:
            trouble = trouble or f"{file.path} cannot be read: {getattr(error, 'strerror', None) or error}."
    if trouble:
        raise BadInput(trouble, "The turn was found in no other file; mfgit archive check lists what is damaged.")
    return None
