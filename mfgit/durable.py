"""Files that are replaced in one step: readers, and whoever comes after a kill, find the old bytes or the new ones."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def replace(path: Path, parts: Iterable[bytes]) -> None:
    """Put bytes in the place of a file once they are on the disk. Raises `OSError`; then the old file stays."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with fresh.open("wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
