"""Appending and rating: acknowledged in order, stored once, redacted."""

import gzip
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mfgit.archive.appending import Ack, Rejected, append, append_values
from mfgit.archive.rating import Rate, day_of, rate
from mfgit.archive.store import Store
from mfgit.errors import BadInput
from mfgit.redact import safe_id
from tests.archives import DAY, NOW, event, everything, ids, line, put, stored, turn


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "chat") as opened:
        yield opened


def test_turns_are_acknowledged_in_order_each_in_the_file_of_its_own_day(store: Store) -> None:
    turns = [turn(n, NOW - timedelta(days=n % 3)) for n in range(7)]
    acks = append_values(store, turns)
    assert acks == [Ack(f"r{n}", f"m{n}", str((NOW - timedelta(days=n % 3)).date())) for n in range(7)]
    assert {value["request_id"]: value["date"] for value in stored(store.folder)} == {
        ack.request_id: ack.date for ack in acks if isinstance(ack, Ack)
    }


def test_ids_are_made_when_a_turn_has_none_and_are_the_same_when_it_is_sent_again(store: Store) -> None:
    bare = {"timestamp": NOW.isoformat(), "user_message": "call 13912345678"}
    (first,) = append_values(store, [bare])
    (again,) = append_values(store, [bare])
    assert isinstance(first, Ack)
    assert first == again
    assert first.request_id
    assert first.assistant_message_id
    assert len(stored(store.folder)) == 1
    assert everything(store.folder).turns[0].request_id == first.request_id


def test_a_day_file_that_is_put_back_keeps_what_mfgit_wrote(store: Store) -> None:
    """Only clients over HTTP may not say it: here whoever appends could write the file as well."""
    own: dict[str, Any] = {"source": "x", "imported_at": NOW.isoformat(), "retained": "summary"}
    append_values(store, [turn(1, **own)])
    assert own.items() <= stored(store.folder)[0].items()


def test_a_request_id_already_stored_is_acknowledged_and_not_stored_twice(store: Store) -> None:
    append_values(store, [turn(1), turn(1)])
    late = turn(1, NOW + timedelta(hours=13))  # another day by its own clock
    assert append_values(store, [late, turn(2)]) == [Ack("r1", "m1", DAY), Ack("r2", "m2", DAY)]
    with Store(store.folder) as other:
        assert append_values(other, [turn(1, assistant_message_id=None)]) == [Ack("r1", "m1", DAY)]
    assert ids(store.folder) == {"r1": 1, "r2": 1}


def test_what_another_program_appended_counts_as_stored(store: Store) -> None:
    append_values(store, [turn(1)])
    with (store.folder / f"{DAY}.jsonl").open("ab") as stream:
        stream.write(line({**turn('é"\\'), "nested": {"request_id": "inside"}}))
    append_values(store, [turn('é"\\'), turn("x", request_id="inside")])
    assert ids(store.folder) == {"r1": 1, 'ré"\\': 1, "inside": 1}


def test_a_file_that_was_replaced_or_taken_away_is_read_anew(store: Store) -> None:
    append_values(store, [turn(1)])
    path = store.folder / f"{DAY}.jsonl"
    new = path.with_suffix(".new")
    new.write_bytes(line(turn(2)))
    new.replace(path)
    append_values(store, [turn(2), turn(3)])
    assert ids(store.folder) == {"r2": 1, "r3": 1}
    path.unlink()
    append_values(store, [turn(3)])
    assert ids(store.folder) == {"r3": 1}


def test_a_bad_line_is_named_and_the_others_are_stored(store: Store) -> None:
    data = [
        (1, line(turn(1))),
        (2, b"{"),
        (3, line({"timestamp": NOW.isoformat()})),
        (4, b'{"timestamp": "2026-11-30T12:00:00Z", "user_message": "x", "n": 1e999}'),
    ]
    first, *bad = append(store, data)
    assert isinstance(first, Ack)
    assert [each.line for each in bad if isinstance(each, Rejected)] == [2, 3, 4]
    assert len(stored(store.folder)) == 1


def test_every_text_of_a_turn_is_redacted_and_ids_are_made_safe(store: Store) -> None:
    mail = "bob@example.com"
    value = turn(
        1,
        user_message=mail,
        assistant_message=mail,
        rating="down",
        rating_note=mail,
        rating_reasons=[mail],
        topic=mail,
        review={"by": mail},
        intent_meta={"intent": "x", "slots": {"to": mail, "password": "pw"}},
        unknown=[{"deep": mail}],
        user_id=mail,
    )
    append_values(store, [value])
    data = (store.folder / f"{DAY}.jsonl").read_text("utf-8")
    assert data.count(mail) == 0
    assert json.loads(data)["user_id"] == safe_id(mail)
    assert json.loads(data)["request_id"] == "r1"
    assert everything(store.folder).problems == ()


def test_a_rating_goes_to_the_day_file_of_its_reply_and_the_last_one_wins(store: Store) -> None:
    append_values(store, [turn("é", NOW - timedelta(days=9)), turn(1)])
    assert rate(store, Rate("mé", "down", ("incomplete", "bob@example.com"), "call 13912345678"), NOW) == "2026-11-21"
    rate(store, Rate("mé", 5), NOW)
    path = store.folder / "2026-11-21.jsonl"
    first = json.loads(path.read_bytes().split(b"\n")[1])
    assert first["rating_reasons"] == ["incomplete", "[redacted:email]"]
    assert first["rating_note"] == "call [redacted:phone]"
    assert everything(store.folder).turns[0].rating == 5


def test_a_rating_of_an_unknown_reply_is_refused_and_an_event_is_no_reply(store: Store) -> None:
    put(store.folder, line(turn(1)), line(event("ghost", "up")), b'{"assistant_message_id": "mghost", \n', b'["mghost"]\n')
    with pytest.raises(BadInput, match="No stored reply has the id mghost"):
        rate(store, Rate("mghost", "up"), NOW)


def test_a_reply_in_a_compressed_day_is_found_and_rated_beside_it(store: Store) -> None:
    (store.folder / "2026-10-01.jsonl.gz").write_bytes(gzip.compress(line(turn(1, datetime(2026, 10, 1, tzinfo=UTC)))))
    assert rate(store, Rate("m1", "up"), NOW) == "2026-10-01"
    assert everything(store.folder).turns[0].rating == "up"
    (store.folder / "2026-10-02.jsonl.gz").write_bytes(b"broken")
    with pytest.raises(BadInput, match="cannot be read"):
        day_of(store.folder, "m2")
