"""Folding gives one spelling to what readers take for the same text."""

import opencc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.text import traditional
from mfgit.text.fold import fold, simplify


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        pytest.param("ＣＳＶ　Ｅｘｐｏｒｔ", "csv export", id="full-width"),
        pytest.param("發票抬頭怎麼修改？", "发票抬头怎么修改?", id="traditional"),
        pytest.param("無線網絡", "无线网络", id="every-character-differs"),
        pytest.param("ﬁle №5", "file no5", id="ligatures-and-signs"),
        pytest.param("ÉCOLE Straße", "école straße", id="other-latin"),
        pytest.param("かな カナ", "かな カナ", id="kana-stays"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_text_gets_its_one_spelling(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_folding_twice_changes_nothing_more_of_han(text: str) -> None:
    assert simplify(simplify(text)) == simplify(text)


def test_the_table_has_one_simplified_character_for_each_traditional_one() -> None:
    assert len(traditional.TRADITIONAL) == len(traditional.SIMPLIFIED) == len(set(traditional.TRADITIONAL))


def test_the_table_agrees_with_opencc() -> None:
    """Dictionaries grow between releases of OpenCC, so a few characters may differ."""
    said = opencc.OpenCC("t2s").convert("\n".join(traditional.TRADITIONAL)).split("\n")
    different = sum(a != b for a, b in zip(said, traditional.SIMPLIFIED, strict=True))
    assert different <= len(said) // 100
