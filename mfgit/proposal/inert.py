"""Markdown of a conversation in which nothing acts: code stays as it is, and outside of it only what is known may stay.

An allow rule, not a list of evils. What is code is decided here, and everything that could make a CommonMark reader decide
otherwise is escaped: an unmatched backtick, a fence whose end is not certain, a link that goes on in the next line. So each
line can be judged by itself, and what is left as code is code for every reader.
"""

import html
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

OPENER = re.compile(r"( *)(`{3,}(?=[^`]*\Z)|~{3,})")
CLOSER = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*\Z")
QUOTE = re.compile(r"( {0,3}>)( ?)(?!\t)")
ITEM = re.compile(r"( *)(?:[-*+]|(\d{1,9})[.)])( {1,4})(?=[^ \t])")
RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*\Z")
TABLE = re.compile(r"[ >]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*\Z")
DEEPEST = 20

TAG = re.compile(r"<[A-Za-z/!?]")
AUTOLINK = re.compile(r"<(?:https?://|mailto:)[^\s<>`{}\\]*>", re.IGNORECASE)
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]")
TITLE = r"(?:[ \t]+(?:\"[^\"`\\<{]*\"|'[^'`\\<{]*'|\([^()`\\<{]*\)))?"
BARE = r"[^\s`\\<>()]*(?:\([^\s`\\<>()]*\)[^\s`\\<>()]*)*"
LINK = re.compile(rf"\]\([ \t]*(?:<(?P<angle>[^<>`\\\n]*)>|(?P<bare>{BARE}))(?P<title>{TITLE})[ \t]*\)")
DEFINITION = re.compile(r"\]:[ \t]*([^ \t]+)")
SCHEME = re.compile(r"([^/?#]*?):")
SCHEMES = ("http", "https", "mailto")
RUN = re.compile(r"`+|~+")
BACKTICKS = re.compile("`+")
PLAIN = re.compile(r"[^\\`~<{&%\]!]+")
IMAGE = re.compile(r"!\[[^\[\]\\`<]*(?=\]\()")
ELSEWHERE = re.compile(r"\s*(?://|[^/?#]*:)")
MODULE = re.compile(r"(?:im|ex)port(?=[ \t{*\"'])")
"""What begins a line that MDX reads as code."""


class Fence(NamedTuple):
    """A fenced block: the lines from `start` up to, not including, `end`, and the line that would close it where none does."""

    start: int
    end: int
    unclosed: str = ""


# ---- blocks


def inert(lines: list[str], depth: int = 0) -> Iterator[str]:
    """Yield the lines of a Markdown text, code as it is, everything else so that nothing in it acts."""
    table = any(TABLE.match(text) and "-" in text for text in lines)
    items: list[int] = []
    at = 0
    loose = True
    while at < len(lines):
        text = lines[at]
        head = "|" in text and bool(TABLE.match("".join(lines[at + 1 : at + 2])))  # what some readers take for a table's
        fence = None if head else fenced(lines, at, items[-1] if items else 0)
        quoted = 0 if head or fence or depth >= DEEPEST else quote(lines, at)
        if fence:
            yield from lines[fence.start : fence.end]
            if fence.unclosed and not depth:
                yield fence.unclosed
            at = fence.end
        elif quoted:
            yield from quotation(lines[at : at + quoted], depth)
            at += quoted
        else:
            note_item(items, text, loose)
            yield inline(text.rstrip(" \t"), table)
            at += 1
        loose = bool(fence) or not text.strip(" \t")


def indent(text: str) -> int:
    """Return the column at which a line begins."""
    wide = text.expandtabs(4)
    return len(wide) - len(wide.lstrip(" "))


def fenced(lines: list[str], at: int, offset: int) -> Fence | None:
    """Return the fenced block that certainly begins at a line and where it certainly ends, else None.

    `offset` is the column at which the text of the list item around it begins.
    """
    found = OPENER.match(lines[at])
    if not found:
        return None
    margin, mark = len(found[1]), found[2]
    if margin > 3 and not offset <= margin <= offset + 3:
        return None
    for number in range(at + 1, len(lines)):
        text = lines[number]
        column = indent(text)
        closing = CLOSER.match(text)
        if closing and closing[1].startswith(mark) and margin <= column <= margin + 3:
            return Fence(at, number + 1) if column == margin or not margin else None
        if column < margin and text.strip(" \t"):
            return None
    return None if margin else Fence(at, len(lines), mark)


def note_item(items: list[int], text: str, loose: bool) -> None:
    """Keep the columns at which the text of the list items around a line begins; `loose`: no paragraph is before it."""
    if not text.strip(" \t"):
        return
    column = indent(text)
    before = len(items)
    while items and items[-1] > column:
        items.pop()
    found = ITEM.match(text)
    if not found or RULE.match(text) or column > (items[-1] if items else 0) + 3:
        return
    if found[2] is None or int(found[2]) == 1 or loose or len(items) < before:
        items.append(found.end())


def quote(lines: list[str], at: int) -> int:
    """Return how many lines from this one on are one quotation; 0 where that is not certain."""
    found = QUOTE.match(lines[at])
    if not found:
        return 0
    end = at
    while end < len(lines) and (other := QUOTE.match(lines[end])) and other[1] == found[1]:
        end += 1
    return end - at


def quotation(lines: list[str], depth: int) -> Iterator[str]:
    """Yield the lines of a quotation, their text made inert."""
    marks = [found[0] for text in lines if (found := QUOTE.match(text))]
    inner = inert([text[len(mark) :] for mark, text in zip(marks, lines, strict=True)], depth + 1)
    for mark, text in zip(marks, inner, strict=True):
        yield mark + text if text else mark.rstrip(" ")


# ---- one line


def inline(text: str, table: bool = False) -> str:
    """Return one line of Markdown in which nothing acts; `table`: a `|` may end a cell, so code does not reach across it."""
    done = "".join(Line(text, table).pieces())
    return f"&#{ord(done[0])};{done[1:]}" if MODULE.match(done) else done


class Line:
    """Reads a line from left to right, as a CommonMark reader does."""

    def __init__(self, text: str, table: bool) -> None:
        self.text, self.table, self.at = text, table, 0
        self.brace = False
        self.unclosed: set[int] = set()

    def pieces(self) -> Iterator[str]:
        """Yield the line, piece by piece."""
        while self.at < len(self.text):
            plain = PLAIN.match(self.text, self.at)
            yield self.take(plain[0], plain[0]) if plain else self.special()

    def take(self, source: str, out: str) -> str:
        """Go on past `source`; return `out`, kept apart from a brace before it where both would open a template."""
        self.at += len(source)
        apart = " " if self.brace and out.removeprefix("\\")[:1] in ("{", "%") else ""
        self.brace = out.endswith("{")
        return apart + out

    def special(self) -> str:
        """Return what stands for the character here, which may mean something."""
        char = self.text[self.at]
        if read := READ.get(char):
            return read(self)
        if char == "{":
            return self.take("{", "\\{")
        entity = ENTITY.match(self.text, self.at)
        if entity and html.unescape(entity[0]) in ("{", "%"):
            return self.take(entity[0], html.unescape(entity[0]).replace("{", "\\{"))
        return self.take(char, char)

    def escape(self) -> str:
        """Return a backslash with what it escapes."""
        found = ESCAPE.match(self.text, self.at)
        if found and TAG.match(self.text, self.at + 1):
            return self.take("\\<", "&lt;")
        return self.take(found[0], found[0]) if found else self.take("\\", "\\")

    def run(self) -> str:
        """Return a code span, or a run of its marks as text."""
        start, char = self.at, self.text[self.at]
        found = RUN.search(self.text, start)
        mark = found[0] if found else char
        length = len(mark)
        if char == "~":
            return self.take(mark, mark if length < 3 else "\\~" * length)
        end = self.closing(start + length, length)
        span = self.text[start:end]
        if end and not cut(span) and not (self.table and "|" in span):
            return self.take(span, span)
        return self.take(mark, "\\`" * length)

    def closing(self, start: int, length: int) -> int:
        """Return where the code span ends whose text starts here, 0 when it does not."""
        if length in self.unclosed:
            return 0
        for found in BACKTICKS.finditer(self.text, start):
            if len(found[0]) == length:
                return found.end()
        self.unclosed.add(length)
        return 0

    def angle(self) -> str:
        """Return an autolink, or what cannot begin a tag."""
        if found := AUTOLINK.match(self.text, self.at):
            return self.take(found[0], found[0]) if harmless(found[0][1:-1]) else self.take("<", "&lt;")
        return self.take("<", "&lt;" if TAG.match(self.text, self.at) else "<")

    def image(self) -> str:
        """Return how an image begins, or a link to it where its address is elsewhere: showing it would call there."""
        label = IMAGE.match(self.text, self.at)
        found = LINK.match(self.text, label.end()) if label else None
        here = found and not ELSEWHERE.match(html.unescape(found["bare"] or found["angle"] or ""))
        if here or not self.text.startswith("![", self.at):
            return self.take("!", "!")
        if self.text[: self.at].endswith("!"):
            return self.take("!", "\\!")
        return self.take("![", "[image") if self.text.startswith("![]", self.at) else self.take("!", "")

    def bracket(self) -> str:
        """Return the end of a link's text with a target that may stay, or so that it is no link."""
        follows = self.text[self.at + 1 : self.at + 2]
        if follows == "(":
            found = LINK.match(self.text, self.at)
            target = (
                encoded(found["bare"] if found["angle"] is None else found["angle"], found["angle"] is None) if found else ""
            )
            if found and harmless(target) and "{" not in html.unescape(f"{target}{found['title']}"):
                return self.take(found[0], f"]({target}{found['title']})")
            return self.take("](", "]\\(")
        if follows == ":":
            defined = DEFINITION.match(self.text, self.at)
            if self.text[: self.at].endswith("[//") or not defined or not harmless(defined[1].strip("<>")):
                return self.take("]:", "]\\:")
        return self.take("]", "]")


READ: dict[str, Callable[[Line], str]] = {
    "\\": Line.escape,
    "`": Line.run,
    "~": Line.run,
    "<": Line.angle,
    "]": Line.bracket,
    "!": Line.image,
}
"""How a character that may mean something is read."""


def cut(span: str) -> bool:
    """Tell whether a bracket inside a code span may close one outside, so that a link's label would end within the span."""
    depth = 0
    for found in re.finditer(r"\\?\[|\]", span):
        depth += {"[": 1, "]": -1}.get(found[0], 0)
        if depth < 0:
            return True
    return False


def encoded(target: str, bare: bool) -> str:
    """Return a link's target, one in pointed brackets too, as one without (`bare`) in which no brace opens a template."""
    return "".join(f"%{ord(c):02X}" if c in "{}" or (c in " \t()" and not bare) else c for c in target)


def harmless(target: str) -> bool:
    """Tell whether a link's target is relative or of a scheme that may stay, whatever a reader decodes of it."""
    seen = target
    for _ in range(5):
        bare = "".join(c for c in seen if c > " " and not "\x7f" <= c <= "\xa0")
        scheme = SCHEME.match(bare)
        if scheme and scheme[1].lower() not in SCHEMES:
            return False
        further = html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", seen))
        if further == seen:
            return True
        seen = further
    return False
