"""The runner of the documentation's blocks finds what is wrong with a page, and lets the rest pass."""

import os
import select
from pathlib import Path

import pytest

from tests import blocks, shown
from tests.blocks import Block, Wrong

FENCE = "```"


def console(*lines: str, language: str = "console") -> str:
    return "\n".join([FENCE + language, *lines, FENCE, ""])


def ran(tmp_path: Path, text: str, limit: float = 30) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(exist_ok=True)
    blocks.run(blocks.read("page.md", text), folder, tmp_path / "home", limit)


# ---- what a page holds


def test_blocks_come_in_order_with_their_lines_also_out_of_lists_and_comments() -> None:
    text = (
        "<!-- given: docs -->\n# Title\n\n<!-- hidden\n$ true\n-->\n\n"
        "- item:\n\n  ```toml\n  a = 1\n  ```\n\n<!-- not run: needs a server -->\n\n```json\n{…}\n```\n\n`mfgit search X`\n"
    )
    page = blocks.read("page.md", text)
    assert page.given == "docs"
    assert page.inline == (("mfgit search X", 20),)
    assert page.blocks == (
        Block("console", "$ true\n", 5, hidden=True),
        Block("toml", "a = 1\n", 11),
        Block("json", "{…}\n", 17, excuse="needs a server"),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("<!-- not run: why -->\n\nText.\n", "right above a block", id="reason without a block"),
        pytest.param("<!-- not run -->\n```json\n{\n```\n", "gives the reason", id="block without a reason"),
        pytest.param("<!-- given: moon -->\n", "given is said once", id="unknown folder"),
        pytest.param("<!-- given: demo -->\n\n<!-- given: docs -->\n", "given is said once", id="two folders"),
        pytest.param("Text:\n\n    indented\n", "names no language", id="indented"),
    ],
)
def test_what_a_page_may_not_say(text: str, said: str) -> None:
    with pytest.raises(Wrong, match=said):
        blocks.read("page.md", text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(console("x", language=""), "not nothing", id="no language"),
        pytest.param(console("x", language="cobol"), "not cobol", id="unknown language"),
        pytest.param(console("{", language="json"), "page.md:2", id="json"),
        pytest.param(console("{}", "{", language="jsonl"), "page.md:2", id="jsonl"),
        pytest.param(console("a: [", language="yaml"), "page.md:2", id="yaml"),
        pytest.param(console("a = ", language="toml"), "page.md:2", id="toml"),
        pytest.param(console("[scan]", "min_count = 3", language="toml"), "min_count", id="setting"),
        pytest.param(console("if", language="python"), "page.md:2", id="python"),
        pytest.param(console("if true", language="bash"), "page.md:2", id="bash"),
        pytest.param(console("no section", language="ini"), "page.md:2", id="ini"),
    ],
)
def test_a_block_that_is_not_what_it_says_is_named_with_its_line(text: str, said: str) -> None:
    with pytest.raises(Wrong, match=said):
        shown.check(blocks.read("page.md", text))


def test_another_programs_settings_and_an_excused_block_pass() -> None:
    text = (
        console("[tool.other]", "a = 1", language="toml") + "\n<!-- not run: shortened -->\n" + console("{…}", language="json")
    )
    shown.check(blocks.read("page.md", text))


MENTIONED = [
    ("mfgit serach x", "no command serach"),
    ("mfgit -C PATH archive sesion add", "no command sesion"),
    ("mfgit search x --limits 3", "no option --limits"),
    ("mfgit scan --days --until", ""),  # the value of an option may be anything
    ("mfgit search x -n 3 --expect=a.md", ""),
    ("mfgit search --help", ""),
    ("mfgit archive check 2> log", ""),
    ("mfgit archive 2 > log", "no command 2"),
    ("mfgit guard --stagged", "does not know --stagged"),
    ("mfgit guard --range=a..b --ref x", ""),
    ("mfgit search -- --anything", ""),
    ("true && mfgit serach", "no command serach"),
    ("agent mcp add mfgit -- mfgit serach", "no command serach"),
    ("agent doctor mfgit --probe", ""),
    ("git bisect run mfgit search x --expectt a", "no option --expectt"),
]


@pytest.mark.parametrize(("command", "said"), MENTIONED, ids=[command for command, _ in MENTIONED])
def test_commands_and_options_are_looked_up(command: str, said: str) -> None:
    page = blocks.read("page.md", "<!-- not run: why -->\n" + console(f"$ {command}"))
    if said:
        with pytest.raises(Wrong, match=said):
            shown.check_mentions(page)
    else:
        shown.check_mentions(page)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Say `mfgit serach x`.\n", id="in a sentence"),
        pytest.param(console("- run: mfgit serach x", language="yaml"), id="workflow"),
        pytest.param(console('{"command": "mfgit serach x"}', language="json"), id="json"),
        pytest.param(console("ExecStart=/srv/bin/mfgit serach x", language="ini"), id="unit"),
        pytest.param(console("$ true | \\", "  mfgit serach x"), id="continued"),
        pytest.param("<!-- hidden\n$ mfgit serach x\n-->\n", id="hidden"),
    ],
)
def test_they_are_looked_up_wherever_they_stand(text: str) -> None:
    with pytest.raises(Wrong, match="no command serach"):
        shown.check_mentions(blocks.read("page.md", text))


# ---- running


GOOD = {
    "exact": ["$ echo a; echo b", "a", "b"],
    "nothing": ["$ true"],
    "two": ["$ cd /", "$ pwd", "/"],
    "part of a line": ["$ echo one two three", "one … three"],
    "any lines": ["$ seq 5", "1", "…", "5"],
    "no lines": ["$ seq 2", "1", "…", "2"],
    "standard error": ["$ echo a >&2", "a"],
    "a failure that is shown": ['$ false || echo "exit $?"', "exit 1"],
    "document": ["$ cat <<'END' && echo more", "text $ x", "END", "text $ x", "more"],
    "continued": ["$ echo a \\", "    b", "a b"],
    "continued document": ["$ cat \\", "  <<END", "a", "END", "a"],
    "string": ["$ cat <<<text", "text"],
    "variables": ["$ x=1", "$ echo $x", "1"],
    "empty line": ["$ printf 'a\\n\\nb\\n'", "a", "", "b"],
    "home": ["$ ls -A ~", ".gitconfig"],
    "input": ["$ cat"],
}


@pytest.mark.parametrize("name", GOOD)
def test_what_prints_what_is_shown_passes(name: str, tmp_path: Path) -> None:
    ran(tmp_path, console(*GOOD[name]))


BAD = {
    "other output": (["$ echo b", "a"], r"(?s)page.md:2: \$ echo b.*-a\n\+b"),
    "more output": (["$ echo a; echo b", "a"], r"\+b"),
    "output that is not shown": (["$ echo a"], r"\+a"),
    "less output": (["$ true", "a"], "-a"),
    "later command": (["$ echo a", "a", "$ echo b", "c"], r"page.md:4: \$ echo b"),
    "beginning": (["$ echo abc", "abc…d"], "-abc…d"),
    "no pattern": (["$ echo abc", "a.c"], "-a.c"),
    "unknown command": (["$ no-such-command"], "(?s)ended with 127 .*not found"),
    "failure": (["$ echo a; false", "a"], "ended with 1"),
    "exit": (["$ exit 0", "$ true"], "did not end"),
    "document without its end": (["$ cat <<END", "a"], "did not end"),
    "output first": (["a"], "without a command"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_fails_and_says_where(name: str, tmp_path: Path) -> None:
    lines, said = BAD[name]
    with pytest.raises(Wrong, match=said):
        ran(tmp_path, console(*lines))


def test_blocks_share_one_shell_and_hidden_ones_print_what_they_like(tmp_path: Path) -> None:
    ran(tmp_path, "<!-- hidden\n$ x=1; echo prepared\n-->\n\n" + console("$ echo $x", "1"))


def test_a_hidden_block_that_shows_output_is_held_to_it(tmp_path: Path) -> None:
    with pytest.raises(Wrong, match="-b"):
        ran(tmp_path, "<!-- hidden\n$ echo a\nb\n-->\n")


def test_a_block_with_an_excuse_is_not_run(tmp_path: Path) -> None:
    ran(tmp_path, "<!-- not run: would end badly -->\n" + console("$ touch ran") + "\n" + console("$ ls"))


@pytest.mark.parametrize(("program", "said"), [("assert 1 == 1", ""), ("assert 1 == 2", "AssertionError")])
def test_python_is_run(program: str, said: str, tmp_path: Path) -> None:
    text = (
        console("$ touch made")
        + "\n"
        + console("from pathlib import Path", program, "Path('made').unlink()", language="python")
    )
    if said:
        with pytest.raises(Wrong, match=said):
            ran(tmp_path, text)
    else:
        ran(tmp_path, text + "\n" + console("$ ls"))


def test_what_takes_too_long_is_ended_and_named(tmp_path: Path) -> None:
    with pytest.raises(Wrong, match=r"(?s)page.md:4: \$ sleep 60\ndid not end"):
        ran(tmp_path, console("$ echo a", "a", "$ sleep 60"), limit=2)


def test_what_runs_in_the_background_ends_with_the_page(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "folder/held")
    held = os.open(tmp_path / "folder/held", os.O_RDONLY | os.O_NONBLOCK)
    try:
        ran(tmp_path, console("$ (touch held-now; sleep 600) > held &", "$ until [ -e held-now ]; do sleep 0.05; done"))
        ready, _, _ = select.select([held], [], [], 60)
        assert ready, "it is still running"
        assert os.read(held, 1) == b""
    finally:
        os.close(held)


def test_nothing_of_the_caller_reaches_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MFGIT_SECRET", "x")
    ran(tmp_path, console("$ echo [$MFGIT_SECRET] [$GIT_DIR]", "[] []"))


# ---- twins

SHOWN = console("$ echo 1", "1")


@pytest.mark.parametrize(
    ("english", "chinese", "same"),
    [
        pytest.param(f"# Title\n\n{SHOWN}", f"# 标题\n\n多一行。\n\n{SHOWN}", True, id="other sentences around the same"),
        pytest.param(f"{SHOWN}\n" + console("a = 1", language="toml"), SHOWN, True, id="another block that is only read"),
        pytest.param(f"<!-- not run: it asks -->\n{SHOWN}", f"<!-- not run: 会询问 -->\n{SHOWN}", True, id="neither is run"),
        pytest.param(console("$ ls  # look"), console("$ ls  # 看看"), True, id="another remark"),
        pytest.param(console('$ echo "a # b"'), console('$ echo "a # c"'), False, id="another text that looks like a remark"),
        pytest.param(console("$ cat <<E", "# a", "E"), console("$ cat <<E", "# b", "E"), False, id="another document"),
        pytest.param(SHOWN, console("$ echo 2", "2"), False, id="another command"),
        pytest.param(SHOWN, console("$ echo 1", "2"), False, id="another output"),
        pytest.param(SHOWN, console("$ echo 1"), False, id="no output"),
        pytest.param("<!-- hidden\n$ true\n-->\n", "<!-- hidden\n$ false\n-->\n", False, id="something else hidden"),
        pytest.param(f"<!-- hidden\n$ true\n-->\n\n{SHOWN}", SHOWN, False, id="nothing hidden"),
        pytest.param(f"<!-- given: docs -->\n\n{SHOWN}", SHOWN, False, id="another folder"),
        pytest.param(f"<!-- not run: it asks -->\n{SHOWN}", SHOWN, False, id="run in one language"),
        pytest.param("", SHOWN, False, id="no twin"),
    ],
)
def test_a_page_repeats_its_twin_where_the_same_is_run(english: str, chinese: str, same: bool) -> None:
    assert blocks.repeats(blocks.read("zh.md", chinese), blocks.read("en.md", english)) is same


# ---- workflows


WORKFLOW = "on: {trigger}\npermissions: {{}}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo '{echo}'\n"


def test_workflows_are_found_and_judged(tmp_path: Path) -> None:
    good, bad = (
        WORKFLOW.format(trigger="push", echo="a"),
        WORKFLOW.format(trigger="pull_request", echo="${{ github.head_ref }}"),
    )
    assert shown.is_workflow(Block("yaml", good, 1))
    assert not shown.is_workflow(Block("yaml", "repos: []\n", 1))
    assert not shown.is_workflow(Block("text", good, 1))
    with pytest.raises(Wrong, match="template-injection"):
        shown.judge({"good": good, "bad": bad}, tmp_path)
