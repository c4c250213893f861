"""What goes of indexes on disk: folders in use before, views of old trees, and all of it where people are forgotten."""

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from mfgit.errors import MfgitError
from mfgit.index import engine

KEEPER = "engine"
"""The file of an index's folder that names what keeps it."""


STATED = re.compile(r"[^-]+-(\d{1,6})(?:-.+)?", re.ASCII)


def format_of(path: Path) -> int:
    """Return the format that a folder `index-FORMAT-…` or a pointer `NAME-FORMAT` states, 0 from before names did."""
    stated = STATED.fullmatch(path.name)
    return int(stated[1]) if stated else 0


def older(paths: Iterable[Path], than: int) -> list[Path]:
    """Return the folders or pointers of a format before `than`, in order; half-written files are none."""
    return [path for path in sorted(paths) if path.name[0] != "." and format_of(path) < than]


def remove(*places: Path) -> None:
    """Remove folders: those that were in use before, that a kill left, or that could not be filled."""
    import shutil

    for place in places:
        with suppress(OSError, MfgitError):
            drop(place)
        shutil.rmtree(place, ignore_errors=True)


def drop(place: Path) -> None:
    """Remove what a folder's engine keeps elsewhere; raises `OSError`, and `MfgitError` where that is out of reach."""
    kept_by = (place / KEEPER).read_text("ascii", "replace")  # damaged, it names no engine
    if kept_by != engine.DEFAULT and kept_by in engine.ENGINES:
        engine.engine(kept_by).drop(place)


def erase(folder: Path) -> None:
    """Remove all indexes below a folder, and what their engines keep elsewhere; raises `MfgitError` where that fails."""
    import shutil

    if folder.is_symlink():  # what it leads to is not ours
        with suppress(OSError):
            folder.unlink()
        return
    for keeper in folder.glob(f"*/index-*/{KEEPER}"):
        with suppress(OSError):
            drop(keeper.parent)
    shutil.rmtree(folder, ignore_errors=True)


def drop_old_views(folder: Path, most: int) -> None:
    """Remove the views that were made longest ago, beyond a number that is kept."""
    views = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in views[most:]:
        path.unlink(missing_ok=True)
