"""A record and a root's `index.json` -> the files that a proposal adds or changes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from mfgit import aliases, layout
from mfgit.layout import FORGED, Root
from mfgit.model import Alias, Record
from mfgit.proposal.overlay import overlay
from mfgit.proposal.safe import clean
from mfgit.proposal.skill import skill, skill_name
from mfgit.text.slug import slug


class Rendered(NamedTuple):
    """A clean record and its files, path from the top -> bytes."""

    record: Record
    files: Mapping[str, bytes]


def root_of(record: Record) -> Root:
    """Return the knowledge root of a record."""
    return Root(record.root, record.target_layer)


def overlay_path(record: Record) -> str | None:
    """Return where the Markdown of a record goes, None for one that adds aliases only."""
    if record.action_type == "index":
        return None
    if record.action_type == "skill":
        return root_of(record).join(f"{FORGED}/skills/{skill_name(record)}/SKILL.md")
    return root_of(record).join(f"{FORGED}/{slug(record.title)}-{record.id}.md")


def finished(record: Record) -> Record:
    """Return the record as its file holds it: clean, and with the path that adopting it changes.

    A path that it already has is kept, so that a proposal whose title changes stays the same file.
    """
    tidy = clean(record)
    path = tidy.adopted_path or overlay_path(tidy) or layout.aliases_path(root_of(tidy))
    return replace(tidy, adopted_path=path)


def render(record: Record, alias_file: bytes | None) -> Rendered:
    """Return everything that a fresh branch of the record adds to a tree with this `index.json` (None: with none).

    Raises `BadInput` for an `index.json` that cannot be read.
    """
    done = finished(record)
    root = root_of(done)
    files = {layout.record_path(root, done.id): done.dump()}
    if done.action_type != "index" and done.adopted_path:
        files[done.adopted_path] = (skill(done) if done.action_type == "skill" else overlay(done)).encode()
    if alias_file is not None and done.aliases:
        changed = with_aliases(alias_file, done, layout.aliases_path(root))
        if changed != alias_file:
            files[layout.aliases_path(root)] = changed
    return Rendered(done, files)


def with_aliases(alias_file: bytes, record: Record, where: str) -> bytes:
    """Return `index.json` with the record's aliases; those that it cannot hold are left out (see `misplaced`)."""
    found = aliases.parse(alias_file, where)
    left_out = set(misplaced(found, record))
    lists = {document.path: list(document.aliases) for document in found.documents}
    wanted: dict[str, list[str]] = {}
    for alias in record.aliases:
        page = root_of(record).relative(alias.path)
        if page is None or alias in left_out:
            continue
        said = wanted.setdefault(page, lists.get(page, []))
        if alias.alias not in said:
            said.append(alias.alias)
    return aliases.edit(alias_file, wanted, where) if wanted else alias_file


def misplaced(found: aliases.Aliases, record: Record) -> dict[Alias, str]:
    """Return the aliases that an `index.json` cannot take, with why, as in `“x” …`."""
    leads = {said: document.path for document in found.documents for said in document.aliases}
    pages = {document.path for document in found.documents}
    return {alias: why for alias in record.aliases if (why := obstacle(found.shape, leads, pages, root_of(record), alias))}


def obstacle(shape: str, leads: Mapping[str, str], pages: set[str], root: Root, alias: Alias) -> str:
    """Return why one alias cannot be written, nothing when it can."""
    page = root.relative(alias.path)
    if page is None:
        return f"leads to {alias.path}, which is outside of {root.path}"
    if leads.get(alias.alias, page) != page:
        return f"leads to {leads[alias.alias]} already"
    if shape == "docs" and page not in pages:
        return f"leads to {page}, which has no entry"
    if shape == "none":
        return "has no list to go into"
    return aliases.fault(alias.alias)
