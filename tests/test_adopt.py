"""Deciding: adopt, reject, restore, undo and refresh, wherever the target is and whatever the checkout holds."""

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mfgit.adopt.undoing import brought, without
from mfgit.errors import BadInput, Refusal
from mfgit.model import Alias, Source, check
from mfgit.plumbing import Git
from mfgit.project import Project, adopting
from mfgit.project.deciding import write_proposals
from mfgit.repo import landing
from tests.builders import PAGES, Workbench, aliases_file
from tests.records import draft, identity, record, wording
from tests.test_repo import desk, look, open_project, person_writes, statuses

MESSY = '{ "team" : "Docs",\n   "order":["b", "a"],\n  "aliases": {\n    "where we write": "发票.md"\n  },\n  "note": 1.0   }\n'


@pytest.fixture
def proposed(bench: Workbench) -> Workbench:
    """A repository with an answer (1), two aliases (2, 3), a draft (4) and a skill (5)."""
    write_proposals(open_project(bench), [record(1), wording(2), wording(3), draft(4), record(5, action_type="skill")])
    return bench


def tree(bench: Workbench, ref: str = "main") -> str:
    return bench.git("ls-tree", "-r", ref)


def refused(bench: Workbench, number: int, why: str) -> None:
    """Adopting is refused in one sentence, and nothing moves."""
    refs = bench.git("for-each-ref")
    ran = bench.mfgit("adopt", identity(number))
    assert ran.code == 1
    assert why in ran.err
    assert bench.git("for-each-ref") == refs


# ---- adopt


def test_adopting_makes_one_merge_in_the_persons_name_with_the_trailers(proposed: Workbench) -> None:
    before = proposed.git("rev-parse", "main")
    tip = proposed.git("rev-parse", f"mfgit/{identity(1)}")
    open_project(proposed).adopt(identity(1))
    assert proposed.git("log", "-1", "--format=%P%n%an <%ae>%n%cn", "main").split("\n") == [
        f"{before} {tip}",
        "Alice <alice@example.com>",
        "Alice",
    ]
    assert f"Mfgit-Proposal: {identity(1)}\nMfgit-Action: verified_answer\nMfgit-Root: help" in proposed.git(
        "log", "-1", "--format=%B", "main"
    )
    assert statuses(proposed)[identity(1)] == "adopted"
    assert proposed.git("branch", "--list", f"mfgit/{identity(1)}") == ""
    assert proposed.git("status", "--porcelain") == ""


def test_adopting_keeps_a_dirty_checkout_exactly_as_it_is(proposed: Workbench) -> None:
    before = desk(proposed)
    for number in (1, 2, 3, 5):
        open_project(proposed).adopt(identity(number))
    after = look(proposed)
    assert (after[0], after[2:]) == (before[0], before[2:])
    staged = "help/\\345\\217\\221\\347\\245\\250.md"
    assert [line for line in after[1].split("\n") if staged in line] == [
        line for line in before[1].split("\n") if staged in line
    ]


def test_alias_proposals_are_adopted_one_after_another(proposed: Workbench) -> None:
    assert proposed.mfgit("adopt", identity(2), identity(3)).code == 0
    docs = json.loads(proposed.git("show", "main:help/index.json"))["docs"]
    assert docs[0]["aliases"] == ["lost password 2", "lost password 3"]


def test_a_draft_is_refused_until_a_person_answers(proposed: Workbench) -> None:
    refused(proposed, 4, "draft without an answer")
    refused(proposed, 4, f"git worktree add ../draft mfgit/{identity(4)}")
    person_writes(proposed, 4)
    open_project(proposed).adopt(identity(4))
    page = proposed.git("show", f"main:help/_forged/how-do-i-change-setting-4-{identity(4)}.md")
    assert "Choose Forgot password." in page
    assert "review: written" in page


def test_an_empty_commit_by_a_person_is_no_answer(proposed: Workbench) -> None:
    proposed.git("switch", "-q", f"mfgit/{identity(4)}")
    proposed.commit("looks good")
    proposed.git("switch", "-q", "main")
    refused(proposed, 4, "draft without an answer")


def test_an_answer_written_below_the_line_of_the_draft_loses_the_line(proposed: Workbench) -> None:
    person_writes(
        proposed,
        4,
        "**Draft without an answer.** Replace this line with the answer; until then this proposal cannot be adopted.\n\nDo it.",
    )
    open_project(proposed).adopt(identity(4))
    page = proposed.git("show", f"main:help/_forged/how-do-i-change-setting-4-{identity(4)}.md")
    assert page.endswith("Do it.")
    assert "Draft" not in page


def test_a_stale_proposal_is_refused_until_it_was_compared(bench: Workbench) -> None:
    blob = bench.git("rev-parse", "main:help/password.md")
    records = [change(number, based_on=(Source("help/password.md", blob),)) for number, change in ((1, record), (2, draft))]
    write_proposals(open_project(bench), records)
    person_writes(bench, 2)
    bench.write({"help/password.md": "# Account access\n\nNew.\n"})
    bench.commit()
    for number in (1, 2):
        refused(bench, number, "is stale: help/password.md changed")
        assert bench.mfgit("refresh", identity(number), "--checked").code == 0
        open_project(bench).adopt(identity(number))
    new = bench.git("rev-parse", "main:help/password.md")
    assert new in bench.git("show", f"main:help/_forged/how-do-i-change-setting-2-{identity(2)}.md")
    assert set(statuses(bench).values()) == {"adopted"}


def test_a_second_answer_to_the_same_question_is_refused(bench: Workbench) -> None:
    write_proposals(open_project(bench), [record(1), record(2, keys=(identity(1), identity(2)))])
    open_project(bench).adopt(identity(1))
    refused(bench, 2, f"answers a question that {identity(1)} answers already")
    open_project(bench).undo(identity(1))
    open_project(bench).adopt(identity(2))


def test_an_alias_that_leads_elsewhere_meanwhile_is_refused(tmp_path: Path) -> None:
    bench = Workbench.make(tmp_path / "kb", {**PAGES, "help/index.json": MESSY})
    write_proposals(open_project(bench), [wording(1, text="same"), wording(2, page="help/发票.md", text="same")])
    open_project(bench).adopt(identity(1))
    refused(bench, 2, "leads to password.md already")


def test_an_alias_for_a_page_without_an_entry_is_refused(bench: Workbench) -> None:
    write_proposals(open_project(bench), [wording(1, page="help/other.md")])
    refused(bench, 1, "has no entry")


def test_a_branch_that_changes_an_original_is_refused_by_the_guard(proposed: Workbench) -> None:
    proposed.git("switch", "-q", f"mfgit/{identity(1)}")
    proposed.write({"help/password.md": "# Mine\n"})
    proposed.commit("edit\n\nOriginal-Edit: let me in")
    proposed.git("switch", "-q", "main")
    refused(proposed, 1, "help/password.md")


def test_a_file_in_the_way_is_never_overwritten(proposed: Workbench) -> None:
    path = f"help/_forged/how-do-i-change-setting-1-{identity(1)}.md"
    proposed.write({path: "mine\n"})
    refused(proposed, 1, f"It would overwrite {path}")
    proposed.write({".gitignore": "tmp/\n_forged/\n"})
    refused(proposed, 1, path)
    assert (proposed.path / path).read_text() == "mine\n"


def test_an_index_json_with_work_in_it_is_never_overwritten(proposed: Workbench) -> None:
    proposed.write({"help/index.json": aliases_file(("password.md", "Mine", []))})
    refused(proposed, 2, "It would overwrite help/index.json")


def test_a_merge_that_goes_on_is_left_alone(proposed: Workbench) -> None:
    proposed.git("switch", "-q", "-c", "feature")
    proposed.write({"x.txt": "1"})
    proposed.commit()
    proposed.git("switch", "-q", "main")
    proposed.git("merge", "-q", "--no-ff", "--no-commit", "feature")
    refused(proposed, 1, "A merge is going on")


def test_reviewed_binds_the_decision_to_what_was_read(proposed: Workbench) -> None:
    tip = proposed.git("rev-parse", f"mfgit/{identity(4)}")
    person_writes(proposed, 4)
    with pytest.raises(Refusal, match="as reviewed"):
        open_project(proposed).adopt(identity(4), reviewed=tip)
    with pytest.raises(BadInput, match="no commit"):
        open_project(proposed).adopt(identity(4), reviewed="nonsense")
    open_project(proposed).adopt(identity(4), reviewed=f"mfgit/{identity(4)}")


def test_adopting_again_says_so_and_changes_nothing(proposed: Workbench) -> None:
    open_project(proposed).adopt(identity(1))
    refs = proposed.git("for-each-ref")
    ran = proposed.mfgit("adopt", identity(1))
    assert (ran.code, "is adopted already" in ran.out) == (0, True)
    assert proposed.git("for-each-ref") == refs


def test_a_decision_is_signed_when_the_person_signs_commits(proposed: Workbench, tmp_path: Path) -> None:
    fake = tmp_path / "sign"
    fake.write_text('#!/bin/sh\ncat >/dev/null\necho "[GNUPG:] SIG_CREATED x" >&2\necho "-----BEGIN PGP SIGNATURE-----"\n')
    fake.chmod(0o755)
    proposed.git("config", "gpg.program", str(fake))
    proposed.git("config", "commit.gpgSign", "true")
    person_writes(proposed, 4)
    open_project(proposed).adopt(identity(4))
    for commit in ("main", "main^2"):
        raw = proposed.git("cat-file", "commit", commit)
        assert "gpgsig -----BEGIN PGP SIGNATURE-----" in raw
        assert "author Alice <alice@example.com>" in raw
    open_project(proposed).undo(identity(4))
    assert "gpgsig" in proposed.git("cat-file", "commit", "main")


def test_one_refusal_does_not_stop_the_others(proposed: Workbench) -> None:
    ran = proposed.mfgit("adopt", identity(4), identity(1), "--json")
    assert ran.code == 1
    assert [entry["status"] for entry in ran.json()] == ["refused", "adopted"]


def test_the_start_of_an_id_is_enough(proposed: Workbench) -> None:
    write_proposals(open_project(proposed), [record(0xABC << 52)])
    assert proposed.mfgit("adopt", "abc").code == 0


def test_adopting_needs_to_know_who_you_are(proposed: Workbench, isolated: Path) -> None:
    (isolated / ".gitconfig").write_text("")
    ran = proposed.mfgit("adopt", identity(1))
    assert ran.code == 2
    assert "does not know who you are" in ran.err


# ---- where the target is


def detached(bench: Workbench) -> Workbench:
    bench.git("switch", "-q", "--detach")
    return bench


def on_another_branch(bench: Workbench) -> Workbench:
    bench.git("switch", "-q", "-c", "feature")
    return bench


def bare(bench: Workbench) -> Workbench:
    bench.git("clone", "-q", "--mirror", str(bench.path), str(bench.path.parent / "bare.git"))
    return Workbench(bench.path.parent / "bare.git")


def linked(bench: Workbench) -> Workbench:
    """A linked worktree on a branch of its own; the target is checked out in the main one."""
    bench.git("worktree", "add", "-q", "-b", "side", str(bench.path.parent / "linked"))
    return Workbench(bench.path.parent / "linked")


def target_elsewhere(bench: Workbench) -> Workbench:
    """The main worktree on another branch; the target is checked out in a linked one."""
    bench.git("switch", "-q", "-c", "feature")
    bench.git("worktree", "add", "-q", str(bench.path.parent / "linked"), "main")
    return bench


@pytest.mark.parametrize("place", [detached, on_another_branch, bare, linked, target_elsewhere])
def test_adopt_and_undo_work_wherever_the_target_is(proposed: Workbench, place: Callable[[Workbench], Workbench]) -> None:
    was = tree(proposed)
    here = place(proposed)
    head = here.git("rev-parse", "HEAD")
    assert here.mfgit("adopt", *map(identity, (1, 2, 3, 5))).code == 0
    assert statuses(here) == {identity(n): "open" if n == 4 else "adopted" for n in range(1, 6)}
    assert here.mfgit("undo", *map(identity, (2, 5, 1, 3))).code == 0
    assert tree(here) == was
    for folder in (proposed.path, proposed.path.parent / "linked"):
        if folder.exists():
            assert Workbench(folder).git("status", "--porcelain") == ""
    if place is not bare:
        assert here.git("rev-parse", "HEAD") == head


def test_a_rebase_of_the_target_is_not_disturbed(proposed: Workbench) -> None:
    proposed.git("switch", "-q", "-c", "onto")
    proposed.write({"x.txt": "1"})
    proposed.commit()
    proposed.git("switch", "-q", "main")
    proposed.write({"x.txt": "2"})
    proposed.commit()
    subprocess.run(["git", "rebase", "onto"], cwd=proposed.path, capture_output=True, check=False)
    refused(proposed, 1, "A rebase of the target is going on")


# ---- undo


@pytest.mark.parametrize("index", [PAGES["help/index.json"], MESSY], ids=["ours", "the team's own layout"])
@pytest.mark.parametrize("order", [(1, 2, 3, 5), (5, 3, 2, 1), (3, 1, 5, 2)])
def test_undoing_everything_in_any_order_gives_every_byte_back(tmp_path: Path, index: str, order: tuple[int, ...]) -> None:
    bench = Workbench.make(tmp_path / "kb", {**PAGES, "help/index.json": index})
    was = tree(bench)
    write_proposals(open_project(bench), [record(1), wording(2), wording(3), record(5, action_type="skill")])
    for number in (1, 2, 3, 5):
        open_project(bench).adopt(identity(number))
    history = bench.git("rev-parse", "main")
    for number in order:
        open_project(bench).undo(identity(number))
    assert tree(bench) == was
    assert bench.git("merge-base", "main", history) == history
    assert set(statuses(bench).values()) == {"undone"}
    assert bench.git("status", "--porcelain") == ""


def test_undo_leaves_the_teams_later_edits_and_other_proposals_aliases(proposed: Workbench) -> None:
    write_proposals(open_project(proposed), [wording(6, text="lost password 2")])
    for number in (2, 6, 3):
        open_project(proposed).adopt(identity(number)) if number != 6 else None
    value = json.loads((proposed.path / "help/index.json").read_text())
    value["docs"][0]["aliases"].append("the team's")
    value["docs"][0]["title"] = "Access"
    proposed.write({"help/index.json": json.dumps(value, indent=2, ensure_ascii=False) + "\n"})
    proposed.commit("team")
    open_project(proposed).undo(identity(2))
    docs = json.loads(proposed.git("show", "main:help/index.json"))["docs"]
    assert docs[0] == {"path": "password.md", "title": "Access", "aliases": ["lost password 3", "the team's"]}


def test_what_is_undone_can_be_adopted_again_with_a_persons_text(proposed: Workbench) -> None:
    person_writes(proposed, 4)
    project = open_project(proposed)
    for number in (2, 4):
        project.adopt(identity(number))
        was = tree(proposed)
        project.undo(identity(number))
        project.adopt(identity(number))
        assert tree(proposed) == was
        project.undo(identity(number))
    assert [statuses(proposed)[identity(n)] for n in (2, 4)] == ["undone", "undone"]
    assert [project.restore(identity(n)).status for n in (2, 4)] == ["open", "edited"]
    assert write_proposals(project, [draft(4, frequency=9)]) == {identity(4): "updated"}
    project.adopt(identity(4))
    assert "Choose Forgot password." in proposed.git("show", f"main:help/_forged/how-do-i-change-setting-4-{identity(4)}.md")


def test_undo_after_a_squash_merge_with_other_work_keeps_the_other_work(proposed: Workbench) -> None:
    proposed.git("merge", "-q", "--squash", f"mfgit/{identity(2)}")
    value = json.loads((proposed.path / "help/index.json").read_text())
    value["docs"][1]["aliases"].append("ours")
    proposed.write({"help/index.json": json.dumps(value, indent=2, ensure_ascii=False) + "\n", "note.txt": "x"})
    proposed.commit("squash and more")
    open_project(proposed).undo(identity(2))
    docs = json.loads(proposed.git("show", "main:help/index.json"))["docs"]
    assert [doc["aliases"] for doc in docs] == [[], ["ours"]]
    assert (proposed.path / "note.txt").exists()


@pytest.mark.parametrize(("number", "why"), [(1, "is open, not adopted"), (9, "There is no proposal")])
def test_undo_of_what_is_not_adopted_is_refused(proposed: Workbench, number: int, why: str) -> None:
    ran = proposed.mfgit("undo", identity(number))
    assert ran.code == (1 if number == 1 else 2)
    assert why in ran.err


def test_undo_takes_the_aliases_that_this_proposal_brought_and_no_others() -> None:
    one, other = wording(1, text="a"), wording(2, text="a")
    team = {("help/password.md", "a")}
    assert brought(one, set(), []) == one.aliases
    assert brought(one, team, []) == ()
    assert brought(one, team, [other]) == one.aliases
    lists = {"help/password.md": ("a", "b")}
    assert without(lists, one, one.aliases, []) == {"help/password.md": ["b"]}
    assert without(lists, one, one.aliases, [other]) == {}
    assert without(lists, one, (Alias("help/password.md", "gone"),), []) == {}


# ---- reject, restore, refresh


def test_a_rejected_proposal_keeps_its_reason_and_comes_back_as_it_was(proposed: Workbench) -> None:
    person_writes(proposed, 4)
    tip = proposed.git("rev-parse", f"mfgit/{identity(4)}")
    before = desk(proposed)
    assert proposed.mfgit("reject", identity(4), "--reason", "Not ours\n\nSee page 2").code == 0
    assert proposed.git("for-each-ref", f"refs/heads/mfgit/{identity(4)}") == ""
    assert "Not ours\n    \n    See page 2" in proposed.git("log", "-1", f"refs/mfgit/rejected/{identity(4)}")
    refused(proposed, 4, "was rejected: Not ours")
    assert proposed.mfgit("restore", identity(4)).code == 0
    assert proposed.git("rev-parse", f"mfgit/{identity(4)}") == tip
    assert proposed.git("for-each-ref", "refs/mfgit") == ""
    assert look(proposed) == before


def test_a_scan_brings_a_rejected_one_back_unless_it_was_for_ever(proposed: Workbench) -> None:
    project = open_project(proposed)
    project.reject(identity(1), "no")
    project.reject(identity(2), "never", forever=True)
    assert write_proposals(project, [record(1, frequency=20), wording(2)]) == {identity(1): "new", identity(2): "unchanged"}
    assert [statuses(proposed)[identity(n)] for n in (1, 2)] == ["open", "rejected"]


def test_rejecting_needs_a_reason_and_a_branch_that_nobody_is_on(proposed: Workbench) -> None:
    with pytest.raises(BadInput, match="needs a reason"):
        open_project(proposed).reject(identity(1), "  ")
    proposed.git("switch", "-q", f"mfgit/{identity(1)}")
    with pytest.raises(Refusal, match="is checked out in"):
        open_project(proposed).reject(identity(1), "no")


def test_what_is_personal_in_a_reason_stays_out_of_git(proposed: Workbench) -> None:
    assert proposed.mfgit("reject", identity(4), "--reason", "Says 13912345678, not ours").code == 0
    assert "Says [redacted:phone], not ours" in proposed.git("log", "-1", f"refs/mfgit/rejected/{identity(4)}")


def test_an_undone_proposal_can_be_rejected(proposed: Workbench) -> None:
    project = open_project(proposed)
    project.adopt(identity(1))
    project.undo(identity(1))
    assert project.reject(identity(1), "no").status == "rejected"
    assert project.restore(identity(1)).status == "open"


def test_restore_of_what_is_open_is_refused(proposed: Workbench) -> None:
    with pytest.raises(Refusal, match="nothing to restore"):
        open_project(proposed).restore(identity(1))


def test_refresh_makes_every_branch_merge_by_plain_git(proposed: Workbench) -> None:
    person_writes(proposed, 4)
    project = open_project(proposed)
    project.adopt(identity(2))
    before, tips = desk(proposed), {n: proposed.git("rev-parse", f"mfgit/{identity(n)}") for n in (1, 3, 4, 5)}
    assert proposed.mfgit("refresh").code == 0
    for number, tip in tips.items():
        branch = f"mfgit/{identity(number)}"
        assert proposed.git("merge-base", "main", branch) == proposed.git("rev-parse", "main")
        assert proposed.git("merge-base", tip, branch) == tip
        proposed.git("merge-tree", "--write-tree", "main", branch)
    assert look(proposed) == before
    assert statuses(proposed) == {identity(n): {2: "adopted", 4: "edited"}.get(n, "open") for n in range(1, 6)}
    assert "Choose Forgot password." in proposed.git(
        "show", f"mfgit/{identity(4)}:help/_forged/how-do-i-change-setting-4-{identity(4)}.md"
    )
    refs = proposed.git("for-each-ref")
    assert "Re-applied 0 proposals" in proposed.mfgit("refresh").out
    assert proposed.git("for-each-ref") == refs


def test_refresh_tells_what_it_leaves_alone(proposed: Workbench) -> None:
    proposed.git("worktree", "add", "-q", str(proposed.path.parent / "review"), f"mfgit/{identity(1)}")
    open_project(proposed).adopt(identity(2))
    ran = proposed.mfgit("refresh", "--json").json()
    assert len(ran["moved"]) == 3
    assert "is checked out in" in ran["problems"][0]
    assert proposed.mfgit("refresh", "--checked").code == 2


def test_an_adopted_answer_is_improved_by_a_new_proposal(proposed: Workbench) -> None:
    project = open_project(proposed)
    project.adopt(identity(1))
    assert write_proposals(project, [record(1, title="New title", frequency=20, suggestion="Better.")]) == {identity(1): "new"}
    assert statuses(proposed)[identity(1)] == "open"
    project.adopt(identity(1))
    page = proposed.git("show", f"main:help/_forged/how-do-i-change-setting-1-{identity(1)}.md")
    assert "\nBetter.\n" in page
    assert statuses(proposed)[identity(1)] == "adopted"
    assert write_proposals(project, [draft(1, frequency=40)]) == {identity(1): "new"}
    assert proposed.mfgit("refresh").code == 0
    assert "Better." in proposed.git("show", f"mfgit/{identity(1)}:help/_forged/how-do-i-change-setting-1-{identity(1)}.md")


# ---- several at once, and kills


def test_many_people_adopt_at_the_same_moment(proposed: Workbench) -> None:
    write_proposals(open_project(proposed), [wording(number) for number in range(10, 16)])
    with ThreadPoolExecutor(3) as pool:
        codes = list(pool.map(lambda n: proposed.mfgit("adopt", identity(n)).code, range(10, 16)))
    while 1 in codes or 2 in codes:
        codes = [proposed.mfgit("adopt", identity(n)).code for n in range(10, 16)]
    docs = json.loads(proposed.git("show", "main:help/index.json"))["docs"]
    assert docs[0]["aliases"] == [f"lost password {n}" for n in range(10, 16)]
    assert proposed.git("status", "--porcelain") == ""
    assert len(proposed.git("rev-list", "--first-parent", "main").split()) == 7


def test_a_target_that_moves_in_between_is_merged_anew(proposed: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def late(git: Git, target: str, old: str, new: str, reason: str) -> None:
        if not seen:
            seen.append(1)
            proposed.write({"note.txt": "x"})
            proposed.commit("meanwhile")
        landing.land(git, target, old, new, reason)

    monkeypatch.setattr(adopting, "land", late)
    open_project(proposed).adopt(identity(1))
    assert (proposed.path / "note.txt").exists()
    assert proposed.git("log", "-1", "--format=%s", "main^") == "meanwhile"


@pytest.mark.parametrize("where", ["merge", "decide", "violations", "land", "tidy_away"])
@pytest.mark.parametrize("command", ["adopt", "undo"])
def test_being_killed_at_any_step_leaves_it_done_or_not_begun(proposed: Workbench, where: str, command: str) -> None:
    if command == "undo":
        open_project(proposed).adopt(identity(2))
    before = desk(proposed)
    main = proposed.git("rev-parse", "main")
    script = (
        "import os, sys\nsys.path.insert(0, os.getcwd())\n"
        "from mfgit.project import Project, adopting\n"
        f"adopting.{where} = lambda *a, **k: os.kill(os.getpid(), 9)\n"
        f"adopting.{command}(Project.open({str(proposed.path)!r}), {identity(2)!r})\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parent.parent, check=False)
    moved = proposed.git("rev-parse", "main") != main
    assert moved == (where == "tidy_away" if command == "adopt" else where in ("merge", "tidy_away"))
    assert (look(proposed)[0], look(proposed)[2:]) == (before[0], before[2:])
    assert proposed.mfgit(command, identity(2)).code == (1 if command == "undo" and moved else 0)
    assert statuses(proposed)[identity(2)] == {"adopt": "adopted", "undo": "undone"}[command]


# ---- faces


def test_show_tells_why_with_evidence_text_and_diff(proposed: Workbench) -> None:
    for before, status in ((lambda: None, "open"), (lambda: open_project(proposed).adopt(identity(1)), "adopted")):
        before()
        ran = proposed.mfgit("show", identity(1))
        assert all(
            part in ran.out
            for part in (status, "asked 4 times", "r-1 [up]", "Open the menu and choose 1.", "+++ b/help/_forged")
        )
    open_project(proposed).undo(identity(1))
    assert "+Open the menu and choose 1." in proposed.mfgit("show", identity(1), "--json").json()["diff"]


def test_text_of_conversations_cannot_reach_the_terminal(bench: Workbench) -> None:
    write_proposals(open_project(bench), [record(1, title="x\x1b[31mred", why=("\x1b]0;title\x07",))])
    for command in (("proposals",), ("show", identity(1)), ("adopt", identity(1))):
        assert "\x1b" not in bench.mfgit(*command).out


def test_proposals_lists_what_waits_first(proposed: Workbench) -> None:
    open_project(proposed).adopt(identity(1))
    out = proposed.mfgit("proposals").out
    assert out.index(identity(5)) < out.index(identity(1))
    assert "4 open, 1 adopted" in out
    assert [entry["id"] for entry in proposed.mfgit("proposals", "--status", "adopted", "--json").json()] == [identity(1)]


def test_python_offers_the_same(proposed: Workbench) -> None:
    project = Project.open(proposed.path)
    assert [one.status for one in project.proposals("open")] == ["open"] * 5
    assert project.adopt(identity(1)).changed
    assert not project.adopt(identity(1)).changed


def test_what_proposals_prints_is_what_its_schema_says(proposed: Workbench) -> None:
    project = open_project(proposed)
    project.adopt(identity(1))
    project.adopt(identity(2))
    project.undo(identity(2))
    project.reject(identity(3), "no", forever=True)
    printed = proposed.mfgit("proposals", "--json").json()
    check("proposals", printed, "proposals --json")
    for entry in printed:
        check("record", entry, entry["id"])
    assert [entry["decided_at"] is None for entry in printed] == [False, False, False, True, True]
