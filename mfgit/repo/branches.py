"""The refs that hold proposals, read by one `for-each-ref`: whose commit is at the tip, and where the branch was cut.

A fresh branch is one commit by the machine that names the proposal in a trailer. The machine's later commits on top of a
person's carry `Mfgit-Step` besides, so a commit with the one and without the other is where the branch begins.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from mfgit import layout
from mfgit.plumbing import Git, decode

IDENTITY = re.compile(r"^[0-9a-f]{16}$")
HEADS = f"refs/heads/{layout.BRANCH_PREFIX}"
LOG_FORMAT = "%H%x01%P%x01%ae%x01%ce%x01%ct%x01%B"
FIELDS = ("refname", "objectname", "parent", "authoremail", "committeremail", "committerdate:unix", "contents")


class Commit(NamedTuple):
    """What is asked of a commit: `emails` of author and committer, `seconds` since the epoch, `trailers` by name."""

    oid: str
    parents: tuple[str, ...]
    emails: tuple[str, str]
    seconds: int
    message: str
    trailers: Mapping[str, str]


class Branch(NamedTuple):
    """A proposal's ref.

    `base` is the commit that it was cut from, `root` what its first commit names; both None if unknown. `held`
    is where the branch of this repository is, None when only a remote has one; it lies behind `tip` when a person's commits
    were fetched.
    """

    identity: str
    ref: str
    tip: Commit
    edited: bool
    base: str | None
    root: str | None
    held: str | None = None

    @property
    def short(self) -> str:
        """The name as people write it."""
        return self.ref.removeprefix("refs/heads/").removeprefix("refs/remotes/")


class Refs(NamedTuple):
    """By id: every proposal's branch (the local one, unless a person went on at a remote), every rejected ref's commit."""

    branches: Mapping[str, Branch]
    rejected: Mapping[str, Commit]


def read_refs(git: Git, target: str, machine: Collection[str]) -> Refs:
    """Return the refs of proposals; `target` is a commit, `machine` are the addresses of the machine in lower case."""
    tips = list(read_tips(git))
    rejected = {name.removeprefix(layout.REJECTED_PREFIX): tip for name, tip in tips if name.startswith(layout.REJECTED_PREFIX)}
    own = {name.rsplit("/", 1)[-1]: tip.oid for name, tip in tips if name.startswith(HEADS)}
    chosen: dict[str, tuple[str, Commit]] = {}
    for name, tip in tips:
        if not name.startswith(layout.REJECTED_PREFIX):
            first = chosen.setdefault(name.rsplit("/", 1)[-1], (name, tip))[1]
            if goes_on(git, first, tip, machine):
                chosen[name.rsplit("/", 1)[-1]] = (name, tip)
    further = ancestors(git, [tip.oid for _, tip in chosen.values() if not begins(tip)], target)
    found = {key: branch(key, name, tip, machine, further)._replace(held=own.get(key)) for key, (name, tip) in chosen.items()}
    return Refs(found, rejected)


def goes_on(git: Git, own: Commit, other: Commit, machine: Collection[str]) -> bool:
    """Tell whether a remote's branch is this one and a person's further commits."""
    if own.oid == other.oid or by_machine(other, machine):
        return False
    return git.run("merge-base", "--is-ancestor", own.oid, other.oid, ok=None).code == 0


def read_tips(git: Git) -> Iterable[tuple[str, Commit]]:
    """Yield ref name and tip of every ref that may hold a proposal, local branches first."""
    form = "%00".join(f"%({field})" for field in FIELDS) + "%00"
    out = git.out("for-each-ref", f"--format={form}", HEADS, f"refs/remotes/*/{layout.BRANCH_PREFIX}*", layout.REJECTED_PREFIX)
    fields = decode(out).split("\0")
    width = len(FIELDS)
    for at in range(0, len(fields) - width, width):
        name, oid, parents, author, committer, seconds, message = fields[at : at + width]
        name = name.lstrip("\n")
        if IDENTITY.match(name.rsplit("/", 1)[-1]) and seconds:
            emails = (author.strip("<>").lower(), committer.strip("<>").lower())
            yield name, Commit(oid, tuple(parents.split()), emails, int(seconds), message, trailers(message))


def trailers(message: str) -> dict[str, str]:
    """Return the trailers of a message that mfgit wrote: the `Name: value` lines of its last paragraph."""
    last = message.rstrip("\n").rpartition("\n\n")[2]
    return dict(line.split(": ", 1) for line in last.split("\n") if line.startswith("Mfgit-") and ": " in line)


def by_machine(commit: Commit, machine: Collection[str]) -> bool:
    """Tell whether nobody but the machine had a hand in a commit."""
    return all(email in machine for email in commit.emails)


def begins(commit: Commit) -> bool:
    """Tell whether a commit is the first one of a branch."""
    return "Mfgit-Proposal" in commit.trailers and "Mfgit-Step" not in commit.trailers


def ancestors(git: Git, tips: list[str], target: str) -> dict[str, Commit]:
    """Return the commits between the target and the tips, along first parents, by id."""
    if not tips:
        return {}
    wanted = "".join(f"{tip}\n" for tip in (*tips, f"^{target}")).encode()
    out = git.out("log", "--first-parent", "--no-show-signature", "-z", f"--format={LOG_FORMAT}", "--stdin", stdin=wanted)
    found = {}
    for text in decode(out).split("\0"):
        if text:
            oid, parents, author, committer, seconds, message = text.split("\1", 5)
            emails = (author.lower(), committer.lower())
            found[oid] = Commit(oid, tuple(parents.split()), emails, int(seconds), message, trailers(message))
    return found


def branch(identity: str, ref: str, tip: Commit, machine: Collection[str], further: Mapping[str, Commit]) -> Branch:
    """Follow a branch down to its beginning."""
    at: Commit | None = tip
    edited = not by_machine(tip, machine)
    while at is not None and not begins(at):
        at = further.get(at.parents[0]) if at.parents else None
        edited = edited or at is None or not by_machine(at, machine)
    if at is None:
        return Branch(identity, ref, tip, True, None, None)
    return Branch(identity, ref, tip, edited, at.parents[0] if at.parents else None, at.trailers.get("Mfgit-Root"))
