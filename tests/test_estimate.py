"""The estimate of tokens: language-aware, additive over lines, and never short of what it promises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.text import estimate

LINES = st.lists(st.text(max_size=60), max_size=6).map(lambda lines: "".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("the end", 2, id="short-words"),
        pytest.param("password", 2, id="a-letter-more-than-four"),
        pytest.param("12345", 3, id="digits"),
        pytest.param("密码", 3, id="chinese"),
        pytest.param("重置密码", 5, id="chinese-four"),
        pytest.param("a, b.\n", 5, id="signs-and-a-line"),
        pytest.param("пароль", 6, id="other-letters"),
        pytest.param("😀", 4, id="emoji"),
    ],
)
def test_a_text_takes_about_so_many_tokens(text: str, tokens: int) -> None:
    assert estimate.tokens(text) == tokens


@given(LINES, LINES)
def test_lines_together_take_what_they_take_one_by_one(one: str, other: str) -> None:
    assert estimate.tokens(one + other) == estimate.tokens(one) + estimate.tokens(other)


@given(st.text(max_size=200), st.integers(0, 80))
def test_the_longest_beginning_fits_and_is_one(text: str, budget: int) -> None:
    found = estimate.longest(text, budget)
    assert estimate.tokens(found) <= budget
    assert text.startswith(found)


def test_whole_lines_are_kept_where_one_fits() -> None:
    assert estimate.longest("one two\nthree four five six", 5) == "one two"
    assert estimate.longest("onetwothree", 2) == "onetwoth"
