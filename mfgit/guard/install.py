"""Puts the guard's hooks where Git looks for them, in front of what is there already, and takes them out again."""

import os
import re
import sys
from typing import NamedTuple

from mfgit import formats
from mfgit.errors import BadInput
from mfgit.guard import hooks
from mfgit.plumbing import Git

STAGES = {
    "pre-commit": b"--staged",
    "pre-merge-commit": b"--staged",
    "commit-msg": b"--commit-msg",
    "reference-transaction": b"--ref-update",
    "pre-push": b"--pre-push",
}
"""Hook of a clone -> what it asks of `mfgit guard`."""
SERVER_STAGES = {"pre-receive": b"--pre-receive"}
"""Hook of a repository that is pushed to -> what it asks of `mfgit guard`."""
SERVER_SETTINGS = {"receive.fsckObjects": "true"}
"""What such a repository has to have set: crafted objects are refused before any hook sees them."""
KEPT = ".before-mfgit"
LEGACY = ".legacy"
"""What the pre-commit framework puts behind the name of a hook that it replaces, and goes on to run."""
MARK = b"Written by `mfgit guard install`"
STATED = re.compile(rb"^# mfgit hook version (\d{1,9})$", re.MULTILINE)
"""How a hook of ours would name its version; one that names none is of version 1."""


class Installed(NamedTuple):
    """What was done about one hook or setting: `place` is its file, `what` half a sentence."""

    name: str
    place: str
    what: str


def folder(git: Git) -> str:
    """Return the folder of the hooks: core.hooksPath, or the one all worktrees share."""
    return git.path("rev-parse", "--path-format=absolute", "--git-path", "hooks")


def is_bare(git: Git) -> bool:
    """Tell whether a repository is a bare one."""
    return git.line("rev-parse", "--is-bare-repository") == "true"


def missing(git: Git) -> tuple[str, ...]:
    """Return the files of the hooks that do not run the guard yet, or an older one of ours."""
    top = folder(git)
    return tuple(os.path.join(top, name) for name in STAGES if not runs_guard(top, name))


def install(git: Git) -> tuple[Installed, ...]:
    """Install every hook that is missing; raises `BadInput` where a hook cannot be written, which then is as it was."""
    top = folder(git)
    return tuple(put(top, name) for name in STAGES)


def install_server(git: Git) -> tuple[Installed, ...]:
    """Install the hook of a repository that is pushed to, and its settings; raises `BadInput` where it is none."""
    if not is_bare(git):
        raise BadInput("This is no bare repository, so nobody pushes to it.", "Run mfgit guard install, without --server.")
    top = folder(git)
    return (*(put(top, name) for name in SERVER_STAGES), *(set_up(git, name) for name in SERVER_SETTINGS))


def set_up(git: Git, name: str) -> Installed:
    """Set one setting of a server."""
    place = os.path.join(git.path("rev-parse", "--absolute-git-dir"), "config")
    if is_set(git, name):
        return Installed(name, place, f"is {SERVER_SETTINGS[name]} already")
    git.run("config", "--local", name, SERVER_SETTINGS[name])
    return Installed(name, place, f"set to {SERVER_SETTINGS[name]}")


def is_set(git: Git, name: str) -> bool:
    """Tell whether a setting of a server is as it has to be."""
    done = git.run("config", "--type=bool", "--get", name, ok=None)
    return done.out.decode().strip() == SERVER_SETTINGS[name]


def uninstall(git: Git) -> tuple[Installed, ...]:
    """Take our hooks out; one that was there before comes back. The settings of a server stay, since they do no harm."""
    top = folder(git)
    done = [take_out(top, name) for name in (*STAGES, *SERVER_STAGES)]
    return tuple(one for one in done if one)


def take_out(top: str, name: str) -> Installed | None:
    """Take one hook out, None where none of ours is."""
    place = os.path.join(top, name)
    behind = MARK not in hooks.read(place)
    if behind and MARK in hooks.read(place + LEGACY):
        place += LEGACY  # the framework stands in front of ours, and knows nothing of what ours kept
    elif behind:
        runs = runs_guard(top, name)
        return Installed(name, place, "runs the guard by words of your own; take them out yourself") if runs else None
    kept = os.path.join(top, name + KEPT)
    try:
        if os.path.lexists(kept):
            os.replace(kept, place)
            return Installed(name, place, "taken out; the hook that was there before is back")
        os.unlink(place)
    except OSError as error:
        raise BadInput(f"The hook {place} cannot be taken out: {error.strerror}; it is as it was.") from None
    return Installed(name, place, "taken out")


def runs_guard(top: str, name: str) -> bool:
    """Tell whether a hook runs the guard already: ours as it is written now or newer, the team's, or pre-commit's."""
    place = os.path.join(top, name)
    text = hooks.read(place)
    if MARK in text:
        return (text == script(top, name) or version_of(text) > formats.HOOK) and os.access(place, os.X_OK)
    if b"guard" in text and {**STAGES, **SERVER_STAGES}[name] in text:
        return os.access(place, os.X_OK)
    return hooks.by_framework(text) and MARK in hooks.read(place + LEGACY)


def version_of(text: bytes) -> int:
    """Return the version of a hook of ours, 0 for any other's."""
    stated = STATED.search(text)
    return 0 if MARK not in text else int(stated[1]) if stated else 1


def older(git: Git) -> tuple[str, ...]:
    """Return the hooks of ours, and of a version that is known, that are not as they would be written now."""
    top = folder(git)
    places = {name: os.path.join(top, name) for name in (*STAGES, *SERVER_STAGES)}
    ours = {name: place for name, place in places.items() if 1 <= version_of(hooks.read(place)) <= formats.HOOK}
    return tuple(place for name, place in ours.items() if not runs_guard(top, name))


def put(top: str, name: str) -> Installed:
    """Install one hook; raises `BadInput` where it cannot be written, `Newer` for one that a newer mfgit wrote."""
    place = os.path.join(top, name)
    if runs_guard(top, name):
        return Installed(name, place, "is there already")
    formats.refuse_newer(version_of(hooks.read(place)) or None, formats.HOOK, place)
    there = os.path.lexists(place) and MARK not in hooks.read(place)
    if there and os.path.lexists(place + KEPT):
        raise BadInput(
            f"The hook {place} runs no guard, and {name}{KEPT} is there too.",
            f"Make one of the two, name it {name}{KEPT}, remove the other, and run mfgit guard install again.",
        )
    try:
        os.makedirs(top, exist_ok=True)
        write(place, script(top, name), keep=there)
    except OSError as error:
        raise BadInput(f"The hook {place} cannot be written: {error.strerror}; it is as it was.") from None
    return Installed(name, place, f"installed; the hook that was there runs first ({name}{KEPT})" if there else "installed")


def write(place: str, data: bytes, *, keep: bool) -> None:
    """Write a hook whole or not at all; with `keep` what is there stays beside it, and at no time is there no hook."""
    temporary = f"{place}.{os.getpid()}.tmp"
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o777), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if keep:
            os.link(place, place + KEPT, follow_symlinks=False)
        os.replace(temporary, place)
    finally:
        if os.path.lexists(temporary):
            os.unlink(temporary)


def script(top: str, name: str) -> bytes:
    """Return the text of a hook, with the Python that runs now unless the hook may be committed for others."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    inside = os.path.join(package, "hooks", name)
    text = hooks.read(inside) or hooks.read(os.path.join(os.path.dirname(package), "hooks", name))
    if is_shared(top):
        return text
    quoted = sys.executable.replace("'", "'\\''")
    return text.replace(b'python=""', f"python='{quoted}'".encode(), 1)


def is_shared(top: str) -> bool:
    """Tell whether a folder of hooks lies in a checkout, where it can be committed, and is not ignored."""
    at = os.path.abspath(top)
    while not os.path.lexists(os.path.join(at, ".git")):
        is_git_dir = os.path.isdir(os.path.join(at, "objects")) and os.path.isfile(os.path.join(at, "HEAD"))
        if is_git_dir or os.path.dirname(at) == at:
            return False
        at = os.path.dirname(at)
    return Git(at, alone=True).run("check-ignore", "--quiet", "--no-index", "--", os.path.abspath(top), ok=None).code == 1
