"""A remote: what it has, what is fetched from it, and what is pushed, ref by ref.

Git's own transport, with its credentials and the server's hooks. Every forced move is tied to where the ref was seen.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mfgit import layout
from mfgit.errors import BadInput
from mfgit.plumbing import Git, GitFailedError, decode
from mfgit.repo.branches import HEADS

FETCHED = "refs/mfgit-local/fetched/"
"""Where a remote's rejected refs are kept, so that their objects are here; no push of `refs/mfgit/*` takes them along."""
LOGIN = re.compile(r"(?<=://)[^/@\s]+@")
REPORT = re.compile(r"(?P<flag>[ +\-*!=])\t(?P<source>[^\t:]*):(?P<ref>[^\t]+)\t(?P<said>.*)")


class Push(NamedTuple):
    """One ref of a push: `new` None deletes it; `old` is where the remote has it, None where it has none."""

    ref: str
    new: str | None
    old: str | None


def url_of(git: Git, remote: str) -> str:
    """Return the address of a remote, as Git pushes to it; raises `BadInput` where there is none of that name."""
    done = git.run("remote", "get-url", "--push", "--", remote, ok=None)
    if done.code:
        raise BadInput(
            f"There is no remote {remote} here.",
            "Add it with git remote add, or name another: --remote NAME, or [publish] remote.",
        )
    return decode(done.out).strip()


def listed(git: Git, remote: str) -> dict[str, str]:
    """Return what a remote has of proposals: the commit of each branch and of each rejected ref. Writes nothing."""
    done = git.run("ls-remote", "--refs", remote, f"{HEADS}*", f"{layout.REJECTED_PREFIX}*", ok=None)
    if done.code:
        raise failed("read", remote, done.err)
    rows = (line.split("\t", 1) for line in decode(done.out).splitlines() if "\t" in line)
    return {ref: oid for oid, ref in rows}


def fetch(git: Git, remote: str) -> None:
    """Bring the remote's branches of proposals into `refs/remotes/`, and its rejected refs to where only this clone looks."""
    specs = (f"+{HEADS}*:refs/remotes/{remote}/{layout.BRANCH_PREFIX}*", f"+{layout.REJECTED_PREFIX}*:{FETCHED}{remote}/*")
    done = git.run("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--prune", remote, *specs, ok=None)
    if done.code:
        raise failed("fetched", remote, done.err)


def push(git: Git, remote: str, changes: Sequence[Push], options: Sequence[str] = ()) -> Mapping[str, str]:
    """Push refs, each by itself; return why for each that did not move. Raises `GitFailedError` where none could."""
    if not changes:
        return {}
    leases = [f"--force-with-lease={one.ref}:{one.old or ''}" for one in changes]
    said = [part for option in options for part in ("-o", option)]
    done = git.run(
        "push",
        "--porcelain",
        "--no-follow-tags",
        *leases,
        *said,
        remote,
        *(f"{one.new or ''}:{one.ref}" for one in changes),
        ok=None,
    )
    rows = {row["ref"]: row for line in decode(done.out).splitlines() if (row := REPORT.fullmatch(line))}
    if not rows and done.code:
        raise failed("pushed to", remote, done.err)
    missing = {one.ref: "the remote said nothing of it" for one in changes if one.ref not in rows}
    return {**missing, **{ref: plainly(row["said"]) for ref, row in rows.items() if row["flag"] == "!"}}


def plainly(said: str) -> str:
    """Return what Git reports of a ref that did not move."""
    if "stale info" in said:
        return "it moved at the remote in the meantime; run the command again"
    return said.strip("[] ") or "refused"


def failed(what: str, remote: str, said: bytes) -> GitFailedError:
    """Return the error of a remote that cannot be reached, without the login of its address."""
    lines = [line for line in said.decode("utf-8", "replace").splitlines() if line.strip() and not line.startswith("hint:")]
    why = LOGIN.sub("", lines[-1].removeprefix("fatal: ")) if lines else "no reason given"
    return GitFailedError(f"The remote {remote} cannot be {what}: {why}", "Check git remote -v and that you may push there.")
