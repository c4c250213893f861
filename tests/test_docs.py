"""The documentation says what the code does."""

import functools
import importlib.util
import re
import shlex
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from mfgit import config
from mfgit.cli.group import COMMANDS
from mfgit.project.settings import SECTIONS
from mfgit.sections import Config

TOP = Path(__file__).parent.parent
MARKDOWN = sorted([*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md")])
READMES = [TOP / "README.md", TOP / "README.zh-CN.md"]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@functools.cache
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", TOP / "docs/generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def blocks(path: Path, language: str) -> list[str]:
    return [text for found, text in FENCE.findall(path.read_text("utf-8")) if found == language]


def test_a_generated_page_is_what_make_docs_would_write() -> None:
    for page, wanted in generator().pages().items():
        written = (TOP / "docs" / page).read_text("utf-8")
        assert written.split() == wanted.split(), "run make docs"  # how help is wrapped is up to the version of click


def test_every_setting_has_a_sentence() -> None:
    every = {name: value for name, value in Config()._asdict().items() if hasattr(value, "_fields")}
    every["index"] = every.pop("indexes")  # every tuple has a method named index
    assert set(SECTIONS) == set(every)
    for name, (defaults, sentences) in SECTIONS.items():
        assert defaults == every[name]
        assert set(sentences) == set(every[name]._fields)


def test_every_settings_block_of_the_documentation_is_valid() -> None:
    for path in MARKDOWN:
        for text in blocks(path, "toml"):
            if "repo = " not in text and "[tool." not in text:
                tomllib.loads(text)
                config.parse(text, path.name)


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


def shown_commands(path: Path) -> list[list[str]]:
    shown = [line for text in blocks(path, "console") for line in text.splitlines() if line.startswith("$ mfgit ")]
    scripts = [line for name in ("sh", "bash") for text in blocks(path, name) for line in text.splitlines()]
    found = [line.removeprefix("$ ") for line in [*shown, *(line for line in scripts if line.startswith("mfgit "))]]
    return [shlex.split(line, comments=True) for line in found if "\\" not in line]


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.relative_to(TOP).as_posix())
def test_every_command_shown_exists_with_the_options_shown(path: Path) -> None:
    made = generator()
    for line in shown_commands(path):
        words = line[: next((at for at, word in enumerate(line) if word in ("|", "<", ">", "&&", ";")), len(line))]
        rest = words[1:]
        while rest[:1] == ["-C"]:
            rest = rest[2:]
        if rest[0].startswith("-"):
            continue
        assert rest[0] in COMMANDS, words
        known = set(made.command_names())
        name = max((tuple(rest[:size]) for size in (1, 2, 3)), key=lambda words: (words in known, len(words)))
        said = made.help_of(name)
        for option in (word.split("=")[0] for word in rest if word.startswith("-") and not word.lstrip("-").isdigit()):
            assert re.search(rf"(^|[\s,/|\[(]){re.escape(option)}\b", said, re.MULTILINE), f"{' '.join(words)}: {option}"


def test_the_readmes_are_in_step() -> None:
    english, chinese = (path.read_text("utf-8") for path in READMES)
    assert [words[:2] for words in shown_commands(READMES[0])] == [words[:2] for words in shown_commands(READMES[1])]
    assert len(re.findall(r"^#+ ", english, re.MULTILINE)) == len(re.findall(r"^#+ ", chinese, re.MULTILINE))
    assert set(re.findall(r"\]\((docs/[^)]+)\)", english)) == set(re.findall(r"\]\((docs/[^)]+)\)", chinese))


@pytest.mark.parametrize("path", READMES, ids=lambda path: path.name)
def test_a_readme_names_the_two_commands(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "make demo" in text
    assert "make test" in text
