"""The one place that runs `git`: a clean environment, bytes in, bytes out.

Standard library only, since the guard runs from a bare checkout. Every call is without replace refs, grafts, namespaces,
settings handed over by `git -c`, pagers and prompts; an inherited staging area or object directory (a hook has them) is kept,
and so is the name of another configuration file, where a person's identity may be.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import IO, NamedTuple

from mfgit.errors import BadInput, MfgitError

DIFF_FLAGS = (
    "-r",
    "--raw",
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=none",
    "--no-abbrev",
    "-O/dev/null",
)
DROPPED = (
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_KEY_",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_VALUE_",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_GRAFT_FILE",
    "GIT_NAMESPACE",
    "GIT_REPLACE_REF_BASE",
    "GIT_TRACE",
    "GIT_PAGER",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_ATTR_SOURCE",
)
LOCAL = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)
"""What names the repository that a caller is in (`git rev-parse --local-env-vars`)."""
FIXED = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": f"{os.devnull}/none",  # no such file: one that is there makes Git print advice about grafts
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ADVICE": "0",
    # English, and UTF-8 all the same: Python in a hook reads a path of its own environment in the locale's encoding
    "LC_ALL": "C.UTF-8",
    "LANGUAGE": "C",  # else some systems translate in every locale but C itself
}


class GitFailedError(MfgitError):
    """A `git` command that was expected to work did not; the message holds Git's own words."""


class Done(NamedTuple):
    """What a `git` command gave back."""

    code: int
    out: bytes
    err: bytes


class TreeEntry(NamedTuple):
    """One file of a tree: `mode` as Git writes it (`100644`), `kind` blob or commit, `oid` in hex, `path` in bytes."""

    mode: str
    kind: str
    oid: str
    path: bytes


class Blob(NamedTuple):
    """One object as `cat-file --batch` gives it; `data` is None when there is no such object."""

    oid: str
    kind: str
    data: bytes | None


def decode(data: bytes) -> str:
    """Return a name or other text of Git's: UTF-8 with all else surrogate-escaped, whatever the locale says."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return the bytes that `decode` was given."""
    return text.encode("utf-8", "surrogateescape")


def native(text: str) -> str:
    """Return a text of Git's as the operating system's functions take it, which is another one in some locales."""
    return text if text.isascii() else os.fsdecode(encode(text))


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for a `git` call: the caller's, less what could bend the answer."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}
    return {**kept, **trusted(os.environ), **FIXED, **{name: native(value) for name, value in (extra or {}).items()}}


def trusted(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the part of the settings handed over by a caller that only says whose repositories may be read.

    Git takes `safe.directory` from no repository; a container often sets it in this way.
    """
    count = environment.get("GIT_CONFIG_COUNT", "")
    most = int(count) if count.isascii() and count.isdigit() and len(count) < 5 else 0
    pairs = ((f"GIT_CONFIG_KEY_{n}", f"GIT_CONFIG_VALUE_{n}") for n in range(most))
    found = [environment.get(value, "") for key, value in pairs if environment.get(key, "").lower() == "safe.directory"]
    if not found:
        return {}
    keys = {f"GIT_CONFIG_KEY_{n}": "safe.directory" for n in range(len(found))}
    return {"GIT_CONFIG_COUNT": str(len(found)), **keys, **{f"GIT_CONFIG_VALUE_{n}": value for n, value in enumerate(found)}}


def refuse_strangers(said: bytes) -> None:
    """Raise `BadInput` where Git would not read a repository that belongs to someone else."""
    if b"dubious ownership" not in said:
        return
    import shlex

    place = decode(said).partition("'")[2].partition("'")[0]
    raise BadInput(
        f"Git does not read {place}, since it belongs to another user (dubious ownership).",
        f"If you trust it: git config --global --add safe.directory {shlex.quote(place)}",
    )


def not_started(folder: str) -> BadInput:
    """Return why `git` could not be started in a folder."""
    if not os.access(folder, os.F_OK):
        return BadInput(f"There is no folder {folder}.")
    if not os.path.isdir(folder):
        return BadInput(f"{folder} is not a folder.")
    return BadInput("mfgit needs the command git, which is not installed.", "Install Git 2.38 or newer.")


class Objects:
    """Asks one long-lived `git cat-file` about objects; used as a context manager.

    Names are ids or revisions such as `HEAD^{tree}` and `COMMIT:path`; one with a newline names nothing.
    """

    WINDOW = 200  # requests on their way: what they say fits into a pipe, so that neither side waits for the other

    def __init__(self, git: "Git") -> None:
        self.git = git
        try:
            self.process = subprocess.Popen(
                ["git", "cat-file", "--batch-command"],
                cwd=git.folder,
                env=git.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except (FileNotFoundError, NotADirectoryError):
            raise not_started(git.folder) from None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.sink, self.source = self.process.stdin, self.process.stdout

    def __enter__(self) -> "Objects":
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(BrokenPipeError), self.process:
            self.process.terminate()

    def ask(self, command: str, names: Iterable[str]) -> Iterator[Blob]:
        """Yield the answer to `info` or `contents` for each name, in order; of `info` the size stands in for the data."""
        waiting = list(names)
        for start in range(0, len(waiting), self.WINDOW):
            window = waiting[start : start + self.WINDOW]
            asked = [name for name in window if "\n" not in name]
            try:
                self.sink.write(encode("".join(f"{command} {name}\n" for name in asked)))
                self.sink.flush()
            except BrokenPipeError:
                raise self.ended("before it was asked") from None
            for name in window:
                yield self.answer(self.source, name, command) if "\n" not in name else Blob(name, "missing", None)

    def answer(self, source: IO[bytes], name: str, command: str) -> Blob:
        """Read one answer."""
        header = source.readline()
        if not header:
            raise self.ended(f"while it was asked about {name}")
        words = header.split()
        if not words[-1].isdigit():
            return Blob(name, "missing", None)
        if command == "info":
            return Blob(words[0].decode(), words[1].decode(), words[2])
        data = source.read(int(words[2]))
        source.read(1)
        return Blob(words[0].decode(), words[1].decode(), data)

    def ended(self, when: str) -> GitFailedError:
        """Return the error of a process that ended too soon; raises `BadInput` where Git says that it may not read here."""
        self.git.run("rev-parse", "--git-dir", ok=None)
        return GitFailedError(f"git cat-file ended {when}.")

    def commit(self, name: str) -> str | None:
        """Return the commit id that a revision names, None when it names none."""
        return self.id(f"{name}^{{commit}}") if name and not name.startswith("-") else None

    def id(self, name: str) -> str | None:
        """Return the id of the object that a revision names, None when it names none."""
        found = next(self.ask("info", [name]))
        return None if found.data is None else found.oid

    def content(self, name: str) -> bytes | None:
        """Return the bytes of the object that a revision names, None when it names none."""
        return next(self.ask("contents", [name])).data


class Git:
    """Runs `git` in one folder; `alone` leaves out what would lead it to the repository of the caller."""

    def __init__(self, folder: str | os.PathLike[str] = ".", *, alone: bool = False) -> None:
        self.folder = os.fspath(folder)
        self.alone = alone

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the environment of a call."""
        environment = clean_environment(extra)
        return {name: value for name, value in environment.items() if not self.alone or name not in LOCAL}

    def run(
        self,
        *args: str | bytes,
        stdin: bytes | None = None,
        ok: tuple[int, ...] | None = (0,),
        environment: Mapping[str, str] | None = None,
    ) -> Done:
        """Run `git ARGS`; `ok` lists the exit codes that count as done (None: all).

        Raises `GitFailedError` for another exit code, `BadInput` when there is no `git` or no such folder.
        """
        try:
            ran = subprocess.run(
                ["git", *(native(arg) if isinstance(arg, str) else arg for arg in args)],
                cwd=self.folder,
                env=self.environment(environment),
                input=stdin,
                stdin=subprocess.DEVNULL if stdin is None else None,
                capture_output=True,
                check=False,
            )
        except (FileNotFoundError, NotADirectoryError):
            raise not_started(self.folder) from None
        if ran.returncode == 128:
            refuse_strangers(ran.stderr)
        if ok is not None and ran.returncode not in ok:
            said = ran.stderr.decode("utf-8", "replace").strip() or f"exit code {ran.returncode}"
            shown = " ".join(arg if isinstance(arg, str) else decode(arg) for arg in args[:2])
            raise GitFailedError(f"git {shown} failed: {said}")
        return Done(ran.returncode, ran.stdout, ran.stderr)

    def out(self, *args: str | bytes, stdin: bytes | None = None, environment: Mapping[str, str] | None = None) -> bytes:
        """Return what `git ARGS` prints, as bytes."""
        return self.run(*args, stdin=stdin, environment=environment).out

    def line(self, *args: str | bytes, environment: Mapping[str, str] | None = None) -> str:
        """Return what `git ARGS` prints, decoded like a file name, without the final newline."""
        return decode(self.run(*args, environment=environment).out).removesuffix("\n")

    def path(self, *args: str | bytes) -> str:
        """Return a path on the disk that `git ARGS` prints, as the operating system's functions take it."""
        return native(self.line(*args))

    def commit_of(self, name: str) -> str | None:
        """Return the commit id that a revision names, None when it names none."""
        if not name or name.startswith("-"):
            return None
        done = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}", ok=None)
        return done.out.decode().strip() if done.code == 0 else None

    def tree(self, treeish: str, *paths: str) -> list[TreeEntry]:
        """Return every file of a tree, or of the folders named."""
        out = self.out("--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", treeish, *(["--", *paths] if paths else []))
        return [parse_entry(record) for record in out.split(b"\0") if record]

    def blobs(self, names: Iterable[str]) -> Iterator[Blob]:
        """Yield the objects named (ids, or `REV:path` without a newline), in order, through one `cat-file --batch`."""
        wanted = list(names)
        if not wanted:
            return
        out = self.out("cat-file", "--batch", stdin=encode("".join(f"{name}\n" for name in wanted)))
        at = 0
        for name in wanted:
            end = out.index(b"\n", at)
            header = out[at:end].split(b" ")
            if header[-1] in (b"missing", b"ambiguous"):
                yield Blob(name, "missing", None)
                at = end + 1
                continue
            size = int(header[-1])
            yield Blob(header[0].decode(), header[1].decode(), out[end + 1 : end + 1 + size])
            at = end + 1 + size + 1

    def blob(self, name: str) -> bytes | None:
        """Return the bytes of one object, None when there is no such object."""
        return next(self.blobs([name])).data


def parse_entry(record: bytes) -> TreeEntry:
    """Return one record of `ls-tree -z`."""
    meta, path = record.split(b"\t", 1)
    mode, kind, oid = meta.decode().split()
    return TreeEntry(mode, kind, oid, path)
