"""Ids that are personal data: a name stands for them everywhere, and what they name is still found by them."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.redact import safe_id
from mfgit.redact.names import ID_RULES, KINDS, either, named
from tests.archives import CHAT, DAY, NOW, event, everything, feed, line, put, stored, turn
from tests.builders import Workbench

MAIL = "li.lei@fern.example"
PHONE = "+8613912345678"


def asked(**more: Any) -> dict[str, Any]:
    when = datetime.now(UTC) - timedelta(hours=2)
    given = {"request_id": f"q-{MAIL}", "session_id": f"whatsapp:{PHONE}", "assistant_message_id": MAIL, "user_id": MAIL}
    return turn(1, when, help_mode=True, **{**given, **more})


def held(bench: Workbench, *texts: str) -> list[str]:
    """Return the texts that any file of the archive or of the indexes holds."""
    data = b"".join(path.read_bytes() for path in bench.path.rglob("*") if path.is_file())
    return [text for text in texts if text.encode() in data]


PERSONAL = {
    "mail": MAIL,
    "mail in an id": f"user:{MAIL}:7",
    "phone": PHONE,
    "chinese phone": "13912345678",
    "wide phone": "１３９１２３４５６７８",
    "session of a phone": f"agent:main:whatsapp:{PHONE}",
    "plate": "粤B12A45",
    "resident id": "110105850312345",
    "address": "93.184.216.34",
}
PLAIN = {
    "short": "r0001",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "our own": "r-1391234567812345",
    "hash": "9f86d081884c7d659a2feaa0c55ad015",
    "number": "1764500000000",
    "slack": "1764500000.123456",
    "snowflake": "1312345678901234567",
    "random": "chatcmpl-q7Xw2Lp9Zr4Tb8Nk3Vd6Hs1Mc5Jf",
    "chinese": "会话-一",
    "agent": "agent:main:main",
    "empty": "",
}


@pytest.mark.parametrize("identity", PERSONAL.values(), ids=PERSONAL)
def test_a_name_takes_the_place_of_what_is_personal(identity: str) -> None:
    safe = safe_id(identity)
    assert safe != identity
    assert "id-" in safe
    assert safe_id(safe) == safe
    assert either(identity) == (safe, identity)


@pytest.mark.parametrize("identity", PLAIN.values(), ids=PLAIN)
def test_other_ids_stay(identity: str) -> None:
    assert safe_id(identity) == identity
    assert either(identity) == (identity,)


def test_the_same_has_the_same_name_however_it_is_spaced() -> None:
    assert safe_id("+86 139-1234-5678") == safe_id(PHONE)
    assert safe_id(MAIL.upper()) == safe_id(MAIL)
    assert {rule.kind for rule in ID_RULES} == KINDS


@given(
    st.lists(st.one_of(st.text(max_size=6), st.sampled_from([*PERSONAL.values(), *PLAIN.values(), "-", ":", "9"])), max_size=4)
)
def test_the_quick_look_misses_nothing_and_a_safe_id_stays_as_it_is(parts: list[str]) -> None:
    identity = "".join(parts)
    assert safe_id(identity) in (named(identity), identity)
    assert safe_id(safe_id(identity)) == safe_id(identity)
    if "@" in identity:
        assert safe_id(identity) == named(identity)


def test_a_turn_is_acknowledged_rated_found_held_and_forgotten_by_the_ids_it_was_given(bench: Workbench) -> None:
    ack = json.loads(bench.mfgit("archive", "append", stdin=feed(asked())).out)
    assert ack["request_id"] == safe_id(f"q-{MAIL}")
    assert json.loads(bench.mfgit("archive", "append", stdin=feed(asked())).out) == ack
    assert bench.mfgit("archive", "rate", MAIL, "down").code == 0
    assert bench.mfgit("archive", "rate", ack["assistant_message_id"], "up").code == 0
    assert len([value for value in stored(bench.path / CHAT) if "user_message" in value]) == 1
    assert {value["assistant_message_id"] for value in stored(bench.path / CHAT)} == {safe_id(MAIL)}
    for identity in (f"q-{MAIL}", f"whatsapp:{PHONE}"):
        assert bench.mfgit("archive", "get", identity).code == 0
    assert held(bench, MAIL, PHONE) == []
    missing = bench.mfgit("archive", "rate", "han.mei@fern.example", "up")
    assert missing.code == 2
    assert "han.mei" not in missing.err
    assert bench.mfgit("archive", "forget", "--user", MAIL, "--yes").code == 0
    assert not b"".join(path.read_bytes() for path in (bench.path / CHAT).glob("*.jsonl")).strip()


def test_a_session_and_an_import_hold_no_personal_id(bench: Workbench) -> None:
    messages = [{"role": "user", "content": "Why?", "id": MAIL}, {"role": "assistant", "content": "So.", "id": f"a-{MAIL}"}]
    session = {"sessionId": f"whatsapp:{PHONE}", "messages": messages, "participants": [MAIL], "user_id": MAIL}
    for _ in range(2):
        assert bench.mfgit("archive", "session", "add", stdin=json.dumps(session)).code == 0
    assert len(stored(bench.path / CHAT)) == 1
    (bench.path.parent / "in.jsonl").write_bytes(line(asked()) + line(event(1, "up", assistant_message_id=MAIL)))
    done = json.loads(bench.mfgit("archive", "import", "turns", str(bench.path.parent / "in.jsonl"), "--json").out)
    assert (done["turns"], done["ratings"]) == (1, 1)
    assert held(bench, MAIL, PHONE) == []
    assert bench.mfgit("archive", "forget", "--session", f"whatsapp:{PHONE}", "--yes").code == 0
    assert not b"".join(path.read_bytes() for path in (bench.path / CHAT).glob("*.jsonl")).strip()


def test_a_rescan_names_personal_ids_of_older_lines_and_sessions_and_mends_them(bench: Workbench) -> None:
    put(bench.path / CHAT, line(asked(timestamp=NOW.isoformat())), line(event(1, "down", assistant_message_id=MAIL)))
    folder = bench.path / "tmp/memoryforge/conversation_archive/sessions/2026-11"
    folder.mkdir(parents=True)
    old = {"sessionId": "13912345678", "date": DAY, "source": "x", "messages": [{"role": "user", "content": "Hi", "id": MAIL}]}
    (folder / "13912345678.json").write_text(json.dumps(old))
    found = bench.mfgit("archive", "check", "--rescan")
    assert found.code == 1
    assert found.out.count("personal id") + found.err.count("personal id") == 3
    assert MAIL not in found.out + found.err
    assert bench.mfgit("archive", "check", "--rescan", "--mend").code == 0
    assert held(bench, MAIL, PHONE) == []
    assert [path.name for path in folder.iterdir() if path.suffix == ".json"] == [f"{safe_id('13912345678')}.json"]
    assert bench.mfgit("archive", "get", "13912345678").code == 0


def test_a_legal_hold_keeps_a_turn_by_the_id_that_was_given(bench: Workbench) -> None:
    when = datetime.now(UTC) - timedelta(days=20)
    put(bench.path / CHAT, line(asked(timestamp=when.isoformat())), day=when.date().isoformat())
    assert bench.mfgit("archive", "hold", "add", "user", MAIL).code == 0
    assert bench.mfgit("archive", "retain").code == 0
    assert stored(bench.path / CHAT)[0]["assistant_message"] == "answer 1"
    assert bench.mfgit("archive", "hold", "remove", "user", MAIL).code == 0
    assert bench.mfgit("archive", "retain").code == 0
    assert held(bench, MAIL) == []


def test_reading_shows_no_personal_id_of_another_program(tmp_path: Path) -> None:
    put(tmp_path, line(asked(timestamp=NOW.isoformat())), line(event(1, "down", assistant_message_id=MAIL)))
    (read,) = everything(tmp_path).turns
    assert (read.assistant_message_id, read.rating) == (safe_id(MAIL), "down")
