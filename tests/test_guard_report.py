"""What the guard says: each refusal with its rule and next command, sums for hundreds, JSON, and GitHub's annotations."""

import itertools
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.guard import report
from mfgit.guard.rules import Violation
from tests.builders import Workbench
from tests.guarding import BOT, EVIL, Guarded

TOP = Path(__file__).parent.parent
COMMIT = "0123456789abcdef0123456789abcdef01234567"
ORIGINAL = Violation("help/a.md", "original", "is an original and is changed")
REASON = Violation("help/a.md", "reason", "is an original and is changed without a reason")
STOP = "git rebase -i 0123456789ab^ and choose edit for that commit, then "
RESTORE = "git restore --staged --worktree --source=HEAD^ -- "
PLAIN: dict[str, str] = {}
GITHUB = {"GITHUB_ACTIONS": "true"}


def many(count: int, rules: str = "original", folders: int = 1) -> list[Violation]:
    names = itertools.cycle(rules.split())
    return [Violation(f"help/{at % folders}/{at}.md", next(names), "is an original and is added") for at in range(count)]


def commands(text: str) -> list[str]:
    """Return the lines that GitHub's runner obeys: those outside of a stopped stretch that begin with `::` or hold `##[`."""
    obeyed, stopped = [], ""
    for line in text.splitlines():
        if stopped:
            stopped = "" if line == f"::{stopped}::" else stopped
        elif line.startswith("::stop-commands::"):
            stopped = line.removeprefix("::stop-commands::")
        elif line.lstrip().startswith("::") or "##[" in line:
            obeyed.append(line)
    assert not stopped
    return obeyed


def fits(document: Any) -> None:
    schema = json.loads((TOP / "schemas/guard.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)


def unescaped(text: str) -> str:
    for code, char in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(code, char)
    return text


@pytest.mark.parametrize(
    ("violation", "command"),
    [
        (ORIGINAL, "git restore --staged -- help/a.md"),
        (ORIGINAL._replace(path=""), "git reset"),
        (ORIGINAL._replace(path="help/*.md"), "git restore --staged -- ':(literal)help/*.md'"),
        (ORIGINAL._replace(path=":x.md"), "git restore --staged -- ':(literal):x.md'"),
        (REASON, 'git commit --trailer "Original-Edit: why", or leave it out: git restore --staged -- help/a.md'),
        (
            REASON._replace(commit=COMMIT),
            f"{STOP}git commit --amend --no-edit --trailer 'Original-Edit: why' && git rebase --continue".replace("'", '"'),
        ),
        (
            ORIGINAL._replace(commit=COMMIT),
            f"{STOP}{RESTORE}help/a.md && git commit --amend --no-edit --allow-empty && git rebase --continue",
        ),
        (REASON._replace(commit=COMMIT, form="tip"), report.AMEND_COMMAND),
        (ORIGINAL._replace(commit=COMMIT, form="tip"), f"{RESTORE}help/a.md && git commit --amend --no-edit --allow-empty"),
        (
            REASON._replace(commit=COMMIT, form="merge"),
            (
                "git rebase -i --rebase-merges 0123456789ab^ and add the line 'break' below that merge, then "
                f"{report.AMEND_COMMAND} && git rebase --continue"
            ),
        ),
        (
            ORIGINAL._replace(commit=COMMIT, form="root"),
            (
                "git rebase -i --root and choose edit for that commit, then git rm -q -- help/a.md"
                " && git commit --amend --no-edit --allow-empty && git rebase --continue"
            ),
        ),
        (ORIGINAL._replace(commit=COMMIT, form="patch"), "git am --abort"),
        (REASON._replace(commit=COMMIT, form="patch"), 'git am --abort, and give the patch the line "Original-Edit: why"'),
        (Violation("a", "archive", "is a day file"), "git rm --cached -f -- a"),
        (Violation("a", "secret", "holds a key"), "take it out, then git add -- a"),
        (
            Violation("a", "secret", "holds a key", COMMIT),
            f"{STOP}take it out of a, git commit -a --amend --no-edit && git rebase --continue",
        ),
        (
            Violation("", "tree", "is damaged", COMMIT),
            f"{STOP}git commit --amend --no-edit --allow-empty && git rebase --continue",
        ),
        (Violation("", "merge", "merges too much", COMMIT), "mfgit refresh carries the proposal onto the target"),
        (Violation("", "merge", "merges too much"), "git merge --abort; mfgit refresh carries the proposal onto the target"),
        (Violation("", "ref", "refs/heads/main is the target"), "git push again, and name every branch but refs/heads/main"),
        (Violation("", "history", "has none in common"), "mfgit refresh carries the proposal onto the target"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.rule,
)
def test_each_refusal_names_the_next_command(violation: Violation, command: str) -> None:
    assert report.next_step(violation) == command


def test_a_refusal_says_file_rule_why_and_next_command() -> None:
    assert report.as_text([ORIGINAL], PLAIN).splitlines() == [
        "mfgit guard: refused, 1 path. The machine may change overlays and alias lists, nothing else.",
        "  help/a.md is an original and is changed [original]",
        "    git restore --staged -- help/a.md",
        'A person may edit an original, on a branch of their own, with a reason: git commit --trailer "Original-Edit: why"',
    ]


def test_one_command_mends_what_is_alike() -> None:
    """Twenty pages of one commit need no twenty rebases."""
    pages = [REASON._replace(path=f"help/{name}.md") for name in ("a", "b c", "a")]
    later = [ORIGINAL._replace(path=path, commit=COMMIT) for path in ("x.md", "y.md")]
    refs = [Violation("", "ref", f"refs/heads/{name} is a target") for name in ("main", "other")]
    lines = report.plain_text([*pages, *later, *refs]).splitlines()
    assert [line.strip() for line in lines if line.startswith("    ")] == [
        "git commit --trailer \"Original-Edit: why\", or leave them out: git restore --staged -- help/a.md 'help/b c.md'",
        f"{STOP}{RESTORE}x.md y.md && git commit --amend --no-edit --allow-empty && git rebase --continue",
        "git push again, and name every branch but refs/heads/main",
        "git push again, and name every branch but refs/heads/other",
    ]
    assert sum(line.startswith("  ") and not line.startswith("    ") for line in lines) == 7


@pytest.mark.parametrize(
    ("violations", "first"),
    [
        ([ORIGINAL, REASON], "mfgit guard: refused, 1 path. The machine may change overlays and alias lists, nothing else."),
        ([REASON, REASON._replace(path="b")], "mfgit guard: refused. 2 paths people wrote changed without a reason."),
        ([Violation("", "ref", "refs/heads/main x")], "mfgit guard: refused. Not every ref may be pushed like this."),
        (
            [Violation("", "merge", "merges too much")],
            "mfgit guard: refused. A proposal starts at the target and merges nothing else.",
        ),
        (
            [Violation("a.jsonl", "archive", "is a day file")],
            "mfgit guard: refused. Conversations and secrets stay out of Git.",
        ),
        (
            [Violation("a.jsonl", "archive", "is a day file"), REASON],
            "mfgit guard: refused, 2 paths. Originals need a reason, and conversations stay out of Git.",
        ),
    ],
)
def test_the_first_line_says_what_is_refused(violations: list[Violation], first: str) -> None:
    text = report.as_text(violations, PLAIN)
    assert text.startswith(f"{first}\n")
    wanted = not {each.rule for each in violations} <= {"reason", "ref", "archive"}
    assert ("A person may edit an original" in text) == wanted


def test_the_steps_for_a_commit_in_the_middle_do_take_the_file_out(bench: Workbench) -> None:
    """The commands of a refusal are run as they are printed, on an added and on a changed file."""
    kb = Guarded(bench.path)
    kb.git("checkout", "-q", "-b", "mfgit/p1")
    guilty = kb.save({**EVIL, "help/odd [name]*.md": "x"}, bot=True)
    kb.save({"help/_forged/a.md": "# a\n"}, bot=True)
    for path in (*EVIL, "help/odd [name]*.md"):
        step = report.next_step(Violation(path, "original", "is an original", guilty))
        command = step.partition(", then ")[2]
        edit = {"GIT_SEQUENCE_EDITOR": "sed -i 1s/pick/edit/", "GIT_EDITOR": "true", **BOT}
        kb.git("rebase", "-q", "-i", f"{guilty}^", env=edit)
        ran = subprocess.run(["bash", "-c", command], cwd=kb.path, env={**os.environ, **edit}, capture_output=True, check=False)
        assert ran.returncode == 0, ran.stderr
        guilty = kb.git("rev-parse", "HEAD^")
    assert kb.git("diff", "--name-only", "main", "mfgit/p1") == "help/_forged/a.md"


def test_hundreds_are_shown_a_few_of_each_rule_with_the_sums() -> None:
    violations = [*many(400, folders=8), *many(3, "settings"), Violation("", "merge", "merges something else", COMMIT)]
    text = report.as_text(violations, PLAIN)
    assert len(text.splitlines()) < 50
    assert text.count("[original]") == report.SHOWN - 4
    assert text.count("[settings]") == 3
    assert text.count("[merge]") == 1
    assert "and 384 more. All 404 by rule: 400 × original, 3 × settings, 1 × merge." in text
    assert re.search(r"By folder: 53 in help/0, .* and 4 more folders\.", text)
    assert "They are in" not in text


def test_hundreds_over_many_commits_say_over_how_many() -> None:
    violations = [each._replace(commit=f"{at:040x}") for at, each in enumerate(many(99), 1)]
    assert "They are in 99 commits." in report.as_text(violations, PLAIN)


def test_as_many_as_are_shown_need_no_sums() -> None:
    assert "more." not in report.as_text(many(report.SHOWN), PLAIN)


@pytest.mark.parametrize("violations", [[], [ORIGINAL], [REASON._replace(commit=COMMIT)], many(300, "original alias tree")])
def test_json_fits_its_schema(violations: list[Violation]) -> None:
    document = json.loads(report.as_json(violations))
    fits(document)
    assert document["allowed"] == (not violations)
    assert document["count"] == len(document["violations"]) == sum(document["rules"].values())


def test_the_command_prints_json_that_fits_its_schema(bench: Workbench) -> None:
    kb = Guarded(bench.path)
    kb.git("checkout", "-q", "-b", "mfgit/p1")
    kb.stage({**EVIL, "mfgit.toml": None, "help/\udcff.md": "x"})
    ran = kb.mfgit("guard", "--json")
    assert ran.code == 1
    fits(ran.json())
    assert ran.json()["rules"] == {"original": 2, "settings": 1}


def test_no_annotation_where_github_does_not_read() -> None:
    for environment in (PLAIN, {"GITHUB_ACTIONS": "false"}, {"CI": "true"}):
        assert "::" not in report.as_text([ORIGINAL], environment)


def test_a_workflow_gets_the_text_and_an_annotation_at_the_file() -> None:
    text = report.as_text([ORIGINAL], GITHUB)
    assert report.plain_text([ORIGINAL]) in text
    title, what = "title=mfgit guard%3A original", "help/a.md is an original and is changed [original]"
    assert commands(text) == [f"::error file=help/a.md,{title}::{what}%0Agit restore --staged -- help/a.md"]


def test_no_more_annotations_than_github_shows() -> None:
    found = commands(report.as_text(many(300), GITHUB))
    assert len(found) == report.ANNOTATIONS
    assert found[-1] == "::error title=mfgit guard::300 violations: 300 × original. The log lists more."
    assert len(commands(report.as_text(many(report.ANNOTATIONS), GITHUB))) == report.ANNOTATIONS


@pytest.mark.parametrize(
    "path", ["::error::x.md", "::stop-commands::x", "##[error]x.md", "a%0A::error::b", "a,line=1::b", "a\n::x"]
)
def test_a_path_commands_nothing(path: str) -> None:
    found = commands(report.as_text([ORIGINAL._replace(path=path)], GITHUB))
    assert len(found) == 1
    properties, _, data = found[0].removeprefix("::error ").partition("::")
    assert unescaped(properties.split(",")[0]) == f"file={report.shown(path)}"
    assert len(properties.split(",")) == 2
    assert unescaped(data).startswith(report.shown(path))


@given(
    st.lists(st.builds(Violation, st.text(), st.sampled_from(["original", "reason", "merge"]), st.text(max_size=9)), min_size=1)
)
def test_whatever_paths_are_called_each_annotation_is_one_line(violations: list[Violation]) -> None:
    found = commands(report.as_text([each._replace(why=report.shown(each.why)) for each in violations], GITHUB))
    assert len(found) == min(len(violations), report.ANNOTATIONS)
    assert all(line.startswith("::error ") for line in found)


@given(st.binary(min_size=1).map(lambda data: data.replace(b"\0", b"").decode("utf-8", "surrogateescape") or "a"))
def test_a_quoted_path_comes_back_from_the_shell(path: str) -> None:
    ran = subprocess.run(["bash", "-c", f"printf %s {report.quoted(path)}"], capture_output=True, check=True)
    assert ran.stdout == path.encode("utf-8", "surrogateescape")
