"""`mfgit archive` as a user runs it."""

import json
import os
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mfgit.errors import BadInput
from mfgit.project import archiving
from tests.archives import CHAT, DAY, feed, ids, line, put, turn
from tests.builders import Workbench


def test_append_prints_one_acknowledgement_a_turn(bench: Workbench) -> None:
    ran = bench.mfgit("archive", "append", stdin="\ufeff" + feed(turn(1), turn(2)) + "\n\n" + feed(turn(3)).strip())
    assert ran.code == 0, ran.err
    assert [json.loads(each) for each in ran.out.splitlines()] == [
        {"request_id": f"r{n}", "assistant_message_id": f"m{n}", "date": DAY} for n in (1, 2, 3)
    ]
    assert ran.err == ""


def test_the_example_in_help_and_in_the_documentation_is_a_turn(bench: Workbench) -> None:
    lines = map(str.strip, bench.mfgit("archive", "append", "--help").out.splitlines())
    (example,) = [each for each in lines if each.startswith('{"timestamp": ')]
    assert example in (Path(__file__).parents[1] / "docs/reference/archive.md").read_text("utf-8")
    ran = bench.mfgit("archive", "append", stdin=example)
    assert (ran.code, json.loads(ran.out)["request_id"]) == (0, "r0001")


def test_append_names_a_bad_line_goes_on_and_ends_with_2(bench: Workbench) -> None:
    ran = bench.mfgit(
        "archive", "append", stdin=feed(turn(1)) + '\n{"timestamp": 7, "user_message": "sesame"}\n' + feed(turn(2))
    )
    assert ran.code == 2
    assert len(ran.out.splitlines()) == 2
    assert "line 3: not a turn" in ran.err
    assert "sesame" not in ran.err


def test_append_says_what_it_set_aside_and_check_remembers(bench: Workbench) -> None:
    put(bench.path / CHAT, b'{"half')
    assert "quarantine" in bench.mfgit("archive", "append", stdin=feed(turn(1))).err
    ran = bench.mfgit("archive", "check")
    assert ran.code == 0
    assert "quarantine: holds unfinished lines" in ran.out


def test_rate_and_check_by_the_command_line(bench: Workbench) -> None:
    bench.mfgit("archive", "append", stdin=feed(turn(1)))
    ran = bench.mfgit("archive", "rate", "m1", "2", "--reason", "incomplete", "--reason", "wrong", "--note", "no", "--json")
    assert ran.json() == {"assistant_message_id": "m1", "rating": 2, "date": DAY}
    assert bench.mfgit("archive", "rate", "m1", "up").out == f"Rated m1 up, in the file of {DAY}.\n"
    assert bench.mfgit("archive", "rate", "nobody", "up").code == 2
    assert bench.mfgit("archive", "rate", "m1", "great").code == 2
    put(bench.path / CHAT, b"oops\n", line(turn(1)), line(turn(1)), day="2026-11-29")
    ran = bench.mfgit("archive", "check")
    assert ran.code == 1
    assert "2026-11-29.jsonl:1: not valid JSON" in ran.out
    assert "2 turns came again" in ran.out
    assert bench.mfgit("archive", "check", "--json").json()["problems"][0]["line"] == 1


def test_rate_says_what_it_set_aside(bench: Workbench) -> None:
    put(bench.path / CHAT, line(turn(1)), b'{"half')
    ran = bench.mfgit("archive", "rate", "m1", "up")
    assert ran.code == 0
    assert "set aside" in ran.err


def test_the_python_interface_appends_rates_and_checks(bench: Workbench) -> None:
    from mfgit.project import Project

    project = Project.open(bench.path)
    assert [ack.request_id for ack in project.append([turn(1)])] == ["r1"]
    assert project.rate("m1", "up") == DAY
    assert project.check_archive().turns == 1
    with pytest.raises(BadInput, match="Turn 2 cannot be archived: not a turn"):
        project.append([turn(2), {"user_message": 5}])
    assert archiving.quarantined(project) == []


def test_a_relative_folder_of_the_environment_starts_at_the_top(bench: Workbench) -> None:
    (bench.path / "sub").mkdir()
    ran = bench.mfgit("archive", "append", stdin=feed(turn(1)), env={"CHAT_ARCHIVE_DIR": "elsewhere"}, cwd=bench.path / "sub")
    assert ran.code == 0
    assert ids(bench.path / "elsewhere") == {"r1": 1}


def test_a_folder_that_cannot_be_written_is_a_sentence_and_nothing_is_acknowledged(bench: Workbench) -> None:
    (bench.path / "file").write_text("in the way")
    for arguments in (("append",), ("rate", "m1", "up")):
        ran = bench.mfgit("archive", *arguments, stdin=feed(turn(1)), env={"CHAT_ARCHIVE_DIR": "file/chat"})
        assert ran.code == 2
        assert ran.out == ""
        assert "The archive folder" in ran.err


def test_a_read_only_folder_is_a_sentence(bench: Workbench) -> None:
    put(bench.path / CHAT, line(turn(1))).parent.chmod(0o555)
    ran = bench.mfgit("archive", "append", stdin=feed(turn(2)), bound=True)
    (bench.path / CHAT).chmod(0o755)
    assert ran.code == 2
    assert "Permission denied" in ran.err


@pytest.mark.parametrize("pieces", [[b"", b"a\nb", b"c\n\n  \nd"], [b"\xef\xbb\xbfa\n", b"b\r\n"], [b"a" * 70_000 + b"\nb"]])
def test_batches_number_lines_and_join_what_comes_in_pieces(pieces: list[bytes]) -> None:
    read_end, write_end = os.pipe()

    def write() -> None:
        for piece in pieces:
            os.write(write_end, piece)
            time.sleep(0.02)
        os.close(write_end)

    writer: threading.Thread = threading.Thread(target=write)
    writer.start()
    found = [each for batch in archiving.batches(read_end) for each in batch]
    writer.join()
    os.close(read_end)
    whole = b"".join(pieces).removeprefix(b"\xef\xbb\xbf").split(b"\n")
    assert found == [(number, text) for number, text in enumerate(whole, 1) if text.strip()]


def test_a_closed_input_is_a_sentence(bench: Workbench) -> None:
    words = f"{shlex.quote(sys.executable)} -I -m mfgit archive append <&-"
    ran = subprocess.run(["sh", "-c", words], cwd=bench.path, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "Standard input is closed" in ran.stderr


def test_an_input_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    with pytest.raises(BadInput, match="The turns cannot be read: Is a directory"):
        list(archiving.batches(descriptor))
    os.close(descriptor)
