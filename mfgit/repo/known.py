"""Every proposal that Git knows, and where each stands, told by refs and by the target's tree and history alone.

Where more than one thing is true, the first of these counts: adopted (the target's tree holds a file that names the id),
rejected or closed (its ref is there), undone (the target's history took its record out), and else open, edited or stale.
One that was adopted and is proposed anew, since users were unhappy, is open again (or, declined then, rejected) and adopted at
once: `Survey.held` has it as the target does.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import NamedTuple

from mfgit import layout
from mfgit.errors import BadInput
from mfgit.model import Known, Record
from mfgit.plumbing import Git, TreeEntry, decode
from mfgit.repo.branches import IDENTITY, Branch, Commit, Refs, read_refs
from mfgit.repo.history import ANYWHERE, Event, events

NAMED = re.compile(r"([0-9a-f]{16})(?:\.md|\.json|/SKILL\.md)$")
RECORD_NAME = re.compile(r"(?:^|/)_forged/proposals/([0-9a-f]{16})\.json$")
FRONT_ID = re.compile(rb"^[ \t]*proposal:[ \t]*['\"]?([0-9a-f]{16})['\"]?[ \t]*$", re.MULTILINE)


REJECTIONS = (None, "yes", "answered")
"""What a rejected ref says where a scan may bring the proposal back."""


class Survey(NamedTuple):
    """What Git knows: the proposals, their branches, the ids that the target names, and by id why one could not be read.

    `held` has, by id, what the target holds of proposals that are not `adopted` because they were proposed anew.
    """

    known: tuple[Known, ...]
    branches: Mapping[str, Branch]
    landed: frozenset[str]
    unread: Mapping[str, BadInput]
    held: Mapping[str, Known] = MappingProxyType({})

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read, a sentence each."""
        return tuple(error.message for error in self.unread.values())


class Landed(NamedTuple):
    """What the target's tree says: record path -> its entry by id, ids that a file names, and the blob of every path."""

    records: Mapping[str, TreeEntry]
    named: frozenset[str]
    blobs: Mapping[str, str]


class Story(NamedTuple):
    """The last time each record came to the target and the last time it left."""

    came: Mapping[str, Event]
    left: Mapping[str, Event]


def survey(git: Git, target_commit: str, machine: Collection[str] = (), records: Sequence[str] = ANYWHERE) -> Survey:
    """Return every proposal that Git knows, as seen from a commit of the target. Changes nothing.

    `machine` are the machine's e-mail addresses; `records` are the pathspecs of records in the target's history.
    """
    refs = read_refs(git, target_commit, frozenset(address.lower() for address in machine))
    landed = read_landed(git, target_commit)
    story = read_story(git, target_commit, records)
    reader = Reader(git, refs, landed, story)
    found = []
    unread: dict[str, BadInput] = {}
    held: dict[str, Known] = {}
    for identity in sorted({*refs.branches, *refs.rejected, *landed.named, *story.left}):
        try:
            one = reader.judge(identity, target_commit)
            found.append(one)
            if one and one.status != "adopted" and identity in landed.named:
                kept = reader.adopted(identity, None, target_commit)
                held |= {identity: kept} if kept else {}
        except BadInput as problem:
            unread[identity] = problem
    return Survey(tuple(filter(None, found)), refs.branches, landed.named, unread, MappingProxyType(held))


def read_landed(git: Git, commit: str) -> Landed:
    """Read what the tree of the target says about proposals."""
    entries = git.tree(commit)
    blobs = {decode(entry.path): entry.oid for entry in entries}
    records, named, unnamed = {}, set(), []
    for entry in entries:
        if b"_forged/" not in entry.path:
            continue
        path = decode(entry.path)
        if (found := RECORD_NAME.search(path)) and entry.kind == "blob":
            records[found[1]] = entry
        if found := NAMED.search(path):
            named.add(found[1])
        elif path.endswith(".md"):
            unnamed.append(entry.oid)
    for blob in git.blobs(unnamed):
        named.update(match.decode() for match in FRONT_ID.findall((blob.data or b"").partition(b"\n---")[0]))
    return Landed(records, frozenset(named), blobs)


def read_story(git: Git, commit: str, records: Sequence[str]) -> Story:
    """Read the history of records on the target."""
    came: dict[str, Event] = {}
    left: dict[str, Event] = {}
    for event in events(git, commit, records):
        if IDENTITY.match(event.identity):
            (came if event.added else left).setdefault(event.identity, event)
    return Story(came, left)


class Reader:
    """Judges proposals one by one, all objects having been read at once."""

    def __init__(self, git: Git, refs: Refs, landed: Landed, story: Story) -> None:
        self.git, self.refs, self.landed, self.story = git, refs, landed, story
        self.later = self.settle()
        names = list(dict.fromkeys(self.wanted()))
        self.texts = {name: blob.data for name, blob in zip(names, git.blobs(names), strict=True) if blob.kind == "blob"}

    def wanted(self) -> Iterable[str]:
        """Yield the names of every record that may be asked for."""
        yield from (place for branch in self.refs.branches.values() if (place := record_at(branch.tip, branch.root)))
        for identity, branch in self.refs.branches.items():
            if identity in self.landed.records and branch.base:
                yield f"{branch.base}:{decode(self.landed.records[identity].path)}"
        for identity, tip in self.refs.rejected.items():
            if identity in self.landed.records:
                yield f"{tip.oid}^^:{decode(self.landed.records[identity].path)}"
        yield from (place for tip in self.refs.rejected.values() if (place := record_at(tip, None)))
        yield from (entry.oid for entry in self.landed.records.values())
        yield from (event.blob for event in self.story.left.values())

    def settle(self) -> frozenset[str]:
        """Return the ids whose branch was made or worked on after the target had undone the proposal."""
        both = [key for key in self.refs.branches if key in self.story.left and key not in self.landed.named]
        return frozenset(key for key in both if follows(self.git, self.refs.branches[key], self.story.left[key]))

    def judge(self, identity: str, target: str) -> Known | None:
        """Return where one proposal stands; None for a ref that holds no proposal. Raises `BadInput` for a broken record."""
        branch = self.refs.branches.get(identity)
        anew = (branch and self.reopened(branch)) or self.declined_anew(identity)
        if identity in self.landed.named and not anew:
            return self.adopted(identity, branch, target)
        if identity in self.refs.rejected:
            return self.rejected(identity, self.refs.rejected[identity])
        if identity in self.story.left and identity not in self.later and identity not in self.landed.named:
            return self.undone(identity, self.story.left[identity])
        return self.open(identity, branch) if branch else None

    def reopened(self, branch: Branch) -> bool:
        """Tell whether a branch was cut when the target held the record already: it proposes a change to it."""
        entry = self.landed.records.get(branch.identity)
        return bool(entry and branch.base and f"{branch.base}:{decode(entry.path)}" in self.texts)

    def declined_anew(self, identity: str) -> bool:
        """Tell whether a proposal was proposed anew after the target held it, and declined then."""
        entry, tip = self.landed.records.get(identity), self.refs.rejected.get(identity)
        came = self.story.came.get(identity)
        if not (entry and tip and came) or tip.seconds < came.when.timestamp():
            return False
        return f"{tip.oid}^^:{decode(entry.path)}" in self.texts

    def adopted(self, identity: str, branch: Branch | None, target: str) -> Known | None:
        """Return a proposal that the target holds."""
        event = self.story.came.get(identity)
        entry = self.landed.records.get(identity)
        if entry:
            record = self.load(entry.oid, f"{decode(entry.path)} on the target")
        elif branch:
            record = self.from_branch(branch)
        elif identity in self.story.left:
            record = self.load(self.story.left[identity].blob, f"the last record of {identity}")
        else:
            return None
        return Known(identity, "adopted", record, None, event.commit if event else target, event.when if event else None)

    def rejected(self, identity: str, tip: Commit) -> Known:
        """Return a proposal that was rejected, or closed by a scan; the reason is the body of the ref's commit."""
        record = self.load(record_at(tip, None) or "", f"the rejected proposal {identity}")
        said = tip.trailers.get("Mfgit-Rejected")
        when = datetime.fromtimestamp(tip.seconds, UTC)
        status = "closed" if said == "answered" else "rejected"
        forever = said not in REJECTIONS  # what a newer mfgit says of it is no leave to bring it back
        return Known(identity, status, record, None, tip.oid, when, body(tip.message), forever)

    def undone(self, identity: str, event: Event) -> Known:
        """Return a proposal that the target held once."""
        record = self.load(event.blob, f"the record of {identity} that {event.commit[:12]} took out")
        return Known(identity, "undone", record, None, event.commit, event.when)

    def open(self, identity: str, branch: Branch) -> Known:
        """Return a proposal that waits for a decision."""
        record = self.from_branch(branch)
        moved = any(self.landed.blobs.get(source.path) != source.blob for source in record.based_on)
        status = "stale" if moved else "edited" if branch.edited else "open"
        return Known(identity, status, record, branch.short, branch.tip.oid)

    def from_branch(self, branch: Branch) -> Record:
        """Return the record that a branch holds, wherever it is."""
        name = record_at(branch.tip, branch.root)
        if name not in self.texts:
            ending = f"_forged/proposals/{branch.identity}.json".encode()
            found = [entry.oid for entry in self.git.tree(branch.tip.oid) if entry.path.endswith(ending)]
            name = found[0] if found else ""
            self.texts[name] = self.git.blob(name) if name else None
        return self.load(name, f"the branch {branch.short}")

    def load(self, name: str, where: str) -> Record:
        """Return the record that an object holds."""
        data = self.texts.get(name)
        if data is None:
            raise BadInput(f"There is no record in {where}.")
        return Record.load(data, f"The record in {where}")


def record_at(commit: Commit, root: str | None) -> str | None:
    """Return where `cat-file` finds the record of a commit, None when the commit doesn't say its root."""
    identity = commit.trailers.get("Mfgit-Proposal")
    place = root or commit.trailers.get("Mfgit-Root")
    return f"{commit.oid}:{layout.record_path(layout.Root(place, ''), identity)}" if identity and place else None


def follows(git: Git, branch: Branch, event: Event) -> bool:
    """Tell whether a branch goes on after an event of the target: it holds it, or a person worked on it since."""
    if branch.base == event.commit:
        return True
    worked = branch.base is not None and branch.edited and branch.tip.seconds > event.when.timestamp()
    return worked or git.run("merge-base", "--is-ancestor", event.commit, branch.tip.oid, ok=None).code == 0


def body(message: str) -> str:
    """Return a message without its first line and its trailers."""
    return message.partition("\n\n")[2].rstrip("\n").rpartition("\n\n")[0].strip()
