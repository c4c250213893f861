"""One proposal as a reviewer reads it: the record, the text that it publishes, and what it changes."""

from collections.abc import Mapping
from typing import NamedTuple

from mfgit import layout
from mfgit.model import Known
from mfgit.plumbing import Git
from mfgit.project.base import Repository
from mfgit.project.contradicting import contradictions
from mfgit.project.deciding import find, look
from mfgit.proposal.overlay import split
from mfgit.proposal.render import root_of
from mfgit.repo.merging import blob_texts, own_files
from mfgit.repo.person import readable_diff


class Shown(NamedTuple):
    """A proposal, its Markdown (path -> text without front matter), and its patch without the record's file.

    `similar` are the proposals that may be the same, whichever of the two says so; `titles` are theirs, by id, as far as Git
    knows them.
    """

    known: Known
    texts: dict[str, str]
    diff: str
    titles: Mapping[str, str]
    similar: tuple[str, ...]
    contradictions: tuple[str, ...] = ()


def show(repository: Repository, text: str) -> Shown:
    """Return one proposal to be read; raises `BadInput` for an unknown id."""
    state = look(repository)
    known, one = state.known, find(state, text)
    back = [each.id for each in known if one.id in each.record.similar]
    similar = tuple(dict.fromkeys((*one.record.similar, *back)))
    titles = {each.id: each.record.title for each in known if each.id in similar}
    old, new = span(repository, one)
    own = own_files(repository.git, new, one.id, one.record.root)
    pages = {
        path: data.decode("utf-8", "replace") for path, data in blob_texts(repository.git, own).items() if path.endswith(".md")
    }
    record = layout.record_path(root_of(one.record), one.id)
    paths = sorted({*own, layout.aliases_path(root_of(one.record))} - {record})
    diff = readable_diff(repository.folder, old, new, paths) if paths else ""
    texts = {path: split(page)[1].strip() for path, page in pages.items()}
    adopted = [each for each in known if each.status == "adopted"]
    waits = one.status in ("open", "edited", "stale")
    against = contradictions(repository.git, one.record, pages.values(), repository.target_commit(), adopted) if waits else ()
    return Shown(one, texts, diff, titles, similar, against)


def span(repository: Repository, one: Known) -> tuple[str, str]:
    """Return the commits between which a proposal's change is seen: before it, and with it."""
    commit = str(one.commit)
    if one.status == "adopted":
        return parent_of(repository.git, commit), commit
    if one.status == "undone":
        return commit, parent_of(repository.git, commit)
    base = repository.git.run("merge-base", repository.target_commit(), commit, ok=None).out.decode().split()
    return (base[0] if base else parent_of(repository.git, commit)), commit


def parent_of(git: Git, commit: str) -> str:
    """Return the first parent of a commit, or the empty tree when it has none."""
    return git.commit_of(f"{commit}^") or git.line("hash-object", "-t", "tree", "/dev/null")
