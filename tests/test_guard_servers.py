"""Pushes to real servers with the guard's hook in place, by people and by the machine."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from mfgit.guard import install, status
from mfgit.plumbing import Git
from tests.guarding import EVIL, NEW, ONE_ALIAS, REASON, Guarded
from tests.servers import SERVERS, Server


class Client(Guarded):
    """A clone of what a server serves."""

    server: Server

    def push(self, *words: str, user: str = "alice") -> bool:
        """Push as somebody; tell whether the server took it in."""
        ran = subprocess.run(
            ["git", "push", "-q", self.server.url(user), *words],
            cwd=self.path, env={**os.environ, **self.server.env}, capture_output=True, check=False,
        )  # fmt: skip
        refused = "pre-receive hook declined" in ran.stderr.decode() and "mfgit guard: " in ran.stderr.decode()
        assert ran.returncode == 0 or refused, ran.stderr.decode()
        return ran.returncode == 0

    def refs(self) -> Mapping[str, str]:
        """Return what the server has."""
        out = Git(self.server.path).out("for-each-ref", "--format=%(refname) %(objectname)").decode()
        return dict(line.split(" ") for line in out.splitlines())


@pytest.fixture(params=SERVERS)
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Client]:
    folder = tmp_path / "served"
    folder.mkdir()
    found = Client(Guarded.at(tmp_path / "kb").path)
    with SERVERS[request.param](folder) as found.server:
        install.install_server(Git(found.server.path))
        assert all(gate.state != status.MISSING for gate in status.gates(Git(found.server.path)))
        assert found.push("main")
        yield found


def test_people_and_the_machine_push_what_is_theirs(client: Client) -> None:
    start = client.refs()["refs/heads/main"]
    for number, files in enumerate((NEW, {"help/index.json": ONE_ALIAS}, {"help/_forged/修改抬头.md": "# 抬头\n"})):
        client.branch(f"mfgit/{number}")
        client.save(files, bot=True)
    assert client.push("mfgit/0", "mfgit/1", "mfgit/2", user="mfgit-bot")
    client.branch("feature/x")
    client.save(EVIL, "edit" + REASON)
    client.git("tag", "-a", "v1", "-m", "v1")
    assert client.push("feature/x", "v1")
    client.git("checkout", "-q", "main")
    client.merge("mfgit/0", "feature/x")
    assert client.push("main")
    client.git("rebase", "-q", "main", "mfgit/1")
    assert client.push("+mfgit/1", user="mfgit-bot")  # onto the target as it is now
    assert client.push(":mfgit/2", user="mfgit-bot")
    assert client.push(":mfgit/0", ":feature/x")
    assert client.refs()["refs/heads/main"] != start
    assert sorted(client.refs()) == ["refs/heads/main", "refs/heads/mfgit/1", "refs/tags/v1"]


def test_what_is_not_theirs_leaves_the_server_as_it_was(client: Client) -> None:
    client.branch("mfgit/good")
    client.save(NEW, bot=True)
    client.branch("mfgit/evil")
    client.save(EVIL, "edit" + REASON, bot=True)
    client.branch("evil")
    client.save(EVIL, "without a reason")
    client.git("tag", "evil-tag")
    client.git("replace", "HEAD:help/password.md", "HEAD:help/发票.md")
    client.branch("rewound", "main")
    client.git("commit", "-q", "--amend", "-m", "another start")
    before = client.refs()
    attacks = (
        ("mfgit/evil",),
        ("mfgit/good", "mfgit/evil"),
        ("mfgit/evil:refs/heads/MFGIT/evil",),
        ("mfgit/evil:main",),
        ("evil",),
        ("evil:main",),
        ("evil:mfgit/evil",),
        ("evil-tag",),
        ("+rewound:main",),
        (":main",),
        ("refs/replace/*:refs/replace/*",),
        ("main:refs/heads/MAIN",),
        ("--atomic", "mfgit/good", ":main"),
    )
    for words in attacks:
        assert not client.push(*words), words
        assert client.refs() == before, words
    if client.server.knows_people:
        for words in (("mfgit/good:main",), ("mfgit/good:feature/x",), ("main:refs/tags/v2",), ("main:refs/heads/mfgitx",)):
            assert not client.push(*words, user="mfgit-bot"), words
            assert client.refs() == before, words
    assert client.push("mfgit/good", user="mfgit-bot")
    assert not client.push("+mfgit/evil:mfgit/good", user="mfgit-bot")


def test_a_push_from_a_shallow_clone_is_judged(client: Client) -> None:
    client.save({"a.py": "1"})
    assert client.push("main")
    shallow = Client(client.path.parent / "shallow")
    shallow.server = client.server
    client.git("clone", "-q", "--depth=1", client.path.as_uri(), str(shallow.path))
    shallow.branch("mfgit/a")
    shallow.save(NEW, bot=True)
    assert shallow.push("mfgit/a", user="mfgit-bot")
    shallow.save(EVIL, bot=True)
    assert not shallow.push("mfgit/a", user="mfgit-bot")


def test_crafted_objects_are_refused(client: Client) -> None:
    blob = client.git("hash-object", "-w", "--stdin", stdin=b"evil\n")
    raw = b"100644 ..\0" + bytes.fromhex(blob)
    tree = client.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=raw)
    client.git("update-ref", "refs/heads/mfgit/a", client.git("commit-tree", tree, "-p", "main", "-m", "x"))
    ran = subprocess.run(
        ["git", "push", "-q", client.server.url("alice"), "mfgit/a"],
        cwd=client.path, env={**os.environ, **client.server.env}, capture_output=True, check=False,
    )  # fmt: skip
    assert ran.returncode != 0
    assert "refs/heads/mfgit/a" not in client.refs()
