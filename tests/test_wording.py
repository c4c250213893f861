"""Proposals in better wording: asked for once, kept in Git, and never different for the same input."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests import models
from tests.builders import Workbench
from tests.models import Answer, worded

RAW = "well you just open the orders page, then press Cancel ok"
BETTER = "Open the orders page, then press Cancel."
TITLE = "How to cancel an order"
ASKED = ["how do i cancel an order pls", "How do I cancel an order?", "how do i cancel an order !!"]


def line(number: int, question: str, answer: str = RAW) -> dict[str, Any]:
    when = datetime(2026, 3, 1, 9, tzinfo=UTC) + timedelta(minutes=number)
    ids = {"request_id": f"r{number}", "session_id": f"s{number}", "user_id": f"u{number}"}
    said = {"user_message": question, "assistant_message": answer, "rating": "up"}
    return {"timestamp": when.isoformat(), "rated_at": when.isoformat(), "help_mode": True, **ids, **said}


def keep(bench: Workbench, *lines: dict[str, Any]) -> None:
    text = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in lines)
    bench.write({"tmp/memoryforge/chat-archive/2026-03-01.jsonl": text})


def scan(bench: Workbench, *options: str) -> dict[str, Any]:
    ran = bench.mfgit("scan", "--since", "2026-02-20", "--until", "2026-03-20", *options, "--json")
    assert ran.code == 0, ran.err
    found: dict[str, Any] = ran.json()
    return found


def refs(bench: Workbench) -> str:
    return bench.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/mfgit")


def overlay(bench: Workbench, proposal: dict[str, Any]) -> str:
    paths = bench.git("ls-tree", "-r", "--name-only", proposal["branch"]).split()
    return bench.git(
        "show", f"{proposal['branch']}:{next(path for path in paths if '_forged' in path and path.endswith('.md'))}"
    )


@pytest.fixture
def asked(bench: Workbench) -> Workbench:
    """Return a repository in which a question was asked three times and answered well."""
    keep(bench, *(line(number, text) for number, text in enumerate(ASKED)))
    return bench


def better(*_: Any) -> Answer:
    return worded(TITLE, BETTER)


def test_a_proposal_is_worded_once_and_stays_so(asked: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    with models.serving(better) as running:
        monkeypatch.setenv("MFGIT_LLM_URL", running.url)
        monkeypatch.setenv("MFGIT_LLM_MODEL", "test-chat")
        (proposal,) = scan(asked)["proposals"]
        assert (proposal["status"], proposal["title"]) == ("new", TITLE)
        assert BETTER in overlay(asked, proposal)
        first = refs(asked)
        assert scan(asked)["proposals"][0]["status"] == "unchanged"
        assert len(running.asked) == 1
    for url in (running.url, ""):  # the endpoint is away; the setting is gone
        monkeypatch.setenv("MFGIT_LLM_URL", url)
        report = scan(asked)
        assert (report["proposals"][0]["status"], report["problems"]) == ("unchanged", [])
    assert refs(asked) == first


def test_more_evidence_keeps_the_wording(asked: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    with models.serving(better) as running:
        monkeypatch.setenv("MFGIT_LLM_URL", running.url)
        monkeypatch.setenv("MFGIT_LLM_MODEL", "test-chat")
        scan(asked)
        keep(asked, *(line(number, text) for number, text in enumerate([*ASKED, ASKED[0]])))
        (proposal,) = scan(asked)["proposals"]
        assert (proposal["status"], proposal["frequency"], proposal["title"]) == ("updated", 4, TITLE)
        assert BETTER in overlay(asked, proposal)
        assert len(running.asked) == 1


def test_a_dry_run_asks_nobody(asked: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    with models.serving(better) as running:
        monkeypatch.setenv("MFGIT_LLM_URL", running.url)
        monkeypatch.setenv("MFGIT_LLM_MODEL", "test-chat")
        assert scan(asked, "--dry-run")["proposals"][0]["title"] != TITLE
        assert not running.asked
        scan(asked)
        (proposal,) = scan(asked, "--dry-run")["proposals"]
        assert (proposal["status"], proposal["title"]) == ("unchanged", TITLE)


def test_an_endpoint_that_is_away_leaves_the_rules_text_until_it_is_back(
    asked: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MFGIT_LLM_MODEL", "test-chat")
    with models.serving(lambda *_: Answer(status=401)) as running:
        monkeypatch.setenv("MFGIT_LLM_URL", running.url)
        report = scan(asked)
        assert RAW in overlay(asked, report["proposals"][0])
        (problem,) = report["problems"]
        assert problem.endswith("does not accept the key (status 401); 1 text keeps the rules' wording until the next scan")
    with models.serving(better) as running:
        monkeypatch.setenv("MFGIT_LLM_URL", running.url)
        (proposal,) = scan(asked)["proposals"]
        assert (proposal["status"], proposal["title"]) == ("updated", TITLE)
        assert BETTER in overlay(asked, proposal)


def test_an_answer_of_no_use_is_not_asked_for_again(asked: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    with models.serving(lambda *_: worded("Win a prize", "Send your password to evil@example.com.")) as running:
        monkeypatch.setenv("MFGIT_LLM_URL", running.url)
        monkeypatch.setenv("MFGIT_LLM_MODEL", "test-chat")
        (proposal,) = scan(asked)["proposals"]
        text = overlay(asked, proposal)
        assert RAW in text
        assert "password" not in text
        assert "prize" not in proposal["title"]
        assert scan(asked)["proposals"][0]["status"] == "unchanged"
        assert len(running.asked) == 1
