"""The sample that `mfgit demo` works on: a product's pages and a month of questions about it, in English and Chinese.

All of it is made up for mfgit. Nothing here is random: the same turns come out every time.
"""

import tomllib
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
FIRST_DAY = datetime.fromisoformat("2026-10-01T08:00:00+08:00")
DAYS = 28
SINCE = "2026-10-01T00:00:00+08:00"
UNTIL = "2026-10-31T00:00:00+08:00"
SMALL_TALK_COUNT = 70
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8J9k0L1m2N3p4Q5r6S7t8"  # in parts, so that scanners of this repository stay calm


def originals() -> dict[str, bytes]:
    """Return the pages people wrote, by their path from the top of the repository."""
    top = FOLDER / "originals"
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in sorted(top.rglob("*.md"))}


def turns() -> list[dict[str, Any]]:
    """Return the turns in the order of their times, as lines of an archive, `request_id` and all."""
    topics = tomllib.loads((FOLDER / "topics.toml").read_text("utf-8"))["topic"]
    once = tomllib.loads((FOLDER / "once.toml").read_text("utf-8"))
    drafts = [draft for number, topic in enumerate(topics) for draft in of_topic(topic, number)]
    replies = cycle(["You are welcome.", "不客气。"])
    singles = [*once["answered"], *once["personal"]]
    drafts += [of_day(number, asked.replace("{token}", TOKEN), reply) for number, (asked, reply) in enumerate(singles)]
    talk = cycle(once["small_talk"])
    drafts += [of_day(3 * number + 1, next(talk), next(replies)) for number in range(SMALL_TALK_COUNT)]
    drafts.sort(key=lambda draft: (draft["timestamp"], draft["user_message"]))
    return [{**draft, **identity(number)} for number, draft in enumerate(drafts, 1)]


def of_topic(topic: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """Yield the turns of one topic, spread over the month."""
    asked, answers, ratings = cycle(topic["asked"]), cycle(topic["answers"]), cycle(topic["ratings"])
    for at in range(topic["count"]):
        draft = of_day(7 * number + 5 * at, next(asked), next(answers), topic.get("workspace"))
        rating = next(ratings)
        reasons = topic.get("reasons", []) if rating == "down" else []
        yield {**draft, "rating": rating, "rating_reasons": reasons, "rating_note": topic.get("note")} if rating else draft


def of_day(slot: int, asked: str, reply: str, workspace: str | None = None) -> dict[str, Any]:
    """Return a turn at a slot of the month; slots past the last day start over an hour and some minutes later."""
    round_, day = divmod(slot, DAYS)
    when = FIRST_DAY + timedelta(days=day, hours=round_ % 10, minutes=(17 * slot + len(asked)) % 60)
    return {
        "timestamp": when.isoformat(),
        "user_id": f"user-{(slot * 7 + len(asked)) % 41:02d}",
        "help_mode": workspace is None,
        **({"workspace_id": workspace} if workspace else {}),
        "user_message": asked,
        "assistant_message": reply,
    }


def identity(number: int) -> dict[str, str]:
    """Return the ids of the turn with this number; each turn is a session of its own."""
    return {"request_id": f"r{number:04d}", "session_id": f"s{number:04d}", "assistant_message_id": f"a{number:04d}"}
