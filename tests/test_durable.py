"""Files replaced in one step: whole, or as they were when anything fails."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mfgit import durable


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    durable.replace(path, [b"one ", b"two"])
    durable.replace(path, (part for part in (b"three", b"")))
    assert path.read_bytes() == b"three"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def parts_that_fail() -> Iterator[bytes]:
    yield b"half"
    raise KeyboardInterrupt


@pytest.mark.parametrize("step", ["parts", "fsync", "replace"])
def test_whatever_fails_the_old_file_stays_alone(tmp_path: Path, step: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        if step != "parts":
            patch.setattr(*{"fsync": (os, "fsync", fails), "replace": (Path, "replace", fails)}[step])
        with pytest.raises((OSError, KeyboardInterrupt)):
            durable.replace(path, parts_that_fail() if step == "parts" else [b"new"])
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
