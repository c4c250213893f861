"""The remote that proposals are published to: its name, the service behind it, and the way to ask that."""

import os
from typing import TYPE_CHECKING, NamedTuple

from mfgit.errors import BadInput
from mfgit.plumbing import Git
from mfgit.project.base import Repository
from mfgit.repo.remotes import url_of

if TYPE_CHECKING:
    from mfgit.backends.hosts.forms import Host
    from mfgit.backends.hosts.opening import Service

SEEN = "refs/mfgit-local/seen/"
"""`SEEN + ID` is the rejection that the service knows of too: its request was closed when the ref was written.

Of this clone alone. A request that is open again was opened again, and a proposal that is open again was restored here.
"""


def closed_there(git: Git, rejection: str | None) -> bool:
    """Tell whether a rejection came of a request that was closed on the service, which every clone can read in its commit."""
    if rejection is None:
        return False
    done = git.run("log", "-1", "--format=%(trailers:key=Mfgit-Request,valueonly)", rejection, "--", ok=None)
    return bool(done.out.strip())


class Kind(NamedTuple):
    """What a kind of service takes."""

    draft_prefix: str
    title_limit: int
    text_limit: int


class Place(NamedTuple):
    """Where to publish; `host` is None where GitLab is asked by push options, and in a dry run without a key."""

    remote: str
    service: "Service"
    host: "Host | None"
    kind: Kind


def place(repository: Repository, remote: str = "", *, need_key: bool = True, push_options: bool = True) -> Place:
    """Return where to publish; raises `BadInput` for an unknown service, or where a key is needed and no variable holds one."""
    from mfgit.backends.hosts import opening

    name = remote or repository.config.publish.remote
    service = opening.recognised(url_of(repository.git, name), repository.config.publish)
    environment = os.environ if repository.environment is None else repository.environment
    key = opening.key_of(service, environment)
    of = opening.KINDS[service.kind]
    kind = Kind(of.draft_prefix, of.title_limit, of.text_limit)
    if key:
        return Place(name, service, opening.connect(service, key), kind)
    if need_key and not (service.kind == "gitlab" and push_options):
        raise BadInput(
            f"There is no key for {of.name}.",
            f"Put a token that may open and read requests into {opening.wanted_keys(service)}.",
        )
    return Place(name, service, None, kind)
