"""A ref's tree → the documents that are searched, and each document → its passages.

What is searched is a function of the tree alone: its files, its `mfgit.toml`, its `index.json`s. A file that cannot be
read the way it should be is passed over with a `Problem`, never an error.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha1
from typing import Any, NamedTuple
from urllib.parse import unquote

from mfgit import aliases, formats, layout
from mfgit.errors import MfgitError
from mfgit.layout import Root
from mfgit.passages import Passage
from mfgit.plumbing import TreeEntry, decode
from mfgit.sections import Config
from mfgit.text import blocks
from mfgit.text.tokens import language
from mfgit.tree import front_matter, markdown
from mfgit.tree.front_matter import FrontMatter
from mfgit.tree.version import READING

FILE_MODES = ("100644", "100755")


class Problem(NamedTuple):
    """Something in the tree that could not be used: the `path` it is in and `what` is wrong."""

    path: str
    what: str


class Page(NamedTuple):
    """One document of the merged tree; `aliases` are the other wordings that `index.json` gives it."""

    path: str
    blob: str
    kind: str
    aliases: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A name for everything that the page's passages depend on."""
        told = "\0".join((str(READING), self.path, self.blob, self.kind, *self.aliases))
        return sha1(told.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()


class Rules(NamedTuple):
    """What makes a file a page: the tree's `roots`, the `endings` of names; `starred`: files tell which roots there are."""

    roots: tuple[Root, ...]
    endings: tuple[str, ...]
    starred: bool


class Tree(NamedTuple):
    """The documents of a tree in the order of their paths, the blob of every file, what could not be used, and its rules."""

    pages: tuple[Page, ...]
    blobs: Mapping[str, str]
    problems: tuple[Problem, ...]
    rules: Rules


class Document(NamedTuple):
    """What one file says: its passages, what it is based on (path, blob) for an overlay, and what is wrong with it."""

    passages: tuple[Passage, ...]
    based_on: tuple[tuple[str, str], ...] = ()
    problems: tuple[Problem, ...] = ()


def read(entries: Sequence[TreeEntry], config: Config, blob: Callable[[str], bytes | None]) -> Tree:
    """Return the documents of a listed tree; `blob` gives the bytes of an object (asked for the `index.json`s only)."""
    files = {decode(entry.path): entry for entry in entries if entry.mode in FILE_MODES}
    roots = layout.expand(config.roots, files)
    endings = tuple(ending.lower() for ending in config.guard.originals)
    wanted = {path: kind for path in files if (kind := kind_of(path, roots, endings))}
    wordings, problems = all_aliases(roots, files, wanted, blob)
    pages = [Page(path, files[path].oid, kind, tuple(wordings.get(path, ()))) for path, kind in sorted(wanted.items())]
    problems += [Problem(path, "its name is not UTF-8") for path in files if undecodable(path)]
    rules = Rules(roots, endings, any("*" in pattern.path for pattern in config.roots))
    return Tree(tuple(pages), {path: entry.oid for path, entry in files.items()}, tuple(problems), rules)


def kind_of(path: str, roots: Sequence[Root], endings: tuple[str, ...]) -> str | None:
    """Return whether a path is an original or an overlay that is searched, None for everything else.

    Whatever lies in a folder `_forged` is taken for an overlay, at the place where a root would have it or not: text that
    a machine may have written must not pass for an original.
    """
    if not path.lower().endswith(endings) or layout.root_of(roots, path) is None:
        return None
    parts = path.split("/")
    if layout.FORGED not in parts[:-1]:
        return "original"
    return None if "proposals" in parts[parts.index(layout.FORGED) + 1 : -1] else "overlay"


def all_aliases(
    roots: Sequence[Root], files: Mapping[str, TreeEntry], pages: Mapping[str, str], blob: Callable[[str], bytes | None]
) -> tuple[dict[str, list[str]], list[Problem]]:
    """Return page → its other wordings from every root's `index.json`, and what is wrong in those files."""
    found: dict[str, list[str]] = {}
    problems: list[Problem] = []
    for root in roots:
        path = layout.aliases_path(root)
        data = blob(files[path].oid) if path in files else None
        if data is None:
            continue
        try:
            named, wrong = aliases.usable(data, path)
        except MfgitError as error:
            problems.append(refused(path, error))
            continue
        problems += [Problem(path, what) for what in wrong]
        for name, wordings in named.items():
            page = root.join(name)
            if page in pages:
                found.setdefault(page, []).extend(alias for alias in wordings if alias.strip())
            else:
                problems.append(Problem(path, f"it has aliases for {page}, which is not there"))
    return found, problems


def refused(path: str, error: MfgitError) -> Problem:
    """Return the problem of a file that was refused with an error whose sentence begins with its path."""
    said = error.message.removesuffix(".")
    if said.startswith(f"{path}: "):
        return Problem(path, said.removeprefix(f"{path}: "))
    return Problem(path, said.replace(path, "it", 1) if said.startswith(path) else said)


def undecodable(path: str) -> bool:
    """Return whether a path's bytes are not UTF-8."""
    return any("\udc80" <= character <= "\udcff" for character in path)


def passages(page: Page, data: bytes) -> Document:
    """Return the document of a page's bytes. Bytes that are not UTF-8 are read as far as they go, and reported."""
    problems = []
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8-sig", "replace")
        problems.append(Problem(page.path, f"it is not UTF-8 text (byte {error.start})"))
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    lines = blocks.blanked(lines) if page.kind == "overlay" else lines
    front = front_matter.read(lines)
    if front.problem:
        problems.append(Problem(page.path, front.problem))
    if page.kind == "overlay" and formats.newer(version := version_of(front), formats.OVERLAY):
        problems.append(Problem(page.path, formats.told(version, formats.OVERLAY).removesuffix(".")))
    return Document(tuple(sections_of(page, lines, front)), based_on(front), tuple(problems))


def sections_of(page: Page, lines: list[str], front: FrontMatter) -> Iterable[Passage]:
    """Yield a document's passages; the first with text below its heading carries what belongs to the whole document."""
    sections = markdown.sections(lines, front.after)
    if not sections and front.after:
        sections = [markdown.Section("", (), (1, front.after))]
    first = next((text for section in sections for text in (*section.trail, section.heading) if text), "")
    stem = page.path.rsplit("/", 1)[-1].rsplit(".", 1)[0].encode("utf-8", "replace").decode()
    title = front.text("title", "question") or metadata(front).text("title") or front.text("name") or first or stem
    whole = {"summary": front.text("summary", "description"), "aliases": (*front.texts("questions"), *page.aliases)}
    overlay = overlay_fields(front, title) if page.kind == "overlay" else {}
    bodies = (lines[section.lines[0] - (not section.heading) : section.lines[1]] for section in sections)
    carrier = next((number for number, body in enumerate(bodies) if markdown.has_words(body)), 0)
    for number, section in enumerate(sections):
        text = "\n".join(lines[section.lines[0] - 1 : section.lines[1]])
        more = {"anchor": section.anchor, **(whole if number == carrier else {}), **overlay}
        yield Passage(page.path, title, section.heading, section.trail, section.lines, text, page.kind, page.blob, **more)


def overlay_fields(front: FrontMatter, title: str) -> dict[str, Any]:
    """Return what an overlay says of itself: its proposal and its language."""
    source = metadata(front)
    lang = front.text("lang") or source.text("lang")
    proposal = front.text("proposal") or source.text("proposal", "mfgit-proposal")
    return {"proposal": proposal or None, "lang": lang if lang in ("en", "zh") else language(title)}


def version_of(front: FrontMatter) -> Any:
    """Return the version that an overlay names, None for none; a skill names it as text, as all of its `metadata`."""
    value = front.values.get(formats.FIELD, metadata(front).values.get(formats.FIELD))
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def metadata(front: FrontMatter) -> FrontMatter:
    """Return the `metadata` of a skill, where its provenance stands."""
    value = front.values.get("metadata")
    return FrontMatter(value if isinstance(value, dict) else {}, 0)


def based_on(front: FrontMatter) -> tuple[tuple[str, str], ...]:
    """Return the originals that an overlay names, each with the blob it had."""
    value = front.values.get("based_on")
    if not isinstance(value, list):
        value = [
            dict(zip(("path", "blob"), (unquote(part) for part in item.rsplit("@", 1)), strict=False))
            for item in metadata(front).text("based_on").split()
        ]
    entries = [entry for entry in value if isinstance(entry, dict)]
    return tuple((str(entry["path"]), str(entry["blob"])) for entry in entries if "path" in entry and "blob" in entry)


def changed_sources(sources: Iterable[tuple[str, str]], blobs: Mapping[str, str]) -> tuple[str, ...]:
    """Return the originals of `sources` that a tree does not hold any more as they were."""
    return tuple(path for path, blob in sources if blobs.get(path) != blob)
