"""Vectors from an endpoint that behaves well and badly, and from a model on this disk."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mfgit import backends
from mfgit.backends.embedding import HttpEmbedder
from mfgit.backends.local import LocalEmbedder
from mfgit.backends.protocols import BackendError, NullEmbedder
from mfgit.errors import BadInput
from mfgit.sections import VectorConfig
from tests import models
from tests.models import Answer


def settings(url: str, **more: Any) -> VectorConfig:
    return VectorConfig(url=url, model="test-embed", retries=1, **more)


def test_without_settings_there_are_no_vectors() -> None:
    found = backends.open_embedder(VectorConfig())
    assert isinstance(found, NullEmbedder)
    assert (found.name, found.embed(["a", "b"])) == ("", [[], []])


def test_texts_go_out_in_batches_and_come_back_in_order() -> None:
    texts = [f"word{number} 退款" for number in range(10)]
    with models.serving(lambda _, asked: models.vectors(asked["input"])) as running:
        found = backends.open_embedder(settings(running.url, batch=4)).embed(texts)
    assert [len(asked["input"]) for asked in running.asked] == [4, 4, 2]
    assert {asked["model"] for asked in running.asked} == {"test-embed"}
    assert running.paths == ["/v1/embeddings"] * 3
    for text, vector in zip(texts, found, strict=True):
        raw = models.vector(text)
        assert vector == pytest.approx([number / math.hypot(*raw) for number in raw])


def test_a_prefix_stands_before_each_text_and_in_the_name() -> None:
    with models.serving(lambda _, asked: models.vectors(asked["input"])) as running:
        embedder = backends.open_embedder(settings(running.url, prefix="query: "))
        embedder.embed(["refund", ""])
    assert running.asked[0]["input"] == ["query: refund", "query: "]
    assert embedder.name == "test-embed 'query: '"


def test_no_texts_are_no_request() -> None:
    with models.serving(lambda *_: Answer(status=500)) as running:
        assert HttpEmbedder(settings(running.url), {}).embed([]) == []
    assert not running.asked


def entry(index: Any, embedding: Any) -> dict[str, Any]:
    return {"index": index, "embedding": embedding}


@pytest.mark.parametrize(
    "data",
    [
        None,
        "vectors",
        [],
        [entry(0, [1.0])],
        [entry(0, [1.0]), entry(0, [1.0])],
        [entry(0, [1.0]), entry(2, [1.0])],
        [entry(0, [1.0]), entry(True, [1.0])],
        [entry(0, [1.0]), entry("1", [1.0])],
        [entry(0, [1.0]), entry(1, "AAAA")],
        [entry(0, [1.0]), entry(1, [True])],
        [entry(0, [1.0]), entry(1, [None])],
        [entry(0, [1.0]), entry(1, [0.0])],
        [entry(0, [1.0]), entry(1, [])],
        [entry(0, [1.0]), entry(1, [float("nan")])],
        [entry(0, [1.0]), entry(1, [float("inf")])],
        [entry(0, [1.0]), entry(1, [10**400])],
        [entry(0, [1.0]), [1.0]],
        [entry(0, [1.0]), entry(1, [1.0]), entry(2, [1.0])],
    ],
    ids=str,
)
def test_anything_but_one_vector_for_each_text_is_refused(data: Any) -> None:
    body = json.dumps({"data": data}).encode()
    with models.serving(lambda *_: Answer(body)) as running, pytest.raises(BackendError, match="one vector for each text"):
        HttpEmbedder(settings(running.url), {}).embed(["a", "b"])


@pytest.mark.parametrize("body", [b"[]", b"null", b'"x"', b"{}"], ids=str)
def test_an_answer_of_another_shape_is_refused(body: bytes) -> None:
    with models.serving(lambda *_: Answer(body)) as running, pytest.raises(BackendError, match="one vector for each text"):
        HttpEmbedder(settings(running.url), {}).embed(["a"])


def test_vectors_of_several_dimensions_are_refused() -> None:
    def reply(running: models.Endpoint, asked: dict[str, Any]) -> Answer:
        return models.vectors(asked["input"], lambda _: [1.0] * (1 + len(running.asked)))

    with models.serving(reply) as running, pytest.raises(BackendError, match="several dimensions"):
        HttpEmbedder(settings(running.url, batch=1), {}).embed(["a", "b"])


def test_an_endpoint_without_a_model_is_bad_input() -> None:
    with pytest.raises(BadInput, match=r"vector\.model is not set"):
        backends.open_embedder(VectorConfig(url="http://localhost:1/v1"))


# ---- a model on this disk


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small real model2vec model that knows a few words of both languages."""
    from model2vec import StaticModel
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    words = ["[UNK]", "refund", "reimburse", "ship", "退款", "退钱", "发货"]
    directions = [(0, 0, 0), (1, 0, 0), (0.9, 0.1, 0), (0, 1, 0), (0.95, 0, 0.05), (0.9, 0, 0.1), (0, 0.9, 0.1)]
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    folder = tmp_path_factory.mktemp("models") / "tiny"
    StaticModel(np.array(directions, dtype=np.float32), tokenizer).save_pretrained(folder)
    return folder


def cosine(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_a_local_model_knows_what_means_the_same(model: Path) -> None:
    embedder = backends.open_embedder(VectorConfig(model=str(model)))
    refund, reimburse, ship, chinese = embedder.embed(["refund", "reimburse", "ship", "退款"])
    assert cosine(refund, reimburse) > 0.95
    assert cosine(refund, chinese) > 0.95
    assert cosine(refund, ship) < 0.1
    assert embedder.embed(["refund"]) == [refund]
    assert embedder.embed([]) == []


def test_a_text_of_unknown_words_has_no_direction(model: Path) -> None:
    assert backends.open_embedder(VectorConfig(model=str(model))).embed(["zzz"]) == [[0.0, 0.0, 0.0]]


def test_a_model_is_told_by_its_files(model: Path, tmp_path: Path) -> None:
    other = tmp_path / model.name
    other.mkdir()
    for file in model.iterdir():
        (other / file.name).write_bytes(file.read_bytes())
    first = LocalEmbedder(VectorConfig(model=str(model)))
    assert first.name == LocalEmbedder(VectorConfig(model=str(other))).name
    assert first.name != LocalEmbedder(VectorConfig(model=str(model), prefix="q: ")).name
    (other / "config.json").write_text("{}")
    assert first.name != LocalEmbedder(VectorConfig(model=str(other))).name


@pytest.mark.parametrize("name", ["minishlab/potion-multilingual-128M", "/nowhere", "relative/model"])
def test_a_model_that_is_not_there_is_never_fetched(name: str) -> None:
    with pytest.raises(BadInput, match="no folder with a model"):
        backends.open_embedder(VectorConfig(model=name))


def test_a_damaged_model_is_named(model: Path, tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"no tensors")
    with pytest.raises(BackendError, match="cannot be used as a model2vec model"):
        backends.open_embedder(VectorConfig(model=str(tmp_path))).embed(["refund"])
