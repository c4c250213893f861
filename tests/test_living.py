"""A project that many threads ask at once: nothing stale, nothing lost, texts read once."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mfgit.archive.appending import Ack, Rejected, ready_value
from mfgit.errors import BadInput, Refusal
from mfgit.index import postings
from mfgit.project import living
from mfgit.project.living import CachingGit, Fresh, Living
from mfgit.repo.writing import Signature, day
from tests.archives import CHAT, ids, turn
from tests.builders import Workbench


@pytest.fixture
def alive(bench: Workbench) -> Iterator[Living]:
    found = Living(bench.path)
    yield found
    found.close()


def test_a_look_is_shared_by_those_who_came_before_it_only() -> None:
    fresh: Fresh[int] = Fresh()
    early, late = next(living.moments), next(living.moments)
    looks = iter(range(10))
    assert fresh.get(early, lambda: next(looks)) == 0
    assert fresh.get(late, lambda: next(looks)) == 0
    assert fresh.get(next(living.moments), lambda: next(looks)) == 1


def test_a_look_that_failed_is_made_again() -> None:
    fresh: Fresh[int] = Fresh()
    came = next(living.moments)
    with pytest.raises(ZeroDivisionError):
        fresh.get(came, lambda: 1 // 0)
    assert fresh.get(came, lambda: 7) == 7


def test_texts_are_read_out_of_git_once(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    git = CachingGit(Living(bench.path).first.git)
    oid = bench.git("rev-parse", "HEAD:help/password.md")
    first = list(git.blobs([oid, "HEAD:help/password.md", "no such thing", oid]))
    assert [blob.data is not None for blob in first] == [True, True, False, True]
    (bench.path / ".git/objects" / oid[:2] / oid[2:]).unlink()
    assert [blob.data for blob in git.blobs([oid])] == [first[0].data]
    assert git.cache.keys() == {oid}
    monkeypatch.setattr(living, "MOST_CACHED", 1)
    git.keep([])
    assert (git.cache, git.size) == ({}, 0)


def test_appends_from_many_threads_are_each_answered(bench: Workbench, alive: Living) -> None:
    def append(number: int) -> list[Ack | Rejected]:
        values = [turn(number), {"no": "turn"}, turn(f"{number}b"), turn("the same")]
        return alive.append_ready([ready_value(place, value) for place, value in enumerate(values, 1)])

    with ThreadPoolExecutor(8) as pool:
        for number, results in enumerate(pool.map(append, range(40))):
            assert [getattr(each, "request_id", None) for each in results] == [f"r{number}", None, f"r{number}b", "rthe same"]
    held = ids(bench.path / CHAT)
    assert (len(held), max(held.values())) == (81, 1)


def test_an_archive_that_was_replaced_is_opened_again(bench: Workbench, alive: Living) -> None:
    alive.append_ready([ready_value(1, turn(1))])
    chat = bench.path / CHAT
    chat.rename(chat.with_name("old"))
    alive.append_ready([ready_value(1, turn(2))])
    assert ids(chat) == {"r2": 1}


def test_a_failure_reaches_every_caller_of_a_batch_and_the_next_append_works(bench: Workbench, alive: Living) -> None:
    chat = bench.path / CHAT
    chat.parent.mkdir(parents=True)
    chat.write_text("a file")
    with ThreadPoolExecutor(4) as pool:
        failing = [pool.submit(alive.append_ready, [ready_value(1, turn(number))]) for number in range(4)]
        assert all(isinstance(each.exception(), BadInput) for each in failing)
    chat.unlink()
    assert len(alive.append_ready([ready_value(1, turn(1))])) == 1


def test_turns_are_appended_as_to_a_project(bench: Workbench) -> None:
    with Living(bench.path) as alive:
        acks = alive.append([turn(1), turn(2)])
        assert alive.append([turn(1), turn(2)]) == acks
        with pytest.raises(BadInput, match="Turn 2 cannot be archived"):
            alive.append([turn(3), {"user_message": 1}])
        assert alive.rate(acks[1].assistant_message_id, "down") == acks[1].date
    assert ids(bench.path / CHAT) == {"r1": 1, "r2": 1, "r3": 1}


def test_searches_see_what_was_there_when_they_were_asked(bench: Workbench, alive: Living) -> None:
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            alive.search("reset password")
            alive.recall("question")

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for number in range(4):
            alive.append_ready([ready_value(1, turn(number, user_message=f"the unicorn{number}x", session_id=f"s{number}"))])
            assert len(alive.recall(f"unicorn{number}x").hits) == 1
            bench.write({f"help/page{number}.md": f"# Zeppelin{number}\n\nIt flies.\n"})
            commit = bench.commit()
            found = alive.search(f"zeppelin{number}")
            assert (found.commit, found.hits[0].passage.path) == (commit, f"help/page{number}.md")
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_a_searcher_that_finds_damage_is_not_kept_and_the_question_is_answered(
    alive: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert alive.search("reset password").hits
    alive.append_ready([ready_value(1, turn(1))])
    assert alive.recall("question").hits
    damage = iter([True, True])

    def read(*args: object) -> object:
        if next(damage, False):
            raise EOFError
        return postings_read(*args)  # type: ignore[arg-type]

    postings_read = postings.read
    monkeypatch.setattr(postings, "read", read)
    for _, kept in [*alive.passages.idle, *alive.conversations.idle]:
        for each in (kept.lists, kept.kept):
            each.clear()
    assert alive.search("forgot sign-in").hits
    assert alive.recall("question").hits
    assert next(damage, None) is None


def test_a_draft_is_edited_by_its_person_and_by_nobody_else(bench: Workbench, tmp_path: Path) -> None:
    asked = turn(1, user_message="How do I pair the scanner?", help_mode=True, rating="down")
    bench.mfgit("archive", "append", stdin=json.dumps(asked) + "\n")
    one = bench.mfgit("scan", "--since", "2026-01-01", "--json").json()["proposals"][0]["id"]
    project = Living(bench.path).project(Signature("Li Wei", "li@example.com", day("")))
    commit = str(project.show(one).known.commit)
    edited = project.edit_draft(one, "  Hold the button.\r\n", commit)
    assert edited.status == "edited"
    assert bench.git("log", "-1", "--format=%an %ae %cn", str(edited.commit)) == "Li Wei li@example.com Li Wei"
    assert next(iter(project.show(one).texts.values())) == "Hold the button."
    assert project.edit_draft(one, "Hold the button.", str(edited.commit)).commit == edited.commit
    with pytest.raises(Refusal, match="as reviewed"):
        project.edit_draft(one, "other", commit)
    bench.git("worktree", "add", "-q", str(tmp_path / "tree"), f"mfgit/{one}")
    with pytest.raises(Refusal, match="is checked out in"):
        project.edit_draft(one, "other", str(edited.commit))
    bench.git("worktree", "remove", str(tmp_path / "tree"))
    for text, said in (("", "empty"), ("a\0b", "character that is none"), ("x" * 200_001, "are the most")):
        with pytest.raises(BadInput, match=said):
            project.edit_draft(one, text, str(edited.commit))
    project.reject(one, "no")
    with pytest.raises(Refusal, match="rejected, so its text"):
        project.edit_draft(one, "other", commit)
