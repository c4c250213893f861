"""The second look: words that stand together, titles that are asked for, names of files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.index import closeness
from tests.builders import Workbench
from tests.searching import paths

FILLER = "The page says much more about other things that nobody asks for. "
FILLER_ZH = "这一页还写了很多别的内容，和问题没有关系。"


@pytest.mark.parametrize(
    ("question", "apart", "close"),
    [
        pytest.param(
            "change the billing address",
            "The billing of a month is sent by post. {} Every address of the network can be seen.",
            "{} To see the month, open the network. The billing address is sent by post.",
            id="en",
        ),
        pytest.param(
            "修改账单地址",
            "账单每月寄出。{}网络中的地址都可以查看。",
            "{}网络中每月都可以查看。账单地址随信寄出。",
            id="zh",
        ),
        pytest.param(
            "WiFi 密码在哪里",
            "WiFi 每月更新。{}网络中的密码都可以查看。",
            "{}网络中每月都可以查看。WiFi 密码更新。",
            id="mixed",
        ),
    ],
)
def test_words_that_stand_together_in_the_question_and_in_the_text_win(
    tmp_path: Path, question: str, apart: str, close: str
) -> None:
    """Both pages hold the same words as often; the one that is named first only has them far from each other."""
    filler = FILLER * 2 if question.isascii() else FILLER_ZH
    made = Workbench.make(
        tmp_path / "kb", {"a.md": f"# One\n\n{apart.format(filler)}\n", "b.md": f"# Two\n\n{close.format(filler)}\n"}
    )
    assert paths(made, question)[0] == "b.md"


@pytest.mark.parametrize(
    ("question", "longer", "exact"),
    [
        pytest.param("teams", "Teams and owners and guests", "Teams", id="en"),
        pytest.param("团队", "团队与访客与所有者", "团队", id="zh"),
    ],
)
def test_a_title_that_is_all_asked_for_wins(tmp_path: Path, question: str, longer: str, exact: str) -> None:
    made = Workbench.make(tmp_path / "kb", {"a.md": f"# {longer}\n\nx y z w\n", "b.md": f"# {exact}\n\nx y z w q r s\n"})
    assert paths(made, question)[0] == "b.md"


@pytest.mark.parametrize("question", ["rotate a token", "怎么轮换 token"])
def test_the_name_of_a_file_counts(tmp_path: Path, question: str) -> None:
    text = "# Keys\n\nA token is made anew.\n\ntoken 重新生成。\n"
    made = Workbench.make(tmp_path / "kb", {"a.md": text, "token-rotation.md": text})
    assert paths(made, question)[0] == "token-rotation.md"


@pytest.mark.parametrize(
    ("question", "found"),
    [
        pytest.param("how do I reset the gateway password", [("reset", "gatewai"), ("gatewai", "password")], id="en"),
        pytest.param("重置密码", [("重置", "置密"), ("置密", "密码")], id="zh"),
        pytest.param("升级 OpenClaw", [("升级", "openclaw")], id="mixed"),
        pytest.param("reset reset", [], id="no-pair-with-itself"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_the_pairs_of_a_question(question: str, found: list[tuple[str, str]]) -> None:
    assert closeness.pairs(question, {}) == found


def test_a_corrected_word_pairs_as_what_was_meant() -> None:
    assert closeness.pairs("gatway password", {"gatwai": "gatewai"}) == [("gatewai", "password")]


@given(st.lists(st.integers(0, 60), unique=True).map(sorted), st.lists(st.integers(0, 60), unique=True).map(sorted))
def test_together_counts_places_with_the_other_within_reach(one: list[int], other: list[int]) -> None:
    expected = sum(any(abs(place - near) <= closeness.NEAR for near in other) for place in one)
    assert closeness.together(one, other) == expected
