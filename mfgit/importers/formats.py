"""The formats by name, and which one a file is in."""

import importlib
import re
from collections.abc import Iterator
from typing import Any, Protocol, cast

from mfgit.importers.source import Source

MODULES = {
    "turns": "turns",
    "sessions": "sessions",
    "chatgpt": "chatgpt",
    "claude": "claude",
    "claude-code": "claude_code",
    "openclaw": "openclaw",
    "codex": "codex",
    "openwebui": "openwebui",
    "librechat": "librechat",
    "slack": "slack",
    "sharegpt": "sharegpt",
    "openai": "openai",
}
"""Name of a format -> its module in `mfgit.importers`."""
SIGNS: tuple[tuple[str, str], ...] = (
    (
        "codex",
        (
            r'"type"\s*:\s*"(session_meta|response_item|event_msg|turn_context)"|"record_type"\s*:\s*"state"'
            r'|^\{\s*"session"\s*:\s*\{[^{}]*\}\s*,\s*"items"\s*:'
            r'|^\{"id"\s*:\s*"[^"]+"\s*,\s*"timestamp"\s*:\s*"[^"]+"\s*,\s*"instructions"\s*:'
        ),
    ),
    ("openclaw", r'^\{[^\n]*"type"\s*:\s*"session"\s*[,}]'),
    (
        "claude-code",
        (
            r'"(parentUuid|isSidechain|loglines)"\s*:|"type"\s*:\s*"(summary|file-history-snapshot|queue-operation)"'
            r'|^\{[^{}\[\]]*"type"\s*:\s*"(user|assistant)"[^{}\[\]]*"message"\s*:\s*\{'
            r'|^\{(?=[^{}\[\]]*"message"\s*:\s*\{)(?=[^\n]*\}\s*,[^{}\[\]\n]*"type"\s*:\s*"(user|assistant)")(?=[^\n]*"(uuid|sessionId)")'
        ),
    ),
    ("turns", r'"user_message"\s*:'),
    ("chatgpt", r'"mapping"\s*:\s*\{'),
    ("claude", r'"chat_messages"\s*:\s*\['),
    ("openwebui", r'"(currentId|childrenIds)"\s*:'),
    ("librechat", r'"(messagesTree|isCreatedByUser)"\s*:'),
    ("sessions", r'"sessionId"\s*:.*"messages"\s*:\s*\[|"messages"\s*:\s*\[.*"sessionId"\s*:'),
    ("sharegpt", r'"conversations?"\s*:\s*\[\s*\{\s*"(from|value)"\s*:'),
    ("openai", r'"role"\s*:\s*"(system|developer|user|assistant)"'),
)
"""What the first bytes of a format hold, the surest first. A key in the text of a message has a backslash before its quotes."""
EXPORT_FILES = r"(^|/)(conversations(-\d+)?\.json|[^/]+\.jsonl?)$"


class Format(Protocol):
    """A module that reads one format: `EXPECTED` says in a few words what it takes; `read` yields what a source holds."""

    EXPECTED: str

    def read(self, source: Source) -> Iterator[Any]:
        """Yield `Conversation`s (of turns: values), `Skipped` and `Damage`."""
        ...


def format_named(name: str) -> Format:
    """Return the module of a format."""
    return cast("Format", importlib.import_module(f"mfgit.importers.{MODULES[name]}"))


def detect(source: Source) -> str | None:
    """Return the name of the format that a source is in, None when it looks like none."""
    from mfgit.importers import slack

    if slack.detects(source):
        return "slack"
    members = source.files(EXPORT_FILES)
    members.sort(key=lambda member: not re.search(r"(^|/)conversations[^/]*$", member.name))
    for member in members[:20]:
        if name := told_by(member.head()):
            return name
    return None


def told_by(head: bytes) -> str | None:
    """Return the format that the first bytes of a file speak for, None when they speak for none."""
    text = head.decode("utf-8", "replace").removeprefix("\ufeff").lstrip()
    if not text.startswith(("{", "[")):
        return None
    return next((name for name, sign in SIGNS if re.search(sign, text, re.DOTALL)), None)
