"""A scan on a Dask cluster finds what one process finds, and says in a sentence why it cannot; on real clusters."""

import os
import random
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason='needs pip install "mfgit[dask]"')

from mfgit.errors import BadInput
from mfgit.scan import scheduler, shards
from mfgit.scan.features import Vectors, count, vectors
from mfgit.scan.graph import Graph, similar_pairs
from tests.builders import Workbench
from tests.clusters import Cluster, cluster
from tests.test_scan_command import EN, ZH, archive, line, scan

WORDS = [
    "reset",
    "change",
    "password",
    "invoice",
    "address",
    "account",
    "card",
    "order",
    "refund",
    "修改",
    "发票",
    "地址",
    "退款",
]


def questions(number: int, seed: int = 3) -> Vectors:
    rng = random.Random(seed)
    texts = sorted({" ".join(rng.sample(WORDS, 3)) + f" zebra{rng.randrange(number)}" for _ in range(number)})
    return vectors(texts, count(texts))


def same(one: Graph, other: Graph) -> bool:
    return [column.tolist() for column in one[1:]] == [column.tolist() for column in other[1:]]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a cluster of two workers."""
    with cluster(tmp_path_factory.mktemp("dask") / "pair") as found:
        found.work("one", "two")
        yield found


def test_shards_have_each_feature_once_and_do_not_mind_the_others() -> None:
    names = [f"feature {number}" for number in range(500)]
    shards = scheduler.columns_of(names, 7)
    assert sorted(column for shard in shards for column in shard.tolist()) == list(range(500))
    assert max(map(len, shards)) < 3 * min(map(len, shards))
    assert scheduler.columns_of(names[:1], 7)[0].tolist() == [0]
    assert scheduler.columns_of([], 7) == []


def test_a_cluster_finds_the_graph_of_one_process(pair: Cluster) -> None:
    found = questions(3000)
    with scheduler.connected(pair.address) as there:
        graph = there.find(found)
        assert same(graph, similar_pairs(found))
        assert len(graph.first) > 1000
        nothing = vectors(["alone"], count(["alone"]))
        assert same(there.find(nothing), similar_pairs(nothing))


def test_what_is_proposed_is_the_same(bench: Workbench, pair: Cluster) -> None:
    turns = [line(number, text, rating="up") for number, text in enumerate(EN)]
    turns += [line(10 + number, text, "不清楚", rating="down") for number, text in enumerate(ZH)]
    archive(bench, *turns)
    window = ("--dry-run", "--until", "2100-01-01", "--days", "36500")
    here = scan(bench, *window)
    assert here["proposals"]
    assert scan(bench, *window, "--scheduler", pair.address) == here
    settings = (bench.path / "mfgit.toml").read_text("utf-8")
    bench.write({"mfgit.toml": f'{settings}\n[scan]\nscheduler = "tcp://127.0.0.1:{closed_port()}"\n'})
    assert bench.mfgit("scan", "--dry-run").code == 2
    assert scan(bench, *window, "--scheduler", "") == here


def test_a_worker_that_is_killed_on_the_way_is_replaced(tmp_path: Path) -> None:
    found = questions(6000)
    with cluster(tmp_path / "dask") as two:
        two.work("one")

        def kill_one(what: str, done: int, total: int) -> None:
            if done == 1 and len(two.workers) == 1:
                two.work("two")  # joins after the rows were sent
            if done >= 2 and two.workers[0].poll() is None:  # two may be done at once
                two.workers[0].kill()
                assert two.workers[0].wait() == -9

        with scheduler.connected(two.address, kill_one) as there:
            assert same(there.find(found), similar_pairs(found))
        assert two.workers[0].poll() == -9


class Listening:
    """A client that notes what is sent."""

    def __init__(self, client: Any) -> None:
        self.client, self.sent = client, b""

    def submit(self, function: Any, *given: Any, **options: Any) -> Any:
        import cloudpickle

        self.sent += cloudpickle.dumps((function, *(each for each in given if not hasattr(each, "key"))))
        return self.client.submit(function, *given, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)


def test_no_word_of_anyone_is_sent(pair: Cluster) -> None:
    with scheduler.connected(pair.address) as there:
        there.client = ears = Listening(there.client)
        there.find(questions(200))
    assert len(ears.sent) > 10_000
    assert b"numpy" in ears.sent
    for word in ("zebra", "password", "invoice", "refund", "修改", "发票"):
        assert word.encode() not in ears.sent


def refused(address: str) -> str:
    with pytest.raises(BadInput) as told, scheduler.connected(address) as there:
        there.find(questions(200))
    assert told.value.hint
    return told.value.message


def closed_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:{port}", "127.0.0.1:{port}", "nonsense://127.0.0.1:{port}", "tcp://", "???"]
)
def test_a_scheduler_that_is_not_there_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "CONNECT", 0.5)
    place = address.format(port=closed_port())
    assert refused(place).startswith(f"The Dask scheduler {place} cannot be reached: ")


def test_a_scheduler_without_workers_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "WORKERS", 0.5)
    monkeypatch.setattr(scheduler, "LOOK", 0.2)
    with cluster(tmp_path / "dask") as empty:
        assert refused(empty.address) == f"The Dask scheduler {empty.address} has no worker."
        empty.work("one")
        monkeypatch.setattr(scheduler, "WORKERS", 30.0)
        with scheduler.connected(empty.address) as there:
            monkeypatch.setattr(scheduler, "WORKERS", 0.5)
            empty.workers[0].kill()
            empty.workers[0].wait()
            with pytest.raises(BadInput, match=re.escape(f"{empty.address} has no worker")):
                there.find(questions(200))


def test_a_scheduler_that_goes_away_is_named(tmp_path: Path) -> None:
    with cluster(tmp_path / "dask") as one:
        one.work("one")

        def end(what: str, done: int, total: int) -> None:
            one.scheduler.kill()
            one.scheduler.wait()

        with pytest.raises(BadInput, match="was lost on the way"), scheduler.connected(one.address, end) as there:
            there.find(questions(2000))


def test_a_worker_with_another_version_is_named(tmp_path: Path) -> None:
    other = tmp_path / "other" / "scipy-0.1.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: scipy\nVersion: 0.1\n", encoding="utf-8")
    with cluster(tmp_path / "dask") as one:
        one.work("old", env={"PYTHONPATH": str(other.parent)})
        assert re.match(r"tcp://127.0.0.1:\d+ has scipy 0\.1, and this computer \d", refused(one.address))


def test_a_late_worker_with_another_version_is_named() -> None:
    late = scheduler.Cluster(None, "tcp://host:8786")
    with pytest.raises(BadInput, match=re.escape("tcp://host:8786 has numpy 1.0, and this computer")):
        late.check({**shards.versions(), "numpy": "1.0"})


def test_tls_is_set_up_as_for_any_dask_client(tmp_path: Path, bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    files = {"CA_FILE": certificate, "CLIENT__CERT": certificate, "CLIENT__KEY": key}
    archive(bench, *[line(number, text) for number, text in enumerate(EN)])
    options = ("--tls-ca-file", str(certificate), "--tls-cert", str(certificate), "--tls-key", str(key))
    with cluster(tmp_path / "dask", *options) as guarded:
        assert guarded.address.startswith("tls://")
        guarded.work("one")
        command = [sys.executable, "-m", "mfgit", "-C", str(bench.path), "scan", "--dry-run", "--scheduler", guarded.address]
        tls = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(path) for name, path in files.items()}
        ran = subprocess.run(command, env={**os.environ, **tls}, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, "")
        monkeypatch.setattr(scheduler, "CONNECT", 0.5)
        assert refused(guarded.address).startswith(f"The Dask scheduler {guarded.address} cannot be reached: ")
