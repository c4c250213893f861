"""JSON read strictly, with the place of every value: for files of which only a part may change.

Standard library only, and without `json` or `re`, since hooks start through here. Refused are: bytes that are not UTF-8, a
byte order mark, a key that occurs twice in one object, NaN, an unpaired surrogate, anything behind the value, numbers longer
than 300 characters, and nesting deeper than 64.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, NoReturn

from mfgit.errors import BadInput

MAX_DEPTH = 64
MAX_NUMBER = 300
BLANK = " \t\n\r"
DIGITS = "0123456789"
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Node(NamedTuple):
    """One value: `kind` is object, array, string or other; the text from `start` to `end` is how it is written.

    `string` is what a string says, `items` the values of an array, `members` key -> (where the key starts, value).
    """

    kind: str
    start: int
    end: int
    string: str = ""
    items: tuple["Node", ...] = ()
    members: Mapping[str, tuple[int, "Node"]] = MappingProxyType({})

    def member(self, key: str) -> "Node | None":
        """Return the value of a key of an object, None when it has no such key."""
        found = self.members.get(key)
        return found[1] if found else None


def decode(data: bytes, where: str) -> str:
    """Return the text of a JSON file; raises `BadInput` when it is not UTF-8 or starts with a byte order mark."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{where} is not UTF-8 text (byte {error.start}).", "Save it as UTF-8.") from None
    if text.startswith("\ufeff"):
        raise BadInput(f"{where} starts with a byte order mark.", "Save it as UTF-8 without BOM.")
    return text


def parse(text: str, where: str) -> Node:
    """Return the one value of a text; raises `BadInput` that names `where`, line and column."""
    reader = Reader(text, where)
    node = reader.value(reader.blank(0), 0)
    end = reader.blank(node.end)
    if end < len(text):
        reader.fail(end, "there is something behind the value")
    return node


class Reader:
    """Walks one text; each method takes a position and returns what it read or where it ended."""

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where

    def fail(self, at: int, what: str) -> NoReturn:
        """Raise for what is wrong at a position."""
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        raise BadInput(f"{self.where} is not valid JSON: {what} at line {line}, column {column}.")

    def char(self, at: int) -> str:
        """Return one character, nothing at the end."""
        return self.text[at : at + 1]

    def blank(self, at: int) -> int:
        """Return the position behind white space."""
        text = self.text
        while text[at : at + 1] in BLANK and at < len(text):
            at += 1
        return at

    def value(self, at: int, depth: int) -> Node:
        """Read any value."""
        char = self.char(at)
        if char == '"':
            said, end = self.string(at)
            return Node("string", at, end, said)
        if char in ("{", "["):
            if depth >= MAX_DEPTH:
                self.fail(at, "values are nested too deeply")
            return self.object(at, depth + 1) if char == "{" else self.array(at, depth + 1)
        for word in ("true", "false", "null"):
            if self.text.startswith(word, at):
                return Node("other", at, at + len(word))
        return Node("other", at, self.number(at))

    def object(self, start: int, depth: int) -> Node:
        """Read an object."""
        members: dict[str, tuple[int, Node]] = {}
        at = self.blank(start + 1)
        if self.char(at) == "}":
            return Node("object", start, at + 1)
        while True:
            if self.char(at) != '"':
                self.fail(at, "a key in quotes is missing")
            key, end = self.string(at)
            if key in members:
                self.fail(at, f"the key {key[:40]!r} occurs twice in one object")
            colon = self.blank(end)
            if self.char(colon) != ":":
                self.fail(colon, "a colon is missing")
            node = self.value(self.blank(colon + 1), depth)
            members[key] = (at, node)
            at = self.blank(node.end)
            if self.char(at) == "}":
                return Node("object", start, at + 1, members=members)
            at = self.comma(at)

    def array(self, start: int, depth: int) -> Node:
        """Read an array."""
        items: list[Node] = []
        at = self.blank(start + 1)
        if self.char(at) == "]":
            return Node("array", start, at + 1)
        while True:
            items.append(self.value(at, depth))
            at = self.blank(items[-1].end)
            if self.char(at) == "]":
                return Node("array", start, at + 1, items=tuple(items))
            at = self.comma(at)

    def comma(self, at: int) -> int:
        """Return the position of what follows a comma."""
        if self.char(at) != ",":
            self.fail(at, "a comma or a closing bracket is missing")
        return self.blank(at + 1)

    def string(self, start: int) -> tuple[str, int]:
        """Return what a string says and the position behind it."""
        text, parts, at = self.text, [], start + 1
        while True:
            end = text.find('"', at)
            if end < 0:
                self.fail(start, "a string has no end")
            slash = text.find("\\", at, end)
            stop = end if slash < 0 else slash
            parts.append(self.plain(at, stop))
            if slash < 0:
                return "".join(parts), end + 1
            said, at = self.escape(slash)
            parts.append(said)

    def plain(self, at: int, end: int) -> str:
        """Return a stretch of a string without escapes; control characters are refused."""
        piece = self.text[at:end]
        if not piece.isprintable():
            for offset, char in enumerate(piece):
                if char < " ":
                    self.fail(at + offset, "a control character stands in a string")
        return piece

    def escape(self, at: int) -> tuple[str, int]:
        """Return what the escape at a backslash says and the position behind it."""
        char = self.char(at + 1)
        if char in ESCAPES:
            return ESCAPES[char], at + 2
        code = self.hex(at)
        if 0xD800 <= code < 0xDC00 and self.text.startswith("\\u", at + 6):
            low = self.hex(at + 6)
            if 0xDC00 <= low < 0xE000:
                return chr(0x10000 + ((code - 0xD800) << 10) + low - 0xDC00), at + 12
        if 0xD800 <= code < 0xE000:
            self.fail(at, "half of a surrogate pair stands alone")
        return chr(code), at + 6

    def hex(self, at: int) -> int:
        """Return the number of the hexadecimal escape at a position."""
        digits = self.text[at + 2 : at + 6]
        if self.char(at + 1) != "u" or len(digits) < 4 or digits.strip("0123456789abcdefABCDEF"):
            self.fail(at, "a backslash is followed by nothing JSON knows")
        return int(digits, 16)

    def number(self, start: int) -> int:
        """Return the position behind a number."""
        at = start + (self.char(start) == "-")
        whole = self.digits(at)
        if whole == at or (self.char(at) == "0" and whole > at + 1):
            self.fail(start, "a value is missing or is none that JSON knows")
        at = whole
        if self.char(at) == ".":
            at = self.some_digits(at + 1)
        if self.char(at) in ("e", "E"):
            at = self.some_digits(at + 1 + (self.char(at + 1) in ("+", "-")))
        if at - start > MAX_NUMBER:
            self.fail(start, "a number is too long")
        return at

    def digits(self, at: int) -> int:
        """Return the position behind a run of digits."""
        text = self.text
        while at < len(text) and text[at] in DIGITS:
            at += 1
        return at

    def some_digits(self, at: int) -> int:
        """Return the position behind at least one digit."""
        end = self.digits(at)
        if end == at:
            self.fail(at, "a digit is missing")
        return end
