"""Which tree a search reads, and its view of the index."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from zlib import crc32

from mfgit import config, layout, sections
from mfgit.errors import BadInput
from mfgit.index.searcher import Damaged, Searcher
from mfgit.index.store import Entry, Store
from mfgit.passages import Passage
from mfgit.plumbing import Git, TreeEntry, decode, encode
from mfgit.progress import Progress, quiet
from mfgit.project.base import Repository

if TYPE_CHECKING:
    from mfgit.index.last import Steps
    from mfgit.tree import reading

Result = TypeVar("Result")

BATCH = 500
"""Documents read from Git at a time, so that memory stays small in a large repository."""
MOST_NOTES = 3


class Where(NamedTuple):
    """The tree to read: the `ref` as the user names it, its commit, and the tree (which no commit may have yet).

    `tip` is the commit that a proposal in the tree comes from, where it is not adopted.
    """

    ref: str
    commit: str
    tree: str
    tip: str = ""


def locate(repository: Repository, ref: str | None = None, with_id: str | None = None) -> Where:
    """Return the tree of a ref (default: HEAD; in a bare repository the target), or what a proposal would make of it.

    Raises `BadInput` that names an unknown ref or proposal.
    """
    if with_id is not None:
        return with_proposal(repository, ref, with_id)
    if ref is None:
        ref = "HEAD" if repository.top is not None else repository.target
    found = objects(repository.git, ref)
    if found is None:
        raise not_there(repository, ref)
    return Where(ref.removeprefix("refs/heads/"), *found)


def not_there(repository: Repository, ref: str) -> BadInput:
    """Return the error of a ref without a commit; raises the target's own where that is what is missing."""
    git = repository.git
    if ref == "HEAD" and git.out("for-each-ref", "--count=1"):
        return BadInput(
            "The branch that is checked out has no commits yet.", "Commit to it, or name another branch with --ref."
        )
    if ref in ("HEAD", repository.target):
        repository.target_commit()
    hint = "git branch --all lists the branches."
    if git.line("rev-parse", "--is-shallow-repository") == "true":
        hint = "This clone is shallow: git fetch --unshallow brings the older commits. " + hint
    return BadInput(f"There is no branch, tag or commit {ref} here.", hint)


def objects(git: Git, name: str) -> tuple[str, str] | None:
    """Return the commit and the tree that a name stands for, in one call of git."""
    if not name or name.startswith("-") or "\0" in name:
        return None
    done = git.run("rev-parse", "--quiet", "--revs-only", f"{name}^{{commit}}", f"{name}^{{tree}}", ok=None)
    lines = done.out.decode("ascii", "replace").split()
    return (lines[0], lines[1]) if done.code == 0 and len(lines) == 2 else None


def with_proposal(repository: Repository, ref: str | None, text: str) -> Where:
    """Return the tree that adopting a proposal would make, merged without a checkout; `text` as for `deciding.find`."""
    from mfgit.project import deciding

    base = locate(repository, ref or repository.target)
    state = deciding.look(repository)
    one = deciding.find(state, text)
    name = f"{base.ref} with {one.id}"
    if one.status == "adopted":
        return Where(name, base.commit, base.tree)
    tip = deciding.tip_of(repository, one, state.branches.get(one.id))
    return Where(name, base.commit, merged_tree(repository.git, base.commit, tip, one.id), tip)


def merged_tree(git: Git, base: str, tip: str, identity: str) -> str:
    """Return the tree that adopting would make: the same merge, by meaning, written as a tree."""
    from mfgit.repo import merging

    record = next(
        (path for path in git.out("ls-tree", "-r", "-z", "--name-only", tip).split(b"\0") if is_record(path, identity)), b""
    )
    root = decode(record.removesuffix(f"{layout.FORGED}/proposals/{identity}.json".encode())).rstrip("/") or "."
    own = merging.own_files(git, tip, identity, root)
    merge = merging.merge(git, base, tip, own, layout.ALIASES if root == "." else f"{root}/{layout.ALIASES}")
    if merge.conflicts:
        raise BadInput(
            f"Proposal {identity} does not merge into {base[:12]}: both changed {merge.conflicts[0]}.",
            f"mfgit refresh {identity} re-applies it to the target.",
        )
    return compose(git, merge.tree, merge.files)


def is_record(path: bytes, identity: str) -> bool:
    """Return whether a path is the record of a proposal."""
    return path.endswith(f"{layout.FORGED}/proposals/{identity}.json".encode())


def compose(git: Git, tree: str, files: Mapping[str, bytes | None]) -> str:
    """Return a tree with files put over it (None: taken out), by a staging area of its own."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="mfgit-") as folder:
        environment = {"GIT_INDEX_FILE": os.path.join(folder, "index")}  # noqa: PTH118 - a string is wanted
        git.run("read-tree", tree, environment=environment)
        lines = []
        for path, data in files.items():
            oid = "0" * len(tree) if data is None else git.out("hash-object", "-w", "--stdin", stdin=data).decode().strip()
            lines.append(encode(f"{'0' if data is None else '100644'} {oid}\t{path}\0"))
        git.run("update-index", "-z", "--index-info", stdin=b"".join(lines), environment=environment)
        return git.line("write-tree", environment=environment)


def store(repository: Repository) -> Store:
    """Return the index of a repository."""
    return Store(repository.common / "mfgit" / "search", kept=repository.kept, kept_by=repository.search_engine)


def searcher(repository: Repository, where: Where, progress: Progress = quiet) -> Searcher:
    """Return the searcher of a tree, bringing the index up to date where it has not seen the tree."""
    fallback = checkout_settings(repository)
    key = view_key(where.tree, fallback)
    found = store(repository).open(key)
    return found or build(repository, where, fallback, key, progress)


def using(repository: Repository, where: Where, ask: Callable[[Searcher], Result], progress: Progress = quiet) -> Result:
    """Return what `ask` makes of a tree's searcher.

    Files can vanish under a reader when another process merges or rebuilds: it is opened again. If that does not help, the
    index is damaged: it is made anew.
    """
    for _ in range(2):
        try:
            return ask(searcher(repository, where, progress))
        except Damaged:
            store(repository).let_go()
    store(repository).discard()
    return ask(searcher(repository, where, progress))


def checkout_settings(repository: Repository) -> str:
    """Return the text of the checkout's `mfgit.toml`, which counts for trees that have none (it may not be committed yet)."""
    return "" if repository.top is None else repository.config_text() or ""


def view_key(tree: str, fallback: str) -> str:
    """Return the name of a view: everything that it depends on."""
    from mfgit.tree.version import READING

    return f"{tree}-{READING}-{crc32(fallback.encode()):08x}"


def build(repository: Repository, where: Where, fallback: str, key: str, progress: Progress) -> Searcher:
    """Make the view of a tree, from the last one's where little differs: list it, read what the index does not know, add it."""
    from mfgit.index import view
    from mfgit.project import stepping
    from mfgit.tree import reading

    pages: dict[str, reading.Page] = {}

    def load(missing: Sequence[Entry]) -> Iterator[tuple[Entry, Sequence[Passage]]]:
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            blobs = repository.git.blobs(pages[entry.key].blob for entry in batch)
            for entry, blob in zip(batch, blobs, strict=True):
                if blob.data is None:
                    raise missing_content(pages[entry.key].path)
                yield entry, reading.passages(pages[entry.key], blob.data).passages

    def compare(before: str, kept: bytes) -> "Steps | None":
        tree, _, rest = before.partition("-")
        return stepping.compare(repository.git, tree, where.tree, kept, pages) if key == f"{where.tree}-{rest}" else None

    if found := store(repository).step(key, compare, load, progress):
        return found
    tree = read_tree(repository.git, where.tree, fallback)
    sources = sources_of(repository.git, tree)
    stale = stale_among(sources, tree)
    kinds = {"original": view.ORIGINAL, "overlay": view.OVERLAY}
    entries = [Entry(page.key, view.STALE if page.path in stale else kinds[page.kind]) for page in tree.pages]
    pages.update(zip((entry.key for entry in entries), tree.pages, strict=True))

    notes = [f"{problem.path}: {problem.what}" for problem in tree.problems]
    if len(notes) > MOST_NOTES:
        notes = [*notes[:MOST_NOTES], f"{len(notes) - MOST_NOTES} more problems: mfgit doctor lists them"]
    origin = stepping.origin(tree, (path for based in sources.values() for path, _ in based))
    return store(repository).update(key, entries, load, notes, progress, origin=origin)


def missing_content(path: str) -> BadInput:
    """Return the error of a document that a damaged or partial clone does not have."""
    return BadInput(f"The content of {path} is missing from this clone.", "Run git fetch --refetch, or git fsck to see more.")


def read_tree(git: Git, tree: str, fallback: str) -> "reading.Tree":
    """Return the documents of a tree, by its own `mfgit.toml` or else by the one given."""
    from mfgit.tree import reading

    entries = git.tree(tree)
    settings, problems = settings_of(git, entries, fallback)
    found = reading.read(entries, settings, git.blob)
    return found._replace(problems=(*problems, *found.problems))


def settings_of(git: Git, entries: Sequence[TreeEntry], fallback: str) -> "tuple[sections.Config, list[reading.Problem]]":
    """Return the settings of a listed tree, its own or else those of a text; the defaults and why where they cannot be read."""
    from mfgit.tree import reading

    own = next((entry.oid for entry in entries if entry.path == config.FILE_NAME.encode()), None)
    text = fallback if own is None else (git.blob(own) or b"").decode("utf-8-sig", "replace")
    try:
        return (config.parse(text) if text else sections.Config()), []
    except BadInput as error:
        return sections.Config(), [reading.refused(config.FILE_NAME, error)]


def overlays(git: Git, tree: "reading.Tree") -> Iterator[tuple["reading.Page", "reading.Document"]]:
    """Yield the overlays of a tree with what they say."""
    from mfgit.tree import reading

    pages = [page for page in tree.pages if page.kind == "overlay"]
    for page, blob in zip(pages, git.blobs(page.blob for page in pages), strict=True):
        yield page, reading.passages(page, blob.data or b"")


def sources_of(git: Git, tree: "reading.Tree") -> dict[str, tuple[tuple[str, str], ...]]:
    """Return overlay → the originals (path, blob) that it was written from."""
    return {page.path: said.based_on for page, said in overlays(git, tree)}


def stale_among(sources: Mapping[str, tuple[tuple[str, str], ...]], tree: "reading.Tree") -> dict[str, tuple[str, ...]]:
    """Return overlay → those of its originals that are not in the tree any more as they were."""
    from mfgit.tree import reading

    changed = ((path, reading.changed_sources(based, tree.blobs)) for path, based in sources.items())
    return {path: gone for path, gone in changed if gone}


def with_texts(git: Git, passages: Iterable[Passage]) -> list[Passage]:
    """Return passages with their texts, read from Git in one call."""
    wanted = list(passages)
    oids = list(dict.fromkeys(passage.blob for passage in wanted))
    lines: dict[str, list[str]] = {}
    for oid, blob in zip(oids, git.blobs(oids), strict=True):
        lines[oid] = (blob.data or b"").decode("utf-8-sig", "replace").split("\n")
    return [passage._replace(text=text_of(lines[passage.blob], passage.lines)) for passage in wanted]


def text_of(lines: Sequence[str], span: tuple[int, int]) -> str:
    """Return the lines of a passage as one text."""
    return "\n".join(line.removesuffix("\r") for line in lines[span[0] - 1 : span[1]])
