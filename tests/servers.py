"""Real Git servers on this machine: over HTTP, as a daemon, and behind gitolite. Each serves one bare repository."""

import base64
import fcntl
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

INSTALL = os.environ.get("TEST_SERVERS") == "install"
"""Whether missing servers may be installed with apt-get; a person's machine is left alone."""
PEOPLE = ("alice", "mfgit-bot")


class Server:
    """A bare repository and how to reach it: `url` names who asks, where the server can know; `env` goes to git."""

    def __init__(self, path: Path, url: str, env: dict[str, str] | None = None, *, knows_people: bool = True) -> None:
        self.path, self.template, self.env, self.knows_people = path, url, env or {}, knows_people

    def url(self, user: str) -> str:
        return self.template.format(user=user)


def make(path: Path) -> None:
    """Make the bare repository that is served."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(path)], check=True)


# ---- HTTP


class Backend(BaseHTTPRequestHandler):
    """Hands each request to `git http-backend`, as a web server does that has asked for a name and password."""

    root = ""

    def do_GET(self) -> None:
        self.answer(b"")

    def do_POST(self) -> None:
        self.answer(self.body())

    def body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        data = b""
        while size := int(self.rfile.readline(), 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def answer(self, body: bytes) -> None:
        kind, _, secret = self.headers.get("Authorization", "").partition(" ")
        if kind != "Basic":
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        ran = subprocess.run(
            ["git", "http-backend"], input=body, capture_output=True, check=True,
            env={
                "PATH": os.environ["PATH"], "HOME": os.environ["HOME"],
                "GIT_PROJECT_ROOT": self.root, "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_ADDR": "127.0.0.1",
                "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "REMOTE_USER": base64.b64decode(secret).decode().partition(":")[0],
            },
        )  # fmt: skip
        head, _, content = ran.stdout.partition(b"\r\n\r\n")
        lines = [line.partition(": ")[::2] for line in head.decode().split("\r\n")]
        status = next((value for name, value in lines if name == "Status"), "200 OK")
        self.send_response(int(status.split(" ")[0]))
        for name, value in lines:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextmanager
def http(folder: Path) -> Iterator[Server]:
    """Serve over HTTP; the server asks for a name and hands it on as REMOTE_USER."""
    make(folder / "kb.git")
    handler = type("Here", (Backend,), {"root": str(folder)})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever, daemon=True)
        thread.start()
        try:
            yield Server(folder / "kb.git", f"http://{{user}}:secret@127.0.0.1:{served.server_port}/kb.git")
        finally:
            served.shutdown()
            thread.join()


# ---- git daemon


@contextmanager
def daemon(folder: Path) -> Iterator[Server]:
    """Serve by `git daemon`, which knows nobody's name."""
    make(folder / "kb.git")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["git", "daemon", "--listen=127.0.0.1", f"--port={port}", "--reuseaddr", "--enable=receive-pack", "--export-all"]
    with subprocess.Popen([*words, f"--base-path={folder}", str(folder)], stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(port)
            yield Server(folder / "kb.git", f"git://127.0.0.1:{port}/kb.git", knows_people=False)
        finally:
            process.terminate()


def wait_for(port: int) -> None:
    """Wait until something listens."""
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"nothing listens on {port}")


# ---- gitolite

CONF = "repo kb\n    RW+ = @all\n"
SHELL = """\
#!/bin/sh
# What sshd does for a key that gitolite knows: the last word is the command, the one before it USER@HOST.
while [ $# -gt 2 ]; do shift; done
export HOME='{home}' SSH_ORIGINAL_COMMAND="$2" SSH_CONNECTION='127.0.0.1 1 127.0.0.1 22'
exec '{bindir}/gitolite-shell' "${{1%%@*}}"
"""


@contextmanager
def gitolite(folder: Path) -> Iterator[Server]:
    """Serve through gitolite, whose own `update` hook stays; ssh is left out between."""
    require_gitolite()
    home = folder / "home"
    home.mkdir()
    env = {**os.environ, "HOME": str(home)}
    (home / ".gitconfig").write_text("[user]\n\tname = g\n\temail = g@localhost\n[init]\n\tdefaultBranch = main\n", "utf-8")
    subprocess.run(["gitolite", "setup", "-a", "alice"], env=env, check=True, capture_output=True)
    with (home / ".gitolite/conf/gitolite.conf").open("a", encoding="utf-8") as conf:
        conf.write(CONF)
    for words in (["compile"], ["trigger", "POST_COMPILE"]):
        subprocess.run(["gitolite", *words], env=env, check=True, capture_output=True)
    ssh = folder / "ssh"
    found = subprocess.run(["gitolite", "query-rc", "GL_BINDIR"], env=env, check=True, capture_output=True, text=True)
    ssh.write_text(SHELL.format(home=home, bindir=found.stdout.strip()), encoding="utf-8")
    ssh.chmod(0o755)
    path = home / "repositories/kb.git"
    yield Server(path, "{user}@localhost:kb", {"GIT_SSH": str(ssh), "GIT_SSH_VARIANT": "simple"})


def require_gitolite() -> None:
    """Skip the test where there is no gitolite, after trying to install it where that is allowed."""
    require("gitolite", "gitolite3")


def require(command: str, *packages: str) -> None:
    """Skip the test where a command is not installed, after trying to install its packages where that is allowed."""
    if shutil.which(command) is None and INSTALL and os.geteuid() == 0 and shutil.which("apt-get"):
        with (Path(tempfile.gettempdir()) / "mfgit-tests-apt.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if shutil.which(command) is None:
                apt_get("update")
                apt_get("install", "-y", "--no-install-recommends", *packages)
    if shutil.which(command) is None:
        named = " ".join(packages)
        pytest.skip(f"{command} is not installed (apt-get install {named}; TEST_SERVERS=install does it as root)")


def apt_get(*words: str) -> None:
    """Run apt-get; without a network it gives up soon, and the tests that need the package are skipped."""
    quick = ("-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10", "-o", "DPkg::Lock::Timeout=60")
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(
            ["apt-get", *quick, *words],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, check=False, capture_output=True, timeout=300,
        )  # fmt: skip


SERVERS = {"http": http, "daemon": daemon, "gitolite": gitolite}
