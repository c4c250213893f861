"""Add the pages that an `index.json` does not list yet, and change no byte that is there.

New entries are laid out as the file's own, sorted in where the file is sorted. A page that is listed without an alias list
gets an empty one, since mfgit may only fill lists that people made.
"""

import json
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mfgit import aliases, strictjson
from mfgit.strictjson import Node


class Page(NamedTuple):
    """A page of a root: `path` below the root and the title to list it under."""

    path: str
    title: str


class Insertion(NamedTuple):
    """Text that goes in front of a position."""

    at: int
    text: str


def fresh(pages: Iterable[Page]) -> bytes:
    """Return the bytes of a new `index.json`."""
    docs = [entry(page) for page in sorted(pages)]
    return (json.dumps({"version": 1, "docs": docs}, ensure_ascii=False, indent=2) + "\n").encode()


def complete(data: bytes, pages: Iterable[Page], where: str) -> tuple[bytes, int]:
    """Return the file with the missing entries and alias lists, and how many it got.

    A file in another shape than `docs` has no entries and stays as it is. Raises `BadInput` that names `where` and the line.
    """
    text, top, shape, _ = aliases.read(data, where)
    docs = top.member("docs")
    if shape != "docs" or docs is None:
        return data, 0
    listed = {path.string: node for node in docs.items if (path := node.member("path"))}
    missing = sorted(page for page in pages if page.path not in listed)
    bare = [node for node in listed.values() if "aliases" not in node.members]
    found = [*new_entries(text, docs, missing), *(alias_list(text, node) for node in bare)]
    for insertion in sorted(found, key=lambda insertion: insertion.at, reverse=True):
        text = text[: insertion.at] + insertion.text + text[insertion.at :]
    return text.encode(), len(missing) + len(bare)


def entry(page: Page) -> dict[str, object]:
    """Return a page as its entry."""
    return {"path": page.path, "title": page.title, "aliases": []}


def new_entries(text: str, docs: Node, pages: Sequence[Page]) -> list[Insertion]:
    """Return what to insert for pages that are not listed."""
    if not pages:
        return []
    if not docs.items:
        step, newline = aliases.unit(text), "\r\n" if "\r\n" in text else "\n"
        outer = newline + (indent_of(text, docs.start) if newline in text.rstrip() else "")
        inner = outer + step
        return [Insertion(docs.end - 1, inner + f",{inner}".join(laid_out(page, inner, step) for page in pages) + outer)]
    names = [path.string if (path := node.member("path")) else "" for node in docs.items]
    return list(merged(text, docs.items, names, pages))


def merged(text: str, nodes: Sequence[Node], names: Sequence[str], pages: Sequence[Page]) -> Iterable[Insertion]:
    """Yield the insertions among existing entries: all that go to one place make one insertion."""
    before = gap(text, nodes)
    flat = "\n" not in text[nodes[0].start : nodes[0].end]
    in_order = list(names) == sorted(names)
    places: dict[int, list[str]] = {}
    for page in pages:
        place = bisect_left(names, page.path) if in_order else len(nodes)
        line = json.dumps(entry(page), ensure_ascii=False) if flat else laid_out(page, before, aliases.unit(text))
        places.setdefault(place, []).append(line)
    for place, lines in places.items():
        if place == 0:
            yield Insertion(nodes[0].start, "".join(f"{line},{before}" for line in lines))
        else:
            yield Insertion(nodes[place - 1].end, "".join(f",{before}{line}" for line in lines))


def alias_list(text: str, node: Node) -> Insertion:
    """Return what gives a listed page its empty alias list."""
    last = max(value.end for _, value in node.members.values())
    first = min(key for key, _ in node.members.values())
    before = text[text.rfind("\n", 0, first) : first] if "\n" in text[node.start : node.end] else " "
    return Insertion(last, f',{before if not before.strip() else " "}"aliases": []')


def laid_out(page: Page, before: str, step: str) -> str:
    """Return an entry over several lines; `before` is the line break and indentation that it stands behind."""
    return json.dumps(entry(page), ensure_ascii=False, indent=step).replace("\n", before if "\n" in before else "\n")


def gap(text: str, nodes: Sequence[Node]) -> str:
    """Return what stands in front of an entry: a line break with indentation, or a blank."""
    start = nodes[0].start
    before = text[:start]
    space = before[len(before.rstrip(strictjson.BLANK)) :]
    return space or " "


def indent_of(text: str, at: int) -> str:
    """Return the indentation of the line that a position is on."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
