"""The benchmarks: every one of them runs, and what they find is shown as it is."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import asked, clusters, page
from benchmarks.__main__ import MODULES
from benchmarks.leaked import messages
from benchmarks.measure import Row, alone, compared, missing, spread
from benchmarks.page import Part
from benchmarks.redact import ours

TOP = Path(__file__).resolve().parent.parent
NAMES = [module.__name__.rpartition(".")[2] for module in MODULES]


def test_every_benchmark_runs_at_a_tiny_size_and_the_page_shows_it(tmp_path: Path) -> None:
    written = tmp_path / "reference/benchmarks.md"
    command = [sys.executable, "-m", "benchmarks", "--quick", "--write", str(written)]
    ran = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    text = written.read_text("utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["How to read it", "The machine", "In short", *NAMES]
    assert "broke:" not in text
    for name in NAMES:
        assert re.search(rf"^## {name}\n\n\S(?s:.*?)\n\n\| what \|", text, re.MULTILINE), name


def test_an_unknown_benchmark_is_named() -> None:
    command = [sys.executable, "-m", "benchmarks", "speed"]
    ran = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "There is no benchmark speed" in ran.stderr


@pytest.mark.parametrize(
    ("row", "good", "bar"),
    [
        (compared("a", "b", "ms", [(1, 2), (3, 2), (9, 9)], most=1), True, "<= 1"),
        (compared("a", "b", "ms", [(3, 2)], most=1), False, "<= 1"),
        (compared("a", "b", "turns/s", [(3, 2)], least=1), True, ">= 1"),
        (compared("a", "b", "turns/s", [(1, 2)], least=1), False, ">= 1"),
        (compared("a", "b", "%", [(1, 0)]), True, ""),
        (alone("a", "MiB", [5, 7, 6], most=6), True, "<= 6 MiB"),
        (alone("a", "MB/s", [0.5], least=1), False, ">= 1 MB/s"),
    ],
    ids=["within", "past", "fast enough", "too slow", "against nothing", "by itself", "by itself, too slow"],
)
def test_a_row_is_held_to_its_bar_by_its_median(row: Row, good: bool, bar: str) -> None:
    assert (row.good, row.bar) == (good, bar)


@pytest.mark.parametrize(
    ("row", "behind"),
    [
        (compared("a", "b", "ms", [(3, 2)]), True),
        (compared("a", "b", "ms", [(2.05, 2)]), False),
        (compared("a", "b", "turns/s", [(3, 2)]), False),
        (compared("a", "b", "turns/s", [(1, 2)]), True),
        (missing("a", "b"), False),
    ],
    ids=["slower", "as fast", "more", "less", "missing"],
)
def test_a_row_in_which_the_other_is_better_is_told(row: Row, behind: bool) -> None:
    text = "\n".join(page.summary([Part("x", "About.", [row], 1.0)]))
    assert ("Behind:" in text) == behind


def test_a_spread_tells_the_range() -> None:
    assert page.plain(spread([3, 1, 2])) == "2.00 [1.00-3.00]"
    assert page.plain(spread([1234])) == "1,234"
    assert page.plain(None) == "-"


def test_a_cell_ends_no_table_and_starts_no_markup() -> None:
    row = compared("a | b", "<c>", "ms", [(1, 2), (1, 4)], note="git log | head\nx")
    (line,) = page.table([row])[2:]
    assert line == "| a \\| b | &lt;c&gt; | 1.00 ms | 3.00 \\[2.00-4.00] ms | 0.38 \\[0.25-0.50] | git log \\| head x |"


def test_a_page_of_some_benchmarks_names_the_others() -> None:
    part = Part("x", "About.", [compared("a", "b", "ms", [(1, 2)])], 1.0)
    assert "Not part of this run: y, z." in page.page({"Python": "3"}, [part], ["y", "z"])
    assert "Not part of this run" not in page.page({"Python": "3"}, [part])


def test_a_page_takes_the_place_of_the_last_one(tmp_path: Path) -> None:
    place = tmp_path / "a/b.md"
    for text in ("first", "second"):
        page.write(place, text)
        assert place.read_text("utf-8") == text
    assert [each.name for each in place.parent.iterdir()] == ["b.md"]


def test_half_of_the_questions_are_asked_once_in_both_languages() -> None:
    found = asked.stream(400, 1)
    assert found == asked.stream(400, 1)
    assert len(found) == 400
    sizes = [sum(other.group == each.group for other in found) for each in found]
    assert sizes.count(1) >= 180
    assert 190 <= sum(each.text.isascii() for each in found) <= 210


def test_clusters_are_judged_by_the_groups_they_hold() -> None:
    stream = [asked.Asked("q", group) for group in (1, 1, 1, 2, 2, 2, 3, 3, 3, 4)]
    found = clusters.judged([[0, 1, 2], [3, 4, 5, 6, 7]], stream, 1.0, 2.0)
    assert (found.clean, round(found.found)) == (50, 33)


def test_redaction_finds_what_stands_in_the_messages_and_hides_nothing_else_of_them() -> None:
    """What has neither a format nor a name to know it by is left out here."""
    said = [each for each in messages(3) if " " not in each.secret and not each.text.startswith(("I type", "输入"))]
    wrong = [each.text for each, found in zip(said, ours(said), strict=True) if found != bool(each.secret)]
    assert not wrong
