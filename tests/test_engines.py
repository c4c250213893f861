"""Every search engine answers as the default does: the same documents with the same scores, whatever it keeps them in."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mfgit import config
from mfgit.config import ENGINE_VARIABLE
from mfgit.errors import BadInput
from mfgit.index import cluster, engine, leading, ranked, view
from mfgit.index.searcher import Damaged, Searcher
from mfgit.index.shape import Row, Shape
from mfgit.index.store import Entry, Store
from mfgit.model import Passage
from mfgit.project import Project, fetching, recalling
from mfgit.text import tokens
from tests.builders import Workbench
from tests.opensearch import BUSY, Fault, Server, serving
from tests.searching import PAGES

ENGINES = sorted(engine.ENGINES)
OTHERS = [name for name in ENGINES if name != engine.DEFAULT]
WORDS = ["alpha", "beta", "gamma", "delta", "omega", "sigma", "发票", "抬头", "snake_case", "\ud83d x"]
REAL = {name: value for name, value in os.environ.items() if name.startswith("MFGIT_OPENSEARCH_")}
EXACT = Shape(lambda row: row, {"text": 1.0}, exact=("id",), stock=False)
TURN = json.dumps(
    {
        "timestamp": "2026-01-02T03:04:05+00:00", "date": "2026-01-02", "request_id": "r-1", "session_id": "s-1",
        "user_message": "Where is the lid of the teapot?", "assistant_message": "Beside the kettle.", "help_mode": True,
    }
) + "\n"  # fmt: skip
Tree = dict[str, str]


def passage(path: str, text: str) -> Passage:
    return Passage(path, text.split(" ", maxsplit=1)[0], text[:9], ("up",), (1, 1), text, "original", "1" * 40, ("an alias",))


def fill(folder: Path, texts: Tree, key: str, kept_by: str, kinds: dict[str, int] | None = None) -> Searcher:
    """Return the searcher of a tree of one-passage documents, kept by an engine."""
    entries = [Entry(f"{path}={text}", (kinds or {}).get(path, view.ORIGINAL)) for path, text in sorted(texts.items())]

    def load(missing: Sequence[Entry]) -> list[tuple[Entry, list[Passage]]]:
        return [(entry, [passage(*entry.key.split("=", 1))]) for entry in missing]

    return Store(folder, kept_by=kept_by).update(key, entries, load, ())


def hits(found: Searcher, terms: Sequence[str], limit: int = 1000, wanted: bytes | None = None) -> list[tuple[float, str]]:
    return [(round(s.score, 9), found.passage(s.position).path) for s in found.search(terms, limit, wanted)]


@pytest.fixture
def search_cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that answers as a cluster does, and can be looked into."""
    with serving() as server:
        monkeypatch.setenv(cluster.URL, server.url)
        yield server


@pytest.fixture(autouse=True)
def some_cluster(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster for the engine that needs one: the one that MFGIT_OPENSEARCH_URL names, else such a server."""
    if REAL.get(cluster.URL) and "search_cluster" not in request.fixturenames:
        for name, value in REAL.items():
            monkeypatch.setenv(name, value)
    else:
        request.getfixturevalue("search_cluster")


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """Yield a folder that no disk slows down, where there is one: an example writes many files and waits for each."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder)


texts_of_a_tree = st.dictionaries(
    st.integers(0, 60).map(lambda number: f"{number:02}.md"),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=90).map(" ".join),
    min_size=1,
    max_size=40,
)


@pytest.mark.parametrize("kept_by", OTHERS)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    trees=st.lists(texts_of_a_tree, min_size=1, max_size=3),
    asked=st.lists(st.sampled_from(WORDS), min_size=1),
    limit=st.integers(1, 9),
    data=st.data(),
)
def test_every_engine_finds_what_the_default_finds(
    monkeypatch: pytest.MonkeyPatch, kept_by: str, trees: list[Tree], asked: list[str], limit: int, data: st.DataObject
) -> None:
    """After trees with other documents, with overlays among them, for all documents and for some."""
    monkeypatch.setattr(ranked, "FEWEST", 2)
    monkeypatch.setattr(ranked, "DIRECT", data.draw(st.sampled_from([0, 200])))
    terms = tokens.query_terms(" ".join(asked))
    kinds = {path: data.draw(st.sampled_from([0, 0, 0, 1, 2])) for path in trees[-1]}
    with folder_in_memory() as folder:
        for number, tree in enumerate(trees):
            mine, theirs = (fill(folder / name, tree, f"{number}", name, kinds) for name in (kept_by, engine.DEFAULT))
        assert hits(mine, terms) == hits(theirs, terms)
        assert hits(mine, terms, limit) == hits(theirs, terms, limit)
        some = mine.mask((view.ORIGINAL,))
        assert hits(mine, terms, limit, some) == hits(theirs, terms, limit, some)
        for term in terms:
            assert (mine.frequency(term), mine.idf(term)) == (theirs.frequency(term), theirs.idf(term))
            assert list(mine.holders("text", term)) == sorted(theirs.holders("text", term))
            assert dict(mine.postings("text", term)) == dict(theirs.postings("text", term))
        led, expected = (leading.lead(each, terms, each.search(terms, 9)) for each in (mine, theirs))
        assert led.taken == expected.taken


def lose(keeper: engine.SearchEngine, place: Path) -> None:
    """Write a document and fail before the end."""
    with keeper.writing(place, EXACT) as writer:
        writer.add(Row({"text": ["alpha"], "id": ["lost"]}, ()))
        raise KeyError


@pytest.mark.parametrize("kept_by", ENGINES)
def test_every_engine_starts_empty_and_keeps_numbers(tmp_path: Path, kept_by: str) -> None:
    """Members of the protocol one by one: nothing is there before it was written, numbers go on, what is kept comes back."""
    keeper = engine.engine(kept_by)
    place = tmp_path / "index-1"
    place.mkdir()
    keeper.create(place, EXACT)
    empty = view.make([], [], b"", [[]], ())
    found = keeper.open(place, empty, EXACT)
    assert found is not None
    assert (found.search(["alpha"], 5), found.frequency("alpha"), found.has("alpha")) == ([], 0, False)
    for start in (0, 2):
        with keeper.writing(place, EXACT) as writer:
            assert writer.total == start
            for number in (start, start + 1):
                writer.add(
                    Row({"text": ["alpha"] * (number + 1), "id": [f"id {number}"]}, (f"kept {number}", (1, None, "\ud83d")))
                )
    with pytest.raises(KeyError):
        lose(keeper, place)
    keeper.settle(place)
    assert keeper.open(place, view.make(range(9), [0], bytes(9), [[1] * 9], ()), EXACT) is None
    found = keeper.open(place, view.make(range(4), [0, 1, 2, 3], bytes(4), [[1, 2, 3, 4]], ()), EXACT)
    assert found is not None
    assert [found.details(place) for place in range(4)] == [(f"kept {n}", (1, None, "\ud83d")) for n in range(4)]
    assert (found.frequency("alpha"), list(found.holders("text", "alpha"))) == (4, [0, 1, 2, 3])
    assert dict(found.held("alpha", [1, 3])) == {1: 2.0, 3: 4.0}
    assert (found.starting("id", "id ", 9), found.starting("id", "lost", 9)) == ([f"id {n}" for n in range(4)], [])
    assert list(found.holders("id", "id 2")) == [2]
    keeper.drop(place)


@pytest.mark.parametrize("kept_by", OTHERS)
def test_a_change_of_engine_rebuilds_by_itself(tmp_path: Path, search_cluster: Server, kept_by: str) -> None:
    tree = {f"{n}.md": f"alpha {WORDS[n % 6]}" for n in range(9)}
    expected = hits(fill(tmp_path, tree, "tree", engine.DEFAULT), ["alpha"])
    for name in (kept_by, engine.DEFAULT, kept_by):
        assert Store(tmp_path, kept_by=name).open("tree") is None
        assert hits(fill(tmp_path, tree, "tree", name), ["alpha"]) == expected
        assert len(list(tmp_path.glob("index-*"))) == 1
        assert len(search_cluster.indexes) == (name == "opensearch")


@pytest.mark.parametrize("kept_by", OTHERS)
@pytest.mark.parametrize("damage", [b"", b"garbage", None], ids=["emptied", "overwritten", "removed"])
@pytest.mark.parametrize("what", ["documents", "offsets", "tantivy/meta.json", "tantivy/*.term", "remote", "catalogue"])
def test_a_damaged_index_is_built_anew(tmp_path: Path, kept_by: str, what: str, damage: bytes | None) -> None:
    tree = {f"{n}.md": f"alpha {WORDS[n % 6]}" for n in range(9)}
    fill(tmp_path, tree, "tree", kept_by)
    for path in list(Store(tmp_path, kept_by=kept_by).current().glob(what)):
        path.unlink() if damage is None else path.write_bytes(damage)
    found = fill(tmp_path, {**tree, "new.md": "alpha newest"}, "more", kept_by)
    assert [path for _, path in hits(found, ["newest"])] == ["new.md"]


def test_an_index_that_the_cluster_lost_is_damaged(tmp_path: Path, search_cluster: Server) -> None:
    found = fill(tmp_path, {"a.md": "alpha"}, "tree", "opensearch")
    search_cluster.indexes.clear()
    with pytest.raises(Damaged):
        found.search(["alpha"], 5)


def test_the_alias_always_leads_to_the_index_in_use(tmp_path: Path, search_cluster: Server) -> None:
    """A rebuild fills an index of its own, the alias moves in one request, and only then is the old index deleted."""
    fill(tmp_path, {"a.md": "alpha"}, "one", "opensearch")
    (alias, before), *_ = search_cluster.aliases.items()
    before = set(before)
    Store(tmp_path, kept_by="opensearch").discard()
    fill(tmp_path, {"a.md": "alpha"}, "two", "opensearch")
    assert search_cluster.aliases[alias].isdisjoint(before)
    assert set(search_cluster.indexes) == search_cluster.aliases[alias]
    asked = [(method, path) for method, path, _ in search_cluster.asked]
    moved = max(at for at, (_, path) in enumerate(asked) if path == "/_aliases")
    assert max(at for at, each in enumerate(asked) if each == ("DELETE", f"/{before.copy().pop()}")) > moved


def test_a_cluster_that_fails_while_indexing_leaves_what_was_there(
    tmp_path: Path, search_cluster: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "FIRST_WAIT", 0.0)
    fill(tmp_path, {"a.md": "alpha"}, "one", "opensearch")
    search_cluster.faults += [Fault("_bulk", 429, BUSY)] * cluster.TRIES
    with pytest.raises(cluster.Unavailable):
        fill(tmp_path, {"a.md": "alpha", "b.md": "alpha"}, "two", "opensearch")
    kept = Store(tmp_path, kept_by="opensearch").open("one")
    assert kept is not None
    assert [path for _, path in hits(kept, ["alpha"])] == ["a.md"]
    more = fill(tmp_path, {"a.md": "alpha", "b.md": "alpha"}, "two", "opensearch")
    assert sorted(path for _, path in hits(more, ["alpha"])) == ["a.md", "b.md"]


def test_the_cluster_is_sent_terms_and_no_text(tmp_path: Path, search_cluster: Server) -> None:
    fill(tmp_path, {"a.md": "alpha Running-shoes"}, "tree", "opensearch")
    (stored,) = (each for index in search_cluster.indexes.values() for each in index.values())
    assert set(stored) == {"text", "title", "heading", "number"}
    assert "Running-shoes" not in str(stored)
    assert "a.md" not in str(stored)


@pytest.mark.parametrize(("kept_by", "library"), [("tantivy", "tantivy"), ("opensearch", "httpx2")])
def test_a_missing_extra_is_named_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, kept_by: str, library: str
) -> None:
    for name in list(sys.modules):
        if name.startswith("mfgit.index.engines.") or name == "mfgit.index.cluster":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(BadInput, match=f"needs {library}") as error:
        engine.engine(kept_by)
    assert f'pip install "mfgit[{kept_by}]"' in error.value.hint


@pytest.mark.parametrize("kept_by", OTHERS)
def test_knowledge_and_archive_are_searched_with_the_engine_of_the_settings(
    bench: Workbench, search_cluster: Server, kept_by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same answers from both, through the settings' file and through the environment."""
    bench.write({**PAGES, "archive/2026-01-02.jsonl": TURN})
    bench.commit("pages")
    questions = ["How long are backups kept?", "发票抬头怎么修改", "retentoin of nightly backups", "no_such_word"]
    monkeypatch.setenv("CHAT_ARCHIVE_DIR", str(bench.path / "archive"))

    def answers() -> list[object]:
        here = Project.open(bench.path)
        found: list[object] = [here.search(question).to_json()["hits"] for question in questions]
        return [*found, recalling.search(here, "teapot lid").to_json()["hits"], fetching.get(here, "s-").to_json()["messages"]]

    expected = answers()
    monkeypatch.setenv(ENGINE_VARIABLE, kept_by)
    assert answers() == expected
    inside = bench.path / ".git/mfgit"
    pointers = [
        path.read_text().split()[1] for path in (*(inside / "search").glob("current-*"), *(inside / "archive").iterdir())
    ]
    assert pointers == [kept_by, kept_by]
    if kept_by == "opensearch":
        assert len(search_cluster.indexes) == 2
        recalling.forget_index(Project.open(bench.path))
        assert len(search_cluster.indexes) == 1
    monkeypatch.delenv(ENGINE_VARIABLE)
    (bench.path / "mfgit.toml").write_text(f'[index]\nengine = "{kept_by}"\n')
    assert Project.open(bench.path).search_engine == kept_by
    (bench.path / "mfgit.toml").write_text(f'[index]\n# engine = "{kept_by}"\n')
    assert Project.open(bench.path).search_engine == engine.DEFAULT


def test_the_engines_of_the_settings_are_those_there_are() -> None:
    assert sorted(config.ENGINES) == ENGINES
    with pytest.raises(BadInput, match="no search engine"):
        config.parse('[index]\nengine = "lucene"\n')
    with pytest.raises(BadInput, match=ENGINE_VARIABLE):
        config.load(None, {ENGINE_VARIABLE: "lucene"})
