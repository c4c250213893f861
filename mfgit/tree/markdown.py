"""Markdown → sections by heading, in one pass over the lines.

A line scanner and not a parser: a section needs only its first and last line, the scanner takes time linear in the text
(a 20 MB file in seconds), and it reads `.mdx` too. Where its headings could differ from CommonMark (fences, setext
underlines, comments, indented code) it follows CommonMark; a test compares it with markdown-it-py.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mfgit.text import markup

ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*")
SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*")
FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")
NOT_PARAGRAPH = re.compile(r" {0,3}(?:[>|<]|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$))| {4}|\t")
RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}")
NESTING = re.compile(r" {0,3}(?:[>|<]|(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$))")
WORD = re.compile(r"\w")
LONGEST = 6000
"""Characters: a longer section is cut at a blank line, so that one hit stays readable and BM25 compares like with like."""


class Section(NamedTuple):
    """One section: its `heading` with its `anchor` (empty: none), the headings above it, its first and last line from 1."""

    heading: str
    trail: tuple[str, ...]
    lines: tuple[int, int]
    anchor: str = ""


class Heading(NamedTuple):
    """A heading: its level, its text as written, the line it starts on and the line after it (from 0)."""

    level: int
    text: str
    first: int
    after: int


def sections(lines: list[str], start: int = 0) -> list[Section]:
    """Return the sections of a document's lines from line `start` (from 0) on; text before any heading is one of its own.

    A heading with nothing between it and a deeper one (a page's bare title) is no section: it stands in the trail of those
    below it, and found on its own it would answer nothing.
    """
    found: list[Section] = []
    open_heads: list[tuple[int, str]] = []
    current = Heading(0, "", start, start)
    taken: dict[str, int] = {}
    for heading in [*headings(lines, start), Heading(0, "", len(lines), len(lines))]:
        words, anchor = markup.heading(current.text), markup.anchor(current.text, taken)
        open_heads = [pair for pair in open_heads if pair[0] < current.level]
        if not words or heading.level <= current.level or has_words(lines[current.after : heading.first]):
            trail = tuple(text for _, text in open_heads)
            found += [Section(words, trail, span, anchor) for span in cut(lines, current.first, heading.first)]
        open_heads += [(current.level, words)] if words else []
        current = heading
    return found


def has_words(lines: list[str]) -> bool:
    """Return whether lines say anything beside comments and tags."""
    return any(WORD.search(line) for line in lines) and bool(WORD.search(markup.without_tags("\n".join(lines))))


def cut(lines: list[str], first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last line (from 1) of the text in lines[first:last], in pieces when it is long."""
    while last > first and not lines[last - 1].strip():
        last -= 1
    while first < last and not lines[first].strip():
        first += 1
    size, begin, blank = 0, first, first
    for at in range(first, last):
        size += len(lines[at]) + 1
        if not lines[at].strip():
            blank = at + 1
        if size > LONGEST and begin < at:
            stop = blank if blank > begin else at
            yield begin + 1, stop
            begin = stop
            size = sum(len(lines[i]) + 1 for i in range(begin, at + 1))
    if begin < last:
        yield begin + 1, last


def headings(lines: list[str], start: int = 0) -> Iterator[Heading]:
    """Yield the headings in order, ATX and setext, none inside fences, comments or indented code."""
    scanner = Scanner(lines)
    for at in range(start, len(lines)):
        if not scanner.inside(lines[at]):
            found = scanner.outside(at)
            if found:
                yield found


class Scanner:
    """What is open at a line: a fence, a comment, a paragraph (the line it starts on), a list or quote."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.fence = ""
        self.comment = False
        self.paragraph = -1
        self.nested = False

    def leave(self) -> None:
        """End the paragraph and the list that are open."""
        self.paragraph, self.nested = -1, False

    def inside(self, line: str) -> bool:
        """Take a line of a fence, a comment or nothing at all; return whether it was one."""
        if self.fence:
            self.fence = "" if closes(line, self.fence) else self.fence
        elif self.comment:
            self.comment = "-->" not in line
        elif not line.strip():
            self.leave()
        elif opened := FENCE.match(line):
            self.leave()
            self.fence = opened[1]
        elif line.lstrip().startswith("<!--"):
            self.leave()
            self.comment = "-->" not in line
        else:
            return False
        return True

    def outside(self, at: int) -> Heading | None:
        """Take a line of text; return the heading that it is or ends."""
        line = self.lines[at]
        if found := ATX.fullmatch(line):
            self.leave()
            return Heading(len(found[1]), found[2] or "", at, at + 1)
        if self.paragraph >= 0 and (under := SETEXT.fullmatch(line)):
            text = " ".join(part.strip() for part in self.lines[self.paragraph : at])
            first = self.paragraph
            self.leave()
            return Heading(1 if under[1][0] == "=" else 2, text, first, at + 1)
        if RULE.fullmatch(line):
            self.leave()
        elif self.paragraph < 0 and not self.nested and not NOT_PARAGRAPH.match(line):
            self.paragraph = at
        elif NESTING.match(line):
            self.paragraph, self.nested = -1, True
        return None


def closes(line: str, fence: str) -> bool:
    """Return whether a line closes a fence."""
    stripped = line.strip()
    return len(stripped) >= len(fence) and not stripped.strip(fence[0]) and not line.startswith(("    ", "\t"))
