"""The documentation says what the code does."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from mfgit.project import Project
from mfgit.project.living import Living
from mfgit.project.settings import SECTIONS
from mfgit.sections import Config
from tests import blocks

TOP = Path(__file__).parent.parent
INTERNAL = {"reading", "archive", "append_ready", "close"}
"""Of `Living`: what the server asks besides."""
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
    assert pages_linked(english) == pages_linked(chinese)


def pages_linked(text: str) -> set[str]:
    """Return the pages that a README leads to, in whichever language, but for pictures."""
    found = re.findall(r"\]\((docs/[^)]+)\)", text)
    return {target.replace("docs/zh/", "docs/") for target in found if not target.startswith("docs/images/")}


CHINESE = TOP / "docs/zh"
TWINS = sorted(
    {
        path.relative_to(TOP / "docs")
        for kind in ("tutorials", "how-to", "explanation")
        for path in (TOP / "docs" / kind).glob("*.md")
    }
    | {path.relative_to(CHINESE) for path in CHINESE.glob("*/*.md") if path.name != "index.md"}
)
"""The pages that are there in Chinese: all lessons, guides and explanations, and some of the others."""


def outline(path: Path) -> tuple[list[int], list[list[str]], list[str]]:
    """Return what a page has in any language: depths of its headings, the program and subcommand of each command, excuses."""
    text = path.read_text("utf-8")
    page = blocks.read(path.name, text)
    steps = [step for block in page.blocks if block.language == "console" for step in blocks.steps(page, block)]
    words = [step.command.split()[: 2 if step.command.startswith(("mfgit", "git")) else 1] for step in steps]
    depths = [int(token.tag[1]) for token in MarkdownIt().parse(text) if token.type == "heading_open"]
    return depths, words, [page.given, *(block.language + block.excuse for block in page.blocks)]


@pytest.mark.parametrize("page", TWINS, ids=str)
def test_a_page_and_its_chinese_twin_are_in_step(page: Path) -> None:
    assert outline(CHINESE / page) == outline(TOP / "docs" / page)


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
        assert not name.startswith("zh/") or not re.search(r"<p>[^<]*[，。]\n[\u4e00-\u9fff]", text), name
    words = json.loads((site / "searchindex.js").read_text("utf-8").removeprefix("Search.setIndex(").removesuffix(")"))["terms"]
    assert {"guard", "脱敏", "守卫", "写"} <= words.keys()
    assert "var splitQuery" in (site / "_static/language_data.js").read_text("utf-8")


@pytest.mark.parametrize("kind", [Project, Living])
def test_every_method_of_the_python_interface_is_on_its_page(kind: type) -> None:
    page = (TOP / "docs/reference/python.md").read_text("utf-8")
    own = [name for name in set(vars(kind)) - INTERNAL if callable(getattr(kind, name)) and name[0] != "_"]
    assert [name for name in own if not re.search(rf"[`.]{name}[`(]", page)] == []


@pytest.mark.parametrize("name", ["turn", "rating", "session", "record"])
def test_every_field_of_a_stored_format_has_a_meaning(name: str) -> None:
    page = (TOP / "docs/reference/formats.md").read_text("utf-8")
    part = page.split(f"\n### {name}\n")[1].split("\n### ")[0]
    rows = re.findall(r"^\| `([^`]+)`.*\| (.*?) *\|$", part, re.MULTILINE)
    assert rows
    assert [field for field, meaning in rows if not meaning] == []
