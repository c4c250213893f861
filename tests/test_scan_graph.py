"""The graph is exact, the linkage is average linkage, and neither minds the order of its input."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from mfgit.scan import linkage as ours
from mfgit.scan.features import Frequencies, count, features, singular, unit, vectors
from mfgit.scan.graph import Graph, similar_pairs

ENGLISH = ["reset", "change", "password", "invoice", "address", "account", "card", "close", "open", "order", "refund"]
WORDS = [*ENGLISH, "修改", "发票", "抬头", "地址", "密码", "退款", "怎么", "订单"]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(st.lists(SENTENCES, min_size=2, max_size=40, unique=True), st.sampled_from([0.3, 0.5, 0.7]))
def test_the_graph_is_that_of_comparing_all_with_all(texts: list[str], threshold: float) -> None:
    found = vectors(sorted(texts), count(texts))
    dense = (found.matrix @ found.matrix.T).toarray()
    graph = similar_pairs(found, threshold)
    # pairs within rounding of the threshold may fall either way
    expected = {(i, j) for i in range(len(texts)) for j in range(i + 1, len(texts)) if dense[i, j] >= threshold + 1e-8}
    got = set(zip(graph.first.tolist(), graph.second.tolist(), strict=True))
    assert expected <= got
    assert all(dense[i, j] >= threshold - 1e-8 for i, j in got)
    assert np.allclose(graph.cosine, dense[graph.first, graph.second])


def test_blocks_of_any_size_give_the_same_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(4)
    texts = sorted({" ".join(rng.sample(WORDS, 4)) for _ in range(120)})
    found = vectors(texts, count(texts))
    whole = similar_pairs(found)
    monkeypatch.setattr("mfgit.scan.shards.BLOCK", 50)
    parts = similar_pairs(found)
    assert [part.tolist() for part in whole[1:]] == [part.tolist() for part in parts[1:]]


def dense_graph(matrix: np.ndarray) -> Graph:
    first, second = np.triu_indices(len(matrix), 1)
    return Graph(len(matrix), first.astype(np.int32), second.astype(np.int32), matrix[first, second])


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 14), st.integers(0, 10_000), st.sampled_from([0.5, 0.7]))
def test_linkage_is_scipys_average_linkage_on_a_whole_graph(size: int, seed: int, cut: float) -> None:
    rng = np.random.default_rng(seed)
    likeness = rng.uniform(0, 1, (size, size))
    likeness = (likeness + likeness.T) / 2
    np.fill_diagonal(likeness, 1.0)
    labels = fcluster(linkage(squareform(1 - likeness, checks=False), "average"), 1 - cut, "distance")
    expected = sorted(sorted(np.flatnonzero(labels == label).tolist()) for label in set(labels))
    assert ours.clusters(dense_graph(likeness), cut) == [rows for rows in expected if len(rows) > 1]


def edges(*pairs: tuple[int, int, float], size: int = 6) -> Graph:
    first, second, cosine = (np.array(column) for column in zip(*pairs, strict=True))
    return Graph(size, first.astype(np.int32), second.astype(np.int32), cosine)


def test_a_chain_does_not_become_one_group() -> None:
    chain = edges((0, 1, 0.8), (1, 2, 0.79), (2, 3, 0.78), (3, 4, 0.77))
    assert ours.clusters(chain, 0.7) == [[0, 1], [2, 3]]


def test_a_vetoed_pair_keeps_whole_groups_apart() -> None:
    graph = edges((0, 1, 0.95), (0, 2, 0.9), (1, 2, 0.9), (2, 3, 0.95), (0, 3, 0.9), (1, 3, 0.9))
    assert ours.clusters(graph, 0.7) == [[0, 1, 2, 3]]
    assert ours.clusters(graph, 0.7, [(0, 3)]) == [[0, 1], [2, 3]]


def test_many_texts_are_cut_tighter() -> None:
    assert (ours.cut_for(30_000), ours.cut_for(30_001)) == (0.70, 0.75)


SINGULARS = [
    ("passwords", "password"),
    ("policies", "policy"),
    ("address", "address"),
    ("status", "status"),
    ("boxes", "boxe"),
    ("bus", "bus"),
]


@pytest.mark.parametrize(("word", "stem"), SINGULARS)
def test_english_words_lose_their_plural(word: str, stem: str) -> None:
    assert singular(word) == stem


def test_features_weigh_words_over_their_grams_and_pairs_over_characters() -> None:
    english, chinese = features("the password"), features("发票")
    assert english["password"] == 1.0 > english["~^pa"] > 0
    assert english["the"] < 1.0
    assert chinese == {"发": 0.6, "票": 0.6, "发票": 1.0}


def test_frequencies_survive_being_kept() -> None:
    found = count(["reset password", "change password", "发票"])
    kept = Frequencies.from_json(found.to_json())
    assert kept is not None
    assert kept.version == found.version
    assert [kept.idf(word) for word in ("password", "reset", "unseen")] == [
        found.idf(word) for word in ("password", "reset", "unseen")
    ]


@pytest.mark.parametrize(
    "value", [None, [], {}, {"schema": 99}, {"schema": 1, "texts": 3, "counts": {"a": "b"}}, {"schema": 1, "texts": "x"}]
)
def test_a_snapshot_of_another_shape_is_no_snapshot(value: object) -> None:
    assert Frequencies.from_json(value) is None


def test_an_empty_row_stays_empty() -> None:
    from scipy.sparse import csr_array

    matrix = unit(csr_array(np.array([[3.0, 4.0], [0.0, 0.0], [0.0, 2.0]], np.float64)))
    assert np.allclose(matrix.toarray(), np.array([[0.6, 0.8], [0.0, 0.0], [0.0, 1.0]]))


@settings(max_examples=100, deadline=None)
@given(st.integers(5, 40), st.integers(0, 10_000), st.sampled_from([0.6, 0.7, 0.8]))
def test_parts_of_the_graph_are_linked_as_the_whole_would_be(size: int, seed: int, cut: float) -> None:
    rng = np.random.default_rng(seed)
    whole = dense_graph(np.round(rng.uniform(0.5, 1, (size, size)), 2))
    some = rng.uniform(0, 1, len(whole.first)) < 3 / size
    graph = Graph(size, whole.first[some], whole.second[some], whole.cosine[some])
    apart = [(int(a), int(b)) for a, b in rng.integers(0, size, (size // 3, 2)) if a < b]
    joined = ours.of_part(zip(graph.first.tolist(), graph.second.tolist(), graph.cosine.tolist(), strict=True), apart, cut)
    assert ours.clusters(graph, cut, apart) == joined


def test_a_graph_without_pairs_has_no_clusters() -> None:
    nothing = np.zeros(0, np.int32)
    assert ours.clusters(Graph(3, nothing, nothing, np.zeros(0)), 0.7) == []
    assert ours.clusters(Graph(0, nothing, nothing, np.zeros(0)), 0.7) == []


def test_vectors_in_pieces_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = sorted({" ".join(random.Random(number).sample(WORDS, 4)) for number in range(90)})
    whole = vectors(texts, count(texts))
    monkeypatch.setattr("mfgit.scan.features.ROWS", 7)
    pieces = vectors(texts, count(texts))
    assert (whole.matrix != pieces.matrix).nnz == 0
    assert similar_pairs(whole).first.tolist() == similar_pairs(pieces).first.tolist()
