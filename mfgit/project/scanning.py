"""The scan of a repository: reads the archive and the originals, lets `scan` decide, and writes the branches."""

import functools
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mfgit import aliases, archive, durable, layout
from mfgit.archive.remote import RemoteFolder
from mfgit.errors import BadInput
from mfgit.layout import Root
from mfgit.model import Progress, quiet
from mfgit.plumbing import encode
from mfgit.project import archiving, deciding, meaning, wording
from mfgit.project.base import Repository
from mfgit.redact import redact
from mfgit.repo.known import Survey
from mfgit.repo.since import changes
from mfgit.scan import features, run
from mfgit.scan.graph import similar_pairs
from mfgit.scan.report import Older, Outcome
from mfgit.scan.values import Closed, Inputs, NoOriginals, Originals, Proposal, Similar, Window
from mfgit.sections import ArchiveConfig
from mfgit.text import questions
from mfgit.text.questions import HAN_CHARACTER, bare

COUNTED = f"{features.VERSION}.{questions.VERSION}"
"""What document frequencies depend on besides the turns; an mfgit of other numbers keeps its own beside them."""
SNAPSHOT = Path(".mfgit") / f"frequencies-{COUNTED}.json"
"""Where they are kept, below the archive's folder. Derived: it may be deleted at any time."""
RECENT = timedelta(minutes=5)
"""How long ago a window may have ended that is taken to reach until now."""
BEGINNING = datetime(1000, 1, 1, tzinfo=UTC)
NAME = re.compile(r"[A-Za-z][A-Za-z0-9+#.]*[A-Za-z0-9+#]")
HEADINGS = re.compile(rb"^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)


def scan(
    repository: Repository,
    *,
    days: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    dry_run: bool = False,
    scheduler: str | None = None,
    progress: Progress = quiet,
) -> Outcome:
    """Scan the archive and write the proposals' branches; a dry run writes nothing at all.

    The window ends at `until` (default: now) and begins at `since`, or `days` (default: the settings') before its end.
    `scheduler` is the address of a Dask scheduler (default: the settings', empty for none).
    Raises `BadInput` for a window that ends before it begins, a repository without commits, an archive that cannot be read,
    `Refusal` while the settings are not on the target.
    """
    window = window_of(days or repository.config.scan.days, since, until)
    if not dry_run:
        deciding.need_settings(repository)
    folder = archiving.chat_source(repository)
    with grouping(repository.config.scan.scheduler if scheduler is None else scheduler, progress) as similar:
        reading = archive.read(folder, window.since, window.until, progress)
        state = deciding.look(repository)
        inputs = prepare(repository, state, reading.turns, folder, window, progress=progress)
        model = meaning.opened(repository, inputs.redact) if reading.turns else None
        result = run.scan(replace(inputs, similar=similar, meaning=model[0] if model else None))
    proposals, left = wording.worded(repository, result.proposals, inputs.known, ask=not dry_run, progress=progress)
    problems = [*missing(repository, folder), *(str(problem) for problem in reading.problems), *state.problems, *left]
    if not dry_run:
        if result.fresh_snapshot and result.gathered.used:
            problems += filter(None, [keep_snapshot(snapshot_place(repository, folder), run.snapshot_json(result.frequencies))])
        problems += meaning.kept(model)
        proposals = written(repository, proposals, result.closed, progress)
    else:
        seen = deciding.foreseen(repository, [proposal.record for proposal in proposals if proposal.writes])
        proposals = tuple(replace(proposal, status=seen.get(proposal.record.id, proposal.status)) for proposal in proposals)
    older = None if reading.turns else older_turns(folder, window, progress)
    return Outcome(window, result, proposals, tuple(problems), dry_run, str(folder), older)


def missing(repository: Repository, folder: Path | RemoteFolder) -> list[str]:
    """Return that a folder which the settings name is not there: the first turn makes it, but more often it is a slip."""
    if isinstance(folder, RemoteFolder) or folder.is_dir() or repository.config.archive.chat == ArchiveConfig().chat:
        return []
    return [f"the archive {folder} is not there: check [archive] chat (or CHAT_ARCHIVE_DIR); the first turn makes it"]


@contextmanager
def grouping(address: str, progress: Progress) -> Iterator[Similar]:
    """Give what finds the pairs of questions that are alike: the cluster of a Dask scheduler, or this process."""
    if not address:
        yield similar_pairs
        return
    from mfgit.scan import scheduler

    with scheduler.connected(address, progress) as cluster:
        yield cluster.find


def older_turns(folder: Path | RemoteFolder, window: Window, progress: Progress) -> Older | None:
    """Return what the archive has from before a window, None when there is nothing."""
    turns = archive.read(folder, BEGINNING, window.since, progress).turns
    return Older(len(turns), f"{turns[0].timestamp.astimezone(UTC):%Y-%m-%d}") if turns else None


def window_of(days: int, since: datetime | None, until: datetime | None) -> Window:
    """Return the time to look at; a time without a zone is taken as UTC."""
    end = aware(until) if until else datetime.now(UTC)
    start = aware(since) if since else end - timedelta(days=days)
    if start > end:
        raise BadInput(
            f"The window begins at {start:%Y-%m-%d %H:%M} and ends at {end:%Y-%m-%d %H:%M}, before it.",
            "Swap --since and --until.",
        )
    return Window(start, end)


def aware(when: datetime) -> datetime:
    """Return a time with a zone."""
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def prepare(
    repository: Repository, state: Survey, turns: Any, folder: Path | RemoteFolder, window: Window, *, progress: Progress
) -> Inputs:
    """Return everything the scan depends on; a window that ended earlier closes nothing, since users have spoken after it."""
    commit = repository.target_commit()
    roots = repository.roots(commit)
    recent = datetime.now(UTC) - RECENT
    return Inputs(
        turns=turns,
        roots=roots,
        known=state.known,
        settings=repository.config.scan,
        originals=originals(repository, commit, progress) if turns else NoOriginals(),
        snapshot=read_snapshot(snapshot_place(repository, folder)),
        names={root.path: product_names(repository, commit, root) for root in roots} if turns else {},
        takes_alias=alias_check(repository, commit, roots),
        changed=changes(repository.git, commit, state, window.since) if turns and window.until >= recent else {},
        only_help=all(pattern.layer == "help" for pattern in repository.config.roots),
        redact=functools.lru_cache(65536)(redact_text),
        progress=progress,
    )


def redact_text(text: str) -> str:
    """Return a text without secrets and personal data."""
    return redact(text)


def originals(repository: Repository, commit: str, progress: Progress) -> Originals:
    """Return the originals of a commit as retrieval sees them."""
    from mfgit.project.searching import OriginalsView

    return OriginalsView(repository, commit, progress)


def alias_check(repository: Repository, commit: str, roots: Iterable[Root]) -> Callable[[str, str, str], bool]:
    """Return a function that tells whether a root's `index.json` can take an alias of a page."""
    found = {root.path: root for root in roots}

    @functools.cache
    def pages(path: str) -> tuple[str, frozenset[str], dict[str, str]]:
        place = layout.aliases_path(found[path])
        data = repository.git.blob(f"{commit}:{place}")
        if data is None:
            return "none", frozenset(), {}
        parsed = aliases.parse(data, place)
        leads = {bare(said): document.path for document in parsed.documents for said in document.aliases}
        return parsed.shape, frozenset(document.path for document in parsed.documents), leads

    def takes(path: str, page: str, alias: str) -> bool:
        shape, listed, leads = pages(path)
        inside = found[path].relative(page)
        return shape != "none" and inside is not None and (shape == "map" or inside in listed) and bare(alias) not in leads

    return takes


def product_names(repository: Repository, commit: str, root: Root) -> frozenset[str]:
    """Return the product names that a root's headings speak of, folded."""
    names: set[str] = set()
    endings = tuple(ending.encode() for ending in repository.config.guard.originals)
    prefix = b"" if root.path == "." else encode(root.path) + b"/"
    files = (entry for entry in repository.git.tree(commit) if entry.kind == "blob" and entry.path.startswith(prefix))
    pages = [entry.oid for entry in files if b"_forged/" not in entry.path and entry.path.lower().endswith(endings)]
    for blob in repository.git.blobs(pages):
        for heading in HEADINGS.findall((blob.data or b"")[:1_000_000]):
            names |= names_in(heading.decode("utf-8", "replace"))
    return frozenset(names)


def names_in(heading: str) -> set[str]:
    """Return the words of a heading that look like names of products."""
    chinese = bool(HAN_CHARACTER.search(heading))
    words = NAME.findall(heading)
    return {word.lower() for word in words if any(c.isupper() for c in word[1:]) or (chinese and len(word) > 2)}


def written(
    repository: Repository, proposals: tuple[Proposal, ...], closed: Sequence[Closed], progress: Progress
) -> tuple[Proposal, ...]:
    """Write the branches of the proposals, and close what is done; return them with their branch and what became of each."""
    records = [proposal.record for proposal in proposals if proposal.writes]
    progress("Writing branches", 0, len(records))
    closing = [deciding.Closing(each.id, each.changed, each.reason) for each in closed]
    became = deciding.write_proposals(repository, records, closing=closing)
    return tuple(
        replace(proposal, status=became[proposal.record.id], branch=layout.branch_name(proposal.record.id))
        if proposal.record.id in became
        else proposal
        for proposal in proposals
    )


# ---- the snapshot of document frequencies


def snapshot_place(repository: Repository, folder: Path | RemoteFolder) -> Path:
    """Return where the snapshot is kept: below the archive's folder, or in this clone for an archive that is only read."""
    if isinstance(folder, Path):
        return folder / SNAPSHOT
    name = hashlib.blake2b(str(folder).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return repository.common / "mfgit" / f"frequencies-{COUNTED}-{name}.json"


def read_snapshot(path: Path) -> Any:
    """Return what the snapshot's file holds; None when it is not there or unreadable, since it is derived."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def keep_snapshot(path: Path, value: Any) -> str:
    """Replace the snapshot's file; return why it could not be written (the next scan then counts anew), nothing when it was."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        durable.replace(path, [json.dumps(value, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")])
    except OSError as error:
        return f"{path} cannot be written: {error.strerror}; the next scan counts its words anew"
    return ""
