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


@pytest.mark.parametrize(("private", "mode"), [(False, 0o644), (True, 0o600)], ids=["plain", "private"])
def test_a_private_file_is_its_owners_alone_from_the_start(tmp_path: Path, private: bool, mode: int) -> None:
    path, before = tmp_path / "file", os.umask(0o022)

    def parts() -> Iterator[bytes]:
        [fresh] = tmp_path.iterdir()
        assert fresh.stat().st_mode & 0o777 == mode
        yield b"text"

    try:
        durable.replace(path, parts(), private=private)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == mode


def test_two_at_once_do_not_take_each_others_half(tmp_path: Path) -> None:
    path = tmp_path / "file"

    def parts() -> Iterator[bytes]:
        yield b"first"
        durable.replace(path, [b"second"])

    durable.replace(path, parts())
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


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
