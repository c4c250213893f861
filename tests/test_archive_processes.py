"""Many processes, kill -9, full and read-only disks."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.archives import CHAT, DAY, feed, ids, line, put, stored, turn
from tests.builders import Workbench


def command(bench: Workbench, *arguments: str, limit: int | None = None) -> subprocess.Popen[bytes]:
    """Start `mfgit archive append` with pipes, in a process group of its own."""

    start = [] if limit is None else ["-c", LIMITED, str(limit), sys.executable]
    return subprocess.Popen(
        # -B: Python 3.11 would leave half a cached module behind where no file may grow
        [sys.executable, *start, *(["-B"] if start else []), "-I", "-m", "mfgit", "archive", "append", *arguments],
        cwd=bench.path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


LIMITED = """
import os, resource, sys
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Yield a disk of 300 kB, where one can be mounted."""
    point = tmp_path / "disk"
    point.mkdir()
    arguments = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(point)]
    if os.geteuid() or shutil.which("mount") is None or subprocess.run(arguments, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield point
    subprocess.run(["umount", "-l", str(point)], check=True)


def test_a_full_disk_and_then_a_read_only_one_lose_nothing(bench: Workbench, small_disk: Path) -> None:
    env, folder = {"CHAT_ARCHIVE_DIR": str(small_disk / "chat")}, small_disk / "chat"
    assert bench.mfgit("archive", "append", stdin=feed(turn("first")), env=env).code == 0
    (small_disk / "ballast").write_bytes(bytes(200_000))
    ran = bench.mfgit("archive", "append", stdin=feed(*[turn(n, filler="x" * 900) for n in range(300)]), env=env)
    acked = {json.loads(each)["request_id"] for each in ran.out.splitlines()}
    assert ran.code == 2
    assert "No space left" in ran.err
    assert acked | {"rfirst"} <= set(ids(folder))
    (small_disk / "ballast").unlink()
    assert bench.mfgit("archive", "append", stdin=feed(turn("after")), env=env).code == 0
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    before = ids(folder)
    ran = bench.mfgit("archive", "append", stdin=feed(turn("late")), env=env)
    assert (ran.code, ran.out) == (2, "")
    assert "Read-only file system" in ran.err
    assert bench.mfgit("archive", "rate", "mfirst", "up", env=env).code == 2
    assert ids(folder) == before


def test_a_file_that_may_not_grow_keeps_whole_lines_only_and_works_again_later(bench: Workbench) -> None:
    turns = [turn(n, filler="x" * 900) for n in range(2000)]
    process = command(bench, limit=400_000)
    out, err = process.communicate(b"".join(map(line, turns)))
    acks = {json.loads(each)["request_id"] for each in out.splitlines()}
    assert process.returncode == 2
    assert 0 < len(acks) < len(turns)
    assert b"The archive folder" in err
    assert acks <= set(ids(bench.path / CHAT))
    assert bench.mfgit("archive", "append", stdin=feed(turn("after"))).code == 0


def test_acknowledgements_come_while_the_input_is_still_open(bench: Workbench) -> None:
    process = command(bench)
    assert process.stdin is not None
    assert process.stdout is not None
    for n in range(3):
        process.stdin.write(line(turn(n)))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["request_id"] == f"r{n}"
    process.communicate()
    assert process.returncode == 0


def test_acknowledged_turns_survive_kill_9_at_any_moment(bench: Workbench) -> None:
    chance, sent, acked = random.Random(7), set(), set()
    for number in range(40):
        process = command(bench)
        turns = [turn(f"{number}-{n}", filler="y" * chance.choice([10, 500, 9000])) for n in range(40)]
        sent |= {value["request_id"] for value in turns}
        assert process.stdin is not None
        assert process.stdout is not None
        writer = threading.Thread(target=feeding, args=(process.stdin, b"".join(map(line, turns))))
        writer.start()
        lines: list[bytes] = []
        reader = threading.Thread(target=collect, args=(process.stdout, lines))
        reader.start()
        if number % 4:
            wait_for_one(lines)
            time.sleep(chance.random() * 0.01)
        else:
            time.sleep(chance.random() * 0.3)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        writer.join()
        reader.join()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None and not pipe.closed:
                close(pipe)
        acked |= {json.loads(each)["request_id"] for each in lines if each.endswith(b"\n")}
    ran = bench.mfgit("archive", "append", stdin=feed(turn("last")))
    assert ran.code == 0
    found = ids(bench.path / CHAT)
    assert set(found.values()) == {1}
    assert acked <= set(found) <= sent | {"rlast"}
    assert acked


def collect(pipe: Any, lines: list[bytes]) -> None:
    """Note each line as it comes."""
    for each in pipe:
        lines += [each]


def wait_for_one(lines: list[bytes]) -> None:
    """Return once there is a line, or the machine is too busy for it."""
    stop = time.monotonic() + 20
    while not lines and time.monotonic() < stop:
        time.sleep(0.001)


def feeding(pipe: Any, data: bytes) -> None:
    """Write to a process that may be killed meanwhile, and leave its input open."""
    try:
        pipe.write(data)
        pipe.flush()
    except OSError:
        return


def close(pipe: Any) -> None:
    """Close a pipe whose other end is gone."""
    try:
        pipe.close()
    except OSError:
        return


FOREIGN = """
import json, sys, time
path, count = sys.argv[1], int(sys.argv[2])
for n in range(count):
    turn = {"timestamp": "2026-11-30T08:00:00+00:00", "request_id": f"foreign-{n}", "user_message": "word " * (n * 37 % 1500)}
    with open(path, "a") as file:
        file.write(json.dumps(turn) + "\\n")
    time.sleep(0.0005)
"""


def test_many_writers_raters_and_a_foreign_program_at_once_lose_nothing(bench: Workbench) -> None:
    folder = bench.path / CHAT
    put(folder, line(turn("rated")))
    foreign = subprocess.Popen([sys.executable, "-c", FOREIGN, str(folder / f"{DAY}.jsonl"), "600"])
    writers = [command(bench) for _ in range(4)]
    batches = [[turn(f"{w}-{n}", filler="z" * 400) for n in range(60)] + [turn("same")] for w in range(4)]

    def run(writer: subprocess.Popen[bytes], batch: list[dict[str, Any]], into: list[bytes]) -> None:
        into.extend(writer.communicate(b"".join(map(line, batch)))[0].splitlines())

    outs: list[list[bytes]] = [[] for _ in writers]
    threads = [threading.Thread(target=run, args=each) for each in zip(writers, batches, outs, strict=True)]
    for thread in threads:
        thread.start()
    ratings = [bench.mfgit("archive", "rate", "mrated", "down").code for _ in range(4)]
    for thread in threads:
        thread.join()
    assert foreign.wait() == 0
    assert [writer.returncode for writer in writers] == [0] * 4
    assert ratings == [0] * 4
    found = ids(folder)
    assert set(found.values()) == {1}
    assert len(found) == 600 + 240 + 2
    assert all(len(out) == 61 for out in outs)
    assert sum(value.get("event") == "rating" for value in stored(folder)) == 4
