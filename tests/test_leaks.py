"""What must not enter Git is found by place, name and content, in what is staged and in a range; good work is let through."""

import gzip
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit import leaks
from mfgit.errors import BadInput
from mfgit.leaks import File
from mfgit.project import Project, leaking
from tests.builders import Workbench

TOP = Path(__file__).parent.parent
FOLDERS = ("tmp/chat", "tmp/sessions")
TURN = {"timestamp": "2026-10-01T09:00:00+00:00", "user_message": "How?", "assistant_message": "So."}
RATING = {"event": "rating", "assistant_message_id": "a1", "rating": "up"}
SESSION = {"sessionId": "s1", "date": "2026-10-01", "messages": [{"role": "user", "content": "How?"}], "summary": "x"}
KEY = "AKIAIOSFODNN7EXAMPLE"
DAY = "".join(json.dumps(line) + "\n" for line in (TURN, RATING, TURN)).encode()
FRONT = """\
---
proposal: 81ecb82d6d5cb009
title: Can I?
based_on:
- path: help/a.md
  blob: 5d1c0b0b8d4a7ff0c2b5a5bb5cc3e6d0e4f2a3b1
sources:
- 3f2504e0-4f89-41d3-9a0c-0305e82c3301
created: '2026-10-02T01:02:00+00:00'
---
"""


def found(path: str, data: bytes | str | None, *allowed: str) -> list[str]:
    raw = data.encode() if isinstance(data, str) else data
    return [leak.rule for leak in leaks.find([File(path, raw)], FOLDERS, allowed)]


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("tmp/chat/2026-10-01.jsonl", DAY),
        ("tmp/chat/.mfgit/frequencies.json", b"{}"),
        ("TMP/Chat/x", b"x"),
        ("tmp/sessions/index.json", b"[]"),
        ("tmp/chat/link", None),
        ("2026-10-01.jsonl", DAY),
        ("help/2026-10-01.jsonl", b'{"timestamp": "2026", "request_id": "r", "topic": "x"}\n'),
        ("help/2026-10-01.jsonl", b"not json\n" * 50 + json.dumps(TURN).encode()),
        ("help/2026-10-01.jsonl.gz", gzip.compress(DAY)),
        ("help/2026-10-01.jsonl.gz", b"\x1f\x8bbroken"),
        ("help/2026-10-01.jsonl.quarantine", b'{"timest'),
        ("help/x.quarantine", b""),
        ("help/2026-10-01.jsonl~", DAY),
        ("help/notes.txt", DAY),
        ("help/notes.md", b"\xef\xbb\xbf" + DAY.replace(b"\n", b"\r\n")),
        ("help/picture.png", gzip.compress(DAY)),
        ("help/export.json", json.dumps([TURN, TURN], indent=1).encode()),
        ("help/export.json", json.dumps({"turns": [TURN]}, indent=1).encode()),
        ("help/s1.json", json.dumps(SESSION, indent=2).encode()),
        ("help/catalogue.json", json.dumps({"sessions": [{"sessionId": "s1", "summary": "x"}]}).encode()),
        ("help/_forged/turns.json", json.dumps(TURN).encode()),
    ],
)
def test_archive_files_are_refused(path: str, data: bytes | None) -> None:
    assert found(path, data) == ["archive"]


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("tmp/chat/.gitignore", b"*\n"),
        ("tmp/chatter/a.md", b"# a\n"),
        ("help/2026-10-01.jsonl", b'{"question": "How?", "doc_ids": ["a.md"]}\n'),
        ("help/2026-10-01.jsonl", b""),
        ("help/format.md", "# The format\n\nA turn:\n\n```json\n" + json.dumps(TURN) + "\n```\n\nMore words.\n\nAnd more.\n"),
        ("app/session.json", b'{"sessionId": "x", "token": 1}'),
        ("app/model.py", "user_message = 1\nassistant_message = 2\n"),
        ("schemas/turn.schema.json", b'{"required": ["timestamp", "user_message"], "properties": {"user_message": {}}}'),
        ("help/picture.png", b"\x1f\x8b\x00"),
        ("help/large.bin", None),
        ("help/a.md", f"our key is {KEY}\n"),
    ],
)
def test_other_files_are_let_through(path: str, data: bytes | str | None) -> None:
    assert found(path, data) == []


@pytest.mark.parametrize(
    "text",
    [
        f"# A\n\nUse {KEY}.\n",
        FRONT + "\npassword: hunter2xQ9!\n",
        FRONT.replace("Can I?", f"'Can I use {KEY}?'") + "\n# A\n",
        FRONT + "\n身份证 11010519491231002X\n",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEAx7\n-----END RSA PRIVATE KEY-----\n",
        f"---\nproposal: {KEY}\n",
    ],
    ids=["key", "password", "title", "resident id", "private key", "front matter that does not end"],
)
def test_secrets_in_overlays_are_refused(text: str) -> None:
    assert set(found("help/_forged/a.md", text)) == {"secret"}
    assert found("help/a.md", text) == []


def test_a_refusal_names_kind_and_line_and_never_the_secret() -> None:
    text = FRONT + f"\n# A\n\nUse {KEY}, and {KEY} again.\n"
    [leak] = leaks.find([File("help/_forged/a.md", text.encode())], ())
    assert leak.why == "holds what redaction takes out: aws-key in line 14"


@pytest.mark.parametrize(
    "text",
    [
        FRONT + "\n# A\n\nTurn it off and on.\n",
        FRONT + "\n# A\n\nWrite to support@example.com or call +49 30 1234567.\n",
        FRONT + "\n# A\n\nYour password: `<YOUR_PASSWORD>`, or [redacted:password].\n",
    ],
    ids=["plain", "contacts", "placeholders"],
)
def test_an_overlay_without_secrets_is_let_through(text: str) -> None:
    assert found("help/_forged/a.md", text) == []


def record(**more: Any) -> str:
    ids = {"id": "504958e1d56c7303", "keys": ["504958e1d56c7303", "81ecb82d6d5cb009"], "root": "help"}
    source = {"path": "help/a.md", "blob": "5d1c0b0b8d4a7ff0c2b5a5bb5cc3e6d0e4f2a3b1"}
    entry = {"request_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "date": "2026-10-01", "excerpt": "How?"}
    return json.dumps({**ids, "title": "How?", "evidence": [entry], "based_on": [source], **more}, indent=2)


def test_a_record_is_read_text_by_text() -> None:
    path = "help/_forged/proposals/504958e1d56c7303.json"
    assert found(path, record()) == []
    assert found(path, record(title=f"Use {KEY}")) == ["secret"]
    assert found(path, record(evidence=[{"excerpt": "write to jane.doe@example.org"}])) == ["secret"]
    assert found(path, record(keys={"text": f"Use {KEY}"})) == ["secret"]
    assert found(path, record()[:-1] + f', "x": "{KEY}"')[:1] == ["secret"]
    [leak] = leaks.find([File(path, record(title="\u00fc" + KEY).encode())], ())
    assert leak.why.endswith("aws-key")


def test_what_is_allowed_by_pattern_or_folder_is_let_through() -> None:
    assert found("tests/turns.jsonl", DAY, "tests/*.jsonl") == []
    assert found("tests/deep/turns.jsonl", DAY, "tests/") == []
    assert found("test/turns.jsonl", DAY, "tests") == ["archive"]


def test_what_is_staged_and_in_a_range_is_found_in_this_process_too(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.git("checkout", "-q", "-b", "work")
    bench.write({"notes.txt": DAY})
    guilty = bench.commit()
    bench.write({"more.txt": DAY})
    bench.git("add", "-A")
    (bench.path / "link").symlink_to("more.txt")
    bench.git("add", "link")
    kb = Project.open(bench.path)
    assert [each.path for each in leaking.staged(kb)] == ["more.txt"]
    monkeypatch.setenv(f"GITHEAD_{guilty}", "work")
    assert [each.path for each in leaking.staged(kb)] == ["more.txt"]
    assert [(each.path, each.commit) for each in leaking.in_range(kb, "main..work")] == [("notes.txt", guilty)]
    assert leaking.in_range(kb, "work..work") == []
    with pytest.raises(BadInput, match="is not a range"):
        leaking.in_range(kb, "main")


@given(st.text(max_size=60), st.binary(max_size=200))
def test_no_file_is_too_odd(path: str, data: bytes) -> None:
    list(leaks.find([File(path, data), File(f"_forged/{path}", data), File("2026-10-01.jsonl", data)], FOLDERS))


# ---- the command


def guard(bench: Workbench, *arguments: str, env: dict[str, str] | None = None) -> set[tuple[str, str]]:
    ran = bench.mfgit("archive", "guard", "--json", *arguments, env=env)
    schema = json.loads((TOP / "schemas/guard.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(ran.json())
    assert ran.code == (1 if ran.json()["violations"] else 0)
    return {(each["path"], each["rule"]) for each in ran.json()["violations"]}


def test_what_is_staged_is_judged_and_not_what_lies_about(bench: Workbench) -> None:
    bench.write({"notes.txt": DAY, "help/_forged/a.md": f"# a\n\n{KEY}\n"})
    assert guard(bench) == set()
    bench.git("add", "-A")
    bench.write({"notes.txt": b"clean\n", "help/_forged/a.md": b"clean\n"})
    assert guard(bench) == {("notes.txt", "archive"), ("help/_forged/a.md", "secret")}
    said = bench.mfgit("archive", "guard")
    assert "refused. Conversations and secrets stay out of Git." in said.err
    assert "git rm --cached -f -- notes.txt" in said.err
    assert "take it out, then git add -- help/_forged/a.md" in said.err
    assert KEY not in said.err
    bench.git("rm", "-q", "--cached", "-f", "notes.txt")
    bench.git("add", "help/_forged/a.md")
    assert guard(bench, "--staged") == set()


def test_the_first_commit_is_judged_too(tmp_path: Path) -> None:
    (tmp_path / "kb").mkdir()
    bench = Workbench(tmp_path / "kb")
    bench.git("init", "-q")
    bench.write({"notes.txt": DAY, "tmp/memoryforge/chat-archive/a": b"x"})
    bench.git("add", "-f", ".")
    assert guard(bench) == {("notes.txt", "archive"), ("tmp/memoryforge/chat-archive/a", "archive")}


def test_the_folders_are_the_settings_and_the_environments(bench: Workbench) -> None:
    bench.write({"mfgit.toml": '[archive]\nchat = "talk"\n', "talk/a": b"x", "said/b": b"x"})
    bench.git("add", "-A")
    assert guard(bench) == {("talk/a", "archive")}
    assert guard(bench, env={"CHAT_ARCHIVE_DIR": str(bench.path / "said")}) == {("said/b", "archive")}
    assert guard(bench, env={"CHAT_ARCHIVE_DIR": "/somewhere/else"}) == set()
    assert guard(bench, env={"CHAT_ARCHIVE_DIR": "."}) == set()
    assert guard(bench, "--allow", "talk") == set()


def test_what_a_merge_takes_over_is_there_already(bench: Workbench) -> None:
    bench.git("checkout", "-q", "-b", "old")
    bench.write({"notes.txt": DAY})
    bench.commit()
    bench.git("checkout", "-q", "-b", "new", "main")
    bench.commit()
    bench.git("merge", "-q", "--no-commit", "--no-ff", "old")
    assert guard(bench) == set()
    bench.write({"more.txt": DAY})
    bench.git("add", "-A")
    assert guard(bench) == {("more.txt", "archive")}


def test_a_range_is_judged_commit_by_commit(bench: Workbench) -> None:
    bench.write({"old.txt": DAY})
    bench.commit()
    bench.git("checkout", "-q", "-b", "work")
    bench.write({"notes.txt": DAY, "a.txt": "x"})
    guilty = bench.commit()
    bench.git("rm", "-q", "notes.txt")
    bench.commit()
    bench.git("mv", "old.txt", "older.txt")
    bench.commit()
    assert guard(bench, "--range", "main..work") == {("notes.txt", "archive"), ("older.txt", "archive")}
    said = bench.mfgit("archive", "guard", "--range", "main..work").err
    assert f"(commit {guilty[:12]})" in said
    assert "git rm --cached -f -- notes.txt && git commit --amend" in said
    assert guard(bench, "--range", "work..work") == set()
    assert guard(bench, "--range", f"main..{guilty}", "--allow", "*.txt") == set()


def test_a_secret_in_a_range_is_taken_out_of_its_commit(bench: Workbench) -> None:
    bench.git("checkout", "-q", "-b", "work")
    bench.write({"help/_forged/a.md": f"# a\n\n{KEY}\n"})
    bench.commit()
    assert (
        "take it out of help/_forged/a.md, git commit -a --amend"
        in bench.mfgit("archive", "guard", "--range", "main..work").err
    )


@pytest.mark.parametrize("span", ["main", "main..gone", "gone..main", "..", "--all..main"])
def test_what_is_no_range_is_bad_input(bench: Workbench, span: str) -> None:
    ran = bench.mfgit("archive", "guard", f"--range={span}")
    assert (ran.code, "is not a range of commits of this clone" in ran.err) == (2, True)


def test_a_shallow_clone_is_refused(bench: Workbench, tmp_path: Path) -> None:
    bench.commit()
    bench.git("clone", "-q", "--depth=1", f"file://{bench.path}", str(tmp_path / "shallow"))
    ran = Workbench(tmp_path / "shallow").mfgit("archive", "guard", "--range", "HEAD..HEAD")
    assert (ran.code, "This clone is shallow" in ran.err) == (2, True)


def test_two_stages_at_once_are_bad_input(bench: Workbench) -> None:
    assert bench.mfgit("archive", "guard", "--staged", "--range", "main..main").code == 2


def test_very_many_and_very_large_files_are_read_a_bounded_part_at_a_time(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write({f"{number}.txt": DAY for number in range(9)})
    bench.write({"large.txt": DAY * 9})
    bench.git("add", "-A")
    monkeypatch.setattr(leaking, "AT_ONCE", 2 * len(DAY))
    monkeypatch.setattr(leaking, "LARGEST", 8 * len(DAY))
    assert {each.path for each in leaking.staged(Project.open(bench.path))} == {f"{number}.txt" for number in range(9)}
