"""What comes into the archive again, in other clothes or past damage, is there once; a linked file is not written to."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mfgit.importers.formats import told_by
from tests.archives import CHAT, line, stored, turn
from tests.builders import Workbench

START = 1764400000


def export(ids: str, shift: int, *, more: int = 0) -> list[dict[str, Any]]:
    """Return an export of one conversation that asks one question twice; `ids` and `shift` say what its messages are called."""
    asked = ["How?", "Why?", "How?", *(f"And {n}?" for n in range(more))]
    said = [(role, text) for question in asked for role, text in (("user", question), ("assistant", "So."))]
    return [
        {
            "conversation_id": "c1",
            "messages": [
                {"role": role, "content": text}
                | ({"id": f"{ids}{n}"} if ids else {})
                | ({"timestamp": START + shift + n} if shift >= 0 else {})
                for n, (role, text) in enumerate(said)
            ],
        }
    ]


@pytest.mark.parametrize(("ids", "shift"), [("b", 0), ("a", 900_000), ("c", 900_000), ("", 0), ("", -1), ("a", -1)])
def test_an_export_with_other_ids_or_times_adds_what_is_new_only(bench: Workbench, ids: str, shift: int) -> None:
    path = bench.path.parent / "export.json"
    for given, wanted in ((export("a", 0), (3, 0)), (export(ids, shift), (0, 3)), (export(ids, shift, more=1), (1, 3))):
        path.write_text(json.dumps(given))
        done = json.loads(bench.mfgit("archive", "import", "openai", str(path), "--json").out)
        assert (done["turns"], done["already_known"]) == wanted


def test_turns_of_a_damaged_compressed_day_are_known_as_far_as_it_can_be_read(bench: Workbench) -> None:
    when = datetime.now(UTC) - timedelta(days=1)
    turns = [turn(n, when, assistant_message=f"{n * 7919:x}" * 300) for n in range(200)]
    folder = bench.path / CHAT
    folder.mkdir(parents=True)
    data = gzip.compress(b"".join(map(line, turns)))
    (folder / f"{when.date()}.jsonl.gz").write_bytes(data[: len(data) * 3 // 4])
    path = bench.path.parent / "turns.jsonl"
    path.write_bytes(b"".join(map(line, turns)))
    done = json.loads(bench.mfgit("archive", "import", "turns", str(path), "--json").out)
    assert done["turns"] + done["already_known"] == 200
    assert done["already_known"] >= 100


def test_a_day_file_that_is_a_symbolic_link_is_read_and_never_written_to(bench: Workbench) -> None:
    when = datetime.now(UTC)
    folder = bench.path / CHAT
    folder.mkdir(parents=True)
    elsewhere = bench.path.parent / "elsewhere.jsonl"
    elsewhere.write_bytes(line(turn(1, when)))
    (folder / f"{when.date()}.jsonl").symlink_to(elsewhere)
    ran = bench.mfgit("archive", "append", stdin=line(turn(2, when)).decode())
    assert ran.code == 2
    assert f"{when.date()}.jsonl is a symbolic link" in ran.err
    assert elsewhere.read_bytes() == line(turn(1, when))
    checked = bench.mfgit("archive", "check")
    assert checked.code == 1
    assert "is a symbolic link" in checked.out + checked.err
    assert [value["request_id"] for value in stored(folder)] == ["r1"]


@pytest.mark.parametrize(
    "record",
    [
        '{"type":"user","message":{"role":"user","content":"Hi"},"uuid":"u1","sessionId":"s1"}',
        '{"uuid":"u1","sessionId":"s1","message":{"role":"user","content":"Hi"},"type":"user"}',
        '{"sessionId":"s1","type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"So."}]}}',
    ],
    ids=["type first", "type last", "reply"],
)
def test_a_transcript_with_nothing_but_messages_is_one_of_claude_code(record: str) -> None:
    assert told_by(record.encode()) == "claude-code"
    assert told_by(b'{"messages":[{"role":"user","content":"Hi"}]}') == "openai"


def test_what_is_no_session_names_the_field(bench: Workbench) -> None:
    path = bench.path.parent / "sessions.jsonl"
    good = {"sessionId": "s1", "messages": [{"role": "user", "content": "Hi"}]}
    bad: list[Any] = [{"sessionId": "s2", "messages": [{"role": "user", "content": "Hi"}, {"role": "owl", "content": "x"}]}]
    bad += [{"sessionId": 5, "messages": []}]
    path.write_text("".join(json.dumps(each) + "\n" for each in [good, *bad]))
    done = json.loads(bench.mfgit("archive", "import", "sessions", str(path), "--json").out)
    reasons = [reason for reason in done["skipped"] if reason.startswith("not a session: ")]
    assert len(reasons) == 2
    assert any("role" in reason for reason in reasons)
    assert any("sessionId" in reason for reason in reasons)
    assert "owl" not in str(reasons)
