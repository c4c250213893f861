"""The catalogue of an index: a file that only grows, and that a kill at any byte leaves usable."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.index import catalogue
from mfgit.index.catalogue import HEAD, NAME, Catalogue, Placed

KEYS = st.text(st.characters(codec=None), max_size=8)


def placed(first: int, size: int = 1) -> Placed:
    return Placed(first, [[3] * size, [0] * size], [], {"0": "label\n["} if size else {})


def filled(folder: Path, *keys: str) -> Catalogue:
    """Return a catalogue of keys, each with one row."""
    catalogue.create(folder)
    Catalogue(folder).add({key: placed(number) for number, key in enumerate(keys)})
    return Catalogue(folder)


@given(st.lists(KEYS, unique=True, max_size=8), KEYS)
def test_every_key_is_found_and_no_other(tmp_path_factory: pytest.TempPathFactory, keys: list[str], other: str) -> None:
    folder = tmp_path_factory.mktemp("catalogue")
    found = filled(folder, *keys)
    for whole in (False, True):
        assert [found.find(key) for key in keys] == [placed(number) for number in range(len(keys))]
        assert other in keys or found.find(other) is None
        assert found.held == len(keys)
        assert not whole or list(found.all()) == keys
        found.all()


def test_what_is_added_is_there_at_once_and_for_the_next_reader(tmp_path: Path) -> None:
    for whole in (False, True):
        found = filled(tmp_path, "a", "b")
        if whole:
            found.all()
        found.add({"c": placed(2, 0), "d": placed(2, 4)})
        for each in (found, Catalogue(tmp_path)):
            assert each.find("c") == placed(2, 0)
            assert each.held == 6
            assert list(each.all()) == ["a", "b", "c", "d"]


def test_a_catalogue_that_was_cut_anywhere_holds_its_whole_lines_and_goes_on(tmp_path: Path) -> None:
    filled(tmp_path, "a", "b", "c")
    data = (tmp_path / NAME).read_bytes()
    for end in range(len(HEAD), len(data)):
        (tmp_path / NAME).write_bytes(data[:end])
        found = Catalogue(tmp_path)
        left = data[:end].count(b"\n") - 1
        assert [found.find(key) is not None for key in "abc"] == [number < left for number in range(3)]
        found.add({"new": placed(7)})
        assert list(Catalogue(tmp_path).all()) == [*"abc"[:left], "new"]


@pytest.mark.parametrize("data", [b"", b"garbage", HEAD[:-1], b'{"documents": {}}'])
def test_anything_else_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / NAME).write_bytes(data)
    with pytest.raises(ValueError, match="not a catalogue"):
        Catalogue(tmp_path)


def test_a_damaged_line_is_an_error_and_not_an_entry(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(HEAD + b'["a",\0\0\n')
    for ask in (lambda: Catalogue(tmp_path).find("a"), lambda: Catalogue(tmp_path).all(), lambda: Catalogue(tmp_path).held):
        with pytest.raises(json.JSONDecodeError):
            ask()


def test_a_catalogue_that_did_not_change_is_read_once(tmp_path: Path) -> None:
    filled(tmp_path, "a")
    first = catalogue.opened(tmp_path)
    assert catalogue.opened(tmp_path) is first
    Catalogue(tmp_path).add({"b": placed(1)})
    assert catalogue.opened(tmp_path).find("b") == placed(1)
