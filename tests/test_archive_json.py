"""What archive commands print with `--json` is what their schemas say, and `archive check` reads sessions and catalogue."""

import gzip
import json
from datetime import UTC, datetime, timedelta

import pytest

from mfgit import model
from mfgit.archive.sessions import SessionStore
from tests.archives import CHAT, feed, line, turn
from tests.builders import Workbench

SESSIONS = "tmp/memoryforge/conversation_archive"
ASKED = "How do I export a report? 怎么导出报表？"


def filled(bench: Workbench) -> None:
    """Archive turns of two days and a session; one turn is old enough for retention, and one session is idle."""
    now = datetime.now(UTC)
    put = feed(turn(1, now - timedelta(hours=2), user_id="u1", user_message=ASKED, help_mode=True))
    assert bench.mfgit("archive", "append", stdin=put).code == 0
    old = now - timedelta(days=12)
    (bench.path / CHAT / f"{old.date()}.jsonl").write_bytes(line(turn(2, old, user_id="u1", session_id="old")))


@pytest.mark.parametrize(
    ("schema", "words", "code"),
    [
        ("archive_rate", ["archive", "rate", "m1", "2", "--reason", "slow"], 0),
        ("archive_sweep", ["archive", "sweep"], 0),
        ("archive_session", ["archive", "hook", "talk.json"], 1),
        ("archive_retain", ["archive", "retain", "--dry-run"], 0),
        ("archive_retain", ["archive", "retain"], 0),
        ("archive_forget", ["archive", "forget", "--user", "u1", "--dry-run"], 0),
        ("archive_forget", ["archive", "forget", "--session", "s1", "--yes"], 0),
        ("archive_hold", ["archive", "hold", "list"], 0),
        ("archive_get", ["archive", "get", "s1", "--budget", "20"], 0),
        ("archive_check", ["archive", "check", "--rescan"], 0),
        ("archive_import", ["archive", "import", "auto", "talk.json"], 0),
        ("correct", ["correct", "export report", "--belief", "it takes 3 days"], 0),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else None,
)
def test_what_is_printed_is_what_the_schema_says(bench: Workbench, schema: str, words: list[str], code: int) -> None:
    filled(bench)
    talk = {"sessionId": "talk", "messages": [{"role": "user", "content": ASKED}, {"role": "assistant", "content": "Export."}]}
    (bench.path / "talk.json").write_text(json.dumps(talk))
    bench.mfgit("archive", "hold", "add", "user", "u9", "--reason", "case 7")
    ran = bench.mfgit(*words, "--json")
    assert ran.code == code, ran.err
    if code == 0:
        model.check(schema, ran.json(), "the output")


def test_acknowledgements_and_added_sessions_are_what_their_schemas_say(bench: Workbench) -> None:
    ran = bench.mfgit("archive", "append", stdin=feed(turn(1), turn(2)))
    for each in ran.out.splitlines():
        model.check("archive_ack", json.loads(each), "the output")
    value = {"sessionId": "x", "messages": [{"role": "user", "content": ASKED}]}
    added = bench.mfgit("archive", "session", "add", "--json", stdin=json.dumps(value))
    model.check("archive_session", added.json(), "the output")


# ---- reading sessions


def session(bench: Workbench, name: str) -> None:
    value = {"sessionId": name, "messages": [{"role": "user", "content": ASKED, "time": "2026-11-29T10:00:00+08:00"}]}
    assert bench.mfgit("archive", "session", "add", stdin=json.dumps(value)).code == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"sesame": ', "not valid JSON"),
        ('{"sessionId": "a", "messages": [{"role": 5, "content": "sesame"}]}', "role"),
        ('{"sessionId": "a", "messages": [{"role": "user", "content": "sesame", "time": "noon"}]}', "time"),
        ('{"messages": []}', "sessionId"),
        ("", "not valid JSON"),
    ],
    ids=["torn", "a role", "a time", "no id", "empty"],
)
def test_a_check_names_session_file_and_field_and_what_mends_it(bench: Workbench, content: str, said: str) -> None:
    session(bench, "a")
    session(bench, "b")
    path = SessionStore(bench.path / SESSIONS).path_of("a")
    assert path is not None
    path.write_text(content)
    ran = bench.mfgit("archive", "check")
    assert ran.code == 1
    assert "sessions/2026-11/a.json" in ran.out
    assert said in ran.out
    assert "mfgit archive session add" in ran.out
    assert "sesame" not in ran.out
    assert "index.json" not in ran.out
    path.unlink()
    session(bench, "a")
    assert bench.mfgit("archive", "check").code == 0


def test_a_compressed_session_that_is_cut_off_is_named(bench: Workbench) -> None:
    session(bench, "a")
    path = SessionStore(bench.path / SESSIONS).path_of("a")
    assert path is not None
    path.with_name("b.json.gz").write_bytes(gzip.compress(path.read_bytes())[:-9])
    ran = bench.mfgit("archive", "check")
    assert (ran.code, "b.json.gz" in ran.out) == (1, True)


@pytest.mark.parametrize("what", ["an entry too many", "an entry less", "no JSON"])
def test_a_catalogue_out_of_step_is_named_and_mended(bench: Workbench, what: str) -> None:
    session(bench, "a")
    session(bench, "b")
    catalogue = bench.path / SESSIONS / "index.json"
    before = catalogue.read_text()
    lines = before.splitlines(keepends=True)
    if what == "an entry too many":
        path = SessionStore(bench.path / SESSIONS).path_of("b")
        assert path is not None
        path.unlink()
    else:
        catalogue.write_text("".join([lines[0], lines[2], lines[3]]) if what == "an entry less" else "{}")
    ran = bench.mfgit("archive", "check")
    assert ran.code == 1
    assert "index.json: the catalogue is out of step with" in ran.out
    assert "mfgit archive check --mend" in ran.out
    assert bench.mfgit("archive", "check", "--mend").code == 0
    assert bench.mfgit("archive", "check").code == 0
    if what != "an entry too many":
        assert catalogue.read_text() == before


def test_a_catalogue_may_be_deleted(bench: Workbench) -> None:
    session(bench, "a")
    (bench.path / SESSIONS / "index.json").unlink()
    assert bench.mfgit("archive", "check").code == 0


def test_two_files_of_one_session_are_named(bench: Workbench) -> None:
    session(bench, "a")
    path = SessionStore(bench.path / SESSIONS).path_of("a")
    assert path is not None
    path.with_name("zz.json").write_bytes(path.read_bytes())
    assert "the same session as sessions/2026-11/a.json" in bench.mfgit("archive", "check").out


def test_a_dash_is_standard_input(bench: Workbench) -> None:
    talk = {"sessionId": "dash", "messages": [{"role": "user", "content": "Where is the gizmo?"}]}
    ran = bench.mfgit("archive", "session", "add", "-", stdin=json.dumps(talk))
    assert (ran.code, "Archived dash" in ran.out) == (0, True)
