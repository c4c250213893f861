"""What the tests of packages share: the files that Git tracks, and what a release builds from them."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).parent.parent


class Built(NamedTuple):
    """A source distribution, the wheel that it builds, and the wheel that the tree builds."""

    source: Path
    wheel: Path
    from_tree: Path


def tracked(folder: str) -> set[str]:
    """Return the files below a folder that Git tracks and that are there."""
    out = subprocess.run(["git", "ls-files", "-z", folder], cwd=TOP, capture_output=True, check=True).stdout
    return {name for name in os.fsdecode(out).split("\0") if name and (TOP / name).is_file()}


def build(folder: Path) -> Built:
    """Build from a copy of what Git tracks, as a release does: the source first, and from it the wheel."""
    tree, unpacked = folder / "tree", folder / "unpacked"
    for name in tracked("."):
        place = tree / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes((TOP / name).read_bytes())
        place.chmod((TOP / name).stat().st_mode)
    hatchling(tree, folder / "dist", "--target", "sdist")
    hatchling(tree, folder / "other", "--target", "wheel")
    source = next((folder / "dist").iterdir())
    with tarfile.open(source) as archive:
        archive.extractall(unpacked, filter="data")
    hatchling(next(unpacked.iterdir()), folder / "dist", "--target", "wheel")
    return Built(source, next((folder / "dist").glob("*.whl")), next((folder / "other").iterdir()))


def hatchling(tree: Path, out: Path, *options: str) -> None:
    """Build what `options` name."""
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(out), *options]
    ran = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
