"""File names made of titles."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.text.slug import ascii_slug, slug


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        pytest.param("How do I reset my password?", "how-do-i-reset-my-password", id="english"),
        pytest.param("发票抬头怎么修改？", "发票抬头怎么修改", id="chinese"),
        pytest.param("Ｈｏｗ　to", "how-to", id="full width"),
        pytest.param("../../etc/passwd", "etc-passwd", id="path"),
        pytest.param("???", "question", id="nothing left"),
        pytest.param("a\nb\tc\x00d", "a-b-c-d", id="control characters"),
    ],
)
def test_slug_keeps_the_words_of_a_title(title: str, wanted: str) -> None:
    assert slug(title) == wanted


@given(st.text(), st.integers(8, 100))
def test_slug_is_a_safe_file_name_of_at_most_its_limit(title: str, limit: int) -> None:
    name = slug(title, limit)
    assert name
    assert len(name.encode()) <= limit
    assert unicodedata.normalize("NFC", name) == name
    assert not set(name) & set('/\\:*?"<>|. \n\0')


@given(st.text(), st.integers(4, 60))
def test_ascii_slug_keeps_the_rule_of_skill_names(title: str, limit: int) -> None:
    name = ascii_slug(title, limit)
    assert len(name) <= limit
    assert all(part.isascii() and part.isalnum() and part.lower() == part for part in name.split("-") if name)
