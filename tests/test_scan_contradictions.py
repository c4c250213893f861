"""Answers that contradict each other in either language are told from answers that say the same in other words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mfgit.scan.contradictions import contradiction, numbers_of

CONTRARY = [
    ("Yes, the Lumo box is waterproof.", "No, the Lumo box is not waterproof."),
    ("The box is waterproof to 1 m.", "It is not waterproof."),
    ("Yes.", "No."),
    ("You can do it.", "You cannot do it."),
    ("You can't restart it.", "You can restart it."),
    ("You shouldn\u2019t restart it while updating", "You can restart it while updating"),
    ("You can restart the box during an update.", "You must never restart the box during an update."),
    ("Open the valve before you restart the pump.", "Close the valve before you restart the pump."),
    ("Enable airplane mode first, then pair.", "Disable airplane mode first, then pair."),
    ("It's safe to drink.", "It's unsafe to drink."),
    ("A refund takes seven days.", "A refund takes 14 days."),
    ("可以，七天内可以退款。", "不可以退款。"),
    ("可以退款", "不可以退款"),
    ("可以在七天内申请退款", "不能在七天内申请退款"),
    ("是的", "不是"),
    ("是，需要实名认证。", "不需要实名认证，直接登录即可。"),
    ("该功能支持离线使用。", "该功能不支持离线使用。"),
    ("保修期内免费维修", "保修期内收费维修"),
    ("請打開閥門再重啟", "请关闭阀门再重启"),
    ("退款需要七天", "退款要十四天"),
]


@pytest.mark.parametrize(("one", "other"), CONTRARY)
def test_opposite_answers_contradict_each_other_whichever_comes_first(one: str, other: str) -> None:
    assert contradiction(one, other)
    assert contradiction(other, one)


ALIKE = [
    (
        "Open the orders page, choose the order, and press Cancel before it has shipped.",
        "Go to orders, choose the order, press Cancel; after it has shipped that is not possible.",
    ),
    (
        "You can cancel before it ships. You cannot cancel after.",
        "You can cancel until it ships; afterwards it is not possible.",
    ),
    ("If it does not work, restart the router.", "Restart the router when it fails."),
    ("Don't forget to save. Open settings.", "Open settings and save."),
    ("Turn the box off, wait, then turn the box on.", "Turn it off and on again after 10 seconds."),
    ("No problem, open settings.", "Yes, open settings."),
    ("Hold the button for five seconds until the light blinks.", "Press the button 5 seconds, until the light is blinking."),
    ("Sign in with your email, then open Billing.", "Log in by e-mail first and open the Billing page from the menu."),
    ("Yes, the box is waterproof.", "Yes, it is waterproof, but do not leave it under water."),
    ("可以，打开订单页，点击退款。", "打开订单页，点击申请退款即可，不需要联系客服。"),
    ("退款一般三天内到账。", "一般 3 天内到账，最多 7 天。"),
    ("不用担心，可以退款。", "可以，支持退款。"),
    ("不同的套餐价格不同，打开套餐页查看。", "打开套餐页查看价格。"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_honest_paraphrases_contradict_nothing(one: str, other: str) -> None:
    assert contradiction(one, other) == ""
    assert contradiction(other, one) == ""


NUMBERS = [
    ("1. Open it.\n2. Wait 5 minutes.", {"5"}),
    ("seven days", {"7"}),
    ("二十五天，或一百二十个月", {"25", "120"}),
    ("一个月", set()),
]


@pytest.mark.parametrize(("text", "numbers"), NUMBERS)
def test_numbers_are_read_as_digits_without_list_marks(text: str, numbers: set[str]) -> None:
    assert numbers_of(text) == numbers


@settings(max_examples=200, deadline=None)
@given(st.text("不可以没能yes no.not，。open close 七天14\n", max_size=60))
def test_no_answer_contradicts_itself(text: str) -> None:
    assert contradiction(text, text) == ""
