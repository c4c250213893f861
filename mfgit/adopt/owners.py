"""CODEOWNERS: the text of the file -> who owns some paths. Pure; each service's own reading of it.

GitHub and GitLab match as `.gitignore` does and the last match counts (in GitLab: in each section); Gitea and Forgejo match a
regular expression against the whole path, every match counts, and `!` turns one around.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

PLACES = {
    "github": (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"),
    "gitlab": ("CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"),
    "gitea": ("CODEOWNERS", "docs/CODEOWNERS", ".gitea/CODEOWNERS", ".forgejo/CODEOWNERS"),
}
"""Where each service looks, in this order; the first file counts."""
SECTION = re.compile(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>.*)")
NAME = re.compile(r"@(?!@)([A-Za-z0-9][\w.\-]*(?:/[\w.\-]+)*)")
LONGEST = 1_000
"""Characters of a pattern that is looked at."""


class Owners(NamedTuple):
    """Names without `@`: people, and teams or groups as `organisation/team`."""

    people: tuple[str, ...]
    teams: tuple[str, ...]


class Rule(NamedTuple):
    """One line: its section, its pattern, the names behind it."""

    section: str
    pattern: str
    names: tuple[str, ...]


def owners(kind: str, text: str, paths: Iterable[str]) -> Owners:
    """Return the owners of paths, in the order of the file; addresses and roles are left out, since nobody can ask them."""
    rules = list(read(text, sections=kind == "gitlab"))
    found = every(rules, paths) if kind == "gitea" else last(rules, paths)
    names = list(dict.fromkeys(found))
    return Owners(tuple(name for name in names if "/" not in name), tuple(name for name in names if "/" in name))


def read(text: str, *, sections: bool) -> Iterator[Rule]:
    """Yield the rules of a file; in a section a line without names has the section's."""
    section, common = "", tuple[str, ...]()
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        head = SECTION.fullmatch(line) if sections else None
        if head:
            section, common = head["name"].strip().lower(), names_in(head["owners"])
            continue
        pattern, _, rest = re.sub(r"\\ ", "\0", line).partition(" ")
        yield Rule(section, pattern.replace("\0", " ")[:LONGEST], names_in(rest) or common)


def names_in(text: str) -> tuple[str, ...]:
    """Return the names of a line up to a comment."""
    return tuple(found[1] for word in text.partition(" #")[0].split() if (found := NAME.fullmatch(word)))


def last(rules: Sequence[Rule], paths: Iterable[str]) -> Iterator[str]:
    """Yield the names of the last rule of each section that matches a path."""
    compiled = [(rule, glob(rule.pattern)) for rule in rules]
    for path in paths:
        matching = {rule.section: rule for rule, pattern in compiled if pattern.match(path)}
        for rule in matching.values():
            yield from rule.names


def every(rules: Sequence[Rule], paths: Iterable[str]) -> Iterator[str]:
    """Yield the names of every rule whose regular expression is a whole path; one that is none matches nothing."""
    listed = list(paths)
    for rule in rules:
        turned = rule.pattern.startswith("!")
        try:
            pattern = re.compile(rule.pattern.removeprefix("!"))
        except (re.error, RecursionError, OverflowError):
            continue
        if any(bool(pattern.fullmatch(path)) != turned for path in listed):
            yield from rule.names


def glob(pattern: str) -> re.Pattern[str]:
    """Return a pattern of `.gitignore`'s kind as a regular expression for a path from the top."""
    anchored = "/" in pattern.rstrip("/")
    body = pattern.strip("/") if not pattern.endswith("/") else pattern.strip("/") + "/**"
    translated = "".join(translate(part) for part in re.split(r"(/\*\*/|^\*\*/|/\*\*$|\*+|\?)", body) if part)
    return re.compile(f"{'' if anchored else '(?:.*/)?'}{translated}(?:/.*)?\\Z", re.DOTALL)


def translate(part: str) -> str:
    """Return a piece of a pattern as a regular expression."""
    known = {"/**/": "/(?:.*/)?", "**/": "(?:.*/)?", "/**": "/.*", "?": "[^/]"}
    return known.get(part) or ("[^/]*" if part.startswith("*") else re.escape(part))
