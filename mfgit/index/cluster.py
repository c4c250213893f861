"""Requests to an OpenSearch cluster: tried again where that helps, bounded in time, with nothing of what they hold in errors.

Where the cluster is and who asks stands in the environment alone: a `mfgit.toml` that somebody else wrote must not be able to
send the words of conversations away.
"""

import functools
import ipaddress
import json
import os
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx2 as http

from mfgit.errors import BadInput, MfgitError

URL, USER, PASSWORD, TOKEN, CA, PLAIN = (
    f"MFGIT_OPENSEARCH_{name}" for name in ("URL", "USER", "PASSWORD", "TOKEN", "CA", "PLAIN_HTTP")
)
AGAIN = (429, 502, 503, 504)
"""Statuses after which the same request may succeed."""
FIRST_WAIT, LONGEST_WAIT = 0.2, 20.0
"""Seconds before the second try (doubled before each further one), and the most that `Retry-After` is obeyed for."""
TRIES = 7
TIMEOUT = 60.0
MOST_BYTES = 5_000_000
"""Bytes of one bulk request, about: clusters like 5 to 15 MB."""


class Unavailable(MfgitError):
    """The cluster cannot be asked, or not now."""


class Gone(Exception):
    """An index is not there."""


class Login(NamedTuple):
    """Where the cluster is, and who asks."""

    url: str
    user: str = ""
    password: str = ""
    token: str = ""
    ca: str = ""

    @property
    def host(self) -> str:
        """The host and port, for messages."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


def login(environment: Mapping[str, str] | None = None) -> Login:
    """Return what the environment says; raises `BadInput` where it says nothing or something unsafe."""
    said = os.environ if environment is None else environment
    url = said.get(URL, "").strip().rstrip("/")
    if not url:
        raise BadInput(f"The search engine opensearch needs to know its cluster: {URL} is not set.", f"Set {URL}, and {USER}.")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"{URL} is not the address of a server.", "Give it like https://search.example.com:9200.")
    if parts.username or parts.password:
        raise BadInput(f"{URL} holds a login.", f"Put it into {USER} and {PASSWORD}.")
    if parts.scheme == "http" and not is_here(parts.hostname) and said.get(PLAIN, "").lower() not in ("1", "true", "yes", "on"):
        raise BadInput(f"{URL} would send everything over plain http.", f"Use https, or set {PLAIN}=true in a closed network.")
    return Login(url, *(said.get(name, "") for name in (USER, PASSWORD, TOKEN, CA)))


def is_here(host: str) -> bool:
    """Tell whether a host is this machine, by its name or number alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


@functools.lru_cache(maxsize=4)
def connect(who: Login) -> "Cluster":
    """Return the cluster of a login; connections stay open for the next request."""
    return Cluster(who)


class Cluster:
    """One cluster. May be used by many threads."""

    def __init__(self, who: Login, sleep: Callable[[float], None] = time.sleep) -> None:
        self.who, self.sleep = who, sleep
        headers = {"Content-Type": "application/json"}
        if who.token:
            headers["Authorization"] = f"Bearer {who.token}"
        auth = (who.user, who.password) if who.user and not who.token else None
        proxied = not is_here(urlsplit(who.url).hostname or "")
        verify: Any = self.trusted(who.ca) if who.ca else True
        self.client = http.Client(timeout=TIMEOUT, headers=headers, auth=auth, trust_env=proxied, verify=verify)
        weakref.finalize(self, self.client.close)

    @staticmethod
    def trusted(path: str) -> Any:
        """Return what trusts the certificates of a file; raises `BadInput`."""
        import ssl

        try:
            return ssl.create_default_context(cafile=path)
        except OSError as error:
            raise BadInput(f"{CA} names {path}, which cannot be read: {error.strerror or error}.") from None

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return the JSON of an answer; raises `Gone` for an index that is not there, `MfgitError` for what is in the way."""
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        for attempt in range(TRIES):
            last = attempt == TRIES - 1
            try:
                answer = self.client.request(method, f"{self.who.url}{path}", content=data)
            except http.HTTPError as error:
                if last or not isinstance(error, http.TransportError):
                    raise Unavailable(
                        f"The search cluster {self.who.host} cannot be asked ({type(error).__name__}).",
                        f"See that it runs, or set MFGIT_INDEX_ENGINE=whoosh to search without it ({URL} says where it is).",
                    ) from None
                self.sleep(FIRST_WAIT * 2**attempt)
                continue
            if answer.status_code not in AGAIN or last:
                return self.read(answer)
            self.sleep(wait_of(answer.headers.get("Retry-After"), attempt))
        raise AssertionError("the last try returns or raises")

    def read(self, answer: Any) -> Any:
        """Return what an answer holds, or raise what its status means."""
        status = answer.status_code
        try:
            value = answer.json()
        except ValueError:
            value = None
        if status == 401 or (status == 403 and kind(value) in ("", "security_exception")):
            raise BadInput(
                f"The search cluster {self.who.host} refuses the login (status {status}).",
                f"Set {USER} and {PASSWORD}, or {TOKEN}, to one that may write indexes named mfgit-*.",
            )
        if status == 404:
            raise Gone(kind(value))
        if status >= 400 or not isinstance(value, dict):
            why = kind(value) or "no JSON"
            raise Unavailable(f"The search cluster {self.who.host} does not do what it is asked (status {status}, {why}).")
        if value.get("timed_out") or value.get("_shards", {}).get("failed"):
            raise Unavailable(
                f"The search cluster {self.who.host} answered in part only.", "Look at its health, and try again."
            )
        return value

    def bulk(self, index: str, documents: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Store documents under their ids, each once and all of them; what is turned away for now is sent again."""
        waiting = list(documents)
        for attempt in range(TRIES):
            rejected: list[tuple[str, Mapping[str, Any]]] = []
            for batch in batches(waiting):
                rejected += self.once(index, batch)
            if not rejected:
                return
            waiting = rejected
            self.sleep(wait_of(None, attempt))
        raise Unavailable(
            f"The search cluster {self.who.host} turned {len(waiting)} documents away {TRIES} times.",
            "Try again when it has less to do.",
        )

    def once(self, index: str, batch: Sequence[tuple[str, Mapping[str, Any]]]) -> list[tuple[str, Mapping[str, Any]]]:
        """Send one request; return the documents that were turned away for now."""
        lines = (json.dumps(part) for name, value in batch for part in ({"index": {"_id": name}}, value))
        answer = self.ask("POST", f"/{index}/_bulk", ("\n".join(lines) + "\n").encode())
        results = [next(iter(item.values())) for item in answer.get("items", ())]
        if len(results) != len(batch):
            raise Unavailable(f"The search cluster {self.who.host} did not say what became of {len(batch)} documents.")
        failed = [result for result in results if result["status"] >= 400 and result["status"] not in AGAIN]
        if failed:
            raise Unavailable(f"The search cluster {self.who.host} does not take a document ({kind(failed[0])}).")
        return [each for each, result in zip(batch, results, strict=True) if result["status"] in AGAIN]


def batches(documents: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[list[tuple[str, Mapping[str, Any]]]]:
    """Yield documents in portions of about `MOST_BYTES`."""
    batch: list[tuple[str, Mapping[str, Any]]] = []
    size = 0
    for name, value in documents:
        batch.append((name, value))
        size += 60 + sum(len(text) for text in value.values() if isinstance(text, str))
        if size > MOST_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def wait_of(after: str | None, attempt: int) -> float:
    """Return the seconds to wait before the next try."""
    asked = float(after) if after is not None and after.strip().isdigit() else FIRST_WAIT * 2**attempt
    return min(asked, LONGEST_WAIT)


def kind(value: Any) -> str:
    """Return the kind of an error that a cluster tells, which names nothing of the request."""
    error = value.get("error") if isinstance(value, dict) else None
    found = error.get("type") if isinstance(error, dict) else error
    return found if isinstance(found, str) and found.replace("_", "").isalnum() else ""
