"""A chat archive that lies elsewhere, read through fsspec: `s3://`, `gs://`, `zip://`, `memory://`, … Never written to."""

import errno
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from typing import Any, BinaryIO, TypeVar, cast

from mfgit.archive import days
from mfgit.config import shown
from mfgit.errors import BadInput, not_installed

TRIES, PAUSE = 4, 0.5
"""How often something is read before it is given up, and seconds before the second try; each further wait is twice as long."""
IN_MEMORY = 1 << 25
"""Bytes of a day that are held in memory; a longer one goes to a temporary file without a name."""
FINAL = (FileNotFoundError, PermissionError, NotADirectoryError, IsADirectoryError, ImportError, MemoryError)
"""What does not get better by trying again."""

Got = TypeVar("Got")


@dataclass(frozen=True, slots=True)
class RemoteDay:
    """One day file elsewhere; `path` is its name inside the file system, `size` in bytes as it was listed.

    Nobody is in the middle of a line: what is fetched does not change any more.
    """

    system: Any
    path: PurePosixPath
    date: str
    size: int
    growing: bool = False

    def open(self) -> BinaryIO:
        """Fetch the file, as often as it takes, and open its plain bytes. Raises `OSError`."""
        fetched = again(self.fetched)
        return days.plain(self.path, fetched) if self.path.suffix == ".gz" else fetched

    def fetched(self) -> BinaryIO:
        """Return a copy of the file's bytes, in memory or in a temporary file that has no name."""
        with ExitStack() as unfinished:
            copy = cast("BinaryIO", unfinished.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY)))
            with self.system.open(str(self.path), "rb") as stream:
                shutil.copyfileobj(stream, copy, 1 << 20)
            copy.seek(0)
            unfinished.pop_all()
        return copy


class RemoteFolder:
    """The day files below a URL."""

    def __init__(self, url: str) -> None:
        """Take a URL as fsspec writes it. Raises `BadInput` when it, or what reads its kind, is not there."""
        self.name = shown(url)
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise not_installed(f"The archive {self.name} needs fsspec", "remote") from None
        try:
            self.system, self.root = url_to_fs(url, use_listings_cache=False)
        except Exception as error:  # each file system has errors of its own
            raise unreadable(self.name, error) from None

    def __str__(self) -> str:
        """Return the URL as it may be shown."""
        return self.name

    def day_files(self, first: date, last: date) -> list[RemoteDay]:
        """Return the day files from `first` to `last`, oldest first. Raises `BadInput` when they cannot be listed.

        A place that is not there is no empty archive: nobody names one without meaning another. Some file systems list
        nothing for it instead of saying so.
        """
        try:
            listed = again(lambda: self.system.ls(self.root, detail=True, refresh=True))
            there = bool(listed) or again(lambda: self.system.exists(self.root))
        except FileNotFoundError:
            there = False
        except OSError as error:
            raise unreadable(self.name, error) from None
        if not there:
            raise BadInput(
                f"The archive {self.name} is not there.",
                "Check [archive] chat (or CHAT_ARCHIVE_DIR): the path, and in a bundle the folder inside it.",
            )
        places = {PurePosixPath(str(each["name"])).name: each for each in listed if each.get("type") != "directory"}
        return [
            RemoteDay(self.system, PurePosixPath(str(places[name]["name"])), day, int(places[name].get("size") or 0))
            for name, day in days.of_days(places, first, last)
        ]


def again(read: Callable[[], Got]) -> Got:
    """Return what `read` returns, tried up to `TRIES` times; every failure is an `OSError` in the end."""
    for attempt in range(1, TRIES):
        try:
            return read()
        except FINAL as error:
            raise as_os_error(error) from None
        except Exception:  # each file system has errors of its own
            time.sleep(PAUSE * 2 ** (attempt - 1))
    try:
        return read()
    except Exception as error:
        raise as_os_error(error) from None


def as_os_error(error: BaseException) -> OSError:
    """Return an error as one that reading a file may raise."""
    return error if isinstance(error, OSError) else OSError(errno.EIO, first_line(error))


def unreadable(name: str, error: BaseException) -> BadInput:
    """Return that an archive cannot be read, and why."""
    return BadInput(
        f"The archive {name} cannot be read: {first_line(error)}.",
        "Check [archive] chat (or CHAT_ARCHIVE_DIR), and what the file system needs: its package and its credentials.",
    )


def first_line(error: BaseException) -> str:
    """Return an error in one short line, without a login."""
    text = (getattr(error, "strerror", None) or str(error)).strip()
    return shown((text.splitlines() or [type(error).__name__])[0])[:200].rstrip(".")
