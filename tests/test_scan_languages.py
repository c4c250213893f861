"""A question asked in English and in Chinese: what links the two, and what does not."""

import random
from typing import Any

import pytest

from mfgit.model import Known, Turn
from mfgit.scan.run import Result
from tests.scanning import inputs, scan, turn

EN, ZH = "How do I open the Lumo box?", "怎么打开路摩盒子？"
ANSWER = "Press button A twice, 按两次按钮甲。"


def asked(*groups: tuple[str, str, Any]) -> list[Turn]:
    """Return three turns in three sessions for each (question, answer, rating)."""
    return [turn(10 * place + n, *group) for place, group in enumerate(groups) for n in range(3)]


def told(result: Result) -> dict[str, list[str]]:
    found = {p.record.title: p.record for p in result.proposals}
    return {title: [line for line in record.why if line.startswith("Also asked")] for title, record in found.items()}


SAME: dict[str, tuple[list[tuple[str, str, Any]], str]] = {
    "answer": ([(EN, ANSWER, "up"), (ZH, ANSWER, "up")], "the same answer was rated good"),
    "code": ([("How do I solve error E1042?", "", None), ("错误E1042怎么解决？", "", None)], "both name e1042"),
    "number": ([("What is form 10086 for?", "", None), ("表格10086是什么用的？", "", None)], "both name 10086"),
    "joined": ([("How do I set max_open?", "", None), ("max_open怎么设置？", "", None)], "both name max_open"),
}


@pytest.mark.parametrize(("groups", "shared"), SAME.values(), ids=SAME)
def test_what_both_share_links_them(groups: list[tuple[str, str, Any]], shared: str) -> None:
    result = scan(inputs(asked(*groups)))
    one, other = (next(p.record for p in result.proposals if p.record.lang == lang) for lang in ("en", "zh"))
    assert one.similar == (other.id,)
    assert other.similar == (one.id,)
    assert f"Also asked in Chinese: “{other.title}” ({other.id}); {shared}." in one.why
    assert f"Also asked in English: “{one.title}” ({one.id}); {shared}." in other.why
    known = tuple(Known(p.record.id, "open", p.record) for p in result.proposals)
    assert {p.status for p in scan(inputs(asked(*groups), known=known)).proposals} == {"unchanged"}


def test_a_product_name_of_the_headings_links_them() -> None:
    groups = [("How do I reset the LumoHub?", "", None), ("LumoHub怎么重置？", "", None)]
    assert not any(told(scan(inputs(asked(*groups)))).values())
    assert all(told(scan(inputs(asked(*groups), names={"help": {"lumohub"}}))).values())


def test_an_original_that_holds_both_answers_links_them() -> None:
    page = "Press button A twice and wait. 按两次按钮甲，然后等待一会儿。 open Lumo box"
    groups = [(EN, "Press button A twice and wait.", "up"), (ZH, "按两次按钮甲，然后等待一会儿。", "up"), (ZH, "按", "down")]
    result = scan(inputs([*asked(*groups), turn(90, EN, "No.", "down")], {"help/a.md": page}))
    assert all(line and line[0].endswith("; help/a.md answers both.") for line in told(result).values())
    assert len(told(result)) == 2


APART: dict[str, list[tuple[str, str, Any]]] = {
    "nothing shared": [(EN, "", None), (ZH, "", None)],
    "another question word": [("When does error E1042 end?", "", None), ("为什么出现错误E1042？", "", None)],
    "two that it could be": [
        ("How do I solve error E1042?", "", None),
        ("错误E1042怎么解决？", "", None),
        ("手机屏幕显示E1042怎么关掉提示？", "", None),
    ],
    "one language": [("How do I solve error E1042?", "", None), ("Who can tell us what E1042 on the screen is", "", None)],
    "a short number": [("How do I pay for 3 boxes?", "", None), ("3个盒子怎么付款？", "", None)],
}


@pytest.mark.parametrize("groups", APART.values(), ids=APART)
def test_what_is_not_certain_links_nothing(groups: list[tuple[str, str, Any]]) -> None:
    result = scan(inputs(asked(*groups)))
    assert len(result.proposals) == len(groups)
    assert not any(told(result).values())


def test_each_keeps_its_language_and_order_never_matters() -> None:
    made = asked(*SAME["answer"][0], *SAME["code"][0])
    result = scan(inputs(made))
    assert sorted(p.record.lang for p in result.proposals) == ["en", "en", "zh", "zh"]
    shuffled = scan(inputs(random.Random(4).sample(made, len(made))))
    assert [p.record.dump() for p in shuffled.proposals] == [p.record.dump() for p in result.proposals]
    assert all(len(lines) == 1 for lines in told(scan(inputs(made))).values())
