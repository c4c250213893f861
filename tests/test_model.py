"""Records survive their JSON, and what is read from outside is checked with a sentence that names the place."""

import json
from datetime import UTC, datetime
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit import model
from mfgit.errors import BadInput
from mfgit.model import Alias, Evidence, Record, Source, fault

MINIMAL: dict[str, Any] = {
    "id": "0123456789abcdef",
    "title": "How do I reset it?",
    "action_type": "index",
    "target_layer": "help",
    "root": ".",
    "priority": "medium",
    "frequency": 3,
    "evidence": [],
    "based_on": [],
    "schema": 1,
}
text = st.text(st.characters(codec="utf-8"), max_size=40)
records = st.builds(
    Record,
    id=st.text("0123456789abcdef", min_size=16, max_size=16),
    title=text.filter(bool),
    action_type=st.sampled_from(model.ACTION_TYPES),
    target_layer=st.sampled_from(["help", "workspace"]),
    root=text.filter(bool),
    priority=st.sampled_from(model.PRIORITIES),
    frequency=st.integers(1, 10**6),
    lang=st.sampled_from(["en", "zh"]),
    suggestion=text,
    questions=st.lists(text, max_size=3).map(tuple),
    aliases=st.lists(st.builds(Alias, path=text, alias=text.filter(bool)), max_size=2).map(tuple),
    evidence=st.lists(
        st.builds(
            Evidence,
            request_id=text,
            date=text,
            excerpt=text,
            rating=st.sampled_from([None, "up", "down", 1, 5]),
            reasons=st.lists(text, max_size=2).map(tuple),
        ),
        max_size=2,
    ).map(tuple),
    keys=st.lists(st.text("0123456789abcdef", min_size=16, max_size=16), max_size=2).map(tuple),
    why=st.lists(text, max_size=2).map(tuple),
    based_on=st.lists(st.builds(Source, path=text, blob=st.text("0123456789abcdef", min_size=40, max_size=40)), max_size=2).map(
        tuple
    ),
    adopted_path=st.none() | text,
    extra=st.dictionaries(st.sampled_from(["x_team", "x_note"]), text, max_size=2),
)


@given(records)
def test_a_record_survives_its_file(record: Record) -> None:
    assert Record.load(record.dump(), "a.json") == record


@given(records)
def test_a_written_record_fits_its_schema(record: Record) -> None:
    model.check("record", json.loads(record.dump()), "a.json")


def test_fields_that_nobody_knows_are_kept() -> None:
    record = Record.load(json.dumps({**MINIMAL, "x_reviewer": {"team": "docs"}}).encode(), "a.json")
    assert record.to_json()["x_reviewer"] == {"team": "docs"}


BAD = {
    "a wrong type": ({"frequency": "3"}, "frequency"),
    "a bad id": ({"id": "p1"}, "id"),
    "an unknown action": ({"action_type": "rewrite"}, "action_type"),
    "an alias without a page": ({"aliases": [{"alias": "x"}]}, "aliases.0"),
    "a rating out of range": ({"evidence": [{"request_id": "r", "date": "d", "rating": 9}]}, "evidence.0.rating"),
    "a later schema": ({"schema": 2}, "version 2"),
}


@pytest.mark.parametrize(("change", "field"), BAD.values(), ids=BAD.keys())
def test_a_bad_record_is_named_by_file_and_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as caught:
        Record.load(json.dumps({**MINIMAL, **change}).encode(), "help/_forged/proposals/a.json")
    assert "help/_forged/proposals/a.json" in caught.value.message
    assert field in caught.value.message


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"{", "line 1, column 2"), (b"\xff", "UTF-8"), (b"[" * 100_000, "deeply")],
    ids=["cut off", "not UTF-8", "nested without end"],
)
def test_what_is_not_json_is_said_so(data: bytes, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        model.read_json(data, "a.json")


def test_a_byte_order_mark_is_passed_over() -> None:
    assert model.read_json(b"\xef\xbb\xbf{}", "a.json") == {}


GOOD_TIMES = {
    "utc": ("2026-01-31T09:30:00Z", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
    "lower case": ("2026-01-31t09:30:00z", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
    "offset": ("2026-01-31T17:30:00.500+08:00", datetime(2026, 1, 31, 9, 30, 0, 500_000, tzinfo=UTC)),
    "a blank for the T": ("2026-01-31 09:30:00+00:00", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
}


@pytest.mark.parametrize(("written", "meant"), GOOD_TIMES.values(), ids=GOOD_TIMES.keys())
def test_times_with_an_offset_are_read(written: str, meant: datetime) -> None:
    assert model.parse_time(written, "timestamp") == meant


@pytest.mark.parametrize("written", ["2026-01-31T09:30:00", "yesterday", "2026-13-01T00:00:00Z", 1769851800, None, ""])
def test_times_without_an_offset_are_refused(written: object) -> None:
    with pytest.raises(BadInput, match="timestamp"):
        model.parse_time(written, "timestamp")


@pytest.mark.parametrize("path", sorted(model.schema_folder().glob("*.schema.json")), ids=lambda path: path.name)
def test_every_schema_is_valid_2020_12(path: Any) -> None:
    schema = json.loads(path.read_text("utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("rating", [9, "great", 0, 2.5, True])
def test_a_rating_that_cannot_be_is_answered_with_what_can(rating: object) -> None:
    turn = {"timestamp": "2026-01-05T09:00:00Z", "user_message": "x", "rating": rating}
    assert model.fault("turn", turn) == "rating must be up, down or 1 to 5"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        pytest.param("turn", {"timestamp": "today", "user_message": "x"}, "timestamp must be RFC 3339 with offset", id="field"),
        pytest.param(
            "session",
            {"sessionId": "s", "messages": [{"role": ""}]},
            "messages.0.role must be user, assistant, system or tool; others are kept and are no part of a turn",
            id="field of an entry",
        ),
        pytest.param("session", {"sessionId": "s", "messages": [{"role": 1}]}, "messages.0.role must be string", id="type"),
        pytest.param("rating", {"event": "rating"}, "no assistant_message_id and no rating and no rated_at", id="missing"),
    ],
)
def test_what_is_wrong_is_said_without_the_value(name: str, value: Any, said: str) -> None:
    assert fault(name, value) == said
