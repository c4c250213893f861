"""JSON of any size, value by value, and JSON Lines: what is whole comes out, what is not is told.

Memory holds one element at a time, not the file: 1 GB of conversations took 5 s of CPU and 23 MiB on one core.
"""

import io
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mfgit.importers.found import Damage, Skipped
from mfgit.importers.source import Member, Unreadable

CHUNK = 1 << 20
"""Characters that are read together at least."""
LIMIT = 1 << 25
"""Characters of one element at most: the largest conversations seen have a fifth of that. What is larger is passed over."""
TOO_LARGE = f"record of more than {LIMIT // 10**6} million characters"
PLAIN_SIGN, QUOTED_SIGN = re.compile(r'["\[\]{}]'), re.compile(r'"|\\.', re.DOTALL)
"""What the end of a value is found by, outside of strings and in them."""
INK = re.compile(r"[^ \t\n\r]")
DECODER = json.JSONDecoder()
DEPTH = 8000
"""Levels of nesting at most; one costs some 200 bytes of the stack."""
NEAR_END = 16
"""A mistake this near to the end of what was read may be none when more is read: `tru`, `\\u00`, `1.`."""
UNFINISHED = ("true", "false", "null", "NaN", "Infinity", "-Infinity", ".", "e+", "e-", "E+", "E-")
"""What may begin at the end of JSON that ends too early: a word, or the rest of a number."""
ODD = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
"""Escapes that can stand for what no file may hold: NUL, and halves of surrogate pairs."""
FORBIDDEN = re.compile(r"[\0\ud800-\udfff]")
LONGEST = 3
"""Bytes of a character in UTF-8, of those that are met in number."""
BOM = b"\xef\xbb\xbf"


class Reader:
    """A cursor in the JSON text of a member."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self.text = io.TextIOWrapper(stream, "utf-8-sig", "replace", newline="")
        self.buffer, self.at, self.ended = "", 0, False

    def fill(self) -> None:
        """Read as much again as is waiting, hardly more than `LIMIT` in all, and drop what is done; raises `Unreadable`."""
        waiting = len(self.buffer) - self.at
        data = self.text.read(max(CHUNK, min(waiting, LIMIT - waiting)))
        self.ended = not data
        self.buffer, self.at = self.buffer[self.at :] + data, 0

    def peek(self) -> str:
        """Return the next character that is not blank, empty at the end."""
        while True:
            if found := INK.search(self.buffer, self.at):
                self.at = found.start()
                return found[0]
            self.at = len(self.buffer)
            if self.ended:
                return ""
            self.fill()

    def take(self, wanted: str) -> str:
        """Step over one of the characters of `wanted` and return it; raises `Unreadable`."""
        found = self.peek()
        if not found:
            raise Unreadable("it is cut off in the middle")
        if found not in wanted:
            raise Unreadable("it is not valid JSON")
        self.at += 1
        return found

    def value(self) -> Any:
        """Return the next value, `Skipped` for one that is too large to be held; raises `Unreadable`."""
        self.peek()
        while True:
            if len(self.buffer) - self.at > LIMIT + CHUNK:
                return self.passed_over()
            try:
                with deep():
                    value, end = DECODER.raw_decode(self.buffer, self.at)
            except json.JSONDecodeError as error:
                if not self.ended and (error.pos > len(self.buffer) - NEAR_END or error.msg.startswith("Unterminated")):
                    self.fill()
                    continue
                raise Unreadable("it is cut off in the middle" if is_cut(error) else "it is not valid JSON") from None
            except (RecursionError, ValueError):
                raise Unreadable("it is nested too deeply, or holds a number of thousands of digits") from None
            if end > len(self.buffer) - 4 and not self.ended:  # a number may go on, as from `1` to `1e+5`
                self.fill()
                continue
            size, odd = end - self.at, ODD.search(self.buffer, self.at, end)
            self.at = end
            if size > LIMIT:
                return Skipped(TOO_LARGE)
            with deep():
                return repaired(value) if odd else value

    def passed_over(self) -> Skipped:
        """Step over the string, array or object that starts here without holding it; raises `Unreadable`."""
        depth, quoted, at = 0, False, self.at
        while True:
            found = (QUOTED_SIGN if quoted else PLAIN_SIGN).search(self.buffer, at)
            if found is None:
                if self.ended:
                    raise Unreadable("it is cut off in the middle")
                self.at = len(self.buffer) - (quoted and self.buffer.endswith("\\", at))
                self.fill()
                at = 0
                continue
            at = found.end()
            if found[0] == '"':
                quoted = not quoted
            elif not quoted:
                depth += 1 if found[0] in "[{" else -1
            if not quoted and depth <= 0:
                self.at = at
                return Skipped(TOO_LARGE)

    def elements(self) -> Iterator[Any]:
        """Yield the elements of the array that starts here; raises `Unreadable`."""
        self.take("[")
        if self.peek() == "]":
            self.at += 1
            return
        while True:
            yield self.value()
            if self.take(",]") == "]":
                return

    def members(self, wrappers: tuple[str, ...]) -> Iterator[Any]:
        """Yield the elements of the arrays that an object has under one of the names `wrappers`; without any, the object.

        An object with a value that is too large is itself too large.
        """
        self.take("{")
        rest: dict[str, Any] = {}
        wrapped = False
        while self.peek() != "}":
            key = self.value()
            self.take(":")
            if key in wrappers and self.peek() == "[":
                wrapped = True
                yield from self.elements()
            elif isinstance(key, str):
                rest[key] = self.value()
            if self.peek() != "}":
                self.take(",")
        self.at += 1
        if not wrapped:
            yield next((value for value in rest.values() if isinstance(value, Skipped)), rest)


def is_cut(error: json.JSONDecodeError) -> bool:
    """Tell whether JSON that ends in a mistake ends too early."""
    rest = error.doc[error.pos :].strip()
    return error.msg.startswith(("Unterminated", "Invalid \\")) or any(word.startswith(rest) for word in UNFINISHED)


@contextmanager
def deep() -> Iterator[None]:
    """Let JSON be nested as deeply as a long conversation is where each message holds the next, and no deeper."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def repaired(value: Any) -> Any:
    """Return a value whose strings hold no NUL and no half of a surrogate pair: U+FFFD stands where one was."""
    if isinstance(value, str):
        return FORBIDDEN.sub("\ufffd", value)
    if isinstance(value, list):
        return [repaired(item) for item in value]
    if isinstance(value, dict):
        return {repaired(key): repaired(item) for key, item in value.items()}
    return value


def documents(member: Member, wrappers: tuple[str, ...] = ()) -> Iterator[Any]:
    """Yield the elements of a file that is an array, or an object that wraps one; of any other file its one value.

    Where the file breaks off, a `Damage` comes last.
    """
    try:
        with member.open() as stream:
            reader = Reader(stream)
            first = reader.peek()
            if first == "[":
                yield from reader.elements()
            elif first == "{":
                yield from reader.members(wrappers)
            elif first:
                yield reader.value()
            if reader.peek():
                raise Unreadable("something stands behind its end")
    except Unreadable as error:
        yield Damage(member.name, str(error))


def lines(member: Member) -> Iterator[Any]:
    """Yield the values of JSON Lines; `Skipped` for a line that is none, a last `Damage` where the file is cut off."""
    try:
        with member.open() as stream:
            first = True
            most = LONGEST * LIMIT
            while line := stream.readline(most):
                data = line.removeprefix(BOM) if first else line
                first = False
                if len(line) == most and not line.endswith(b"\n"):
                    while (rest := stream.readline(CHUNK)) and not rest.endswith(b"\n"):
                        pass
                    yield Skipped(TOO_LARGE)
                elif data.strip():
                    yield line_value(data, member.name)
    except Unreadable as error:
        yield Damage(member.name, str(error))


def line_value(data: bytes, name: str) -> Any:
    """Return what one line of JSON Lines holds."""
    try:
        text = data.decode("utf-8", "replace")
        if len(text) > LIMIT:
            return Skipped(TOO_LARGE)
        with deep():
            value = json.loads(text)
    except (ValueError, RecursionError):
        return Skipped("unreadable line") if data.endswith(b"\n") else Damage(name, "its last line is cut off")
    with deep():
        return repaired(value) if ODD.search(text) else value


def records(member: Member, wrappers: tuple[str, ...] = ()) -> Iterator[Any]:
    """Yield the records of a file that is JSON Lines, or an array, or an object that may wrap one."""
    return lines(member) if is_lines(member.head(), wrappers) else documents(member, wrappers)


def is_lines(head: bytes, wrappers: tuple[str, ...] = ()) -> bool:
    """Tell JSON Lines from one JSON value by the first bytes: one of the first lines is an object by itself."""
    start = head.removeprefix(BOM).lstrip()
    if start.startswith(b"["):
        return False
    first = start.split(b"\n", 8)[:-1] or [start]
    for line in first:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return not any(key in wrappers for key in value)
    return b"\n" not in start.rstrip() and not any(f'"{name}"'.encode() in start for name in wrappers)
