"""Adopt and undo where Git cannot write: the cause is named, and nothing has moved."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mfgit.errors import Refusal
from mfgit.project import Project
from mfgit.project.deciding import write_proposals
from mfgit.repo.reasons import reason
from tests.builders import Workbench
from tests.records import identity, record, wording

REFUSING = '#!/bin/sh\necho "ask the office first" >&2\n[ "$1" != prepared ]\n'


@pytest.fixture
def proposed(bench: Workbench) -> Workbench:
    """Return a repository with an adopted answer and an open wording, and work that is not committed."""
    write_proposals(Project.open(bench.path), [record(1), record(2), wording(3)])
    assert bench.mfgit("adopt", identity(1)).code == 0
    bench.write({"help/password.md": "# Account access\n\nedited\n", "new.txt": "untracked\n"})
    return bench


def state(bench: Workbench) -> tuple[str, ...]:
    """Return everything that must stay: refs, index, files."""
    files = sorted(str(path) for path in bench.path.rglob("*") if ".git" not in path.parts)
    texts = [Path(path).read_text() for path in files if Path(path).is_file()]
    refs = bench.git("for-each-ref", "--format=%(refname) %(objectname)")
    return refs, bench.git("ls-files", "-s"), bench.git("status", "--porcelain", "-uall"), str(files), str(texts)


def lock(name: str) -> Callable[[Workbench], Path]:
    """Return what leaves a lock behind, as a command does that is killed."""

    def put(bench: Workbench) -> Path:
        place = bench.path / ".git" / name
        place.touch()
        return place

    return put


def hook(bench: Workbench) -> Path:
    """Install a hook that refuses every move of a ref."""
    place = bench.path / ".git/hooks/reference-transaction"
    place.parent.mkdir(exist_ok=True)
    place.write_text(REFUSING)
    place.chmod(0o755)
    return place


def filtered(bench: Workbench) -> Path:
    """Let the checkout of some files fail after others were written, as a full disk does."""
    bench.git("config", "filter.x.smudge", "false")
    bench.git("config", "filter.x.clean", "cat")
    bench.git("config", "filter.x.required", "true")
    place = bench.path / ".git/info/attributes"
    place.parent.mkdir(exist_ok=True)
    place.write_text("help/_forged/proposals/** filter=x\n")
    return place


CAUSES = {
    "index.lock": (lock("index.lock"), "index.lock is there"),
    "the target's lock": (lock("refs/heads/main.lock"), "refs/heads/main.lock is there"),
    "HEAD.lock": (lock("HEAD.lock"), "HEAD.lock is there"),
    "hook": (hook, "the hook reference-transaction refused it (ask the office first)"),
    "half a checkout": (filtered, "smudge filter x failed"),
}


@pytest.mark.parametrize("command", [("adopt", 2), ("adopt", 3), ("undo", 1)], ids=["adopt", "adopt a wording", "undo"])
@pytest.mark.parametrize(("break_it", "why"), CAUSES.values(), ids=CAUSES)
def test_where_git_cannot_write_nothing_moves_and_the_cause_is_named(
    proposed: Workbench, break_it: Callable[[Workbench], Path], why: str, command: tuple[str, int]
) -> None:
    before = state(proposed)
    obstacle = break_it(proposed)
    ran = proposed.mfgit(command[0], identity(command[1]))
    if break_it is filtered and command[0] == "undo":
        assert ran.code == 0  # it writes none of the files that the filter is for
        return
    obstacle.unlink()
    assert state(proposed) == before
    assert (ran.code, why in ran.err, "hint:" in ran.err, "grafts" in ran.err) == (1, True, False, False), ran.err
    assert not list((proposed.path / ".git").glob("fast_import_crash*"))
    assert proposed.mfgit(command[0], identity(command[1])).code == 0


@pytest.mark.parametrize("command", [("adopt", 2), ("adopt", 3), ("undo", 1)], ids=["adopt", "adopt a wording", "undo"])
def test_a_folder_that_may_not_be_written_is_named_before_anything_moves(
    proposed: Workbench, command: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, locked = state(proposed), proposed.path / "help/_forged/proposals"
    monkeypatch.setattr(os, "access", lambda place, mode: Path(place) != locked)  # root may write everywhere
    project = Project.open(proposed.path)
    with pytest.raises(Refusal, match=f"{locked} may not be written"):
        getattr(project, command[0])(identity(command[1]))
    assert state(proposed) == before


@pytest.mark.parametrize(
    ("command", "words"),
    [(("reject", identity(2), "--reason", "no"), "reject"), (("refresh",), "refresh"), (("restore", identity(1)), "restore")],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("break_it", [lock("packed-refs.lock"), hook], ids=["packed-refs.lock", "hook"])
def test_commands_that_move_refs_only_move_all_or_none(
    proposed: Workbench, break_it: Callable[[Workbench], Path], command: tuple[str, ...], words: str
) -> None:
    assert proposed.mfgit("undo", identity(1)).code == 0
    proposed.git("pack-refs", "--all")
    before = state(proposed)
    obstacle = break_it(proposed)
    ran = proposed.mfgit(*command)
    obstacle.unlink()
    assert not list((proposed.path / ".git").glob("fast_import_crash*"))
    if ran.code == 0:
        assert (words, break_it is not hook) in {("refresh", True), ("restore", True)}  # what deletes no ref needs no such lock
        return
    assert state(proposed) == before
    assert len(ran.err.strip().splitlines()) <= 3, ran.err
    assert "manually" not in ran.err
    assert ("packed-refs.lock is there" in ran.err) or ("ask the office first" in ran.err)


def test_a_branch_that_cannot_be_tidied_away_does_not_make_an_adoption_fail(proposed: Workbench) -> None:
    proposed.git("pack-refs", "--all")
    obstacle = lock("packed-refs.lock")(proposed)
    assert proposed.mfgit("adopt", identity(2)).code == 0
    obstacle.unlink()
    assert {one.id: one.status for one in Project.open(proposed.path).proposals()}[identity(2)] == "adopted"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("hint: a\nhint: b\nerror: c d.\n", "c d"),
        ("error: unable to create file a/b: Permission denied\n", "unable to create file a/b: Permission denied"),
        ("fatal: Unable to create '/r/.git/x.lock': File exists.\n\nAnother git", "/r/.git/x.lock is there"),
        ("fatal: ref updates aborted by hook", "the hook reference-transaction refused it"),
        ("", "no reason given"),
    ],
    ids=["advice", "permission", "lock", "hook", "nothing"],
)
def test_gits_words_become_one_reason(said: str, why: str) -> None:
    assert reason(said.encode()).why == why
