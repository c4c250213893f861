"""Redaction of texts and of JSON values."""

import re
from typing import Any

from mfgit.redact.rules import GATES, NARROWER, RULES, Rule

MARK = re.compile(r"\[redacted:[a-z-]+\]")
"""What stands where something was taken out."""
SMALL = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
ROUNDS = 4
"""How often a text is gone over: what is left beside a mark may be found only then."""
SECRET_NAME = re.compile(
    r"pass(?:word|wd|phrase|code)|pwd|secret|token|credential|api_?key|private_?key|access_?key|密码|口令|密钥", re.I
)


def redact(text: str) -> str:
    """Return text with secrets and personal data replaced by `[redacted:KIND]`; doing it twice changes nothing more."""
    for _ in range(ROUNDS):
        found = spans(text)
        if not found:
            break
        text = replaced(text, found)
    return text


def spans(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, kind) of what has to go, in order, none touching another or a mark that is there already."""
    small = folded(text)
    opened = gates(text, small)
    if not opened:
        return []
    taken = [match.span() for match in MARK.finditer(text)] if "[redacted:" in text else []
    found: list[tuple[int, int, str]] = []
    for rule in RULES:
        if rule.gate in opened:
            for start, end in matches(rule, text, small):
                if all(end <= a or start >= b for a, b in taken):
                    taken.append((start, end))
                    found.append((start, end, rule.kind))
    return sorted(found)


def folded(text: str) -> str:
    """Return a text with ASCII letters small, each character at its place."""
    return text.lower() if text.isascii() else text.translate(SMALL)


def gates(text: str, small: str) -> set[str]:
    """Return the names of the gates that are open for a text."""
    opened = {name for name, gate in GATES.items() if gate(text, small)}
    opened.update([name for name, (wider, gate) in NARROWER.items() if wider in opened and gate(text, small)])
    return opened


def matches(rule: Rule, text: str, small: str) -> list[tuple[int, int]]:
    """Return where a rule finds something."""
    group = "value" if "value" in rule.pattern.groupindex else 0
    found = [match.span(group) for match in rule.pattern.finditer(small if rule.folded else text)]
    return [(start, end) for start, end in found if rule.check(text[start:end])]


def replaced(text: str, found: list[tuple[int, int, str]]) -> str:
    """Return the text with a mark at each place."""
    parts, at = [], 0
    for start, end, kind in found:
        parts += [text[at:start], f"[redacted:{kind}]"]
        at = end
    return "".join([*parts, text[at:]])


def redact_value(value: Any, name: str = "") -> Any:
    """Return a JSON value with every string in it redacted; `name` is the key it stands under.

    What stands under a name like `password` goes as a whole, and so does a long number that is a phone or an id.
    """
    if isinstance(value, str):
        if value and SECRET_NAME.search(name) and not MARK.fullmatch(value):
            return "[redacted:password]"
        return redact(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**10:
        changed = redact(str(value))
        return value if changed == str(value) else changed
    if isinstance(value, list):
        return [redact_value(item, name) for item in value]
    if isinstance(value, dict):
        return {redact(key): redact_value(item, key) for key, item in value.items()}
    return value
