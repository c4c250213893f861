"""Set a knowledge repository up: look at what is there, plan what is missing, then write it; never commit.

A plan is made without writing. Carrying it out writes whole files (temporary file, fsync, rename) and only where a file is
still what the plan saw, so that a second run finds nothing left to do and an interrupted one can be run again.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mfgit import aliases, config, layout
from mfgit.errors import BadInput
from mfgit.guard import install
from mfgit.layout import Root
from mfgit.model import Progress, quiet
from mfgit.plumbing import encode, native
from mfgit.project import discovery, entries
from mfgit.project.base import Repository
from mfgit.project.entries import Page
from mfgit.project.settings import settings_file
from mfgit.sections import Config, RootPattern

HEAD_BYTES = 65_536
"""How much of a page is read for its title."""
TEMPORARY = ".mfgit-new"
PROBES = ("f3b1c9e07a52", "f3b1c9e07a52.jsonl", "f3b1c9e07a52.jsonl.gz", "0001-01-01.jsonl", "f3b1c9e07a52/f3b1c9e07a52.json")
"""Names in an archive folder that no pattern means unless it means all of their kind."""
IGNORE_COMMENT = "# Conversations stay out of Git; mfgit keeps them here."


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file to write: `path` from the top, its bytes before (None: not there) and after, and what that means."""

    path: str
    before: bytes | None
    after: bytes
    what: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What `init` would do: files, hooks by their place, things to know, and the commands that commit it."""

    roots: tuple[RootPattern, ...]
    changes: tuple[FileChange, ...]
    hooks: tuple[str, ...]
    notes: tuple[str, ...]
    next_commands: tuple[str, ...]

    @property
    def empty(self) -> bool:
        """Whether there is nothing left to do."""
        return not self.changes and not self.hooks


def plan(repository: Repository, roots: Sequence[RootPattern] = (), progress: Progress = quiet) -> Plan:
    """Return what is missing in a repository; `roots` are the wanted ones (none: they are found).

    Raises `BadInput` for a bare repository, a root without pages, roots given beside a `mfgit.toml`, a broken `index.json`.
    """
    if repository.top is None:
        raise BadInput("mfgit init writes files, and this repository is bare.", "Run it in a checkout, then push.")
    there = repository.config
    if there.configured and roots:
        raise BadInput(
            f"{config.FILE_NAME} is there already, so --root is not used.", f"Write the root into {config.FILE_NAME} yourself."
        )
    names = discovery.markdown(repository, there)
    chosen = tuple(there.roots if there.configured else roots or discovery.find_roots(names))
    readable = [name for name in names if discovery.is_utf8(name)]
    vacant = discovery.empty_roots(chosen, names)
    if vacant and not there.configured:
        where = f"There is no Markdown under {vacant[0]}" if roots else "There is no Markdown in this repository"
        raise BadInput(f"{where}.", "Write a page first, or name a folder that has some: --root docs")
    files, notes = alias_files(repository, layout.expand(chosen, readable), readable, progress)
    changes = [*settings(repository, there, chosen), *ignore_lines(repository, there), *files]
    places = hooks(repository)
    notes += [f"the root {path} has no Markdown yet." for path in vacant]
    notes = [*notes, *discovery.unreadable(names), *discovery.outside(chosen, names), *shared_hooks(repository, places)]
    return Plan(chosen, tuple(changes), places, tuple(notes), commands(repository, changes))


def carry_out(repository: Repository, wanted: Plan) -> None:
    """Write what a plan says. Raises `BadInput` where a file changed meanwhile or cannot be written."""
    assert repository.top is not None
    for change in wanted.changes:
        place = repository.top / native(change.path)
        if read(place, change.path) != change.before:
            raise BadInput(f"{change.path} was changed meanwhile and is left alone.", "Run mfgit init again.")
        replace_file(place, change.after, change.path)
    if wanted.hooks:
        install.install(repository.git)


# ---- what is missing


def settings(repository: Repository, there: Config, roots: Sequence[RootPattern]) -> list[FileChange]:
    """Return the `mfgit.toml` to write, if there is none."""
    if there.configured:
        return []
    target = discovery.target_branch(repository)
    said = ", ".join(f"{root.path} ({root.layer})" for root in roots)
    return [
        FileChange(config.FILE_NAME, None, settings_file(target, roots).encode(), f"settings: target {target}, roots {said}")
    ]


def ignore_lines(repository: Repository, there: Config) -> list[FileChange]:
    """Return the `.gitignore` with the archive's folders, if Git does not ignore them yet."""
    top = repository.folder
    given = [folder for folder in (there.archive.chat, there.archive.sessions) if not config.is_url(folder)]
    folders = [relative for folder in given if (relative := inside(top, folder))]
    missing = [folder for folder in folders if not ignored(repository, folder)]
    lines = sorted({ignore_line(folder) for folder in missing})
    if not lines:
        return []
    before = read(top / ".gitignore", ".gitignore")
    newline = b"\r\n" if before and b"\r\n" in before else b"\n"
    start = before + newline if before and not before.endswith(b"\n") else before or b""
    added = newline.join([IGNORE_COMMENT.encode(), *map(str.encode, lines), b""])
    return [FileChange(".gitignore", before, start + added, f"ignores {', '.join(lines)}")]


def inside(top: Path, folder: str) -> str | None:
    """Return a folder relative to the top of the repository, None when it lies elsewhere."""
    relative = os.path.relpath(top / Path(folder).expanduser(), top)
    return None if relative.startswith("..") or relative == "." else Path(relative).as_posix()


def ignored(repository: Repository, folder: str) -> bool:
    """Tell whether Git ignores a folder, or else everything that may come to be in it."""
    if all_ignored(repository, [f"{folder}/"]):
        return True
    return all_ignored(repository, [f"{folder}/{name}" for name in PROBES])


def all_ignored(repository: Repository, paths: Sequence[str]) -> bool:
    """Tell whether Git ignores every one of some paths; a folder's ends in a slash."""
    asked = b"".join(encode(path) + b"\0" for path in paths)
    done = repository.git.run("check-ignore", "--no-index", "-z", "--stdin", stdin=asked, ok=(0, 1))
    return done.out.count(b"\0") == len(paths)


def ignore_line(folder: str) -> str:
    """Return the line that ignores an archive's folder; the default folders share one."""
    shared = "tmp/memoryforge"
    return f"/{shared}/" if folder.startswith(f"{shared}/") else f"/{folder}/"


def alias_files(
    repository: Repository, roots: Sequence[Root], names: Sequence[str], progress: Progress
) -> tuple[list[FileChange], list[str]]:
    """Return the `index.json` of each root with the entries it lacks, and notes on those that have no entries at all."""
    changes, notes = [], []
    owners = {name: layout.root_of(roots, name) for name in names}
    pages = [(name, root) for name, root in owners.items() if root]
    grouped: dict[Root, list[Page]] = {root: [] for root in roots}
    for done, (name, root) in enumerate(pages, 1):
        grouped[root].append(Page(root.relative(name) or name, title_of(repository, name)))
        progress("Reading titles", done, len(pages))
    for root, found in grouped.items():
        change = alias_file(repository, layout.aliases_path(root), found) if found else None
        if isinstance(change, str):
            notes.append(change)
        elif change:
            changes.append(change)
    return changes, notes


def alias_file(repository: Repository, path: str, pages: Sequence[Page]) -> FileChange | str | None:
    """Return the change of one `index.json`, a note when it has another shape, None when it is complete."""
    before = read(repository.folder / native(path), path)
    if before is None:
        return FileChange(path, None, entries.fresh(pages), f"new, lists {len(pages)} page(s), e.g. {min(pages).title!r}")
    shape = aliases.parse(before, path).shape
    if shape == "none":
        return (
            f'{path} has neither a list "docs" nor a map "aliases" and is left as it is; without one no alias can be proposed.'
        )
    after, count = entries.complete(before, pages, path)
    return FileChange(path, before, after, f"lists {count} page(s) more; all else stays") if count else None


def title_of(repository: Repository, name: str) -> str:
    """Return the title of a page from its first bytes."""
    from mfgit.tree import reading

    place = repository.folder / native(name)
    try:
        with place.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {error.strerror}.") from None
    passages = reading.passages(reading.Page(name, "", "original"), head).passages
    return passages[0].title if passages else Path(name).stem


# ---- writing


def read(place: Path, name: str) -> bytes | None:
    """Return the bytes of a file that may be replaced, None when it is not there."""
    try:
        if place.is_symlink():
            raise BadInput(f"{name} is a symbolic link, which mfgit does not write through.", "Make it a file.")
        return place.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {error.strerror}.") from None


def replace_file(place: Path, data: bytes, name: str) -> None:
    """Write a file whole or not at all, with the mode it had; what a killed run left beside it goes."""
    import tempfile

    try:
        mode = place.stat().st_mode & 0o777 if place.exists() else 0o666 & ~current_umask()
        place.parent.mkdir(parents=True, exist_ok=True)
        for left in place.parent.glob(f".{place.name}.*{TEMPORARY}"):
            left.unlink(missing_ok=True)
        handle, temporary = tempfile.mkstemp(TEMPORARY, f".{place.name}.", place.parent)
    except OSError as error:
        raise BadInput(f"{name} cannot be written: {error.strerror}.") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(place)
    except OSError as error:
        raise BadInput(
            f"{name} cannot be written: {error.strerror}; it is as it was.", "Run mfgit init again once that is mended."
        ) from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def current_umask() -> int:
    """Return the process's umask."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def hooks(repository: Repository) -> tuple[str, ...]:
    """Return the places of the guard's hooks that are still to be installed."""
    return install.missing(repository.git)


def shared_hooks(repository: Repository, places: Sequence[str]) -> list[str]:
    """Return a note about hooks that would be written outside of this repository."""
    folder = Path(places[0]).parent if places else repository.common
    if folder.is_relative_to(repository.common) or folder.is_relative_to(repository.folder):
        return []
    return [f"core.hooksPath is {folder}: other repositories that share it get the hooks too."]


def commands(repository: Repository, changes: Sequence[FileChange]) -> tuple[str, ...]:
    """Return the commands that commit the changes.

    Where the target is already guarded, files that people own need the trailer that records the edit.
    """
    import shlex

    if not changes:
        return ()
    guarded = repository.git.blob(f"{repository.target}:{config.FILE_NAME}") is not None
    protected = any(change.path != ".gitignore" for change in changes)
    trailer = ' --trailer "Original-Edit: set up mfgit"' if guarded and protected else ""
    names = " ".join(shlex.quote(change.path) for change in changes)
    return (f"git add -- {names}", f'git commit -m "Set up mfgit"{trailer}')
