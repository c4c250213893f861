"""Questions that mean the same: a model's scale, its vectors beside the archive, and what a scan makes of them."""

import json
import struct
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.backends.cache import KEPT_DAYS, Vectors, file_of, read
from mfgit.backends.calibration import PROBES, calibrate, probes
from mfgit.backends.protocols import BackendError
from mfgit.scan import run
from mfgit.scan.graph import Graph
from mfgit.scan.meaning import asks, joined, rows_of, scaled
from mfgit.scan.values import Meaning
from tests import models
from tests.builders import Workbench
from tests.models import Answer
from tests.scanning import inputs, turn

TODAY = date(2026, 3, 1)


def meaning_of(text: str) -> str:
    """Return what a text means to the model of these tests: a probe's topic, or what stands in `SAME`."""
    for lang in PROBES:
        for number, pair in enumerate(probes(lang)):
            if text in pair:
                return f"{lang} topic {number}"
    return next((topic for topic, texts in SAME.items() if text in texts), text)


SAME = {
    "money back": ("how do i get my money back", "what is the way to a refund"),
    "退款": ("怎么把钱退回来", "如何申请退款"),
}


def vector(text: str) -> list[float]:
    """Return a vector: near others of its meaning, and a little like everything else."""
    topic, own = (np.random.default_rng(list(word.encode())) for word in (meaning_of(text), text))
    found = topic.normal(size=48) + 0.15 * own.normal(size=48) + 0.3
    return [float(number) for number in found / np.linalg.norm(found)]


class Model:
    """An embedder that counts what it is asked."""

    def __init__(self, name: str = "test", dimensions: int | None = None) -> None:
        self.name, self.dimensions = name, dimensions
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        return [vector(text)[: self.dimensions] for text in texts]


# ---- the scale


def test_a_model_gets_its_scale_from_its_own_answers() -> None:
    found = calibrate(Model().embed)
    assert set(found) == {"en", "zh"}
    for zero, deviation in found.values():
        assert 0 < zero < zero + 3 * deviation < 1
    assert calibrate(Model().embed) == found


def test_a_model_that_does_not_know_a_language_is_not_used_for_it() -> None:
    def only_english(texts: Sequence[str]) -> list[list[float]]:
        return [vector(text if text.isascii() else f"noise {text}") for text in texts]

    assert set(calibrate(only_english)) == {"en"}


@pytest.mark.parametrize("same", [[1.0, 0.0], [0.0, 0.0]], ids=["all alike", "no direction"])
def test_a_model_to_which_all_is_the_same_is_not_used(same: list[float]) -> None:
    assert calibrate(lambda texts: [same for _ in texts]) == {}


def test_a_model_in_which_equal_texts_stand_out_little_is_not_used() -> None:
    def coarse(texts: Sequence[str]) -> list[list[float]]:
        cut = [vector(text)[:3] for text in texts]
        return [[number / float(np.linalg.norm(row)) for number in row] for row in cut]

    assert calibrate(coarse) == {}


def test_the_probes_are_distinct_questions() -> None:
    for lang in PROBES:
        texts = [text for pair in probes(lang) for text in pair]
        assert all(texts)
        assert len(set(texts)) == len(texts) == 40


# ---- the file


def test_a_text_is_embedded_once(tmp_path: Path) -> None:
    first = Model()
    vectors = Vectors(first, tmp_path, TODAY)
    data = vectors.of(["a", "b", "a"])
    assert first.asked == ["a", "b"]
    assert vectors.keep() == ""
    second = Model()
    again = Vectors(second, tmp_path, TODAY)
    assert again.of(["a", "b", "a"]) == data
    assert second.asked == []
    before = file_of(tmp_path, "test").read_bytes()
    assert again.keep() == ""
    assert file_of(tmp_path, "test").read_bytes() == before
    assert again.floats(["b"])[0] == pytest.approx(vector("b"), abs=1e-3)


def test_models_have_files_of_their_own(tmp_path: Path) -> None:
    for name in ("org/a:1", "org/a:2", "模型", "../../x"):
        vectors = Vectors(Model(name), tmp_path, TODAY)
        vectors.of([name])
        vectors.keep()
    assert len(list(tmp_path.iterdir())) == 4
    assert {path.parent for path in tmp_path.rglob("*")} == {tmp_path}


def test_vectors_not_used_for_long_are_left_out(tmp_path: Path) -> None:
    vectors = Vectors(Model(), tmp_path, TODAY)
    vectors.of(["old", "new"])
    vectors.keep()
    later = Vectors(Model(), tmp_path, TODAY + timedelta(days=KEPT_DAYS))
    later.of(["new"])
    later.keep()
    assert len(read(file_of(tmp_path, "test"), "test")[1]) == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[:5],
        lambda data: b"\xff" + data,
        lambda data: b"[]\n" + data,
        lambda data: data.replace(b'"schema": 1', b'"schema": 9'),
        lambda data: data.replace(b'"dimensions": 48', b'"dimensions": "4"'),
        lambda data: data.replace(b'"model": "test"', b'"model": "else"'),
    ],
)
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: Any) -> None:
    vectors = Vectors(Model(), tmp_path, TODAY)
    data = vectors.of(["a"])
    vectors.keep()
    path = file_of(tmp_path, "test")
    path.write_bytes(damage(path.read_bytes()))
    again = Model()
    assert Vectors(again, tmp_path, TODAY).of(["a"]) == data
    assert again.asked == ["a"]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    vectors = Vectors(Model(), tmp_path / "file" / "embeddings", TODAY)
    vectors.of(["a"])
    assert "cannot be written" in vectors.keep()


def test_a_model_that_changes_its_dimension_is_refused(tmp_path: Path) -> None:
    vectors = Vectors(Model(), tmp_path, TODAY)
    vectors.of(["a"])
    vectors.keep()
    with pytest.raises(BackendError, match="another dimension"):
        Vectors(Model(dimensions=8), tmp_path, TODAY).of(["b"])


# ---- the graph


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.5, 0.6, 0.9])), max_size=20))
def test_joined_graphs_hold_each_pair_once_with_its_largest_likeness(pairs: list[tuple[int, int, float]]) -> None:
    edges = [(min(a, b), max(a, b), c) for a, b, c in pairs if a != b]
    parts = [edges[:7], edges[7:]]
    graphs = [
        Graph(
            6, np.array([e[0] for e in p], np.int32), np.array([e[1] for e in p], np.int32), np.array([e[2] for e in p], float)
        )
        for p in parts
    ]
    found = joined(graphs)
    wanted: dict[tuple[int, int], float] = {}
    for a, b, c in edges:
        wanted[a, b] = max(c, wanted.get((a, b), 0.0))
    got = list(zip(found.first.tolist(), found.second.tolist(), found.cosine.tolist(), strict=True))
    assert got == [(a, b, c) for (a, b), c in sorted(wanted.items())]


@pytest.mark.parametrize(
    ("cosine", "words", "wanted"),
    [
        (-1.0, 0.0, 0.0),
        (0.86, 0.0, 0.0),
        (0.8675, 0.0, 0.5),
        (0.9, 0.0, 0.7),
        (0.7, 1.0, 0.7),
        (0.8, 0.5, 0.7),
        (1.0, 0.0, 0.8),
        (1.0, 1.0, 1.0),
    ],
)
def test_cosines_are_put_on_the_scale_of_the_words(cosine: float, words: float, wanted: float) -> None:
    found = scaled(np.array([cosine]), np.array([words]), (0.5, 0.05), 8.0, 0.7)
    assert found == pytest.approx([wanted])


def test_rows_have_length_one_or_no_direction() -> None:
    rows = rows_of(struct.pack("<4e", 3.0, 4.0, 0.0, 0.0), 2)
    assert rows == pytest.approx(np.array([[0.6, 0.8], [0.0, 0.0]]))


@pytest.mark.parametrize(
    ("text", "lang", "wanted"),
    [
        ("how do i get a refund", "en", True),
        ("ajax php problem", "en", False),
        ("problem with ajax", "en", False),
        ("退款", "zh", True),
    ],
)
def test_a_bare_topic_asks_nothing(text: str, lang: str, wanted: bool) -> None:
    assert asks(text, lang) is wanted


def meaning(tmp_path: Path) -> Meaning:
    vectors = Vectors(Model(), tmp_path, TODAY)
    return Meaning("test", vectors.of, calibrate(vectors.floats), 3.0)


def groups(found: run.Result) -> set[frozenset[str]]:
    """Return the groups of questions that became proposals."""
    return {frozenset(asked.normal for asked in proposal.cluster.asked) for proposal in found.proposals}


ASKED = [
    "how do i get my money back",
    "what is the way to a refund",
    "how do i get my money back",
    "what is the way to a refund",
]


def test_questions_that_mean_the_same_become_one_proposal(tmp_path: Path) -> None:
    turns = [turn(number, text) for number, text in enumerate([*ASKED, "怎么把钱退回来", "如何申请退款", "如何申请退款"])]
    assert groups(run.scan(inputs(turns))) == set()
    found = run.scan(inputs(turns, meaning=meaning(tmp_path)))
    assert groups(found) == {frozenset(texts) for texts in SAME.values()}
    backwards = run.scan(inputs(turns[::-1], meaning=meaning(tmp_path / "other")))
    assert [p.record for p in backwards.proposals] == [p.record for p in found.proposals]


def test_a_veto_holds_against_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("how do i open my account", "how do i close my account please now")
    monkeypatch.setitem(SAME, "account", texts)
    turns = [turn(number, text) for number, text in enumerate(texts * 2)]
    assert groups(run.scan(inputs(turns, meaning=meaning(tmp_path)))) == set()


# ---- a whole scan


def reply(_: models.Endpoint, asked: dict[str, Any]) -> Answer:
    return models.vectors(asked["input"], vector)


@pytest.fixture
def archived(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Workbench:
    """Return a repository in which one question was asked in several words."""
    lines = []
    for number, text in enumerate([*ASKED, "how do i get my money back, my number is 13912345678"]):
        when = (datetime(2026, 3, 1, 9, tzinfo=UTC) + timedelta(minutes=number)).isoformat()
        ids = {"request_id": f"r{number}", "session_id": f"s{number}", "user_id": f"u{number}"}
        lines.append({"timestamp": when, "help_mode": True, "user_message": text, "assistant_message": "?", **ids})
    bench.write({"tmp/memoryforge/chat-archive/2026-03-01.jsonl": "".join(json.dumps(line) + "\n" for line in lines)})
    monkeypatch.setenv("MFGIT_VECTOR_MODEL", "test-embed")
    bench.write({"mfgit.toml": (bench.path / "mfgit.toml").read_text() + "\n[vector]\nstrictness = 3.0\n"})
    return bench


def scan(bench: Workbench, *options: str) -> Any:
    return bench.mfgit("scan", "--since", "2026-02-20", "--until", "2026-03-20", *options, "--json")


def test_a_scan_keeps_vectors_beside_the_sessions_and_forget_removes_them(
    archived: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = archived.path / "tmp/memoryforge/conversation_archive/embeddings"
    with models.serving(reply) as running:
        monkeypatch.setenv("MFGIT_VECTOR_URL", running.url)
        dry = scan(archived, "--dry-run").json()
        assert not folder.exists()
        first = scan(archived).json()
        assert max(p["frequency"] for p in first["proposals"]) == max(p["frequency"] for p in dry["proposals"]) >= 4
        assert first["meaning"] == {"model": "test-embed", "languages": ["en", "zh"], "strictness": 3.0}
        asked = len(running.asked)
        assert [p["status"] for p in scan(archived).json()["proposals"]] == ["unchanged"] * len(first["proposals"])
        assert len(running.asked) == asked
        assert "13912345678" not in json.dumps(running.asked)
        assert len(list(folder.iterdir())) == 1
        assert archived.mfgit("archive", "forget", "--user", "u1", "--yes").code == 0
        assert not folder.exists()


def test_a_scan_stops_when_the_model_is_away(archived: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    with models.serving(lambda *_: Answer(status=401)) as running:
        monkeypatch.setenv("MFGIT_VECTOR_URL", running.url)
        ran = scan(archived)
    assert ran.code == 2
    assert "The embedding model cannot be used" in ran.err
    assert "take [vector] out" in ran.err
    assert not archived.git("for-each-ref", "refs/heads/mfgit")


def test_a_model_of_no_use_is_named_and_words_alone_count(archived: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    with models.serving(lambda _, asked: models.vectors(asked["input"], lambda text: [1.0, 0.0])) as running:
        monkeypatch.setenv("MFGIT_VECTOR_URL", running.url)
        report = scan(archived).json()
    assert report["meaning"]["languages"] == []
    assert report["problems"] == [
        "vector: test-embed tells questions of no language apart, so they are compared by words alone"
    ]


def test_a_kill_while_vectors_are_written_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = Vectors(Model(), tmp_path, TODAY)
    vectors.of(["a"])
    vectors.keep()
    before = file_of(tmp_path, "test").read_bytes()

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    vectors.of(["b"])
    monkeypatch.setattr("os.fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        vectors.keep()
    assert file_of(tmp_path, "test").read_bytes() == before
    monkeypatch.undo()
    again = Vectors(Model(), tmp_path, TODAY)
    again.of(["a", "b"])
    assert again.keep() == ""
    assert len(read(file_of(tmp_path, "test"), "test")[1]) == 2
