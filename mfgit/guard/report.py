"""Says what was found: as text for people, or as one JSON document."""

from collections.abc import Iterable, Sequence

from mfgit.guard.message import TRAILER
from mfgit.guard.rules import Violation

SHOWN = 20
"""Violations that are shown one by one; the rest is counted by rule."""
REASON_COMMAND = f'git commit --trailer "{TRAILER}: why"'


def as_text(violations: Sequence[Violation]) -> str:
    """Return what people read of one violation or more."""
    lines = [headline(violations)]
    for violation in violations[:SHOWN]:
        lines.append(f"  {sentence(violation)}")
        lines.append(f"    {next_step(violation)}")
    if len(violations) > SHOWN:
        rest = violations[SHOWN:]
        counts = ", ".join(f"{count} × {rule}" for rule, count in counted(rest))
        lines.append(f"  and {len(rest):,} more: {counts}. mfgit guard --json lists them all.")
    if any(violation.rule != "reason" for violation in violations):
        lines.append(f"A person may edit an original, on a branch of their own, with a reason: {REASON_COMMAND}")
    return "\n".join(lines) + "\n"


def headline(violations: Sequence[Violation]) -> str:
    """Return the first line."""
    count = len({violation.path for violation in violations})
    files = "1 path" if count == 1 else f"{count:,} paths"
    if all(violation.rule == "reason" for violation in violations):
        return f"mfgit guard: refused. {files} people wrote changed without a reason."
    return f"mfgit guard: refused, {files}. The machine may change overlays and alias lists, nothing else."


def sentence(violation: Violation) -> str:
    """Return what one violation is."""
    where = f" (commit {violation.commit[:12]})" if violation.commit else ""
    what = f"{shown(violation.path)} {violation.why}" if violation.path else violation.why
    return f"{what}{where} [{violation.rule}]"


def next_step(violation: Violation) -> str:
    """Return the command that comes next."""
    path = quoted(violation.path)
    if violation.rule == "reason":
        if violation.commit:
            return f'git rebase -i {violation.commit[:12]}^, then git commit --amend --trailer "{TRAILER}: why"'
        return f"{REASON_COMMAND}, or leave it out: git restore --staged -- {path}"
    if violation.rule in ("merge", "history"):
        return "mfgit refresh carries the proposal onto the target"
    if violation.commit:
        return f"git rebase -i {violation.commit[:12]}^, and take it out of that commit"
    return f"git restore --staged -- {path}" if violation.path else "git reset"


def counted(violations: Iterable[Violation]) -> list[tuple[str, int]]:
    """Return how often each rule is broken, most often first."""
    rules = [violation.rule for violation in violations]
    return sorted(((rule, rules.count(rule)) for rule in dict.fromkeys(rules)), key=lambda pair: -pair[1])


def shown(text: str) -> str:
    """Return a path as safe to print: what is not printable, and what is not decodable, as escapes."""
    return "".join(
        char if char.isprintable() else f"\\x{ord(char) & 0xFF:02x}" if surrogate(char) else ascii(char)[1:-1] for char in text
    )


def surrogate(char: str) -> bool:
    """Tell whether a character stands for an undecodable byte."""
    return "\udc80" <= char <= "\udcff"


def quoted(path: str) -> str:
    """Return a path as a shell takes it."""
    safe = shown(path)
    if safe != path:
        escaped = "".join(
            f"\\{byte:03o}" if byte < 32 or byte > 126 else chr(byte) for byte in path.encode("utf-8", "surrogateescape")
        )
        return "$'" + escaped.replace("'", "\\'") + "'"
    return (
        path
        if path.replace("/", "").replace(".", "").replace("-", "").replace("_", "").isalnum()
        else "'" + path.replace("'", "'\\''") + "'"
    )


def as_json(violations: Sequence[Violation]) -> str:
    """Return the JSON document: whether it is allowed, and every violation with its next step."""
    import json

    found = [
        {"path": shown(v.path), "commit": v.commit or None, "rule": v.rule, "why": v.why, "next": next_step(v)}
        for v in violations
    ]
    return json.dumps({"allowed": not violations, "violations": found}, ensure_ascii=False, indent=2)
