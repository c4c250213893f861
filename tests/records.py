"""Proposal records made by hand, for tests."""

from typing import Any

from mfgit.model import Alias, Evidence, Record


def identity(number: int) -> str:
    """Return the id of a test's proposal."""
    return f"{number:016x}"


def record(number: int, **changes: Any) -> Record:
    """Return a verified answer of the help root, with changes."""
    fields: dict[str, Any] = {
        "id": identity(number),
        "title": f"How do I change setting {number}?",
        "action_type": "verified_answer",
        "target_layer": "help",
        "root": "help",
        "priority": "medium",
        "frequency": 4,
        "distinct_users": 3,
        "suggestion": f"Open the menu and choose {number}.",
        "questions": (f"How do I change setting {number}?", f"change setting {number}"),
        "evidence": (Evidence(f"r-{number}", "2026-11-01", "how?", "up"),),
        "keys": (identity(number),),
        "why": ("asked 4 times",),
        "first_seen": "2026-11-01",
        "last_seen": "2026-11-20",
    }
    return Record(**(fields | changes))


def wording(number: int, page: str = "help/password.md", text: str = "") -> Record:
    """Return a proposal that adds an alias to a page."""
    alias = text or f"lost password {number}"
    return record(number, action_type="index", suggestion="", aliases=(Alias(page, alias),))


def draft(number: int, **changes: Any) -> Record:
    """Return a supplement without an answer."""
    return record(number, **{"action_type": "supplement", "suggestion": "", **changes})
