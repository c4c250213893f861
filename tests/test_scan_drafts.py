"""What a scan puts into drafts: nothing of one person, and no wording twice."""

import pytest

from mfgit.model import Record
from mfgit.scan.run import ANSWERED_IN_PRIVATE, PRIVATE, Result
from tests.scanning import inputs, scan, turns

RETURN = "Open the Orders page, choose the order and press Return item."
REFUND = "打开订单页，选择订单，点击申请退货，填写退货原因。"


def records(result: Result) -> list[Record]:
    return [proposal.record for proposal in result.proposals]


@pytest.mark.parametrize(
    ("questions", "answers", "title", "suggestion", "private"),
    [
        pytest.param(
            ["How do I return order 48291735?"] * 3,
            [
                f"Hi {name}, I have opened your return 4829173. {RETURN}\n\nBest regards,\nTom"
                for name in ("Ann", "Bob", "Cleo")
            ],
            "How do I return order?",
            RETURN,
            ("4829173", "Ann", "Bob", "Cleo", "Tom"),
            id="English",
        ),
        pytest.param(
            ["订单20231108812345怎么退货？"] * 3,
            [f"{name}您好，我是客服小王。已为您处理。{REFUND}" for name in ("张先生", "李女士", "王先生")],
            "订单怎么退货？",
            REFUND,
            ("2023110881234", "张先生", "小王", "已为您"),
            id="Chinese",
        ),
    ],
)
def test_nothing_of_one_person_enters_a_record(
    questions: list[str], answers: list[str], title: str, suggestion: str, private: tuple[str, ...]
) -> None:
    found = records(scan(inputs(turns(*((q, a, "up") for q, a in zip(questions, answers, strict=True))))))
    assert [(one.title, one.suggestion, one.frequency) for one in found] == [(title, suggestion, 3)]
    assert found[0].action_type == "verified_answer"
    assert "What spoke to one user only was left out of the answer." in found[0].why
    whole = found[0].dump().decode()
    assert not [value for value in private if value in whole]


@pytest.mark.parametrize("question", ["order 48291735", "订单号20231108812345"], ids=["English", "Chinese"])
def test_a_question_of_one_person_is_not_proposed_and_counted(question: str) -> None:
    result = scan(inputs(turns(*[(question, "", "down")] * 3)))
    assert not result.proposals
    assert len(result.left[PRIVATE]) == 1


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Where is my parcel?", "I have checked your order, it is on its way."), ("我的包裹在哪里？", "已为您查询，正在派送。")],
    ids=["English", "Chinese"],
)
def test_answers_to_one_user_each_are_no_draft_unless_someone_was_unhappy(question: str, answer: str) -> None:
    happy = scan(inputs(turns(*[(question, answer, "up")] * 3)))
    assert not happy.proposals
    assert len(happy.left[ANSWERED_IN_PRIVATE]) == 1
    (one,) = records(scan(inputs(turns(*[(question, answer, "up")] * 3, (question, "What?", "down")))))
    assert one.suggestion == ""
    assert "The answers rated good are about one user each" in one.why[-1]


def test_a_value_that_the_originals_hold_is_everybodys() -> None:
    pages = {"help/test.md": "The test order 48291735 always succeeds in the sandbox."}
    asked = "What does test order 48291735 do?"
    (one,) = records(scan(inputs(turns(*[(asked, "", "down")] * 2), pages)))
    assert one.title == asked


def test_an_alias_is_no_other_ones_words_again() -> None:
    pages = {"help/access.md": "Open the sign-in page and choose Forgot password to set another one.", "help/b.md": "Colours."}
    asked = ["lost my passphrase", "my passphrase, lost", "Lost passphrase?", "locked out since monday"]
    answer = "Open the sign-in page and choose Forgot password to set another one."
    found = records(scan(inputs(turns(*((text, answer, "up") for text in asked for _ in range(3))), pages)))
    wordings = [alias.alias for one in found for alias in one.aliases]
    assert "index" in {one.action_type for one in found}
    assert sum("passphrase" in wording.lower() for wording in wordings) == 1


def test_a_mark_in_an_answer_is_pointed_out() -> None:
    answer = "Write to [redacted:email] and name the plan that you want to have."
    (one,) = records(scan(inputs(turns(*[("How do I order the large plan?", answer, "up")] * 3))))
    assert "[redacted:email]" in one.suggestion
    assert any("put it right" in reason for reason in one.why)
