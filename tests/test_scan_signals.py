"""What counts as a sign, what is set aside, and that one user, one session or a robot never stands for many."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.model import Known, Turn
from mfgit.scan import gather as g
from mfgit.scan.bursts import FLOODED, HAMMERED, askings
from mfgit.scan.signals import LIFTS, signs
from mfgit.sections import ScanConfig
from tests.scanning import START, inputs, scan, turn

WORDS = {
    "en": ("How do I change the billing address?", "Sorry, I could not find an answer.", "Where is the invoice archive?"),
    "zh": ("怎么修改发票抬头？", "抱歉，我无法回答。", "电子发票在哪里下载？"),
}
LANGUAGES = pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)


def at(seconds: float, number: int, text: str, **more: Any) -> Turn:
    """Return a help turn so many seconds after the start; each has its own user and session unless given."""
    given = {"session_id": f"s{number}", "user_id": f"u{number}", "help_mode": True, **more}
    return Turn(f"r{number:04}", START + timedelta(seconds=seconds), text, given.pop("answer", ""), **given)


# ---- bursts


@LANGUAGES
@pytest.mark.parametrize("ids", [{"user_id": "u"}, {"user_id": None, "session_id": "s"}], ids=["user", "session"])
def test_one_who_hammers_asks_once(words: tuple[str, ...], ids: dict[str, Any]) -> None:
    result = scan(inputs([at(60 * n, n, words[0], **ids) for n in range(HAMMERED)]))
    assert not result.proposals
    assert list(result.left)[-1] == "repeated within minutes by one user, session or robot"


@LANGUAGES
def test_three_turns_of_one_user_over_days_still_count(words: tuple[str, ...]) -> None:
    (found,) = scan(inputs([turn(30 * n, words[0], user_id="u") for n in range(3)])).proposals
    assert found.record.frequency == 3


@LANGUAGES
@pytest.mark.parametrize(("user", "count"), [(None, 1), ("u", 3)], ids=["nobody known", "known users"])
def test_a_flood_counts_for_little_and_is_named(words: tuple[str, ...], user: str | None, count: int) -> None:
    flood = [at(n, n, words[0], user_id=user and f"{user}{n}") for n in range(2 * FLOODED)]
    calm = [turn(100 + 5 * n, words[0], user_id=f"v{n}") for n in range(2)]
    (found,) = scan(inputs([*flood, *calm])).proposals
    assert (found.record.frequency, found.record.priority, len(found.cluster.askings)) == (2 * FLOODED + 2, "low", count + 2)
    assert any(line.endswith(f"the {2 * FLOODED + 2} turns count as {count + 2}.") for line in found.record.why)
    assert len(found.cluster.turns) == 2 * FLOODED + 2


@LANGUAGES
def test_a_flood_does_not_go_before_what_people_ask(words: tuple[str, ...]) -> None:
    flood = [at(n, n, words[0], user_id=f"u{n}") for n in range(3 * FLOODED)]
    people = [turn(500 + n, words[2]) for n in range(5)]
    found = scan(inputs([*flood, *people])).proposals
    assert [proposal.record.frequency for proposal in found] == [5, 3 * FLOODED]


def test_a_workspace_is_not_moved_by_one_user_who_rates_down_again_and_again() -> None:
    more: dict[str, Any] = {"help_mode": False, "workspace_id": "w1", "user_id": "u", "rating": "down"}
    one = [at(30 * n, n, WORDS["en"][0], **more) for n in range(HAMMERED)]
    assert not scan(inputs(one)).proposals
    other = at(90_000, 99, WORDS["en"][0], **{**more, "user_id": "v"})
    (found,) = scan(inputs([*one, other])).proposals
    assert (found.record.priority, found.record.dissatisfied_count) == ("high", HAMMERED + 1)


def test_a_rejected_proposal_does_not_return_by_a_flood() -> None:
    calm = [turn(5 * n, WORDS["en"][0]) for n in range(3)]
    (first,) = scan(inputs(calm)).proposals
    refused = (Known(first.record.id, "rejected", first.record, decided_at=START + timedelta(days=9)),)
    flood = [at(900_000 + n, 500 + n, WORDS["en"][0], user_id=None, rating="down") for n in range(3 * FLOODED)]
    assert [proposal.status for proposal in scan(inputs([*calm, *flood], known=refused)).proposals] == ["rejected"]


@given(st.lists(st.tuples(st.integers(0, 4000), st.sampled_from("ab"), st.sampled_from([None, "u", "v"])), max_size=60))
def test_every_turn_is_in_exactly_one_asking(given: list[tuple[int, str, str | None]]) -> None:
    asked = [(at(when, n, text, user_id=user, session_id=None), text) for n, (when, text, user) in enumerate(given)]
    inside = [found.request_id for asking in askings(asked) for found in asking]
    assert sorted(inside) == sorted(found.request_id for found, _ in asked)


# ---- signs of weak answers

REPORTED: list[tuple[dict[str, Any], list[str]]] = [
    ({"partial": True}, ["partial"]),
    ({"intent_meta": {"confidence": 0.1}}, ["unsure"]),
    ({"intent_meta": {"confidence": 0.3}}, []),
    ({"intent_meta": {"confidence": True}}, []),
    ({"intent_meta": {"need_clarification": True}}, ["unsure"]),
    ({"intent_meta": {"retrieved": 0}}, ["nothing found"]),
    ({"extra": {"retrieved": []}}, ["nothing found"]),
    ({"extra": {"retrieved": False}}, []),
    ({"extra": {"retrieved": 3}}, []),
]


@pytest.mark.parametrize(("more", "found"), REPORTED)
def test_what_a_backend_reports_of_its_answer_is_a_sign(more: dict[str, Any], found: list[str]) -> None:
    assert signs(turn(1, "q", "a", **more), None, again=False) == found


@LANGUAGES
def test_signs_that_add_up_make_an_answer_weak_and_are_named(words: tuple[str, ...]) -> None:
    more: dict[str, Any] = {"intent_meta": {"confidence": 0.1}, "extra": {"retrieved": 0}}
    (found,) = scan(inputs([turn(n, words[0], words[1], **more) for n in range(2)])).proposals
    assert found.record.priority == "medium"
    said = "2 answers that nobody rated looked weak: retrieval found nothing 2×, the reply refused 2×"
    assert any(line.startswith(said) for line in found.record.why)


@LANGUAGES
@pytest.mark.parametrize(("retrieved", "expected"), [(0, 1), (3, 0)], ids=["three signs", "two signs"])
def test_all_that_a_backend_can_report_makes_an_answer_weak(words: tuple[str, ...], retrieved: int, expected: int) -> None:
    more: dict[str, Any] = {"partial": True, "intent_meta": {"confidence": 0.1}, "extra": {"retrieved": retrieved}}
    found = scan(inputs([turn(n, words[0], "Menu.", **more) for n in range(2)])).proposals
    assert len(found) == expected


def test_no_sign_is_enough_alone() -> None:
    assert max(LIFTS.values()) < 3
    assert not scan(inputs([turn(n, WORDS["en"][0], WORDS["en"][1]) for n in range(2)])).proposals


@LANGUAGES
def test_reasons_of_ratings_are_counted(words: tuple[str, ...]) -> None:
    made = [turn(n, words[0], "x", "down", rating_reasons=("wrong", "old")[: n + 1]) for n in range(2)]
    (found,) = scan(inputs(made)).proposals
    assert "2 of 2 rated answers were rated down (wrong 2×, old 1×)." in found.record.why


# ---- what is set aside


def test_a_replay_under_another_id_is_read_once() -> None:
    made = [at(0, n, WORDS["en"][0], session_id="s") for n in range(5)]
    assert dict(scan(inputs(made)).gathered.aside) == {g.REPLAYED: 4}
    alone = [at(0, n, WORDS["en"][0], session_id=None) for n in range(5)]
    assert not scan(inputs(alone)).gathered.aside


PROBES: list[tuple[dict[str, Any], bool]] = [
    ({"user_id": "healthcheck"}, True),
    ({"user_id": "load-test-7"}, True),
    ({"user_id": "loadtest:7"}, True),
    ({"user_agent_id": "Uptime-Kuma/1.2"}, True),
    ({"intent_meta": {"intent": "health_check"}}, True),
    ({"user_id": "qa-anna"}, True),
    ({"user_id": "monitoring"}, True),
    ({"user_id": "monica"}, False),
    ({"user_id": "tester"}, False),
]


@LANGUAGES
@pytest.mark.parametrize(("ids", "aside"), PROBES)
def test_tests_and_probes_are_set_aside(words: tuple[str, ...], ids: dict[str, Any], aside: bool) -> None:
    settings = ScanConfig(test_users=("qa-*",))
    gathered = scan(inputs([turn(1, words[0], **ids)], settings=settings)).gathered
    assert dict(gathered.aside) == ({g.TESTED: 1} if aside else {})
