"""What Git holds of proposals: branches without a checkout, and a state that any clone reads the same."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mfgit.errors import BadInput, Refusal
from mfgit.model import Known, Source
from mfgit.plumbing import Done, Git
from mfgit.project import Project
from mfgit.project.deciding import write_proposals
from mfgit.repo import history
from mfgit.repo.writing import Moved, NewCommit, RefChange, Signature, day, move, write
from tests.builders import PAGES, Workbench
from tests.records import draft, identity, record, wording

ALL_REFS = ("for-each-ref", "--format=%(refname) %(objectname)")


def open_project(bench: Workbench) -> Project:
    return Project.open(bench.path)


def statuses(bench: Workbench) -> dict[str, str]:
    return {one.id: one.status for one in open_project(bench).proposals()}


def one_of(bench: Workbench, number: int) -> Known:
    return next(one for one in open_project(bench).proposals() if one.id == identity(number))


def desk(bench: Workbench) -> tuple[str, ...]:
    """Make a checkout dirty in every way, and return how it looks."""
    bench.write({"help/password.md": "edited\n", "help/发票.md": "staged\n", "new.txt": "untracked\n"})
    bench.git("add", "help/发票.md")
    return look(bench)


def look(bench: Workbench) -> tuple[str, ...]:
    text = (bench.path / "help/password.md").read_text()
    return bench.git("status", "--porcelain", "-uall"), bench.git("ls-files", "-s"), bench.git("symbolic-ref", "HEAD"), text


def person_writes(bench: Workbench, number: int, text: str = "Choose Forgot password.") -> None:
    """A reviewer completes a draft in a worktree of their own."""
    folder = bench.path.parent / f"review-{number}"
    bench.git("worktree", "add", "-q", str(folder), f"mfgit/{identity(number)}")
    review = Workbench(folder)
    page = next((folder / "help/_forged").glob(f"*-{identity(number)}.md"))
    page.write_text(page.read_text().rpartition("> **")[0] + text + "\n")
    review.commit("Write the answer")
    bench.git("worktree", "remove", "--force", str(folder))


# ---- writing


def test_writing_proposals_touches_neither_checkout_nor_target(bench: Workbench) -> None:
    before, head = desk(bench), bench.git("rev-parse", "main")
    assert write_proposals(open_project(bench), [record(1), wording(2), draft(3)]) == dict.fromkeys(
        map(identity, (1, 2, 3)), "new"
    )
    assert look(bench) == before
    assert bench.git("rev-parse", "main") == head
    assert statuses(bench) == dict.fromkeys(map(identity, (1, 2, 3)), "open")


def test_a_branch_adds_its_own_files_to_the_target_and_names_the_proposal(bench: Workbench) -> None:
    write_proposals(open_project(bench), [record(1)])
    changed = bench.git("diff", "--name-status", "main", f"mfgit/{identity(1)}").split("\n")
    assert changed == [
        f"A\thelp/_forged/how-do-i-change-setting-1-{identity(1)}.md",
        f"A\thelp/_forged/proposals/{identity(1)}.json",
    ]
    assert bench.git(
        "log", "-1", "--format=%(trailers:key=Mfgit-Proposal,valueonly)", f"mfgit/{identity(1)}"
    ).strip() == identity(1)
    assert bench.git("log", "-1", "--format=%ae %ce %cI", f"mfgit/{identity(1)}").split() == [
        *["mfgit-bot@example.com"] * 2,
        "2026-11-20T00:00:00+00:00",
    ]


def test_writing_the_same_again_changes_no_ref(bench: Workbench) -> None:
    records = [record(1), wording(2), draft(3)]
    write_proposals(open_project(bench), records)
    refs = bench.git(*ALL_REFS)
    assert set(write_proposals(open_project(bench), records).values()) == {"unchanged"}
    assert bench.git(*ALL_REFS) == refs


def test_the_same_record_on_the_same_commit_is_the_same_branch_in_another_clone(bench: Workbench, tmp_path: Path) -> None:
    bench.git("clone", "-q", str(bench.path), str(tmp_path / "clone"))
    clone = Workbench(tmp_path / "clone")
    for one in (bench, clone):
        write_proposals(open_project(one), [record(1), wording(2)])
    assert bench.git("for-each-ref", "refs/heads/mfgit") == clone.git("for-each-ref", "refs/heads/mfgit")


def test_new_evidence_makes_the_machines_branch_again(bench: Workbench) -> None:
    write_proposals(open_project(bench), [record(1)])
    assert write_proposals(open_project(bench), [record(1, frequency=9)]) == {identity(1): "updated"}
    assert one_of(bench, 1).record.frequency == 9
    assert bench.git("rev-list", "--count", f"main..mfgit/{identity(1)}") == "1"


def test_a_person_keeps_the_text_and_the_record_follows(bench: Workbench) -> None:
    write_proposals(open_project(bench), [draft(1)])
    person_writes(bench, 1)
    assert write_proposals(open_project(bench), [draft(1, frequency=9, title="Other")]) == {identity(1): "updated"}
    assert write_proposals(open_project(bench), [draft(1, frequency=9, title="Other")]) == {identity(1): "unchanged"}
    one = one_of(bench, 1)
    assert (one.status, one.record.frequency) == ("edited", 9)
    assert "Choose Forgot password." in bench.git("show", f"mfgit/{identity(1)}:{one.record.adopted_path}")


def test_a_branch_that_a_person_amended_is_theirs(bench: Workbench) -> None:
    write_proposals(open_project(bench), [draft(1)])
    bench.git("switch", "-q", f"mfgit/{identity(1)}")
    bench.git("commit", "-q", "--amend", "-m", "Rewritten")
    bench.git("switch", "-q", "main")
    assert statuses(bench) == {identity(1): "edited"}


def test_a_branch_that_is_checked_out_is_left_alone(bench: Workbench) -> None:
    write_proposals(open_project(bench), [draft(1)])
    bench.git("worktree", "add", "-q", str(bench.path.parent / "review"), f"mfgit/{identity(1)}")
    tip = bench.git("rev-parse", f"mfgit/{identity(1)}")
    assert write_proposals(open_project(bench), [draft(1, frequency=9)]) == {identity(1): "unchanged"}
    assert write_proposals(open_project(bench), [], remove=[identity(1)]) == {}
    assert bench.git("rev-parse", f"mfgit/{identity(1)}") == tip


def test_removing_takes_the_machines_branches_only(bench: Workbench) -> None:
    write_proposals(open_project(bench), [draft(1), draft(2)])
    person_writes(bench, 2)
    write_proposals(open_project(bench), [], remove=[identity(1), identity(2), identity(7)])
    assert statuses(bench) == {identity(2): "edited"}


def test_proposals_work_in_a_bare_repository_and_on_a_detached_head(bench: Workbench, tmp_path: Path) -> None:
    bench.git("clone", "-q", "--bare", str(bench.path), str(tmp_path / "bare.git"))
    bench.git("switch", "-q", "--detach")
    for one in (bench, Workbench(tmp_path / "bare.git")):
        write_proposals(open_project(one), [record(1)])
        assert statuses(one) == {identity(1): "open"}
    assert bench.git("rev-parse", "HEAD") == bench.git("rev-parse", "main")


def test_proposals_work_in_a_sha256_repository(tmp_path: Path) -> None:
    tmp_path.joinpath("kb").mkdir()
    bench = Workbench(tmp_path / "kb")
    bench.git("init", "-q", "-b", "main", "--object-format=sha256")
    bench.write(PAGES)
    bench.commit()
    write_proposals(open_project(bench), [record(1), wording(2)])
    assert bench.mfgit("adopt", identity(1), identity(2)).code == 0
    assert statuses(bench) == {identity(1): "adopted", identity(2): "adopted"}


def test_a_branch_called_mfgit_is_told(bench: Workbench) -> None:
    bench.git("branch", "mfgit")
    with pytest.raises(Exception, match="would not move the branches"):
        write_proposals(open_project(bench), [record(1)])


def test_a_ref_that_moved_meanwhile_moves_nothing(bench: Workbench) -> None:
    head = bench.git("rev-parse", "main")
    refs = bench.git(*ALL_REFS)
    changes = [RefChange("refs/heads/a", head, None), RefChange("refs/heads/b", head, "1" * 40)]
    with pytest.raises(Moved):
        move(Git(bench.path), changes, "test")
    assert bench.git(*ALL_REFS) == refs


@pytest.mark.parametrize("path", ['quo"te.md', "back\\slash.md", "new\nline.md", "空 格.md", "a/b/c.md"])
def test_any_path_can_be_written(bench: Workbench, path: str) -> None:
    who = Signature("A <b>\n", "a@b", day("2026-01-01"))
    made = write(
        Git(bench.path), [NewCommit((bench.git("rev-parse", "main"),), "m", who, {path: b"\0x", "help/index.json": None})]
    )
    assert bench.git("ls-tree", "-r", "-z", "--name-only", made[0], "--", f":(literal){path}").rstrip("\0") == path
    assert "help/index.json" not in bench.git("ls-tree", "-r", "--name-only", made[0])


def test_being_killed_while_writing_leaves_every_ref_as_it_was(bench: Workbench) -> None:
    refs = bench.git(*ALL_REFS)
    script = (
        "import os, sys\nsys.path.insert(0, os.getcwd())\n"
        "from mfgit.project import Project, deciding\nfrom tests.records import record\n"
        "deciding.move = lambda *a: os.kill(os.getpid(), 9)\n"
        f"deciding.write_proposals(Project.open({str(bench.path)!r}), [record(n) for n in range(50)])\n"
    )
    here = Path(__file__).parent.parent
    ran = subprocess.run([sys.executable, "-c", script], cwd=here, check=False)
    assert ran.returncode == -9
    assert bench.git(*ALL_REFS) == refs
    write_proposals(open_project(bench), [record(n) for n in range(50)])
    assert len(statuses(bench)) == 50
    assert bench.git("fsck", "--no-dangling") == ""


# ---- reading


def squash(bench: Workbench, number: int) -> None:
    bench.git("merge", "-q", "--squash", f"mfgit/{identity(number)}")
    bench.commit("Answer a question (#12)")


def rebase(bench: Workbench, number: int) -> None:
    bench.write({"other.txt": "x"})
    bench.commit("in between")
    bench.git("cherry-pick", f"mfgit/{identity(number)}")


def merge(bench: Workbench, number: int) -> None:
    bench.git("merge", "-q", "--no-ff", "-m", "Merge", f"mfgit/{identity(number)}")


def fast_forward(bench: Workbench, number: int) -> None:
    bench.git("merge", "-q", "--ff-only", f"mfgit/{identity(number)}")


def without_record(bench: Workbench, number: int) -> None:
    bench.git("merge", "-q", "--squash", f"mfgit/{identity(number)}")
    bench.git("rm", "-q", "-f", f"help/_forged/proposals/{identity(number)}.json")
    bench.commit("Only the page")


@pytest.mark.parametrize("land", [squash, rebase, merge, fast_forward, without_record])
@pytest.mark.parametrize("kind", ["verified_answer", "skill"])
def test_every_way_of_merging_is_seen_as_adopted(bench: Workbench, land: object, kind: str) -> None:
    write_proposals(open_project(bench), [record(1, action_type=kind)])
    land(bench, 1)  # type: ignore[operator]
    one = one_of(bench, 1)
    assert (one.status, one.branch) == ("adopted", None)
    assert one.record.title == record(1).title


@pytest.mark.parametrize("land", [squash, rebase, merge, fast_forward])
def test_a_revert_by_hand_is_seen_as_undone_with_or_without_the_branch(bench: Workbench, land: object, tmp_path: Path) -> None:
    write_proposals(open_project(bench), [record(1)])
    land(bench, 1)  # type: ignore[operator]
    bench.git("revert", "--no-edit", *(["-m", "1"] if land is merge else []), "HEAD")
    assert statuses(bench) == {identity(1): "undone"}
    bench.git("clone", "-q", str(bench.path), str(tmp_path / "clone"))
    assert statuses(Workbench(tmp_path / "clone")) == {identity(1): "undone"}
    bench.git("branch", "-D", f"mfgit/{identity(1)}")
    assert statuses(bench) == {identity(1): "undone"}
    assert one_of(bench, 1).record.frequency == 4


def test_when_it_was_adopted_comes_from_the_target(bench: Workbench) -> None:
    write_proposals(open_project(bench), [record(1)])
    bench.git("merge", "-q", "--squash", f"mfgit/{identity(1)}")
    bench.git("commit", "-q", "-m", "x", env={"GIT_COMMITTER_DATE": "2026-11-25T10:00:00+0000"})
    bench.write({"later.txt": "x"})
    bench.commit("later")
    one = one_of(bench, 1)
    assert one.decided_at == day("2026-11-25T10:00:00+00:00")
    assert one.commit == bench.git("rev-parse", "HEAD^")


def test_an_original_that_changed_makes_a_proposal_stale(bench: Workbench) -> None:
    blob = bench.git("rev-parse", "main:help/password.md")
    write_proposals(open_project(bench), [record(1, based_on=(Source("help/password.md", blob),)), record(2)])
    assert statuses(bench) == {identity(1): "open", identity(2): "open"}
    bench.write({"help/password.md": "# Account access\n\nNew.\n"})
    bench.commit()
    assert statuses(bench) == {identity(1): "stale", identity(2): "open"}


def test_a_remotes_branches_are_listed_until_there_are_local_ones(bench: Workbench, tmp_path: Path) -> None:
    write_proposals(open_project(bench), [record(1), draft(2)])
    bench.git("clone", "-q", str(bench.path), str(tmp_path / "clone"))
    clone = Workbench(tmp_path / "clone")
    assert statuses(clone) == {identity(1): "open", identity(2): "open"}
    assert one_of(clone, 1).branch == f"origin/mfgit/{identity(1)}"
    assert write_proposals(open_project(clone), [record(1), draft(2, frequency=9)]) == {
        identity(1): "unchanged",
        identity(2): "updated",
    }
    assert one_of(clone, 2).branch == f"mfgit/{identity(2)}"


def test_two_clones_tell_the_same_after_push_and_fetch(bench: Workbench, tmp_path: Path) -> None:
    origin = tmp_path / "origin.git"
    bench.git("init", "-q", "--bare", "-b", "main", str(origin))
    bench.git("remote", "add", "origin", str(origin))
    project = open_project(bench)
    write_proposals(project, [record(1), wording(2), draft(3), draft(4), record(5), record(6)])
    person_writes(bench, 4)
    project.adopt(identity(1))
    project.adopt(identity(2))
    project.reject(identity(3), "Not\n\nours", forever=True)
    project.adopt(identity(5))
    project.undo(identity(5))
    bench.git("push", "-q", "--prune", "origin", "refs/heads/*:refs/heads/*", "refs/mfgit/*:refs/mfgit/*")
    bench.git("clone", "-q", str(origin), str(tmp_path / "clone"))
    clone = Workbench(tmp_path / "clone")
    clone.git("fetch", "-q", "origin", "refs/heads/mfgit/*:refs/heads/mfgit/*", "refs/mfgit/*:refs/mfgit/*")
    mine, theirs = (open_project(one).proposals() for one in (bench, clone))
    assert mine == theirs
    assert [one.status for one in mine] == ["adopted", "adopted", "rejected", "edited", "undone", "open"]
    assert (mine[2].reason, mine[2].forever) == ("Not\n\nours", True)


def test_what_is_no_proposal_is_passed_over(bench: Workbench) -> None:
    bench.git("branch", "mfgit/notes")
    bench.git("branch", f"mfgit/{identity(9)}")
    write_proposals(open_project(bench), [record(1)])
    state = open_project(bench).survey()
    assert [one.id for one in state.known] == [identity(1)]
    assert len(state.problems) == 1
    assert identity(9) in state.problems[0]


def test_a_broken_record_hides_no_other(bench: Workbench) -> None:
    write_proposals(open_project(bench), [record(1), record(2)])
    bench.git("switch", "-q", f"mfgit/{identity(1)}")
    bench.write({f"help/_forged/proposals/{identity(1)}.json": '{"id": 1}'})
    bench.commit()
    bench.git("switch", "-q", "main")
    state = open_project(bench).survey()
    assert [one.id for one in state.known] == [identity(2)]
    assert "branch" in state.problems[0]
    ran = bench.mfgit("proposals")
    assert ran.code == 0
    assert "passed over" in ran.err


def test_history_tells_what_came_and_what_left(bench: Workbench) -> None:
    bench.write({"_forged/proposals/a.json": "1", "help/_forged/proposals/b.json": "2", "help/_forged/other/c.json": "3"})
    bench.commit()
    bench.git("rm", "-q", "_forged/proposals/a.json")
    bench.commit()
    found = history.events(Git(bench.path), "HEAD")
    assert [(one.added, one.identity) for one in found] == [(False, "a"), (True, "a"), (True, "b")]


@pytest.mark.parametrize(
    "command",
    [
        ("proposals",),
        ("show", identity(1)),
        ("adopt", identity(2)),
        ("reject", identity(2), "--reason", "no"),
        ("restore", identity(2)),
        ("undo", identity(1)),
        ("refresh",),
        ("scan",),
    ],
    ids=lambda command: command[0],
)
def test_a_shallow_clone_is_told_what_it_lacks_and_can_be_searched(
    bench: Workbench, tmp_path: Path, command: tuple[str, ...]
) -> None:
    write_proposals(open_project(bench), [record(1), record(2)])
    squash(bench, 1)
    bench.git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{bench.path}", str(tmp_path / "clone"))
    clone = Workbench(tmp_path / "clone")
    ran = clone.mfgit(*command)
    assert (ran.code, "This clone is shallow" in ran.err, "git fetch --unshallow" in ran.err) == (2, True, True), ran
    assert clone.mfgit("search", "password").code == 0
    clone.git("fetch", "-q", "--unshallow")
    assert statuses(clone) == {identity(1): "adopted", identity(2): "open"}


@pytest.mark.parametrize("status", ["open", "rejected", "adopted", "undone", "at the remote"])
def test_search_with_a_proposal_takes_what_the_other_commands_take(bench: Workbench, tmp_path: Path, status: str) -> None:
    write_proposals(open_project(bench), [record(0x1200000000000000, suggestion="Turn the flywheel.", title="Flywheel?")])
    here, wanted = bench, identity(0x1200000000000000)
    if status == "rejected":
        assert bench.mfgit("reject", wanted, "--reason", "no").code == 0
    if status in ("adopted", "undone"):
        assert bench.mfgit("adopt", wanted).code == 0
    if status == "undone":
        assert bench.mfgit("undo", wanted).code == 0
    if status == "at the remote":
        bench.git("clone", "-q", str(bench.path), str(tmp_path / "clone"))
        here = Workbench(tmp_path / "clone")
    for name in (wanted, wanted[:5], f"mfgit/{wanted}"):
        assert "flywheel" in here.mfgit("search", "flywheel", "--with", name).out.lower()
        assert "flywheel" in here.mfgit("context", "flywheel", "--with", name).out.lower()
    ran = here.mfgit("search", "x", "--with", "ffff")
    assert (ran.code, "There is no proposal ffff" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        pytest.param("000000000000", "is the start of 2 proposals", id="ambiguous"),
        pytest.param("0000000000000009", "There is no proposal", id="unknown"),
        pytest.param("", "No proposal is named", id="empty"),
        pytest.param("mfgit/ ", "No proposal is named", id="empty-branch"),
    ],
)
def test_an_id_that_names_no_single_proposal_is_refused(bench: Workbench, text: str, error: str) -> None:
    write_proposals(open_project(bench), [record(1), record(2)])
    with pytest.raises(BadInput, match=error):
        open_project(bench).show(text)


def test_the_number_of_git_calls_does_not_grow_with_the_proposals(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    run = Git.run

    def counted(self: Git, *args: Any, **options: Any) -> Done:
        calls.append(args[2] if args[0] == "-c" else args[0])
        return run(self, *args, **options)

    monkeypatch.setattr(Git, "run", counted)
    write_proposals(open_project(bench), [record(number) for number in range(200)])
    assert (calls.count("fast-import"), calls.count("update-ref")) == (1, 1)
    assert len(calls) <= 10
    calls.clear()
    assert len(open_project(bench).proposals()) == 200
    assert len(calls) <= 8


def test_a_repository_without_commits_is_told(tmp_path: Path) -> None:
    tmp_path.joinpath("kb").mkdir()
    bench = Workbench(tmp_path / "kb")
    bench.git("init", "-q")
    ran = bench.mfgit("proposals")
    assert ran.code == 2
    assert "no commits" in ran.err


def test_an_adopted_proposal_is_not_rejected(bench: Workbench) -> None:
    write_proposals(open_project(bench), [record(1)])
    squash(bench, 1)
    with pytest.raises(Refusal, match="adopted already"):
        open_project(bench).reject(identity(1), "no")


def test_a_colleagues_commits_at_the_remote_are_what_is_listed_updated_and_adopted(bench: Workbench, tmp_path: Path) -> None:
    origin = tmp_path / "origin.git"
    bench.git("init", "-q", "--bare", "-b", "main", str(origin))
    bench.git("remote", "add", "origin", str(origin))
    write_proposals(open_project(bench), [draft(1), draft(2)])
    bench.git("push", "-q", "origin", "refs/heads/*:refs/heads/*")
    bench.git("clone", "-q", str(origin), str(tmp_path / "colleague"))
    colleague = Workbench(tmp_path / "colleague")
    for number in (1, 2):
        colleague.git("branch", "-q", f"mfgit/{identity(number)}", f"origin/mfgit/{identity(number)}")
        person_writes(colleague, number)
    colleague.git("push", "-q", "origin", "refs/heads/*:refs/heads/*")
    bench.git("fetch", "-q", "origin")
    assert statuses(bench) == {identity(1): "edited", identity(2): "edited"}
    assert write_proposals(open_project(bench), [draft(1, frequency=9)]) == {identity(1): "updated"}
    for number in (1, 2):
        open_project(bench).adopt(identity(number))
        page = f"main:help/_forged/how-do-i-change-setting-{number}-{identity(number)}.md"
        assert "Choose Forgot password." in bench.git("show", page)
    assert bench.git("branch", "--list", "mfgit/*") == ""
