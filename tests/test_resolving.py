"""Follow-ups are read with the turns before them; a question that stands by itself never is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.text.resolving import leans, resolve

FIRST = {"en": "How do I reset my password on Windows?", "zh": "怎么申请退款？"}
LEANING = [
    "how do I cancel it?",
    "how long does it take?",
    "How much is that?",
    "can I undo this",
    "with Docker?",
    "on iPhone?",
    "and on iPhone?",
    "what about Macs?",
    "for teams?",
    "does that work offline?",
    "why?",
    "how long?",
    "where do I do that",
    "it still fails",
    "which one?",
    "它怎么收费？",
    "这个多少钱",
    "那怎么取消？",
    "那要多久？",
    "多久到账？",
    "需要多久",
    "在哪里设置",
    "那安卓呢？",
    "还是不行",
    "为什么",
    "然后怎么做",
]
STANDING = [
    "How do I reset my password?",
    "Is it possible to export invoices as PDF?",
    "Are there limits on uploads?",
    "What does the error message that the card was declined mean?",
    "How long are backups kept?",
    "How do I pay by invoice?",
    "refund",
    "reset password",
    "Can I add one user more?",
    "Who else can see my files?",
    "In Safari the settings page stays blank",
    "How many seats does the team plan have?",
    "Where is the invoice archive?",
    "How do I move to another plan?",
    "怎么申请退款？",
    "发票抬头怎么修改",
    "备份保留多久？",
    "这个月的账单在哪里看？",
    "那里可以停车吗",
    "其他付款方式有哪些",
    "如何修改手机号",
    "多少钱可以开通企业版会员",
    "会员可以退吗",
]


@pytest.mark.parametrize("message", LEANING)
def test_a_follow_up_is_read_with_the_turn_before(message: str) -> None:
    before = FIRST["en" if message.isascii() else "zh"]
    assert resolve(message, ["something older and complete", before]).before == (before,)


@pytest.mark.parametrize("message", STANDING)
def test_a_question_that_stands_by_itself_is_left_alone(message: str) -> None:
    assert not leans(message)
    assert resolve(message, list(FIRST.values())).text == message


def test_a_follow_up_of_a_follow_up_goes_back_to_the_turn_that_stands_alone() -> None:
    turns = ["How are backups kept?", FIRST["en"], "what about Macs?"]
    assert resolve("it still fails", turns).before == ("what about Macs?", FIRST["en"])


def test_another_replacement_passes_over_the_one_before() -> None:
    assert resolve("and on Linux?", [FIRST["en"], "what about Macs?"]).before == (FIRST["en"],)
    assert resolve("那苹果呢？", [FIRST["zh"], "那安卓呢？"]).before == (FIRST["zh"],)


def test_without_a_history_or_with_an_empty_one_a_follow_up_is_what_it_is() -> None:
    assert resolve("it still fails", []).before == resolve("it still fails", ["", "  "]).before == ()


def test_where_no_turn_stands_alone_the_last_one_is_taken() -> None:
    assert resolve("what about Macs?", ["why?", "and on iPhone?"]).before == ("and on iPhone?",)


@given(st.text(max_size=60), st.lists(st.text(max_size=40), max_size=6))
def test_any_text_is_resolved_and_keeps_its_own_words_first(query: str, history: list[str]) -> None:
    found = resolve(query, history)
    assert found.text.startswith(query)
    assert set(found.before) <= set(history)
