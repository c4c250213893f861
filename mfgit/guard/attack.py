"""`mfgit guard test`: attacks a throwaway copy of a repository, with its own settings and hooks, one gate at a time.

The copy borrows the objects of the repository and writes only into its own folder. Each hook is called where it is, so one
that was there before it, or the pre-commit framework, runs as it would in earnest.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from mfgit.errors import BadInput
from mfgit.guard import install, policy, status
from mfgit.guard.message import TRAILER, VARIABLE
from mfgit.guard.policy import Policy
from mfgit.guard.pushed import ACTORS
from mfgit.guard.staged import ROLES
from mfgit.plumbing import Done, Git, Objects, decode

PROPOSAL, FEATURE = "mfgit/guard-test", "guard-test"
NAME = "mfgit-guard-test"
OFF = ("-c", f"core.hooksPath={os.devnull}")
PERSON, MACHINE = "person", "machine"
SAYS = (b"mfgit guard: ", b"mfgit: ")
"""How the guard's own words start, whatever stands before them."""
NOT_TRIED = "not tried"
REASON = f"\n\n{TRAILER}: a test"


class Tried(NamedTuple):
    """One attempt: the gate, what was tried, what the gate did (`did`), and whether that is what it is for."""

    gate: str
    what: str
    did: str
    good: bool


class Copy(NamedTuple):
    """The throwaway copy: its Git, the commit the target is at, the target's name, the policy, and where it pushes to."""

    git: Git
    tip: str
    target: str
    found: Policy
    remote: str

    def original(self) -> str:
        """Return the name of an original, as the settings know one; without any, one that is protected everywhere."""
        return next((NAME + ending for ending in self.found.config.guard.originals), ".gitattributes")

    def path(self, name: str) -> str:
        """Return a path in the first knowledge root."""
        root = self.found.config.roots[0].path.replace("*", "guard-test")
        return name if root == "." else f"{root}/{name}"

    def env(self, who: str) -> dict[str, str]:
        """Return the environment of a person or the machine."""
        guard = self.found.config.guard
        email = guard.machine_emails[0] if who == MACHINE and guard.machine_emails else "guard-test@localhost"
        names = {f"GIT_{role}_{key}": value for role in ROLES for key, value in (("NAME", who), ("EMAIL", email))}
        actor = guard.machine_actors[0] if who == MACHINE and guard.machine_actors else who
        return {**names, **dict.fromkeys((*ACTORS, VARIABLE), ""), "MFGIT_ACTOR": actor, "GIT_EDITOR": "true"}

    def off(self, *args: str, who: str = PERSON) -> str:
        """Run git without hooks; return what it prints."""
        return decode(self.git.run(*OFF, *args, environment=self.env(who)).out).strip()

    def on(self, *args: str, who: str = PERSON, reason: str = "") -> Done:
        """Run git with the hook under test."""
        said = {**self.env(who), VARIABLE: reason}
        if args[0] != "push":
            said["MFGIT_ACTOR"] = ""
        return self.git.run(*args, ok=None, environment=said)

    def start(self, branch: str) -> None:
        """Start over: a new branch at the target's tip, and the target where it was."""
        with suppress(OSError):
            os.unlink(os.path.join(self.git.folder, ".git", "MERGE_HEAD"))
        self.off("checkout", "-q", "-f", "--detach", self.tip)
        self.off("update-ref", f"refs/heads/{self.target}", self.tip)
        self.off("checkout", "-q", "-f", "-B", branch, self.tip)

    def stage(self, name: str) -> None:
        """Add a file to the staging area."""
        place = os.path.join(self.git.folder, self.path(name))
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write("# A test of the guard\n")
        self.off("--literal-pathspecs", "add", "-f", "--", self.path(name))

    def commit(self, name: str, who: str, message: str = "test") -> None:
        """Commit a file without hooks."""
        self.stage(name)
        self.off("commit", "-q", "-m", message, who=who)


OVERLAY = f"_forged/{NAME}.md"


def machine_commits(it: Copy, *options: str) -> Done:
    """Let the machine commit an original."""
    it.start(PROPOSAL)
    it.stage(it.original())
    return it.on("commit", "-q", *options, "-m", "test" + REASON, who=MACHINE)


def person_commits(it: Copy, *options: str, message: str = "test", reason: str = "") -> Done:
    """Let a person commit an original."""
    it.start(FEATURE)
    it.stage(it.original())
    return it.on("commit", "-q", *options, "-m", message, reason=reason)


def overlay(it: Copy) -> Done:
    """Let the machine commit an overlay."""
    it.start(PROPOSAL)
    it.stage(OVERLAY)
    return it.on("commit", "-q", "-m", "test", who=MACHINE)


def merge(it: Copy, branch: str, into: str = PROPOSAL) -> Done:
    """Let the machine merge a branch with a person's good edit into a proposal."""
    it.start(branch)
    it.commit(it.original(), PERSON, "test" + REASON)
    made = it.off("rev-parse", "HEAD")
    it.off("checkout", "-q", "-f", "-B", into, it.tip)
    it.commit(OVERLAY, MACHINE)
    it.off("update-ref", f"refs/heads/{branch}", made)
    return it.on("merge", "-q", "--no-edit", branch, who=MACHINE)


def plumbing(it: Copy) -> Done:
    """Move a proposal to a commit that was made without any hook."""
    it.start(PROPOSAL)
    it.off("checkout", "-q", "--detach")
    it.commit(it.original(), MACHINE)
    return it.on("update-ref", f"refs/heads/{PROPOSAL}", "HEAD", who=MACHINE)


def pick(it: Copy) -> Done:
    """Let a person pick an edit that has no reason."""
    it.start(FEATURE)
    it.off("checkout", "-q", "--detach")
    it.commit(it.original(), PERSON)
    made = it.off("rev-parse", "HEAD")
    it.off("checkout", "-q", FEATURE)
    return it.on("cherry-pick", made)


def push(it: Copy, name: str, who: str, branch: str, *, message: str = "test", spec: str = "") -> Done:
    """Push a commit that was made without any hook."""
    it.start(FEATURE if branch == it.target else branch)
    it.commit(name, who, message)
    return it.on("push", "-q", it.remote, spec or f"+HEAD:refs/heads/{branch}", who=who)


class Attempt(NamedTuple):
    """What is tried: in words, how, and whether it is refused; `held` where people are, `login` where the machine has one."""

    what: str
    how: Callable[[Copy], Done]
    evil: bool
    held: bool = False
    login: bool = False


GOOD_OVERLAY = Attempt("the machine adds an overlay", overlay, evil=False)
GOOD_EDIT = Attempt(
    "a person edits an original with a reason",
    lambda it: person_commits(it, message="test" + REASON, reason="a test"),
    evil=False,
)
EVIL_MACHINE = Attempt("the machine commits an original", machine_commits, evil=True)
EVIL_PERSON = Attempt("a person edits an original without a reason", person_commits, evil=True, held=True)
PUSHES = (
    Attempt("the machine pushes an original", lambda it: push(it, it.original(), MACHINE, PROPOSAL), evil=True),
    Attempt("the machine pushes to the target", lambda it: push(it, OVERLAY, MACHINE, it.target), evil=True, login=True),
    Attempt(
        "a person pushes an edit without a reason", lambda it: push(it, it.original(), PERSON, FEATURE), evil=True, held=True
    ),
    Attempt(
        "a person deletes the target", lambda it: push(it, OVERLAY, PERSON, FEATURE, spec=f":refs/heads/{it.target}"), evil=True
    ),
    Attempt("the machine pushes an overlay", lambda it: push(it, OVERLAY, MACHINE, PROPOSAL), evil=False),
    Attempt(
        "a person pushes an edit with a reason",
        lambda it: push(it, it.original(), PERSON, FEATURE, message="test" + REASON),
        evil=False,
    ),
)
ATTEMPTS: dict[str, tuple[Attempt, ...]] = {
    "pre-commit": (EVIL_MACHINE, EVIL_PERSON, GOOD_OVERLAY, GOOD_EDIT),
    "pre-merge-commit": (
        Attempt("the machine merges another branch than the target", lambda it: merge(it, FEATURE), evil=True),
        Attempt("the machine merges the target", lambda it: merge(it, it.target), evil=False),
    ),
    "commit-msg": (EVIL_MACHINE, EVIL_PERSON, GOOD_OVERLAY, GOOD_EDIT),
    "reference-transaction": (
        Attempt(
            "the machine commits an original past the other hooks", lambda it: machine_commits(it, "--no-verify"), evil=True
        ),
        Attempt("the machine moves a branch by plumbing", plumbing, evil=True),
        Attempt("a person picks an edit without a reason", pick, evil=True, held=True),
        GOOD_OVERLAY,
        GOOD_EDIT,
        Attempt("refs are packed", lambda it: it.on("pack-refs", "--all"), evil=False),
    ),
    "pre-push": PUSHES,
    "pre-receive": PUSHES,
    "update": PUSHES,
}


def run(git: Git) -> list[Tried]:
    """Attack every gate of a repository; returns what each did. Raises `BadInput` where there is nothing to attack yet.

    A gate that is not installed is no fault, unless none is.
    """
    hooks = install.folder(git)
    with Objects(git) as objects:
        found = policy.at_server(objects) if install.is_bare(git) else policy.find(objects)
    if found.tip is None or found.broken:
        raise found.broken or BadInput("There is no target branch here yet, so there is nothing to attack.", "Commit first.")
    with tempfile.TemporaryDirectory(prefix="guard-test-") as top:
        it = make(git, os.path.realpath(top), found)
        listed = status.gates(git)
        tried = [tried for gate in listed if gate.name in ATTEMPTS for tried in attack(it, gate, hooks)]
    if all(one.did == NOT_TRIED for one in tried):
        return [one._replace(good=False) for one in tried]
    return tried


def make(git: Git, top: str, found: Policy) -> Copy:
    """Make the copy, and a bare one that it pushes to."""
    paths = git.line("rev-parse", "--path-format=absolute", "--git-path", "objects", "--git-path", "shallow").split("\n")
    form = git.line("rev-parse", "--show-object-format")
    target = policy.branch_of(found).removeprefix("refs/heads/")
    folders = {name: os.path.join(top, name) for name in ("work", "remote.git", "hooks")}
    os.mkdir(folders["hooks"])
    starter = Git(top, alone=True)
    for name, bare in (("work", ()), ("remote.git", ("--bare",))):
        starter.run("init", "-q", f"--object-format={form}", "-b", target, "--template=", *bare, folders[name])
        inside = os.path.join(folders[name], "" if bare else ".git")
        with open(os.path.join(inside, "objects", "info", "alternates"), "w", encoding="utf-8") as file:
            file.write(paths[0] + "\n")
        if os.path.exists(paths[1]):
            shutil.copy(paths[1], os.path.join(inside, "shallow"))
        starter.run("-C", folders[name], "update-ref", f"refs/heads/{target}", found.tip or "")
    work = Git(folders["work"], alone=True)
    for key, value in {"core.hooksPath": folders["hooks"], "commit.gpgSign": "false", "gc.auto": "0"}.items():
        work.run("config", key, value)
    it = Copy(work, found.tip or "", target, found, folders["remote.git"])
    it.off("fetch", "-q", it.remote, "+refs/heads/*:refs/remotes/origin/*")
    return it


def attack(it: Copy, gate: status.Gate, hooks: str) -> list[Tried]:
    """Attack one gate, with no other in place. A hook that is there and does not run the guard has failed already."""
    if gate.state != status.THERE:
        broken = os.path.lexists(os.path.join(hooks, gate.name))
        what = "a hook is there that does not run the guard as installed" if broken else "not installed"
        return [Tried(gate.name, what, NOT_TRIED, good=not broken)]
    local = os.path.dirname(it.remote) + "/hooks"
    folder = local if gate.name in install.STAGES else os.path.join(it.remote, "hooks")
    for name in os.listdir(local):
        os.unlink(os.path.join(local, name))
    os.makedirs(folder, exist_ok=True)
    place = os.path.join(folder, gate.name)
    with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o777), "w", errors="surrogateescape") as file:
        hook = os.path.join(hooks, gate.name).replace("'", "'\\''")
        file.write(f"#!/bin/sh\nexec '{hook}' \"$@\"\n")
    logins = it.found.config.guard.machine_actors
    wanted = [one for one in ATTEMPTS[gate.name] if not (one.held and it.found.free) and (logins or not one.login)]
    return [verdict(gate.name, one, one.how(it)) for one in wanted]


def verdict(gate: str, tried: Attempt, done: Done) -> Tried:
    """Return what a gate did, and whether that is what it is for. What another hook stopped tells nothing about ours."""
    if done.code == 0:
        return Tried(gate, tried.what, "passed", good=not tried.evil)
    if any(word in done.err + done.out for word in SAYS):
        return Tried(gate, tried.what, "refused", good=tried.evil)
    return Tried(gate, tried.what, "stopped by something else", good=True)
