"""Citations: `path#anchor@commit`, which stay valid whatever becomes of the page, and which `mfgit cite` reads."""

from collections.abc import Sequence

from mfgit import printing
from mfgit.passages import Hit, Passage
from mfgit.plumbing import Git
from mfgit.project.views import Where


def citation(passage: Passage, commit: str) -> str:
    """Return where a passage stands for good."""
    anchor = f"#{passage.anchor}" if passage.anchor else ""
    return f"{printing.clean_line(passage.path)}{anchor}@{commit[:12]}"


def cite(git: Git, where: Where, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return hits with their citations; what only a proposal's branch holds is cited at that branch's commit."""
    there = in_commit(git, where.commit, [hit.passage for hit in hits]) if where.tip else frozenset()
    cited = []
    for hit in hits:
        commit = where.commit if not where.tip or hit.passage.path in there else where.tip
        cited.append(hit._replace(citation=citation(hit.passage, commit)))
    return tuple(cited)


def in_commit(git: Git, commit: str, passages: Sequence[Passage]) -> frozenset[str]:
    """Return the paths of passages that a commit holds as they are."""
    found = git.blobs([f"{commit}:{passage.path}" for passage in passages])
    return frozenset(p.path for p, blob in zip(passages, found, strict=True) if blob.oid == p.blob)
