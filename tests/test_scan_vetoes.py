"""Vetoes keep apart what differs in a question word, a number, an opposite or a name; signals tell weak answers."""

import pytest

from mfgit.scan import signals
from mfgit.scan.values import Asked
from mfgit.scan.vetoes import traits, veto
from mfgit.text.questions import normalise
from tests.scanning import turn

NAMES = frozenset({"phoneapp", "webapp"})
APART = [
    ("when does my card arrive", "where does my card arrive", "question word"),
    ("why was my card declined", "how can I get my card declined", "question word"),
    ("怎么还款", "什么时候还款", "question word"),
    ("为什么不能还款", "怎么还款", "question word"),
    ("error 404 on login", "error 500 on login", "number"),
    ("第一次还款要多少", "第二次还款要多少", "number"),
    ("how to open an account", "how to close an account", "opposite"),
    ("怎么开通会员", "怎么关闭会员", "opposite"),
    ("怎么绑定银行卡", "怎么解绑银行卡", "opposite"),
    ("reset password in phoneapp", "reset password in webapp", "name"),
]


@pytest.mark.parametrize(("one", "other", "kind"), APART)
def test_questions_that_differ_in_what_matters_are_kept_apart(one: str, other: str, kind: str) -> None:
    pair = [traits(normalise(text), NAMES) for text in (one, other)]
    found = veto(*pair)
    assert found is not None
    assert found.kind == kind
    assert veto(*reversed(pair)) is not None


TOGETHER = [
    ("how do I reset my password", "how can I reset the password"),
    ("reset password", "how to reset my password"),
    ("reset password", "reset password in phoneapp"),
    ("怎么修改发票抬头", "如何修改发票的抬头"),
    ("how long does a refund take", "how long will a refund take"),
]


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_wordings_of_one_question_are_not_vetoed(one: str, other: str) -> None:
    assert veto(traits(normalise(one), NAMES), traits(normalise(other), NAMES)) is None


SIGNS = [
    ("Sorry, I could not find that.", None, ["refusal"]),
    ("抱歉，我无法回答这个问题。", None, ["refusal"]),
    ("Open settings.", "no that is wrong", ["complaint", "no"]),
    ("打开设置。", "不对，还是不行", ["complaint", "no"]),
    ("Open settings.", "thank you", ["thanks"]),
    ("打开设置。", "谢谢", ["thanks"]),
    ("打开设置。", "没有了", []),
    ("打开设置。", "不用了", []),
    ("Open settings.", "no thanks", []),
    ("Open settings.", "and on the phone?", []),
]


@pytest.mark.parametrize(("answer", "following", "expected"), SIGNS)
def test_what_users_say_next_gives_signs(answer: str, following: str | None, expected: list[str]) -> None:
    assert signals.signs(turn(1, "q", answer), turn(2, following) if following else None, again=False) == expected


def asked_in_session(*messages: tuple[str, str]) -> list[Asked]:
    made = [turn(number, text, answer, session_id="one") for number, (text, answer) in enumerate(messages)]
    return [Asked(each, each.user_message, normalise(each.user_message), "k") for each in made]


def test_two_signs_make_an_answer_weak_and_one_does_not() -> None:
    asked = asked_in_session(("reset it", "Open settings."), ("no that is wrong", ""))
    after = signals.followers(item.turn for item in asked)
    assert set(signals.weak_turns(asked[:1], after)) == {"r000"}
    one = asked_in_session(("reset it", "Open settings."), ("that is wrong", ""))
    assert set(signals.weak_turns(one[:1], signals.followers(item.turn for item in one))) == set()


def test_a_rated_answer_is_never_weak() -> None:
    rated = turn(0, "reset it", "Sorry, I do not know.", 5, session_id="one")
    asked = [Asked(rated, "reset it", "reset it", "k")]
    assert set(signals.weak_turns(asked, {"r000": turn(1, "no, wrong", session_id="one")})) == set()


REVIEWS = [
    ("approved", True),
    ("Confirmed", True),
    ({"verdict": "correct"}, True),
    ("wrong", False),
    (None, False),
    ({}, False),
]


@pytest.mark.parametrize(("review", "right"), REVIEWS)
def test_a_reviewers_word_counts(review: object, right: bool) -> None:
    assert signals.confirmed(turn(1, "q", review=review)) is right
