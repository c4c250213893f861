"""The graph of a scan on a Dask cluster: shards by feature hash, whose union is exactly the graph that one process finds.

A worker is sent the unit vectors as numbers, which of their columns are its own, and the code of `shards`; never a word of
anyone. It needs Dask, NumPy and SciPy of the same versions, and not mfgit; the scheduler needs Dask alone, so it gets bytes.
The rows travel as a task and not as scattered data, since the scheduler gives a task to another worker when one is lost,
while scattered data is lost with its worker.
"""

import gc
import logging
import operator
import pickle
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from mfgit.errors import BadInput, not_installed
from mfgit.model import Progress, quiet
from mfgit.scan import shards
from mfgit.scan.features import Vectors
from mfgit.scan.graph import THRESHOLD, Graph, prefixes, united
from mfgit.scan.shards import Integers, Pairs

CONNECT, WORKERS, LOOK = 10.0, 30.0, 5.0
"""Seconds to wait for the scheduler and for a worker (the first, or another once all are lost), and between two looks."""
SHARDS_A_THREAD = 4
SAME = ("dask", "distributed", "cloudpickle", "numpy", "scipy")
"""Libraries that must have one version everywhere; of Python major and minor number must agree."""


class Cluster:
    """A Dask cluster that finds the pairs of a scan; `find` may be called several times."""

    def __init__(self, client: Any, address: str, progress: Progress = quiet) -> None:
        self.client = client
        self.address = address
        self.progress = progress

    def find(self, vectors: Vectors) -> Graph:
        """Return every pair of rows whose cosine is at least the threshold, as `similar_pairs` does."""
        with trouble(self.address), self.client.as_current():
            return self.united(vectors)

    def united(self, vectors: Vectors) -> Graph:
        """Return the union of the shards."""
        matrix, prefix = vectors.matrix, prefixes(vectors.matrix)
        parts = columns_of(vectors.features, SHARDS_A_THREAD * max(1, sum(self.client.nthreads().values())))
        rows = pickle.dumps((matrix.data, matrix.indices, matrix.indptr, prefix.indices, prefix.indptr), 5)
        sent = self.client.submit(pickle.loads, rows, pure=False)
        code = self.client.submit(pickle.loads, packed(), pure=False)
        futures = [self.client.submit(operator.call, code, sent, part.tobytes(), THRESHOLD, pure=False) for part in parts]
        return united(matrix.shape[0], list(self.results(futures)))

    def results(self, futures: Sequence[Any]) -> Iterator[Pairs]:
        """Yield what each shard found; raises `BadInput` when all workers are gone and none comes."""
        from distributed import wait

        left, alone = set(futures), 0.0
        while left:
            self.progress("Comparing on the cluster", len(futures) - len(left), len(futures))
            try:
                done = wait(left, timeout=LOOK, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                alone = 0.0 if self.client.nthreads() else alone + LOOK
                if alone >= WORKERS:
                    raise no_worker(self.address) from None
                continue
            left -= done
            for future in done:
                found, pairs = future.result()
                self.check(found)
                yield pairs

    def check(self, found: dict[str, str]) -> None:
        """Raise `BadInput` for a shard of other versions: its worker came after the first look."""
        here = shards.versions()
        for name in ("numpy", "scipy"):
            if found[name] != here[name]:
                raise other_version(self.address, name, found[name], here[name])


def packed() -> bytes:
    """Return the code of a shard, all of it and not its name, so that `pickle.loads` makes it where mfgit is not."""
    import cloudpickle

    cloudpickle.register_pickle_by_value(shards)
    try:
        found: bytes = cloudpickle.dumps(shards.shard)
    finally:
        cloudpickle.unregister_pickle_by_value(shards)
    return found


def columns_of(features: Sequence[str], count: int) -> list[Integers]:
    """Return the columns of each of `count` shards, by a hash of the feature; shards without a column are left out."""
    names = (zlib.crc32(feature.encode("utf-8", "surrogatepass")) % count for feature in features)
    places = np.fromiter(names, np.int32, len(features))
    return [columns for number in range(count) if len(columns := np.flatnonzero(places == number).astype(np.int32))]


@contextmanager
def connected(address: str, progress: Progress = quiet) -> Iterator[Cluster]:
    """Give a cluster by the address of its scheduler, with the TLS settings that Dask reads from its configuration.

    Raises `BadInput` when Dask is missing, the scheduler or its workers cannot be reached or are lost on the way, and
    when their versions differ.
    """
    try:
        from distributed import Client
    except ImportError:
        raise not_installed("--scheduler needs Dask's distributed scheduler", "dask") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of versions, which are looked at below, and of the size of the rows
        with reached(Client, address) as client:
            check_versions(client, address)
            yield Cluster(client, address, progress)


@contextmanager
def reached(make: Any, address: str) -> Iterator[Any]:
    """Give a client of a scheduler that has a worker."""
    client, why = None, ""
    try:
        client = make(address, timeout=CONNECT, set_as_default=False, name="mfgit-scan")
    except (OSError, ValueError, TypeError) as error:
        why = first_line(error)
    if client is None:
        gc.collect()  # now: what is left of the client, freed while another one starts, would wait for it for ever
        raise BadInput(
            f"The Dask scheduler {address} cannot be reached: {why}.",
            "Check the address (like tcp://host:8786, or tls:// with Dask's TLS settings), or scan without --scheduler.",
        )
    try:
        try:
            client.wait_for_workers(1, timeout=WORKERS)
        except TimeoutError:
            raise no_worker(address) from None
        yield client
    finally:
        client.close(timeout=2)


@contextmanager
def trouble(address: str) -> Iterator[None]:
    """Turn what goes wrong on the cluster into one sentence."""
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    try:
        yield
    except (CancelledError, OSError) as error:
        raise BadInput(
            f"The Dask scheduler {address} was lost on the way: {first_line(error)}.",
            "Nothing was written; run the scan again, or without --scheduler.",
        ) from None
    except KilledWorker:
        raise BadInput(
            f"Workers of {address} died again and again at the same shard.",
            "Give them more memory, or scan without --scheduler.",
        ) from None
    except MemoryError:
        raise BadInput(f"A worker of {address} has too little memory.", "Give it more, or scan without --scheduler.") from None


def check_versions(client: Any, address: str) -> None:
    """Raise `BadInput` when the scheduler or a worker runs other versions than this process."""
    found = client.get_versions(packages=["scipy"])
    here = found["client"]["packages"]
    for place, packages in (
        (address, found["scheduler"]["packages"]),
        *((name, worker["packages"]) for name, worker in found["workers"].items()),
    ):
        minor, other = (".".join(str(each["python"]).split(".")[:2]) for each in (here, packages))
        if minor != other:
            raise other_version(place, "Python", other, minor)
        for name in SAME:
            if packages.get(name) != here.get(name) and not (place == address and name in ("numpy", "scipy")):
                raise other_version(place, name, packages.get(name), here.get(name))


def other_version(place: str, name: str, there: str | None, here: str | None) -> BadInput:
    """Return that a version differs."""
    has = f"has {name} {there}" if there else f"has no {name}"
    return BadInput(
        f"{place} {has}, and this computer {here}.",
        "Install the same versions there (mfgit itself is not needed), or scan without --scheduler.",
    )


def no_worker(address: str) -> BadInput:
    """Return that a scheduler has no worker."""
    return BadInput(
        f"The Dask scheduler {address} has no worker.", f"Start one: dask worker {address}. Or scan without --scheduler."
    )


def first_line(error: BaseException) -> str:
    """Return an error in one line."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")[:200]
