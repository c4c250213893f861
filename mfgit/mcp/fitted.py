"""Pages of results that keep within a budget of bytes, and arguments that are wrong, in words."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, ValidationError

from mfgit.archive import fitting

Item = TypeVar("Item", bound=BaseModel)
Answer = TypeVar("Answer", bound=BaseModel)
LONG = ("text", "snippet", "quote", "heading")
"""The fields of an item that may be cut where it alone does not fit."""
LISTS = ("folded", "contradicts")
"""The fields of an item that lose their last entries first where it alone does not fit."""
SHOWN = 60
"""Characters that are shown of a value that is wrong."""
WANTED = {
    "missing": "must be there",
    "string_too_short": "must not be empty",
    "string_too_long": "must have at most {max_length} characters",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "literal_error": "must be {expected}",
}
"""The rule that a kind of pydantic's errors stands for, in words."""


def fit(answer: Answer, field: str, items: Sequence[Item], start: int, budget: int, *, more: bool) -> Answer:
    """Return an answer with as many items as its budget holds, one at least, and the cursor of the next page.

    `start` is how many stand on the pages before, `more` whether there are others behind `items`. The answer's own texts
    (`query`, `note`) take a quarter each at most.
    """
    own = {name: getattr(answer, name, None) for name in ("note", "query")}
    told = answer.model_copy(update={name: fitting.longest(text, budget // 4) for name, text in own.items() if text})
    room = max(0, budget - fitting.weight(told.model_dump()) - len('"nextCursor": "10000"'))
    kept: list[Item] = []
    for item in items:
        size = fitting.weight(item.model_dump())
        if size > room:
            break
        kept.append(item)
        room -= size
    if not kept and items:
        kept = [shorter(items[0], room)]
    following = str(start + len(kept)) if more or len(kept) < len(items) else None
    return told.model_copy(update={field: kept, "nextCursor": following})


def shorter(item: Item, room: int) -> Item:
    """Return an item with its lists and long texts cut so that it takes at most `room` bytes."""
    for name in LISTS:
        while getattr(item, name, None) and fitting.weight(item.model_dump()) > room:
            item = item.model_copy(update={name: getattr(item, name)[:-1]})
    for name in LONG:
        over = fitting.weight(item.model_dump()) - room
        text = getattr(item, name, None)
        if over > 0 and text:
            size = fitting.weight(text) - fitting.weight("")
            item = item.model_copy(update={name: fitting.longest(text, max(0, size - over))})
    return item


def offset(cursor: str | None) -> int:
    """Return how many hits stand before a page; raises `ToolError`."""
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdecimal()) or len(cursor) > 5:
        raise ToolError(f"cursor is {cursor[:40]!r}; hand nextCursor of the page before back as it is.")
    return int(cursor)


def in_words(error: ValidationError, given: Mapping[str, Any]) -> str:
    """Return a sentence for the first argument that is wrong: which, what it must be, and what was given."""
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or "arguments"
    if first["type"] == "missing" and first["loc"][0] not in given:
        return f"{place} is missing; give it."
    rule = WANTED.get(first["type"], "").format(**first.get("ctx", {})) or f"is not right: {first['msg'].lower()}"
    value = repr(first["input"])
    return f"{place} {rule}; it is {value if len(value) <= SHOWN else value[:SHOWN] + '…'}."


def unknown(given: Iterable[str], known: Sequence[str]) -> str | None:
    """Return a sentence for the first argument that a tool does not have, None when it has all."""
    names = {each.lower(): each for each in known}
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name.lower(), names, 1, 0.6)
            hint = f"do you mean {names[near[0]]}?" if near else f"there are {', '.join(known)}."
            return f"There is no argument {name[:SHOWN]!r}; {hint}"
    return None
