"""Damage: torn lines, other programs in between, disks that refuse."""

import errno
import fcntl
import gzip
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from mfgit.archive import dayfile
from mfgit.archive.appending import Ack, append_values
from mfgit.archive.dayfile import Writer
from mfgit.archive.ids import Ids, find
from mfgit.archive.reading import check
from mfgit.archive.store import Store
from mfgit.errors import BadInput
from tests.archives import CHAT, DAY, NOW, feed, ids, line, put, stored, turn
from tests.builders import Workbench


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "chat") as opened:
        yield opened


TAILS = {
    "half a line": line(turn(2))[:40],
    "half a character": line(turn(2))[: line(turn(2)).index("怎".encode()) + 1],
    "zeros": bytes(64),
    "long": b'{"user_message": "' + b"x" * 200_000,
}


@pytest.mark.parametrize("tail", TAILS.values(), ids=TAILS)
@pytest.mark.parametrize("before", [b"", line(turn(1))], ids=["alone", "after a line"])
def test_a_torn_last_line_is_set_aside_once_and_reported(store: Store, tail: bytes, before: bytes) -> None:
    path = put(store.folder, before, tail)
    append_values(store, [turn(3)])
    assert ids(store.folder) == ({"r1": 1, "r3": 1} if before else {"r3": 1})
    assert path.with_name(path.name + ".quarantine").read_bytes() == tail + b"\n"
    assert f"{DAY}.jsonl.quarantine" in store.notes[0]
    assert path.stat().st_size > len(before) + len(tail)  # nothing was cut off


def test_a_whole_last_line_without_its_newline_is_kept(store: Store) -> None:
    put(store.folder, line(turn(1)), line(turn(2))[:-1])
    append_values(store, [turn(2), turn(3)])
    assert set(ids(store.folder)) == {"r1", "r2", "r3"}
    assert not store.notes


def test_blanks_at_the_end_are_written_after_and_nothing_is_set_aside(store: Store) -> None:
    put(store.folder, line(turn(1)), b"   ")
    append_values(store, [turn(2)])
    assert ids(store.folder) == {"r1": 1, "r2": 1}
    assert not store.notes


def test_a_line_that_its_writer_finishes_in_time_is_not_set_aside(store: Store) -> None:
    whole = line(turn(1))
    path = put(store.folder, whole[:30])

    def finish() -> None:
        time.sleep(0.03)
        with path.open("ab") as stream:
            stream.write(whole[30:])

    writer = threading.Thread(target=finish)
    writer.start()
    append_values(store, [turn(2)])
    writer.join()
    assert ids(store.folder) == {"r1": 1, "r2": 1}


def test_a_writer_that_goes_on_just_when_its_line_is_set_aside_gets_it_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = line(turn(1))
    path = put(store.folder, whole[:30])
    blank = Writer.blank

    def late(self: Writer, start: int, end: int) -> None:
        blank(self, start, end)
        monkeypatch.setattr(Writer, "blank", blank)
        with path.open("ab") as stream:
            stream.write(whole[30:])

    monkeypatch.setattr(Writer, "blank", late)
    monkeypatch.setattr(dayfile, "TORN_WAIT", 0)
    append_values(store, [turn(2)])
    assert ids(store.folder) == {"r1": 1, "r2": 1}


def test_a_line_that_fell_into_another_ones_half_is_taken_back_and_written_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_values(store, [turn(0)])
    path = store.folder / f"{DAY}.jsonl"
    head, rest = b'{"timestamp": "2026-11-30T12:00:00Z", "request_id": "foreign", ', b'"user_message": "x"}\n'
    mend, calls = Writer.mend, []

    def later() -> None:
        with path.open("ab") as stream:
            stream.write(rest)

    def between(self: Writer) -> dayfile.Mended:
        mended = mend(self)
        calls.append(1)
        if len(calls) == 1:
            with path.open("ab") as stream:
                stream.write(head)  # after we looked at the end of the file
            threading.Timer(0.03, later).start()
        return mended

    monkeypatch.setattr(Writer, "mend", between)
    monkeypatch.setattr(dayfile, "TORN_WAIT", 10)  # a loaded machine may run the timer late
    append_values(store, [turn(1)])
    assert ids(store.folder) == {"r0": 1, "foreign": 1, "r1": 1}


def test_a_writer_that_never_finishes_its_lines_is_given_up_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Writer, "landed", lambda self, data, expected: None)
    with pytest.raises(BadInput, match="unfinished"):
        append_values(store, [turn(1)])


def test_a_write_cut_short_by_the_disk_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    append_values(store, [turn(1)])
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:20]))
    with pytest.raises(BadInput, match="No space left") as failure:
        append_values(store, [turn(2)])
    assert "acknowledged is safe" in failure.value.hint
    monkeypatch.undo()
    assert ids(store.folder) == {"r1": 1}
    append_values(store, [turn(2)])
    assert ids(store.folder) == {"r1": 1, "r2": 1}


def test_a_write_cut_short_before_another_programs_line_is_blanked_not_cut_off(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_values(store, [turn(1)])
    path, write = store.folder / f"{DAY}.jsonl", os.write

    def short(descriptor: int, data: bytes) -> int:
        written = write(descriptor, data[:20])
        with path.open("ab") as stream:
            stream.write(line(turn("foreign")))
        return written

    monkeypatch.setattr(os, "write", short)
    with pytest.raises(BadInput):
        append_values(store, [turn(2)])
    monkeypatch.undo()
    assert ids(store.folder) == {"r1": 1, "rforeign": 1}


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EFBIG, errno.EIO])
def test_a_disk_that_refuses_is_a_sentence(store: Store, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(descriptor: int, data: bytes) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "write", refuse)
    with pytest.raises(BadInput, match=os.strerror(number)):
        append_values(store, [turn(1)])


def test_a_full_disk_is_noticed_before_the_write(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    full = os.statvfs_result((4096, 4096, 100, 0, 0, 10, 10, 10, 0, 255))
    monkeypatch.setattr(os, "fstatvfs", lambda descriptor: full)
    with pytest.raises(BadInput, match="No space left"):
        append_values(store, [turn(1)])
    assert stored(store.folder) == []


def test_a_quarantine_that_cannot_be_written_leaves_the_torn_line_where_it_is(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(store.folder, b'{"half')
    monkeypatch.setattr(os, "write", lambda descriptor, data: 0)
    with pytest.raises(BadInput):
        append_values(store, [turn(1)])
    assert path.read_bytes() == b'{"half'


def test_a_crash_after_the_quarantine_does_not_set_the_line_aside_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.quarantine"
    dayfile.keep(path, b"half")
    dayfile.keep(path, b"half")
    dayfile.keep(path, b"other")
    assert path.read_bytes() == b"half\nother\n"


def test_more_days_than_may_be_open_are_all_written_and_each_is_synced(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mfgit.archive.appending.OPEN_DAYS", 3)
    monkeypatch.setattr("mfgit.archive.store.OPEN_DAYS", 3)
    synced, sync = Counter[str](), Writer.sync

    def noted(self: Writer) -> None:
        assert self.current()
        synced[self.path.name] += 1
        sync(self)

    monkeypatch.setattr(Writer, "sync", noted)
    for key in "ab":
        acks = append_values(store, [turn(f"{key}{n}", NOW - timedelta(days=n)) for n in range(9)])
        assert [ack.request_id for ack in acks if isinstance(ack, Ack)] == [f"r{key}{n}" for n in range(9)]
    assert len(ids(store.folder)) == 18
    assert list(synced.values()) == [2] * 9


def test_ids_are_found_in_files_larger_than_one_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mfgit.archive.ids.CHUNK", 100)
    path = put(tmp_path, *[line(turn(n, filler="x" * 300)) for n in range(5)], b'{"request_id": "half"')
    known = Ids(path)
    known.refresh()
    assert set(known.places) == {f"r{n}" for n in range(5)}
    assert known.turn("r3") is not None
    assert known.turn("half") is None
    with path.open("rb") as stream:
        found = find(stream, "assistant_message_id", "m4")
    assert found is not None
    assert found["request_id"] == "r4"


def test_an_id_on_a_damaged_line_is_no_stored_turn(store: Store) -> None:
    path = put(
        store.folder,
        rb'{"request_id": "r\x", "user_message": "?"}' + b"\n",
        b'{"request_id": "r1", \n',
        b'["request_id", "r2"]\n',
    )
    known = Ids(path)
    known.refresh()
    assert [known.turn(request_id) for request_id in known.places] == [None, None]
    append_values(store, [turn(1), turn(2)])
    assert path.read_bytes().count(b'"r1"') == 2


def test_a_pipe_in_place_of_a_day_file_is_named_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / f"{DAY}.jsonl")
    problems = check(tmp_path).problems
    assert [(problem.file, problem.what) for problem in problems] == [(f"{DAY}.jsonl", "cannot be read")]
    with pytest.raises(OSError, match="not a regular file"):
        Writer(tmp_path / f"{DAY}.jsonl")


PACKED = gzip.compress(
    b"".join(line(turn(f"old{n}", NOW - timedelta(days=1), filler=os.urandom(900).hex())) for n in range(50))
)
DAMAGE = {
    "cut off": PACKED[: len(PACKED) // 2],
    "overwritten": PACKED[:5000] + bytes(3000) + PACKED[8000:],
    "no gzip": b"plain text\n",
    "a lone header": PACKED[:12],
}


@pytest.mark.parametrize("data", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_compressed_day_is_named_and_passed_over(bench: Workbench, data: bytes) -> None:
    folder = bench.path / CHAT
    folder.mkdir(parents=True)
    path = folder / "2026-11-29.jsonl.gz"
    path.write_bytes(data)
    ran = bench.mfgit("archive", "append", stdin=feed(turn(1, user_id="u1"), turn(2, user_id="u2")))
    assert ran.code == 0, ran.err
    assert path.name in ran.err
    talk = '{"sessionId": "t1", "messages": [{"role": "user", "content": "How?", "time": "2026-11-30T10:00:00Z"}]}'
    assert bench.mfgit("archive", "session", "add", stdin=talk).code == 0
    assert bench.mfgit("archive", "rate", "m1", "1").code == 0
    ran = bench.mfgit("archive", "rate", "nobody", "1")
    assert (ran.code, path.name in ran.err) == (2, True)
    for words in (("check",), ("check", "--rescan"), ("check", "--rescan", "--mend")):
        ran = bench.mfgit("archive", *words)
        assert ran.code == 1, ran.err
        assert path.name in ran.out + ran.err
    ran = bench.mfgit("archive", "forget", "--user", "u1", "--yes")
    assert ran.code == 0, ran.err
    assert path.name in ran.err
    left = b"".join(each.read_bytes() for each in folder.glob("*.jsonl"))
    assert (b'"r1"' in left, b'"r2"' in left) == (False, True)
    assert path.read_bytes() == data


def test_a_folder_named_like_a_day_file_is_passed_over(bench: Workbench) -> None:
    for name in ("2026-11-29.jsonl", "2026-11-28.jsonl.gz", "2020-01-01.jsonl"):
        (bench.path / CHAT / name).mkdir(parents=True)
    assert bench.mfgit("archive", "append", stdin=feed(turn(1, user_id="u1"), turn(2, user_id="u2"))).code == 0
    ran = bench.mfgit("archive", "forget", "--user", "u1", "--yes")
    assert ran.code == 0, ran.err
    assert "2026-11-29.jsonl: it is not a regular file" in ran.err
    assert bench.mfgit("archive", "check", "--rescan").code == 1


@pytest.mark.parametrize("takes", [True, False], ids=["a disk that takes it", "a file system that knows no such thing"])
def test_where_the_system_has_a_stronger_fsync_it_is_the_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, takes: bool
) -> None:
    """macOS has F_FULLFSYNC; in its place stands a call that every system has, or one that fails everywhere."""
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", fcntl.F_GETFD if takes else -1, raising=False)
    weaker: list[int] = []
    monkeypatch.setattr(os, "fdatasync", weaker.append, raising=False)
    with (tmp_path / "day").open("ab") as file:
        dayfile.sync_data(file.fileno())
    assert bool(weaker) is not takes
