"""The blocks of the documentation: found with a parser of Markdown, run in one shell, compared with what the page shows.

What a page may say above its blocks, and as their language, is in CONTRIBUTING.md under *Documentation*.
"""

import difflib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

COMMENT = re.compile(r"<!--\s*(given|hidden|not run)\b:?\s*(.*?)\s*-->\s*", re.DOTALL)
HEREDOC = re.compile(r"(?<!<)<<-?\s*(['\"]?)(\w+)\1")
MARK = """
code=$?; printf '\\0%s\\0' $code; [ $code = 0 ] || exit
"""
"""Stands behind each command of the script: the end of its output and how it ended; a failure ends the page."""
REMARK = re.compile(r"""(?<=[^\n\s]) +# [^\n'"`]*\Z""")
"""What a command says to the reader at its end; within quotes a `#` has another quote behind it."""
GIVEN = ("demo", "docs", "empty")


class Wrong(AssertionError):
    """A page does not keep to what pages may hold, or shows what is not so."""


class Block(NamedTuple):
    """A fenced block, or a hidden one; `line` is the first of its text, `excuse` says why it is not run."""

    language: str
    text: str
    line: int
    hidden: bool = False
    excuse: str = ""


class Page(NamedTuple):
    """A page: the folder it starts in, one of GIVEN, its blocks, and the code within its sentences with the line."""

    name: str
    given: str
    blocks: tuple[Block, ...]
    inline: tuple[tuple[str, int], ...]


class Step(NamedTuple):
    """A command and what it is shown to print; None is whatever it prints."""

    command: str
    expected: str | None
    line: int


def read(name: str, text: str) -> Page:
    """Return the blocks of a page. `name` is for messages."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inline = [
        (child.content, line_of(token)) for token in tokens for child in token.children or () if child.type == "code_inline"
    ]
    found, given, excuse = list[Block](), list[str](), ""
    for token, after in pairwise([*tokens, Token("end", "", 0)]):
        kind, said = comment(token)
        if token.type == "fence":
            found.append(Block(token.info.strip(), token.content, line_of(token) + 1, excuse=excuse))
            excuse = ""
        elif token.type == "code_block":
            raise Wrong(f"{name}:{line_of(token)}: a block that is only indented names no language")
        elif kind == "given":
            given.append(said)
        elif kind == "hidden":
            found.append(Block("console", f"{said}\n", line_of(token) + 1, hidden=True))
        elif kind == "not run":
            excuse = said
            if not said or after.type != "fence":
                raise Wrong(f"{name}:{line_of(token)}: 'not run' stands right above a block and gives the reason")
    if len(given) > 1 or not set(given) <= set(GIVEN):
        raise Wrong(f"{name}: given is said once, and is one of {', '.join(GIVEN)}")
    return Page(name, given[0] if given else "demo", tuple(found), tuple(inline))


def line_of(token: Token) -> int:
    """Return the line of the page that a part of it begins at, counted from 1."""
    return (token.map or [0])[0] + 1


def comment(token: Token) -> tuple[str, str]:
    """Return the kind of a comment that is for this runner, and what it says; else nothing."""
    found = COMMENT.fullmatch(token.content) if token.type == "html_block" else None
    return (found[1], found[2]) if found else ("", "")


def steps(page: Page, block: Block) -> list[Step]:
    """Return the commands of a console block, or what runs a block of Python."""
    if block.language == "python":
        return [Step(f"python - <<'END OF BLOCK'\n{block.text}END OF BLOCK", None, block.line)]
    found: list[Step] = []
    lines = block.text.splitlines()
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise Wrong(f"{page.name}:{block.line + at}: a line of output without a command before it")
        end = end_of_command(lines, at)
        after = next((n for n in range(end, len(lines)) if lines[n].startswith("$ ")), len(lines))
        shown = lines[end:after]
        expected = None if block.hidden and not shown else "\n".join(shown)
        found.append(Step("\n".join([lines[at][2:], *lines[at + 1 : end]]), expected, block.line + at))
        at = after
    return found


def end_of_command(lines: list[str], at: int) -> int:
    """Return the line behind a command: lines that a backslash continues and documents that it is given belong to it."""
    end = at + 1
    while lines[end - 1].endswith("\\") and end < len(lines):
        end += 1
    for _, word in HEREDOC.findall("\n".join(lines[at:end])):
        end = next((n + 1 for n in range(end, len(lines)) if lines[n].strip() == word), len(lines))
    return end


def environment(home: Path) -> dict[str, str]:
    """Return what the commands of a page see: an empty home but for a name, mfgit on the PATH, and nothing of the caller's."""
    home.mkdir(exist_ok=True)
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Alice\n\temail = alice@example.com\n[init]\n\tdefaultBranch = main\n[core]\n\tquotePath = false\n",
        "utf-8",
    )
    return {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_EDITOR": "true",
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "COLUMNS": "110",
        "TZ": "UTC",
    }


def run(page: Page, folder: Path, home: Path, limit: float = 120) -> None:
    """Run the page's commands one after the other in one bash that starts in `folder`; raise `Wrong` at the first difference.

    What the page leaves running in the background is ended with it, and so is a page that takes longer than `limit` seconds.
    """
    todo = [step for block in page.blocks if runs(block) for step in steps(page, block)]
    if not todo:
        return
    script, said = home.parent / "script", home.parent / "said"
    seen = environment(home)
    script.write_text("".join(step.command + MARK for step in todo), "utf-8")
    with said.open("wb") as file:
        shell = subprocess.Popen(
            ["bash", "--noprofile", "--norc", str(script)],
            cwd=folder,
            env=seen,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            with suppress(subprocess.TimeoutExpired):
                shell.wait(limit)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
    compare(page, todo, said.read_bytes().decode("utf-8", "replace").split("\0"))


def runs(block: Block) -> bool:
    """Whether a block is run: commands and programs are, unless the page says why not."""
    return block.language in ("console", "python") and not block.excuse


def repeats(page: Page, twin: Page) -> bool:
    """Whether all that is run of a page, and is expected of it, is run for its twin in another language anyway."""
    own, others = (
        [(REMARK.sub("", step.command), step.expected) for block in one.blocks if runs(block) for step in steps(one, block)]
        for one in (page, twin)
    )
    return page.given == twin.given and own == others


def compare(page: Page, todo: list[Step], said: list[str]) -> None:
    """Raise `Wrong` where a command failed, did not end, or printed something else. `said` is output, code, output, code, …"""
    for number, step in enumerate(todo):
        where = f"{page.name}:{step.line}: $ {step.command}\n"
        out, *code = said[2 * number : 2 * number + 2]
        if code in ([], [""]):
            raise Wrong(f"{where}did not end; it said:\n{out}")
        if code != ["0"]:
            raise Wrong(f"{where}ended with {code[0]} and said:\n{out}")
        if step.expected is not None and not alike(step.expected, out):
            lines = difflib.unified_diff(plain(step.expected), plain(out), "the page", "the command", n=99, lineterm="")
            raise Wrong(where + "\n".join(lines))


def alike(expected: str, said: str) -> bool:
    """Whether a command said what is shown, in which `…` stands for anything in a line and for any lines where it is alone."""
    pattern = "".join(
        r"(?:.*\n)*?" if line == "…" else ".*?".join(re.escape(part) for part in line.split("…")) + r"\n"
        for line in plain(expected)
    )
    return bool(re.fullmatch(pattern, "".join(f"{line}\n" for line in plain(said))))


def plain(text: str) -> list[str]:
    """Return the lines without blanks at their ends, and without empty lines at the end of all."""
    return [line.rstrip() for line in text.rstrip().splitlines()]


# ---- what may stand in a page


def mentions(page: Page) -> Iterator[tuple[str, int]]:
    """Yield each command line that a page shows, run or not, with its line in the page."""
    for block in page.blocks:
        if block.language == "console":
            yield from ((step.command, step.line) for step in steps(page, block))
        elif block.language not in ("text", "markdown", "python", "mermaid"):
            parts = '"' if block.language == "json" else "\n"
            lines = enumerate(block.text.splitlines(), block.line)
            yield from ((part, number) for number, line in lines for part in line.split(parts))
    yield from ((code, line) for code, line in page.inline if code.startswith("mfgit "))
