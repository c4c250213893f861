"""OpenSearch, for a cluster: `pip install 'mfgit[opensearch]'`, and the variables of `cluster`.

An index of the cluster holds our terms, apart by blanks, and no text: what is shown of a document stays beside the catalogue.
Each rebuild makes an index of its own, named by its folder; an alias moves to it in one step, for whoever looks at the cluster.
"""

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from mfgit import durable
from mfgit.index import forward
from mfgit.index.cluster import Cluster, Gone, connect, login
from mfgit.index.engine import SearchEngine
from mfgit.index.ranked import Ranked
from mfgit.index.searcher import Damaged, Searcher
from mfgit.index.shape import Row, Shape
from mfgit.index.view import K1, View

REMOTE = "remote"
"""The file of a folder that says where its documents are, and how many there are for sure."""
NUMBER = "number"
MOST = 10_000
"""Hits that a cluster returns at most (`index.max_result_window`)."""
AT_ONCE = 500
"""Counts in one request."""
BATCH = 2000
"""Documents that wait to be sent together."""
LONGEST = 8191
"""Characters of a term at most; longer ones are cut or left out by the cluster."""
SETTINGS = {
    "analysis": {
        "tokenizer": {"blanks": {"type": "whitespace", "max_token_length": LONGEST}},
        "analyzer": {"blanks": {"type": "custom", "tokenizer": "blanks"}},
    }
}


def names(place: Path) -> tuple[str, str]:
    """Return the name of the cluster's index for a folder, and of the alias for all that come after one another there."""
    here = f"{platform.node()} {place.parent.absolute()}".encode("utf-8", "surrogatepass")
    alias = f"mfgit-{hashlib.sha256(here).hexdigest()[:16]}"
    return f"{alias}-{hashlib.sha256(place.name.encode()).hexdigest()[:12]}", alias


def mappings(shape: Shape) -> dict[str, Any]:
    """Return the fields of an index."""
    text = {"type": "text", "analyzer": "blanks", "index_options": "freqs"}
    exact = {"type": "keyword", "ignore_above": LONGEST}
    fields = {**dict.fromkeys(shape.boosts, text), **dict.fromkeys(shape.exact, exact), NUMBER: {"type": "long"}}
    return {"dynamic": "strict", "_source": {"enabled": False}, "properties": fields}


class Remote:
    """An index of the cluster as its folder knows it."""

    def __init__(self, place: Path) -> None:
        self.path = place / REMOTE
        value = json.loads(self.path.read_bytes())
        self.url: str = value["url"]
        self.index: str = value["index"]
        self.alias: str = value["alias"]
        self.scale: float = value["scale"]
        self.total: int = value["total"]

    def write(self) -> None:
        """Keep what is known."""
        said = {"url": self.url, "index": self.index, "alias": self.alias, "scale": self.scale, "total": self.total}
        durable.replace(self.path, [json.dumps(said).encode()])


class OpenSearch:
    """The engine for a cluster."""

    def create(self, place: Path, shape: Shape) -> None:
        """Make an index without documents."""
        cluster = connect(login())
        version = cluster.ask("GET", "/").get("version", {})
        older = version.get("distribution") == "opensearch" and str(version.get("number")).partition(".")[0] in ("1", "2")
        index, alias = names(place)
        with suppress(Gone):
            cluster.ask("DELETE", f"/{index}")
        cluster.ask("PUT", f"/{index}", {"settings": SETTINGS, "mappings": mappings(shape)})
        forward.create(place)
        # from version 3 on, scores may lack the factor K1 + 1; to take it as lacking only asks for more candidates
        said = {"url": cluster.who.url, "index": index, "alias": alias, "scale": 1.0 if older else K1 + 1, "total": 0}
        (place / REMOTE).write_text(json.dumps(said), "utf-8")

    @contextmanager
    def writing(self, place: Path, shape: Shape) -> Iterator["Writer"]:
        """Yield a writer. Documents past the known total are those of a writer that was killed; they are written over."""
        remote, cluster = Remote(place), connect(login())
        texts = forward.Appender(place, tuple(shape.boosts), remote.total)
        writer = Writer(cluster, remote, texts, shape)
        try:
            yield writer
            writer.send()
            cluster.ask("POST", f"/{remote.index}/_refresh")
        except BaseException:
            texts.close(durable=False)
            raise
        texts.close(durable=True)
        remote.total = writer.total
        remote.write()

    def open(self, place: Path, shown: View, shape: Shape) -> Searcher | None:
        """Return a searcher, None when the index is damaged, in another cluster, or does not hold what the view names."""
        who = login()
        try:
            remote = Remote(place)
            if remote.url == who.url and remote.total > shown.last:
                texts = forward.Forward(place, tuple(shape.boosts), remote.total)
                return Ranked(Reader(connect(who), remote), texts, shown, shape.boosts)
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None

    def settle(self, place: Path) -> None:
        """Move the alias to this index, in one step."""
        remote, cluster = Remote(place), connect(login())
        try:
            before = list(cluster.ask("GET", f"/_alias/{remote.alias}"))
        except Gone:
            before = []
        actions = [{"remove": {"index": index, "alias": remote.alias}} for index in before if index != remote.index]
        cluster.ask("POST", "/_aliases", {"actions": [*actions, {"add": {"index": remote.index, "alias": remote.alias}}]})

    def drop(self, place: Path) -> None:
        """Delete the index from the cluster."""
        try:
            index = Remote(place).index
        except (OSError, ValueError, KeyError, TypeError):
            index = names(place)[0]
        with suppress(Gone):
            connect(login()).ask("DELETE", f"/{index}")


class Writer:
    """Hands rows to the cluster, some at a time, and to the documents' file."""

    def __init__(self, cluster: Cluster, remote: Remote, texts: forward.Appender, shape: Shape) -> None:
        self.cluster, self.remote, self.texts, self.shape = cluster, remote, texts, shape
        self.total = remote.total
        self.waiting: list[tuple[str, Mapping[str, Any]]] = []

    def add(self, row: Row) -> None:
        """Take one document."""
        exact = {name: [forward.clean(term) for term in row.terms[name]] for name in self.shape.exact}
        fields = {**self.texts.add(row.terms, row.kept), **exact, NUMBER: self.total}
        self.waiting.append((str(self.total), fields))
        self.total += 1
        if len(self.waiting) >= BATCH:
            self.send()

    def send(self) -> None:
        """Send what waits."""
        if self.waiting:
            self.cluster.bulk(self.remote.index, self.waiting)
            self.waiting = []


class Reader:
    """An open index of the cluster: its documents up to those that were there when it was opened."""

    most = MOST
    counts_empty = False

    def __init__(self, cluster: Cluster, remote: Remote) -> None:
        self.cluster, self.index = cluster, remote.index
        self.scale, self.total = remote.scale, remote.total
        self.expected: list[str] = []
        self.known: dict[tuple[str, str], int] = {}

    def search(self, body: Mapping[str, Any], options: str = "") -> Any:
        """Return the answer to a search; raises `Damaged` where the index is no longer there."""
        try:
            return self.cluster.ask(
                "POST", f"/{self.index}/_search{options}", {"_source": False, "track_total_hits": False, **body}
            )
        except Gone as error:
            raise Damaged(str(error)) from None

    def within(self, start: int = 0) -> dict[str, Any]:
        """Return the filter to the documents that count."""
        return {"range": {NUMBER: {"gte": start, "lt": self.total}}}

    def expect(self, terms: Sequence[str]) -> None:
        """Ask for these with the next count, in place of one by one."""
        self.expected = list(terms)

    def count(self, field: str, terms: Sequence[str]) -> list[int]:
        """Return how many documents hold each of some terms."""
        also = self.expected if field == "text" and any((field, term) not in self.known for term in terms) else []
        wanted = [term for term in dict.fromkeys((*terms, *also)) if (field, term) not in self.known]
        for start in range(0, len(wanted), AT_ONCE):
            part = wanted[start : start + AT_ONCE]
            filters = {str(number): {"term": {field: term}} for number, term in enumerate(part)}
            answer = self.search({"size": 0, "query": self.within(), "aggs": {"terms": {"filters": {"filters": filters}}}})
            buckets = answer["aggregations"]["terms"]["buckets"]
            self.known.update(((field, term), buckets[str(number)]["doc_count"]) for number, term in enumerate(part))
        self.expected = [] if also else self.expected
        return [self.known[field, term] for term in terms]

    def documents(self, field: str, term: str) -> Sequence[int]:
        """Return the documents that hold a term, rising."""
        found: list[int] = []
        while True:
            query = {"bool": {"filter": [{"term": {field: term}}, self.within(found[-1] + 1 if found else 0)]}}
            hits = self.search({"size": MOST, "query": query, "sort": [{NUMBER: "asc"}]})["hits"]["hits"]
            found += [int(hit["_id"]) for hit in hits]
            if len(hits) < MOST:
                return found

    def best(self, asked: Sequence[tuple[str, str, float]], limit: int) -> list[tuple[int, float]]:
        """Return the best documents and their scores, best first; frequencies are those of all shards together."""
        terms = [{"term": {field: {"value": term, "boost": weight}}} for field, term, weight in asked]
        query = {"bool": {"should": terms, "minimum_should_match": 1, "filter": [self.within()]}}
        body = {"size": limit, "query": query, "sort": ["_score", {NUMBER: "asc"}], "track_scores": True}
        hits = self.search(body, "?search_type=dfs_query_then_fetch")["hits"]["hits"]
        return [(int(hit["_id"]), hit["_score"]) for hit in hits]

    def starting(self, field: str, prefix: str, limit: int) -> list[str]:
        """Return the first terms of a field that begin with a text."""
        query = {"bool": {"filter": [{"prefix": {field: {"value": prefix}}}, self.within()]}}
        order = {"terms": {"field": field, "size": limit, "order": {"_key": "asc"}}}
        buckets = self.search({"size": 0, "query": query, "aggs": {"terms": order}})["aggregations"]["terms"]["buckets"]
        return [bucket["key"] for bucket in buckets]


ENGINE: SearchEngine = OpenSearch()
