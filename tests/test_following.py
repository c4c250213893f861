"""What follows once a session is archived: memories as proposals, and a summary in better words, where they are wanted."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mfgit.archive.sessions import SessionStore
from mfgit.session import Session
from tests import models
from tests.archives import feed, turn
from tests.builders import Workbench
from tests.models import Answer, worded

SESSIONS = "tmp/memoryforge/conversation_archive"
TALK: dict[str, Any] = {
    "sessionId": "talk",
    "messages": [
        {"role": "user", "content": "how do i cancel an order pls?"},
        {"role": "assistant", "content": "well you just open the orders page, then press Cancel ok"},
        {"role": "user", "content": "Never use tables in your answers. 我负责支付系统的运维。"},
    ],
}
BETTER = "Asked: How do I cancel an order?"


def session(bench: Workbench, name: str = "talk") -> Session:
    found = SessionStore(bench.path / SESSIONS).read(name)
    assert found is not None
    return found


def add(bench: Workbench, *options: str, talk: dict[str, Any] = TALK) -> Any:
    ran = bench.mfgit("archive", "session", "add", "--json", *options, stdin=json.dumps(talk))
    assert ran.code == 0, ran.err
    return ran


def test_memories_are_proposed_with_the_session_and_only_when_asked_for(bench: Workbench) -> None:
    head = bench.git("rev-parse", "HEAD")
    assert add(bench).json()["proposals"] == {}
    talk = {**TALK, "sessionId": "other"}
    proposals = add(bench, "--memories", talk=talk).json()["proposals"]
    assert set(proposals.values()) == {"new"}
    assert len(proposals) == 2
    assert add(bench, "--memories", talk=talk).json()["proposals"] == {}
    assert bench.git("rev-parse", "HEAD") == head
    kept = [bench.git("ls-tree", "-r", "--name-only", f"mfgit/{one}") for one in proposals]
    assert all("_forged/memory/" in names for names in kept)


def test_a_sweep_proposes_memories_of_what_it_archives(bench: Workbench) -> None:
    when = datetime.now(UTC) - timedelta(hours=1)
    said = turn(1, when, session_id="web", user_message="Never use tables in your answers.")
    assert bench.mfgit("archive", "append", stdin=feed(said)).code == 0
    assert set(bench.mfgit("archive", "sweep", "--memories", "--json").json()["proposals"].values()) == {"new"}
    assert bench.mfgit("archive", "sweep", "--memories", "--json").json()["proposals"] == {}


def test_memories_that_cannot_be_proposed_hold_no_session_back(bench: Workbench) -> None:
    bench.write({"mfgit.toml": '[[root]]\npath = "a"\n[[root]]\npath = "b"\n', "a/x.md": "# X\n", "b/y.md": "# Y\n"})
    bench.git("add", "-A")
    bench.git("commit", "-qm", "Two roots")
    ran = add(bench, "--memories")
    assert "No memories of talk: There are 2 knowledge roots" in ran.err
    assert session(bench).messages


@pytest.mark.parametrize(
    ("answer", "worded_by"),
    [
        (worded("", BETTER + " Answered: open the orders page, then press Cancel."), "test-chat"),
        (worded("", "Asked: How do I cancel an order? Answered: call us at 555 and pay 3 dollars."), None),
        (worded("", "如何取消订单？"), None),
        (Answer(status=401), None),
    ],
    ids=["better words", "made up", "another language", "refused"],
)
def test_a_summary_is_worded_by_a_model_only_where_it_is_grounded(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch, answer: Answer, worded_by: str | None
) -> None:
    talk = {**TALK, "messages": TALK["messages"][:2]}
    add(bench, talk={**talk, "sessionId": "plain"})
    rules = session(bench, "plain").summary
    monkeypatch.setenv("MFGIT_LLM_MODEL", "test-chat")
    with models.serving(lambda *_: answer) as running:
        monkeypatch.setenv("MFGIT_LLM_URL", running.url)
        ran = add(bench, talk=talk)
        assert len(running.asked) >= 1
        add(bench, talk=talk)
    kept = session(bench)
    assert kept.extra.get("summaryBy") == worded_by
    assert (kept.summary != rules) == (worded_by is not None)
    assert ("stay in the words of the rules" in ran.err) == (answer.status != 200)
    assert len(kept.messages) == 2
    assert bench.mfgit("archive", "check").code == 0


def test_settings_of_no_use_leave_the_rules_words(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MFGIT_LLM_URL", "http://127.0.0.1:9/v1")
    assert "llm.model is not set" in add(bench).err
    assert session(bench).summary.startswith("Asked: ")
