"""Reading the archive: what any program wrote, damaged or not."""

import gzip
import json
import os
import threading
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mfgit.archive import Problem, Reading, days, read
from mfgit.archive.entries import Unreadable, derived_id, entry, parse
from mfgit.archive.reading import check, entries
from mfgit.archive.store import beside
from mfgit.errors import BadInput
from mfgit.model import Turn
from tests.archives import DAY, NOW, event, everything, line, put, turn


def test_turns_of_the_window_come_oldest_first_with_the_last_rating_folded_in(tmp_path: Path) -> None:
    put(
        tmp_path,
        line(turn(2)),
        line(event(2, "up")),
        line(event(2, 2, rating_reasons=["incomplete"], rating_note="short")),
        line(turn(1, NOW - timedelta(hours=1), help_mode=True, colour="green", rating=3.0, rating_reasons=["x"])),
    )
    turns, problems = everything(tmp_path)
    assert problems == ()
    assert [each.request_id for each in turns] == ["r1", "r2"]
    assert (turns[1].rating, turns[1].rating_reasons, turns[1].rating_note, turns[1].dissatisfied) == (
        2,
        ("incomplete",),
        "short",
        True,
    )
    assert (turns[0].rating, turns[0].rating_reasons, turns[0].help_mode, turns[0].extra) == (
        3,
        ("x",),
        True,
        {"colour": "green"},
    )
    assert isinstance(turns[0].rating, int)


def test_a_turn_outside_the_window_is_left_out_and_one_of_another_offset_is_found(tmp_path: Path) -> None:
    early = "2026-11-30T01:00:00+08:00"  # still the 29th in UTC
    put(tmp_path, line({"timestamp": early, "user_message": "a"}), line(turn("late")))
    turns, _ = read(tmp_path, datetime(2026, 11, 29, tzinfo=UTC), datetime(2026, 11, 29, 23, tzinfo=UTC))
    assert [each.user_message for each in turns] == ["a"]


def test_a_request_id_that_comes_twice_counts_once_and_a_whole_reply_beats_a_partial_one(tmp_path: Path) -> None:
    put(tmp_path, line(turn(1)), line(turn(1, user_message="again")), line(turn(2, partial=True)), line(turn(2)))
    turns, _ = everything(tmp_path)
    assert [(each.user_message[:10], each.partial) for each in turns] == [("question 1", False), ("question 2", False)]


def test_a_missing_request_id_is_made_from_the_content_and_stays(tmp_path: Path) -> None:
    first = {"timestamp": NOW.isoformat(), "user_message": "hello"}
    put(tmp_path, line(first), line({**first, "user_message": "other"}), json.dumps(first, indent=None).encode() + b"\r\n")
    turns, _ = everything(tmp_path)
    assert len(turns) == 2
    assert turns[0].request_id == derived_id(first) == everything(tmp_path).turns[0].request_id


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"timestamp": "2026', "not valid JSON: Unterminated string starting at column 15"),
        (b'{"timestamp": "\x01"}', "not valid JSON: Invalid control character at column 16"),
        (b'{"timestamp"}', "not valid JSON: Expecting ':' delimiter at column 13"),
    ],
    ids=["torn", "control", "delimiter"],
)
def test_where_a_line_breaks_off_is_said_once(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as error:
        parse(data)
    assert str(error.value) == reason


def test_bom_crlf_blank_lines_gzip_and_files_of_other_names(tmp_path: Path) -> None:
    put(tmp_path, b"\xef\xbb\xbf" + line(turn(1)).replace(b"\n", b"\r\n"), b"\r\n", line(turn(2)))
    (tmp_path / "2026-11-28.jsonl.gz").write_bytes(gzip.compress(line(turn(3, NOW - timedelta(days=2)))))
    (tmp_path / "2026-11-27.jsonl").write_bytes(b"")
    (tmp_path / "notes.jsonl").write_bytes(b"nothing to read\n")
    (tmp_path / "2026-11-30.jsonl.quarantine").write_bytes(b"{\n")
    turns, problems = everything(tmp_path)
    assert [each.request_id for each in turns] == ["r3", "r1", "r2"]
    assert problems == ()


DAMAGED = {
    "not json": (b"hello there", "not valid JSON"),
    "two on a line": (line(turn(8))[:-1] + line(turn(9))[:-1], "not valid JSON"),
    "list": (b"[1, 2]", "not a turn"),
    "null": (b"null", "not a turn"),
    "no message": (b'{"timestamp": "2026-11-30T12:00:00Z"}', "not a turn"),
    "number as message": (line(turn(8, user_message=5))[:-1], "not a turn"),
    "no time": (line(turn(8, timestamp="soon"))[:-1], "not a turn"),
    "impossible time": (line(turn(8, timestamp="2026-13-30T12:00:00Z"))[:-1], "no such time"),
    "impossible rated_at": (line(turn(8, rated_at="yesterday"))[:-1], "no such time"),
    "nul bytes": (line(turn(8)).replace(b"question", b"\0\0\0")[:-1], "not valid JSON"),
    "no utf-8": (line(turn(8)).replace(b"question", b"\xff\xfe")[:-1], "not UTF-8 text"),
    "deep": (b"[" * 100_000, "not usable JSON"),
    "long number": (b'{"a": ' + b"9" * 5000 + b"}", "not usable JSON"),
    "event": (
        line({"event": "rating", "rating": "great", "assistant_message_id": "m1", "rated_at": NOW.isoformat()})[:-1],
        "not a rating",
    ),
    "event without time": (line({"event": "rating", "rating": "up", "assistant_message_id": "m1"})[:-1], "not a rating"),
    "event at no time": (line(event(1, "up", rated_at="soon"))[:-1], "no such time"),
    "other event": (line({"event": "party"})[:-1], "not a rating"),
}


@pytest.mark.parametrize(("data", "what"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_line_is_named_by_file_and_line_and_the_good_ones_around_it_are_read(
    tmp_path: Path, data: bytes, what: str
) -> None:
    put(tmp_path, line(turn(1)), data + b"\n", line(turn(2)))
    turns, problems = everything(tmp_path)
    assert [each.request_id for each in turns] == ["r1", "r2"]
    assert [(each.file, each.line, each.what) for each in problems] == [(f"{DAY}.jsonl", 2, what)]
    assert str(problems[0]).startswith(f"{DAY}.jsonl:2: {what} (")


def test_a_problem_never_shows_what_the_line_holds(tmp_path: Path) -> None:
    put(
        tmp_path,
        line({"timestamp": "sesame", "user_message": "sesame"}),
        line({"sesame": "sesame"}),
        line(turn(1, intent_meta={"slots": "sesame"})),
    )
    assert "sesame" not in str(everything(tmp_path).problems)


def test_odd_strings_come_out_as_something_that_can_be_written(tmp_path: Path) -> None:
    put(
        tmp_path,
        line(turn(1, user_message="X")).replace(b'"X"', rb'"a\ud800b\u0000c \ud83d\ude00"'),
        line(turn(2, extra={"x": ["\u2028"]})),
    )
    turns, problems = everything(tmp_path)
    assert problems == ()
    assert turns[0].user_message == "a\ufffdb\ufffdc 😀"


def test_a_whole_last_line_without_its_newline_is_read_and_half_of_one_is_reported(tmp_path: Path) -> None:
    path = put(tmp_path, line(turn(1)), line(turn(2))[:-1])
    assert len(everything(tmp_path).turns) == 2
    path.write_bytes(line(turn(1)) + line(turn(2))[:30])
    before = path.read_bytes()
    turns, problems = everything(tmp_path)
    assert len(turns) == 1
    assert "torn" in problems[0].what
    assert path.read_bytes() == before


def test_a_line_that_is_still_being_written_is_waited_for(tmp_path: Path) -> None:
    whole = line(turn(2)) + line(turn(3))[:-1]
    path = put(tmp_path, line(turn(1)), whole[:40])

    def finish() -> None:
        time.sleep(0.03)
        with path.open("ab") as stream:
            stream.write(whole[40:])

    writer = threading.Thread(target=finish)
    writer.start()
    turns, problems = everything(tmp_path)
    writer.join()
    assert problems == () or len(turns) == 2
    assert len(turns) >= 2


def test_a_last_line_that_has_been_torn_for_long_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, b"{")
    os.utime(path, (0, 0))
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it waited"))
    assert everything(tmp_path).problems


def test_utf_16_and_unreadable_files_are_one_problem_each(tmp_path: Path) -> None:
    put(tmp_path, line(turn(1)).decode().encode("utf-16"))
    (tmp_path / "2026-11-29.jsonl").mkdir()
    (tmp_path / "2026-11-28.jsonl.gz").write_bytes(b"no gzip at all")
    (tmp_path / "2026-11-27.jsonl.gz").write_bytes(gzip.compress(line(turn(2)))[:-9])
    problems = everything(tmp_path).problems
    assert [(each.file, each.line) for each in problems] == [
        ("2026-11-27.jsonl.gz", 0),
        ("2026-11-28.jsonl.gz", 0),
        ("2026-11-29.jsonl", 0),
        (f"{DAY}.jsonl", 1),
    ]
    assert str(problems[0]).startswith("2026-11-27.jsonl.gz: cannot be read")
    assert str(Problem("f", 0, "what")) == "f: what"


def test_no_folder_is_an_empty_archive_and_a_file_in_its_place_an_error(tmp_path: Path) -> None:
    assert everything(tmp_path / "none") == Reading((), ())
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be read"):
        everything(tmp_path / "file")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
TURNS = st.fixed_dictionaries(
    {"timestamp": st.datetimes(timezones=st.just(UTC)).map(datetime.isoformat), "user_message": st.text(max_size=20)},
    optional={
        "rating": st.sampled_from([None, "up", "down", 1, 5, 3.0]) | JSON,
        "help_mode": st.booleans() | JSON,
        "intent_meta": st.dictionaries(st.sampled_from(["intent", "slots", "confidence"]), JSON) | JSON,
        "assistant_message_id": st.text(max_size=3),
        "extra": JSON,
    },
)


@settings(deadline=None)
@given(JSON | TURNS)
def test_every_json_value_is_a_turn_or_is_named_as_unreadable(value: Any) -> None:
    problem: Unreadable | None = None
    try:
        found = entry(json.dumps(value).encode())
    except Unreadable as error:
        problem = error
    assert problem.reason if problem else isinstance(found, Turn) and found.request_id


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_at_all_are_a_turn_or_named_as_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        entry(data)


def test_a_rating_that_stands_in_the_turn_keeps_its_time(tmp_path: Path) -> None:
    put(tmp_path, line(turn(1, rating="up", rated_at="2026-11-30T13:00:00+01:00")))
    assert everything(tmp_path).turns[0].rated_at == NOW


def test_a_file_that_goes_away_meanwhile_is_a_problem_of_its_own(tmp_path: Path) -> None:
    put(tmp_path, line(turn(1)))
    gone = days.DayFile(tmp_path / "2026-11-29.jsonl", "2026-11-29")
    found = list(entries([gone, *days.day_files(tmp_path)]))
    assert found[0] == Problem("2026-11-29.jsonl", 0, "cannot be read", "No such file or directory")
    assert isinstance(found[1], Turn)


def test_a_census_counts_turns_ratings_and_what_came_again(tmp_path: Path) -> None:
    put(tmp_path, line(turn(1)), line(turn(1)), line(event(1, "up")), b"{}\n")
    census = check(tmp_path)
    assert census[:4] == (1, 2, 1, 1)
    assert [each.line for each in census.problems] == [4]


def test_days_at_the_ends_of_the_calendar_have_fewer_neighbours() -> None:
    assert beside("0001-01-01") == ("0001-01-01", "0001-01-02")
    assert beside("9999-12-31") == ("9999-12-31", "9999-12-30")
    first, last = days.around(date.min, date.max)
    assert (str(first), str(last)) == ("0001-01-01", "9999-12-31")


def test_turns_of_one_reading_hold_each_id_once(tmp_path: Path) -> None:
    put(tmp_path, *(line(turn(number, session_id="one session", user_id="one user")) for number in (1, 2)))
    first, second = everything(tmp_path).turns
    assert first.session_id is second.session_id
    assert first.user_id is second.user_id
