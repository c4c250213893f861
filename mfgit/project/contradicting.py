"""What the text of a proposal contradicts: the originals that belong to it, and adopted answers to much the same question."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mfgit.model import Known, Record
from mfgit.plumbing import Git
from mfgit.proposal.overlay import split
from mfgit.scan.clash import clash
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


def contradictions(git: Git, record: Record, texts: Iterable[str], target: str, others: Sequence[Known]) -> tuple[str, ...]:
    """Return what the Markdown of a proposal contradicts on the target, in a sentence each; `others` are adopted ones."""
    if record.action_type == "index":
        return ()
    answer = "\n\n".join(blocks.without(split(text)[1]) for text in texts)
    found = ((page.path, clash(answer, page.text, record.title, page.title)) for page in pages(git, record, target, others))
    return tuple(
        f"{path} says otherwise ({against.what}): “{against.theirs}”, and this says “{against.ours}”."
        for path, against in found
        if against
    )


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
