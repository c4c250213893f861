"""A stored file of a newer mfgit is named and left as it is; what is derived is made anew beside it."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from mfgit import formats
from mfgit.archive import pending
from mfgit.archive.catalogue import Catalogue
from mfgit.archive.checking import mend_catalogue
from mfgit.archive.holds import Hold, read_holds
from mfgit.archive.sessions import SessionStore
from mfgit.backends import cache, nearest
from mfgit.errors import BadInput
from mfgit.formats import Newer
from mfgit.guard import install
from mfgit.index.store import FORMAT
from mfgit.plumbing import Git
from mfgit.project import Project, recalling, retaining
from mfgit.project.deciding import write_proposals
from mfgit.project.scanning import COUNTED
from mfgit.scan import features
from mfgit.server.tokens import Tokens
from mfgit.session import Conversation, Message
from mfgit.text import questions
from tests.archives import CHAT, DAY, NOW, event, line, put, turn
from tests.builders import Workbench
from tests.records import identity, record

SESSIONS = "tmp/memoryforge/conversation_archive"
ASKED = Message("user", "How do I reset my password?", NOW)


def project(bench: Workbench) -> Project:
    return Project.open(bench.path, {})


def newer_turn(bench: Workbench) -> Path:
    return put(bench.path / CHAT, line(turn(1)), line(turn(2, mfgit_schema=2)), line(event(1, "up", mfgit_schema=2)))


def newer_session(bench: Workbench) -> Path:
    project(bench).archive_conversations([Conversation("s1", "test", messages=(ASKED,))])
    (path,) = (bench.path / SESSIONS).glob("sessions/*/s1.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), "mfgit_schema": 2, "turns": ["of a later shape"]}))
    return path


def newer_holds(bench: Workbench) -> Path:
    path = bench.path / SESSIONS / "holds.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"version": 2, "holds": [{"kind": "team", "id": "t1"}]}')
    return path


def newer_tokens(bench: Workbench) -> Path:
    tokens = Tokens(bench.path / ".git")
    tokens.add("ann", ("reader",))
    tokens.path.write_text(tokens.path.read_text().replace('"version": 1', '"version": 2'))
    return tokens.path


def newer_hook(bench: Workbench) -> Path:
    path = bench.path / ".git/hooks/pre-commit"
    path.write_text("#!/bin/sh\n# Written by `mfgit guard install`\n# mfgit hook version 2\nexec mfgit guard --all-of-it\n")
    path.chmod(0o644)
    return path


def newer_catalogue(bench: Workbench) -> Path:
    project(bench).archive_conversations([Conversation("s1", "test", messages=(ASKED,))])
    path = bench.path / SESSIONS / "index.json"
    path.write_text('{"version": 2, "sessions": {\n{"file": "x"}\n}}\n')
    return path


class Case(NamedTuple):
    make: Callable[[Workbench], Path]
    use: Callable[[Workbench], object]
    says: str


REFUSED = {
    "session-stored-again": Case(
        newer_session,
        lambda b: project(b).archive_conversations([Conversation("s1", "test", messages=(ASKED, ASKED))]),
        "s1.json",
    ),
    "session-read": Case(newer_session, lambda b: SessionStore(b.path / SESSIONS).read("s1"), "s1.json"),
    "holds-in-retention": Case(newer_holds, lambda b: project(b).retain(), "holds.json"),
    "holds-in-forgetting": Case(newer_holds, lambda b: project(b).forget(users=["u"]), "holds.json"),
    "holds-added-to": Case(newer_holds, lambda b: retaining.hold(project(b), "user", "u1"), "holds.json"),
    "tokens-read": Case(newer_tokens, lambda b: Tokens(b.path / ".git").find("mfgit_x"), "tokens.json"),
    "tokens-added-to": Case(newer_tokens, lambda b: Tokens(b.path / ".git").add("bob", ("reader",)), "tokens.json"),
    "hook": Case(newer_hook, lambda b: install.install(Git(b.path)), "pre-commit"),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_a_newer_file_is_named_and_stays_as_it_is(bench: Workbench, case: Case) -> None:
    path = case.make(bench)
    before = path.read_bytes()
    with pytest.raises(Newer) as refused:
        case.use(bench)
    assert re.search(rf"{case.says}.*version 2.*up to 1; it is left as it is", refused.value.message)
    assert "upgrade mfgit" in refused.value.hint
    assert path.read_bytes() == before


DAMAGED = {"text": "2", "negative": -1, "zero": 0, "huge": 10**400, "float": 1.0, "true": True, "list": [1], "map": {"a": 1}}


@pytest.mark.parametrize("version", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_version_is_called_damage_and_what_it_is_of_stays(bench: Workbench, version: object) -> None:
    path = newer_holds(bench)
    path.write_text(json.dumps({"version": version, "holds": []}))
    day = put(bench.path / CHAT, line(turn(1)), line(turn(2, mfgit_schema=version)))
    before = path.read_bytes(), day.read_bytes()
    with pytest.raises(Newer, match="names a version that is no whole number from 1 on; it is left as it is") as refused:
        project(bench).retain()
    assert refused.value.hint.startswith("Put the version right")
    (problem,) = project(bench).check_archive().problems
    assert (problem.line, problem.what) == (2, "an unknown format")
    assert (path.read_bytes(), day.read_bytes()) == before


def test_newer_lines_are_named_kept_by_retention_and_read_once_mfgit_is_upgraded(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = newer_turn(bench)
    newer = path.read_bytes().splitlines()[1:]
    problems = project(bench).check_archive().problems
    assert [(each.line, each.what) for each in problems] == [(2, "a newer format"), (3, "a newer format")]
    assert "upgrade mfgit" in str(problems[0])
    late = datetime(2027, 6, 1, tzinfo=UTC)
    retaining.retain(project(bench), now=late)
    assert path.read_bytes().splitlines() == newer
    monkeypatch.setattr(formats, "TURN", 2)
    monkeypatch.setattr(pending, "VERSION", 2)
    assert project(bench).check_archive().problems == ()
    assert project(bench).sweep(idle=0, now=late).sessions == ()  # both are past the days that are kept whole


def test_a_turn_of_a_newer_version_is_not_taken(bench: Workbench) -> None:
    with pytest.raises(BadInput, match="version 2"):
        project(bench).append([turn(1, mfgit_schema=2)])
    project(bench).append([turn(1, mfgit_schema=1), turn(2, schema="of the backend's own")])
    stored = (bench.path / CHAT / f"{DAY}.jsonl").read_text()
    assert '"schema":"of the backend\'s own"' in stored


def test_a_newer_session_passes_retention_and_is_told_by_check_and_forget(bench: Workbench) -> None:
    path = newer_session(bench)
    before = path.read_bytes()
    retaining.retain(project(bench), now=datetime(2030, 1, 1, tzinfo=UTC))
    assert path.read_bytes() == before
    (problem,) = [each for each in project(bench).check_archive().problems if "s1.json" in each.file]
    assert "version 2" in problem.what
    assert "upgrade" in problem.reason
    assert any("s1.json" in each for each in project(bench).forget(users=["somebody"], dry_run=True).unreadable)


@pytest.mark.parametrize(("text", "said"), [('{"version": 2}', "version 2"), ("{", "not valid JSON")])
def test_doctor_names_a_list_of_holds_that_cannot_be_read(bench: Workbench, text: str, said: str) -> None:
    newer_holds(bench).write_text(text)
    (found,) = [each for each in project(bench).examine().findings if each.path == "holds.json"]
    assert (found.area, said in found.what) == ("archive", True)


# ---- what Git holds


def newer_record(bench: Workbench, number: int) -> str:
    """Put a record of a later version on a proposal's branch, as a later mfgit would; return the branch's tip."""
    name = f"help/_forged/proposals/{identity(number)}.json"
    bench.git("switch", "-q", f"mfgit/{identity(number)}")
    value = json.loads((bench.path / name).read_text())
    bench.write({name: json.dumps({**value, "schema": 2, "evidence": {"of": "a later shape"}})})
    bench.git("commit", "-q", "-a", "--amend", "--no-edit", "--no-verify")
    bench.git("switch", "-q", "main")
    return bench.git("rev-parse", f"mfgit/{identity(number)}")


@pytest.mark.parametrize("where", ["open", "rejected", "adopted"])
def test_a_newer_record_is_named_never_written_over_and_hides_no_other(bench: Workbench, where: str) -> None:
    write_proposals(project(bench), [record(1), record(2)])
    tip = newer_record(bench, 1)
    if where == "rejected":
        message = f"Reject\n\nno\n\nMfgit-Proposal: {identity(1)}\nMfgit-Root: help\nMfgit-Rejected: yes\n"
        gone = bench.git("commit-tree", f"{tip}^{{tree}}", "-p", tip, "-m", message)
        bench.git("update-ref", f"refs/mfgit/rejected/{identity(1)}", gone)
        bench.git("update-ref", "-d", f"refs/heads/mfgit/{identity(1)}")
    if where == "adopted":
        bench.git("merge", "-q", "--no-ff", "--no-verify", "-m", "adopt", tip)
        bench.git("branch", "-D", f"mfgit/{identity(1)}")
    before = bench.git("for-each-ref")
    state = project(bench).survey()
    assert [one.id for one in state.known] == [identity(2)]
    assert "version 2, and this mfgit reads up to 1" in state.problems[0]
    assert write_proposals(project(bench), [record(1)])[identity(1)] == "unchanged"
    for decide in (lambda: project(bench).show(identity(1)), lambda: project(bench).reject(identity(1), "no")):
        with pytest.raises(BadInput, match="version 2"):
            decide()
    assert bench.git("for-each-ref") == before


def test_retention_waits_where_nobody_knows_what_an_open_proposal_cites(bench: Workbench) -> None:
    put(bench.path / CHAT, line(turn(1)))
    write_proposals(project(bench), [record(1)])
    newer_record(bench, 1)
    with pytest.raises(Newer, match="version 2"):
        retaining.retain(project(bench), now=datetime(2030, 1, 1, tzinfo=UTC))
    assert b"answer 1" in (bench.path / CHAT / f"{DAY}.jsonl").read_bytes()


def test_a_rejection_in_words_of_a_newer_version_is_never_taken_back_by_a_scan(bench: Workbench) -> None:
    write_proposals(project(bench), [record(1)])
    project(bench).reject(identity(1), "no")
    ref = f"refs/mfgit/rejected/{identity(1)}"
    message = bench.git("log", "-1", "--format=%B", ref).replace("Mfgit-Rejected: yes", "Mfgit-Rejected: until-2030")
    bench.git("update-ref", ref, bench.git("commit-tree", f"{ref}^{{tree}}", "-p", f"{ref}^", "-m", message))
    (one,) = project(bench).proposals()
    assert (one.status, one.forever) == ("rejected", True)


@pytest.mark.parametrize(
    ("name", "matter"),
    [
        ("help/_forged/a.md", "mfgit_schema: 2\n"),
        ("help/_forged/skills/a/SKILL.md", 'name: a\nmetadata:\n  mfgit_schema: "2"\n'),
    ],
)
def test_a_newer_overlay_is_searched_as_text_and_named_by_doctor(bench: Workbench, name: str, matter: str) -> None:
    bench.write({name: f"---\n{matter}---\n\n# Teapots\n\nThe teapot stands upstairs.\n"})
    bench.commit()
    assert project(bench).search("teapot").hits[0].passage.path == name
    (found,) = [each for each in project(bench).examine().findings if each.path == name]
    assert "version 2" in found.what
    assert "pgrade mfgit" in found.mend


# ---- derived


def test_a_newer_catalogue_stays_and_its_own_mfgit_hears_that_it_is_behind(bench: Workbench) -> None:
    path = newer_catalogue(bench)
    before = path.read_bytes()
    for number in range(2, 4):
        project(bench).archive_conversations([Conversation(f"s{number}", "test", messages=(ASKED,))])
    catalogue = Catalogue(SessionStore(bench.path / SESSIONS))
    mend_catalogue(catalogue.store)
    assert path.read_bytes() == before
    assert list(path.parent.glob(".index.stale.*"))
    assert [entry["sessionId"] for entry in catalogue.entries()] == ["s1", "s2", "s3"]
    assert any("version 2" in each.what for each in project(bench).check_archive().problems)
    path.unlink()
    mend_catalogue(catalogue.store)
    assert [entry["sessionId"] for entry in catalogue.entries()] == ["s1", "s2", "s3"]


def test_indexes_of_two_formats_stand_side_by_side(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    put(bench.path / CHAT, line(turn(1)))
    places = (
        bench.path / ".git/mfgit/search",
        next(iter((bench.path / CHAT / ".search").glob("*")), bench.path / CHAT / ".search"),
    )

    def ask() -> None:
        project(bench).search("password")
        recalling.search(project(bench), "question")

    def kept() -> set[str]:
        found = [path for place in places for path in place.rglob("index-*") if path.is_dir()]
        return {path.name for path in found}

    ask()
    for module in ("mfgit.index.store", "mfgit.project.recalling"):
        monkeypatch.setattr(f"{module}.FORMAT", FORMAT + 1)
    ask()
    newer = kept()
    assert len(newer) == 2  # the newer one takes the older away, once
    for module in ("mfgit.index.store", "mfgit.project.recalling"):
        monkeypatch.setattr(f"{module}.FORMAT", FORMAT)
    ask()
    both = kept()
    assert newer < both
    assert len(both) == 4
    ask()
    assert kept() == both


PINNED = {
    "sweep": ((pending.VERSION, pending.NAME), (1, "sweep.json")),
    "vectors": ((cache.SCHEMA, cache.ENDING), (1, ".vectors")),
    "rows": ((nearest.SCHEMA, "views"), (1, "views")),
    "frequencies": ((features.VERSION, questions.VERSION), tuple(map(int, COUNTED.split(".")))),
}


@pytest.mark.parametrize(("now", "kept"), PINNED.values(), ids=PINNED)
def test_a_derived_file_of_another_version_gets_a_name_of_its_own(now: object, kept: object) -> None:
    """Who changes a version here changes the name, too, so that an older mfgit and a newer one do not fight for the file."""
    assert now == kept


# ---- writers keep what they do not know


def test_fields_that_are_not_known_stay_where_a_file_is_written_again(bench: Workbench) -> None:
    tokens = Tokens(bench.path / ".git")
    tokens.add("ann", ("reader",))
    value = json.loads(tokens.path.read_text())
    value["tokens"][0]["colour"] = value["mark"] = "blue"
    tokens.path.write_text(json.dumps(value))
    tokens.add("bob", ("reader",))
    after = json.loads(tokens.path.read_text())
    assert (after["mark"], after["tokens"][0]["colour"]) == ("blue", "blue")

    holds = bench.path / SESSIONS / "holds.json"
    holds.parent.mkdir(parents=True)
    holds.write_text('{"owner": "legal", "holds": [{"kind": "user", "id": "u1", "case": 7}]}')
    retaining.hold(project(bench), "user", "u2")
    assert json.loads(holds.read_text())["owner"] == "legal"
    assert [(hold.id, dict(hold.extra)) for hold in read_holds(holds.parent)] == [("u1", {"case": 7}), ("u2", {})]
    assert Hold("user", "u1", extra={"case": 7}).to_json()["case"] == 7
