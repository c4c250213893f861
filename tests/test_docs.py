"""The documentation says what the code does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mfgit.project.settings import SECTIONS
from mfgit.sections import Config
from tests import blocks

TOP = Path(__file__).parent.parent
MARKDOWN = sorted([*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md")])
READMES = [TOP / "README.md", TOP / "README.zh-CN.md"]


def test_the_generated_pages_are_what_make_docs_would_write(tmp_path: Path) -> None:
    # in a process of its own: a command remembers the help option that somebody asked it for first
    subprocess.run([sys.executable, "-m", "docs.generate", tmp_path], cwd=TOP, capture_output=True, check=True)
    made = {path.relative_to(tmp_path): path.read_text("utf-8") for path in tmp_path.rglob("*.md")}
    assert len(made) == 4
    for name, wanted in made.items():
        written = (TOP / "docs" / name).read_text("utf-8")
        assert written.split() == wanted.split(), "run make docs"  # how help is wrapped is up to the version of click


def test_every_setting_has_a_sentence() -> None:
    every = {name: value for name, value in Config()._asdict().items() if hasattr(value, "_fields")}
    every["index"] = every.pop("indexes")  # every tuple has a method named index
    assert set(SECTIONS) == set(every)
    for name, (defaults, sentences) in SECTIONS.items():
        assert defaults == every[name]
        assert set(sentences) == set(every[name]._fields)


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.relative_to(TOP).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        if "://" not in target and not target.startswith("#"):
            assert (path.parent / target.split("#")[0]).exists(), target


@pytest.mark.parametrize("kind", sorted(path.parent for path in (TOP / "docs").rglob("index.md")), ids=lambda kind: kind.name)
def test_every_page_is_linked_from_the_index_of_its_folder(kind: Path) -> None:
    index = (kind / "index.md").read_text("utf-8")
    pages = [*(path.name for path in kind.glob("*.md")), *(f"{path.parent.name}/index.md" for path in kind.glob("*/index.md"))]
    assert [name for name in pages if name != "index.md" and f"({name})" not in index] == []


def test_every_page_lies_in_a_folder_with_an_index() -> None:
    assert [path for path in (TOP / "docs").rglob("*.md") if not (path.parent / "index.md").exists()] == []


def commands(text: str) -> list[list[str]]:
    """Return the first two words of each command that a README shows."""
    page = blocks.read("README", text)
    return [
        step.command.split()[:2] for block in page.blocks if block.language == "console" for step in blocks.steps(page, block)
    ]


def test_the_readmes_are_in_step() -> None:
    english, chinese = (path.read_text("utf-8") for path in READMES)
    assert commands(english) == commands(chinese)
    assert len(re.findall(r"^#+ ", english, re.MULTILINE)) == len(re.findall(r"^#+ ", chinese, re.MULTILINE))
    assert set(re.findall(r"\]\((docs/[^)]+)\)", english)) == set(re.findall(r"\]\((docs/[^)]+)\)", chinese))


@pytest.mark.parametrize("path", READMES, ids=lambda path: path.name)
def test_a_readme_names_the_two_commands(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "make demo" in text
    assert "make test" in text


def test_the_site_is_built_without_a_warning_and_asks_no_other_host(tmp_path: Path) -> None:
    source, site = TOP / "docs", tmp_path / "site"
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", str(tmp_path / "trees")]
    ran = subprocess.run([*command, source, site], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    made = {path.relative_to(site).with_suffix("").as_posix(): path.read_text("utf-8") for path in site.rglob("*.html")}
    assert {path.relative_to(source).with_suffix("").as_posix() for path in source.rglob("*.md")} <= made.keys()
    for name, text in made.items():
        assert not re.search(r"""<(?:script|img|link)\b[^>]*(?:src|href)="(?:https?:)?//""", text), name
        assert (re.search(r'<html[^>]* lang="zh-CN"', text) is not None) == name.startswith("zh/"), name
