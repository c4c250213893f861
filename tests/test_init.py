"""`mfgit init` on repositories as people have them."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit import aliases, config, model, sections
from mfgit.errors import BadInput
from mfgit.project import Project, discovery, entries
from mfgit.project.entries import Page
from mfgit.project.settings import settings_file
from mfgit.sections import RootPattern
from tests.builders import Workbench

PAGES = {
    "docs/Getting started & more.md": "---\ntitle: Getting started\n---\n\n# Another heading\n\nText.\n",
    "docs/网络.mdx": "# 网络\n\n文字。\n",
    "docs/plain.md": "No heading at all.\n",
    "docs/empty.md": "",
    "README.md": "# Readme\n",
}


@pytest.fixture
def docs(tmp_path: Path) -> Workbench:
    return Workbench.make(tmp_path / "docs repository", PAGES)


def listing(bench: Workbench, path: str = "docs/index.json") -> dict[str, str]:
    return {entry["path"]: entry["title"] for entry in json.loads((bench.path / path).read_text("utf-8"))["docs"]}


def snapshot(bench: Workbench) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(bench.path.rglob("*")) if path.is_file()}


# ---- what it writes


def test_a_page_is_listed_by_its_front_matter_then_its_first_heading_then_its_file_name(docs: Workbench) -> None:
    assert docs.mfgit("init", "--yes").code == 0
    assert listing(docs) == {
        "Getting started & more.md": "Getting started",
        "网络.mdx": "网络",
        "plain.md": "plain",
        "empty.md": "empty",
    }


def test_what_was_written_is_what_the_tools_themselves_read(docs: Workbench) -> None:
    docs.mfgit("init", "--yes")
    settings = Project.open(docs.path).config
    assert (settings.configured, settings.target, settings.roots) == (True, "main", (RootPattern("docs", "help"),))
    parsed = aliases.parse((docs.path / "docs/index.json").read_bytes(), "index.json")
    assert parsed.shape == "docs"
    assert len(parsed.documents) == 4
    docs.git("check-ignore", "tmp/memoryforge/chat-archive/2026-01-01.jsonl")


def test_nothing_is_committed_and_the_commands_that_commit_it_work(docs: Workbench) -> None:
    head = docs.git("rev-parse", "HEAD")
    ran = docs.mfgit("init", "--yes")
    assert docs.git("rev-parse", "HEAD") == head
    assert docs.git("diff", "--cached", "--name-only") == ""
    for line in ran.out.splitlines():
        if line.startswith("  git "):
            subprocess.run(line.strip(), shell=True, cwd=docs.path, check=True, capture_output=True)
    assert docs.git("status", "--porcelain") == ""


def test_a_second_run_changes_nothing_and_says_so(docs: Workbench) -> None:
    docs.mfgit("init", "--yes")
    before = snapshot(docs)
    ran = docs.mfgit("init")
    assert (ran.code, "nothing to write" in ran.out) == (0, True)
    assert snapshot(docs) == before


def test_a_page_that_came_later_gets_its_entry_and_no_other_byte_moves(docs: Workbench) -> None:
    docs.mfgit("init", "--yes")
    place = docs.path / "docs/index.json"
    team = place.read_text("utf-8").replace('"version": 1,', '"version": 1,  "team": "Docs",')
    place.write_text(team, "utf-8")
    docs.write({"docs/new.md": "# New\n"})
    assert docs.mfgit("init", "--yes").code == 0
    entry = '    {\n      "path": "new.md",\n      "title": "New",\n      "aliases": []\n    },\n'
    after = place.read_text("utf-8")
    assert after.count(entry) == 1
    assert after.replace(entry, "") == team


def test_the_commit_needs_the_trailer_once_the_target_is_guarded(docs: Workbench) -> None:
    first = docs.mfgit("init", "--yes").out
    assert "Original-Edit" not in first
    assert "mfgit archive import auto FILE" in first
    docs.commit("set up")
    docs.write({"docs/new.md": "# New\n"})
    again = docs.mfgit("init", "--yes").out
    assert '--trailer "Original-Edit: set up mfgit"' in again
    assert "mfgit archive import" not in again


@pytest.mark.parametrize("pattern", ["x", "*.jsonl", "tmp/*/*.gz", "*.lock", "0*"])
def test_a_pattern_that_means_some_files_leaves_conversations_to_be_ignored(docs: Workbench, pattern: str) -> None:
    docs.write({".gitignore": f"{pattern}\n"})
    docs.mfgit("init", "--yes")
    docs.git("check-ignore", "tmp/memoryforge/chat-archive/2026-01-01.jsonl")
    docs.git("check-ignore", "tmp/memoryforge/chat-archive/lock")


@pytest.mark.parametrize("pattern", ["tmp", "/tmp/memoryforge/*", "tmp/memoryforge/**", "*"])
def test_folders_that_are_ignored_already_get_no_further_line(docs: Workbench, pattern: str) -> None:
    docs.write({".gitignore": f"{pattern}\n"})
    docs.mfgit("init", "--yes")
    assert (docs.path / ".gitignore").read_text("utf-8") == f"{pattern}\n"


def test_lines_of_gitignore_are_appended_behind_a_last_line_without_end(docs: Workbench) -> None:
    docs.write({".gitignore": "*.pyc"})
    docs.mfgit("init", "--yes")
    lines = (docs.path / ".gitignore").read_text("utf-8").splitlines()
    assert (lines[0], lines[-1]) == ("*.pyc", "/tmp/memoryforge/")


@pytest.mark.parametrize("rule", ["tmp/\n", "/tmp/memoryforge/\n", "memoryforge\n"])
def test_an_archive_that_is_ignored_already_needs_no_line(docs: Workbench, rule: str) -> None:
    docs.write({".gitignore": rule})
    docs.mfgit("init", "--yes")
    assert (docs.path / ".gitignore").read_text("utf-8") == rule


def test_an_archive_outside_of_the_repository_needs_no_line(docs: Workbench, tmp_path: Path) -> None:
    docs.write({"mfgit.toml": f'[archive]\nchat = "{tmp_path}/chat"\nsessions = "../sessions"\n[[root]]\npath = "docs"\n'})
    docs.mfgit("init", "--yes")
    assert not (docs.path / ".gitignore").exists()


def test_a_repository_without_commits_is_set_up_from_its_files(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    bench.git("init", "-q", "-b", "trunk")
    bench.write(PAGES)
    assert bench.mfgit("init", "--yes").code == 0
    assert Project.open(tmp_path).config.target == "trunk"
    assert len(listing(bench)) == 4


def test_a_bare_repository_is_refused_with_the_way_out(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    bench.git("init", "-q", "--bare")
    ran = bench.mfgit("init", "--yes")
    assert (ran.code, "bare" in ran.err, "checkout" in ran.err) == (2, True, True)


def test_it_works_from_a_folder_below_the_top(docs: Workbench) -> None:
    assert docs.mfgit("init", "--yes", cwd=docs.path / "docs").code == 0
    assert (docs.path / "mfgit.toml").exists()


# ---- hooks


def test_the_hooks_are_installed_and_refuse_an_edit_without_a_reason(docs: Workbench) -> None:
    docs.mfgit("init", "--yes")
    docs.git("add", "-A")
    docs.git("commit", "-q", "-m", "Set up mfgit")
    docs.write({"docs/plain.md": "Changed.\n"})
    refused = subprocess.run(["git", "commit", "-qam", "x"], cwd=docs.path, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "Original-Edit" in refused.stderr
    docs.git("commit", "-qam", "x", "--trailer", "Original-Edit: a typing slip")


def test_a_hook_that_is_there_goes_on_running(docs: Workbench) -> None:
    hook = docs.path / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\ntouch ran\n")
    hook.chmod(0o755)
    docs.mfgit("init", "--yes")
    docs.git("commit", "-q", "--allow-empty", "-m", "x")
    assert (docs.path / "ran").exists()


def test_hooks_outside_of_the_repository_are_noted_before_they_are_written(docs: Workbench, tmp_path: Path) -> None:
    docs.git("config", "core.hooksPath", str(tmp_path / "shared"))
    ran = docs.mfgit("init", "--dry-run")
    assert "core.hooksPath" in ran.out
    assert str(tmp_path / "shared/pre-commit") in ran.out
    assert not (tmp_path / "shared").exists()


# ---- asking


def test_without_a_terminal_it_writes_nothing_unless_told(docs: Workbench) -> None:
    before = snapshot(docs)
    ran = docs.mfgit("init")
    assert (ran.code, "--yes" in ran.err, "--dry-run" in ran.err) == (2, True, True)
    assert snapshot(docs) == before


def test_a_dry_run_shows_everything_and_writes_nothing(docs: Workbench) -> None:
    before = snapshot(docs)
    ran = docs.mfgit("init", "--dry-run")
    assert ran.code == 0
    assert all(name in ran.out for name in ("mfgit.toml", ".gitignore", "docs/index.json"))
    assert snapshot(docs) == before


@pytest.mark.parametrize(("answer", "code", "written"), [(b"y\n", 0, True), (b"n\n", 1, False), (b"\n", 1, False)])
def test_on_a_terminal_it_asks(docs: Workbench, answer: bytes, code: int, written: bool) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, answer)
    command = [sys.executable, "-I", "-m", "mfgit", "init"]
    ran = subprocess.run(command, cwd=docs.path, stdin=theirs, capture_output=True, check=False)
    os.close(ours)
    os.close(theirs)
    assert (ran.returncode, (docs.path / "mfgit.toml").exists()) == (code, written)


def test_json_tells_the_plan(docs: Workbench) -> None:
    plan = docs.mfgit("init", "--dry-run", "--json").json()
    jsonschema.validate(plan, model.schema("init"), jsonschema.Draft202012Validator)
    assert plan["written"] is False
    assert plan["roots"] == [{"path": "docs", "layer": "help"}]
    assert [change["path"] for change in plan["changes"]] == ["mfgit.toml", ".gitignore", "docs/index.json"]


# ---- roots


@pytest.mark.parametrize(
    ("names", "roots"),
    [
        pytest.param(["help/a.md", "src/b.md"], ["help"], id="a well-known folder"),
        pytest.param(["Docs/a.md", "README.md"], ["Docs"], id="in any case"),
        pytest.param(["docs/a.md", "content/a.md", "content/b.md"], ["content"], id="the one with the most pages"),
        pytest.param(["src/a.md", "README.md"], ["src"], id="the only folder with pages"),
        pytest.param(["en/a.md", "zh/a.md"], ["."], id="no folder stands out"),
        pytest.param(["a.md"], ["."], id="pages at the top"),
        pytest.param([".github/a.md", "guide/b.md"], ["guide"], id="hidden folders do not count"),
        pytest.param(
            ["help/a.md", "workspaces/x/knowledge/b.md"], ["help", "workspaces/*/knowledge"], id="help and workspaces"
        ),
        pytest.param(["workspaces/x/knowledge/b.md"], ["workspaces/*/knowledge"], id="workspaces alone"),
    ],
)
def test_roots_are_found(names: list[str], roots: list[str]) -> None:
    assert [root.path for root in discovery.find_roots(names)] == roots


def test_roots_can_be_named(docs: Workbench) -> None:
    docs.write({"team/a/notes/x.md": "# X\n"})
    assert docs.mfgit("init", "--yes", "--root", "docs", "--root", "team/*/notes=workspace").code == 0
    assert Project.open(docs.path).config.roots == (RootPattern("docs", "help"), RootPattern("team/*/notes", "workspace"))
    assert listing(docs, "team/a/notes/index.json") == {"x.md": "X"}


@pytest.mark.parametrize(
    ("root", "said"),
    [
        ("nowhere", "no Markdown under nowhere"),
        ("../x", "cannot be a knowledge root"),
        ("docs=page", "layer"),
        ("=help", "no path"),
    ],
)
def test_a_root_that_cannot_be_is_refused(docs: Workbench, root: str, said: str) -> None:
    ran = docs.mfgit("init", "--yes", "--root", root)
    assert (ran.code, said in ran.err) == (2, True), ran.err
    assert not (docs.path / "mfgit.toml").exists()


def test_a_repository_without_markdown_is_refused(tmp_path: Path) -> None:
    bench = Workbench.make(tmp_path / "kb", {"main.c": "int main;"})
    ran = bench.mfgit("init", "--yes")
    assert (ran.code, "no Markdown in this repository" in ran.err) == (2, True)


def test_a_root_of_the_settings_that_is_empty_yet_is_noted(docs: Workbench) -> None:
    docs.write({"mfgit.toml": '[[root]]\npath = "docs"\n[[root]]\npath = "later"\n'})
    ran = docs.mfgit("init", "--yes")
    assert (ran.code, "the root later has no Markdown yet" in ran.out) == (0, True)
    assert len(listing(docs)) == 4


def test_a_root_beside_a_settings_file_is_refused(docs: Workbench) -> None:
    docs.mfgit("init", "--yes")
    ran = docs.mfgit("init", "--yes", "--root", "docs")
    assert (ran.code, "mfgit.toml" in ran.err) == (2, True)


def test_the_settings_file_says_every_default_and_reads_back() -> None:
    text = settings_file("主干", [RootPattern("help", "help"), RootPattern("w/*/k", "workspace")])
    parsed = config.parse(text)
    assert parsed == sections.Config(
        target="主干", roots=(RootPattern("help", "help"), RootPattern("w/*/k", "workspace")), configured=True
    )
    spoken = "\n".join(line.removeprefix("# ") if " = " in line else line for line in text.splitlines())
    assert config.parse(spoken) == parsed


# ---- files as people have them


@pytest.mark.parametrize("name", ["index.json", "mfgit.toml", ".gitignore"])
def test_a_link_in_the_place_of_a_file_is_not_written_through(docs: Workbench, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    place = docs.path / ("docs/index.json" if name == "index.json" else name)
    place.symlink_to(outside)
    ran = docs.mfgit("init", "--yes")
    assert ran.code == 2, ran.out
    assert outside.read_text() == "mine"


def test_a_file_that_changes_while_the_person_reads_is_left_alone(docs: Workbench) -> None:
    project = Project.open(docs.path)
    plan = project.setup_plan()
    docs.write({"docs/index.json": "{}"})
    with pytest.raises(BadInput, match="changed meanwhile"):
        project.set_up(plan)
    assert (docs.path / "docs/index.json").read_text() == "{}"


def test_an_index_file_of_another_shape_is_left_alone_and_named(docs: Workbench) -> None:
    docs.write({"docs/index.json": '{"menu": ["a", "b"]}\n'})
    ran = docs.mfgit("init", "--yes")
    assert (ran.code, 'neither a list "docs"' in ran.out) == (0, True)
    assert (docs.path / "docs/index.json").read_text() == '{"menu": ["a", "b"]}\n'


def test_a_map_of_aliases_needs_no_entries(docs: Workbench) -> None:
    docs.write({"docs/index.json": '{"aliases": {}}\n'})
    assert docs.mfgit("init", "--yes").code == 0
    assert (docs.path / "docs/index.json").read_text() == '{"aliases": {}}\n'


def test_names_that_are_not_utf8_are_noted_and_nothing_breaks(docs: Workbench) -> None:
    (docs.path / "docs").joinpath(os.fsdecode(b"caf\xe9.md")).write_text("# Caf\n")
    ran = docs.mfgit("init", "--yes")
    assert (ran.code, "caf\\xe9.md" in ran.out) == (0, True)
    assert len(listing(docs)) == 4


def test_a_disk_that_fills_leaves_every_file_whole(docs: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    docs.write({".gitignore": "*.pyc\n"})
    project = Project.open(docs.path)
    plan = project.setup_plan()
    before = snapshot(docs)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match="No space left on device; it is as it was"):
        project.set_up(plan)
    assert snapshot(docs) == before


def test_a_run_that_was_killed_is_completed_by_the_next_and_leaves_nothing_behind(docs: Workbench) -> None:
    script = (
        "import os, sys; os.fsync = lambda handle: os.kill(os.getpid(), 9); sys.argv = ['mfgit', 'init', '--yes']; "
        "from mfgit.__main__ import main; main()"
    )
    ran = subprocess.run([sys.executable, "-I", "-c", script], cwd=docs.path, capture_output=True, check=False)
    assert ran.returncode == -9
    assert not (docs.path / "mfgit.toml").exists()
    assert docs.mfgit("init", "--yes").code == 0
    assert docs.git("status", "--porcelain") == "?? .gitignore\n?? docs/index.json\n?? mfgit.toml"


# ---- entries, byte by byte

LAYOUTS = {
    "ours": entries.fresh([Page("b.md", "B"), Page("m.md", "M")]).decode(),
    "one line": '{"docs": [{"path": "b.md", "aliases": ["x"]}, {"path": "m.md"}], "team": "a"}',
    "tabs": '{\n\t"docs": [\n\t\t{"path": "m.md", "title": "M"},\n\t\t{"path": "b.md", "aliases": []}\n\t],\n\t"n": 1.0\n}\n',
    "empty": '{\n  "docs": []\n}\n',
    "CRLF": '{\r\n  "docs": [\r\n    {\r\n      "path": "b.md"\r\n    }\r\n  ]\r\n}\r\n',
    "strange": '{ "docs" :[ {"path":"b.md" ,"title":"B" }\n,{ "title": "no path" } ] }',
}
WANTED = [Page("a.md", "A"), Page("b.md", "B"), Page('中 "文".md', "中\\文"), Page("z.md", "Z")]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_missing_entries_are_inserted_and_every_old_byte_stays(layout: str) -> None:
    before = LAYOUTS[layout]
    after, count = entries.complete(before.encode(), WANTED, "index.json")
    assert count > 0
    assert {page.path for page in WANTED} <= {entry.get("path") for entry in json.loads(after)["docs"]}
    assert all("aliases" in entry for entry in json.loads(after)["docs"] if "path" in entry)
    rest = iter(after.decode())
    assert all(char in rest for char in before), "the old text is no longer a subsequence of the new one"
    assert entries.complete(after, WANTED, "index.json") == (after, 0)


@given(st.sets(st.text(st.characters(codec="utf-8"), min_size=1, max_size=6), max_size=6), st.integers(0, 6))
def test_a_file_grown_step_by_step_is_the_file_made_at_once(names: set[str], split: int) -> None:
    pages = [Page(name, name.upper()) for name in sorted(names)]
    first = entries.fresh(pages[:split])
    assert entries.complete(first, pages, "index.json")[0] == entries.fresh(pages)
