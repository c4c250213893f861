"""Files that are replaced in one step: readers, and whoever comes after a kill, find the old bytes or the new ones."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def replace(path: Path, parts: Iterable[bytes], *, private: bool = False) -> None:
    """Put bytes in the place of a file once they are on the disk; a `private` one only its owner may read.

    Several at once do not disturb each other: the last one wins. Raises `OSError`; then the old file stays.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.new")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(fresh, flags, 0o600 if private else 0o666), "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
