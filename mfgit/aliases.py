"""`index.json`, byte by byte: which wordings lead to which page, and changes of nothing but them.

Two shapes occur. *docs*: `docs` is a list of objects with `path`, `title` and the list `aliases`. *map*: there is no such
list, and the object `aliases` at the top says which phrase leads to which page. Anything else is *none*: valid JSON in which
mfgit may change nothing. Paths are relative to the knowledge root. Standard library only; see `strictjson` for what is refused.
"""

import functools
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mfgit import strictjson
from mfgit.errors import BadInput
from mfgit.layout import hidden
from mfgit.strictjson import Node

MAX_LENGTH = 200
"""Characters an alias may have."""
MAX_COUNT = 200
"""Aliases a document may have."""


class Document(NamedTuple):
    """A page with its title (empty in the map shape) and the other wordings that lead to it."""

    path: str
    title: str
    aliases: tuple[str, ...]


class Aliases(NamedTuple):
    """What a file says; `shape` is docs, map or none."""

    shape: str
    documents: tuple[Document, ...]


class Entry(NamedTuple):
    """One alias as a file holds it: it leads to `page` and is written from `start` to `end`."""

    alias: str
    page: str
    start: int
    end: int


class Area(NamedTuple):
    """A part of the file that mfgit may change: the list of one page, or the whole map (`page` is None then).

    `key` is where the key of the value starts, `node` the value.
    """

    page: str | None
    title: str
    key: int
    node: Node
    entries: tuple[Entry, ...]


def parse(data: bytes, where: str) -> Aliases:
    """Return the aliases of a file's bytes; raises `BadInput` that names `where` and the line."""
    _, top, shape, found = read(data, where)
    if shape == "docs":
        listed = {area.key: tuple(entry.alias for entry in area.entries) for area in found}
        return Aliases(shape, tuple(document(node, listed) for node in pages(top)))
    grouped: dict[str, list[str]] = {}
    for area in found:
        for entry in area.entries:
            grouped.setdefault(entry.page, []).append(entry.alias)
    return Aliases(shape, tuple(Document(page, "", tuple(said)) for page, said in grouped.items()))


def usable(data: bytes, where: str) -> tuple[dict[str, list[str]], list[str]]:
    """Return page -> its aliases as far as they can be used, and what is wrong with the others, half a sentence each.

    For those who only look aliases up: a bad one leaves the good ones as they are. Raises `BadInput` for what is no strict
    JSON, since it cannot be told there what belongs to what.
    """
    text = strictjson.decode(data, where)
    top = strictjson.parse(text, where)
    found: dict[str, list[str]] = {}
    wrong = []
    for alias, page, fault_at in listed(top) if is_docs(top) else mapped(top):
        if isinstance(fault_at, Node):
            wrong.append(f"{alias} at line {text.count(chr(10), 0, fault_at.start) + 1}")
        else:
            found.setdefault(page, []).append(alias)
    return found, wrong


def listed(top: Node) -> Iterator[tuple[str, str, Node | None]]:
    """Yield alias and page of a file of the docs shape; for what cannot be used what is wrong, and where."""
    for entry in pages(top):
        page, value = said(entry, "path"), entry.member("aliases")
        if value is not None and value.kind != "array":
            yield f"the aliases of {page} are no list", page, value
        for item in value.items if value else ():
            yield (item.string, page, None) if item.kind == "string" else ("an alias is not a string", page, item)


def mapped(top: Node) -> Iterator[tuple[str, str, Node | None]]:
    """Yield alias and page of any other file; for what cannot be used what is wrong, and where."""
    value, docs = top.member("aliases"), top.member("docs")
    if top.kind != "object":
        yield "it is no JSON object: a value of another kind stands", "", top
    if docs is not None:
        yield "docs is no list", "", docs
    if value is not None and value.kind != "object":
        yield "aliases is no object that leads phrases to pages", "", value
    for alias, (_, node) in value.members.items() if value else ():
        yield (alias, node.string, None) if node.kind == "string" else ("what an alias leads to is not a string", "", node)


def outside(data: bytes, where: str) -> bytes:
    """Return every byte outside of the alias values, with a NUL where each of them was."""
    text, _, _, found = read(data, where)
    kept, at = [], 0
    for area in found:
        kept.append(text[at : area.node.start])
        at = area.node.end
    kept.append(text[at:])
    return "\0".join(kept).encode()


def edit(data: bytes, wanted: Mapping[str, Sequence[str]], where: str) -> bytes:
    """Return the file with the alias lists of some pages replaced; `wanted` maps a page to its full new list.

    Entries that stay keep their place and bytes; a new one is sorted in when the list is sorted, else appended. Raises
    `BadInput` for a page without an alias list, an alias that may not be written, or one that leads to another page already.
    """
    text, _, shape, found = read(data, where)
    check_wanted(shape, found, wanted, where)
    for area in reversed(found):
        kept, new = changes(area, wanted)
        if new or len(kept) < len(area.entries):
            text = text[: area.node.start] + render(text, area, kept, new) + text[area.node.end :]
    return text.encode()


def merge(base: bytes, ours: bytes, theirs: bytes, where: str) -> bytes:
    """Return `ours` with what `theirs` changed since `base`: for each page, ours + (theirs − base) − (base − theirs).

    A page without an alias list in `ours` gets nothing; a phrase that `ours` leads to another page stays as it is there.
    """
    _, _, shape, found = read(ours, where)
    old, new = pairs(base, where), pairs(theirs, where)
    mine = [(entry.page, entry.alias) for area in found for entry in area.entries]
    known = set(old)
    gone, added = known.difference(new), [pair for pair in new if pair not in known]
    result: dict[str, list[str]] = {}
    for page, alias in mine:
        if (page, alias) not in gone:
            result.setdefault(page, []).append(alias)
    taken = {alias for page, said in result.items() for alias in said} if shape == "map" else set()
    open_to = editable(found)
    for page, alias in added:
        if alias not in taken and (shape == "map" or page in open_to):
            result.setdefault(page, []).append(alias)
    touched = {page for page, _ in (*gone, *added)} & (open_to if shape == "docs" else {page for page, _ in (*mine, *added)})
    return edit(ours, {page: result.get(page, []) for page in touched}, where)


def fault(alias: str) -> str:
    """Return why an alias may not be written, as in `the alias 'x' …`; nothing when it may."""
    if not alias.strip():
        return "is blank"
    if len(alias) > MAX_LENGTH:
        return f"is longer than {MAX_LENGTH} characters"
    if any(hidden(char) for char in alias):
        return "holds a control, bidirectional or zero-width character"
    return ""


def faults(said: Sequence[str]) -> list[str]:
    """Return what is wrong with the list of one document, a sentence each."""
    found = [f"the alias {alias[:40]!r} {why}" for alias in said if (why := fault(alias))]
    if len(said) > MAX_COUNT:
        found.append(f"there are {len(said)} aliases, more than {MAX_COUNT}")
    if len(set(said)) < len(said):
        twice = next(alias for number, alias in enumerate(said) if alias in said[:number])
        found.append(f"the alias {twice[:40]!r} is there twice")
    return found


# ---- reading


@functools.lru_cache(8)
def read(data: bytes, where: str) -> tuple[str, Node, str, list[Area]]:
    """Return the text, its value, its shape and its areas in the order of the text."""
    text = strictjson.decode(data, where)
    top = strictjson.parse(text, where)
    if is_docs(top):
        return text, top, "docs", [area for node in pages(top) if (area := list_of(node, text, where))]
    found = map_of(top, text, where)
    return text, top, "map" if found else "none", [found] if found else []


def is_docs(top: Node) -> bool:
    """Tell whether a file has the docs shape."""
    docs = top.member("docs")
    return docs is not None and docs.kind == "array"


def pages(top: Node) -> list[Node]:
    """Return the entries of `docs` that are pages: objects with a `path`."""
    docs = top.member("docs")
    return [node for node in docs.items if (path := node.member("path")) and path.kind == "string"] if docs else []


def document(node: Node, listed: Mapping[int, tuple[str, ...]]) -> Document:
    """Return an entry of `docs`; `listed` has the aliases by the place of their key."""
    key, _ = node.members.get("aliases", (-1, node))
    return Document(said(node, "path"), said(node, "title"), listed.get(key, ()))


def said(node: Node, key: str) -> str:
    """Return what a string member says, nothing when there is none."""
    found = node.member(key)
    return found.string if found else ""


def list_of(node: Node, text: str, where: str) -> Area | None:
    """Return the alias list of an entry of `docs`, None when it has none."""
    key, value = node.members.get("aliases", (-1, node))
    if key < 0 or value.kind != "array":
        return None
    page = said(node, "path")
    require_strings(value.items, text, where)
    entries = tuple(Entry(item.string, page, item.start, item.end) for item in value.items)
    return Area(page, said(node, "title"), key, value, entries)


def map_of(top: Node, text: str, where: str) -> Area | None:
    """Return the top-level map of a file, None when it has none that holds strings."""
    key, value = top.members.get("aliases", (-1, top))
    if key < 0 or value.kind != "object":
        return None
    values = [node for _, node in value.members.values()]
    if values and not any(node.kind == "string" for node in values):
        return None
    require_strings(values, text, where)
    entries = tuple(Entry(alias, node.string, start, node.end) for alias, (start, node) in value.members.items())
    return Area(None, "", key, value, entries)


def require_strings(nodes: Iterable[Node], text: str, where: str) -> None:
    """Raise for the first value that is not a string."""
    for node in nodes:
        if node.kind != "string":
            line = text.count("\n", 0, node.start) + 1
            raise BadInput(f"{where}: an alias at line {line} is not a string.", "Write every alias in quotes.")


def pairs(data: bytes, where: str) -> list[tuple[str, str]]:
    """Return every (page, alias) of a file, in its order."""
    return [(entry.page, entry.alias) for area in read(data, where)[3] for entry in area.entries]


def editable(found: Iterable[Area]) -> set[str]:
    """Return the pages that have one alias list in the file."""
    counts: dict[str, int] = {}
    for area in found:
        if area.page is not None:
            counts[area.page] = counts.get(area.page, 0) + 1
    return {page for page, count in counts.items() if count == 1}


# ---- writing


def check_wanted(shape: str, found: Sequence[Area], wanted: Mapping[str, Sequence[str]], where: str) -> None:
    """Raise when the file has no place for what is wanted, or an alias may not be written."""
    open_to = editable(found)
    for page in wanted:
        if shape == "docs" and page not in open_to:
            raise BadInput(f"{where} has no alias list for {page}.", "A person adds its entry first: mfgit init shows it.")
        if shape == "none":
            raise BadInput(
                f"{where} has no place for aliases.", 'A person adds "docs" or "aliases" first: mfgit init shows it.'
            )
    present = {entry.alias for area in found for entry in area.entries}
    for alias in (alias for said in wanted.values() for alias in said if alias not in present):
        if why := fault(alias):
            raise BadInput(f"{where}: the alias {alias[:40]!r} {why}.")


def changes(area: Area, wanted: Mapping[str, Sequence[str]]) -> tuple[list[Entry], list[tuple[str, str]]]:
    """Return the entries of an area that stay, and the (alias, page) pairs that come.

    Raises `BadInput` when one phrase of a map would lead to two pages.
    """
    kept = [entry for entry in area.entries if entry.page not in wanted or entry.alias in wanted[entry.page]]
    asked = wanted if area.page is None else {area.page: wanted.get(area.page, ())}
    taken = {entry.alias: entry.page for entry in kept}
    new: list[tuple[str, str]] = []
    for page, said in asked.items():
        for alias in said:
            if taken.setdefault(alias, page) != page:
                raise BadInput(f"The alias {alias[:40]!r} already leads to {taken[alias]}, so it cannot lead to {page}.")
            new.append((alias, page))
    there = {entry.alias for entry in kept}
    return kept, [pair for pair in dict.fromkeys(new) if pair[0] not in there]


def render(text: str, area: Area, kept: Sequence[Entry], new: Sequence[tuple[str, str]]) -> str:
    """Return the new text of an area's value."""
    lines = [(entry.alias, text[entry.start : entry.end]) for entry in kept]
    names = [alias for alias, _ in lines]
    in_order = names == sorted(names)
    for alias, page in new:
        line = quote(alias) if area.page is not None else f"{quote(alias)}: {quote(page)}"
        at = bisect_right([name for name, _ in lines], alias) if in_order else len(lines)
        lines.insert(at, (alias, line))
    first, last = text[area.node.start], text[area.node.end - 1]
    if not lines:
        return first + last
    outer, inner = spacing(text, area)
    return first + inner + ("," + (inner or " ")).join(line for _, line in lines) + outer + last


def spacing(text: str, area: Area) -> tuple[str, str]:
    """Return what stands before the closing bracket and before each entry: line breaks with indentation, or nothing.

    A list on one line stays on one; an empty one is laid out in the indentation of the file.
    """
    written = text[area.node.start : area.node.end]
    if "\n" not in (written if area.entries else text.rstrip()):
        return "", ""
    newline = "\r\n" if "\r\n" in text else "\n"
    line = text[text.rfind("\n", 0, area.key) + 1 : area.key]
    outer = line[: len(line) - len(line.lstrip(" \t"))]
    if area.entries:
        start = area.entries[0].start
        before = text[text.rfind("\n", 0, start) + 1 : start]
        if not before.strip(" \t"):
            return newline + outer, newline + before
    return newline + outer, newline + outer + unit(text)


def unit(text: str) -> str:
    """Return one step of a file's indentation: what its first indented line starts with."""
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        if indent and line.strip():
            return indent
    return "  "


def quote(said: str) -> str:
    """Return a string as JSON; what may be written holds no control character."""
    escaped = said.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
