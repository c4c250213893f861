"""The guard on real repositories: what is staged, what is written in the message, what a range holds."""

import gc
import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mfgit.errors import BadInput
from mfgit.guard import install, landing
from mfgit.plumbing import Git
from tests.builders import CONFIG, PAGES
from tests.guarding import BOT, EVIL, NEW, ONE_ALIAS, OVERLAY, REASON, Guarded, Verdict


@pytest.fixture
def kb(tmp_path: Path) -> Guarded:
    return Guarded.at(tmp_path / "kb")


@pytest.fixture
def guard(kb: Guarded, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Verdict:
    return Verdict(kb, monkeypatch, capsys)


# ---- staged, the machine

GOOD: dict[str, Mapping[str, str | bytes | None]] = {
    "an overlay": NEW,
    "a record": {"help/_forged/proposals/0a.json": "{}\n"},
    "a skill": {"help/_forged/skills/reset/SKILL.md": OVERLAY},
    "a Chinese name": {"help/_forged/修改抬头.md": OVERLAY},
    "a workspace": {"workspaces/w1/knowledge/_forged/x.md": OVERLAY},
    "an alias": {"help/index.json": ONE_ALIAS},
    "nothing": {},
}
BAD: dict[str, tuple[Mapping[str, str | bytes | None], str]] = {
    "an original": (EVIL, "original"),
    "a new original": ({"help/new.md": "x"}, "original"),
    "a deleted original": ({"help/password.md": None}, "original"),
    "an original in other letters": ({"help/new.MDX": "x"}, "original"),
    "a Chinese original": ({"help/发票.md": "x"}, "original"),
    "the root in other letters": ({"Help/_forged/x.md": "x"}, "original"),
    "the folder in other letters": ({"help/_Forged/x.md": "x"}, "original"),
    "a file for the folder": ({"help/_forged": "x"}, "original"),
    "an asset": ({"help/logo.png": b"x"}, "outside"),
    "code": ({"src/a.py": "x"}, "outside"),
    "an overlay outside the roots": ({"_forged/x.md": "x"}, "outside"),
    "a conversation": ({"Tmp/MemoryForge/chat-archive/2026-10-05.jsonl": "{}\n"}, "archive"),
    "settings": ({"mfgit.toml": ""}, "settings"),
    "attributes": ({"help/_forged/.gitattributes": "* x"}, "settings"),
    "another kind of file": ({"help/_forged/x.html": "x"}, "overlay-name"),
    "a name for Windows": ({"help/_forged/aux.md": "x"}, "overlay-name"),
    "a hidden character": ({"help/_forged/a\u200bb.md": "x"}, "overlay-name"),
    "control characters": ({"help/_forged/x.md": "\x1b[2J"}, "overlay-text"),
    "a large overlay": ({"help/_forged/x.md": "x" * 1_048_577}, "overlay-text"),
    "a title": ({"help/index.json": PAGES["help/index.json"].replace("Account", "Evil")}, "aliases"),
    "a deleted aliases file": ({"help/index.json": None}, "aliases"),
    "broken JSON": ({"help/index.json": ONE_ALIAS + "{}"}, "aliases"),
    "an aliases file in other letters": ({"help/Index.json": "{}"}, "original"),
    "a blank alias": ({"help/index.json": ONE_ALIAS.replace("lost password", " ")}, "alias"),
}


@pytest.mark.parametrize("files", GOOD.values(), ids=GOOD.keys())
def test_the_machine_may_add_overlays_and_aliases(kb: Guarded, guard: Verdict, files: Mapping[str, str | bytes | None]) -> None:
    kb.branch("mfgit/p1")
    kb.stage(files)
    assert guard("--staged") == 0, guard.said
    kb.git("checkout", "-q", "-B", "feature/x")
    assert guard("--staged", bot=True) == 0, guard.said


@pytest.mark.parametrize(("files", "rule"), BAD.values(), ids=BAD.keys())
def test_the_machine_may_change_nothing_else(
    kb: Guarded, guard: Verdict, files: Mapping[str, str | bytes | None], rule: str
) -> None:
    kb.branch("mfgit/p1")
    kb.stage(files)
    assert guard("--json") == 1
    assert {found["rule"] for found in json.loads(guard.said)["violations"]} == {rule}
    assert guard.message("work" + REASON) == 1


def test_a_machines_symlink_mode_and_twin_are_refused(kb: Guarded, guard: Verdict) -> None:
    kb.branch("mfgit/p1")
    kb.stage(NEW)
    kb.git("update-index", "--chmod=+x", "help/_forged/new.md")
    assert guard() == 1
    assert "has mode 100755" in guard.said
    kb.link("../password.md", "help/_forged/link.md")
    kb.stage({"help/_forged/NEW.md": "x"})
    assert guard() == 1
    assert "has mode 120000" in guard.said
    assert "one name where case does not count" in guard.said


@pytest.mark.parametrize(
    "name", ["Alice", "a\u202eb", "a\u200bb", "CON", ".git2", ".hidden", "a:b", "a ", "a.", "a\udcff", "*", "e\u0301"]
)
def test_the_machine_makes_no_folder_for_a_star_that_no_overlay_could_have(kb: Guarded, guard: Verdict, name: str) -> None:
    kb.save({"workspaces/alice/knowledge/a.md": "# a\n", ".odd/knowledge/a.md": "# a\n"})
    kb.branch("mfgit/p1")
    kb.save({f"workspaces/{name}/knowledge/_forged/x.md": OVERLAY}, bot=True)
    assert guard.range("main..mfgit/p1", "mfgit/p1") == 1
    assert "[overlay-name]" in guard.said
    kb.git("reset", "-q", "--soft", "main")
    assert guard() == 1


def test_a_folder_that_people_made_holds_overlays_whatever_it_is_called(kb: Guarded, guard: Verdict) -> None:
    kb.save({"workspaces/.odd:/knowledge/a.md": "# a\n", "workspaces/.ODD:/x.py": ""})
    kb.branch("mfgit/p1")
    kb.save({"workspaces/.odd:/knowledge/_forged/x.md": OVERLAY}, bot=True)
    assert guard.range("main..mfgit/p1", "mfgit/p1") == 0, guard.said


def test_a_person_adds_plain_files_beside_the_folders_of_a_star(kb: Guarded, guard: Verdict) -> None:
    kb.save({"workspaces/w1/knowledge/a.png": b"x"})
    kb.branch("look")
    added: dict[str, str | bytes | None] = {"workspaces/README.md": "# hi\n", "workspaces/Makefile": "all:\n"}
    kb.stage(added)
    assert guard() == 0, guard.said
    kb.save({})
    kb.save({**added, "workspaces/README.md": "# changed\n", "workspaces/Makefile": None})
    assert guard.range("main..look", "look") == 0, guard.said


@pytest.mark.parametrize("what", ["a link", "a file for a folder", "a file for the folder of all", "a file for a root"])
def test_what_takes_the_place_of_a_root_needs_a_reason(kb: Guarded, guard: Verdict, what: str) -> None:
    kb.save({"workspaces/w1/knowledge/a.png": b"x", "workspaces/w2/notes.txt": "x"})
    kb.branch("look")
    if what == "a link":
        kb.link("w1", "workspaces/w3")
    else:
        place = {"a file for a folder": "workspaces/w1", "a file for a root": "workspaces/w1/knowledge"}.get(what, "workspaces")
        kb.git("rm", "-q", "-r", place)
        kb.stage({place: "x"})
    assert guard() == 1
    assert "stands where a knowledge root is" in guard.said
    kb.save({})
    assert guard.range("main..look", "look") == 1


def test_a_proposal_may_take_back_what_an_earlier_commit_did(kb: Guarded, guard: Verdict) -> None:
    """The repair that a refusal names is run as it is printed, and is a commit that passes every gate."""
    kb.branch("mfgit/p1")
    kb.save({**NEW, "help/index.json": ONE_ALIAS}, bot=True)
    kb.save({**EVIL, "help/new.md": "# new\n", "help/index.json": "{}"}, bot=True)
    install.install(Git(kb.path))
    kb.git("restore", "--staged", "--worktree", "--source=HEAD^", "--", "help/password.md", "help/index.json")
    assert kb.attempt("commit", "-q", "--amend", "--no-edit", env=BOT) == 1  # help/new.md still is there
    kb.git("rm", "-q", "help/new.md")
    assert kb.attempt("commit", "-q", "--amend", "--no-edit", "--allow-empty", env=BOT) == 0
    assert kb.git("diff", "--name-only", "main", "HEAD") == "help/_forged/new.md\nhelp/index.json"
    assert guard.range("main..mfgit/p1", "mfgit/p1") == 0, guard.said


def test_an_overlay_may_be_deleted_whatever_it_was(kb: Guarded, guard: Verdict) -> None:
    kb.link("../password.md", "help/_forged/link.md")
    kb.commit("odd")
    kb.branch("mfgit/p1")
    kb.stage({"help/_forged/link.md": None})
    assert guard() == 0


def test_an_alias_leads_to_a_page_of_its_root(kb: Guarded, guard: Verdict) -> None:
    pages = ("ghost.md", "../src/a.md", "_forged/x.md", "", "team/x.md", "a\\nb.md")
    docs = ",".join(f'{{"path": "{page}", "aliases": []}}' for page in pages)
    kb.save(
        {
            "help/index.json": f'{{"docs": [{docs}]}}\n',
            "help/_forged/x.md": "x",
            "help/team/x.md": "x",
            "src/a.md": "x",
            "mfgit.toml": CONFIG + '[[root]]\npath = "help/team"\n',
        }
    )
    kb.branch("mfgit/p1")
    kb.stage({"help/index.json": f'{{"docs": [{docs}]}}\n'.replace("[]", '["x"]')})
    assert guard("--json") == 1
    assert len(json.loads(guard.said)["violations"]) == len(pages)


def test_an_alias_map_belongs_to_the_machine_but_not_its_pages(kb: Guarded, guard: Verdict) -> None:
    kb.save({"help/index.json": '{"team": "Docs", "aliases": {"a": "password.md"}}\n'})
    kb.branch("mfgit/p1")
    kb.stage({"help/index.json": '{"team": "Docs", "aliases": {"a": "password.md", "b": "发票.md"}}\n'})
    assert guard() == 0, guard.said
    kb.stage({"help/index.json": '{"team": "Docs", "aliases": {"a": "password.md", "b": "none.md"}}\n'})
    assert guard() == 1


def test_an_amend_does_not_hide_what_the_branch_did(kb: Guarded, guard: Verdict) -> None:
    kb.branch("mfgit/p1")
    kb.save(EVIL)
    kb.stage(NEW)
    assert guard() == 1
    kb.stage({"help/password.md": PAGES["help/password.md"]})
    assert guard() == 0  # as it was where the branch left the target: what an amended commit looks like
    kb.save({})
    assert guard.range("main..mfgit/p1", "mfgit/p1") == 1  # a commit of its own does not make the earlier one good


def test_a_branch_of_its_own_history_is_refused(kb: Guarded, guard: Verdict) -> None:
    kb.git("checkout", "-q", "--orphan", "mfgit/p1")
    kb.git("commit", "-qm", "root", "--no-verify")
    kb.stage(NEW)
    assert guard() == 1
    assert "no commit in common" in guard.said


def test_a_first_commit_of_the_machine_is_held_to_overlays(kb: Guarded, guard: Verdict) -> None:
    kb.git("checkout", "-q", "--orphan", "fresh")
    assert guard(bot=True) == 1
    kb.git("rm", "-rqf", ".")
    kb.stage({"_forged/x.md": OVERLAY})
    kb.git("update-ref", "-d", "refs/heads/main")
    assert guard(bot=True) == 0, guard.said


def test_the_machine_merges_only_the_target(kb: Guarded, guard: Verdict) -> None:
    kb.branch("feature/wip")
    kb.save({"src/a.py": "1"})
    kb.branch("mfgit/p1")
    kb.save(NEW)
    kb.git("merge", "-q", "--no-commit", "--no-ff", "feature/wip")
    assert guard() == 1
    assert "merges only the target" in guard.said
    kb.git("merge", "--abort")
    kb.branch("main", "main")
    kb.save({"help/password.md": "# Better\n"}, "edit" + REASON)
    kb.git("checkout", "-q", "mfgit/p1")
    kb.git("merge", "-q", "--no-commit", "--no-ff", "main")
    assert guard() == 0, guard.said
    kb.stage(EVIL)
    assert guard() == 1


def test_a_proposal_that_forked_twice_is_judged_against_both_forks(kb: Guarded, guard: Verdict) -> None:
    kb.branch("mfgit/p1")
    first = kb.save(NEW)
    kb.git("checkout", "-q", "main")
    base = kb.save({"help/password.md": "# Better\n"}, "edit" + REASON)
    kb.merge(first)
    kb.git("checkout", "-q", "mfgit/p1")
    kb.merge(base, bot=True)
    kb.stage({"help/_forged/more.md": OVERLAY})
    assert len(kb.git("merge-base", "--all", "main", "HEAD").split()) == 2
    assert guard() == 0, guard.said


# ---- staged, people


@pytest.mark.parametrize(
    "files",
    [
        {"src/a.py": "1"},
        {"README.md": "x"},
        {"help/logo.png": b"x"},
        NEW,
        {"help/index.json": ONE_ALIAS},
        {"help/nav.json": "1"},
    ],
    ids=["code", "Markdown outside the roots", "an asset", "an overlay", "an alias", "other JSON"],
)
def test_people_are_free_outside_of_what_is_protected(
    kb: Guarded, guard: Verdict, files: Mapping[str, str | bytes | None]
) -> None:
    kb.branch("feature/x")
    kb.stage(files)
    assert guard() == 0, guard.said
    assert guard.message("work") == 0


PROTECTED: dict[str, Callable[[Guarded], object]] = {
    "an original": lambda kb: kb.stage(EVIL),
    "a new one": lambda kb: kb.stage({"help/new.md": "x"}),
    "a deleted one": lambda kb: kb.stage({"help/password.md": None}),
    "a renamed one": lambda kb: kb.git("mv", "help/password.md", "help/other.html"),
    "a symlink": lambda kb: kb.link("发票.md", "help/password.md"),
    "settings": lambda kb: kb.stage({"mfgit.toml": None}),
    "attributes": lambda kb: kb.stage({"help/.gitattributes": "* x"}),
    "the aliases file": lambda kb: kb.stage({"help/index.json": "{}"}),
    "the overlays' folder": lambda kb: kb.link(".", "help/_forged"),
    "a root's place": lambda kb: kb.link("help", "workspaces"),
    "a root's place in other letters": lambda kb: kb.link("help", "HELP"),
    "a submodule": lambda kb: kb.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},help/vendor"),
}


@pytest.mark.parametrize("change", PROTECTED.values(), ids=PROTECTED.keys())
def test_people_give_a_reason_for_what_is_protected(kb: Guarded, guard: Verdict, change: Callable[[Guarded], object]) -> None:
    kb.branch("feature/x")
    change(kb)
    assert guard() == 1
    assert 'git commit --trailer "Original-Edit: why"' in guard.said
    assert guard(env={"MFGIT_ORIGINAL_EDIT": "typo"}) == 0
    assert guard(env={"MFGIT_ORIGINAL_EDIT": " "}) == 1
    assert guard.message("work") == 1
    assert guard.message("work" + REASON) == 0
    assert guard.message("work" + REASON, bot=True) == 1


TALK = "tmp/memoryforge/chat-archive/2026-10-05.jsonl"


def save_conversation(kb: Guarded, message: str = "work") -> str:
    kb.write({TALK: "{}\n"})
    kb.git("add", "-f", "--", TALK)  # the folder is ignored
    return kb.save({"notes.txt": message}, message)


def test_a_conversation_enters_by_no_gate_whatever_the_reason(kb: Guarded, guard: Verdict) -> None:
    before = kb.git("rev-parse", "HEAD")
    kb.branch("topic")
    added = save_conversation(kb, "work" + REASON)
    assert guard.range(f"{before}..{added}", "topic") == 1
    kb.git("reset", "-q", "--soft", before)
    assert guard() == 1
    assert f"{TALK} is a file of the archive, and conversations stay out of Git [archive]" in guard.said
    assert guard.message("work" + REASON) == 1
    assert guard("install") == 0
    assert kb.attempt("commit", "-q", "-m", "work" + REASON) == 1
    assert kb.attempt("commit", "-q", "--no-verify", "-m", "work" + REASON) != 0  # the branch's own hook


def test_the_printed_commands_take_a_conversation_out_of_git_and_leave_the_file(kb: Guarded, guard: Verdict) -> None:
    kb.branch("topic")
    save_conversation(kb)
    assert guard.range("main..topic", "topic") == 1
    command = next(line for line in guard.said.splitlines() if "git rm" in line)
    subprocess.run(["bash", "-c", command], cwd=kb.path, check=True, capture_output=True)
    assert (kb.path / TALK).read_text("utf-8") == "{}\n"
    assert guard.range("main..topic", "topic") == 0, guard.said


def test_a_conversation_that_got_into_git_may_leave_it(kb: Guarded, guard: Verdict) -> None:
    save_conversation(kb)
    kb.branch("topic")
    kb.git("rm", "-q", "--cached", "--", TALK)
    kb.git("commit", "-q", "--no-verify", "-m", "work")
    assert guard.range("main..topic", "topic") == 0, guard.said


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("e\n\noriginal-edit: ticket 7\n# a comment\n", 0),
        ("e\n\nOriginal-Edit: x\nSigned-off-by: a <a@x>\n", 0),
        ("e\n\nOriginal-Edit: x\n# ------------------------ >8 ------------------------\ndiff --git a b\n", 0),
        ("e\n\nOriginal-Edit:  \n", 1),
        ("e\n\nOriginal-Edit: \u200b\n", 1),
        ("e\n\n# Original-Edit: x\n", 1),
        ("e\n\nOriginal-Edit: x\n\nprose behind it\n", 1),
        ("e\n\nX-Original-Edit: x\n", 1),
        ("e\n# ------------------------ >8 ------------------------\n\nOriginal-Edit: x\n", 1),
    ],
)
def test_the_reason_is_a_trailer_as_git_reads_it(kb: Guarded, guard: Verdict, text: str, code: int) -> None:
    kb.stage(EVIL)
    assert guard.message(text) == code


def test_a_pick_keeps_its_reason_and_an_installed_hook_asks_for_it(kb: Guarded, guard: Verdict) -> None:
    kb.stage(EVIL)
    (kb.path / ".git/MERGE_MSG").write_text("picked" + REASON, encoding="utf-8")
    assert guard() == 0
    (kb.path / ".git/MERGE_MSG").unlink()
    assert guard("install") == 0
    assert guard() == 0
    (kb.path / ".git/hooks/commit-msg").chmod(0o644)
    assert guard() == 1


@pytest.mark.parametrize(
    ("settings", "code"),
    [("- id: mfgit-message\n", 0), ("entry: mfgit guard --commit-msg\n", 0), ("- id: ruff\n", 1), (None, 1)],
)
def test_the_framework_asks_for_the_reason_when_it_is_told_to(
    kb: Guarded, guard: Verdict, settings: str | None, code: int
) -> None:
    hook = kb.path / ".git/hooks/commit-msg"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n", encoding="utf-8")
    hook.chmod(0o755)
    if settings is not None:
        kb.write({".pre-commit-config.yaml": settings})
    kb.stage(EVIL)
    assert guard() == code
    hook.write_text("#!/bin/sh\n", encoding="utf-8")
    assert guard() == 1


def test_a_merge_needs_a_reason_only_beyond_the_automatic_one(kb: Guarded, guard: Verdict) -> None:
    kb.branch("feature/x")
    kb.save({"src/a.py": "1"})
    kb.git("checkout", "-q", "main")
    other = kb.save({"help/password.md": "# Better\n"}, "edit" + REASON)
    kb.git("checkout", "-q", "feature/x")
    kb.git("merge", "-q", "--no-commit", "--no-ff", "main")
    assert guard() == 0, guard.said
    (kb.path / ".git/MERGE_HEAD").rename(kb.path / ".git/kept")
    assert guard() == 1
    assert guard(env={f"GITHEAD_{other}": "main"}) == 0
    assert guard(env={f"GITHEAD_{kb.git('rev-parse', 'HEAD')}": "HEAD"}) == 1
    (kb.path / ".git/kept").rename(kb.path / ".git/MERGE_HEAD")
    kb.stage({"help/发票.md": "# evil\n"})
    assert guard() == 1
    assert guard.message("merge" + REASON) == 0


def test_a_conflict_that_a_person_decides_needs_a_reason(kb: Guarded, guard: Verdict) -> None:
    kb.branch("feature/x")
    kb.save({"help/password.md": "# One\n"}, "edit" + REASON)
    kb.branch("feature/y")
    kb.save({"help/password.md": "# Two\n"}, "edit" + REASON)
    assert kb.attempt("merge", "feature/x") == 1
    assert guard() == 2
    assert "Resolve the conflicts first" in guard.said
    kb.stage({"help/password.md": "# Three\n"})
    assert guard.message("merge") == 1
    assert guard.message("merge" + REASON) == 0
    kb.stage({"help/password.md": None})
    assert guard.message("merge") == 1


def test_aliases_of_both_sides_may_be_joined_and_nothing_else(kb: Guarded, guard: Verdict) -> None:
    mine = ONE_ALIAS.replace("lost password", "my password is gone")
    titled = ONE_ALIAS.replace('"title": "发票"', '"title": "Invoices"')
    kb.branch("mfgit/p1")
    kb.save({"help/index.json": mine}, bot=True)
    kb.git("checkout", "-q", "main")
    kb.save({"help/index.json": titled}, "titles" + REASON)
    kb.git("checkout", "-q", "mfgit/p1")
    assert kb.attempt("merge", "main") == 1
    joined = titled.replace('"lost password"', '"lost password",\n        "my password is gone"')
    kb.stage({"help/index.json": joined})
    assert guard() == 0, guard.said
    kb.stage({"help/index.json": mine})
    assert guard() == 1
    kb.stage({"help/index.json": joined})
    kb.git("commit", "-qm", "merge", "--no-verify", env=BOT)
    assert guard.range("main..HEAD", "mfgit/p1", actor="mfgit-bot") == 0, guard.said


def test_what_a_merge_brings_in_is_judged_too(kb: Guarded, guard: Verdict) -> None:
    kb.branch("mfgit/p1")
    kb.save({**NEW, **EVIL}, bot=True)
    kb.git("checkout", "-q", "main")
    kb.git("merge", "-q", "--no-commit", "--no-ff", "mfgit/p1")
    assert guard.message("Adopt" + REASON) == 1
    assert kb.git("rev-parse", "mfgit/p1")[:12] in guard.said


def test_an_octopus_is_compared_with_its_own_automatic_merge(kb: Guarded, guard: Verdict) -> None:
    for number in "123":
        kb.branch(f"mfgit/p{number}")
        kb.save({f"help/_forged/{number}.md": OVERLAY}, bot=True)
    kb.branch("feature/x")
    kb.merge("mfgit/p1", "mfgit/p2", "mfgit/p3")
    assert guard.range("main..HEAD", "feature/x") == 0, guard.said
    kb.stage(EVIL)
    kb.git("commit", "-q", "--amend", "--no-edit", "--no-verify")
    assert guard.range("main..HEAD", "feature/x") == 1
    kb.git("commit", "-q", "--amend", "--no-verify", "-m", "merge" + REASON)
    assert guard.range("main..HEAD", "feature/x") == 0
    kb.git("commit", "-q", "--amend", "--no-edit", "--no-verify", "--reset-author", env=BOT)
    assert guard.range("main..HEAD", "feature/x") == 1


def test_an_octopus_that_git_cannot_merge_is_compared_with_its_first_parent(kb: Guarded, guard: Verdict) -> None:
    for number in "12":
        kb.branch(f"feature/{number}")
        kb.save({"src/a.py": number})
    tree = kb.git("rev-parse", "main^{tree}")
    parents = [word for name in ("main", "feature/1", "feature/2") for word in ("-p", name)]
    commit = kb.git("commit-tree", tree, *parents, "-m", "octopus")
    assert guard.range(f"main..{commit}", "feature/x") == 0
    kb.git("checkout", "-q", "main")
    (kb.path / ".git/MERGE_HEAD").write_text(kb.git("rev-parse", "feature/1", "feature/2"), encoding="ascii")
    assert guard() == 0
    kb.stage(EVIL)
    assert guard.message("octopus") == 1


def test_during_a_rebase_the_branch_that_is_rebased_counts(kb: Guarded, guard: Verdict) -> None:
    kb.branch("mfgit/p1")
    kb.save(NEW)
    kb.git("checkout", "-q", "--detach")
    kb.stage({"src/a.py": "1"})
    assert guard() == 0
    (kb.path / ".git/rebase-merge").mkdir()
    (kb.path / ".git/rebase-merge/head-name").write_text("refs/heads/mfgit/p1\n", encoding="utf-8")
    assert guard() == 1


# ---- settings and places


def test_without_settings_people_are_free_and_the_machine_is_not(kb: Guarded, guard: Verdict) -> None:
    kb.save({"mfgit.toml": None})
    kb.stage(EVIL)
    assert guard() == 0
    assert guard(bot=True) == 1
    kb.git("reset", "-q", "--hard")
    kb.stage({"_forged/x.md": OVERLAY})
    assert guard(bot=True) == 0
    kb.branch("feature/x")
    kb.save({"help/x.md": "x"})
    assert guard.range("main..feature/x", "feature/x") == 0
    assert guard.range("main..feature/x", "feature/x", actor="mfgit-bot") == 1


def test_settings_are_the_targets_wherever_the_target_is(kb: Guarded, guard: Verdict) -> None:
    kb.branch("feature/x")
    kb.save({"mfgit.toml": None})
    kb.stage(EVIL)
    assert guard() == 1
    kb.git("update-ref", "refs/remotes/origin/main", "main")
    kb.git("branch", "-qD", "main")
    assert guard() == 1
    kb.git("update-ref", "-d", "refs/remotes/origin/main")
    assert guard() == 0  # nowhere are settings


def test_the_target_may_have_another_name(kb: Guarded, guard: Verdict) -> None:
    kb.save({"mfgit.toml": CONFIG.replace("main", "trunk")})
    kb.git("branch", "-qM", "trunk")
    kb.branch("feature/x", "trunk")
    kb.stage(EVIL)
    assert guard() == 1
    kb.git("branch", "-q", "main", "trunk")
    assert guard() == 1
    kb.git("branch", "-qD", "trunk")
    assert guard() == 1  # the target is gone, its settings are known


@pytest.mark.parametrize("text", [b"target = ", b"\xff", b"targett = 'x'"])
def test_settings_that_cannot_be_read_protect_everything(kb: Guarded, guard: Verdict, text: bytes) -> None:
    kb.save({"mfgit.toml": text})
    kb.stage({"mfgit.toml": CONFIG})
    assert guard.message("mend") == 1
    assert guard.message("mend" + REASON) == 0
    assert guard(bot=True) == 2
    kb.branch("mfgit/p1")
    kb.save(NEW)
    assert guard.range("main..HEAD", "mfgit/p1") == 2
    with pytest.raises(BadInput):
        landing(Git(kb.path), "main", "main", kb.git("rev-parse", "HEAD^{tree}"))


def test_the_first_commit_of_a_repository_is_free(tmp_path: Path, guard: Verdict) -> None:
    fresh = Guarded(tmp_path / "fresh")
    fresh.path.mkdir()
    fresh.git("init", "-q", "-b", "main")
    fresh.stage(dict(PAGES))
    guard.bench = fresh
    assert guard() == 0
    assert guard.message("first") == 0


def test_an_unborn_branch_beside_a_guarded_target_is_judged(kb: Guarded, guard: Verdict) -> None:
    kb.git("checkout", "-q", "--orphan", "fresh")
    assert guard() == 1


def test_a_linked_worktree_is_judged_like_the_main_one(kb: Guarded, guard: Verdict, tmp_path: Path) -> None:
    kb.git("worktree", "add", "-q", "-b", "mfgit/p1", str(tmp_path / "linked"))
    guard.bench = Guarded(tmp_path / "linked")
    guard.bench.stage(NEW)
    assert guard() == 0, guard.said
    guard.bench.stage(EVIL)
    assert guard() == 1


def test_outside_of_a_repository_it_cannot_judge(guard: Verdict, tmp_path: Path) -> None:
    guard.bench = Guarded(tmp_path)
    assert guard() == 2
    assert guard("--range", "a..b") == 2


def test_an_identity_handed_over_by_git_counts(kb: Guarded, guard: Verdict) -> None:
    kb.stage({"src/a.py": "1"})
    assert guard(env={"GIT_CONFIG_PARAMETERS": "'user.email'='MFGIT-bot@example.com'"}) == 1
    assert guard(env={"GIT_AUTHOR_EMAIL": "a@x", "GIT_COMMITTER_EMAIL": "mfgit-bot@example.com"}) == 1


# ---- ranges


def test_every_commit_of_a_range_counts_on_its_lane(kb: Guarded, guard: Verdict) -> None:
    kb.branch("feature/x")
    kb.save({"src/a.py": "1"})
    assert guard.range("main..HEAD", "feature/x") == 0
    kb.save(EVIL)
    assert guard.range("main..HEAD", "feature/x") == 1
    assert "git rebase -i" not in guard.said
    assert "git commit --amend" in guard.said
    kb.save({"help/password.md": PAGES["help/password.md"]}, "back" + REASON)
    assert guard.range("main..HEAD", "feature/x") == 1
    assert "git rebase -i" in guard.said
    assert guard.range("HEAD..HEAD", "feature/x") == 0


def test_a_reason_counts_for_its_own_commit_and_never_for_the_machine(kb: Guarded, guard: Verdict) -> None:
    kb.branch("feature/x")
    kb.save(EVIL, "edit" + REASON)
    assert guard.range("main..HEAD", "refs/heads/feature/x") == 0, guard.said
    assert guard.range("main..HEAD", "feature/x", actor="mfgit-bot") == 1
    assert guard.range("main..HEAD", "mfgit/x") == 1
    assert guard.range("main..HEAD", "MFGIT/x") == 1
    kb.git("commit", "-q", "--amend", "--no-edit", "--reset-author", env=BOT)
    assert guard.range("main..HEAD", "feature/x") == 1


def test_the_actor_may_come_from_the_environment(kb: Guarded, guard: Verdict) -> None:
    kb.branch("feature/x")
    kb.save({"src/a.py": "1"})
    assert guard("--range", "main..HEAD", "--ref", "feature/x", env={"MFGIT_ACTOR": "MFGIT-BOT"}) == 1
    assert guard("--range=main..HEAD") == 0


def test_a_proposal_may_take_in_the_target_and_nothing_else(kb: Guarded, guard: Verdict) -> None:
    kb.branch("mfgit/p1")
    kb.save(NEW, bot=True)
    kb.git("checkout", "-q", "main")
    kb.save({"help/password.md": "# Better\n"}, "edit" + REASON)
    assert guard.range("main..mfgit/p1", "mfgit/p1") == 0
    kb.git("checkout", "-q", "mfgit/p1")
    kb.merge("main", bot=True)
    assert guard.range("main..HEAD", "mfgit/p1") == 0, guard.said
    kb.branch("feature/h")
    kb.save(EVIL, "edit" + REASON)
    kb.git("checkout", "-q", "mfgit/p1")
    kb.merge("feature/h", bot=True)
    assert guard.range("main..HEAD", "mfgit/p1") == 1
    assert "merges something else than the target" in guard.said


def test_a_proposal_may_take_in_what_the_target_became_within_the_range(kb: Guarded, guard: Verdict) -> None:
    for name in ("p1", "p2"):
        kb.branch(f"mfgit/{name}")
        kb.save({f"help/_forged/{name}.md": OVERLAY}, bot=True)
    kb.git("checkout", "-q", "main")
    before = kb.git("rev-parse", "HEAD")
    kb.merge("mfgit/p1")
    kb.git("checkout", "-q", "mfgit/p2")
    kb.merge("main", bot=True)  # refreshed, its new base not pushed yet
    kb.git("checkout", "-q", "main")
    kb.merge("mfgit/p2")
    assert guard.range(f"{before}..main", "main") == 0, guard.said
    kb.git("checkout", "-q", "mfgit/p2")
    kb.save(EVIL, bot=True)
    kb.git("checkout", "-q", "main")
    kb.merge("mfgit/p2")
    assert guard.range(f"{before}..main", "main") == 1


def test_a_range_that_the_target_has_already_is_a_push_to_it(kb: Guarded, guard: Verdict) -> None:
    before = kb.git("rev-parse", "HEAD")
    kb.save({"help/password.md": "# Better\n"}, "edit" + REASON)
    assert guard("--range", f"{before}..HEAD") == 0, guard.said
    kb.save({"mfgit.toml": CONFIG.replace('"help"', '"docs"')}, "what counts are the settings from before")
    kb.save({"help/password.md": "# Worse\n"})
    assert guard("--range", f"{before}..HEAD") == guard.range(f"{before}..HEAD", "main") == 1
    assert "help/password.md" in guard.said
    assert "mfgit.toml" in guard.said
    assert guard.range(f"{before}..HEAD", "feature/x") == 0  # a branch brings nothing that is not there
    assert guard("--range", "HEAD..HEAD") == 0


def test_a_merge_that_drops_the_targets_work_is_refused(kb: Guarded, guard: Verdict) -> None:
    for branch, lane in (("mfgit/p1", True), ("feature/x", False)):
        kb.branch(branch, "main")
        kb.save({f"help/_forged/{lane}.md": OVERLAY}, bot=lane)
        kb.git("checkout", "-q", "main")
        kb.save({"help/password.md": f"# Better {lane}\n"}, "edit" + REASON)
        kb.git("checkout", "-q", branch)
        kb.merge("main", bot=lane, options=("-s", "ours"))
        assert guard.range("main..HEAD", branch) == 1


def test_a_history_of_its_own_lands_nowhere(kb: Guarded, guard: Verdict) -> None:
    kb.git("checkout", "-q", "--orphan", "other")
    kb.save(NEW, bot=True)
    assert guard.range("main..HEAD", "mfgit/p1") == 1
    assert "no commit in common" in guard.said
    assert guard.range("main..HEAD", "feature/x") == 1


def test_a_new_branch_is_judged_from_the_target(kb: Guarded, guard: Verdict) -> None:
    kb.branch("mfgit/p1")
    kb.save(NEW, bot=True)
    assert guard.range(f"{'0' * 40}..HEAD", "mfgit/p1") == 0
    kb.save(EVIL)
    assert guard.range(f"{'0' * 40}..HEAD", "mfgit/p1") == 1
    kb.git("branch", "-qD", "main")
    assert guard.range(f"{'0' * 40}..HEAD", "mfgit/p1") == 2


@pytest.mark.parametrize(
    "span", ["main", "..HEAD", "main..", "main...HEAD", "--all..HEAD", f"{'d' * 40}..HEAD", "main..nothing"]
)
def test_a_range_that_names_nothing_cannot_be_judged(kb: Guarded, guard: Verdict, span: str) -> None:
    assert guard.range(span, "feature/x") == 2


def test_a_shallow_clone_cannot_be_judged(kb: Guarded, guard: Verdict, tmp_path: Path) -> None:
    kb.save({"src/a.py": "1"})
    kb.git("clone", "-q", "--depth", "1", f"file://{kb.path}", str(tmp_path / "shallow"))
    guard.bench = Guarded(tmp_path / "shallow")
    assert guard.range("HEAD..HEAD", "main") == 2
    assert "--unshallow" in guard.said


def test_settings_loosened_on_the_way_do_not_count(kb: Guarded, guard: Verdict) -> None:
    kb.branch("feature/x")
    kb.save({"mfgit.toml": "[guard]\noriginals = []\n"}, "loosen" + REASON)
    kb.save(EVIL)
    assert guard.range("main..HEAD", "feature/x") == 1
    assert guard.range("HEAD~1..HEAD", "feature/x") == 1
    base = kb.git("rev-parse", "main")
    kb.git("branch", "-qf", "main", "HEAD")
    assert guard.range(f"{base}..HEAD", "main") == 1


def test_a_range_of_an_older_push_is_judged_with_the_target_of_today(kb: Guarded, guard: Verdict) -> None:
    kb.branch("feature/x")
    before = kb.save({"help/_forged/a.md": OVERLAY})
    kb.git("checkout", "-q", "main")
    kb.save({"help/password.md": "# Better\n"}, "edit" + REASON)
    kb.git("checkout", "-q", "feature/x")
    kb.merge("main")
    assert guard.range(f"{before}..HEAD", "feature/x") == 0, guard.said
    kb.git("update-ref", "refs/heads/main", "main~1")
    assert guard.range(f"{before}..HEAD", "feature/x") == 0, guard.said


def test_a_page_renamed_on_the_target_does_not_count_against_an_edit(kb: Guarded, guard: Verdict) -> None:
    kb.branch("feature/x")
    kb.save({"help/password.md": PAGES["help/password.md"] + "more\n"}, "edit" + REASON)
    kb.git("checkout", "-q", "main")
    kb.git("mv", "help/password.md", "help/account.md")
    kb.git("commit", "-qm", "rename" + REASON)
    assert guard.range("main..feature/x", "feature/x") == 0, guard.said


def test_a_crafted_tree_is_refused_on_every_lane(kb: Guarded, guard: Verdict) -> None:
    blob = kb.git("rev-parse", "HEAD:help/password.md")
    raw = b"".join(b"100644 %s\0%s" % (name, bytes.fromhex(blob)) for name in (b"a.txt", b"a.txt"))
    tree = kb.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=raw)
    top = kb.git("ls-tree", "HEAD") + f"\n040000 tree {tree}\tsrc\n"
    commit = kb.git("commit-tree", kb.git("mktree", stdin=top.encode()), "-p", "HEAD", "-m", "x" + REASON)
    assert guard.range(f"main..{commit}", "feature/x") == 1
    assert "holds the name 'a.txt' twice" in guard.said


def test_a_damaged_commit_cannot_be_judged(kb: Guarded, guard: Verdict) -> None:
    tree, head = kb.git("rev-parse", "HEAD^{tree}"), kb.git("rev-parse", "HEAD")
    who = "a <a@x> 0 +0000"
    raw = f"tree {tree}\nparent {head}\nauthor {who}\ncommitter {who}\n\nx\0y\n\nOriginal-Edit: z\n".encode()
    commit = kb.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=raw)
    assert guard.range(f"main..{commit}", "feature/x") in (0, 2)


# ---- what lands, what is said


def test_landing_is_judged_on_the_machines_lane(kb: Guarded) -> None:
    git = Git(kb.path)
    kb.branch("mfgit/p1")
    kb.save({**NEW, "help/index.json": ONE_ALIAS})
    assert landing(git, "main", "main", kb.git("rev-parse", "HEAD^{tree}")) == []
    kb.save(EVIL)
    assert [found.path for found in landing(git, "main", "main", kb.git("rev-parse", "HEAD^{tree}"))] == ["help/password.md"]
    bare = kb.save({"mfgit.toml": None})
    assert landing(git, bare, "HEAD", kb.git("rev-parse", "HEAD^{tree}")) == []


def test_hundreds_of_violations_are_summed_up(kb: Guarded, guard: Verdict) -> None:
    kb.branch("mfgit/p1")
    kb.stage({f"help/{number}.md": "x" for number in range(300)})
    assert guard() == 1
    assert "refused, 300 paths" in guard.said
    assert "and 280 more. All 300 by rule: 300 × original." in guard.said
    assert len(guard.said.splitlines()) < 60
    assert guard("--json") == 1
    assert len(json.loads(guard.said)["violations"]) == 300


def test_odd_names_are_shown_so_that_a_shell_takes_them(kb: Guarded, guard: Verdict) -> None:
    kb.branch("mfgit/p1")
    kb.stage({"help/a\nb.md": "x", "help/\udcff'.md": "x", "help/it's.md": "x"})
    assert guard() == 1
    assert "a\\nb.md" in guard.said
    assert "git restore --staged -- $'help/a\\012b.md'" in guard.said
    assert "$'help/\\377\\047.md'" in guard.said
    assert "'help/it'\\''s.md'" in guard.said
    assert guard("--json") == 1
    assert json.loads(guard.said)["violations"][1]["path"] == "help/it's.md"


def test_garbage_is_collected_again_where_it_was(guard: Verdict) -> None:
    assert guard() == 0
    assert gc.isenabled()
    gc.disable()
    try:
        assert guard() == 0
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_json_says_yes_too(kb: Guarded, guard: Verdict) -> None:
    assert guard("--json") == 0
    assert json.loads(guard.said) == {"allowed": True, "count": 0, "rules": {}, "violations": []}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--help"], 0, "Usage: mfgit guard"),
        (["-h"], 0, "Exit codes"),
        (["--stagged"], 2, "does not know --stagged"),
        (["--range"], 2, "--range needs a value"),
        (["--staged=1"], 2, "does not know --staged"),
        (["--staged", "--range", "a..b"], 2, "cannot go together"),
        (["--commit-msg", "nothing/here"], 2, "cannot be read"),
        (["-C", "nothing"], 2, "no folder"),
    ],
)
def test_usage(guard: Verdict, arguments: list[str], code: int, said: str) -> None:
    assert guard(*arguments) == code
    assert said in guard.said


def test_the_command_runs_as_a_program_from_anywhere(kb: Guarded, tmp_path: Path) -> None:
    kb.branch("mfgit/p1")
    kb.stage(EVIL)
    for ran in (kb.mfgit("guard", "-C", str(kb.path), cwd=tmp_path), kb.mfgit("-C", str(kb.path), "guard", cwd=tmp_path)):
        assert ran.code == 1
        assert "help/password.md is an original and is changed [original]" in ran.err
        assert "Traceback" not in ran.err


def test_the_entries_of_the_pre_commit_framework_see_every_kind_of_change() -> None:
    import yaml

    listed = yaml.safe_load((Path(__file__).parent.parent / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [entry["id"] for entry in listed] == ["mfgit-originals", "mfgit-message", "mfgit-archive"]
    for entry in listed:
        assert entry["always_run"] is True
        assert "files" not in entry
        assert "types" not in entry
    assert listed[0]["pass_filenames"] is False


def test_install_runs_in_this_process_too(kb: Guarded, guard: Verdict) -> None:
    assert guard("install", "--json") == 0
    assert [hook["name"] for hook in json.loads(guard.said)] == list(install.STAGES)
