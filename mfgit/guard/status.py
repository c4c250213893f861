"""Which gates a repository has, and which cannot be known from it. Only looks."""

import os
from typing import NamedTuple

from mfgit.guard import hooks, install
from mfgit.plumbing import Git, decode

THERE, MISSING, UNKNOWN = "there", "missing", "unknown"
CI_PLACES = (
    ".github/workflows", ".gitea/workflows", ".forgejo/workflows", ".woodpecker", ".circleci", ".ci",
    ".gitlab-ci.yml", ".woodpecker.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml", "Jenkinsfile", ".travis.yml",
)  # fmt: skip
"""Where CI systems look for what they run."""


class Gate(NamedTuple):
    """One gate: its name, whether it is there (`there`, `missing`, `unknown`), and half a sentence about it."""

    name: str
    state: str
    what: str


def gates(git: Git) -> list[Gate]:
    """Return the gates of a clone or, for a bare repository, of a server."""
    top = install.folder(git)
    if install.is_bare(git):
        return [server_hook(top), *(setting(git, name) for name in install.SERVER_SETTINGS), ci(git)]
    return [*(local(git, top, name) for name in install.STAGES), ci(git), SERVER]


SERVER = Gate("server", UNKNOWN, "cannot be seen from a clone; mfgit guard status says it there")


def local(git: Git, top: str, name: str) -> Gate:
    """Return a hook of a clone."""
    place = os.path.join(top, name)
    if install.runs_guard(top, name):
        return Gate(name, THERE, place)
    if through_framework(git, place, name):
        return Gate(name, THERE, f"{place}, through the pre-commit framework")
    text = hooks.read(place)
    if install.MARK in text:
        return Gate(name, MISSING, f"{place} is an older one or not executable; mfgit guard install renews it")
    return Gate(name, MISSING, f"{place} runs something else" if text else "no hook is installed")


def through_framework(git: Git, place: str, name: str) -> bool:
    """Tell whether a hook runs the guard through the settings of the pre-commit framework."""
    if not hooks.by_framework(hooks.read(place)) or not os.access(place, os.X_OK):
        return False
    settings = hooks.framework_settings(git.path("rev-parse", "--show-toplevel"))
    identity = b"mfgit-message" if name == "commit-msg" else b"mfgit-originals"
    return identity in settings or (b"guard" in settings and install.STAGES[name] in settings)


def server_hook(top: str) -> Gate:
    """Return the hook of a server; the team's own `update` will do as well."""
    for name in ("pre-receive", "update"):
        if runs_on_server(top, name):
            return Gate(name, THERE, os.path.join(top, name))
    return Gate("pre-receive", MISSING, "no hook runs the guard; mfgit guard install --server puts it there")


def runs_on_server(top: str, name: str) -> bool:
    """Tell whether a hook of a server runs the guard."""
    if name in install.SERVER_STAGES:
        return install.runs_guard(top, name)
    text = hooks.read(os.path.join(top, name))
    return b"guard" in text and b"--pre-receive" in text and os.access(os.path.join(top, name), os.X_OK)


def setting(git: Git, name: str) -> Gate:
    """Return a setting of a server."""
    there = install.is_set(git, name)
    return Gate(name, THERE if there else MISSING, "is set" if there else "is not set; mfgit guard install --server sets it")


def ci(git: Git) -> Gate:
    """Return what is known of CI: the files that name mfgit. Whether they must pass is known to the server only."""
    asked = ("grep", "-l", "-i", "-z", "mfgit", "HEAD", "--", *CI_PLACES)
    found = decode(git.run("--literal-pathspecs", *asked, ok=None).out).split("\0")[:-1]
    names = ", ".join(name.partition(":")[2] for name in found[:3])
    what = f"{names} runs it; whether it must pass is set on the server" if names else "no file of a CI system here names mfgit"
    return Gate("ci", UNKNOWN, what)
