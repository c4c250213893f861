"""What is protected and who is the machine: the target's `mfgit.toml`, and the kind that it gives each path.

Paths are text with undecodable bytes surrogate-escaped, so that two of them are equal only when their bytes are. Roots match
as bytes where they allow something, and without regard to case or composition where they protect.
"""

import posixpath
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mfgit import config, layout
from mfgit.errors import BadInput
from mfgit.plumbing import Git, Objects
from mfgit.sections import Config

SETTINGS_ANYWHERE = frozenset([".gitattributes", ".gitmodules"])
USUAL_TARGETS = ("refs/heads/main", "refs/heads/master", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")

OVERLAY = "overlay"
ALIASES = "aliases"
ORIGINAL = "original"
FORGED = "forged"
ROOT = "root"
SETTINGS = "settings"
ARCHIVE = "archive"
OTHER = "other"
PROTECTED = frozenset([ALIASES, ORIGINAL, FORGED, ROOT, SETTINGS])
"""Kinds of paths that a person changes with a reason; of the aliases only what lies outside of the lists."""


class Zone(NamedTuple):
    """The knowledge root a path lies in (`"."` for the top) and its path below; `exact` when the bytes match."""

    root: str
    below: str
    exact: bool


class Policy(NamedTuple):
    """The settings that judge, the commit they are from, and the target's full name and tip (None: there is none).

    `broken` says why the settings there cannot be read; everything is protected then, and the machine may do nothing.
    """

    config: Config
    target: str | None
    tip: str | None
    broken: BadInput | None = None

    @property
    def free(self) -> bool:
        """Whether people are free, since no `mfgit.toml` is on the target."""
        return not self.config.configured

    def is_machine(self, email: str) -> bool:
        """Tell whether an e-mail address is the machine's."""
        return email.strip().casefold() in {known.strip().casefold() for known in self.config.guard.machine_emails}

    def is_machine_actor(self, actor: str) -> bool:
        """Tell whether an authenticated name is the machine's."""
        return actor.strip().casefold() in {known.strip().casefold() for known in self.config.guard.machine_actors}

    def zone(self, path: str) -> Zone | None:
        """Return the deepest root that a path lies in, of two as deep one that matches exactly; None outside of all."""
        parts = path.split("/")
        folded: list[str] = []
        loose, deep = None, 0
        for pattern in sorted((root.path for root in self.config.roots), key=depth, reverse=True):
            wanted = [] if pattern == "." else pattern.split("/")
            if loose and len(wanted) < deep:
                return loose
            if len(parts) <= len(wanted):
                continue
            if "" not in parts and matches(wanted, parts):
                return Zone("/".join(parts[: len(wanted)]) or ".", "/".join(parts[len(wanted) :]), exact=True)
            folded = folded or layout.fold(path).split("/")
            if loose is None and matches([layout.fold(part) for part in wanted], folded):
                deep = len(wanted)
                loose = Zone("/".join(parts[:deep]), "/".join(parts[deep:]), exact=False)
        return loose

    def kind(self, path: str) -> str:
        """Return what a path is to the guard."""
        folded = layout.fold(path)
        name = folded.rsplit("/", 1)[-1]
        if name in SETTINGS_ANYWHERE or folded == config.FILE_NAME:
            return SETTINGS
        if self.broken and name in (layout.ALIASES, layout.FORGED):
            return FORGED if name == layout.FORGED else ORIGINAL  # nothing says where the roots are: each may be a root's
        zone = self.zone(path)
        found = self.kind_below(zone) if zone else OTHER
        if found != OTHER:
            return found
        return ROOT if self.leads_to_root(folded.split("/")) else ARCHIVE if self.in_archive(folded) else OTHER

    def kind_below(self, zone: Zone) -> str:
        """Return what a path in a knowledge root is."""
        top, _, rest = zone.below.partition("/")
        if rest and top == layout.FORGED and zone.exact:
            return OVERLAY
        folded = layout.fold(zone.below)
        if folded == layout.FORGED:
            return FORGED
        if folded == layout.ALIASES:
            return ALIASES if zone.exact and zone.below == layout.ALIASES else ORIGINAL
        suffixes = tuple(suffix.lower() for suffix in self.config.guard.originals)
        return ORIGINAL if folded.rstrip(" .").endswith(suffixes) else OTHER

    def in_archive(self, folded: str) -> bool:
        """Tell whether a folded path is a file of the archive: of conversations, and no more than a marker of its folder."""
        inside = any(folded.startswith(layout.fold(folder) + "/") for folder in self.archive)
        return inside and folded.rsplit("/", 1)[-1] not in layout.FOLDER_MARKERS

    @property
    def archive(self) -> Iterator[str]:
        """The folders of the archive that the file names and that lie in the repository, relative to its top."""
        for folder in (self.config.archive.chat, self.config.archive.sessions):
            inside = posixpath.normpath(folder)
            if inside != "." and not inside.startswith(("/", "..")):
                yield inside

    def leads_to_root(self, parts: Sequence[str]) -> bool:
        """Tell whether a path is a root's own or one above it, where only a folder may be."""
        return any(matches(layout.fold(root.path).split("/")[: len(parts)], parts, whole=True) for root in self.config.roots)

    def holds_files(self, path: str) -> bool:
        """Tell whether a path stands where only a `*` of the roots is: files may lie there beside the folders."""
        parts = layout.fold(path).split("/")
        ways = [layout.fold(root.path).split("/")[: len(parts)] for root in self.config.roots]
        return all(way[-1] == "*" for way in ways if matches(way, parts, whole=True))


def depth(pattern: str) -> int:
    """Return how deep a root lies."""
    return 0 if pattern == "." else pattern.count("/") + 1


def matches(wanted: Sequence[str], parts: Sequence[str], *, whole: bool = False) -> bool:
    """Tell whether a path starts with the components wanted, or with `whole` has exactly them; `*` is any one."""
    if whole and len(wanted) != len(parts):
        return False
    return all(want in ("*", part) for want, part in zip(wanted, parts, strict=False))


def read_config(objects: Objects, commit: str) -> tuple[Config | None, BadInput | None]:
    """Return the settings of a commit (None: it has none), or why they cannot be read."""
    found = objects.content(f"{commit}:{config.FILE_NAME}")
    if found is None:
        return None, None
    try:
        return config.parse(found.decode("utf-8-sig"), f"{config.FILE_NAME} at {commit[:12]}"), None
    except UnicodeDecodeError:
        return Config(configured=True), BadInput(f"{config.FILE_NAME} at {commit[:12]} is not UTF-8 text.", "Save it as UTF-8.")
    except BadInput as error:
        return Config(configured=True), error


def find(objects: Objects, *, base: str | None = None, ref: str = "", hint: str = "HEAD") -> Policy:
    """Return the policy of the target's tip.

    The name of the target is taken from `base` (the base of a range), from the usual branches, and last from `hint`, whose
    word counts only for the name. Where `ref`, the branch under review, is the target itself, `base` judges.
    """
    for place in (base, *(name for name in USUAL_TARGETS if name != ref), hint):
        if place is None or (commit := objects.commit(place)) is None:
            continue
        named, broken = read_config(objects, commit)
        if named is None:
            continue
        full = f"refs/heads/{named.target}"
        if base is not None and full == ref:
            return of(objects, full, base)
        return at_tip(objects, named.target) or Policy(named, None, base, broken)
    return unconfigured(objects, base, ref)


def at_tip(objects: Objects, target: str) -> Policy | None:
    """Return the policy of a target branch that is here or at `origin`, None when it is nowhere."""
    for name in (f"refs/heads/{target}", f"refs/remotes/origin/{target}"):
        tip = objects.commit(name)
        if tip is not None:
            found, broken = read_config(objects, tip)
            return Policy(found or Config(), name, tip, broken)
    return None


def of(objects: Objects, ref: str, tip: str) -> Policy:
    """Return the policy of a target at a tip."""
    named, broken = read_config(objects, tip)
    return Policy(named or Config(), ref, tip, broken)


def at_server(objects: Objects) -> Policy:
    """Return the policy of a repository that is pushed to: its HEAD names the branch whose settings name the target."""
    head = objects.git.run("symbolic-ref", "--quiet", "HEAD", ok=None).out.decode("utf-8", "surrogateescape").strip()
    tip = objects.commit(head)
    named = read_config(objects, tip)[0] if tip else None
    if named is None:
        found = find(objects, hint="")
        if found.free:
            return Policy(Config(), head, tip) if tip or found.tip is None else found
        return found._replace(target=branch_of(found))
    return at_tip(objects, named.target) or Policy(named, f"refs/heads/{named.target}", None)


def at_remote(objects: Objects, remote: str) -> Policy:
    """Return the policy for a push: the target's at the remote, else at the remote that has its newest, else the local one."""
    found = find(objects)
    target = branch_of(found)
    name = target.removeprefix("refs/heads/")
    listed = objects.git.out("for-each-ref", "--format=%(objectname)", f"refs/remotes/*/{name}").decode().split()
    own = objects.commit(f"refs/remotes/{remote}/{name}")
    tip = newest(objects.git, own or (listed[0] if listed else found.tip), listed)
    return of(objects, target, tip) if tip else found._replace(target=target)


def newest(git: Git, tip: str | None, others: Sequence[str]) -> str | None:
    """Return the tip, or the last of some others that each go on from it."""
    for other in dict.fromkeys(others):
        if tip and other != tip and git.run("merge-base", "--is-ancestor", tip, other, ok=None).code == 0:
            tip = other
    return tip


def branch_of(found: Policy) -> str:
    """Return the full name of the target as a branch of this repository."""
    if found.config.configured or found.target is None:
        return f"refs/heads/{found.config.target}"
    return "refs/heads/" + found.target.removeprefix("refs/heads/").removeprefix("refs/remotes/origin/")


def unconfigured(objects: Objects, base: str | None, ref: str) -> Policy:
    """Return the policy where no settings are: only the machine is held, to overlays and aliases of the whole tree."""
    if base is not None:
        return Policy(Config(), None, base)
    for name in USUAL_TARGETS:
        tip = objects.commit(name)
        if tip is not None and name != ref:
            return Policy(Config(), name, tip)
    return Policy(Config(), None, None)
