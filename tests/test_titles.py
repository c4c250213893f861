"""A question as a title: without greeting, politeness and introduction, in the user's words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mfgit.text.questions import segment
from mfgit.text.titles import asked_in, plain

TITLES = [
    ("Hello, how do I get the box onto our wifi?", "how do I get the box onto our wifi?"),
    ("please tell me Why does the widget stop blinking?", "Why does the widget stop blinking?"),
    (
        "Dear team, I hope you are well. My name is Joe Blunt. How do I reset the widget password? Thanks a lot!",
        "How do I reset the widget password?",
    ),
    ("Dear team, my name is Joe Blunt, how do I change the billing address?", "how do I change the billing address?"),
    ("Dear team,\nMy name is Joe Blunt and I run a shop.\nHow can I move my shop?\nRegards Joe", "How can I move my shop?"),
    ("Hello team, I hope this finds you well, can you tell me how to pay?", "how to pay?"),
    ("This is Joe from Acme. Our printer shows error 404. How do we fix it?", "Our printer shows error 404. How do we fix it?"),
    ("How do I reset my password please?", "How do I reset my password?"),
    ("how do I reset my password, thanks", "how do I reset my password"),
    ("My widget is broken. What can I do?", "My widget is broken. What can I do?"),
    ("My name is wrong, how do I correct it?", "My name is wrong, how do I correct it?"),
    ("请问怎么退款？谢谢", "怎么退款？"),
    ("你好，想问一下，怎么修改发票抬头呢", "怎么修改发票抬头呢"),
    ("你好！我叫王小明。请问怎么修改发票抬头？", "怎么修改发票抬头？"),
    ("我叫王小明，请问怎么修改发票抬头？", "怎么修改发票抬头？"),
    ("我叫的外卖没到，怎么办？", "我叫的外卖没到，怎么办？"),
    ("可以退款吗，谢谢", "可以退款吗"),
    ("请问Dump 导出失败怎么办？", "Dump 导出失败怎么办？"),
    ("谢谢请告诉我怎么导出报表", "怎么导出报表"),
    ("帮我查一下怎么导出报表", "怎么导出报表"),
    ("没用，怎么导出报表", "怎么导出报表"),
    ("没用的文件怎么删除", "没用的文件怎么删除"),
    ("感谢信怎么写", "感谢信怎么写"),
    ("That's wrong, how do I export?", "how do I export?"),
    ("No, that didn't help. How do I export?", "How do I export?"),
    ("I need help with moving my page to another theme.", "moving my page to another theme."),
    ("Thanks, can you tell me how to export?", "how to export?"),
    ("thanks", "thanks"),
]
LANGUAGES = {
    "pasted error": ("connection refused while dialing the upstream service at port 80 怎么解决", "zh"),
    "statement about one": ("启动报错 context deadline exceeded while waiting for the leader to be elected again", "zh"),
    "English": ("How do I export?", "en"),
    "quoted Chinese": ('What does "导出失败" mean?', "en"),
    "Chinese word": ("How do I type 的 on this keyboard?", "en"),
    "Chinese": ("怎么导出报表？", "zh"),
}


@pytest.mark.parametrize(("question", "lang"), LANGUAGES.values(), ids=LANGUAGES)
def test_the_language_is_the_one_that_asks(question: str, lang: str) -> None:
    assert asked_in(question) == lang


@pytest.mark.parametrize(("message", "title"), TITLES)
def test_a_title_is_the_asking_sentence_without_politeness(message: str, title: str) -> None:
    assert plain(segment(message)) == title


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.text("请问你好，谢谢吗啊hi, thanks. 怎么 ?？!-", max_size=40))
def test_a_title_is_never_empty_and_always_the_same(text: str) -> None:
    title = plain(text)
    assert bool(title.strip()) == bool(text.strip())
    assert plain(text) == title
