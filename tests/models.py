"""A real HTTP server on this machine that answers as a model's endpoint does, well or badly, and keeps what it was asked."""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSIONS = 64
Reply = Callable[["Endpoint", dict[str, Any]], "Answer"]


@dataclass
class Answer:
    """What goes back: a status, headers, bytes, seconds before each piece of the bytes, and how many bytes are really sent."""

    body: bytes = b"{}"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    drip: float = 0.0
    cut: int | None = None


@dataclass
class Endpoint:
    """A running endpoint; `asked` are the bodies of the requests, `headers` theirs."""

    url: str
    reply: Reply
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


def said(text: str, finish: str = "stop") -> Answer:
    """Return a chat answer with a text."""
    message = {"role": "assistant", "content": text}
    return Answer(json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": finish}]}).encode())


def worded(title: str, text: str) -> Answer:
    """Return a chat answer as it was asked for."""
    return said(json.dumps({"title": title, "text": text}, ensure_ascii=False))


def vector(text: str) -> list[float]:
    """Return a deterministic vector of a text: words that are the same point the same way."""
    found = [0.001] * DIMENSIONS
    for word in text.lower().split():
        found[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4]) % DIMENSIONS] += 1.0
    return found


def vectors(texts: list[str], make: Callable[[str], list[float]] = vector) -> Answer:
    """Return an embeddings answer, in an order of its own."""
    data = [{"object": "embedding", "index": number, "embedding": make(text)} for number, text in enumerate(texts)]
    return Answer(json.dumps({"object": "list", "data": data[::-1]}).encode())


@contextmanager
def serving(reply: Reply) -> Iterator[Endpoint]:
    """Serve an endpoint while a block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            running.asked.append(asked)
            running.headers.append(dict(self.headers))
            running.paths.append(self.path)
            answer = running.reply(running, asked)
            time.sleep(answer.wait)
            try:
                self.send(answer)
            except OSError:
                return  # the client went away, as it should

        def send(self, answer: Answer) -> None:
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            if not answer.drip:
                self.wfile.write(answer.body[: answer.cut])
                return
            for byte in answer.body:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(answer.drip)

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running = Endpoint(f"http://127.0.0.1:{server.server_address[1]}/v1", reply)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
