"""Bad input through the command line: a clear sentence, the right exit code, nothing lost and nothing half-written."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mfgit.cli.group import COMMANDS
from tests.builders import PAGES, Ran, Workbench

DAY = (datetime.now(UTC) - timedelta(days=2)).date().isoformat()
ARCHIVE = "tmp/memoryforge/chat-archive"
QUESTION = "Can I mount the gateway outdoors?"
ANSWER = "No. The housing is rated IP20, so rain gets in. Put the gateway into a closed IP65 cabinet made of plastic."
READERS = [
    pytest.param(["scan", "--dry-run"], id="scan"),
    pytest.param(["proposals"], id="proposals"),
    pytest.param(["search", "password"], id="search"),
    pytest.param(["context", "password"], id="context"),
    pytest.param(["doctor"], id="doctor"),
]


def turn(number: int, question: str = QUESTION, **more: object) -> dict[str, object]:
    return {
        "timestamp": f"{DAY}T09:{number % 60:02}:00Z",
        "request_id": f"r{number}",
        "session_id": f"s{number}",
        "assistant_message_id": f"a{number}",
        "help_mode": True,
        "user_message": question,
        "assistant_message": ANSWER,
        "rating": "up",
        **more,
    }


def lines(turns: Sequence[Mapping[str, object]]) -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in turns)


def fill(bench: Workbench, count: int = 6) -> None:
    ran = bench.mfgit("archive", "append", stdin=lines([turn(number) for number in range(count)]))
    assert ran.code == 0, ran.err


def sentence(ran: Ran, code: int, *words: str) -> None:
    """Check that a command ended with a code and a sentence that holds some words, and no traceback."""
    assert "Traceback" not in ran.err, ran.err
    assert ran.code == code, (ran.code, ran.out, ran.err)
    for word in words:
        assert word in ran.err, ran.err


def everything(bench: Workbench) -> dict[str, str]:
    """Return what must not move: every ref, the staging area, and every file of the work tree that is not the archive's."""
    files = {str(p.relative_to(bench.path)): p for p in bench.path.rglob("*") if p.is_file() and ".git" not in p.parts}
    return {
        "refs": bench.git("for-each-ref", "--format=%(refname) %(objectname)"),
        "head": (bench.path / ".git/HEAD").read_text(),
        "staged": bench.git("ls-files", "--stage"),
        **{name: place.read_bytes().hex() for name, place in files.items()},
    }


NO_BYTECODE = "-B"
"""Python 3.11 would leave half a cached module behind where no file may grow, and the next test would trip over it."""


def limited(bench: Workbench, size: int, *words: str, stdin: str = "") -> Ran:
    """Run mfgit where no file may grow past a size: what a full disk looks like to a program."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    ran = subprocess.run(
        [sys.executable, "-I", NO_BYTECODE, "-m", "mfgit", *words], cwd=bench.path, input=stdin.encode(), capture_output=True,
        check=False, preexec_fn=limit,
    )  # fmt: skip
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


# ---- a malformed archive line


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("{not json", id="no JSON"),
        pytest.param('["a list"]', id="no object"),
        pytest.param('{"user_message": "no time"}', id="a field missing"),
        pytest.param('{"timestamp": "yesterday", "user_message": "x"}', id="no time"),
        pytest.param('{"timestamp": "2026-01-01T00:00:00", "user_message": "x"}', id="no offset"),
        pytest.param('{"timestamp": "2026-01-01T00:00:00Z", "user_message": 7}', id="a wrong type"),
        pytest.param("[" * 100_000, id="nested too deeply"),
    ],
)
def test_a_malformed_line_is_named_and_the_good_ones_are_kept(bench: Workbench, line: str) -> None:
    ran = bench.mfgit("archive", "append", stdin=lines([turn(1)]) + line + "\n" + lines([turn(2)]))
    sentence(ran, 2, "line 2")
    assert [json.loads(ack)["request_id"] for ack in ran.out.splitlines()] == ["r1", "r2"]
    assert (bench.path / ARCHIVE / f"{DAY}.jsonl").read_text().count('"request_id"') == 2


def test_a_damaged_line_in_a_day_file_is_reported_and_stops_nothing(bench: Workbench) -> None:
    fill(bench)
    place = bench.path / ARCHIVE / f"{DAY}.jsonl"
    stored = place.read_bytes()
    damaged = stored.replace(b"\n", b'\n{"torn": \xff\n', 1)
    place.write_bytes(damaged)
    checked = bench.mfgit("archive", "check")
    assert checked.code == 1
    assert f"{DAY}.jsonl" in checked.out + checked.err
    assert "2" in checked.out + checked.err
    scanned = bench.mfgit("scan", "--dry-run", "--json")
    assert scanned.code == 0
    assert scanned.json()["turns"]["read"] == 6
    assert f"{DAY}.jsonl" in scanned.err
    assert place.read_bytes() == damaged


# ---- an unknown setting


@pytest.mark.parametrize("words", [["scan", "--dry-run"], ["proposals"], ["init", "--yes"], ["archive", "check"]], ids=" ".join)
def test_an_unknown_setting_is_named_with_the_nearest_known_one(bench: Workbench, words: list[str]) -> None:
    bench.write({"mfgit.toml": "[scan]\nday = 3\n"})
    before = everything(bench)
    sentence(bench.mfgit(*words), 2, "unknown setting scan.day", "Did you mean days?")
    assert everything(bench) == before


def test_a_search_reads_the_commit_and_names_an_unknown_setting_there(bench: Workbench) -> None:
    bench.write({"mfgit.toml": "[scan]\nday = 3\n"})
    sentence(bench.mfgit("search", "reset a password"), 0)
    bench.commit()
    sentence(bench.mfgit("search", "reset a password"), 0, "unknown setting scan.day")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("target = ", "not valid TOML", id="broken TOML"),
        pytest.param("[scan]\ndays = 'many'\n", "scan.days", id="a wrong type"),
        pytest.param("[scan]\ndays = 0\n", "above 0", id="a number out of range"),
        pytest.param("[[root]]\npath = '../x'\n", "cannot be a knowledge root", id="a root outside"),
        pytest.param(b"target = '\xff'\n", "not UTF-8", id="another encoding"),
    ],
)
def test_a_wrong_setting_is_named_with_what_it_should_be(bench: Workbench, text: str | bytes, said: str) -> None:
    bench.write({"mfgit.toml": text})
    sentence(bench.mfgit("proposals"), 2, "mfgit.toml", said)


# ---- a broken index.json


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(b'{"version": 1,\n "docs": [}', "line 2", id="no JSON"),
        pytest.param(b'{"docs": [],\n "docs": []}', "twice", id="a key twice"),
        pytest.param(b"\xef\xbb\xbf{}", "byte order mark", id="BOM"),
        pytest.param(b'{"docs": "\xff"}', "UTF-8", id="another encoding"),
        pytest.param(b'{"docs": [{"path": "password.md", "aliases": [1]}]}', "line 1", id="an alias that is no string"),
        pytest.param(b"[" * 5000, "nested too deeply", id="nested too deeply"),
        pytest.param(b"", "help/index.json", id="empty"),
    ],
)
def test_a_broken_index_file_is_named_with_its_line_and_stays(bench: Workbench, text: bytes, said: str) -> None:
    bench.write({"help/index.json": text, "help/new.md": "# New\n"})
    bench.commit()
    before = everything(bench)
    sentence(bench.mfgit("init", "--yes"), 2, "help/index.json", said)
    assert everything(bench) == before
    found = bench.mfgit("search", "reset a password")
    sentence(found, 0, "help/index.json")
    assert "help/password.md" in found.out


def test_an_adopt_beside_a_broken_index_file_names_it_and_moves_nothing(bench: Workbench) -> None:
    bench.write({"help/index.json": '{"docs": [}'})
    bench.commit()
    fill(bench)
    scanned = bench.mfgit("scan", "--json")
    sentence(scanned, 0)
    before = everything(bench)
    sentence(bench.mfgit("adopt", scanned.json()["proposals"][0]["id"]), 2, "help/index.json", "line 1")
    assert everything(bench) == before


# ---- a repository without commits


@pytest.mark.parametrize("words", READERS)
def test_a_repository_without_commits_says_so(tmp_path: Path, words: list[str]) -> None:
    bench = Workbench(tmp_path)
    bench.git("init", "-q", "-b", "main")
    bench.write(PAGES)
    sentence(bench.mfgit(*words), 2, "no commits yet", "git commit")


def test_conversations_can_be_kept_before_the_first_commit(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    bench.git("init", "-q", "-b", "main")
    fill(bench)
    assert bench.mfgit("archive", "check").code == 0


# ---- a shallow clone


@pytest.fixture
def shallow(bench: Workbench, tmp_path: Path) -> Workbench:
    bench.write({"help/more.md": "# More\n"})
    bench.commit("more")
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{bench.path}", str(tmp_path / "shallow")], check=True)
    return Workbench(tmp_path / "shallow")


def test_the_guard_refuses_to_judge_a_range_it_cannot_see(shallow: Workbench) -> None:
    shallow.write({"help/more.md": "# Changed\n"})
    shallow.commit("change")
    base = "0" * 39 + "1"
    ran = shallow.mfgit("guard", "--range", f"{base}..HEAD", "--ref", "refs/heads/main", "--actor", "someone")
    sentence(ran, 2)
    assert ran.err.strip()


def test_a_shallow_clone_answers_and_decides_nothing(shallow: Workbench) -> None:
    """What became of each proposal stands in the history, and that is not there."""
    fill(shallow)
    before = everything(shallow)
    for words in (("scan",), ("proposals",), ("adopt", "0123456789abcdef")):
        sentence(shallow.mfgit(*words), 2, "git fetch --unshallow")
    assert everything(shallow) == before
    sentence(shallow.mfgit("search", "password"), 0)
    shallow.git("fetch", "-q", "--unshallow")
    identity = shallow.mfgit("scan", "--json").json()["proposals"][0]["id"]
    sentence(shallow.mfgit("adopt", identity), 0)
    assert "IP65" in shallow.mfgit("search", QUESTION).out


# ---- a detached HEAD


def test_the_loop_works_on_a_detached_head_and_leaves_it(bench: Workbench) -> None:
    fill(bench)
    bench.git("checkout", "-q", "--detach")
    head = bench.git("rev-parse", "HEAD")
    identity = bench.mfgit("scan", "--json").json()["proposals"][0]["id"]
    sentence(bench.mfgit("adopt", identity), 0)
    assert (bench.path / ".git/HEAD").read_text().strip() == head
    assert bench.git("rev-parse", "main") != head
    assert "IP65" not in bench.mfgit("search", QUESTION).out
    assert "IP65" in bench.mfgit("search", QUESTION, "--ref", "main").out


# ---- file names in any encoding

NAMES = [
    pytest.param(b"help/caf\xe9.md", id="Latin-1"),
    pytest.param("help/帮助.md".encode("gb18030"), id="GB 18030"),
    pytest.param(b"help/two\nlines.md", id="a line break"),
    pytest.param(b'help/"quoted"\t.md', id="a quote and a tab"),
    pytest.param(b"help/\x1b[31mred.md", id="a terminal sequence"),
    pytest.param("help/e\u0301.md".encode(), id="decomposed"),
    pytest.param(b"help/-rf.md", id="looks like an option"),
    pytest.param(b"help/:(glob)*.md", id="looks like a pathspec"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_with_an_odd_name_breaks_no_command(bench: Workbench, name: bytes) -> None:
    bench.write({os.fsdecode(name): "# Thermostat\n\nTurn the thermostat clockwise.\n"})
    bench.commit()
    fill(bench)
    for words in (["init", "--yes"], ["search", "thermostat"], ["context", "thermostat"], ["scan"], ["proposals"], ["doctor"]):
        ran = bench.mfgit(*words)
        sentence(ran, ran.code)
        assert ran.code in ((0, 1) if words == ["doctor"] else (0,)), (words, ran)
        assert "\x1b" not in ran.out + ran.err
    found = bench.mfgit("search", "thermostat", "--json")
    assert found.json()["hits"]


# ---- a 20 MB page


def test_a_page_of_20_megabytes_is_read_like_any_other(bench: Workbench) -> None:
    section = (
        "## Step {}\n\nThe pump of loop {} hums. 循环泵{}发出嗡嗡声。\n\n" + "Filler text about nothing at all. " * 30 + "\n\n"
    )
    big = "# Pumps\n\n" + "".join(section.format(n, n, n) for n in range(18_000))
    assert len(big.encode()) > 20_000_000 * 0.95
    bench.write({"help/big.md": big + "## The needle\n\nA xylophone is under the pump.\n"})
    bench.commit()
    sentence(bench.mfgit("init", "--yes"), 0)
    found = bench.mfgit("search", "xylophone", "-n", "1", "--json")
    sentence(found, 0)
    hit = found.json()["hits"][0]
    assert (hit["path"], hit["heading"].endswith("The needle")) == ("help/big.md", True)


def test_a_page_that_is_one_long_line_breaks_nothing(bench: Workbench) -> None:
    bench.write({"help/line.md": "# Line\n\n" + "word " * 1_000_000})
    bench.commit()
    sentence(bench.mfgit("search", "password"), 0)


# ---- a disk that fills


def test_a_full_disk_stops_an_append_and_what_was_acknowledged_is_there(bench: Workbench) -> None:
    fill(bench)
    place = bench.path / ARCHIVE / f"{DAY}.jsonl"
    before = place.read_bytes()
    many = [turn(number, "x" * 3000) for number in range(100, 140)]
    ran = limited(bench, len(before) + 20_000, "archive", "append", stdin=lines(many))
    sentence(ran, 2, "cannot be written")
    acknowledged = {json.loads(line)["request_id"] for line in ran.out.splitlines()}
    after = place.read_bytes()
    assert after.startswith(before)
    stored = {json.loads(line)["request_id"] for line in after.decode().splitlines()}
    assert acknowledged <= stored
    assert bench.mfgit("archive", "check").code == 0
    assert bench.mfgit("archive", "append", stdin=lines(many)).code == 0
    assert len(place.read_bytes().splitlines()) == 6 + 40


@pytest.mark.parametrize("words", [["init", "--yes"], ["scan"]], ids=lambda words: words[0])
def test_a_full_disk_leaves_refs_and_files_as_they_were(bench: Workbench, words: list[str]) -> None:
    bench.write({"help/new.md": "# New\n"})
    fill(bench)
    before = everything(bench)
    ran = limited(bench, 100, *words)
    sentence(ran, 2)
    assert ran.err.strip()
    assert everything(bench) == before
    assert bench.mfgit(*words).code == 0


def test_a_search_without_room_for_its_index_answers_or_says_why(bench: Workbench) -> None:
    ran = limited(bench, 100, "search", "reset a password")
    sentence(ran, ran.code)
    assert ran.code in (0, 2)
    assert ran.out or ran.err
    assert "help/password.md" in bench.mfgit("search", "reset a password").out


def test_a_full_disk_stops_an_adopt_before_the_target_moves(bench: Workbench) -> None:
    fill(bench)
    identity = bench.mfgit("scan", "--json").json()["proposals"][0]["id"]
    before = everything(bench)
    sentence(limited(bench, 20, "adopt", identity), 2)
    assert everything(bench) == before
    assert bench.git("fsck", "--no-dangling") == ""
    assert bench.mfgit("adopt", identity).code == 0


# ---- whatever comes


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("demo", "guard", "serve")])
def test_no_command_shows_a_traceback_for_a_damaged_repository(bench: Workbench, name: str) -> None:
    fill(bench, 1)
    (bench.path / ".git/HEAD").write_text("ref: refs/heads/\n")
    needs: dict[str, list[str]] = {
        "search": ["x"],
        "context": ["x"],
        "eval": ["missing.jsonl"],
        "archive": ["check"],
        "init": ["--yes"],
    }
    taking = ("show", "adopt", "restore", "undo")
    more = needs.get(name) or (["0123456789abcdef"] if name in taking else [])
    ran = bench.mfgit(name, *more, *(["0123456789abcdef", "--reason", "x"] if name == "reject" else []))
    assert ran.code in (0, 1, 2), ran
    assert "Traceback" not in ran.err
