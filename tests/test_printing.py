"""Nothing that a file or a conversation says can steer a terminal or forge a line."""

import os
import pty
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.printing import clean, clean_line, without_controls
from tests.builders import Workbench


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("plain", "plain", id="plain"),
        pytest.param("第一，\u3000全角空格", "第一，\u3000全角空格", id="wide-space"),
        pytest.param("👩\u200d💻", "👩\u200d💻", id="joined-emoji"),
        pytest.param("a\x1b[31m\x07", "a\\x1b[31m\\x07", id="escape-and-bell"),
        pytest.param("a\nb\tc", "a\\nb\\tc", id="line-break-and-tab"),
        pytest.param("\x9b31m", "\\x9b31m", id="c1"),
        pytest.param("caf\udce9", "caf\\xe9", id="loose-byte"),
        pytest.param("\u202eabc\u2028", "\\u202eabc\\u2028", id="bidirectional-and-line-separator"),
        pytest.param("\U000e0041", "\\U000e0041", id="tag"),
    ],
)
def test_a_line_shows_what_does_not_print(text: str, line: str) -> None:
    assert clean_line(text) == line
    assert clean(text) == line.replace("\\n", "\n").replace("\\t", "\t")


@given(st.text(st.characters(), max_size=20))
def test_no_text_keeps_a_control_character_or_a_loose_half(text: str) -> None:
    for made in (clean(text), clean_line(text), without_controls(text)):
        made.encode()
        assert not any((c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" for c in made)
    assert "\n" not in clean_line(text)


def on_terminal(kb: Workbench, *words: str, **environment: str) -> str:
    """Return what mfgit shows on a terminal."""
    ours, theirs = pty.openpty()
    env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm", **environment}
    with subprocess.Popen(
        [sys.executable, "-m", "mfgit", *words], cwd=kb.path, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env=env
    ):
        os.close(theirs)
        said = b""
        while True:
            try:
                said += os.read(ours, 65536)
            except OSError:
                break
    os.close(ours)
    return said.decode()


@pytest.fixture
def kb(bench: Workbench) -> Workbench:
    """Return a repository with a page that tries to steer the terminal, and one whose name forges a line."""
    bench.write(
        {
            "help/evil.md": "# Pumps\n\nThe gizmo\x1b]0;owned\x07 hums\u202e.\n",
            "help/two\n 1  help/fake.md:1  Forged.md": "# Gizmo\n\nA gizmo.\n",
        }
    )
    bench.commit()
    return bench


@pytest.mark.parametrize("words", [("context", "gizmo"), ("search", "gizmo"), ("doctor",)], ids=" ".join)
def test_a_page_cannot_steer_the_terminal(kb: Workbench, words: tuple[str, ...]) -> None:
    said = on_terminal(kb, *words, TERM="dumb")
    assert said
    assert "\x1b" not in said
    assert "\x07" not in said
    assert "\u202e" not in said


def test_a_line_break_in_a_name_forges_no_hit(kb: Workbench) -> None:
    for words in (("search", "gizmo"), ("context", "gizmo")):
        assert "two\\n 1  help/fake.md" in kb.mfgit(*words).out


def test_a_program_reads_the_block_as_it_is_but_for_control_characters(kb: Workbench) -> None:
    out = kb.mfgit("context", "gizmo").out
    assert "The gizmo\\x1b]0;owned\\x07 hums\u202e." in out


@pytest.mark.parametrize(
    ("environment", "bold"), [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, False)], ids=str
)
def test_only_a_terminal_that_can_gets_bold_text(bench: Workbench, environment: dict[str, str], bold: bool) -> None:
    assert ("\x1b[1m" in on_terminal(bench, "search", "password", **environment)) is bold


def test_the_note_about_an_undecodable_name_is_text(bench: Workbench) -> None:
    bench.write({"help/caf\udce9.md": "# Coffee\n"})
    bench.commit()
    note = bench.mfgit("search", "password", "--json").json()["note"]
    assert "caf\\xe9.md" in note
