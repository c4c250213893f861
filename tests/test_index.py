"""The index: BM25 over one tree's view, safe against damage, kills and other processes."""

import errno
import math
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mfgit import durable
from mfgit.errors import BadInput
from mfgit.index import correction, fields, postings, searcher, store, view
from mfgit.index.engines import stock
from mfgit.index.searcher import Searcher
from mfgit.index.shape import PASSAGES
from mfgit.index.store import Entry, Store
from mfgit.model import Passage, quiet
from mfgit.text import tokens

WORDS = ["alpha", "beta", "gamma", "delta", "omega", "sigma"]


def passage(path: str, text: str, kind: str = "original") -> Passage:
    return Passage(path, path, "", (), (1, 1), text, kind, "1" * 40)


def fill(folder: Path, texts: dict[str, str], key: str = "tree", kinds: dict[str, int] | None = None) -> Searcher:
    """Return the searcher of a tree of one-passage documents; the key of each is its path and text."""
    entries = [Entry(f"{path}={text}", (kinds or {}).get(path, view.ORIGINAL)) for path, text in sorted(texts.items())]

    def load(missing: Sequence[Entry]) -> list[tuple[Entry, list[Passage]]]:
        return [(entry, [passage(*entry.key.split("=", 1))]) for entry in missing]

    return Store(folder).update(key, entries, load, ())


def paths(found: Searcher, question: str, limit: int = 10) -> list[str]:
    return [found.passage(s.position).path for s in found.search(tokens.query_terms(question), limit)]


def test_the_best_match_comes_first_and_ties_by_path(tmp_path: Path) -> None:
    found = fill(tmp_path, {"b.md": "alpha beta", "a.md": "alpha beta", "c.md": "alpha alpha beta gamma", "d.md": "omega"})
    assert paths(found, "omega") == ["d.md"]
    assert paths(found, "beta")[:2] == ["a.md", "b.md"]


def test_scores_are_those_of_bm25(tmp_path: Path) -> None:
    texts = {"a.md": "alpha beta", "b.md": "alpha gamma gamma gamma", "c.md": "delta"}
    found = fill(tmp_path, texts)
    scored = {found.passage(s.position).path: s.score for s in found.search(["gamma"], 10)}
    lengths = {path: len(fields.field_terms(passage(path, text))["text"]) for path, text in texts.items()}
    norm = view.K1 * (1 - view.B + view.B * lengths["b.md"] / (sum(lengths.values()) / 3))
    assert scored == {"b.md": pytest.approx(math.log(1 + 2.5 / 1.5) * 3 * (view.K1 + 1) / (3 + norm))}


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), min_size=1, max_size=30),
    st.lists(st.sampled_from(WORDS), min_size=1),
)
def test_stopping_early_changes_no_score(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]], asked: list[str]
) -> None:
    found = fill(tmp_path_factory.mktemp("index"), {f"{n:02}.md": " ".join(words) for n, words in enumerate(texts)})
    terms = tokens.query_terms(" ".join(asked))
    every = found.search(terms, 1000)
    for limit in (1, 2, 5):
        assert found.search(terms, limit) == every[:limit]


@pytest.mark.parametrize("block", [stock.BLOCK, 7], ids=["one block", "many blocks"])
def test_a_list_is_looked_up_as_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(stock, "BLOCK", block)
    texts = {f"{n:03}.md": "alpha " * (n % 3) + "omega" + " once" * (n == 5) for n in range(200)}
    fill(tmp_path, dict(list(texts.items())[:150]))
    found = fill(tmp_path, texts, "more")
    for term in ("alpha", "omega", "once", "never"):
        documents, weights = postings.read(found.leaves, "text", term)
        assert postings.count(found.leaves, "text", term) == len(documents)
        every = dict(zip(documents, weights, strict=True))
        for chosen in ([], [0], [1, 2, 5], list(range(200)), [199, 400], list(range(0, 200, 7))):
            wanted = {place: every[place] for place in chosen if place in every}
            assert postings.among(found.leaves, "text", term, chosen) == wanted
            assert found.held(term, chosen) == wanted


def test_a_view_depends_on_its_tree_alone(tmp_path: Path) -> None:
    """Whatever other trees were searched before, scores and order are those of a fresh index."""
    tree = {f"{n}.md": " ".join(WORDS[: 1 + n % 6]) for n in range(30)}
    for number in range(8):
        fill(tmp_path / "used", {f"x{number}-{n}.md": "alpha beta omega" for n in range(3 * number + 1)}, f"other-{number}")
    used, fresh = fill(tmp_path / "used", tree, "tree"), fill(tmp_path / "fresh", tree, "tree")
    for word in WORDS:
        assert [s.score for s in used.search([word], 40)] == [s.score for s in fresh.search([word], 40)]
        assert paths(used, word, 40) == paths(fresh, word, 40)


def test_documents_keep_their_numbers_when_small_segments_are_merged(tmp_path: Path) -> None:
    for number in range(12):
        fill(tmp_path, {f"{n}.md": f"alpha word{n}" for n in range(number + 1)}, f"tree-{number}")
    for number in range(12):
        old = Store(tmp_path).open(f"tree-{number}")
        assert old is not None
        assert len(old.leaves) <= 3
        assert paths(old, "alpha", 20) == sorted(f"{n}.md" for n in range(number + 1))
        assert paths(old, f"word{number}") == [f"{number}.md"]


def test_overlays_do_not_change_how_originals_score(tmp_path: Path) -> None:
    texts = {"a.md": "alpha beta", "b.md": "beta gamma gamma"}
    plain = fill(tmp_path, texts, "one")
    more = fill(tmp_path, {**texts, "z.md": "alpha alpha gamma omega"}, "two", {"z.md": view.OVERLAY})
    for word in ("alpha", "beta", "gamma"):
        assert [s for s in more.search([word], 9) if s.position < 2] == plain.search([word], 9)


def test_rareness_does_not_depend_on_when_a_document_came(tmp_path: Path) -> None:
    """An overlay that came last and stands first is not counted among the originals."""
    texts = {f"{number}.md": f"alpha {WORDS[number % 6]}" for number in range(12)}
    fill(tmp_path / "grown", texts, "before")
    after = {"0.md": "alpha new", **{path: text for path, text in texts.items() if path != "0.md"}}
    kinds = {"0.md": view.OVERLAY}
    grown, fresh = (fill(tmp_path / name, after, "after", kinds) for name in ("grown", "fresh"))
    assert [grown.idf(term) for term in ("alpha", "new")] == [fresh.idf(term) for term in ("alpha", "new")]
    assert list(grown.held("alpha", [0])) == [0]


def test_kinds_can_be_asked_for(tmp_path: Path) -> None:
    found = fill(
        tmp_path, {"a.md": "alpha", "b.md": "alpha", "c.md": "alpha"}, kinds={"b.md": view.OVERLAY, "c.md": view.STALE}
    )
    assert [found.passage(s.position).path for s in found.search(["alpha"], 9, found.mask((view.ORIGINAL,)))] == ["a.md"]
    overlays = found.search(["alpha"], 9, found.mask((view.OVERLAY, view.STALE)))
    assert [found.passage(s.position).stale for s in overlays] == [False, True]


def test_an_empty_tree_has_no_hits(tmp_path: Path) -> None:
    assert fill(tmp_path, {}).search(["alpha"], 5) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Whoosh leaves a damaged file open
@pytest.mark.parametrize("how", ["current", "catalogue", "views", "*.pst", "*.trm", "*.toc", "whole"])
@pytest.mark.parametrize("damage", [b"", b"garbage", None])
def test_a_damaged_index_is_rebuilt_silently(tmp_path: Path, how: str, damage: bytes | None) -> None:
    texts = {f"{n}.md": f"alpha {WORDS[n % 6]}" for n in range(20)}
    fill(tmp_path, texts)
    spoil(tmp_path, how, damage)
    found = Store(tmp_path).open("tree")
    if found is None or how in ("*.pst", "*.trm"):
        found = fill(tmp_path, {**texts, "new.md": "alpha newest"}, "tree-2")
        assert paths(found, "newest") == ["new.md"]


def test_an_index_of_another_version_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, {"a.md": "alpha"})
    monkeypatch.setattr(store, "FORMAT", store.FORMAT + 1)
    assert Store(tmp_path).open("tree") is None
    assert paths(fill(tmp_path, {"b.md": "omega"}), "omega") == ["b.md"]
    assert len(list(tmp_path.glob("index-*"))) == 1


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", None], ids=["emptied", "overwritten", "removed"])
def test_an_index_that_does_not_tell_its_engine_gives_way_to_a_new_one(tmp_path: Path, damage: bytes | None) -> None:
    fill(tmp_path, {"a.md": "alpha"})
    spoil(tmp_path, "engine", damage)
    spoil(tmp_path, "current", None)
    assert paths(fill(tmp_path, {"b.md": "omega"}), "omega") == ["b.md"]
    assert len(list(tmp_path.glob("index-*"))) == 1


def spoil(folder: Path, how: str, damage: bytes | None) -> None:
    """Overwrite or remove a part of the index."""
    import shutil

    if how == "whole":
        shutil.rmtree(folder)
        return
    place = Store(folder).current()
    chosen = {"current": list(folder.glob("current*")), "views": list((place / "views").iterdir())}.get(how) or list(
        place.glob(how)
    )
    for path in chosen:
        path.unlink() if damage is None else path.write_bytes(damage)


def test_where_nothing_can_be_written_the_search_works_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = fill(tmp_path / "file" / "search", {"a.md": "alpha"})
    assert paths(found, "alpha") == ["a.md"]
    assert "cannot be kept" in found.view.notes[0]


def test_where_there_is_no_room_at_all_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, _: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(durable, "replace", full)
    with pytest.raises(BadInput, match="No space left"):
        fill(tmp_path, {"a.md": "alpha"})


WRITER = """
import sys
from pathlib import Path
from tests.test_index import fill
fill(Path(sys.argv[1]), {f"{sys.argv[2]}-{n}.md": f"alpha common {sys.argv[2]}" for n in range(int(sys.argv[3]))}, sys.argv[2])
"""


def start(folder: Path, name: str, count: int) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", WRITER, str(folder), name, str(count)], cwd=Path(__file__).parent.parent)


def test_processes_that_index_at_the_same_time_do_not_disturb_each_other(tmp_path: Path) -> None:
    running = [start(tmp_path, name, 60) for name in ("one", "two", "three")]
    assert [process.wait() for process in running] == [0, 0, 0]
    for name in ("one", "two", "three"):
        found = Store(tmp_path).open(name)
        assert found is not None
        assert len(paths(found, "common", 100)) == 60


@pytest.mark.parametrize("delay", [0.25, 0.4, 0.6])
def test_a_killed_writer_leaves_an_index_that_works(tmp_path: Path, delay: float) -> None:
    fill(tmp_path, {"a.md": "alpha common"}, "before")
    process = start(tmp_path, "killed", 3000)
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = Store(tmp_path).open("before")
    assert before is not None
    assert paths(before, "common") == ["a.md"]
    assert len(paths(fill(tmp_path, {"b.md": "omega", "c.md": "omega"}, "after"), "omega")) == 2


def test_an_index_full_of_what_nobody_asks_for_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store.Store.__init__, "__defaults__", (PASSAGES._replace(floor=5), None, None, "whoosh"))
    for number in range(10):
        fill(tmp_path, {f"{number}.md": "alpha"}, f"tree-{number}")
    found = fill(tmp_path, {"last.md": "alpha"}, "last")
    assert paths(found, "alpha") == ["last.md"]
    assert len(list(tmp_path.glob("index-*"))) == 1


def test_a_view_s_file_is_read_whole_or_not_at_all() -> None:
    data = view.dump(view.make([3, 1], [0, 1], b"\0\1", [[4, 5], [1, 1], [0, 2]], ["a note"]))
    read = view.load(data)
    assert (list(read.documents), list(read.starts), read.kinds) == ([3, 1], [0, 1], b"\0\1")
    assert (read.notes, read.originals) == (("a note",), 1)
    for cut in (0, 5, 20, len(data) - 1):
        with pytest.raises((ValueError, KeyError)):
            view.load(data[:cut])


KNOWN = {
    "password": 5,
    "passwort": 2,
    "refund": 1,
    "into": 9,
    "hous": 4,
    "from": 3,
    "fork": 3,
    "accept": 4,
    "bakery": 2,
    "baker": 2,
    "max_requests_per_minute": 1,
    "max_requets_per_minute" * 2 + "max_requests_per_minute": 1,
    "error_404": 1,
    "retry_limit": 1,
    "retry_limis": 1,
}


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        pytest.param("pasword", "password", id="a-letter-dropped"),
        pytest.param("passwords", "password", id="a-letter-added-and-far-more-frequent"),
        pytest.param("refnud", "refund", id="two-swapped"),
        pytest.param("frok", "fork", id="two-swapped-in-a-short-word"),
        pytest.param("acxept", "accept", id="a-letter-replaced"),
        pytest.param("password", None, id="known"),
        pytest.param("onto", None, id="a-binding-word"),
        pytest.param("wher", None, id="a-misspelled-binding-word"),
        pytest.param("form", None, id="one-edit-from-a-binding-word"),
        pytest.param("hors", None, id="another-short-word"),
        pytest.param("dassword", None, id="another-first-letter"),
        pytest.param("bakere", None, id="two-that-may-be-meant"),
        pytest.param("xyz", None, id="too-short"),
        pytest.param("zzzzzz", None, id="nothing-near"),
        pytest.param("词语", None, id="chinese"),
        pytest.param("max_requets_per_minute", "max_requests_per_minute", id="a-name-with-underscores"),
        pytest.param("max_requestsper_minute", "max_requests_per_minute", id="an-underscore-dropped"),
        pytest.param("max_requests_per_minutes", "max_requests_per_minute", id="a-letter-added-to-a-name"),
        pytest.param("error_40", None, id="figures-are-never-wrong"),
        pytest.param("retry_limix", None, id="two-names-that-may-be-meant"),
        pytest.param("max_requets_per_minute" * 3, None, id="too-long"),
    ],
)
def test_a_typing_error_becomes_the_word_that_was_clearly_meant(word: str, meant: str | None) -> None:
    found = correction.correct([word], lambda term: KNOWN.get(term, 0), KNOWN.__contains__)
    assert found == ({word: meant} if meant else {})


SPOKEN = "OpenClaw openclaw dreaming gizmo credo clearing horses trailing sticking routed spilling rate_limit_burst"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *((each, "dream") for each in ("Dreaning", "Dreeming", "dreming", "draeming", "dreamign", "dreamnig")),
        ("gizmi", "gizmo"),
        ("credu", "credo"),
        ("OpenClow", "openclaw"),
        ("OpneClaw", "openclaw"),
        ("OpenClaww", "openclaw"),
        ("怎么用OpenClow", "openclaw"),
        ("rate_limt_burst", "rate_limit_burst"),
        *(
            (each, None)
            for each in ("cleaning", "training", "stocking", "router", "houses", "house", "spelling", "credits", "开启")
        ),
    ],
)
def test_typing_errors_are_seen_through_endings_and_in_compound_names(typed: str, meant: str | None) -> None:
    known = Counter(term for word in SPOKEN.split() for term in tokens.terms(word))
    asked: list[str] = []

    def has(term: str) -> bool:
        asked.append(term)
        return term in known

    terms = tokens.query_terms(typed)
    fixes = correction.correct(terms, lambda term: known[term], has, typed)
    assert set(asked) <= {each for term in terms for each in correction.candidates(term)}
    left, told = correction.without_parts(terms, typed, fixes)
    assert list(told.values()) == ([meant] if meant else [])
    if meant:
        assert set(known) >= {told.get(term, term) for term in left if term.isascii() and len(term) > 1}


def test_long_questions_count_their_rarest_terms(tmp_path: Path) -> None:
    words = [f"w{chr(97 + n // 26)}{chr(97 + n % 26)}x" for n in range(60)]
    found = fill(tmp_path, {f"{n:02}.md": " ".join(words[n:]) for n in range(60)})
    chosen = [term for term, _ in found.rarest([tokens.stem(word) for word in words])]
    assert len(chosen) == searcher.MOST_TERMS
    assert chosen[0] == tokens.stem(words[0])


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    entries = [Entry("a.md=x", 0)]
    load = lambda missing: [(entry, [passage("a.md", "x")]) for entry in missing]  # noqa: E731
    Store(tmp_path).update("t", entries, load, (), lambda what, done, of: told.append((what, done, of)))
    assert told == [("Indexing documents", 1, 1)]
    quiet("nothing", 0, 0)
