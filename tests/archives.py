"""Turns, ratings and day files for tests, and what a plain reader sees in them."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mfgit.archive import Reading, read
from mfgit.archive.remote import RemoteFolder

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = "2026-11-30"
CHAT = "tmp/memoryforge/chat-archive"
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
FAR = datetime(2100, 1, 1, tzinfo=UTC)


def turn(key: object, when: datetime = NOW, **more: Any) -> dict[str, Any]:
    """Return a turn as a chat backend sends it."""
    return {
        "timestamp": when.isoformat(),
        "request_id": f"r{key}",
        "session_id": "s1",
        "user_message": f"question {key} 怎么开发票",
        "assistant_message": f"answer {key}",
        "assistant_message_id": f"m{key}",
        **more,
    }


def line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def event(message: object, rating: Any, **more: Any) -> dict[str, Any]:
    """Return a rating as it stands in a day file."""
    return {"event": "rating", "assistant_message_id": f"m{message}", "rating": rating, "rated_at": NOW.isoformat(), **more}


def everything(folder: Path | RemoteFolder) -> Reading:
    return read(folder, LONG_AGO, FAR)


def stored(folder: Path) -> list[dict[str, Any]]:
    """Return what a plain JSON Lines reader sees; fails when a line is not whole."""
    values = []
    for path in sorted(folder.glob("*.jsonl")):
        data = path.read_bytes()
        assert data == b"" or data.endswith(b"\n"), path.name
        values += [json.loads(each) for each in data.split(b"\n")[:-1]]
    return values


def ids(folder: Path) -> Counter[str]:
    return Counter(value["request_id"] for value in stored(folder) if "user_message" in value)


def put(folder: Path, *lines: bytes, day: str = DAY) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{day}.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def feed(*turns: dict[str, Any]) -> str:
    return b"".join(map(line, turns)).decode()
