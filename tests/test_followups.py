"""Follow-ups that lean on what was said before are told from short questions that stand by themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.text.followups import leans
from mfgit.text.questions import bare

LEANING = [
    "not working",
    "It doesn't work",
    "doesn\u2019t work either",
    "it still fails",
    "still the same error",
    "why is it not working?",
    "what about on iPhone?",
    "but what about refunds?",
    "how about Windows?",
    "and on Android?",
    "and for the desktop app?",
    "还是不行",
    "我试了还是不行",
    "还是报错，怎么办",
    "它还是打不开",
    "那安卓呢？",
    "安卓呢",
    "那如果是苹果手机呢？",
    "還是不行",
    "那可以用微信吗？",
    "那能不能用信用卡",
    "那么我也可以换顺丰吗",
]


@pytest.mark.parametrize("message", LEANING)
def test_a_follow_up_leans(message: str) -> None:
    assert leans(bare(message))


STANDING = [
    "可以用微信吗？",
    "那可以用微信支付商城订单的运费吗？",
    "那个发票可以改吗",
    "How do I cancel an order?",
    "card not working",
    "why was my card declined",
    "app fails to start",
    "can I still go to work",
    "what is error 404",
    "refund",
    "And how do I pay my invoice",
    "what about if I lose my card, can I get another one",
    "and the invoice archive is where?",
    "怎么退款",
    "我的快递呢",
    "打不开网页",
    "密码错误怎么办",
    "那个会员怎么开通",
    "那怎么申请退款呢",
    "发票还是没有收到",
    "如果是学生呢有优惠吗",
]


@pytest.mark.parametrize("message", STANDING)
def test_a_question_that_says_what_it_is_about_stands(message: str) -> None:
    assert not leans(bare(message))


@given(st.text(max_size=60))
def test_any_text_is_judged(text: str) -> None:
    assert leans(bare(text)) in (True, False)
