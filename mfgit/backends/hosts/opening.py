"""From a remote's address, the settings and the environment to the service that holds the repository.

A key of a service (GITHUB_TOKEN and the like) goes to the host of the remote only. Where the settings name another address,
it takes a variable that begins with MFGIT_: a `mfgit.toml` must not be able to send any other secret away.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from mfgit.backends.endpoint import KEY, Endpoint, endpoint, is_here
from mfgit.backends.hosts.forms import Host
from mfgit.backends.hosts.gitea import Gitea
from mfgit.backends.hosts.github import GitHub
from mfgit.backends.hosts.gitlab import GitLab
from mfgit.config import SERVICES
from mfgit.errors import BadInput
from mfgit.sections import PublishConfig

TIMEOUT, RETRIES = 30.0, 3
KINDS: dict[str, type[GitHub] | type[GitLab] | type[Gitea]] = {"github": GitHub, "gitlab": GitLab, "gitea": Gitea}
SUFFIX = {"github": "/api/v3", "gitlab": "/api/v4", "gitea": "/api/v1"}
OWN_KEY = "MFGIT_PUBLISH_TOKEN"
KEYS = {
    "github": ("GITHUB_TOKEN", "GH_TOKEN"),
    "gitlab": ("GITLAB_TOKEN",),
    "gitea": ("GITEA_TOKEN", "FORGEJO_TOKEN"),
}
KNOWN = {"github.com": "github", "gitlab.com": "gitlab", "codeberg.org": "gitea", "gitea.com": "gitea"}
WORDS = {"github": "github", "gitlab": "gitlab", "gitea": "gitea", "forgejo": "gitea"}
SCP = re.compile(r"(?:[^@/:\s]+@)?(?P<host>\[[^\]]+\]|[^/:\s]+):(?P<path>[^\s]+)")


class Place(NamedTuple):
    """Where a remote lies: its scheme, host with port, and the path of the repository without `.git`."""

    scheme: str
    host: str
    path: str

    @property
    def name(self) -> str:
        """The host without its port."""
        return (urlsplit(f"//{self.host}").hostname or "").lower()


class Service(NamedTuple):
    """A recognised service: its kind, the address of its API, and the repository's path there."""

    kind: str
    url: str
    path: str
    at_remote: bool


def place_of(url: str) -> Place | None:
    """Return where a remote's address points, None for a folder or anything else that is no server."""
    if "://" in url:
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            return None
        where = host + (f":{port}" if port and parts.scheme in ("http", "https") else "")
        return Place(parts.scheme, where, trimmed(parts.path)) if host and parts.scheme != "file" else None
    found = SCP.fullmatch(url)
    return Place("ssh", found["host"].strip("[]"), trimmed(found["path"])) if found and len(found["host"]) > 1 else None


def trimmed(path: str) -> str:
    """Return the path of a repository without slashes around it and without `.git`."""
    return path.strip("/").removesuffix(".git")


def recognised(url: str, settings: PublishConfig) -> Service:
    """Return the service that a remote's address and the settings mean; raises `BadInput` that says what to set."""
    place = place_of(url)
    words = re.split(r"[.\-]", place.name) if place else []
    kind = (
        settings.service
        or (KNOWN.get(place.name) if place else None)
        or next((WORDS[one] for one in words if one in WORDS), "")
    )
    if kind not in SERVICES:
        raise BadInput(
            "It cannot be told which service the remote is on.",
            f'Set service = "github", "gitlab" or "gitea" in [publish] of mfgit.toml{"" if place else ", and url"}.',
        )
    if place is None or "/" not in place.path or not re.fullmatch(r"[^\s?#%]+", place.path):
        raise BadInput(
            "The remote is no repository of a hosting service.", "Name another with remote in [publish] or --remote."
        )
    own = "https://api.github.com" if kind == "github" and place.name == "github.com" else ""
    scheme = "http" if place.scheme == "http" and is_here(place.name) else "https"
    given = own or f"{scheme}://{place.host}{SUFFIX[kind]}"
    url = settings.url.rstrip("/") or given
    return Service(kind, url, place.path, urlsplit(url).netloc.lower() == urlsplit(given).netloc.lower())


def key_of(service: Service, environment: Mapping[str, str]) -> str:
    """Return the key of a service, nothing where no variable holds one; raises `BadInput` for one that cannot be a key."""
    names = (OWN_KEY, *(KEYS[service.kind] if service.at_remote else ()))
    for name in names:
        if key := environment.get(name, "").strip():
            if not KEY.fullmatch(key):
                raise BadInput(
                    f"The environment variable {name} holds characters that no key has.", f"Put the key into {name}."
                )
            return key
    return ""


def wanted_keys(service: Service) -> str:
    """Return the names of the variables that may hold the key."""
    return " or ".join((OWN_KEY, *(KEYS[service.kind] if service.at_remote else ())))


def connect(service: Service, key: str) -> Host:
    """Return the repository on its service; raises `BadInput` for an address that cannot be used."""
    to: Endpoint = endpoint("publish", service.url, "", {}, timeout=TIMEOUT, retries=RETRIES, plain_http=False)
    return KINDS[service.kind](to._replace(key=key), service.path)
