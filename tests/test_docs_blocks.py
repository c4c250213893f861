"""Every block of the documentation runs and prints what is shown, or can be read as what it says it is."""

import functools
import shutil
from pathlib import Path

import pytest

from mfgit.project import demonstration
from tests import blocks, shown

TOP = Path(__file__).parent.parent
EXAMPLES = [path for path in (TOP / "examples").rglob("*.md") if "template" not in path.parts]
PATHS = sorted([*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md"), *EXAMPLES])
PAGES = {path.relative_to(TOP).as_posix(): path.read_text("utf-8") for path in PATHS}


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest) -> blocks.Page:
    return blocks.read(request.param, PAGES[request.param])


def test_blocks_can_be_read_and_name_commands_and_options_that_there_are(page: blocks.Page) -> None:
    shown.check(page)
    shown.check_mentions(page)


def test_commands_print_what_is_shown(page: blocks.Page, untouched: Path, tmp_path: Path) -> None:
    if any(blocks.runs(block) for block in page.blocks) and not repeats_its_twin(page):
        blocks.run(page, start(page.given, untouched, tmp_path), tmp_path / "home")


def repeats_its_twin(page: blocks.Page) -> bool:
    """Whether a Chinese page runs what the English page of its name does, so that running it again would show nothing."""
    twin = page.name.replace("docs/zh/", "docs/")
    return twin != page.name and blocks.repeats(page, blocks.read(twin, PAGES.get(twin, "")))


def start(given: str, demo: Path, place: Path) -> Path:
    """Return the folder that a page starts in, and put the sample's conversations into its home."""
    folder, home = place / "fernhouse", place / "home"
    home.mkdir()
    (home / "conversations.jsonl").write_bytes(demonstration.conversations())
    if given == "demo":
        shutil.copytree(demo, folder, symlinks=True)
    elif given == "docs":
        demonstration.make(folder)
    else:
        folder.mkdir()
    return folder


FILLED_IN = (("COMMIT", "0123456789abcdef0123456789abcdef01234567"), ("OWNER", "example"))
"""What stands in a workflow where the reader's own comes, and something of that form."""


def test_zizmor_finds_nothing_in_the_workflows_of_the_pages(tmp_path: Path) -> None:
    found = {
        f"{name.replace('/', '-')}-{block.line}": functools.reduce(
            lambda text, pair: text.replace(*pair), FILLED_IN, block.text
        )
        for name, text in PAGES.items()
        for block in blocks.read(name, text).blocks
        if shown.is_workflow(block)
    }
    assert found
    shown.judge(found, tmp_path)
