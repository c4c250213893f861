"""What the text of a proposal contradicts: the originals that belong to it, and adopted answers to much the same question."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mfgit.model import Known, Record
from mfgit.plumbing import Git
from mfgit.proposal.overlay import split
from mfgit.proposal.render import render
from mfgit.reasons.forms import say
from mfgit.scan.clash import Clash, clashes, stated
from mfgit.text import blocks
from mfgit.text.tokens import query_terms

ALIKE = 0.5
"""Share of the terms of two titles that both have, from which an adopted answer is compared."""
OVERLAYS = 5
"""Adopted answers compared, the most alike first."""
TITLE = re.compile(r"^#[ \t]+(.+?)[ \t]*#*$|^(?:title|question):[ \t]*['\"]?(.+?)['\"]?[ \t]*$", re.MULTILINE)


class Page(NamedTuple):
    """A page to compare with: its path, its title, and its text without front matter."""

    path: str
    title: str
    text: str


class Contradictions(NamedTuple):
    """What a proposal contradicts, in a sentence each: by the machine's words, and by words that a person wrote."""

    machine: tuple[str, ...] = ()
    person: tuple[str, ...] = ()


def contradictions(git: Git, record: Record, texts: Iterable[str], target: str, others: Sequence[Known]) -> tuple[str, ...]:
    """Return what the Markdown of a proposal contradicts on the target, in a sentence each; `others` are adopted ones."""
    return tuple(dict.fromkeys(told(page, found) for page, found in against(git, record, texts, target, others)))


def weighed(
    git: Git, one: Known, texts: Iterable[str], target: str, others: Sequence[Known], *, edited: bool
) -> Contradictions:
    """Return what a proposal contradicts, by whose words; `edited` tells that a person's commits are among its own.

    A person's words are those that the machine's text of the record does not have: a person decides about them, and a clause
    that was left as the machine wrote it was not decided by anyone.
    """
    made = render(one.record, None).files.values() if edited else ()
    words = " ".join(" ".join(stated(split(data.decode())[1]) for data in made).split())
    sides: tuple[list[str], list[str]] = ([], [])
    for page, found in against(git, one.record, texts, target, others):
        sides[edited and found.ours not in words].append(told(page, found))
    return Contradictions(*(tuple(dict.fromkeys(side)) for side in sides))


def against(
    git: Git, record: Record, texts: Iterable[str], target: str, others: Sequence[Known]
) -> Iterator[tuple[str, Clash]]:
    """Yield the pages that a proposal contradicts, each with how."""
    if record.action_type == "index":
        return
    answer = "\n\n".join(blocks.without(split(text)[1]) for text in texts)
    for page in pages(git, record, target, others):
        for found in clashes(answer, page.text, record.title, page.title):
            yield page.path, found


def told(path: str, found: Clash) -> str:
    """Return a sentence that names both sides."""
    return say("against.page", path=path, what=found.what, theirs=found.theirs, ours=found.ours)


def pages(git: Git, record: Record, target: str, others: Sequence[Known]) -> Iterator[Page]:
    """Yield the pages of a commit that a proposal is compared with."""
    paths = dict.fromkeys((*(source.path for source in record.based_on), *(page.path for page in record.related)))
    paths.update(dict.fromkeys(alike(record, others)))
    named = list(paths)
    for path, blob in zip(named, git.blobs([f"{target}:{path}" for path in named]), strict=True):
        if blob.data is not None:
            text = blob.data.decode("utf-8-sig", "replace")
            title = TITLE.search(text)
            yield Page(path, (title[1] or title[2]) if title else "", blocks.without(split(text)[1]))


def alike(record: Record, others: Sequence[Known]) -> list[str]:
    """Return the files of adopted answers in the same root whose questions are much the same."""
    mine = set(query_terms(record.title))
    near: Mapping[str, float] = {
        other.record.adopted_path: share(mine, other.record)
        for other in others
        if other.id != record.id and other.record.root == record.root and other.record.adopted_path
        if other.status == "adopted" and other.record.action_type != "index"
    }
    return sorted((path for path in near if near[path] >= ALIKE), key=lambda path: (-near[path], path))[:OVERLAYS]


def share(mine: set[str], other: Record) -> float:
    """Return the share of terms that a title has in common with another record's."""
    theirs = set(query_terms(other.title))
    return len(mine & theirs) / max(1, len(mine | theirs))
