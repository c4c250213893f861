"""Commits without a checkout: all of a run by one `git fast-import`, all refs by one transaction.

`fast-import` is given one scratch ref that it forgets again at the end of its input, so no ref moves before every object
is stored; killing it at any moment leaves loose objects at most.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from mfgit.errors import Refusal
from mfgit.plumbing import Git, GitFailedError, encode
from mfgit.repo.reasons import reason as reason_of

SCRATCH = "refs/mfgit/scratch"
IMPORT = (
    *("-c", f"core.hooksPath={os.devnull}"),  # the scratch ref never comes to be: hooks are asked when a branch moves
    *("fast-import", "--quiet", "--done", "--date-format=raw-permissive", "--force"),
)
CRASH = re.compile(rb"fast-import: dumping crash report to (.+)\n?")
FORGOTTEN = b"reset refs/mfgit/scratch\nfrom %s\n\n"


class Moved(Refusal):
    """A ref is not where it was when the work began; the work may be done again from where it is."""


class Signature(NamedTuple):
    """Who made a commit and when."""

    name: str
    email: str
    when: datetime

    def line(self) -> str:
        """Return it as Git stores it: `Name <email> SECONDS OFFSET`."""
        name, email = (plain(part) for part in (self.name, self.email))
        return f"{name} <{email}> {int(self.when.timestamp())} {self.when.strftime('%z')[:5] or '+0000'}"


class NewCommit(NamedTuple):
    """A commit to be: the tree of the first parent (or `tree`), with `files` over it (None: taken away)."""

    parents: tuple[str, ...]
    message: str
    author: Signature
    files: Mapping[str, bytes | None]
    tree: str | None = None


class RefChange(NamedTuple):
    """One ref of a transaction: `new` None deletes it, `old` None says that it must not exist yet."""

    ref: str
    new: str | None
    old: str | None


def plain(text: str) -> str:
    """Return a name or address without what Git's own format uses."""
    return "".join(c for c in text if c.isprintable() and c not in "<>").strip()


def day(text: str) -> datetime:
    """Return a date or time of a record as a moment; the epoch when it says nothing."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def write(git: Git, commits: Sequence[NewCommit]) -> list[str]:
    """Store commits, in order; return their ids. No ref is touched. Raises `GitFailedError` when Git cannot write."""
    if not commits:
        return []
    parts: list[bytes] = []
    for number, commit in enumerate(commits, 1):
        parts.extend(instructions(number, commit))
    size = len(commits[0].parents[0])
    parts.extend((FORGOTTEN % (b"0" * size), b"done\n"))
    done = git.run(*IMPORT, stdin=b"".join(parts), ok=None)
    if done.code == 0:
        return done.out.decode().split()
    for found in CRASH.findall(done.err):
        Path(git.folder, os.fsdecode(found)).unlink(missing_ok=True)
    why, hint = reason_of(CRASH.sub(b"", done.err))
    raise GitFailedError(f"Git could not store the change: {why}.", hint)


def decide(git: Git, commit: NewCommit) -> str:
    """Store one commit of a person; return its id. It is signed when the person's Git signs commits (commit.gpgSign)."""
    made = write(git, [commit])[0]
    if git.run("config", "--type=bool", "commit.gpgSign", ok=None).out.strip() != b"true":
        return made
    parents = [part for parent in commit.parents for part in ("-p", parent)]
    when = f"{int(commit.author.when.timestamp())} {commit.author.when.strftime('%z')[:5]}"
    name, email = plain(commit.author.name), plain(commit.author.email)
    who = {
        f"GIT_{role}_{field}": value
        for role in ("AUTHOR", "COMMITTER")
        for field, value in (("NAME", name), ("EMAIL", email), ("DATE", when))
    }
    return git.line("commit-tree", "-S", f"{made}^{{tree}}", *parents, "-m", commit.message, environment=who)


def instructions(number: int, commit: NewCommit) -> Iterable[bytes]:
    """Yield one commit in the language of fast-import."""
    who = commit.author.line().encode()
    yield b"commit %s\nmark :%d\nauthor %s\ncommitter %s\n" % (SCRATCH.encode(), number, who, who)
    yield data(commit.message.encode("utf-8", "replace"))
    for place, parent in enumerate(commit.parents):
        yield b"%s %s\n" % (b"merge" if place else b"from", parent.encode())
    if commit.tree:
        yield b'M 040000 %s ""\n' % commit.tree.encode()
    for path, content in commit.files.items():
        if content is None:
            yield b"D %s\n" % quoted(path)
        else:
            yield b"M 100644 inline %s\n" % quoted(path)
            yield data(content)
    yield b"\nget-mark :%d\n" % number


def data(content: bytes) -> bytes:
    """Return a block of data."""
    return b"data %d\n%s\n" % (len(content), content)


def quoted(path: str) -> bytes:
    """Return a path in double quotes, as fast-import reads it back."""
    raw = encode(path)
    return b'"' + raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'


def move(git: Git, changes: Sequence[RefChange], reason: str) -> None:
    """Move refs, all or none.

    Raises `Moved` when one of them is not where it was, `GitFailedError` in Git's words when they cannot be written.
    """
    if not changes:
        return
    lines = b"".join(map(change_line, changes))
    done = git.run("update-ref", "-m", reason, "--stdin", "-z", stdin=lines, ok=None)
    if done.code == 0:
        return
    said = done.err.decode("utf-8", "replace").strip()
    if "but expected" in said or "already exists" in said or "reference is missing" in said or "unable to resolve" in said:
        raise Moved("Another command moved a proposal at the same moment, so nothing was changed.", "Run the command again.")
    why, hint = reason_of(done.err)
    raise GitFailedError(f"Git would not move the branches: {why}. Nothing was changed.", hint)


def change_line(change: RefChange) -> bytes:
    """Return one line of `update-ref --stdin -z`."""
    ref = encode(change.ref)
    if change.new is None:
        return b"delete %s\0%s\0" % (ref, (change.old or "").encode())
    if change.old is None:
        return b"create %s\0%s\0" % (ref, change.new.encode())
    return b"update %s\0%s\0%s\0" % (ref, change.new.encode(), change.old.encode())
