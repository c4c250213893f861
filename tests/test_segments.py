"""Whoosh's files read without Whoosh: what Whoosh itself reads in them, and Whoosh itself where they are not as known."""

import shutil
import subprocess
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from whoosh.codec.whoosh3 import W3Codec
from whoosh.columns import VarBytesColumn
from whoosh.filedb.filetables import OrderedHashWriter

from mfgit.index import postings, segments, shape, view
from mfgit.index.engines import stock
from mfgit.index.store import Store
from mfgit.text import tokens
from tests.test_engines import EXACT, WORDS, Tree, fill, folder_in_memory, hits, texts_of_a_tree

TREE: Tree = {f"{n:03}.md": f"alpha {WORDS[n % 6]} {WORDS[n % 4]}" for n in range(60)}
TERMS = tokens.query_terms("alpha beta gamma")


def same(place: Path, terms: list[str], total: int) -> None:
    """Compare all that can be asked of a folder's segments, by both ways to read it."""
    ours, theirs = segments.opened(place), stock.through_whoosh(place)
    assert [(leaf.size, base) for leaf, base in ours] == [(leaf.size, base) for leaf, base in theirs]
    for field in ("text", "title", "heading"):
        for term in terms:
            assert postings.read(ours, field, term) == postings.read(theirs, field, term)
            assert postings.count(ours, field, term) == postings.count(theirs, field, term)
            chosen = list(range(0, total, 3))
            assert postings.among(ours, field, term, chosen) == postings.among(theirs, field, term, chosen)
        for prefix in ("", "a", "gam", "发", "zz"):
            assert postings.starting(ours, field, prefix, 3) == postings.starting(theirs, field, prefix, 3)
    for (mine, _), (other, _) in zip(ours, theirs, strict=True):
        assert [mine.kept(number) for number in range(mine.size)] == [other.kept(number) for number in range(other.size)]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees=st.lists(texts_of_a_tree, min_size=1, max_size=4))
def test_what_is_read_is_what_whoosh_reads(monkeypatch: pytest.MonkeyPatch, trees: list[Tree]) -> None:
    """In random trees, over several segments, some of them merged, in small blocks; a term of no document too."""
    monkeypatch.setattr(stock, "BLOCK", 7)
    with folder_in_memory() as folder:
        for number, tree in enumerate(trees):
            found = fill(folder, tree, f"{number}", "whoosh")
        assert {type(leaf) for leaf, _ in found.leaves} == {segments.Segment}
        terms = [*tokens.query_terms(" ".join(WORDS)), "alphas", "\ud83d", "", "never"]
        same(Store(folder).current(), terms, found.total)


def test_where_there_are_many_documents_their_starts_are_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VarBytesColumn.Writer.__init__, "__defaults__", (True, 3))
    fill(tmp_path, TREE, "tree", "whoosh")
    column = next(Store(tmp_path).current().glob("*_stored.col")).read_bytes()
    assert column.endswith(b"X")
    same(Store(tmp_path).current(), TERMS, len(TREE))


def test_a_list_of_terms_as_long_as_whoosh_makes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a file gets large, the places of its terms are wide numbers."""
    made = OrderedHashWriter.__init__

    def wide(self: OrderedHashWriter, dbfile: object) -> None:
        made(self, dbfile)  # type: ignore[no-untyped-call]
        self.index.array = []

    monkeypatch.setattr(OrderedHashWriter, "__init__", wide)
    fill(tmp_path, TREE, "tree", "whoosh")
    same(Store(tmp_path).current(), TERMS, len(TREE))


def test_an_index_whose_rows_keep_nothing_has_nothing_to_show(tmp_path: Path) -> None:
    """As the archive's: no file of what is kept is asked for, and exact fields are looked up by their beginning."""
    place = tmp_path / "index"
    place.mkdir()
    engine = stock.ENGINE
    engine.create(place, EXACT)
    assert segments.opened(place) == []
    with engine.writing(place, EXACT) as writer:
        for number in range(3):
            writer.add(shape.Row({"text": ["alpha"] * (number + 1), "id": [f"r-{number}", "x"]}, ()))
    leaves = segments.opened(place)
    documents, weights = postings.read(leaves, "text", "alpha")
    assert (documents, weights) == ([0, 1, 2], array("f", [1, 2, 3]))
    assert postings.starting(leaves, "id", "r-", 2) == {"r-0", "r-1"}
    assert postings.read(leaves, "other", "alpha") == ([], array("f"))


CHANGES: dict[str, Callable[[Path], object]] = {
    "no list of segments": lambda place: (place / segments.NAME).unlink(),
    "a list cut short": lambda place: (place / segments.NAME).write_text("[["),
    "a list of segments that are gone": lambda place: (place / segments.NAME).write_text('[["MAIN_gone", 9]]'),
    "a list from before the last documents": lambda place: (place / segments.NAME).write_text("[]"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_is_not_as_known_is_for_whoosh_to_read(tmp_path: Path, change: Callable[[Path], object]) -> None:
    usual = hits(fill(tmp_path, TREE, "tree", "whoosh"), TERMS)
    change(Store(tmp_path).current())
    found = Store(tmp_path).open("tree")
    assert found is not None
    assert {type(leaf) for leaf, _ in found.leaves} == {stock.Leaf}
    assert hits(found, TERMS) == usual
    more = fill(tmp_path, {**TREE, "new.md": "alpha newest"}, "tree-2", "whoosh")
    assert {type(leaf) for leaf, _ in more.leaves} == {segments.Segment}
    assert [path for _, path in hits(more, ["newest"])] == ["new.md"]


@pytest.mark.parametrize(("name", "other"), [("TERMS", b"HSH4"), ("LIST", b"W4Bl"), ("WIDE", frozenset())])
def test_another_format_is_for_whoosh_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, other: object
) -> None:
    usual = hits(fill(tmp_path, TREE, "tree", "whoosh"), TERMS)
    monkeypatch.setattr(segments, name, other)
    found = Store(tmp_path).open("tree")
    assert found is not None
    assert {type(leaf) for leaf, _ in found.leaves} == {stock.Leaf}
    assert hits(found, TERMS) == usual


def test_a_list_in_compressed_blocks_is_for_whoosh_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Whoosh makes them unless it is told not to."""
    made: Any = W3Codec.__init__
    monkeypatch.setattr(W3Codec, "__init__", lambda self, **_: made(self))
    monkeypatch.setattr("whoosh.codec.whoosh3.COMPRESSION_MIN_SIZE", 0, raising=False)
    found = fill(tmp_path, TREE, "tree", "whoosh")
    assert {type(leaf) for leaf, _ in found.leaves} == {stock.Leaf}
    assert len(hits(found, TERMS)) == len(TREE)


def test_a_search_loads_nothing_of_whoosh(tmp_path: Path) -> None:
    """Its modules take longer to load than a search takes."""
    fill(tmp_path, TREE, "tree", "whoosh")
    program = """
import sys
from pathlib import Path
from typing import Any
from mfgit.index.store import Store
found = Store(Path(sys.argv[1])).open("tree")
assert [found.passage(scored.position).path for scored in found.search(["alpha"], 3)]
print(sorted(name for name in sys.modules if name.startswith("whoosh")))
"""
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_reader_goes_on_with_the_files_it_has_open(tmp_path: Path) -> None:
    found = fill(tmp_path, TREE, "tree", "whoosh")
    assert found.passage(0).path == "000.md"
    shutil.rmtree(tmp_path)
    assert len(hits(found, TERMS)) == len(TREE)
    assert found.view.kinds == bytes([view.ORIGINAL]) * len(TREE)
