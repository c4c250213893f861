"""Refs that move: on a server, before a push leaves, and in a clone. In this process, so that every branch is seen."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.errors import BadInput
from mfgit.guard import commits, moved, moves, policy, pushed
from mfgit.guard.moves import Move
from mfgit.plumbing import Git, Objects
from tests.builders import CONFIG
from tests.guarding import BOT, EVIL, NEW, ONE_ALIAS, REASON, Guarded, Verdict

ZERO = "0" * 40
BOT_ACTOR, ALICE = {"MFGIT_ACTOR": "mfgit-bot"}, {"MFGIT_ACTOR": "alice"}


@pytest.fixture
def kb(tmp_path: Path) -> Guarded:
    return Guarded.at(tmp_path / "kb")


@pytest.fixture
def guard(kb: Guarded, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Verdict:
    return Verdict(kb, monkeypatch, capsys)


def off(kb: Guarded, files: dict[str, str], *, bot: bool = False, message: str = "work", at: str = "main") -> str:
    """Return a commit that is on no branch yet."""
    kb.git("checkout", "-q", "-f", "--detach", at)
    return kb.save(dict(files), message, bot=bot)


# ---- what Git tells its hooks


def test_lines_are_read_as_git_writes_them() -> None:
    a, b = "a" * 40, "b" * 64
    assert moves.read(f"{a} {ZERO} refs/heads/x y\n".encode()) == [Move("refs/heads/x y", a, None)]
    assert moves.read_push(f"HEAD {a} refs/heads/x {ZERO}\n(delete) {ZERO} refs/t/y {b}\n".encode()) == [
        Move("refs/heads/x", None, a),
        Move("refs/t/y", b, None),
    ]
    assert moves.read(b"") == moves.read(b"\n") == []


@pytest.mark.parametrize("line", ["x", f"{ZERO} {ZERO}", f"{'A' * 40} {ZERO} refs/heads/x", f"--all {ZERO} r", "  "])
def test_lines_that_git_never_writes_are_refused(line: str) -> None:
    with pytest.raises(BadInput):
        moves.read(line.encode())


@given(st.binary(max_size=200))
def test_any_bytes_are_moves_or_bad_input(data: bytes) -> None:
    for read in (moves.read, moves.read_push):
        try:
            found = read(data)
        except BadInput:
            continue
        assert all(one.ref for one in found) or not found or b"  " in data or b" \n" in data or data.endswith(b" ")


FAULTS = {
    "a proposal": (("refs/heads/mfgit/x", None, "1"), True, False, ""),
    "a deleted proposal": (("refs/heads/mfgit/x", "1", None), True, False, ""),
    "a rewound proposal": (("refs/heads/mfgit/x", "1", "2"), True, True, ""),
    "another case": (("refs/heads/MFGIT/x", None, "1"), True, False, "machine"),
    "another prefix": (("refs/heads/mfgitx/x", None, "1"), True, False, "machine"),
    "the machine's branch": (("refs/heads/x", None, "1"), True, False, "machine"),
    "the machine's tag": (("refs/tags/x", None, "1"), True, False, "machine"),
    "the machine's deletion": (("refs/heads/x", "1", None), True, False, "machine"),
    "the machine's target": (("refs/heads/main", "1", "2"), True, False, "machine"),
    "a person's target": (("refs/heads/main", "1", "2"), False, False, ""),
    "a new target": (("refs/heads/main", None, "2"), False, False, ""),
    "a rewound target": (("refs/heads/main", "1", "2"), False, True, "forward"),
    "a deleted target": (("refs/heads/main", "1", None), False, False, "never deleted"),
    "the target in other letters": (("refs/heads/Main", None, "1"), False, False, "case"),
    "a rewound branch": (("refs/heads/x", "1", "2"), False, True, ""),
    "a replacement": (("refs/replace/x", None, "1"), False, False, "replace"),
    "a replacement in other letters": (("refs/Replace/x", None, "1"), False, False, "replace"),
    "a replacement that goes": (("refs/replace/x", "1", None), False, False, ""),
    "a note": (("refs/notes/commits", None, "1"), False, False, ""),
}


@pytest.mark.parametrize(("it", "machine", "rewinds", "said"), FAULTS.values(), ids=FAULTS.keys())
def test_some_moves_are_refused_whatever_they_bring(
    it: tuple[str, str | None, str | None], machine: bool, rewinds: bool, said: str
) -> None:
    why = moves.fault(Move(*it), "refs/heads/main", machine=machine, rewinds=rewinds)
    assert (said in why) if said else not why


def test_without_a_target_a_person_moves_anything() -> None:
    assert not moves.fault(Move("refs/heads/main", "1", None), None, machine=False, rewinds=True)


# ---- a server

Pushing = Callable[[Guarded], str]


def push(ref: str, **how: object) -> Pushing:
    """Return a push of a commit with these files to a new ref."""

    def told(kb: Guarded) -> str:
        files, bot, message = how.get("files", NEW), bool(how.get("bot")), str(how.get("message", "work"))
        old = kb.git("rev-parse", ref) if how.get("there") else ZERO
        return f"{old} {off(kb, files, bot=bot, message=message)} {ref}\n"  # type: ignore[arg-type]

    return told


RECEIVED: dict[str, tuple[Pushing, dict[str, str], str]] = {
    "a proposal": (push("refs/heads/mfgit/a", bot=True), BOT_ACTOR, ""),
    "a person's proposal": (push("refs/heads/mfgit/a"), ALICE, ""),
    "an alias": (push("refs/heads/mfgit/a", files={"help/index.json": ONE_ALIAS}, bot=True), BOT_ACTOR, ""),
    "an original in a proposal": (push("refs/heads/mfgit/a", files=EVIL, bot=True), BOT_ACTOR, "original"),
    "an original in a person's": (push("refs/heads/mfgit/a", files=EVIL, message="x" + REASON), ALICE, "original"),
    "a branch of the machine": (push("refs/heads/x", bot=True), BOT_ACTOR, "ref"),
    "the target by the machine": (push("refs/heads/main", bot=True, there=True), BOT_ACTOR, "ref"),
    "the target": (push("refs/heads/main", files=EVIL, message="x" + REASON, there=True), ALICE, ""),
    "the target without a reason": (push("refs/heads/main", files=EVIL, there=True), ALICE, "reason"),
    "a branch": (push("refs/heads/x", files={"a.py": "1"}), ALICE, ""),
    "a branch without a reason": (push("refs/heads/x", files=EVIL), ALICE, "reason"),
    "a tag without a reason": (push("refs/tags/x", files=EVIL), ALICE, "reason"),
    "the machine's commit on a branch": (push("refs/heads/x", files=EVIL, bot=True, message="x" + REASON), ALICE, "original"),
    "nobody named": (push("refs/heads/x", files=EVIL, bot=True), {}, "original"),
    "gitolite's name": (push("refs/heads/x"), {"GL_USER": "mfgit-bot"}, "ref"),
    "ours before gitolite's": (push("refs/heads/x"), {"GL_USER": "mfgit-bot", **ALICE}, ""),
    "a deleted branch": (lambda kb: f"{kb.git('rev-parse', 'main')} {ZERO} refs/heads/x\n", ALICE, ""),
    "a deleted target": (lambda kb: f"{kb.git('rev-parse', 'main')} {ZERO} refs/heads/main\n", ALICE, "ref"),
    "a rewound target": (
        lambda kb: f"{kb.save(NEW)} {kb.git('rev-parse', 'main~1')} refs/heads/main\n",
        ALICE,
        "ref",
    ),
    "a tag of a file": (lambda kb: f"{ZERO} {kb.git('rev-parse', 'main:help/password.md')} refs/tags/x\n", ALICE, ""),
    "nothing": (lambda kb: "", ALICE, ""),
}


@pytest.mark.parametrize(("told", "env", "rule"), RECEIVED.values(), ids=RECEIVED.keys())
def test_a_server_takes_in_what_is_good(kb: Guarded, guard: Verdict, told: Pushing, env: dict[str, str], rule: str) -> None:
    line = told(kb)
    assert guard.told(line, "--pre-receive", "--json", env=env) == bool(rule), guard.said
    assert {found["rule"] for found in json.loads(guard.said)["violations"]} == ({rule} if rule else set())
    for old, new, ref in (words.split(" ") for words in line.splitlines()):
        assert guard("--pre-receive", ref, old, new, env=env) == bool(rule)  # as the hook `update` calls it


def test_one_bad_ref_refuses_a_push_and_is_named(kb: Guarded, guard: Verdict) -> None:
    good, bad = off(kb, dict(NEW), bot=True), off(kb, EVIL, bot=True)
    lines = f"{ZERO} {good} refs/heads/mfgit/a\n{ZERO} {bad} refs/heads/mfgit/b\n{ZERO} {good} refs/heads/c\n"
    assert guard.told(lines, "--pre-receive", env=BOT_ACTOR) == 1
    assert bad[:12] in guard.said
    assert "refs/heads/c is not the machine's to move" in guard.said


def test_a_proposal_is_compared_with_the_target_of_the_same_push(kb: Guarded, guard: Verdict) -> None:
    edit = off(kb, EVIL, message="x" + REASON)
    one = off(kb, dict(NEW), bot=True, at=edit)
    lines = f"{ZERO} {one} refs/heads/mfgit/a\n{kb.git('rev-parse', 'main')} {edit} refs/heads/main\n"
    assert guard.told(lines, "--pre-receive", env=ALICE) == 0
    bad = off(kb, EVIL)
    one = off(kb, dict(NEW), bot=True, at=bad)
    lines = f"{ZERO} {one} refs/heads/mfgit/a\n{kb.git('rev-parse', 'main')} {bad} refs/heads/main\n"
    assert guard.told(lines, "--pre-receive", "--json", env=ALICE) == 1
    assert {found["rule"] for found in json.loads(guard.said)["violations"]} == {"reason", "original"}


def test_a_proposal_that_was_left_behind_is_judged_as_it_would_land(kb: Guarded, guard: Verdict) -> None:
    behind = off(kb, dict(NEW), bot=True)
    kb.git("checkout", "-q", "main")
    kb.save({"help/password.md": "# new\n"}, "edit" + REASON)
    assert guard.told(f"{ZERO} {behind} refs/heads/mfgit/a\n", "--pre-receive", env=BOT_ACTOR) == 0
    undone = kb.git("commit-tree", f"{behind}^{{tree}}", "-p", behind, "-p", "main", "-m", "ours", env=BOT)
    assert guard.told(f"{ZERO} {undone} refs/heads/mfgit/a\n", "--pre-receive", env=BOT_ACTOR) == 1
    alone = kb.git("commit-tree", f"{behind}^{{tree}}", "-m", "alone", env=BOT)
    assert guard.told(f"{ZERO} {alone} refs/heads/mfgit/a\n", "--pre-receive", env=BOT_ACTOR) == 1
    assert "no commit in common" in guard.said
    main = kb.git("rev-parse", "main")
    assert guard.told(f"{ZERO} {main} refs/heads/mfgit/a\n", "--pre-receive", env=BOT_ACTOR) == 0


def test_a_symbolic_ref_is_what_it_leads_to(kb: Guarded, guard: Verdict) -> None:
    kb.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    new = off(kb, dict(NEW), bot=True)
    line = f"{kb.git('rev-parse', 'main')} {ZERO} refs/heads/alias\n"
    assert guard.told(line, "--pre-receive", env=ALICE) == 1
    assert "refs/heads/main is the target" in guard.said
    many = "".join(f"{ZERO} {new} refs/heads/mfgit/{number}\n" for number in range(pushed.FEW + 1))
    assert guard.told(many, "--pre-receive", env=BOT_ACTOR) == 0


def test_the_first_push_is_free_for_people_and_not_for_the_machine(
    tmp_path: Path, kb: Guarded, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = off(kb, dict(NEW), bot=True)
    merged = kb.git("commit-tree", f"{good}^{{tree}}", "-p", "main", "-p", good, "-m", "Adopt", env=BOT)
    bad = off(kb, EVIL, bot=True, message="x" + REASON)
    server = Guarded(tmp_path / "server.git")
    kb.git("init", "-q", "--bare", "-b", "main", str(server.path))
    (server.path / "objects/info/alternates").write_text(f"{kb.path / '.git/objects'}\n", encoding="utf-8")
    guard = Verdict(server, monkeypatch, capsys)
    both = f"{ZERO} {merged} refs/heads/main\n{ZERO} {good} refs/heads/mfgit/a\n"
    assert guard.told(both, "--pre-receive", env=ALICE) == 0
    assert guard.told(f"{ZERO} {bad} refs/heads/main\n", "--pre-receive", env=ALICE) == 1
    assert guard.told(f"{ZERO} {good} refs/heads/feature/x\n", "--pre-receive", env=ALICE) == 0
    assert guard.told(f"{ZERO} {good} refs/heads/mfgit/a\n", "--pre-receive", env=ALICE) == 1
    assert "push that first" in guard.said
    assert guard.told(f"{ZERO} {good} refs/heads/main\n", "--pre-receive", env=BOT_ACTOR) == 1


def test_a_server_without_settings_holds_only_the_machine(kb: Guarded, guard: Verdict) -> None:
    kb.git("checkout", "-q", "main")
    kb.save({"mfgit.toml": None})
    assert guard.told(f"{ZERO} {off(kb, EVIL)} refs/heads/x\n", "--pre-receive", env=ALICE) == 0
    assert guard.told(f"{ZERO} {off(kb, EVIL, bot=True)} refs/heads/x\n", "--pre-receive", env=ALICE) == 1
    assert guard.told(f"{ZERO} {off(kb, dict(NEW))} refs/heads/x\n", "--pre-receive", env=BOT_ACTOR) == 1
    kb.git("checkout", "-q", "--orphan", "trunk")
    assert guard.told(f"{ZERO} {off(kb, EVIL)} refs/heads/x\n", "--pre-receive", env=ALICE) == 0


def test_a_server_goes_by_its_default_branch(kb: Guarded, guard: Verdict) -> None:
    kb.git("branch", "-q", "-m", "main", "trunk")
    kb.save({"mfgit.toml": CONFIG.replace('"main"', '"trunk"')})
    fake = off(kb, {"mfgit.toml": CONFIG.replace('"help"', '"else"')}, at="trunk")
    kb.git("checkout", "-q", "trunk")
    kb.git("branch", "-q", "main", fake)
    tip = kb.git("rev-parse", "trunk")
    line = f"{tip} {off(kb, EVIL, at='trunk')} refs/heads/trunk\n"
    kb.git("checkout", "-q", "trunk")
    assert guard.told(line, "--pre-receive", env=ALICE) == 1
    kb.git("symbolic-ref", "HEAD", "refs/heads/unborn")
    kb.git("branch", "-q", "-D", "main")
    kb.git("branch", "-q", "-m", "trunk", "main")
    for head in ("unborn", "main"):  # its settings name a branch to come
        kb.git("symbolic-ref", "HEAD", f"refs/heads/{head}")
        assert guard.told(line, "--pre-receive", env=ALICE) == 1
        assert guard.told(line.replace(tip, ZERO), "--pre-receive", env=ALICE) == 0


def test_settings_that_cannot_be_read_stop_the_machine(kb: Guarded, guard: Verdict) -> None:
    kb.save({"mfgit.toml": "target ="})
    line = f"{ZERO} {off(kb, dict(NEW), bot=True)} refs/heads/mfgit/a\n"
    assert guard.told(line, "--pre-receive", env=BOT_ACTOR) == 2
    assert guard.told(line, "--ref-update", "prepared") == 2


# ---- before a push leaves


def test_a_push_is_judged_by_what_the_remote_has(kb: Guarded, guard: Verdict) -> None:
    kb.git("update-ref", "refs/remotes/origin/main", "main")
    base = kb.git("rev-parse", "main")
    kb.git("checkout", "-q", "main")
    kb.save(EVIL, "unpushed, without a reason")
    one = off(kb, dict(NEW), bot=True, at="main")
    assert guard.told(f"x {one} refs/heads/mfgit/a {ZERO}\n", "--pre-push", "origin", "url") == 1
    assert guard.told(f"x {kb.git('rev-parse', 'main')} refs/heads/main {base}\n", "--pre-push", "origin") == 1
    assert guard.told(f"x {base} refs/heads/main {'1' * 40}\n", "--pre-push", "origin", "url") == 1
    assert guard.told(f"(delete) {ZERO} refs/heads/mfgit/a {one}\n", "--pre-push", "origin", "url") == 0
    assert guard.told(f"x {off(kb, EVIL, at=base)} refs/heads/x {ZERO}\n", "--pre-push") == 1
    assert guard.told(f"x {off(kb, EVIL, message='x' + REASON, at=base)} refs/heads/x {ZERO}\n", "--pre-push") == 0


def test_a_push_to_a_remote_that_is_behind_is_judged_by_the_newest(kb: Guarded, guard: Verdict) -> None:
    kb.git("update-ref", "refs/remotes/fork/main", "main")
    kb.git("checkout", "-q", "main")
    kb.save(EVIL, "edit" + REASON)
    kb.git("update-ref", "refs/remotes/upstream/main", "main")
    one = off(kb, dict(NEW), bot=True, at="main")
    for remote in ("fork", "https://example.org/kb.git"):
        assert guard.told(f"x {one} refs/heads/mfgit/a {ZERO}\n", "--pre-push", remote, "url", env=BOT) == 0, guard.said
    assert guard.told(f"x {one} refs/heads/a {ZERO}\n", "--pre-push", "fork", env=BOT) == 1


def test_the_first_push_of_all_is_judged_by_what_is_here(kb: Guarded, guard: Verdict, tmp_path: Path) -> None:
    assert guard.told(f"x {kb.git('rev-parse', 'main')} refs/heads/main {ZERO}\n", "--pre-push", "origin", "url") == 0
    bare = Guarded(tmp_path / "none")
    kb.git("init", "-q", "-b", "main", str(bare.path))
    guard.bench = bare
    assert guard.told("", "--pre-push", "origin", "url") == 0


def test_the_target_of_a_clone_is_a_branch_wherever_it_was_found(kb: Guarded) -> None:
    with Objects(Git(kb.path)) as objects:
        found = policy.find(objects)
    assert policy.branch_of(found._replace(target="refs/remotes/origin/main")) == "refs/heads/main"
    free = policy.Policy(found.config._replace(configured=False), "refs/remotes/origin/trunk", None)
    assert policy.branch_of(free) == "refs/heads/trunk"
    assert policy.branch_of(free._replace(target=None)) == "refs/heads/main"
    assert policy.newest(Git(kb.path), None, ["a"]) is None


# ---- branches of a clone


def moving(kb: Guarded, guard: Verdict, ref: str, new: str, *, old: str = ZERO, state: str = "prepared") -> int:
    kb.git("checkout", "-q", "-f", "main")
    return guard.told(f"{old} {new} {ref}\n", "--ref-update", state)


def test_a_branch_moves_only_to_what_the_guard_lets_pass(kb: Guarded, guard: Verdict) -> None:
    good, bad = off(kb, dict(NEW), bot=True), off(kb, EVIL, bot=True)
    assert moving(kb, guard, "refs/heads/mfgit/a", good) == 0
    assert moving(kb, guard, "refs/heads/mfgit/a", bad) == 1
    assert moving(kb, guard, "refs/heads/x", bad) == 1
    assert moving(kb, guard, "refs/heads/main", bad) == 1
    assert moving(kb, guard, "refs/heads/x", off(kb, EVIL)) == 1
    assert moving(kb, guard, "refs/heads/x", off(kb, EVIL, message="x" + REASON)) == 0


def test_what_is_no_move_of_a_branch_is_let_pass_unseen(kb: Guarded, guard: Verdict) -> None:
    bad = off(kb, EVIL)
    for ref in ("HEAD", "refs/stash", "refs/remotes/origin/x", "refs/tags/x", "ORIG_HEAD"):
        assert moving(kb, guard, ref, bad) == 0
    for state in ("committed", "aborted"):
        assert moving(kb, guard, "refs/heads/x", bad, state=state) == 0
    assert moving(kb, guard, "refs/heads/main", ZERO, old=kb.git("rev-parse", "main")) == 0
    kb.git("branch", "-q", "old", bad)
    assert moving(kb, guard, "refs/heads/old", bad) == 0  # packed, not moved


def test_what_a_branch_had_before_is_not_judged_again(kb: Guarded, guard: Verdict) -> None:
    kb.git("branch", "-q", "x", off(kb, EVIL))
    more = off(kb, {"a.py": "1"}, at="x")
    assert moving(kb, guard, "refs/heads/x", more) == 0
    assert moving(kb, guard, "refs/heads/y", more) == 1


def test_what_a_server_has_is_taken_into_a_branch_but_not_into_the_target(kb: Guarded, guard: Verdict) -> None:
    bad = off(kb, EVIL)
    kb.git("update-ref", "refs/remotes/origin/x", bad)
    assert moving(kb, guard, "refs/heads/x", bad) == 0
    assert moving(kb, guard, "refs/heads/main", bad) == 1
    kb.git("update-ref", "refs/remotes/origin/main", bad)
    assert moving(kb, guard, "refs/heads/main", bad) == 0
    assert moving(kb, guard, "refs/heads/mfgit/a", off(kb, dict(NEW), bot=True, at=bad)) == 0


def test_the_first_commit_of_a_clone_is_free_for_people(tmp_path: Path, kb: Guarded, guard: Verdict) -> None:
    tree = kb.git("rev-parse", "main^{tree}")
    people, machine = (kb.git("commit-tree", tree, "-m", "first", env=env) for env in (None, BOT))
    kb.git("symbolic-ref", "HEAD", "refs/heads/main")
    kb.git("update-ref", "-d", "refs/heads/main")
    assert guard.told(f"{ZERO} {people} refs/heads/main\n", "--ref-update", "prepared") == 0
    assert guard.told(f"{ZERO} {machine} refs/heads/main\n", "--ref-update", "prepared") == 1


def test_a_refused_patch_tells_to_end_the_series(kb: Guarded, guard: Verdict) -> None:
    kb.branch("look")
    made = kb.save(EVIL)
    (kb.path / ".git/rebase-apply").mkdir()
    (kb.path / ".git/rebase-apply/applying").touch()
    assert guard.told(f"{'0' * 40} {made} refs/heads/look2\n", "--ref-update", "prepared") == 1
    assert "git am --abort" in guard.said


def test_a_root_and_a_merge_are_reached_by_ways_of_their_own(kb: Guarded, guard: Verdict) -> None:
    kb.branch("side")
    kb.save({"a.py": ""})
    kb.branch("look")
    kb.save({"b.py": ""})
    kb.git("merge", "-q", "--no-ff", "--no-commit", "side")
    kb.save(EVIL)
    assert guard.range("main..look", "look") == 1
    assert "--rebase-merges" in guard.said
    kb.git("checkout", "-q", "--orphan", "other")
    kb.save({})
    assert guard.range("main..other", "other") == 1
    assert "git rebase -i --root" in guard.said


def test_a_refused_pick_tells_the_command_that_commits_it(kb: Guarded, guard: Verdict) -> None:
    bad = off(kb, EVIL)
    kb.git("branch", "-q", "picked", bad)
    kb.git("checkout", "-q", "-f", "main")
    line = f"{kb.git('rev-parse', 'main')} {bad} refs/heads/main\n"
    assert guard.told(line, "--ref-update", "prepared") == 1
    assert "git rebase -i" in guard.said
    (kb.path / ".git/MERGE_MSG").write_text("work\n", encoding="utf-8")
    assert guard.told(line, "--ref-update", "prepared") == 1
    assert "git rebase -i" not in guard.said


def test_a_refused_commit_is_told_as_what_is_staged(kb: Guarded, guard: Verdict) -> None:
    bad = off(kb, EVIL)
    kb.git("checkout", "-q", "-f", "main")
    assert guard.told(f"{kb.git('rev-parse', 'main')} {bad} refs/heads/main\n", "--ref-update", "prepared") == 1
    assert "git rebase -i" not in guard.said
    assert bad[:12] not in guard.said
    assert 'git commit --trailer "Original-Edit: why"' in guard.said


def test_thousands_of_refs_are_judged_by_a_few_git_calls(kb: Guarded, monkeypatch: pytest.MonkeyPatch) -> None:
    good = off(kb, dict(NEW), bot=True)
    kb.git("checkout", "-q", "-f", "main")
    told = [Move(f"refs/heads/mfgit/{number:04}", None, good) for number in range(500)]
    calls: list[object] = []
    run = Git.run
    monkeypatch.setattr(Git, "run", lambda self, *args, **how: calls.append(args) or run(self, *args, **how))  # type: ignore[func-returns-value]
    assert moved.check(Git(kb.path), "prepared", told, "") == []
    assert len(calls) < 10


# ---- words on the command line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--pre-receive", "refs/heads/x"), "does not take 1 words"),
        (("--pre-push", "a", "b", "c"), "does not take 3 words"),
        (("--staged", "x"), "does not know x"),
        (("status", "--server"), "install only"),
        (("--ref-update",), "needs a value"),
        (("--pre-receive", "refs/heads/x", "1", "2"), "no object id"),
    ],
)
def test_wrong_words_are_named(guard: Verdict, arguments: tuple[str, ...], said: str) -> None:
    assert guard(*arguments) == 2
    assert said in guard.said


@pytest.mark.parametrize("name", ["-h", "--help"])
def test_a_value_that_reads_like_help_switches_nothing_off(kb: Guarded, guard: Verdict, name: str) -> None:
    kb.branch("look")
    kb.save(EVIL)
    assert guard.range("main..look", name) == guard.range("main..look", "look", actor=name) == 1
    assert guard("--range=main..look", f"--ref={name}", f"--actor={name}") == 1
    assert guard("--range", "main..look", name) == 0
    assert "Usage" in guard.said


def test_a_branch_in_a_shallow_clone_tells_to_fetch_the_rest(kb: Guarded, guard: Verdict, tmp_path: Path) -> None:
    kb.save({"a.py": ""})
    kb.branch("old")
    kb.branch("main")
    kb.save({"help/_forged/a.md": "# a\n"})
    kb.git("clone", "-q", "--depth=1", "--no-single-branch", kb.path.as_uri(), str(tmp_path / "shallow"))
    guard.bench = Guarded(tmp_path / "shallow")
    old = guard.bench.git("rev-parse", "origin/old")
    guard.bench.git("update-ref", "-d", "refs/remotes/origin/old")
    assert guard.told(f"{'0' * 40} {old} refs/heads/look\n", "--ref-update", "prepared") == 2
    assert "git fetch --unshallow" in guard.said
    guard.bench.git("checkout", "-q", "-b", "mine")
    bad = guard.bench.save(EVIL)
    assert guard.told(f"{'0' * 40} {bad} refs/heads/mine2\n", "--ref-update", "prepared") == 1
    assert "git fetch --unshallow" not in guard.said


def test_a_shallow_server_cannot_judge(kb: Guarded, guard: Verdict) -> None:
    (kb.path / ".git/shallow").write_text(kb.git("rev-parse", "main") + "\n", encoding="utf-8")
    assert guard.told("", "--pre-receive") == 2
    assert guard.told("", "--pre-push", "origin", "url") == 2


def test_the_remotes_may_be_left_out_of_a_log(kb: Guarded) -> None:
    kb.git("update-ref", "refs/remotes/origin/main", "main")
    new = off(kb, dict(NEW))
    git = Git(kb.path)
    assert [one.id for one in commits.log(git, [new], [commits.REMOTES])] == [new]
    assert len(commits.log(git, [new], [])) == 2
    assert os.fspath(kb.path) == git.folder
