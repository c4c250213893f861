"""The manual pages are what the commands say, and no reader of manual pages complains about them."""

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from tests.servers import require

TOP = Path(__file__).parent.parent


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("manual", TOP / "docs/manual.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


manual = load()
PAGES = manual.pages()


def test_the_pages_are_those_that_make_docs_writes() -> None:
    assert {path.name for path in manual.FOLDER.iterdir()} == set(PAGES)
    for name, text in PAGES.items():
        assert (manual.FOLDER / name).read_text("ascii") == text, f"run `make docs`: {name}"


def test_mandoc_has_nothing_to_say() -> None:
    require("mandoc", "mandoc")
    ran = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", *sorted(manual.FOLDER.iterdir())], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout + ran.stderr) == (0, "")


def test_groff_has_nothing_to_say() -> None:
    require("groff", "groff")
    words = ("groff", "-man", "-Tutf8", "-ww", "-z", *sorted(manual.FOLDER.iterdir()))
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout + ran.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a-b", "a\\-b"),
        ("a\\b", "a\\eb"),
        (".so /etc/passwd", "\\&.so /etc/passwd"),
        ("'quoted'", "\\&'quoted'"),
        ("… or 中", "\\[u2026] or \\[u4E2D]"),
    ],
)
def test_a_line_is_text_and_no_macro(text: str, written: str) -> None:
    assert manual.plain(text) == written


def test_every_option_of_a_command_has_its_entry() -> None:
    page = PAGES["mfgit-scan.1"]
    assert ".TP\n\\fB\\-\\-days\\fR \\fINUMBER\\fR\nLook at the last so many days" in page
    assert '.SS "archive session add"' in PAGES["mfgit-archive.1"]
    assert ".BR mfgit\\-scan (1)" in PAGES["mfgit.1"]


def test_pages_of_commands_that_are_gone_are_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manual, "FOLDER", tmp_path / "man1")
    monkeypatch.setattr(manual, "TOP", tmp_path)
    monkeypatch.setattr(manual, "pages", lambda: {"mfgit.1": ".TH MFGIT 1\n"})
    (tmp_path / "man1").mkdir()
    (tmp_path / "man1/mfgit-old.1").write_text("")
    manual.main()
    assert [path.name for path in (tmp_path / "man1").iterdir()] == ["mfgit.1"]
