"""Archives that lie elsewhere are scanned and checked as folders are, and never written; on real file systems of fsspec."""

import gzip
import json
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fsspec", reason='needs pip install "mfgit[remote]"')

import fsspec
from fsspec.implementations.local import LocalFileSystem

from mfgit.archive import remote
from mfgit.archive.reading import check, entries
from mfgit.archive.remote import RemoteFolder
from mfgit.errors import BadInput
from tests.archives import DAY, event, everything, line, put, turn
from tests.builders import Workbench
from tests.test_scan_command import CHAT, EN, archive, scan
from tests.test_scan_command import line as asked

WINDOW = ("--days", "36500", "--until", "2100-01-01")


class Shaky(LocalFileSystem):  # type: ignore[misc]  # fsspec has no types
    """Files on this disk behind a line that breaks: the next `breaks` readings fail half-way."""

    protocol = "shaky"
    cachable = False
    breaks = 0
    error: type[Exception] = ConnectionResetError

    @classmethod
    def _strip_protocol(cls, path: Any) -> str:
        return str(super()._strip_protocol(str(path).removeprefix("shaky://")))

    def _open(self, path: str, mode: str = "rb", block_size: int | None = None, **more: Any) -> Any:
        stream = super()._open(path, mode, block_size, **more)
        return Breaking(stream, self) if mode == "rb" else stream


class Breaking:
    def __init__(self, stream: Any, system: Shaky) -> None:
        self.stream, self.system = stream, system

    def __enter__(self) -> "Breaking":
        return self

    def __exit__(self, *ignored: object) -> None:
        self.stream.close()

    def read(self, size: int = -1) -> bytes:
        data: bytes = self.stream.read(10 if Shaky.breaks else size)
        if Shaky.breaks and self.stream.tell() > 10:
            Shaky.breaks -= 1
            raise Shaky.error("the line broke")
        return data


@pytest.fixture
def shaky(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Shaky]]:
    fsspec.register_implementation("shaky", Shaky, clobber=True)
    monkeypatch.setattr(remote, "PAUSE", 0.001)
    yield Shaky
    Shaky.breaks, Shaky.error = 0, ConnectionResetError


def full(folder: Path) -> None:
    """Write three days: one plain, one compressed, one torn, and files that are none."""
    put(folder, line(turn(1)), line(turn(2)), line(event(1, "down")), day="2026-11-27")
    packed = folder / "2026-11-28.jsonl.gz"
    packed.write_bytes(gzip.compress(line(turn(3)) + line(turn(4))))
    put(folder, line(turn(5)), line(turn(6))[:40], day=DAY)
    put(folder, b"{}", day="2026-02-30")
    (folder / "notes.txt").write_text("no day", encoding="utf-8")
    (folder / "2026-11-26.jsonl").mkdir()


def zipped(folder: Path, place: Path) -> str:
    with zipfile.ZipFile(place, "w") as bundle:
        for path in folder.glob("*"):
            if path.is_file():
                bundle.write(path, f"chat/{path.name}")
    return f"zip://chat::{place}"


def in_memory(folder: Path) -> str:
    for path in folder.glob("*"):
        if path.is_file():
            fsspec.filesystem("memory").pipe_file(f"/bucket/{path.name}", path.read_bytes())
    return "memory://bucket"


@pytest.mark.parametrize("kind", ["file", "zip", "memory", "shaky"])
def test_it_reads_as_a_folder_does(kind: str, tmp_path: Path, shaky: type[Shaky]) -> None:
    full(tmp_path / "chat")
    (tmp_path / "chat" / "2026-11-26.jsonl").rmdir()
    here = everything(tmp_path / "chat")
    assert len(here.turns) == 5
    assert [str(each) for each in here.problems] == [
        f"{DAY}.jsonl:2: an unfinished last line (torn) (" + here.problems[0].reason + ")"
    ]
    urls = {
        "file": lambda: f"file://{tmp_path}/chat",
        "zip": lambda: zipped(tmp_path / "chat", tmp_path / "chat.zip"),
        "memory": lambda: in_memory(tmp_path / "chat"),
        "shaky": lambda: f"shaky://{tmp_path}/chat",
    }
    folder = RemoteFolder(urls[kind]())
    there = everything(folder)
    assert there == here
    assert check(folder) == check(tmp_path / "chat")


def test_only_day_files_of_the_window_are_fetched(tmp_path: Path) -> None:
    full(tmp_path)
    folder = RemoteFolder(f"file://{tmp_path}")
    names = [file.path.name for file in folder.day_files(date(2026, 11, 27), date(2026, 11, 28))]
    assert names == ["2026-11-27.jsonl", "2026-11-28.jsonl.gz"]
    (tmp_path / "empty").mkdir()
    assert RemoteFolder(f"file://{tmp_path}/empty").day_files(date.min, date.max) == []


@pytest.mark.parametrize("kind", ["file", "bundle", "folder in a bundle", "memory"])
def test_a_place_that_is_not_there_is_said_and_no_empty_archive(kind: str, bench: Workbench, tmp_path: Path) -> None:
    full(tmp_path / "chat")
    zipped(tmp_path / "chat", tmp_path / "chat.zip")
    urls = {
        "file": f"file://{tmp_path}/nothing",
        "bundle": f"zip://chat::{tmp_path}/nothing.zip",
        "folder in a bundle": f"zip://nothing::{tmp_path}/chat.zip",
        "memory": "memory://nothing",
    }
    with pytest.raises(BadInput):
        RemoteFolder(urls[kind]).day_files(date.min, date.max)
    ran = bench.mfgit("scan", env={"CHAT_ARCHIVE_DIR": urls[kind]})
    assert (ran.code, ran.out) == (2, "")
    assert f"The archive {urls[kind]} " in ran.err
    assert "is not there" in ran.err or "No such file" in ran.err


@pytest.mark.parametrize("error", [ConnectionResetError, RuntimeError])
def test_a_line_that_breaks_is_tried_again(tmp_path: Path, shaky: type[Shaky], error: type[Exception]) -> None:
    put(tmp_path, line(turn(1)))
    shaky.breaks, shaky.error = remote.TRIES - 1, error
    assert len(everything(RemoteFolder(f"shaky://{tmp_path}")).turns) == 1
    assert shaky.breaks == 0


def test_a_file_that_cannot_be_read_is_a_problem_of_its_own(tmp_path: Path, shaky: type[Shaky]) -> None:
    put(tmp_path, line(turn(1)), day="2026-11-28")
    put(tmp_path, line(turn(2)))
    shaky.breaks = remote.TRIES
    found = everything(RemoteFolder(f"shaky://{tmp_path}"))
    assert [one.user_message for one in found.turns] == [turn(2)["user_message"]]
    assert [str(each) for each in found.problems] == ["2026-11-28.jsonl: cannot be read (the line broke)"]


def test_damaged_compressed_days_are_problems_too(tmp_path: Path) -> None:
    (tmp_path / f"{DAY}.jsonl.gz").write_bytes(gzip.compress(line(turn(1)))[:-9])
    [problem] = everything(RemoteFolder(f"file://{tmp_path}")).problems
    assert (problem.file, problem.what) == (f"{DAY}.jsonl.gz", "cannot be read")


def test_a_file_that_goes_away_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "PAUSE", 3600)
    file = put(tmp_path, line(turn(1)))
    listed = RemoteFolder(f"file://{tmp_path}").day_files(date.min, date.max)
    file.unlink()
    assert [str(each) for each in entries(listed)] == [f"{DAY}.jsonl: cannot be read (No such file or directory)"]


def test_long_days_pass_through_files_without_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "IN_MEMORY", 10)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    full(tmp_path)
    (tmp_path / "2026-11-26.jsonl").rmdir()
    listed = RemoteFolder(f"file://{tmp_path}").day_files(date.min, date.max)
    with listed[0].open() as stream:
        assert stream.read()
        assert list((tmp_path / "tmp").iterdir()) == []
    assert everything(RemoteFolder(f"file://{tmp_path}")) == everything(tmp_path)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense://place", "The archive nonsense://place cannot be read: "),
        ("zip://chat::/nowhere/at/all.zip", "The archive zip://chat::/nowhere/at/all.zip cannot be read: "),
        ("nonsense://alice:secret@host/chat", "The archive nonsense://host/chat cannot be read: "),
    ],
)
def test_a_place_that_cannot_be_read_is_named_without_a_login(url: str, said: str) -> None:
    with pytest.raises(BadInput) as told:
        RemoteFolder(url).day_files(date.min, date.max)
    assert told.value.message.startswith(said)
    assert "secret" not in str(told.value)


def test_a_scan_proposes_the_same_from_a_bundle(bench: Workbench, tmp_path: Path) -> None:
    archive(bench, *[asked(number, text) for number, text in enumerate(EN)])
    here = scan(bench, *WINDOW, "--dry-run")
    assert here["proposals"]
    elsewhere = {"CHAT_ARCHIVE_DIR": zipped(bench.path / CHAT, tmp_path / "chat.zip")}
    ran = bench.mfgit("scan", *WINDOW, "--json", env=elsewhere)
    assert ran.code == 0, ran.err
    written = [{**each, "branch": None} for each in ran.json()["proposals"]]
    assert written == here["proposals"]
    assert {path.name for path in (tmp_path).iterdir()} == {"chat.zip", "kb"}
    [kept] = (bench.path / ".git" / "mfgit").glob("frequencies-*.json")
    assert json.loads(kept.read_text("utf-8"))["texts"] == here["frequencies"]["texts"]
    assert bench.mfgit("archive", "check", env=elsewhere).code == 0


@pytest.mark.parametrize(
    "command",
    [("append",), ("rate", "m1", "up"), ("retain",), ("search", "order"), ("forget", "--user", "u1", "--yes")],
    ids=lambda command: command[0],
)
def test_what_would_write_or_search_is_refused(bench: Workbench, command: tuple[str, ...]) -> None:
    ran = bench.mfgit("archive", *command, stdin="", env={"CHAT_ARCHIVE_DIR": "s3://key:secret@bucket/chat"})
    assert (ran.code, ran.out) == (1, "")
    assert "The archive s3://bucket/chat is only read, by mfgit scan and mfgit archive check." in ran.err
    assert "secret" not in ran.err
    assert not (bench.path / "s3:").exists()
