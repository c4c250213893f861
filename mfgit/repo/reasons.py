"""Git's own words for why it would not write, as one sentence with the next step."""

import re
from collections.abc import Callable
from typing import NamedTuple

NOISE = ("hint:", "warning:")
PREFIX = re.compile(r"^(?:fatal|error): ")


class Reason(NamedTuple):
    """Why Git would not, and what to do about it; a part of a sentence and a whole one."""

    why: str
    hint: str


def locked(found: re.Match[str]) -> Reason:
    """Say who may hold a lock, and what to do."""
    return Reason(
        f"{found[1]} is there",
        f"Another git command holds it, or was cut short: wait, or if none is running remove {found[1]}; then try again.",
    )


def unwritable(found: re.Match[str]) -> Reason:
    """Say what cannot be written."""
    return Reason(found[0].removeprefix("error: ").removeprefix("fatal: "), "Make it writable, then run the command again.")


def hooked(found: re.Match[str]) -> Reason:
    """Say that a hook refused, in the hook's words, which Git prints before its own."""
    said = list(dict.fromkeys(words(found.string[: found.start()].removesuffix("fatal: "))))
    return Reason(
        "the hook reference-transaction refused it" + (f" ({'; '.join(said[:3])})" if said else ""),
        "Settle what it says, or take the hook out, then run the command again.",
    )


KNOWN: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Reason]], ...] = (
    (re.compile(r"ref updates aborted by hook"), hooked),
    (re.compile(r"Unable to create '([^'\n]+\.lock)': File exists"), locked),
    (
        re.compile(
            r"^.*(?:Permission denied|Read-only file system|No space left on device|quota exceeded)",
            re.MULTILINE | re.IGNORECASE,
        ),
        unwritable,
    ),
)


def reason(said: bytes) -> Reason:
    """Return what the standard error of a git command says."""
    text = said.decode("utf-8", "replace").strip()
    for pattern, tell in KNOWN:
        if found := pattern.search(text):
            return tell(found)
    lines = words(text)
    marked = [line for line in text.split("\n") if PREFIX.match(line)]
    return Reason(PREFIX.sub("", (marked or lines or ["no reason given"])[-1]).rstrip("."), "")


def words(text: str) -> list[str]:
    """Return the lines of Git's that say something."""
    return [line.strip() for line in text.split("\n") if line.strip() and not line.startswith(NOISE)]
