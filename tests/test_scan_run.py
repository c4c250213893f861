"""What is worth a proposal, where it goes, who it is from one scan to the next, and that order never matters."""

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mfgit.layout import Root
from mfgit.model import Known, Record, Turn
from mfgit.scan import gather as g
from mfgit.scan.run import Result, snapshot_json
from mfgit.sections import ScanConfig
from tests.scanning import HELP_ROOT, START, WORKSPACE_ROOT, Pages, inputs, scan, turn, turns

EN = ["How do I change the billing address?", "how do i change my billing address", "How do I change the billing address ??"]
ZH = ["怎么修改发票抬头？", "请问怎么修改发票抬头", "怎么修改发票的抬头"]
WORKSPACE: dict[str, Any] = {"help_mode": False, "workspace_id": "w1"}
LANGUAGES = pytest.mark.parametrize("texts", [EN, ZH], ids=["en", "zh"])


def asked(texts: list[str], **more: Any) -> list[Turn]:
    return turns(*((text,) for text in texts), **more)


def known(result: Result, status: str = "open", **more: Any) -> tuple[Known, ...]:
    return tuple(Known(p.record.id, status, p.record, f"mfgit/{p.record.id}", **more) for p in result.proposals)


def statuses(result: Result) -> list[str]:
    return [proposal.status for proposal in result.proposals]


# ---- worth


@LANGUAGES
def test_three_turns_in_two_sessions_are_worth_a_proposal(texts: list[str]) -> None:
    (found,) = scan(inputs(asked(texts))).proposals
    record = found.record
    assert (record.frequency, record.distinct_users, record.priority, record.target_layer) == (3, 3, "low", "help")
    assert [entry.request_id for entry in record.evidence] == ["r000", "r001", "r002"]
    assert record.why[0] == "Asked 3 times by 3 users in 3 sessions, 2026-03-01 to 2026-03-01."


@LANGUAGES
def test_two_turns_are_not(texts: list[str]) -> None:
    result = scan(inputs(asked(texts[:2])))
    assert not result.proposals
    assert result.left["asked less than 3 times"] == [result.left["asked less than 3 times"][0]]


def test_one_session_is_not() -> None:
    result = scan(inputs(asked(EN, session_id="one")))
    assert not result.proposals
    assert "asked in one session only" in result.left


@LANGUAGES
@pytest.mark.parametrize("rating", ["down", 1, 2])
def test_one_unhappy_help_turn_is_at_high_priority(texts: list[str], rating: Any) -> None:
    (found,) = scan(inputs([turn(1, texts[0], rating=rating, rating_reasons=("incomplete",))])).proposals
    assert (found.record.priority, found.record.dissatisfied_count) == ("high", 1)
    assert found.record.rating_reasons == ("incomplete",)


def test_a_workspace_takes_two_unhappy_turns() -> None:
    one, two = (turn(number, EN[0], rating="down", **WORKSPACE) for number in (1, 2))
    assert not scan(inputs([one])).proposals
    (found,) = scan(inputs([one, two])).proposals
    assert (found.record.priority, found.record.root) == ("high", WORKSPACE_ROOT.path)


def test_two_weak_answers_are_worth_a_proposal() -> None:
    sessions = [
        [(EN[0], "Open settings."), ("no, that is wrong", "")],
        [(EN[2], "Open settings."), ("no, it does not work", "")],
    ]
    made = [
        turn(10 * number + place, text, answer, session_id=f"s{number}")
        for number, session in enumerate(sessions)
        for place, (text, answer) in enumerate(session)
    ]
    (found,) = scan(inputs(made)).proposals
    assert found.record.priority == "medium"


# ---- scopes


def test_every_turn_is_used_or_set_aside_with_its_reason() -> None:
    made = [
        turn(1, EN[0]),
        turn(2, "thanks"),
        turn(3, EN[0], help_mode=False, workspace_id="nobody"),
        turn(4, EN[0], help_mode=False),
        turn(5, "what is it?"),
        turn(6, "```\ncode\n```"),
        turn(1, EN[0]),
    ]
    gathered = scan(inputs(made)).gathered
    assert gathered.read == gathered.used + gathered.aside.total() == 7
    assert dict(gathered.aside) == {
        "small talk": 1,
        g.NO_ROOT: 1,
        g.NO_WORKSPACE: 1,
        g.WITHOUT_WORDS: 1,
        "code": 1,
        g.REPEATED: 1,
    }
    assert gathered.examples[g.NO_ROOT] == ["nobody"]


def test_a_turn_that_names_nothing_is_of_help_only_where_nothing_else_can_be_meant() -> None:
    given = inputs(asked(EN, help_mode=False))
    (found,) = scan(replace(given, roots=(HELP_ROOT,), only_help=True)).proposals
    assert (found.record.target_layer, found.record.root) == ("help", "help")
    assert scan(replace(given, roots=(HELP_ROOT,))).gathered.aside == {g.NO_WORKSPACE: 3}
    named = inputs(asked(EN, help_mode=False, workspace_id="w1"))
    assert scan(replace(named, roots=(HELP_ROOT,), only_help=True)).gathered.aside == {g.NO_ROOT: 3}


@pytest.mark.parametrize("text", ["it still fails", "还是不行", "What about on iPhone?", "那安卓呢？"])
def test_follow_ups_are_counted_and_never_proposed(text: str) -> None:
    result = scan(inputs(turns(*((text, "Sorry.", "down") for _ in range(4)))))
    assert not result.proposals
    assert result.gathered.aside == {g.FOLLOW_UP: 4}


def test_help_turns_without_a_help_root_are_set_aside() -> None:
    result = scan(replace(inputs(asked(EN)), roots=(WORKSPACE_ROOT,)))
    assert result.gathered.aside[g.NO_HELP] == 3


def test_of_two_help_roots_the_one_that_answers_is_chosen_else_the_first() -> None:
    roots = (HELP_ROOT, Root("guide", "help"))
    answer = "Open the orders page, choose Billing and edit the address."
    made = [turn(n, text, answer, "up") for n, text in enumerate(EN)] + [turn(9, EN[0], "No.", "down")]
    pages = Pages({"help/x.md": "Watering ferns.", "guide/a.md": f"{answer} change billing address"})
    (found,) = scan(replace(inputs(made), roots=roots, originals=pages)).proposals
    assert found.record.root == "guide"
    (found,) = scan(replace(inputs(made), roots=roots)).proposals
    assert found.record.root == "help"


def test_an_echo_of_an_adopted_overlay_is_no_question() -> None:
    text = "Open the orders page, choose Billing, and edit the address before the invoice is issued."
    record = Record("0" * 16, "t", "verified_answer", "help", "help", "low", 3, suggestion=text)
    result = scan(inputs([turn(1, text), turn(2, EN[0])], known=(Known("0" * 16, "adopted", record),)))
    assert result.gathered.aside[g.ECHO] == 1


# ---- identity


def test_a_rescan_of_the_same_turns_changes_nothing() -> None:
    first = scan(inputs(asked(EN) + [turn(20 + n, text) for n, text in enumerate(ZH)]))
    again = scan(inputs(asked(EN) + [turn(20 + n, text) for n, text in enumerate(ZH)], known=known(first)))
    assert statuses(again) == ["unchanged", "unchanged"]
    assert [p.record.dump() for p in again.proposals] == [p.record.dump() for p in first.proposals]


def test_a_proposal_keeps_its_id_and_its_keys_as_wordings_come_and_go() -> None:
    first = scan(inputs(asked(EN)))
    later = [
        turn(50 + n, text)
        for n, text in enumerate(["How do I change the billing address?", "change the billing address how"] * 3)
    ]
    (found,) = scan(inputs(later, known=known(first))).proposals
    assert found.record.id == first.proposals[0].record.id
    assert found.status == "updated"
    assert set(found.record.keys) > set(first.proposals[0].record.keys)
    assert found.record.first_seen == first.proposals[0].record.first_seen


def test_a_rejected_proposal_returns_only_after_growth() -> None:
    first = scan(inputs(asked(EN)))
    refused = known(first, "rejected", decided_at=START + timedelta(days=20))
    assert statuses(scan(inputs(asked(EN), known=refused))) == ["rejected"]
    assert statuses(scan(inputs(asked(EN * 2), known=refused))) == ["rejected"]  # 6 turns: twice, but not 5 more
    (found,) = scan(inputs(asked(EN * 3), known=refused)).proposals
    assert (found.status, found.record.id) == ("updated", refused[0].id)
    assert "Comes back after a rejection: asked 9 times, 3 then." in found.record.why


def test_two_more_bad_ratings_bring_a_rejected_proposal_back() -> None:
    first = scan(inputs(asked(EN)))
    refused = known(first, "rejected")
    down = [turn(30 + n, EN[0], rating="down") for n in range(2)]
    assert statuses(scan(inputs([*asked(EN), down[0]], known=refused))) == ["rejected"]
    assert statuses(scan(inputs([*asked(EN), *down], known=refused))) == ["updated"]
    forever = known(first, "rejected", forever=True)
    assert statuses(scan(inputs([*asked(EN), *down], known=forever))) == ["rejected"]


def test_an_adopted_proposal_returns_only_on_new_bad_ratings() -> None:
    first = scan(inputs(asked(EN)))
    adopted = known(first, "adopted", decided_at=START + timedelta(days=1))
    result = scan(inputs([*asked(EN * 4), turn(14, EN[0], rating="down")], known=adopted))
    assert not result.proposals
    assert "adopted, and nobody is unhappy since" in result.left
    (found,) = scan(inputs([*asked(EN), turn(40, EN[0], rating="down")], known=adopted)).proposals
    assert (found.record.id, found.status) == (adopted[0].id, "updated")


LINKS = {
    "en": ["How do I cancel a parcel order?", "How do I cancel the invoice of a parcel?"],
    "zh": ["怎么取消快递订单", "怎么取消快递发票"],
}


@pytest.mark.parametrize("texts", LINKS.values(), ids=LINKS)
def test_what_a_proposal_splits_into_is_linked_and_stays_so(texts: list[str]) -> None:
    made = asked([texts[0]] * 5) + [turn(20 + n, texts[1]) for n in range(3)]
    both = tuple(sorted(p.record.keys[0] for p in scan(inputs(made)).proposals))
    assert len(both) == 2
    whole = replace(scan(inputs(asked([texts[0]] * 5))).proposals[0].record, keys=both)
    old = Known(whole.id, "open", whole, f"mfgit/{whole.id}")
    result = scan(inputs(made, known=(old,)))
    found = {p.record.title: p for p in result.proposals}
    kept, split = (p.record for p in (found[plain_title(texts[0])], found[plain_title(texts[1])]))
    assert (kept.id, split.similar) == (whole.id, (whole.id,))
    assert any(line.startswith(f"It was split from {whole.id} (") for line in split.why)
    again = scan(inputs(made, known=known(result)))
    assert statuses(again) == ["unchanged", "unchanged"]


@pytest.mark.parametrize("texts", LINKS.values(), ids=LINKS)
def test_proposals_that_come_together_are_linked(texts: list[str]) -> None:
    first = scan(inputs(asked([texts[0]] * 3)))
    other = replace(first.proposals[0].record, id="f" * 16, title="Other")
    both = (*known(first), Known("f" * 16, "open", other, f"mfgit/{'f' * 16}"))
    result = scan(inputs(asked([texts[0]] * 3), known=both))
    (found,) = result.proposals
    (left,) = (one for one in both if one.id != found.record.id)
    assert found.record.similar == (left.id,)
    assert any(line.startswith(f"It has the questions of {left.id} (") for line in found.record.why)
    assert [one.id for one in result.expired] == [left.id]


def plain_title(text: str) -> str:
    return scan(inputs(asked([text] * 3))).proposals[0].record.title


def test_an_id_that_is_taken_is_not_given_again() -> None:
    first = scan(inputs(asked(EN)))
    record = replace(first.proposals[0].record, keys=("f" * 16,))
    other = Known(record.id, "adopted", record)
    assert scan(inputs(asked(EN), known=(other,))).proposals[0].record.id != record.id


def test_at_most_max_open_are_open_and_the_rest_wait_in_order() -> None:
    made = (
        asked(EN)
        + [turn(20 + n, text) for n, text in enumerate(ZH)]
        + [turn(60, "Where is the invoice archive?", rating="down")]
    )
    result = scan(inputs(made, settings=ScanConfig(max_open=1)))
    assert [(p.record.priority, p.status) for p in result.proposals] == [
        ("high", "new"),
        ("low", "waiting"),
        ("low", "waiting"),
    ]
    first = known(replace(result, proposals=result.proposals[:1]))
    assert statuses(scan(inputs(made, known=first, settings=ScanConfig(max_open=1)))) == ["unchanged", "waiting", "waiting"]


def test_the_snapshot_is_kept_until_the_archive_doubles() -> None:
    small = scan(inputs(asked(EN)))
    assert small.fresh_snapshot
    kept = snapshot_json(small.frequencies)
    again = scan(inputs(asked(EN), snapshot=kept))
    assert not again.fresh_snapshot
    assert again.frequencies.version == small.frequencies.version
    grown = asked([*EN, *ZH, "Where is the archive?", "Who owns the account?", "Can I pay by card?"])
    assert scan(inputs(grown, snapshot=kept)).fresh_snapshot


# ---- records


def test_what_goes_into_git_is_redacted_short_and_without_users() -> None:
    made = [turn(n, f"How do I change the billing address of SECRET? {'x' * 300}", rating="down") for n in range(30)]
    (found,) = scan(inputs(made, redact=lambda text: text.replace("SECRET", "[name]"))).proposals
    text = found.record.dump().decode()
    assert "SECRET" not in text
    assert '"u1"' not in text
    assert len(found.record.evidence) == 20
    assert found.record.frequency == 30 == len(found.cluster.turns)
    assert max(len(entry.excerpt) for entry in found.record.evidence) <= 200
    (bare,) = scan(inputs(made, settings=ScanConfig(excerpts=False))).proposals
    assert not any(entry.excerpt for entry in bare.record.evidence)


def test_a_record_is_what_its_schema_says() -> None:
    (found,) = scan(inputs(asked(EN))).proposals
    assert Record.load(found.record.dump(), "x") == found.record


def test_near_questions_are_linked_and_not_merged() -> None:
    made = asked(["How do I open a savings account today?"] * 3) + [
        turn(30 + n, "How do I close a savings account today?") for n in range(3)
    ]
    one, other = scan(inputs(made)).proposals
    assert any("different opposite (open / close)" in line for line in one.record.why)
    assert one.record.similar == other.record.similar == ()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_the_order_of_turns_never_matters(seed: int) -> None:
    rng = random.Random(seed)
    words = ["billing", "address", "invoice", "change", "open", "account", "发票", "抬头", "修改", "地址"]
    made = [turn(n, " ".join(rng.choices(words, k=3)), "answer", rng.choice([None, None, "up", "down"])) for n in range(40)]
    shuffled = rng.sample(made, len(made))
    one, other = (scan(inputs(each)) for each in (made, shuffled))
    assert [(p.record.dump(), p.status) for p in one.proposals] == [(p.record.dump(), p.status) for p in other.proposals]
