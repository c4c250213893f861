"""Two rankings as one: by places alone, with scores that keep their scale."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.answer.fusion import K, fused, with_meaning

RANKINGS = st.lists(st.integers(0, 30), unique=True, max_size=12)


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        pytest.param([[1, 2, 3]], [1, 2, 3], id="one list stays as it is"),
        pytest.param([[1, 2], [3, 2]], [2, 1, 3], id="what both name comes first"),
        pytest.param([[1, 2], [2, 1]], [1, 2], id="a tie goes to the first list"),
        pytest.param([[], [4, 5]], [4, 5], id="an empty list says nothing"),
        pytest.param(
            [list(range(K + 2)), [K + 1]], [K + 1, *range(K + 1)], id="second to none in one beats first in the other"
        ),
        pytest.param([], [], id="no list"),
    ],
)
def test_rankings_are_fused_by_their_places(lists: list[list[int]], expected: list[int]) -> None:
    assert fused(lists) == expected


@given(RANKINGS, RANKINGS)
def test_nothing_is_lost_and_agreement_is_kept(one: list[int], other: list[int]) -> None:
    found = fused([one, other])
    assert sorted(found) == sorted({*one, *other})
    both = [key for key in one if key in other]
    ahead = [(a, b) for a in both for b in both if one.index(a) < one.index(b) and other.index(a) < other.index(b)]
    assert all(found.index(a) < found.index(b) for a, b in ahead)


@given(RANKINGS, RANKINGS)
def test_scores_keep_their_scale_and_fall(places: list[int], near: list[int]) -> None:
    lexical = [(place, 10.0 / number) for number, place in enumerate(places, 1)]
    found = with_meaning(lexical, near)
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)
    assert {place for place, _ in found} == {*places, *near}
    if lexical:
        assert scores[: len(lexical)] == [score for _, score in lexical]
        assert set(scores[len(lexical) :]) <= {lexical[-1][1]}


def test_without_near_passages_nothing_changes() -> None:
    assert with_meaning([(3, 2.0), (1, 2.0)], []) == [(3, 2.0), (1, 2.0)]
