"""Many proposals on one `index.json`: a host's merge button takes each in turn when a refresh follows every merge.

The host is a bare repository where merges are made as a server makes them: `git merge-tree` on commits, by lines, without a
checkout and without mfgit's merge of lists. Merge, squash and rebase take turns.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

from mfgit.errors import Refusal
from mfgit.project import Project
from mfgit.project.deciding import write_proposals
from mfgit.repo.branches import HEADS
from tests.builders import Workbench, aliases_file
from tests.records import identity, record, wording

WAYS = ("merge", "squash", "rebase")
PAGES = 8
MANY = int(os.environ.get("TEST_PROPOSALS", "100"))
"""How many proposals are open at first in the long test."""


class Button:
    """The merge button of a hosting service."""

    def __init__(self, host: Workbench) -> None:
        self.host, self.git = host, host.git

    def merged(self, onto: str, commit: str) -> str:
        """Return the tree of a three-way merge by lines; raises `Refusal` where the button would be grey."""
        command = ["git", "merge-tree", "--write-tree", onto, commit]
        ran = subprocess.run(command, cwd=self.host.path, capture_output=True, text=True, check=False)
        if ran.returncode:
            raise Refusal(f"It conflicts: {ran.stdout[-300:]}{ran.stderr}")
        return ran.stdout.strip()

    def picked(self, onto: str, commit: str) -> str:
        """Return the tree of a commit's own change on another; its parent is the base, which Git 2.39 has to be led to."""
        base = self.git("commit-tree", f"{commit}^^{{tree}}", "-m", "base")
        ours, theirs = (self.git("commit-tree", f"{one}^{{tree}}", "-p", base, "-m", "side") for one in (onto, commit))
        return self.merged(ours, theirs)

    def press(self, way: str, branch: str) -> None:
        """Merge a branch into main, and delete it as services do."""
        main = self.git("rev-parse", "main")
        made = getattr(self, way)(main, branch)
        self.git("update-ref", "refs/heads/main", made, main)
        self.git("update-ref", "-d", branch)

    def merge(self, main: str, branch: str) -> str:
        return self.git("commit-tree", self.merged(main, branch), "-p", main, "-p", branch, "-m", "Merge")

    def squash(self, main: str, branch: str) -> str:
        return self.git("commit-tree", self.merged(main, branch), "-p", main, "-m", "Squash")

    def rebase(self, main: str, branch: str) -> str:
        """Replay each commit that is no merge, as `git rebase` does."""
        for commit in self.git("rev-list", "--reverse", "--no-merges", "--topo-order", f"{main}..{branch}").split():
            main = self.git("commit-tree", self.picked(main, commit), "-p", main, "-m", "Replayed")
        return main


def many(folder: Path, count: int) -> tuple[Workbench, list[str]]:
    """Return a bare host with proposals that all add a wording to one `index.json`, some more with a person's edit."""
    files = {f"help/p{n}.md": f"# Page {n}\n\nText {n}.\n" for n in range(PAGES)}
    index = aliases_file(*((f"p{n}.md", f"Page {n}", []) for n in range(PAGES)))
    bench = Workbench.make(folder / "kb", {**files, "help/index.json": index, "mfgit.toml": '[[root]]\npath = "help"\n'})
    project = Project.open(bench.path)
    records = [wording(n, f"help/p{n % PAGES}.md", f"wording number {n}") for n in range(1, count + 1)]
    records += [record(count + n) for n in range(1, count // 40 + 1)]
    write_proposals(project, records)
    for n in range(1, count // 40 + 1):
        edit(bench, HEADS + identity(count + n), n)
    ids = [one.id for one in records]
    bench.git("config", "core.bare", "true")
    host = Workbench(bench.path / ".git")
    return host, ids


def edit(bench: Workbench, ref: str, number: int) -> None:
    """Change a proposal's text as a person does on its branch."""
    path = bench.git("ls-tree", "-r", "--name-only", ref, "help/_forged").split("\n")
    page = next(name for name in path if name.endswith(".md"))
    text = bench.git("show", f"{ref}:{page}") + f"\n\nA person's word {number}.\n"
    blob = bench.git("hash-object", "-w", "--stdin", stdin=text.encode())
    env = {"GIT_INDEX_FILE": str(bench.path / ".git/edit")}
    bench.git("read-tree", ref, env=env)
    bench.git("update-index", "--cacheinfo", f"100644,{blob},{page}", env=env)
    made = bench.git("commit-tree", bench.git("write-tree", env=env), "-p", ref, "-m", "better words")
    bench.git("update-ref", ref, made)


def land_all(folder: Path, count: int) -> None:
    """Press the button for each, and refresh after each; nothing conflicts, nothing is lost."""
    host, ids = many(folder, count)
    button = Button(host)
    for number, one in enumerate(ids):
        button.press(WAYS[number % 3], HEADS + one)
        done = Project.open(host.path).refresh(rebase=True)
        assert done.problems == ()
    check(host, ids, count)


def check(host: Workbench, ids: list[str], count: int) -> None:
    """All are adopted, every wording is there, every edit too, and no original changed."""
    known = Project.open(host.path).proposals()
    assert {one.id: one.status for one in known} == dict.fromkeys(ids, "adopted")
    docs = json.loads(host.git("show", "main:help/index.json"))["docs"]
    found = sorted(alias for entry in docs for alias in entry["aliases"])
    assert found == sorted(f"wording number {n}" for n in range(1, count + 1))
    words = host.git("grep", "-h", "A person's word", "main", "--", "help/_forged").split("\n")
    assert len(words) == count // 40
    root = host.git("rev-list", "--max-parents=0", "main")
    changed = host.git("diff", "--name-only", root, "main").split("\n")
    assert all("_forged/" in name or name == "help/index.json" for name in changed)


def test_forty_proposals_on_one_file_merge_in_turn(tmp_path: Path) -> None:
    """The same as below with fewer, in every run of the tests."""
    land_all(tmp_path, 40)


@pytest.mark.slow
def test_many_proposals_on_one_file_merge_in_turn(tmp_path: Path) -> None:
    """`TEST_PROPOSALS=200` takes minutes: each refresh looks at all that are open, so it grows by the square."""
    land_all(tmp_path, MANY)


def test_without_a_refresh_the_button_is_grey(tmp_path: Path) -> None:
    """What makes the refresh needed: two additions at one place conflict by lines."""
    host, ids = many(tmp_path, 20)
    button = Button(host)
    button.press("merge", HEADS + ids[0])
    with pytest.raises(Refusal, match="conflicts"):
        button.press("squash", HEADS + ids[PAGES])
