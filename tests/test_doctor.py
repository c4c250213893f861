"""The doctor finds what is stale, broken, unguarded or unreadable, and names what mends it."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from mfgit.model import schema_folder
from mfgit.project import Project
from mfgit.project.deciding import write_proposals
from mfgit.project.doctoring import Report
from tests.builders import Workbench
from tests.records import record, wording
from tests.searching import ID, overlay


def examine(kb: Workbench) -> Report:
    return Project.open(kb.path, {}).examine()


def found(report: Report) -> set[tuple[str, str]]:
    return {(finding.area, finding.path) for finding in report.findings if finding.area != "guard"}


def test_a_healthy_repository_with_its_hooks_has_nothing_to_mend(bench: Workbench) -> None:
    assert found(examine(bench)) == set()
    bench.mfgit("guard", "install")
    ran = bench.mfgit("doctor")
    assert (ran.code, "All is well" in ran.out) == (0, True), ran.out


def test_settings_that_are_in_the_checkout_only_are_found(bench: Workbench) -> None:
    bench.mfgit("guard", "install")
    bench.git("rm", "-q", "--cached", "mfgit.toml")
    bench.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "not yet")
    ran = bench.mfgit("doctor")
    assert (ran.code, "mfgit.toml is not committed on main yet" in ran.out) == (1, True)
    assert "git add -- mfgit.toml && git commit" in ran.out


def test_missing_hooks_are_found_with_the_command_that_installs_them(bench: Workbench) -> None:
    ran = bench.mfgit("doctor")
    assert ran.code == 1
    assert "mfgit guard install" in ran.out


OVERLAY = "---\nproposal: 0123456789abcdef\ntitle: T\nbased_on:\n- path: help/password.md\n  blob: {}\n---\n\n# T\n\nyes\n"


@pytest.mark.parametrize(
    ("files", "area", "path"),
    [
        pytest.param({"help/_forged/t.md": OVERLAY.format("1" * 40)}, "stale", "help/_forged/t.md", id="stale"),
        pytest.param({"help/index.json": "{"}, "tree", "help/index.json", id="broken-aliases"),
        pytest.param({"help/index.json": '{"aliases": {"x": "gone.md"}}'}, "tree", "help/index.json", id="alias-to-nowhere"),
        pytest.param({"help/index.json": "[1, 2]"}, "tree", "help/index.json", id="aliases-of-another-shape"),
        pytest.param({"help/index.json": '{"aliases": "text"}'}, "tree", "help/index.json", id="aliases-as-text"),
        pytest.param({"help/index.json": '{"docs": {}}'}, "tree", "help/index.json", id="docs-as-object"),
        pytest.param(
            {"help/index.json": '{"docs": [{"path": "password.md", "aliases": "x"}]}'}, "tree", "help/index.json", id="no-list"
        ),
        pytest.param({"help/_forged/t.md": OVERLAY.format("1" * 40)}, "record", "help/_forged/t.md", id="overlay-alone"),
        pytest.param({"mfgit.toml": '[[root]]\npath = "gone"\n'}, "tree", "mfgit.toml", id="root-without-files"),
        pytest.param({"help/x.md": "---\ntitle: [\n---\n# X\n"}, "tree", "help/x.md", id="broken-front-matter"),
        pytest.param({"help/x.md": b"# X \xff"}, "tree", "help/x.md", id="not-utf8"),
        pytest.param({"help/caf\udce9.md": "# X"}, "tree", "help/caf\udce9.md", id="odd-name"),
        pytest.param({"help/_forged/proposals/1.json": "{"}, "record", "help/_forged/proposals/1.json", id="broken-record"),
        pytest.param(
            {"tmp/memoryforge/chat-archive/2026-01-05.jsonl": "{\n{}\n"}, "archive", "2026-01-05.jsonl:1", id="archive"
        ),
    ],
)
def test_each_kind_of_trouble_is_found(bench: Workbench, files: dict[str, str | bytes], area: str, path: str) -> None:
    bench.write(files)
    bench.commit()
    report = examine(bench)
    assert (area, path) in {(a, p if a != "archive" else p.rsplit("/", 1)[-1]) for a, p in found(report)}
    assert all(finding.what and finding.mend for finding in report.findings)


@pytest.mark.parametrize(
    ("path", "text", "what", "line"),
    [
        pytest.param("help/index.json", '{\n"docs": [\n{"path": }]}', "it is not valid JSON", "at line 3", id="json"),
        pytest.param("help/index.json", b"\xff", "it is not UTF-8 text", "", id="bytes"),
        pytest.param("help/index.json", '{"docs": [{"path": "password.md", "aliases": [\n1]}]}', "", "at line 2", id="alias"),
        pytest.param("mfgit.toml", "target = [", "it is not valid TOML", "", id="toml"),
        pytest.param("mfgit.toml", "tagret = 1", "unknown setting tagret", "", id="setting"),
    ],
)
def test_a_broken_file_stops_no_search_and_is_named_with_its_line(
    bench: Workbench, path: str, text: str | bytes, what: str, line: str
) -> None:
    bench.write({path: text})
    bench.commit()
    ran = bench.mfgit("search", "forgot password")
    assert ran.code == 0, ran.err
    assert ran.err.count(path) == 1, ran.err
    assert ".." not in ran.err
    finding = next(finding for finding in examine(bench).findings if finding.path == path)
    assert what in finding.what
    assert line in finding.what
    assert f'git commit --trailer "Original-Edit: why" -- {path}' in finding.mend


def test_the_step_that_mends_a_broken_file_passes_the_guard(bench: Workbench) -> None:
    good = (bench.path / "help/index.json").read_text()
    bench.write({"help/index.json": "{"})
    bench.commit()
    bench.mfgit("guard", "install")
    bench.write({"help/index.json": good})
    bench.git("commit", "-q", "-m", "mend", "--trailer", "Original-Edit: why", "--", "help/index.json")
    assert found(examine(bench)) == set()


def test_one_cause_is_one_finding(bench: Workbench) -> None:
    """Settings of the checkout that cannot be read stop several checks."""
    bench.write({"mfgit.toml": "target = ["})
    said = [finding.what for finding in examine(bench).findings]
    assert len([what for what in said if "TOML" in what]) == 1


def test_the_json_is_what_the_schema_says(bench: Workbench) -> None:
    bench.write({"help/index.json": "{"})
    bench.commit()
    ran = bench.mfgit("doctor", "--json")
    jsonschema.validate(ran.json(), json.loads((schema_folder() / "doctor.schema.json").read_text()))
    assert ran.code == 1


def test_a_check_that_fails_does_not_hide_the_others(bench: Workbench) -> None:
    archive = bench.path / "tmp" / "memoryforge"
    archive.mkdir(parents=True)
    (archive / "chat-archive").write_text("a file where a folder should be")
    bench.write({"help/index.json": "{"})
    bench.commit()
    assert ("tree", "help/index.json") in found(examine(bench))


def test_a_bare_repository_is_examined_without_hooks(bench: Workbench, tmp_path: Path) -> None:
    bench.git("clone", "-q", "--bare", str(bench.path), str(tmp_path / "bare.git"))
    assert examine(Workbench(tmp_path / "bare.git")).findings == ()


def test_a_record_whose_overlay_was_deleted_by_hand_is_found(bench: Workbench) -> None:
    bench.write({f"help/{path}": text for path, text in overlay(ID, "Pumps", "yes", []).items()})
    path = f"help/_forged/proposals/{ID}.json"
    bench.commit()
    assert ("record", path) not in found(examine(bench))
    bench.git("rm", "-q", f"help/_forged/x-{ID}.md")
    bench.commit()
    finding = next(one for one in examine(bench).findings if one.path == path)
    assert "overlay is gone" in finding.what
    assert f"mfgit undo {ID}" in finding.mend


def test_a_bad_alias_leaves_the_good_ones_at_work(bench: Workbench) -> None:
    bench.write({"help/index.json": '{"aliases": {"xylophone": "password.md", "zither": 7}}'})
    bench.commit()
    assert [hit["path"] for hit in bench.mfgit("search", "xylophone", "--json").json()["hits"]] == ["help/password.md"]
    assert any("not a string at line 1" in finding.what for finding in examine(bench).findings)


def test_an_overlay_that_contradicts_its_original_is_found(bench: Workbench) -> None:
    bench.write({"help/keep.md": "# Backups\n\nNightly backups are kept for 30 days.\n"})
    bench.commit()
    source = [("help/keep.md", bench.git("rev-parse", "HEAD:help/keep.md").strip())]
    wrong = overlay(ID, "How long are backups kept?", "Nightly backups are kept for 90 days.", source)
    bench.write({f"help/{path}": text for path, text in wrong.items()})
    bench.commit()
    finding = next(one for one in examine(bench).findings if one.area == "contradiction")
    assert finding.path == f"help/_forged/x-{ID}.md"
    assert "30 days" in finding.what
    assert "90 days" in finding.what
    assert f"mfgit undo {ID}" in finding.mend
    right = overlay(ID, "How long are backups kept?", "Nightly backups are kept for 30 days.", source)
    bench.write({f"help/{path}": text for path, text in right.items()})
    bench.commit()
    assert found(examine(bench)) == set()


def test_wordings_that_somebody_took_out_are_found(bench: Workbench) -> None:
    one = wording(1)
    project = Project.open(bench.path, {})
    write_proposals(project, [one])
    project.adopt(one.id)
    assert found(examine(bench)) == set()
    index = json.loads((bench.path / "help/index.json").read_text("utf-8"))
    for document in index["docs"]:
        document["aliases"] = []
    bench.write({"help/index.json": json.dumps(index)})
    bench.commit()
    finding = next(found for found in examine(bench).findings if found.area == "record")
    assert "lead to no page" in finding.what
    assert (finding.path, f"mfgit undo {one.id}" in finding.mend) == (f"help/_forged/proposals/{one.id}.json", True)


def test_refs_without_a_proposal_or_its_history_are_found_with_the_command_that_takes_them_away(bench: Workbench) -> None:
    project = Project.open(bench.path, {})
    kept, declined, taken = record(1), record(2), record(3, title="How do I export?", questions=("How do I export?",))
    write_proposals(project, [kept, declined, taken])
    project.reject(declined.id, "No")
    left = bench.git("rev-parse", f"mfgit/{taken.id}").strip()
    project.adopt(taken.id)
    bench.git("branch", "-f", f"mfgit/{taken.id}", left)  # what is left of an adopted one is no trouble
    assert found(examine(bench)) == set()
    bench.git("branch", "mfgit/ffffffffffffffff", "main")
    bench.git("branch", "mfgit/notes", "main")
    bench.git("update-ref", "refs/mfgit/rejected/eeeeeeeeeeeeeeee", "main")
    tree = bench.git("rev-parse", f"mfgit/{kept.id}^{{tree}}").strip()
    said = bench.git("log", "-1", "--format=%B", f"mfgit/{kept.id}")
    bench.git("update-ref", f"refs/heads/mfgit/{kept.id}", bench.git("commit-tree", tree, "-m", said).strip())
    findings = {one.path: one for one in examine(bench).findings if one.area == "proposal"}
    lost = {"mfgit/ffffffffffffffff", "mfgit/notes", "refs/mfgit/rejected/eeeeeeeeeeeeeeee"}
    assert set(findings) == {*lost, f"mfgit/{kept.id}"}
    assert all("no record" in findings[path].what for path in lost)
    assert "no history" in findings[f"mfgit/{kept.id}"].what
    assert bench.mfgit("doctor").code == 1
    for one in findings.values():
        command = re.search(r"git (?:branch -D|update-ref -d) \S+?(?=;|$)", one.mend)
        assert command, one.mend
        bench.git(*command[0].split()[1:])
    assert found(examine(bench)) == set()


CHAT_DAY = "tmp/memoryforge/chat-archive/2026-01-05.jsonl"
SESSION = "tmp/memoryforge/conversation_archive/sessions/2026-01/a b.json"


@pytest.mark.parametrize("name", [CHAT_DAY, SESSION], ids=["turns", "session"])
@pytest.mark.parametrize("state", ["committed", "staged", "staged for removal", "ignored"])
def test_conversations_in_git_are_named_with_what_takes_them_out(bench: Workbench, name: str, state: str) -> None:
    bench.write({name: "\n", "tmp/memoryforge/chat-archive/.gitignore": "*\n"})
    if state != "ignored":
        bench.git("add", "-f", "--", name, "tmp/memoryforge/chat-archive/.gitignore")
    if state in ("committed", "staged for removal"):
        bench.git("commit", "-q", "-m", "oh no")
    if state == "staged for removal":
        bench.git("rm", "-q", "--cached", "--", name)
    findings = {finding.path: finding for finding in examine(bench).findings if "file of conversations" in finding.what}
    assert set(findings) == (set() if state == "ignored" else {name})
    for finding in findings.values():
        quoted = f"'{name}'" if " " in name else name
        assert finding.area == "archive"
        removed = state == "staged for removal"
        assert finding.mend.startswith("commit that it is removed, then" if removed else f"git rm -r --cached -- {quoted}")
        assert (f"git filter-repo --invert-paths --path {quoted}" in finding.mend) is (state != "staged")


def test_very_many_conversations_in_git_are_counted_by_folder(bench: Workbench) -> None:
    days = [f"tmp/memoryforge/chat-archive/2026-01-{day:02}.jsonl" for day in range(1, 26)]
    bench.write(dict.fromkeys(days, "\n"))
    bench.git("add", "-f", "--", *days)
    findings = [finding for finding in examine(bench).findings if "conversations" in finding.what]
    assert [finding.path for finding in findings] == [*days[:20], "tmp/memoryforge/chat-archive"]
    assert findings[-1].what == "5 more files of this folder of conversations are in Git"
    assert findings[-1].mend == "git rm -r --cached -- tmp/memoryforge/chat-archive"
