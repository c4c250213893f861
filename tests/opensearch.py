"""A server on loopback that answers as OpenSearch does, for the parts of its API that mfgit uses.

It scores as Lucene does, with lengths in a byte and averages over documents that have the field, and its errors are written as
the real API writes them. `faults` are answers that it gives in place of the next ones.
"""

import json
import math
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import urlsplit

Json = dict[str, Any]
BUSY = {
    "error": {
        "root_cause": [{"type": "rejected_execution_exception", "reason": "rejected execution of coordinating operation"}],
        "type": "rejected_execution_exception",
        "reason": "rejected execution of coordinating operation [coordinating_and_primary_bytes=104759862]",
    },
    "status": 429,
}
BUSY_ITEM = {
    "type": "rejected_execution_exception",
    "reason": "rejected execution of primary operation [coordinating_and_primary_bytes=1, replica_bytes=0]",
}


class Fault(NamedTuple):
    """An answer in place of the next one to a path: a status, a body, and headers; status 0 closes the connection."""

    path: str
    status: int
    body: Any = None
    headers: dict[str, str] = {}  # noqa: RUF012 - never written to


def rounded(length: int) -> int:
    """Return a length as Lucene keeps it: 24 and what is above with four bits."""
    shift = max(0, (length - 24).bit_length() - 4) if length > 24 else 0
    return length if length <= 24 else 24 + ((length - 24) >> shift << shift)


class Server:
    """The state of a cluster of one node."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.indexes: dict[str, dict[str, Json]] = {}
        self.fresh: dict[str, dict[str, Json]] = {}
        self.fields: dict[str, Json] = {}
        self.aliases: dict[str, set[str]] = {}
        self.faults: list[Fault] = []
        self.rejected: set[str] = set()
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.url = ""
        self.lock = threading.Lock()

    def answer(self, method: str, path: str, data: bytes) -> tuple[int, Any]:
        """Return the status and the body of an answer."""
        where = urlsplit(path).path
        parts = where.strip("/").split("/")
        if where == "/":
            return 200, {"version": {"distribution": "opensearch", "number": self.version}}
        if parts[0] == "_alias":
            held = self.aliases.get(parts[1], set())
            missing = {"error": f"alias [{parts[1]}] missing", "status": 404}
            return (200, {index: {"aliases": {parts[1]: {}}} for index in held}) if held else (404, missing)
        if parts[0] == "_aliases":
            return self.move(json.loads(data)["actions"])
        index, action = parts[0], parts[1] if len(parts) > 1 else method
        if action == "PUT":
            return self.create(index, json.loads(data))
        if index not in self.indexes:
            reason = {"type": "index_not_found_exception", "reason": f"no such index [{index}]", "index": index}
            return 404, {"error": {"root_cause": [reason], **reason}, "status": 404}
        if action == "DELETE":
            del self.indexes[index], self.fresh[index]
            return 200, {"acknowledged": True}
        if action == "_bulk":
            return 200, self.bulk(index, data.decode().splitlines())
        if action == "_refresh":
            self.indexes[index].update(self.fresh[index])
            return 200, {"_shards": {"total": 2, "successful": 1, "failed": 0}}
        return 200, self.search(index, json.loads(data))

    def create(self, index: str, body: Json) -> tuple[int, Json]:
        """Make an index."""
        assert body["mappings"]["properties"].keys() >= {"text", "number"}
        self.indexes[index], self.fresh[index] = {}, {}
        self.fields[index] = body["mappings"]["properties"]
        return 200, {"acknowledged": True, "shards_acknowledged": True, "index": index}

    def move(self, actions: list[Json]) -> tuple[int, Json]:
        """Move aliases, all or none."""
        for action in actions:
            (name, value), *_ = action.items()
            held = self.aliases.setdefault(value["alias"], set())
            held.add(value["index"]) if name == "add" else held.discard(value["index"])
        return 200, {"acknowledged": True}

    def bulk(self, index: str, lines: list[str]) -> Json:
        """Store documents; those of `rejected` are turned away once."""
        items = []
        for head, body in zip(lines[::2], lines[1::2], strict=True):
            name, source = json.loads(head)["index"]["_id"], json.loads(body)
            if name in self.rejected:
                self.rejected.remove(name)
                items.append({"index": {"_index": index, "_id": name, "status": 429, "error": BUSY_ITEM}})
            elif unknown := source.keys() - self.fields[index].keys():
                error = {"type": "strict_dynamic_mapping_exception", "reason": f"introduction of [{unknown}] is not allowed"}
                items.append({"index": {"_index": index, "_id": name, "status": 400, "error": error}})
            else:
                self.fresh[index][name] = source
                items.append({"index": {"_index": index, "_id": name, "status": 201, "result": "created"}})
        return {"took": 3, "errors": any("error" in item["index"] for item in items), "items": items}

    def search(self, index: str, body: Json) -> Json:
        """Return hits and aggregations."""
        documents = self.indexes[index]
        scored = [(name, self.score(documents, source, body["query"])) for name, source in documents.items()]
        found = [(name, score) for name, score in scored if score is not None]
        by_score = "_score" in body.get("sort", ())
        found.sort(key=lambda hit: (-hit[1] if by_score else 0, documents[hit[0]]["number"]))
        hits = [{"_index": index, "_id": name, "_score": score} for name, score in found[: body["size"]]]
        told = {name: self.aggregate([documents[hit] for hit, _ in found], what) for name, what in body.get("aggs", {}).items()}
        shards = {"total": 1, "successful": 1, "skipped": 0, "failed": 0}
        return {"took": 1, "timed_out": False, "_shards": shards, "hits": {"hits": hits}, "aggregations": told}

    def aggregate(self, found: list[Json], what: Json) -> Json:
        """Count documents by filters, or by the terms of a field."""
        if "filters" in what:
            named = what["filters"]["filters"]
            return {"buckets": {key: {"doc_count": sum(holds(each, query) for each in found)} for key, query in named.items()}}
        keys = sorted({term for each in found for term in each[what["terms"]["field"]]})
        return {"buckets": [{"key": key} for key in keys[: what["terms"]["size"]]]}

    def score(self, documents: dict[str, Json], source: Json, query: Json) -> float | None:
        """Return the score of a document, None where the query does not find it."""
        parts = query.get("bool", {"filter": [query]})
        if not all(holds(source, each) for each in parts.get("filter", ())):
            return None
        gains = [self.bm25(documents, source, *next(iter(each["term"].items()))) for each in parts.get("should", ())]
        return sum(gains) if any(gains) or not parts.get("minimum_should_match") else None

    def bm25(self, documents: dict[str, Json], source: Json, field: str, asked: Json) -> float:
        """Return what Lucene's BM25Similarity says of one term; before version 3 times 2.2."""
        texts = [terms for each in documents.values() if (terms := each[field].split())]
        count = sum(asked["value"] in terms for terms in texts)
        mine = source[field].split()
        weight = mine.count(asked["value"])
        idf = math.log(1 + (len(texts) - count + 0.5) / (count + 0.5))
        norm = 1.2 * (0.25 + 0.75 * rounded(len(mine)) / (sum(map(len, texts)) / max(1, len(texts)) or 1))
        old = 2.2 if self.version.startswith(("1.", "2.")) else 1.0
        return float(asked["boost"] * old * idf * weight / (weight + norm)) if weight else 0.0


def holds(source: Json, query: Json) -> bool:
    """Tell whether a document passes a filter."""
    if "range" in query:
        (field, limits), *_ = query["range"].items()
        return bool(limits["gte"] <= source[field] < limits["lt"])
    (kind, (field, value)), *_ = ((kind, next(iter(each.items()))) for kind, each in query.items())
    terms = source[field].split() if isinstance(source[field], str) else source[field]
    return any(term.startswith(value["value"]) if kind == "prefix" else term == value for term in terms)


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"
    state: Server

    def handle_any(self) -> None:
        """Answer a request."""
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        state = self.state
        with state.lock:
            state.asked.append((self.command, self.path, dict(self.headers)))
            fault = next((each for each in state.faults if re.search(each.path, self.path)), None)
            if fault is not None:
                state.faults.remove(fault)
                status, body, more = fault.status, fault.body, fault.headers
            else:
                (status, body), more = state.answer(self.command, self.path, data), {}
        if status == 0:
            self.close_connection = True
            self.connection.close()
            return
        said = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(said)), **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(said)

    do_GET = do_PUT = do_POST = do_DELETE = handle_any  # noqa: N815 - the names that http.server calls

    def log_request(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(version: str = "3.1.0") -> Iterator[Server]:
    """Run a cluster on a free port of loopback for as long as the context lasts."""
    state = Server(version)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"state": state}))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    state.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
