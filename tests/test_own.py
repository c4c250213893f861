"""What askers tell of themselves leaves their questions; general numbers stay. The cases are our own."""

import pytest

from mfgit.text.own import without_clauses, without_values
from mfgit.text.questions import ask

CLAUSES = {
    "after a sentence": ("How do I export? My order number is 55417-QZ and my account is lena_k4.", "How do I export?"),
    "after no stop": (
        "I want to move my photos to an album My order number is 55417-QZ.",
        "I want to move my photos to an album.",
    ),
    "before": ("My username is lena_k4 and I cannot sign in", "I cannot sign in"),
    "name": ("My name is Lena D'Arcy-Poe. How do I export?", "How do I export?"),
    "presented with a number": ("This is Jean-Luc O'Hara, member id M-4417, why was I billed?", "Why was I billed?"),
    "call me": ("How do I export? Please call me at +44 20 7946 0000 or [redacted:email].", "How do I export?"),
    "mark": ("How do I export? My phone is [redacted:phone-b].", "How do I export?"),
    "two in a row": ("How do I export, my order number is 55417, and my name is Lena Poe?", "How do I export?"),
    "Chinese account": ("我的账号是lena_k4，登录不上去", "登录不上去"),
    "Chinese name and number": ("我叫诸葛小明，会员号 K44177，为什么不能登录", "为什么不能登录"),
    "Chinese phone behind": ("怎么导出报表，我的电话是[redacted:phone]", "怎么导出报表"),
    "Chinese numbers": ("怎么导出报表？电话：010-55550000、010-55550001。", "怎么导出报表？"),
    "meant by it": ("my order number is 55417001, how do I return it?", "my order number is 55417001, how do I return it?"),
    "model": ("My PC is a Tower 3020, how do I add memory?", "My PC is a Tower 3020, how do I add memory?"),
    "version": ("版本号是 5.0.2，怎么升级", "版本号是 5.0.2，怎么升级"),
    "score": ("我想找一个评分4.5分以上的景点，推荐一个", "我想找一个评分4.5分以上的景点，推荐一个"),
    "product": ("This is React, how do I add it?", "This is React, how do I add it?"),
    "role": ("我是高级会员，怎么导出报表", "我是高级会员，怎么导出报表"),
}


@pytest.mark.parametrize(("text", "wanted"), CLAUSES.values(), ids=CLAUSES)
def test_clauses_about_the_asker_leave_a_question(text: str, wanted: str) -> None:
    assert without_clauses(text) == wanted
    assert without_clauses(wanted) == wanted


SAME = {
    "order": ("Where is my order #55417-QZ?", "Where is my order #90331-QZ?"),
    "short number": ("Where is ticket #4417?", "Where is ticket #9033?"),
    "Chinese order": ("怎么修改订单20260103778100的地址？", "怎么修改订单20260103990211的地址？"),
    "marks": ("How do I export? call me at [redacted:phone]", "How do I export? call me at [redacted:phone-b]"),
    "raw phone": ("怎么导出报表，我电话13900001111", "怎么导出报表，我电话13700002222"),
    "user names": ("My username is lena_k4 and I cannot sign in", "My username is omar77 and I cannot sign in"),
    "names": ("我叫李小红，会员号 K44177，为什么不能登录", "我叫欧阳文，会员号 K90331，为什么不能登录"),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_the_same_question_of_two_people_is_one(one: str, other: str) -> None:
    assert ask(one).key == ask(other).key != ""


OTHER = {
    "error": ("What does error 40012 mean?", "What does error 40013 mean?"),
    "version": ("How do I update to 4.2?", "How do I update to 4.3?"),
    "port": ("Is port 8080 open?", "Is port 8443 open?"),
    "size": ("Can I upload 500 MB?", "Can I upload 900 MB?"),
    "date": ("Is it open on 2026-01-01?", "Is it open on 2026-05-01?"),
    "Chinese code": ("错误码 10004 是什么意思", "错误码 10005 是什么意思"),
    "people of films": ("who plays Mr. Bean", "who plays Mr. Smith"),
}


@pytest.mark.parametrize(("one", "other"), OTHER.values(), ids=OTHER)
def test_general_numbers_still_tell_questions_apart(one: str, other: str) -> None:
    assert ask(one).key != ask(other).key


def test_a_text_without_values_comes_back_as_it_is() -> None:
    assert without_values("How  do I export?") == "How  do I export?"
