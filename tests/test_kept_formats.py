"""What every released mfgit stored, and two from before the first release, is read and migrated by this one."""

import hashlib
import json
import os
import pty
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mfgit import __version__
from mfgit.archive import read
from mfgit.archive.holds import read_holds
from mfgit.archive.sessions import SessionStore, file_name
from mfgit.errors import BadInput
from mfgit.guard import hooks, install
from mfgit.model import Record, schema
from mfgit.plumbing import Git
from mfgit.project import Project, fetching, recalling, remembering, retaining
from mfgit.project.scanning import SNAPSHOT
from mfgit.server.tokens import Tokens
from mfgit.session import Conversation, Message
from tests.archives import FAR, LONG_AGO, NOW
from tests.builders import Workbench
from tests.formats import keep, killed
from tests.formats.restoring import HERE, SETS, restore, told

OTHER = "/opt/earlier/bin/python"
"""A Python that hooks name and that is gone: they are not as they would be written now."""
CHAT, TALKS = "tmp/memoryforge/chat-archive", "tmp/memoryforge/conversation_archive"


@pytest.fixture(params=SETS)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Project, dict[str, Any]]:
    restore(request.param, tmp_path / "kb")
    return Project.open(tmp_path / "kb", {}), told(request.param)


def folder(project: Project) -> Path:
    assert project.top is not None
    return project.top


def test_this_version_has_a_set_and_none_is_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert __version__ in SETS, "run python tests/formats/keep.py, as CONTRIBUTING.md says of a release"
    with pytest.raises(SystemExit, match="never written again"):
        keep.main([])
    assert told(__version__)["lacks"] == []


def test_proposals_stand_where_they_stood_and_can_be_shown(kept: tuple[Project, dict[str, Any]]) -> None:
    project, said = kept
    state = project.survey()
    assert {one.id: [one.status, one.record.title, one.record.action_type] for one in state.known} == said["proposals"]
    assert state.problems == ()
    for one in state.known:
        assert project.show(one.id).known == one
        again = json.loads(Record.load(one.record.dump(), "again").dump())
        assert again == json.loads(one.record.dump())
    paths = {hit.passage.path for hit in project.search("descale the kettle").hits}
    assert set(said["hits"]) <= paths
    assert project.search("登录口令忘了").hits[0].passage.path == "help/account.md"


def test_proposals_can_be_decided_on(kept: tuple[Project, dict[str, Any]]) -> None:
    project, said = kept
    identity = keep.identity
    assert project.preview(identity(1), archive=False).to_json()
    project.adopt(identity(1))
    project.undo(identity(2))
    assert [one.status for one in project.proposals()[:2]] == ["adopted", "undone"]
    assert project.restore(identity(3)).status in ("open", "stale")
    assert project.reject(identity(4), "no").reason == "no"
    assert project.restore(identity(8)).status in ("open", "edited", "stale")
    closed = project.restore(identity(7)) if said["proposals"][identity(7)][0] == "closed" else None
    assert closed is None or closed.status == "open"
    assert project.refresh().problems == ()


def test_the_archive_is_read_as_it_was(kept: tuple[Project, dict[str, Any]]) -> None:
    project, said = kept
    census = project.check_archive()
    assert census.problems == ()
    now = {"files": census.files, "turns": census.turns, "ratings": census.ratings, "traces": census.traces}
    assert now == {name: said["archive"][name] for name in now}
    store = SessionStore(folder(project) / TALKS)
    assert sorted(session.session_id for session in store.all()) == said["sessions"]
    assert store.problems == []
    turns = {turn.request_id: turn for turn in read(folder(project) / CHAT, LONG_AGO, FAR).turns}
    assert {"r1", "r2", "whole", "after"} <= set(turns)
    assert (turns["r1"].rating, turns["r1"].rating_note) == ("down", "it does not work")
    assert (turns["r2"].workspace_id, turns["whole"].extra["of_the_backend"]) == ("w1", {"colour": "blue"})
    assert turns["old15"].rating == 2
    whole = "archive retain" in said["lacks"]
    assert ("retained" in turns["old15"].extra, "old60" in turns) == (not whole, whole)
    (aside,) = (folder(project) / CHAT).glob("*.quarantine")
    assert aside.read_bytes() == b'{"timestamp": "2026-\n'


def test_the_archive_is_searched_and_goes_on(kept: tuple[Project, dict[str, Any]]) -> None:
    project, said = kept
    if said["sessions"]:
        found = {hit.session_id for hit in recalling.search(project, "password", limit=50).hits}
        assert {"plain", keep.ODD} <= found
        assert fetching.get(project, "plain").talk.about["decisions"]
        assert remembering.extract(project, "plain").proposals == {}
    assert project.rate("m-old15", "up")
    turns = {turn.request_id: turn for turn in read(folder(project) / CHAT, LONG_AGO, FAR).turns}
    assert turns["old15"].rating == "up"
    gone = project.forget(users=["u1"], dry_run=True)
    assert (gone.turns, gone.unreadable) == (said["archive"]["turns"] + said["archive"]["traces"] - from_sessions(turns), [])
    assert project.stats(days=30).to_json()
    dry = project.scan(since=LONG_AGO, until=FAR - timedelta(days=365), dry_run=True)
    assert dry.problems == ()


def test_conversations_that_go_on_are_taken_up_where_they_were(kept: tuple[Project, dict[str, Any]]) -> None:
    project, said = kept
    store = SessionStore(folder(project) / TALKS)
    if not said["sessions"]:
        assert project.sweep(idle=0).sessions
        return
    for name in ("plain", keep.ODD):
        (old,) = [each for each in store.all() if each.session_id == name]
        more = (*old.messages, Message("user", "And on the phone?", NOW), Message("assistant", "The same.", NOW))
        again = Conversation(name, "session", messages=more)
        assert project.archive_conversations([again]).turns == 1
        assert project.archive_conversations([again]).turns == 0
        (new,) = [each for each in SessionStore(folder(project) / TALKS).all() if each.session_id == name]
        assert (len(new.messages), new.extra["team"]) == (len(more), "blue")
        assert new.messages[0].extra == old.messages[0].extra  # the earliest set has none: they were not kept then
    assert project.check_archive().problems == ()


def test_the_rest_that_reads_it(kept: tuple[Project, dict[str, Any]]) -> None:
    project, _ = kept
    assert "kettle" in project.context("descale the kettle").block
    assert project.calibrate()
    assert project.setup_plan().changes == ()
    bench = Workbench(folder(project))
    first = bench.git("log", "-1", "--format=%H", "--grep=^Set up mfgit", "main")
    judged = bench.mfgit("guard", "--range", f"{first}..main", "--ref", "refs/heads/main", "--actor", "ann")
    assert judged.code == 0, judged


def from_sessions(turns: dict[str, Any]) -> int:
    """Return how many turns are of whole conversations, which name no user here."""
    return sum(turn.user_id is None for turn in turns.values())


def test_retention_goes_on_where_it_was(kept: tuple[Project, dict[str, Any]]) -> None:
    project, said = kept
    outcome = retaining.retain(project, now=datetime(2030, 1, 1, tzinfo=UTC))
    assert outcome.problems == []
    census = project.check_archive()
    assert census.problems == ()
    total = said["archive"]["turns"] + said["archive"]["traces"]
    assert (census.turns + census.traces, census.traces > said["archive"]["traces"]) == (total, True)
    assert sorted(session.session_id for session in SessionStore(folder(project) / TALKS).all()) == said["sessions"]


def test_tokens_holds_and_hooks_are_known(kept: tuple[Project, dict[str, Any]]) -> None:
    project, said = kept
    token = Tokens(project.common).find(f"mfgit_{keep.SECRET}")
    assert (token and (token.name, token.roles)) == (None if "tokens" in said["lacks"] else ("Ann", ("reviewer", "writer")))
    held = [(hold.kind, hold.id, hold.reason) for hold in read_holds(folder(project) / TALKS)]
    assert held == ([] if "archive hold" in said["lacks"] else [("user", "u7", "case 7")])
    assert all(hooks.asks_for_reason(str(path), "") for path in (project.common / "hooks").glob("commit-msg"))


# ---- doctor --migrate


def test_doctor_names_what_is_old_and_migrating_leaves_nothing_of_it(kept: tuple[Project, dict[str, Any]]) -> None:
    project, said = kept
    git = Git(folder(project))
    before = (git.out("for-each-ref"), git.out("status", "--porcelain"), conversations(project), texts(project))
    old = {finding.path for finding in project.examine().findings if finding.area == "format"}
    assert old == {step.path for step in project.migration()}
    done = project.migrate()
    assert {step.path for step in done} == old
    assert project.migration() == project.migrate() == ()
    findings = project.examine().findings
    assert {finding.area for finding in findings} <= {"archive", "stale", "contradiction", "guard", "record", "proposal"}
    assert (git.out("for-each-ref"), git.out("status", "--porcelain"), conversations(project), texts(project)) == before
    if said["sessions"]:
        assert fetching.get(project, keep.ODD).talk.session_id == keep.ODD
        assert SessionStore(folder(project) / TALKS).path_of(keep.ODD) is not None
    assert project.check_archive().problems == ()
    assert project.search("password").hits
    assert recalling.search(project, "whole").hits


def conversations(project: Project) -> list[str]:
    """Return a hash of every session file, whatever its name."""
    files = (folder(project) / TALKS / "sessions").glob("*/*.json*")
    return sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in files)


def texts(project: Project) -> dict[str, bytes]:
    """Return the bytes of the day files and of everything in the checkout that people wrote."""
    files = [*(folder(project) / CHAT).glob("*.jsonl*"), *(folder(project) / "help").rglob("*.*")]
    return {str(path): path.read_bytes() for path in files if path.is_file()}


def test_what_is_old_in_the_oldest_set(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    restore("0.1.0.dev1", kb, OTHER)
    project = Project.open(kb, {})
    names = [Path(step.path).name for step in project.migration()]
    expected = ["pre-commit", "pre-merge-commit", "commit-msg", "agent-main~4dcf6a87c971.json", "current"]
    assert [name for name in names if name in expected] == expected
    assert len(names) == len(expected) + 4  # the folder of each index, the name of the archive's, word counts
    assert SessionStore(kb / TALKS).path_of(keep.ODD) == next((kb / TALKS).rglob("agent-main~*.json"))
    old = {path.name: path.read_bytes() for path in (kb / ".git/hooks").iterdir()}
    project.migrate()
    back = {path.name.rpartition("-")[0]: path.read_bytes() for path in (kb / ".git/mfgit/migrated").iterdir()}
    assert back == old
    assert not any(
        "mfgit guard install" in finding.mend for finding in project.examine().findings if "pre-commit" in finding.path
    )


def test_word_counts_by_newer_rules_stay(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    restore("0.1.0", kb)
    folder = kb / CHAT / ".mfgit"
    for name in ("frequencies-1.1.json", "frequencies-999.1.json", "frequencies-1.999.json"):
        (folder / name).write_text("{}")
    Project.open(kb, {}).migrate()
    kept = {"frequencies-999.1.json", "frequencies-1.999.json", SNAPSHOT.name}
    assert {path.name for path in folder.iterdir()} == kept


def test_the_command_shows_asks_and_migrates(tmp_path: Path) -> None:
    restore("0.1.0.dev1", tmp_path / "kb", OTHER)
    bench = Workbench(tmp_path / "kb")
    refused = bench.mfgit("doctor", "--migrate")
    assert (refused.code, "--yes" in refused.err) == (2, True)
    look = bench.mfgit("doctor", "--migrate", "--dry-run", "--json").json()
    jsonschema.validate(look, schema("migration"), jsonschema.Draft202012Validator)
    assert (look["migrated"], len(look["steps"])) == (False, 9)
    done = bench.mfgit("doctor", "--migrate", "--yes")
    assert (done.code, "Migrated 9." in done.out, "byte for byte" in done.out) == (0, True, True), done
    assert bench.mfgit("doctor", "--migrate", "--yes").out == "There is nothing to migrate.\n"
    assert bench.mfgit("doctor", "--yes").code == 2
    assert "no ref" in bench.mfgit("doctor", "--migrate", "--ref", "HEAD").err


def test_it_asks_on_a_terminal(tmp_path: Path) -> None:
    restore("0.1.0.dev1", tmp_path / "kb", OTHER)
    command = [sys.executable, "-I", "-m", "mfgit", "-C", str(tmp_path / "kb"), "doctor", "--migrate"]
    before = Project.open(tmp_path / "kb", {}).migration()
    for answer, code, said in ((b"n\n", 1, "Nothing was changed."), (b"y\n", 0, f"Migrated {len(before)}.")):
        ours, theirs = pty.openpty()
        os.write(ours, answer)
        done = subprocess.run(command, stdin=theirs, capture_output=True, text=True, check=False)
        os.close(ours)
        os.close(theirs)
        assert (done.returncode, said in done.stdout + done.stderr) == (code, True), done
    assert Project.open(tmp_path / "kb", {}).migration() == ()


def test_a_hook_in_earlier_words_is_written_anew_and_kept(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    restore("0.1.0.dev2", kb)
    place = kb / ".git/hooks/reference-transaction"
    before = place.read_bytes()
    project = Project.open(kb, {})
    assert [step.path for step in project.migration() if "/hooks/" in step.path] == [str(place)]
    project.migrate()
    assert place.read_bytes() != before
    assert install.older(project.git) == ()
    assert [path.read_bytes() for path in (kb / ".git/mfgit/migrated").iterdir()] == [before]


def test_two_files_of_one_session_are_both_left(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    restore("0.1.0.dev1", kb)
    store = SessionStore(kb / TALKS)
    session = next(each for each in store.all() if each.session_id == keep.ODD)
    data = json.dumps(session.to_json())
    next((kb / TALKS).rglob("agent-main~*.json")).with_name(f"{file_name(keep.ODD)}.json").write_text(data)
    before = conversations(Project.open(kb, {}))
    Project.open(kb, {}).migrate()
    assert conversations(Project.open(kb, {})) == before
    assert any("the same session" in problem.what for problem in Project.open(kb, {}).check_archive().problems)


def test_a_hook_that_cannot_be_written_stays_and_is_said(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    restore("0.1.0.dev1", kb, OTHER)
    (kb / ".git/mfgit/migrated").write_text("in the way")
    before = (kb / ".git/hooks/pre-commit").read_bytes()
    with pytest.raises(BadInput, match="pre-commit cannot be migrated"):
        Project.open(kb, {}).migrate()
    assert (kb / ".git/hooks/pre-commit").read_bytes() == before


def test_a_kill_at_any_write_loses_nothing_and_the_next_run_ends_it(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    restore("0.1.0.dev1", kb, OTHER)
    start = killed.seen(kb)
    ran = subprocess.run(
        [sys.executable, "-m", "tests.formats.killed", str(kb), str(tmp_path)],
        cwd=HERE.parent.parent,
        capture_output=True,
        check=True,
    )
    rounds = [json.loads(line) for line in ran.stdout.splitlines()]
    end = rounds[-1]
    assert (end["code"], end["again"], end["after"]) == (0, 0, end["end"])
    assert len(rounds) > 25
    for each in rounds[:-1]:
        assert (each["code"], each["again"]) == (-signal.SIGKILL, 0)
        assert each["end"] == end["end"]
        assert each["after"]["sessions"] == start["sessions"]
        for name, text in each["after"]["hooks"].items():
            assert text in (start["hooks"][name], end["end"]["hooks"][name]), name
