"""Session files: `<sessions>/sessions/YYYY-MM/ID.json`, or the same with `.gz` once retention has compressed it.

Reading never writes and needs no lock, since a file is only ever replaced as a whole.
"""

import errno
import fcntl
import glob
import gzip
import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from mfgit.archive.dayfile import private, sync_folder
from mfgit.archive.reading import Problem
from mfgit.archive.store import HINTS, hide, make_folder
from mfgit.errors import BadInput
from mfgit.model import read_json
from mfgit.session import TRACE, Session

PLAIN_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,119}", re.ASCII)
"""Session ids that are names of files as they are."""
ODD_NAME = "session~"
"""What the names of files begin with whose session id is none."""
DEVICES = re.compile(r"(?i:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.ASCII)
"""Names that are no files on Windows."""
HASH = re.compile(r"[0-9a-f]{16}")
MONTH = re.compile(r"\d{4}-\d\d", re.ASCII)
ENDINGS = (".json", ".json.gz")
LOCK = ".lock"
STALE = ".index.stale"
"""There while the catalogue may be behind the files."""


class SessionFile(NamedTuple):
    """A file of a session: `key` is its place below `sessions/`."""

    path: Path
    key: str


class Prepared(NamedTuple):
    """A session's file under its other name, where it will be, and where it was."""

    fresh: Path
    path: Path
    old: Path | None


def synced(path: Path) -> None:
    """Return once a file's bytes are on the disk."""
    with path.open("rb") as stream:
        os.fsync(stream.fileno())


def file_name(session_id: str) -> str:
    """Return the name of a session's file without its ending: the id, or for odd ids a hash, with nothing of the id in it."""
    if PLAIN_NAME.fullmatch(session_id) and not session_id.endswith(ENDINGS) and not DEVICES.fullmatch(session_id):
        return session_id
    return f"{ODD_NAME}{hashed(session_id)}"


def hashed(session_id: str) -> str:
    """Return 16 hex digits that stand for a session id."""
    return hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def earlier_names(session_id: str) -> list[str]:
    """Return the names that earlier versions gave a session's file where its id is none: there was some of the id in it."""
    if not file_name(session_id).startswith(ODD_NAME):
        return []
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", session_id).strip("-")[:80]
    return [f"{plain or 'session'}~{hashed(session_id)[:12]}"]


def could_name(name: str) -> bool:
    """Tell whether a file of this name may be a session's by today's rules; without a look into it, nobody knows which."""
    plain, tilde, rest = name.removesuffix(".gz").removesuffix(".json").rpartition("~")
    if not tilde:
        return file_name(rest) == rest
    return bool(HASH.fullmatch(rest)) and (f"{plain}~" == ODD_NAME or file_name(plain) == plain or could_name(plain))


def twin_name(session_id: str) -> str:
    """Return the name of a session's file where the id's own is taken by one that differs in upper and lower case only."""
    return f"{file_name(session_id)}~{hashed(session_id)}"


def plain_part(name: str) -> str:
    """Return a file's name without its ending, as disks compare it that do not tell upper from lower case."""
    return name.removesuffix(".gz").removesuffix(".json").casefold()


class SessionStore:
    """The session archive in a folder. `problems` collects the files that could not be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sessions = folder / "sessions"
        self.problems: list[Problem] = []
        self.taken: dict[str, dict[str, set[str]]] = {}

    # ---- reading

    def months(self) -> list[str]:
        """Return the names of the month folders, oldest first; raises `BadInput` when the folder cannot be listed."""
        try:
            return sorted(path.name for path in self.sessions.iterdir() if MONTH.fullmatch(path.name))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise BadInput(f"The session folder {self.sessions} cannot be read: {error.strerror}.") from None

    def files(self) -> Iterator[SessionFile]:
        """Yield the file of every session, oldest month first; the plain one where there are two."""
        for month in self.months():
            with os.scandir(self.sessions / month) as entries:
                found = {entry.name for entry in entries if entry.name.endswith(ENDINGS) and entry.name[0] != "."}
            for name in sorted(found):
                if name.endswith(".gz") and name.removesuffix(".gz") in found:
                    continue
                yield SessionFile(self.sessions / month / name, f"{month}/{name}")

    def all(self) -> Iterator[Session]:
        """Yield every session, oldest month first; those that cannot be read go to `problems`."""
        for file in self.files():
            if (session := self.load(file.path)) is not None:
                yield session

    def read(self, session_id: str) -> Session | None:
        """Return a session by its whole id, None when there is none; raises `BadInput` when its file cannot be read."""
        path = self.path_of(session_id)
        return None if path is None else read_session(path)

    def find(self, prefix: str) -> list[str]:
        """Return the ids that begin with a prefix, in order; the id itself alone when there is one."""
        if self.path_of(prefix) is not None:
            return [prefix]
        near = (self.load(file.path) for file in self.files() if file.path.name.startswith((prefix, ODD_NAME)))
        return sorted(session.session_id for session in near if session and session.session_id.startswith(prefix))

    def load(self, path: Path) -> Session | None:
        """Return the session of a file; None, and a problem more, when it cannot be read."""
        try:
            return read_session(path)
        except BadInput as error:
            self.problems.append(Problem(f"{path.parent.name}/{path.name}", 0, "cannot be read", error.message))
            return None

    def path_of(self, session_id: str) -> Path | None:
        """Return the file of a session, None when there is none."""
        own = (file_name(session_id), twin_name(session_id), *earlier_names(session_id))
        names = [f"{name}{ending}" for name in own for ending in ENDINGS]
        for month in reversed(self.months()):
            for name in names:
                path = self.sessions / month / name
                if path.is_file() and not self.is_of_twin(path, session_id):
                    return path
        return None

    @staticmethod
    def is_of_twin(path: Path, session_id: str) -> bool:
        """Tell whether a file is another session's, found because the disk does not tell upper from lower case."""
        if not path.with_name(path.name.swapcase()).exists():
            return False
        try:
            return read_session(path).session_id != session_id
        except BadInput:
            return False

    # ---- writing

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock that every mfgit on this machine takes before it writes sessions."""
        with self.trouble():
            hide(self.folder, make_folder(self.folder))
            make_folder(self.sessions)
            lock = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o660)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    @contextmanager
    def trouble(self) -> Iterator[None]:
        """Turn a failure of the disk into a sentence."""
        try:
            yield
        except OSError as error:
            hint = HINTS.get(error.errno or 0, "Check its permissions and mount, or set archive.sessions in mfgit.toml.")
            raise BadInput(f"The session folder {self.folder} cannot be written: {error.strerror or error}.", hint) from None

    def put(self, session: Session) -> Path:
        """Write a session's file, durably; the lock is held. Return where it is. Raises `OSError`."""
        return self.put_all([session])[0]

    def put_all(self, sessions: Sequence[Session]) -> list[Path]:
        """Write the files of different sessions, durably; the lock is held. Raises `OSError`; then some may not be written.

        All are written before any is waited for, and waited for at once: that is many times faster than one by one.
        """
        from concurrent.futures import ThreadPoolExecutor

        self.taken.clear()
        files = [self.prepared(session) for session in sessions]
        try:
            with ThreadPoolExecutor(min(16, max(1, len(files)))) as pool:
                list(pool.map(synced, [file.fresh for file in files]))
            for file in files:
                file.fresh.replace(file.path)
            for month in sorted({file.path.parent for file in files}):
                sync_folder(month)
        except OSError:
            for file in files:
                file.fresh.unlink(missing_ok=True)
            raise
        for file in files:
            if file.old and file.old != file.path:
                file.old.unlink()
        return [file.path for file in files]

    def prepared(self, session: Session) -> Prepared:
        """Write a session's file under another name, not durably yet."""
        old = self.path_of(session.session_id)
        month = old.parent if old else self.sessions / session.date[:7]
        if not month.is_dir():
            make_folder(month)
        data = json.dumps(session.to_json(), ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"
        compressed = session.state == TRACE
        path = month / (self.name_in(month, session.session_id, old) + ENDINGS[compressed])
        fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
        try:
            with open(fresh, "wb", opener=private) as stream:
                stream.write(gzip.compress(data, 6, mtime=0) if compressed else data)
        except OSError:
            fresh.unlink(missing_ok=True)
            raise
        return Prepared(fresh, path, old)

    def name_in(self, month: Path, session_id: str, old: Path | None) -> str:
        """Return the name of a session's file in a month: the one it has, else its own, else with a hash behind it.

        The last keeps `A` and `a` apart, also where the archive is copied to a disk that takes them for one.
        """
        if old is not None and plain_part(old.name) in (file_name(session_id).casefold(), twin_name(session_id).casefold()):
            return old.name.removesuffix(".gz").removesuffix(".json")
        name = file_name(session_id)
        taken = self.names_in(month)
        here = taken.setdefault(name.casefold(), set())
        if here - {name}:
            return twin_name(session_id)
        here.add(name)
        return name

    def names_in(self, month: Path) -> dict[str, set[str]]:
        """Return the names that are taken in a month, by their form on a disk that does not tell upper from lower case."""
        if month.name not in self.taken:
            found: dict[str, set[str]] = {}
            for name in (path.name for path in month.iterdir()):
                if name.endswith(ENDINGS) and not name.startswith("."):
                    found.setdefault(plain_part(name), set()).add(name.removesuffix(".gz").removesuffix(".json"))
            self.taken[month.name] = found
        return self.taken[month.name]

    def tidy(self) -> None:
        """Delete what a killed run left half-written; the lock is held."""
        for folder in (self.folder, *(self.sessions / month for month in self.months())):
            for path in folder.glob(".*.new"):
                path.unlink(missing_ok=True)

    def remove(self, session_id: str) -> Path | None:
        """Delete a session's file; the lock is held. Return where it was. Raises `OSError`."""
        path = self.path_of(session_id)
        while (found := self.path_of(session_id)) is not None:
            found.unlink()
            sync_folder(found.parent)
        return path


def read_session(path: Path) -> Session:
    """Return the session of a file; raises `BadInput` that names it and does not show what it holds."""
    return Session.from_json(read_value(path), path.name)


def read_value(path: Path) -> Any:
    """Return the JSON of a session file; raises `BadInput`."""
    try:
        data = path.read_bytes()
        return read_json(gzip.decompress(data) if path.suffix == ".gz" else data, path.name)
    except (OSError, EOFError, zlib.error) as error:
        raise BadInput(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    except ValueError:
        raise BadInput(f"{path.name} is not usable JSON.") from None


def replace_file(path: Path, data: bytes) -> None:
    """Write a file as a whole: beside it, synced, then put in its place. Raises `OSError`; then the old one stays.

    A lock is held, so what lies there under such a name was left by a run that was killed.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        for left in path.parent.glob(f".{glob.escape(path.name)}.*.new"):
            left.unlink(missing_ok=True)
        with open(fresh, "wb", opener=private) as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        if error.errno == errno.ENAMETOOLONG:
            raise OSError(errno.ENAMETOOLONG, f"{path.name[:40]}… is too long a name") from None
        raise
