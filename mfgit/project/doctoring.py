"""`doctor`: what is stale, contradictory, broken, unguarded, unreadable or orphaned, each with what mends it. Only looks."""

import os
import re
import shlex
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from mfgit import config, formats, layout
from mfgit.errors import MfgitError, Refusal
from mfgit.model import Known, Progress, Record, quiet
from mfgit.plumbing import Git, decode
from mfgit.project import views
from mfgit.project.base import Repository
from mfgit.project.views import Where

if TYPE_CHECKING:
    from mfgit.project.leaking import Held
    from mfgit.tree.reading import Document, Page, Tree

NAMED = re.compile(r"-([0-9a-f]{16})(?:\.md|/SKILL\.md)$")
"""The end of the path of an overlay that mfgit wrote."""

NAMED_AT_MOST = 20
"""Files of the archive in Git that are named one by one."""
IN_COMMIT = "this file of conversations was committed to Git"
IN_INDEX = "this file of conversations is about to enter Git"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to mend: its `area`, the `path` it is at, `what` is wrong, and the command or step that mends it."""

    area: str
    path: str
    what: str
    mend: str


@dataclass(frozen=True, slots=True)
class Report:
    """What was looked at and found."""

    ref: str
    commit: str
    findings: tuple[Finding, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the report of `doctor --json`."""
        findings = [{"area": f.area, "path": f.path, "what": f.what, "mend": f.mend} for f in self.findings]
        return {"ref": self.ref, "commit": self.commit, "findings": findings}


class Patient(NamedTuple):
    """What the checks look at."""

    repository: Repository
    where: Where
    tree: "Tree"
    progress: Progress


Check = Callable[[Patient], Iterator[Finding]]


def examine(repository: Repository, ref: str | None = None, progress: Progress = quiet) -> Report:
    """Return what needs mending in a ref's tree (default: HEAD), in the checkout and in the archive.

    Raises `BadInput` for an unknown ref and a repository without commits.
    """
    where = views.locate(repository, ref)
    tree = views.read_tree(repository.git, where.tree, views.checkout_settings(repository))
    patient = Patient(repository, where, tree, progress)
    found = [finding for check in CHECKS for finding in guarded(check)(patient)]
    once = {(finding.path, finding.what): finding for finding in reversed(found)}  # what breaks several checks is one thing
    return Report(where.ref, where.commit, tuple(reversed(once.values())))


def stale(patient: Patient) -> Iterator[Finding]:
    """Find overlays whose originals moved on."""
    git = patient.repository.git
    for page, said in views.overlays(git, patient.tree):
        for path, blob in said.based_on:
            now = patient.tree.blobs.get(path)
            if now == blob:
                continue
            proposal = next((passage.proposal for passage in said.passages if passage.proposal), None)
            undo = f"mfgit undo {proposal}" if proposal else f"git rm {page.path}"
            look = f"git diff {blob[:12]} {now[:12]}" if now else f"git log --diff-filter=D -- {path}"
            what = f"stale: {path}, which it is based on, {'changed since' if now else 'is gone'}"
            yield Finding("stale", page.path, what, f"{look} shows how; correct its text and based_on, or take it out: {undo}")


def settings(patient: Patient) -> Iterator[Finding]:
    """Find settings that are in the checkout only: while the target has none, people are not asked for reasons."""
    from mfgit.project import deciding

    try:
        deciding.need_settings(patient.repository)
    except Refusal as refusal:
        yield Finding("guard", config.FILE_NAME, refusal.message, refusal.hint)


def roots(patient: Patient) -> Iterator[Finding]:
    """Find configured roots under which the tree has no file."""
    for pattern in patient.repository.config.roots:
        fixed = pattern.path != "." and "*" not in pattern.path
        if fixed and not any(path.startswith(f"{pattern.path}/") for path in patient.tree.blobs):
            what = f"the root {pattern.path} has no file in {patient.where.ref}"
            yield Finding("tree", "mfgit.toml", what, "commit its pages, or take its [[root]] out of mfgit.toml")


def tree_problems(patient: Patient) -> Iterator[Finding]:
    """Find what the listing of the tree says: names, settings, alias files."""
    for path, what in patient.tree.problems:
        yield Finding("tree", path, what, mend_of(path, what))


def mend_of(path: str, what: str) -> str:
    """Return the step that mends a problem of a tree."""
    if what.startswith("its format is version"):
        return formats.UPGRADE
    if what.startswith("its format names"):
        return formats.RIGHT
    quoted = shlex.quote(path)
    commit = f'git commit --trailer "Original-Edit: why" -- {quoted}'
    if "its name" in what:
        return 'git mv it to a name in UTF-8, then git commit --trailer "Original-Edit: why"'
    if "has aliases for" in what:
        return f"take them out of it, then git commit -- {quoted}"
    return f"correct it, then {commit}; git log -p -- {quoted} shows what it was"


def documents(patient: Patient) -> Iterator[Finding]:
    """Find documents whose bytes or front matter cannot be read."""
    from mfgit.tree import reading

    pages = patient.tree.pages
    for start in range(0, len(pages), views.BATCH):
        batch = pages[start : start + views.BATCH]
        patient.progress("Reading documents", start + len(batch), len(pages))
        for page, blob in zip(batch, patient.repository.git.blobs(page.blob for page in batch), strict=True):
            if blob.data is None:
                yield Finding("tree", page.path, "its content is missing from this clone", "git fetch --refetch, or git fsck")
            for path, what in reading.passages(page, blob.data or b"").problems:
                yield Finding("tree", path, what, mend_of(path, what))


def records(patient: Patient) -> Iterator[Finding]:
    """Find proposal records that cannot be read, and those whose overlay is gone."""
    found = {path: blob for path, blob in patient.tree.blobs.items() if is_record(path)}
    there = {identity for page, said in views.overlays(patient.repository.git, patient.tree) for identity in names(page, said)}
    for path, blob in zip(found, patient.repository.git.blobs(found.values()), strict=True):
        identity = path.rsplit("/", 1)[-1].removesuffix(".json")
        try:
            record = Record.load(blob.data or b"", path)
            if record.action_type != "index" and identity not in there:
                what = f"its overlay {record.adopted_path} is gone" if record.adopted_path else "its overlay is gone"
                look = f"git log --diff-filter=D -- {shlex.quote(path.removesuffix(f'/proposals/{identity}.json'))}"
                yield Finding("record", path, what, f"{look} shows who took it out; mfgit undo {identity} takes the rest out")
        except MfgitError as error:
            restore = f"restore it: git log -- {path}; or take it out: mfgit undo {identity}"
            yield Finding("record", path, error.message, error.hint if isinstance(error, formats.Newer) else restore)


def unrecorded(patient: Patient) -> Iterator[Finding]:
    """Find overlays of proposals whose record is gone."""
    known = {path.rsplit("/", 1)[-1].removesuffix(".json") for path in patient.tree.blobs if is_record(path)}
    for page, said in views.overlays(patient.repository.git, patient.tree):
        named = names(page, said)
        if named and not named & known:
            look = f"git log --diff-filter=D -- {shlex.quote(f':(glob)**/proposals/{min(named)}.json')}"
            mend = f"{look} shows who took it out; bring it back, or take the overlay out: git rm {shlex.quote(page.path)}"
            yield Finding("record", page.path, f"the record of its proposal {min(named)} is gone", mend)


def names(page: "Page", said: "Document") -> set[str]:
    """Return the proposals that an overlay is of, by its front matter, else by its name."""
    stated = {passage.proposal for passage in said.passages if passage.proposal}
    return stated or set(NAMED.findall(page.path))


def is_record(path: str) -> bool:
    """Return whether a path is a proposal record's."""
    folder = path.rsplit("/", 1)[0]
    return path.endswith(".json") and folder.endswith(f"{layout.FORGED}/proposals")


def contradictory(patient: Patient) -> Iterator[Finding]:
    """Find overlays that say otherwise than the originals that belong to them, or another overlay of much the same question."""
    from mfgit.project import contradicting

    git = patient.repository.git
    texts: dict[str, dict[str, str]] = {}
    pages = [page for page in patient.tree.pages if page.kind == "overlay"]
    for (page, said), blob in zip(views.overlays(git, patient.tree), git.blobs(page.blob for page in pages), strict=True):
        for identity in names(page, said):
            texts.setdefault(identity, {})[page.path] = (blob.data or b"").decode("utf-8-sig", "replace")
    every = [one for one in adopted(patient) if one.id in texts]
    for one in every:
        path = next(iter(texts[one.id]))
        told = contradicting.contradictions(git, one.record, texts[one.id].values(), patient.where.commit, every)
        for what in told:
            mend = f"correct the one that is wrong: mfgit show {one.id} has both; or take the overlay out: mfgit undo {one.id}"
            yield Finding("contradiction", path, what, mend)


def adopted(patient: Patient) -> Iterator[Known]:
    """Yield what the records of the tree say, those that can be read."""
    found = {path: blob for path, blob in patient.tree.blobs.items() if is_record(path)}
    for path, blob in zip(found, patient.repository.git.blobs(found.values()), strict=True):
        try:
            record = Record.load(blob.data or b"", path)
        except MfgitError:
            continue
        yield Known(record.id, "adopted", record)


def unaliased(patient: Patient) -> Iterator[Finding]:
    """Find records that add wordings, of which `index.json` has none any more."""
    there = {(page.path, alias) for page in patient.tree.pages for alias in page.aliases}
    for one in adopted(patient):
        record = one.record
        if record.action_type == "index" and there.isdisjoint((alias.path, alias.alias) for alias in record.aliases):
            root = layout.Root(record.root, record.target_layer)
            look = f"git log -p -- {shlex.quote(layout.aliases_path(root))}"
            mend = f"{look} shows who took them out; mfgit undo {one.id} takes the rest out"
            yield Finding("record", layout.record_path(root, one.id), "its wordings lead to no page any more", mend)


def proposals(patient: Patient) -> Iterator[Finding]:
    """Find open proposals that their target has moved away from, and refs that hold no proposal or none of this history."""
    from mfgit.project import deciding

    repository = patient.repository
    target = repository.git.commit_of(repository.target)
    if target is None:
        return
    state = deciding.look(repository)
    for one in state.known:
        if one.status == "stale":
            yield Finding("proposal", one.branch or one.id, "the originals it is based on moved on", f"mfgit refresh {one.id}")
    known = {one.id for one in state.known if one.record.id == one.id}  # a ref may hold another one
    newer = {one: error for one, error in state.unread.items() if isinstance(error, formats.Newer)}
    yield from (Finding("proposal", one, why.message, why.hint) for one, why in newer.items() if one not in state.landed)
    roots_of_target = repository.git.out("rev-list", "--max-parents=0", target).decode().split()
    related = set(refs_of(repository.git, *(f"--contains={root}" for root in roots_of_target)))
    for ref in refs_of(repository.git):
        yield from orphan(repository.git, ref, known | set(newer), related=ref in related)


PROPOSED = (f"refs/heads/{layout.BRANCH_PREFIX}", layout.REJECTED_PREFIX)


def refs_of(git: Git, *options: str) -> list[str]:
    """Return the refs of proposals in this clone."""
    return decode(git.out("for-each-ref", "--format=%(refname)", *options, *PROPOSED)).split()


def orphan(git: Git, ref: str, known: Set[str], *, related: bool) -> Iterator[Finding]:
    """Find a ref of proposals that has no record, or is not `related`: it shares no history with the target."""
    rejected = ref.startswith(layout.REJECTED_PREFIX)
    shown = ref if rejected else ref.removeprefix("refs/heads/")
    away = f"git update-ref -d {shlex.quote(ref)}" if rejected else f"git branch -D {shlex.quote(shown)}"
    identity = ref.rsplit("/", 1)[-1]
    if identity not in known:
        what = (
            "the record of its proposal cannot be read"
            if has_record(git, ref, identity)
            else "it holds no record of a proposal"
        )
        yield Finding("proposal", shown, what, f"git log -p -1 {shlex.quote(shown)} shows what it holds; take it away: {away}")
    elif not related:
        what = "it shares no history with the target, so that it can be neither merged nor restored"
        yield Finding("proposal", shown, what, f"{away}; mfgit scan proposes it anew where it is still asked")


def has_record(git: Git, ref: str, identity: str) -> bool:
    """Tell whether the tree of a ref, or of what was rejected, holds the record of an id."""
    for tip in (ref, f"{ref}^"):
        listed = git.run("ls-tree", "-r", "-z", "--name-only", tip, ok=None)
        if listed.code == 0 and any(views.is_record(path, identity) for path in listed.out.split(b"\0")):
            return True
    return False


def hooks(patient: Patient) -> Iterator[Finding]:
    """Find the hooks that a checkout lacks."""
    from mfgit.guard import install

    if patient.repository.top is None:
        return
    older = install.older(patient.repository.git)
    for place in (each for each in install.missing(patient.repository.git) if each not in older):
        yield Finding("guard", place, "the hook that keeps originals read-only is not installed", "mfgit guard install")


def archive(patient: Patient) -> Iterator[Finding]:
    """Find lines of the archive that cannot be read, and torn ones that were set aside."""
    from mfgit.project import archiving

    for problem in archiving.check_archive(patient.repository, patient.progress).problems:
        place = f"{problem.file}:{problem.line}" if problem.line else problem.file
        yield Finding("archive", place, problem.what, "mfgit archive check says more; correct or remove that line")
    for name in archiving.quarantined(patient.repository):
        yield Finding(
            "archive", name, "lines that were cut short were set aside here", "read it, append what is whole, remove it"
        )


def leaked(patient: Patient) -> Iterator[Finding]:
    """Find files of the archive that Git tracks, or that are in the commit; the first of very many by name."""
    from mfgit.project import leaking

    found = leaking.tracked(patient.repository, patient.where.commit)
    for path, held in list(found.items())[:NAMED_AT_MOST]:
        yield Finding("archive", path, IN_COMMIT if held.committed else IN_INDEX, take_out(path, [held]))
    rest = dict(list(found.items())[NAMED_AT_MOST:])
    for folder in leaking.folders(patient.repository):
        more = [held for path, held in rest.items() if path.startswith(f"{folder}/")]
        if more:
            what = f"{len(more)} more files of this folder of conversations are in Git"
            yield Finding("archive", folder, what, take_out(folder, more))


def take_out(path: str, held: "Sequence[Held]") -> str:
    """Return the steps that take files of the archive out of Git, which stay on the disk."""
    quoted = shlex.quote(path)
    away = f"git rm -r --cached -- {quoted}"
    if not any(one.committed for one in held):
        return away
    away = f"{away}, commit that" if any(one.indexed for one in held) else "commit that it is removed"
    return (
        f"{away}, then purge the history: git filter-repo --invert-paths --path {quoted}, and force-push it; "
        "whoever could fetch it has the conversations: change every key and password in them"
    )


def holds(patient: Patient) -> Iterator[Finding]:
    """Find a legal-hold list that cannot be read: nothing goes from the archive until it can be."""
    from mfgit.archive.holds import read_holds
    from mfgit.project.archiving_sessions import session_folder

    folder = session_folder(patient.repository)
    try:
        read_holds(folder)
    except MfgitError as error:
        yield Finding("archive", "holds.json", error.message, error.hint)


def formats_of_old(patient: Patient) -> Iterator[Finding]:
    """Find what earlier versions stored otherwise."""
    from mfgit.project import migrating

    for step in migrating.plan(patient.repository):
        yield Finding("format", step.path, step.what, "mfgit doctor --migrate")


CHECKS: tuple[Check, ...] = (
    settings, stale, contradictory, roots, tree_problems, documents, records, unrecorded, unaliased, proposals, hooks, archive,
    leaked, holds, formats_of_old,
)  # fmt: skip
"""In the order of the report."""


def guarded(check: Check) -> Check:
    """Return a check whose own failure is a finding: one broken part must not hide the others."""

    def safe(patient: Patient) -> Iterator[Finding]:
        try:
            yield from check(patient)
        except (MfgitError, OSError) as error:
            yield Finding(
                check.__name__, os.fspath(patient.repository.folder), str(error).split("\n")[0], getattr(error, "hint", "")
            )

    return safe
