"""JSON of any size is read value by value, cut off or not, and sources give their files."""

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mfgit.errors import BadInput
from mfgit.importers import jsonstream
from mfgit.importers.found import Damage, Skipped
from mfgit.importers.jsonstream import documents, is_lines, lines, records
from mfgit.importers.source import Member, Source

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def member(data: bytes) -> Member:
    return Member("export.json", len(data), lambda: io.BytesIO(data), lambda size: None)


@pytest.fixture(params=[1, 3, 1 << 20], ids="{} characters at a time".format)
def pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(jsonstream, "CHUNK", request.param)
    return int(request.param)


@settings(max_examples=60, deadline=None)
@given(values=st.lists(VALUES, max_size=5), ascii_only=st.booleans(), indent=st.sampled_from([None, 1]), size=st.integers(1, 9))
def test_the_elements_of_an_array_come_out_as_they_are(values: Any, ascii_only: bool, indent: int | None, size: int) -> None:
    data = json.dumps(values, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "replace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonstream, "CHUNK", size)
        assert list(documents(member(data))) == jsonstream.repaired(json.loads(data))


@settings(max_examples=60, deadline=None)
@given(values=st.lists(st.dictionaries(st.text("ab", max_size=3), VALUES), min_size=1, max_size=5), cut=st.floats(0, 1))
def test_of_an_array_that_is_cut_off_the_whole_elements_come_out(values: Any, cut: float) -> None:
    data = json.dumps(values).encode()
    part = data[: 1 + int(cut * (len(data) - 2))]
    *whole, last = documents(member(part))
    assert whole == jsonstream.repaired(json.loads(data))[: len(whole)]
    assert isinstance(last, Damage)
    assert "cut off" in last.what


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=60))
def test_any_bytes_give_values_or_a_reason(data: bytes) -> None:
    for read in (documents, lines, records):
        for value in read(member(data)):
            json.dumps(value, default=str).encode()


def test_an_object_may_wrap_the_array(pieces: int) -> None:
    data = json.dumps({"version": 1, "chats": [{"a": 1}, {"b": [2]}], "more": {}}).encode()
    assert list(documents(member(data), ("chats",))) == [{"a": 1}, {"b": [2]}]
    assert list(documents(member(data))) == [json.loads(data)]


@pytest.mark.parametrize(
    ("data", "values", "what"),
    [
        (b'[{"a": 1}, {"b": ', [{"a": 1}], "cut off"),
        (b'[{"a": 1}, {"b": tr', [{"a": 1}], "cut off"),
        (b'[{"a": 1}', [{"a": 1}], "cut off"),
        (b'[{"a": 1}] [2]', [{"a": 1}], "behind its end"),
        (b'[{"a": 1}, {b: 2}, {"c": 3} ' + b" " * 99 + b"]", [{"a": 1}], "not valid"),
        (b'[{"a": 1} {"b": 2}]', [{"a": 1}], "not valid"),
        (b"[1, " + b"9" * 5000 + b", 2]", [1], "thousands of digits"),
        (b"[" * 100_000, [], "too deeply"),  # from Python 3.12 on, many thousands can be read
        (b"<html>", [], "not valid"),
    ],
)
def test_what_is_whole_comes_out_and_the_rest_is_told(pieces: int, data: bytes, values: list[Any], what: str) -> None:
    *whole, last = documents(member(data))
    assert whole == values
    assert isinstance(last, Damage)
    assert what in last.what


@pytest.mark.parametrize("data", [b"", b" \n\n", b"[]", b"\xef\xbb\xbf[ ]"])
def test_of_nothing_comes_nothing(pieces: int, data: bytes) -> None:
    assert list(documents(member(data))) == []


HUGE = (
    "x" * 5000,
    "字" * 1001,
    ["]"] * 900,
    {"a": 'so "they" said \\', "b": [{"c": "}" * 2000}, '\\"{'] * 3},
    [[["\\" * 3000]], {}],
)


@pytest.mark.parametrize("chunk", [1, 7, 100, 1 << 16])
@pytest.mark.parametrize("huge", HUGE, ids=["string", "han", "array", "object", "backslashes"])
def test_a_value_beyond_the_limit_is_counted_and_the_others_come_out(
    monkeypatch: pytest.MonkeyPatch, huge: Any, chunk: int
) -> None:
    monkeypatch.setattr(jsonstream, "CHUNK", chunk)
    monkeypatch.setattr(jsonstream, "LIMIT", 1000)
    told, small = Skipped(jsonstream.TOO_LARGE), {"a": "字" * 900}
    for values in ([small, huge], [huge, small], [huge], [huge, huge, small, huge], [small, huge, small]):
        expected = [told if value is huge else value for value in values]
        data = json.dumps(values, ensure_ascii=False).encode()
        assert list(documents(member(data))) == expected
        assert list(documents(member(b'{"of": %b}' % data), ("of",))) == expected
        wrapped = [{"of": value} if value is huge else value for value in values]
        rows = b"".join(json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in wrapped)
        assert list(lines(member(rows))) == expected
    assert list(documents(member(json.dumps({"of": huge}).encode()))) == [told]
    *_, last = documents(member(json.dumps([small, huge]).encode()[:-8]))
    assert isinstance(last, Damage)


def test_bytes_that_are_no_text_and_odd_escapes_become_replacement_marks() -> None:
    data = b'[{"a": "\xff"}, {"b": "\\ud800 \\u0000"}]'
    assert list(documents(member(data))) == [{"a": "\ufffd"}, {"b": "\ufffd \ufffd"}]
    assert list(lines(member(b'{"b": "\\ud800"}\n'))) == [{"b": "\ufffd"}]


def test_lines_that_are_none_are_counted_and_a_torn_last_one_is_damage() -> None:
    data = b'\xef\xbb\xbf{"a": 1}\r\n\nnonsense\n[2]\n{"b": '
    assert list(lines(member(data))) == [
        {"a": 1},
        Skipped("unreadable line"),
        [2],
        Damage("export.json", "its last line is cut off"),
    ]


def test_a_last_line_without_its_end_is_fine() -> None:
    assert list(lines(member(b'{"a": 1}\n{"b": 2}'))) == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b'{"a": 1}\n{"a": 2}\n', True),
        (b'{"a": 1}', True),
        (b'broken\n{"a": 2}\n{"a": 3}\n', True),
        (b'{"a": "' + b"x" * 1000, True),
        (b'{\n "a": 1\n}', False),
        (b'[{"a": 1}]', False),
        (b'\xef\xbb\xbf  [{"a": 1},\n{"b": 2}]', False),
        (b'{"chats": [{"a": 1}]}', False),
        (b'{"chats": [{"a": "' + b"x" * 1000, False),
    ],
)
def test_json_lines_are_told_from_one_value(head: bytes, expected: bool) -> None:
    assert is_lines(head, ("chats",)) is expected


def test_a_folder_gives_its_files_but_no_hidden_ones_and_no_links(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for name in ("a/b.json", "c.jsonl", ".hidden"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "link.json").symlink_to("/etc/hostname")
    assert [each.name for each in Source(tmp_path).members] == ["a/b.json", "c.jsonl"]


def test_a_zip_file_gives_its_members_as_streams_and_none_that_packers_add(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for name in ("b.json", "a/../../c.json", "__MACOSX/._b.json", "a/.DS_Store"):
            archive.writestr(name, "{}")
    with Source(tmp_path / "x.zip") as source:
        assert [each.name for each in source.members] == ["a/../../c.json", "b.json"]
        assert source.members[1].open().read() == b"{}"
        assert (source.read, source.size) == (2, 4)


def test_a_zip_file_without_its_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", "[" + "1," * 5000 + "1]")
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(BadInput, match="not a whole zip"):
        Source(path)


def test_a_damaged_member_of_a_zip_file_gives_what_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.json", json.dumps([{"n": n} for n in range(100_000)]))
    data = bytearray(path.read_bytes())
    data[900_000] ^= 1
    path.write_bytes(data)
    with Source(path) as source:
        *whole, last = documents(source.members[0])
    assert whole[:2] == [{"n": 0}, {"n": 1}]
    assert isinstance(last, Damage)


def test_a_gzipped_file_is_unpacked_and_a_torn_one_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.gz"
    data = gzip.compress(b"".join(b'{"n": %d}\n' % n for n in range(1000)))
    path.write_bytes(data)
    assert len(list(lines(Source(path).members[0]))) == 1000
    path.write_bytes(data[: len(data) // 2])
    assert isinstance(list(lines(Source(path).members[0]))[-1], Damage)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"missing\.json cannot be read"):
        Source(tmp_path / "missing.json")
