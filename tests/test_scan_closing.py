"""Open proposals that were done by hand close themselves; what closes, what stays, and that every clone agrees."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mfgit.model import Alias, Known
from mfgit.sections import ScanConfig
from tests.builders import Workbench
from tests.scanning import START, inputs, turn
from tests.scanning import scan as scan_turns
from tests.test_scan_command import archive, line, scan

CASES: dict[str, dict[str, Any]] = {
    "en": {
        "asks": ["How do I cancel a parcel order?", "how do i cancel my parcel order", "How do I cancel a parcel order ??"],
        "page": (
            "help/orders.md",
            "# Orders\n\n## Cancel a parcel order\n\nTo cancel a parcel order, press Cancel before it ships.\n",
        ),
        "refusal": "Sorry, I could not find an answer.",
    },
    "zh": {
        "asks": ["怎么取消快递订单？", "请问怎么取消快递订单", "怎么取消快递订单呢"],
        "page": ("help/订单.md", "# 订单\n\n## 怎么取消快递订单\n\n发货前在订单页点击取消，就可以取消快递订单。\n"),
        "refusal": "抱歉，我无法回答。",
    },
}
LANGUAGES = pytest.mark.parametrize("words", CASES.values(), ids=CASES)


def ask(bench: Workbench, words: dict[str, Any], *more: dict[str, Any]) -> str:
    """Archive an unhappy question, scan, and return the id of its proposal."""
    archive(bench, *(line(n, text, words["refusal"], rating="down") for n, text in enumerate(words["asks"])), *more)
    (found,) = scan(bench)["proposals"]
    return str(found["id"])


def write_page(bench: Workbench, words: dict[str, Any]) -> None:
    bench.write(dict([words["page"]]))
    bench.commit("write it by hand")


def statuses(bench: Workbench, **more: Any) -> dict[str, str]:
    return {one["id"]: one["status"] for one in bench.mfgit("proposals", "--json", **more).json()}


@LANGUAGES
def test_a_page_written_by_hand_closes_the_proposal_for_every_clone(bench: Workbench, words: dict[str, Any]) -> None:
    identity = ask(bench, words)
    write_page(bench, words)
    dry = scan(bench, "--dry-run")
    assert [each["id"] for each in dry["closed"]] == [identity]
    assert statuses(bench) == {identity: "open"}
    report = scan(bench)
    (closed,) = report["closed"]
    assert (closed["id"], closed["page"], report["proposals"]) == (identity, words["page"][0], [])
    assert "needed" in closed["reason"]
    assert statuses(bench) == {identity: "closed"}
    assert not bench.git("for-each-ref", "refs/heads/mfgit")
    before = bench.git("for-each-ref")
    assert scan(bench)["closed"] == []
    assert bench.git("for-each-ref") == before
    other = bench.path.parent / "other"
    bench.git("clone", "-q", ".", str(other))
    bench.git("-C", str(other), "fetch", "-q", "origin", "refs/mfgit/*:refs/mfgit/*")
    assert statuses(bench, cwd=other) == {identity: "closed"}
    shown = bench.mfgit("show", identity).out
    assert f"closed: {closed['reason']}" in shown
    assert "reopens it" in shown
    assert "was closed" in bench.mfgit("adopt", identity).err


@LANGUAGES
def test_a_closed_one_that_is_restored_stays_open_until_its_page_changes_again(bench: Workbench, words: dict[str, Any]) -> None:
    identity = ask(bench, words)
    write_page(bench, words)
    scan(bench)
    assert bench.mfgit("restore", identity).code == 0
    assert statuses(bench) == {identity: "open"}
    report = scan(bench)
    assert ([each["id"] for each in report["proposals"]], report["closed"]) == ([identity], [])
    path, text = words["page"]
    bench.write({path: f"{text}\n{text}"})
    bench.commit()
    assert [each["id"] for each in scan(bench)["closed"]] == [identity]


@LANGUAGES
def test_a_closed_one_comes_back_when_its_page_goes(bench: Workbench, words: dict[str, Any]) -> None:
    identity = ask(bench, words)
    write_page(bench, words)
    scan(bench)
    bench.git("rm", "-q", words["page"][0])
    bench.commit("take it out")
    (back,) = scan(bench)["proposals"]
    assert (back["id"], back["status"]) == (identity, "new")
    assert any("Comes back after it was closed" in why for why in back["why"])
    assert statuses(bench) == {identity: "open"}


@LANGUAGES
def test_a_complaint_after_the_page_was_written_keeps_it_open(bench: Workbench, words: dict[str, Any]) -> None:
    identity = ask(bench, words)
    write_page(bench, words)
    later = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    asked = [line(n, text, words["refusal"], rating="down") for n, text in enumerate(words["asks"])]
    archive(bench, *asked, {**line(9, words["asks"][0], "No.", rating="down"), "rated_at": later})
    report = scan(bench)
    assert ([each["id"] for each in report["proposals"]], report["closed"]) == ([identity], [])


def test_a_window_that_does_not_hold_all_that_users_said_since_closes_nothing(bench: Workbench) -> None:
    identity = ask(bench, CASES["en"])
    path, text = CASES["en"]["page"]
    bench.write({path: text})
    bench.git("add", "-A")
    when = (datetime.now(UTC) - timedelta(days=1, hours=12)).isoformat()
    bench.git("commit", "-q", "--no-verify", "-m", "by hand", env={"GIT_COMMITTER_DATE": when})
    archive(bench, line(50, "Where do penguins sleep at night?", timestamp=datetime.now(UTC).isoformat()))
    assert scan(bench, "--dry-run", "--days", "1")["closed"] == []
    ended = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    assert scan(bench, "--dry-run", "--until", ended)["closed"] == []
    assert [each["id"] for each in scan(bench, "--dry-run")["closed"]] == [identity]


def test_a_page_about_something_else_closes_nothing(bench: Workbench) -> None:
    identity = ask(bench, CASES["en"])
    bench.write({"help/ferns.md": "# Ferns\n\nWater the ferns on Monday.\n"})
    bench.commit()
    assert scan(bench)["closed"] == []
    assert statuses(bench) == {identity: "open"}


def test_what_a_person_edited_or_holds_checked_out_is_left_alone(bench: Workbench) -> None:
    identity = ask(bench, CASES["en"])
    tree = bench.path.parent / "tree"
    bench.git("worktree", "add", "-q", str(tree), f"mfgit/{identity}")
    write_page(bench, CASES["en"])
    scan(bench)
    assert statuses(bench) == {identity: "open"}
    (draft,) = (tree / "help" / "_forged").glob("*.md")
    draft.write_text(draft.read_text("utf-8") + "\nPress Cancel.\n", "utf-8")
    bench.git("-C", str(tree), "commit", "-q", "-a", "--no-verify", "-m", "answer")
    bench.git("worktree", "remove", "--force", str(tree))
    assert scan(bench)["closed"] == []
    assert statuses(bench) == {identity: "edited"}


@LANGUAGES
def test_one_that_nobody_asks_any_more_is_listed_as_waiting_and_closed_by_its_page(
    bench: Workbench, words: dict[str, Any]
) -> None:
    identity = ask(bench, words)
    report = scan(bench, "--since", f"{datetime.now(UTC):%Y-%m-%d}")
    assert [(each["id"], each["status"]) for each in report["expired"]] == [(identity, "waiting")]
    assert "not asked in this time:" in bench.mfgit("scan", "--dry-run", "--days", "1").out
    write_page(bench, words)
    archive(bench, line(50, "Where do penguins sleep at night?", timestamp=datetime.now(UTC).isoformat()))
    text = bench.mfgit("scan", "--days", "1").out
    assert "Closed, since the originals answer them now" in text
    assert statuses(bench) == {identity: "closed"}


def made(kind: str, **more: Any) -> Known:
    """Return an open proposal that a scan made of three questions."""
    asked = [turn(n, "How do I cancel a parcel order?") for n in range(3)]
    (found,) = scan_turns(inputs(asked)).proposals
    record = replace(found.record, action_type=kind, **more)
    return Known(record.id, "open", record, f"mfgit/{record.id}")


ANSWER = "Press Cancel on the orders page before the parcel ships."
PAGES = {"help/a.md": f"cancel parcel order. {ANSWER}"}
QUIET = [
    ("verified_answer", {"suggestion": ANSWER}, {"help/a.md"}, True),
    ("verified_answer", {"suggestion": ANSWER}, {"help/b.md"}, False),
    ("verified_answer", {"suggestion": "Ask the courier at the door politely."}, {"help/a.md"}, False),
    ("supplement", {}, {"help/a.md"}, True),
    ("supplement", {}, {"help/index.json"}, False),
]


@pytest.mark.parametrize(("kind", "more", "changed", "closes"), QUIET)
def test_what_was_asked_before_the_window_is_judged_by_its_record(
    kind: str, more: dict[str, Any], changed: set[str], closes: bool
) -> None:
    one = made(kind, **more)
    result = scan_turns(
        inputs([turn(50, "Where do penguins sleep?")], PAGES, known=(one,), changed={one.id: dict.fromkeys(changed, START)})
    )
    assert [each.id for each in result.closed] == [one.id] * closes
    assert [each.id for each in result.expired] == [one.id] * (not closes)


@pytest.mark.parametrize(("changed", "closes"), [({"help/index.json"}, True), ({"help/a.md"}, True), ({"help/b.md"}, False)])
def test_aliases_are_not_needed_any_more_when_the_wordings_find_the_page(changed: set[str], closes: bool) -> None:
    one = made("index", aliases=(Alias("help/a.md", "cancel my parcel"),))
    given = inputs([turn(50, "penguins?")], PAGES, known=(one,), changed={one.id: dict.fromkeys(changed, START)})
    assert bool(scan_turns(given).closed) == closes


def test_a_closed_proposal_gives_its_place_to_the_next() -> None:
    one = made("supplement")
    asked = [turn(60 + n, "Where do the penguins sleep at night?") for n in range(3)]
    given = inputs(asked, PAGES, known=(one,), changed={one.id: {"help/a.md": START}}, settings=ScanConfig(max_open=1))
    assert [proposal.status for proposal in scan_turns(given).proposals] == ["new"]
    given = inputs(asked, PAGES, known=(one,), settings=ScanConfig(max_open=1))
    assert [proposal.status for proposal in scan_turns(given).proposals] == ["waiting"]
