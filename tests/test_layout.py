"""The law of paths: roots, the names and texts that overlays may have, and what is invisible."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit import layout
from mfgit.layout import Root
from mfgit.sections import RootPattern

HELP, ALL, TEAM = Root("help", "help"), Root(".", "help"), Root("ws/a/knowledge", "workspace", "a")


def test_a_root_joins_and_takes_apart_paths() -> None:
    assert HELP.join("a.md") == "help/a.md"
    assert ALL.join("a.md") == "a.md"
    assert HELP.relative("help/a/b.md") == "a/b.md"
    assert HELP.relative("helper/a.md") is None
    assert ALL.relative("help/a.md") == "help/a.md"


def test_names_of_branches_and_files_of_a_proposal() -> None:
    assert layout.branch_name("0a") == "mfgit/0a"
    assert layout.rejected_ref("0a") == "refs/mfgit/rejected/0a"
    assert layout.aliases_path(HELP) == "help/index.json"
    assert layout.record_path(ALL, "0a") == "_forged/proposals/0a.json"


def test_a_star_stands_for_every_folder_that_holds_a_file() -> None:
    patterns = [RootPattern("help", "help"), RootPattern("ws/*/knowledge", "workspace"), RootPattern("help", "workspace")]
    paths = ["ws/a/knowledge/x.md", "ws/b/other/x.md", "ws/c/knowledge", "ws/a/knowledge/y.md", "other/d/knowledge/x.md"]
    assert layout.expand(patterns, paths) == (HELP, TEAM)
    assert layout.expand(patterns[:1], iter(())) == (HELP,)


def test_the_longest_root_holds_a_path() -> None:
    nested = Root("help/team", "help")
    assert layout.root_of([ALL, HELP, nested], "help/team/x.md") == nested
    assert layout.root_of([nested, HELP, ALL], "help/x.md") == HELP
    assert layout.root_of([ALL, HELP], "x.md") == ALL
    assert layout.root_of([HELP], "x.md") is None


@pytest.mark.parametrize(
    "char", ["\n", "\x00", "\x7f", "\x85", "\u200b", "\u202e", "\ufeff", "\u2028", "\ud800", "\u3164", "\U000e0020"]
)
def test_what_cannot_be_seen_is_hidden(char: str) -> None:
    assert layout.hidden(char)


@pytest.mark.parametrize("char", ["a", " ", "~", "é", "安", "　", "👩", "\ufe0f"])
def test_what_can_be_seen_is_not(char: str) -> None:
    assert not layout.hidden(char)


@pytest.mark.parametrize(
    "name", ["a.md", "怎么安装.md", "café.md", "x" * 200, "a b.md", "console.md", "-a.md", "nul-and-void.md"]
)
def test_usual_names_are_fine(name: str) -> None:
    assert layout.name_fault(name) == ""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "0 bytes"),
        ("安" * 67, "201 bytes"),
        ("a\nb.md", "control"),
        ("a\u200d.md", "zero-width"),
        ("\udcff.md", "undecodable"),
        *((f"a{char}b.md", "one of") for char in '\\:*?"<>|'),
        (".hidden.md", "starts with a dot"),
        ("..", "starts with a dot"),
        ("a.md.", "ends with a dot"),
        ("a.md ", "or a space"),
        ("CON.md", "reserved"),
        ("nul", "reserved"),
        ("com1 .md", "reserved"),
        ("LPT².txt", "reserved"),
        ("git~1", "reserved"),
        ("cafe\u0301.md", "NFC"),
    ],
)
def test_names_that_some_file_system_reads_otherwise_are_refused(name: str, said: str) -> None:
    assert said in layout.name_fault(name)


@pytest.mark.parametrize("data", [b"", b"# a\r\n\tb\n", "安装 👩\u200d💻".encode(), b"x" * layout.MAX_OVERLAY])
def test_plain_text_is_fine(data: bytes) -> None:
    assert layout.text_fault(data) == ""


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"x" * (layout.MAX_OVERLAY + 1), "1,048,577 bytes"),
        (b"a\xff", "not UTF-8 text (byte 1)"),
        (b"\xef\xbb\xbfa", "byte order mark"),
        (b"a\x00", "U+0000"),
        (b"a\x1b[2J", "U+001B"),
        (b"harmless\rhidden", "U+000D"),
        ("a\u202eb".encode(), "U+202E"),
        ("a\x9b".encode(), "U+009B"),
    ],
)
def test_text_that_a_reader_sees_otherwise_is_refused(data: bytes, said: str) -> None:
    assert said in layout.text_fault(data)


def slow_text_is_clean(data: bytes) -> bool:
    """The rule again, character by character."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    for number, char in enumerate(text):
        control = unicodedata.category(char) == "Cc" and char not in "\t\n\r"
        lone = char == "\r" and text[number + 1 : number + 2] != "\n"
        mark = char == "\ufeff" and number == 0
        if (
            control
            or lone
            or mark
            or unicodedata.bidirectional(char) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        ):
            return False
        if ord(char) in (0x61C, 0x200E, 0x200F):
            return False
    return True


@given(st.binary(max_size=12) | st.text(max_size=12).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_the_text_rule_agrees_with_a_slow_one(data: bytes) -> None:
    assert (layout.text_fault(data) == "") == slow_text_is_clean(data)


@given(st.text(max_size=8))
def test_folding_is_stable_and_sees_neither_case_nor_composition(text: str) -> None:
    once = layout.fold(text)
    assert layout.fold(once) == once
    assert layout.fold(unicodedata.normalize("NFC", text)) == once
