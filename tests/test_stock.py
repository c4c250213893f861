"""Ranking a term at a time over Whoosh's files: what Whoosh's own search finds, with its scores, on every Whoosh there is."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from whoosh import scoring
from whoosh.query.compound import Or
from whoosh.query.terms import Term

from mfgit.index import pool, postings, segments, view
from mfgit.index.engines import stock
from mfgit.index.searcher import Searcher
from mfgit.index.store import Store
from mfgit.text import tokens
from tests.test_engines import WORDS, Tree, fill, folder_in_memory, hits, texts_of_a_tree


class Exact(scoring.WeightingModel):
    """BM25 by the lengths and frequencies of a view, for Whoosh's own search, which would round lengths to a byte."""

    def __init__(self, found: Searcher) -> None:
        self.found = found

    def scorer(self, searcher: Any, fieldname: str, text: Any, qf: int = 1) -> "ExactScorer":
        whole = searcher.get_parent()
        start = next((offset for leaf, offset in whole.leaf_searchers() if leaf is searcher), 0)
        return ExactScorer(self.found, fieldname, text.decode("utf-8", "surrogatepass"), start)


class ExactScorer(scoring.BaseScorer):
    def __init__(self, found: Searcher, field: str, term: str, start: int) -> None:
        self.start = start
        self.factor = found.boosts[field] * found.idf(term) * (view.K1 + 1)
        self.norms = found.view.norms[list(found.boosts).index(field)]
        self.places = range(found.total) if found.places is None else found.places

    def supports_block_quality(self) -> bool:
        return False

    def score(self, matcher: Any) -> float:
        weight, place = matcher.weight(), self.places[self.start + matcher.id()]
        return float(self.factor * weight / (weight + self.norms[place])) if place >= 0 else 0.0


def stock_search(folder: Path, found: Searcher, terms: Sequence[str]) -> list[tuple[float, str]]:
    """Return (score, path) by Whoosh's own search of the whole index, filtered to the documents of the view."""
    index = stock.storage(Store(folder).current()).open_index()
    query = Or([Term(field, term.encode("utf-8", "surrogatepass")) for term in terms for field in found.boosts])
    with index.searcher(weighting=Exact(found)) as whoosh:
        every = whoosh.search(query, limit=None, filter=set(found.view.documents))
        places = {document: place for place, document in enumerate(found.view.documents)}
        ranked = sorted((-hit.score, places[hit.docnum]) for hit in every)
    return [(round(-score, 9), found.passage(place).path) for score, place in ranked]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees=st.lists(texts_of_a_tree, min_size=1, max_size=4), asked=st.lists(st.sampled_from(WORDS), min_size=1))
def test_a_term_at_a_time_is_whoosh_s_own_search(monkeypatch: pytest.MonkeyPatch, trees: list[Tree], asked: list[str]) -> None:
    """In documents and scores: in random trees, over several segments, after documents went away, with small blocks."""
    monkeypatch.setattr(stock, "BLOCK", 7)
    terms = tokens.query_terms(" ".join(asked))
    with folder_in_memory() as folder:
        for number, tree in enumerate(trees):
            found = fill(folder, tree, f"{number}", "whoosh")
        expected = stock_search(folder, found, [term for term, _ in found.rarest(terms)])
        assert hits(found, terms) == expected
        for limit in (1, 3):
            few = hits(found, terms, limit)
            assert [score for score, _ in few] == [score for score, _ in expected[:limit]]
            assert set(few) <= set(expected)


class Public:
    """An object of Whoosh without its private names, as another release may have others."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.whole, name)


def test_without_whoosh_s_private_names_all_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written and read by what every Whoosh has for all to use, an index gives the same."""
    trees = [{f"{n:03}.md": " ".join(WORDS[n % k] for k in range(1, 9)) for n in range(90 * part)} for part in (1, 2)]
    terms = tokens.query_terms(" ".join(WORDS))
    for number, tree in enumerate(trees):
        usual = fill(tmp_path / "usual", tree, f"{number}", "whoosh")
    write = pool.Pool.write
    monkeypatch.setattr(pool.Pool, "write", lambda self, writer, *lists: write(self, Public(writer), *lists))
    monkeypatch.setattr(segments, "opened", lambda place: 1 / 0)
    for number, tree in enumerate(trees):
        public = fill(tmp_path / "public", tree, f"{number}", "whoosh")
    assert {type(leaf) for leaf, _ in public.leaves} == {stock.Leaf}
    assert hits(public, terms) == hits(usual, terms)
    for term in terms:
        assert public.held(term, range(0, 180, 7)) == usual.held(term, range(0, 180, 7))
        assert postings.among(public.leaves, "text", term, [0, 5, 100]) == {
            place: weight for place, weight in usual.postings("text", term).items() if place in (0, 5, 100)
        }


@pytest.mark.slow
def test_the_index_works_on_the_last_whoosh_too(tmp_path: Path) -> None:
    """Whoosh 2.7.4, in an environment of its own that sees the packages of this one."""
    place = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "virtualenv", "--quiet", str(place)], check=True)
    python = str(place / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "Whoosh==2.7.4"], check=True)
    site = next((place / "lib").glob("python*/site-packages"))
    for entry in Path(pytest.__file__).parent.parent.iterdir():
        if not entry.name.lower().startswith("whoosh") and not (site / entry.name).exists():
            (site / entry.name).symlink_to(entry)
    options = ["-q", "-m", "not slow", "-p", "no:cacheprovider", "-W", "ignore::SyntaxWarning"]
    command = [python, "-m", "pytest", *options, "tests/test_stock.py", "tests/test_segments.py"]
    done = subprocess.run(command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    shutil.rmtree(place)
