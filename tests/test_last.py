"""The view of a tree made from the one before it: the same as one made from all entries, and its file whole or refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.index import last, view
from mfgit.index.catalogue import Placed
from mfgit.index.last import Last, Step, Steps
from mfgit.index.shape import PASSAGES
from mfgit.index.store import Entry, Plan, make_view

KINDS = st.sampled_from([view.ORIGINAL, view.ORIGINAL, view.OVERLAY, view.STALE])
SIZES = st.lists(st.tuples(st.integers(0, 3), KINDS), max_size=12)


def known(keys: "list[str]") -> dict[str, Placed]:
    """Return where the rows of entries are whose keys are `name size`."""
    found, first = {}, 0
    for number, key in enumerate(dict.fromkeys(keys)):
        size = int(key.split()[1])
        found[key] = Placed(first, [[number + row + field for row in range(size)] for field in range(3)], [], {})
        first += size
    return found


@given(SIZES, SIZES, st.data())
def test_following_gives_what_making_anew_gives(
    before: list[tuple[int, int]], new: list[tuple[int, int]], data: st.DataObject
) -> None:
    old = [Entry(f"old{number} {size}", kind) for number, (size, kind) in enumerate(before)]
    after = list(old)
    steps: list[Step] = []
    places = sorted((data.draw(st.integers(0, len(old))) for _ in new), reverse=True)
    taken: set[int] = set()
    for number, (at, (size, kind)) in enumerate(zip(places, new, strict=True)):
        out = at < len(old) and at not in taken and data.draw(st.booleans())
        put = None if out and data.draw(st.booleans()) else Entry(f"new{number} {size}", kind)
        if at in taken:
            out = False
        taken.add(at)
        after[at : at + out] = [put] if put else []
        steps.insert(0, Step(at, out, put.key if put else None, kind))
    placed = known([entry.key for entry in (*old, *after)])
    shown, kept = make_view(PASSAGES, Plan("old", old, ("note",)), placed)
    found = last.follow(kept, shown, "new", Steps(steps, b"origin"), placed.get)
    anew = make_view(PASSAGES, Plan("new", after, ("note",), b"origin"), placed)
    assert view.dump(found[0]) == view.dump(anew[0])
    assert last.dump(found[1]) == last.dump(anew[1])


def test_an_entry_that_the_catalogue_does_not_hold_is_an_error() -> None:
    shown, kept = make_view(PASSAGES, Plan("old", []), {})
    with pytest.raises(KeyError, match="gone"):
        last.follow(kept, shown, "new", Steps([Step(0, False, "gone")], b""), known([]).get)


def test_the_file_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    data = last.dump(Last("key", [1, 0, 2], [[3, 4, 5], [1, 1, 1]], b"paths\0and more"))
    (tmp_path / last.NAME).write_bytes(data)
    found = last.read(tmp_path)
    assert (found.key, list(found.sizes), [list(field) for field in found.lengths]) == (
        "key",
        [1, 0, 2],
        [[3, 4, 5], [1, 1, 1]],
    )
    assert found.origin == b"paths\0and more"
    for end in range(len(data)):
        (tmp_path / last.NAME).write_bytes(data[:end])
        with pytest.raises(ValueError, match="not whole"):
            last.read(tmp_path)
