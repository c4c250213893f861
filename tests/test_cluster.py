"""Requests to a search cluster: tried again where that helps, refused in a sentence where it doesn't, nothing lost between."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mfgit.errors import BadInput, MfgitError
from mfgit.index import cluster
from mfgit.index.cluster import Cluster, Gone, Login, Unavailable
from tests.opensearch import BUSY, Fault, Server, serving

MAPPINGS = {"mappings": {"properties": {"text": {"type": "text"}, "number": {"type": "long"}}}}
ALL = {"range": {"number": {"gte": 0, "lt": 99}}}
SHARDS_FAILED = {
    "took": 2,
    "timed_out": False,
    "_shards": {
        "total": 2,
        "successful": 1,
        "skipped": 0,
        "failed": 1,
        "failures": [{"shard": 1, "reason": {"type": "no_shard_available_action_exception", "reason": "secret words"}}],
    },
    "hits": {"hits": []},
}
PARSE = {
    "error": {
        "root_cause": [{"type": "parsing_exception", "reason": "unknown query [secret]", "line": 1, "col": 30}],
        "type": "parsing_exception",
        "reason": "unknown query [secret]",
    },
    "status": 400,
}
FULL = {
    "error": {
        "root_cause": [{"type": "cluster_block_exception", "reason": "index [x] blocked by: [TOO_MANY_REQUESTS/12/disk usage"}],
        "type": "cluster_block_exception",
        "reason": "index [x] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark]",
    },
    "status": 403,
}


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as found:
        yield found


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def client(server: Server, waits: list[float]) -> Cluster:
    found = Cluster(Login(server.url, "mfgit", "a pass:word"), waits.append)
    found.ask("PUT", "/things", MAPPINGS)
    return found


def documents(count: int) -> list[tuple[str, dict[str, Any]]]:
    return [(str(number), {"text": f" word{number} ", "number": number}) for number in range(count)]


def test_every_request_says_who_asks(server: Server, client: Cluster) -> None:
    sent = server.asked[-1][2]["Authorization"]
    assert base64.b64decode(sent.removeprefix("Basic ")).decode() == "mfgit:a pass:word"
    Cluster(Login(server.url, token="a-token")).ask("GET", "/")
    assert server.asked[-1][2]["Authorization"] == "Bearer a-token"


@pytest.mark.parametrize(
    ("fault", "waited"),
    [
        pytest.param(Fault("/", 429, BUSY), 0.2, id="busy"),
        pytest.param(Fault("/", 429, BUSY, {"Retry-After": "3"}), 3.0, id="busy-and-says-until-when"),
        pytest.param(Fault("/", 429, BUSY, {"Retry-After": "86400"}), cluster.LONGEST_WAIT, id="busy-for-a-day"),
        pytest.param(Fault("/", 503, "<html>Service Unavailable</html>"), 0.2, id="a-proxy-without-its-cluster"),
        pytest.param(Fault("/", 0), 0.2, id="connection-lost"),
    ],
)
def test_what_may_succeed_later_is_tried_again(
    server: Server, client: Cluster, waits: list[float], fault: Fault, waited: float
) -> None:
    server.faults += [fault, fault]
    assert client.ask("GET", "/")["version"]["number"] == "3.1.0"
    assert waits[0] == waited
    assert len(waits) == 2


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        pytest.param(Fault("_search", 400, PARSE), "status 400, parsing_exception", id="refused"),
        pytest.param(Fault("_search", 401, "Unauthorized"), "refuses the login", id="no-login"),
        pytest.param(Fault("_search", 403, FULL), "status 403, cluster_block_exception", id="disk-full"),
        pytest.param(Fault("_search", 200, SHARDS_FAILED), "in part only", id="a-shard-failed"),
        pytest.param(Fault("_search", 200, {"timed_out": True, "hits": {"hits": []}}), "in part only", id="timed-out"),
        pytest.param(Fault("_search", 200, '{"hits": {"hi'), "no JSON", id="cut-off"),
        pytest.param(Fault("_search", 500, {"error": "secret", "status": 500}), "status 500", id="broken"),
    ],
)
def test_what_cannot_succeed_is_one_sentence_without_what_was_asked(
    server: Server, client: Cluster, fault: Fault, said: str
) -> None:
    server.faults.append(fault)
    with pytest.raises(MfgitError, match=said) as error:
        client.ask("POST", "/things/_search", {"size": 1, "query": ALL})
    assert "secret words" not in str(error.value)
    assert "a pass:word" not in str(error.value)


def test_it_gives_up_when_nothing_helps(server: Server, client: Cluster, waits: list[float]) -> None:
    server.faults += [Fault("/", 429, BUSY)] * cluster.TRIES
    with pytest.raises(Unavailable, match="status 429, rejected_execution_exception"):
        client.ask("GET", "/")
    assert len(waits) == cluster.TRIES - 1


def test_a_cluster_that_is_not_there_is_named(waits: list[float]) -> None:
    with serving() as gone:
        pass
    with pytest.raises(Unavailable, match="cannot be asked") as error:
        Cluster(Login(gone.url), waits.append).ask("GET", "/")
    assert cluster.URL in error.value.hint


def test_an_index_that_is_not_there_is_no_sentence_but_a_sign(client: Cluster) -> None:
    with pytest.raises(Gone):
        client.ask("POST", "/other/_search", {"size": 1, "query": ALL})


def test_documents_that_are_turned_away_are_sent_again_and_they_alone(
    server: Server, client: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "MOST_BYTES", 200)
    server.rejected = {"3", "7"}
    server.faults += [Fault("_bulk", 429, BUSY), Fault("_bulk", 0)]
    client.bulk("things", documents(10))
    client.ask("POST", "/things/_refresh")
    hits = client.ask("POST", "/things/_search", {"size": 99, "query": ALL})["hits"]["hits"]
    assert [hit["_id"] for hit in hits] == [str(number) for number in range(10)]
    assert sum(path.endswith("_bulk") for _, path, _ in server.asked) > 4


def test_a_document_that_is_refused_for_good_stops_all(client: Cluster) -> None:
    with pytest.raises(Unavailable, match=r"does not take a document \(strict_dynamic_mapping_exception\)"):
        client.bulk("things", [("1", {"text": "", "number": 1, "other": 1})])


def test_documents_that_nobody_speaks_of_are_not_taken_for_stored(server: Server, client: Cluster) -> None:
    server.faults.append(Fault("_bulk", 200, {"took": 1, "errors": False, "items": []}))
    with pytest.raises(Unavailable, match="did not say what became of 3 documents"):
        client.bulk("things", documents(3))


def test_documents_that_are_always_turned_away_are_counted(server: Server, client: Cluster) -> None:
    item = {"index": {"_id": "0", "status": 429, "error": {"type": "rejected_execution_exception"}}}
    server.faults += [Fault("_bulk", 200, {"errors": True, "items": [item]})] * cluster.TRIES
    with pytest.raises(Unavailable, match=f"turned 1 documents away {cluster.TRIES} times"):
        client.bulk("things", documents(1))


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        pytest.param({}, "is not set", id="nothing"),
        pytest.param({"URL": "search.example.com"}, "not the address of a server", id="no-scheme"),
        pytest.param({"URL": "https://me:secret@search.example.com"}, "holds a login", id="login-in-the-address"),
        pytest.param({"URL": "http://search.example.com:9200"}, "plain http", id="plain-http"),
        pytest.param({"URL": "http://127.0.0.1.example.com:9200"}, "plain http", id="looks-like-loopback"),
    ],
)
def test_an_environment_that_says_too_little_or_too_much(said: dict[str, str], wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong) as error:
        cluster.login({f"MFGIT_OPENSEARCH_{name}": value for name, value in said.items()})
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("said", "url"),
    [
        pytest.param({"URL": "https://search.example.com/"}, "https://search.example.com", id="https"),
        pytest.param({"URL": "http://localhost:9200"}, "http://localhost:9200", id="this-machine"),
        pytest.param({"URL": "http://opensearch:9200", "PLAIN_HTTP": "true"}, "http://opensearch:9200", id="a-closed-network"),
    ],
)
def test_an_environment_that_says_enough(said: dict[str, str], url: str) -> None:
    who = cluster.login({f"MFGIT_OPENSEARCH_{name}": value for name, value in said.items()})
    assert who.url == url
    assert "@" not in who.host


def test_a_certificate_s_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=f"{cluster.CA} names .*none.pem"):
        Cluster(Login("https://localhost:1", ca=str(tmp_path / "none.pem")))


def test_batches_hold_every_document_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "MOST_BYTES", 300)
    every = documents(50)
    cut = list(cluster.batches(every))
    assert [each for batch in cut for each in batch] == every
    assert len(cut) > 5
    assert all(len(json.dumps(batch)) < 1000 for batch in cut)
