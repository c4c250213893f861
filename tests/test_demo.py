"""`mfgit demo` shows the whole loop, the same every time, and leaves the sample behind."""

import re
import subprocess
import sys
from pathlib import Path

from mfgit import sample
from mfgit.text.tokens import language
from tests.builders import Ran, Workbench


def demo(folder: Path, cwd: Path) -> Ran:
    command = [sys.executable, "-I", "-m", "mfgit", "demo", "--folder", str(folder)]
    ran = subprocess.run(command, cwd=cwd, capture_output=True, check=False)
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def part(text: str, title: str) -> str:
    """Return one chapter of the story."""
    found = re.search(rf"^{re.escape(title)}\n=+\n(.*?)(?=^[^\n]+\n===|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def test_no_personal_data_of_the_sample_reaches_the_archive_or_git(told: tuple[str, Workbench]) -> None:
    _, bench = told
    secrets = [
        "mary.fielding",
        "900123",
        "13800138000",
        "11010519491231002X",
        "1111 1111",
        "91350100M000100Y43",
        sample.TOKEN,
        "6222021234567890128",
    ]
    stored = "".join(path.read_text("utf-8") for path in (bench.path / "tmp").rglob("*.jsonl"))
    written = bench.git("log", "--all", "--patch", "--format=%B")
    for secret in secrets:
        assert secret not in stored
        assert secret not in written


def test_a_scan_finds_every_type_in_both_languages(told: tuple[str, Workbench]) -> None:
    _, bench = told
    found = bench.mfgit("proposals", "--json").json()
    for action in ("index", "verified_answer", "skill", "supplement"):
        assert {p["lang"] for p in found if p["action_type"] == action} == {"en", "zh"}, action


def test_the_guard_refuses_the_person_and_the_machine(told: tuple[str, Workbench]) -> None:
    out, bench = told
    story = part(out, "4. Guard")
    assert story.count("help/wireless.md") >= 2
    assert "Original-Edit" in story
    assert (bench.path / "help/wireless.md").read_bytes() == sample.originals()["help/wireless.md"]


def test_the_same_questions_are_answered_before_and_after_in_both_languages(told: tuple[str, Workbench]) -> None:
    out, _ = told
    before, after = part(out, "2. Scan"), part(out, "5. Adopt")
    for said in ("IP65", "自动补传"):
        assert said not in before.split("mfgit scan", 1)[0]
        assert said in after


def test_every_original_is_as_people_wrote_it(told: tuple[str, Workbench]) -> None:
    _, bench = told
    assert bench.git("status", "--porcelain") == ""
    for path, data in sample.originals().items():
        assert (bench.path / path).read_bytes() == data


def test_the_last_words_say_where_the_sample_is_and_what_they_say_works(told: tuple[str, Workbench], tmp_path: Path) -> None:
    out, bench = told
    story = part(out, "Yours to try")
    assert f"rm -r {bench.path}" in story
    undo = re.search(r"mfgit undo ([0-9a-f]{16})", story)
    assert undo
    copy = Workbench(tmp_path / "copy")
    subprocess.run(["cp", "-r", str(bench.path), str(copy.path)], check=True)
    assert copy.mfgit("undo", undo[1]).code == 0
    assert "IP65" not in copy.mfgit("search", "Can I mount the gateway outdoors?").out


def test_two_runs_print_the_same_but_for_the_folder_and_the_commits_of_the_moment(
    told: tuple[str, Workbench], tmp_path: Path
) -> None:
    out, bench = told
    again = demo(tmp_path / "fernhouse", tmp_path)
    first, second = (
        re.sub(r"^( +Adopted [0-9a-f]{16} as )[0-9a-f]+", r"\1", text, flags=re.MULTILINE) for text in (out, again.out)
    )
    assert second.replace(str(tmp_path), "") == first.replace(str(bench.path.parent), "")


def test_it_needs_no_home_and_no_identity(tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path / "none"), "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-I", "-m", "mfgit", "demo", "--folder", str(tmp_path / "sample")]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    ran = demo(tmp_path, tmp_path)
    assert (ran.code, "is not empty" in ran.err) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


# ---- the sample


def test_the_sample_is_a_few_hundred_turns_in_both_languages_and_never_changes() -> None:
    turns = sample.turns()
    assert 200 <= len(turns) <= 400
    assert turns == sample.turns()
    assert [turn["timestamp"] for turn in turns] == sorted(turn["timestamp"] for turn in turns)
    assert all(sample.SINCE <= turn["timestamp"] <= sample.UNTIL for turn in turns)
    chinese = sum(language(turn["user_message"]) == "zh" for turn in turns)
    assert 0.3 < chinese / len(turns) < 0.6
    assert len({turn["request_id"] for turn in turns}) == len(turns)
    assert sum("rating" in turn for turn in turns) > 40
