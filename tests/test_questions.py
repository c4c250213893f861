"""Questions: the asking part of a message, its normal form, and what asks nothing."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mfgit.text.questions import (
    CODE,
    EMPTY,
    MACHINE,
    MACHINE_LINES,
    SMALL_TALK,
    ask,
    bare,
    key_of,
    normalise,
    of_machine,
    segment,
)

SAME = [
    ("How do I reset my password?", "Hello, how do i reset my password ??"),
    ("How do I reset my password?", "HOW DO I RESET MY PASSWORD"),
    ("How do I reset my password?", "please, how do I reset my password? Thanks!"),
    ("How do I reset my password?", "Ｈｏｗ　do I reset my password？"),
    ("How do I reset my password?", "how do I\u200b reset  my password..."),
    ("How do I reset my password?", "can you tell me how do I reset my password, thank you so much"),
    ("怎么修改发票抬头", "请问怎么修改发票抬头？谢谢"),
    ("怎么修改发票抬头", "你好，想问一下，怎么修改发票抬头呢"),
    ("怎么修改发票抬头", "怎么修改 发票抬头，在线等"),
    ("怎么修改发票抬头", "怎麼修改發票抬頭?"),
    ("怎么修改发票抬头", "您好！麻烦问下怎么修改发票抬头啊～"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_question_has_one_key_however_it_is_typed(one: str, other: str) -> None:
    assert ask(one).key == ask(other).key != ""


DIFFERENT = [
    ("How do I open an account?", "How do I close an account?"),
    ("What is C++?", "What is C#?"),
    ("Upgrade to version 3.5", "Upgrade to version 35"),
    ("怎么开通会员", "怎么关闭会员"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_questions_have_different_keys(one: str, other: str) -> None:
    assert ask(one).key != ask(other).key


NOTHING = [
    ("thanks!", SMALL_TALK),
    ("ok great, thank you so much :)", SMALL_TALK),
    ("please continue", SMALL_TALK),
    ("好的，谢谢", SMALL_TALK),
    ("没有了", SMALL_TALK),
    ("不用了，谢谢你", SMALL_TALK),
    ("嗯嗯嗯", SMALL_TALK),
    ("🙏", SMALL_TALK),
    ("", EMPTY),
    ("   ", EMPTY),
    ('{"event": "ping", "n": 4}', MACHINE),
    ("<system-reminder>do it</system-reminder>", MACHINE),
    ("```python\nprint(1)\n```", CODE),
    ('Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    run()\nKeyError: 3', CODE),
    ("SELECT name FROM people WHERE id = 3;", CODE),
    ("2026-01-03 10:00:03 INFO start\n2026-01-03 10:00:04 ERROR stop", CODE),
    ("<p class='x'>\n  <b>7</b>\n</p>", CODE),
]


@pytest.mark.parametrize(("message", "reason"), NOTHING)
def test_what_asks_nothing_is_set_aside_with_its_kind(message: str, reason: str) -> None:
    assert ask(message).aside == reason


ASKING = [
    "ERROR: the certificate is not trusted when I sign in from the office, what can be done about that?",
    "Where is the invoice?",
    "发票在哪里",
    "Why does my build print KeyError: 3 at the end?",
    "登录页(手机版)",
    "No answer from support",
]


@pytest.mark.parametrize("message", ASKING)
def test_questions_that_look_like_noise_are_kept(message: str) -> None:
    assert ask(message).aside == ""


LINES = {
    "traceback": ["Traceback (most recent call last):", '  File "a.py", line 3, in run', "Caused by: x.Y", "KeyError: 3"],
    "stack frame": ["at com.example.Run.main(Run.java:7)", "    at /srv/app.js:3:14", "lib/run.py:12"],
    "exit": ["exit code 3", "exit status 1", "Segmentation fault", "Killed", "Process finished with exit code 0"],
    "tool": ["npm ERR! code 1", "error: cannot open file", "make: *** [all] Error 2", "gcc: fatal"],
    "time stamp": ["2026-01-03 10:00:03 start", "[10:00:03] start"],
    "log level": ["[INFO] ready", "ERROR stop", "WARN: low"],
    "request": ["GET /index.html", "HTTP/1 200"],
    "shell": ["$ sudo reboot", "# apt install x", "% ls"],
    "prompt": [">>> print(1)", "PS C:\\Users>"],
    "sql": ["SELECT a FROM b WHERE c", "drop table x"],
    "import": ["import os", "from a.b import c", "#include <x.h>", "package a.b;"],
    "definition": ["def run(x):", "class Box:", "@cached"],
    "comment": ["// why", "/* x", "#!/bin/sh"],
    "patch": ["+++ b/x", "diff --git a/x b/x", "@@ -1 +1 @@"],
    "block": ["if (x) {", "return x;", "else:"],
    "assignment": ['x = "a"', "total += count();"],
    "call": ["print(1)", "run.now();"],
    "brackets": ["{", "});", "]"],
    "member": ['"name": "x",'],
    "key and value": ["name: foo", "retries: 3", "image: a/b"],
    "tag": ["<p class='x'>", "</div>"],
}
WORDED = {
    "traceback": ["Error when I sign in", "报错Error怎么办"],
    "stack frame": ["at the office nothing works", "文件run.py第12行什么意思"],
    "exit": ["exit code", "Killed process, why?"],
    "tool": ["error: what is it", "Error: 怎么退款", "warning: why does it blink?", "debug mode"],
    "time stamp": ["2026 年发票", "10:00 到几点"],
    "log level": ["Errors in the app", "INFORM me"],
    "request": ["Get my invoice", "POST"],
    "shell": ["$5 refund", "# 怎么退款"],
    "prompt": ["> 3 items", "C 盘满了"],
    "sql": ["select a plan", "delete my account"],
    "import": ["import my contacts please", "导入 import"],
    "definition": ["class of the ticket", "def怎么用"],
    "comment": ["#标签怎么加", "/ refund"],
    "patch": ["+1", "-- refund"],
    "block": ["if I pay late", "for how long"],
    "assignment": ["价格=100元(含税)", "x = y"],
    "call": ["登录页(手机版)", "refund (late)"],
    "brackets": ["(refund)", "【退款】"],
    "member": ['"refund" button', "“退款”:怎么点"],
    "key and value": ["问题:怎么退款", "脑筋急转弯:什么伞不能打", "阳性1:40代表什么意思", "Re: refund", "Q: pay", "wifi: how?"],
    "tag": ["<3", "a < b"],
}


def test_every_kind_of_machine_line_has_cases() -> None:
    assert list(LINES) == list(WORDED) == list(MACHINE_LINES)


@pytest.mark.parametrize(("kind", "line"), [(kind, line) for kind, lines in LINES.items() for line in lines])
def test_a_line_of_a_program_is_known_by_its_kind(kind: str, line: str) -> None:
    assert re.match(rf"^\s*(?:{MACHINE_LINES[kind]})", line, re.ASCII)
    assert of_machine(line)


@pytest.mark.parametrize("line", [line for lines in WORDED.values() for line in lines])
def test_a_line_that_only_looks_like_a_programs_is_a_persons(line: str) -> None:
    assert not of_machine(line)


LONG = [
    ("I moved house last week.\n\nHow do I change my address?\nThe page looks old.", "How do I change my address?"),
    ("我上周搬家了。\n\n怎么修改收货地址？\n页面打不开。", "怎么修改收货地址？"),
    ("How do I retry?\n```\nretries = 3\n```", "How do I retry?"),
    ("> you said to wait\nHow long should I wait?", "How long should I wait?"),
    ("你好\n发票怎么开", "发票怎么开"),
]


@pytest.mark.parametrize(("message", "asking"), LONG)
def test_the_asking_part_of_a_long_message_is_taken(message: str, asking: str) -> None:
    assert segment(message) == asking


def test_a_very_long_paragraph_gives_its_asking_sentence() -> None:
    story = "We set the server up in spring and it has been quiet since then for most of us here. " * 4
    assert segment(f"{story}How do I renew the certificate? It is urgent.") == "How do I renew the certificate?"


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.text("请问你好谢谢吗啊hi thanks怎么 ?？!-", max_size=40))
def test_normalising_is_a_fixpoint_and_never_loses_everything(text: str) -> None:
    normal = normalise(text)
    assert normalise(normal) == normal
    assert bool(normal) == bool(bare(text))


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_message_is_either_asked_or_set_aside(message: str) -> None:
    question = ask(message)
    assert bool(question.key) != bool(question.aside)


def test_a_key_is_eight_bytes_in_hex() -> None:
    assert len(key_of("how do i reset my password")) == 16


WHOLE = [
    ("wifi: reset", ""),
    ("billing: refund?", ""),
    ("wifi: reset\nchannel: auto", "code"),
    ("error: denied", "code"),
    ("retries: 3", "code"),
]


@pytest.mark.parametrize(("message", "aside"), WHOLE)
def test_a_topic_and_a_word_alone_are_a_persons(message: str, aside: str) -> None:
    assert ask(message).aside == aside
