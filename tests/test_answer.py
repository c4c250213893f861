"""Originals win; overlays are marked; the block cannot be broken out of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.answer import block, marks
from mfgit.answer.ranking import Candidate, rank
from mfgit.model import Hit, Passage

ORIGINAL = Passage(
    "help/a.md", "A", "Reset it", ("A",), (3, 5), "## Reset it\n\nDo it.", "original", "1" * 40, anchor="reset-it"
)
OVERLAY = Passage(
    "_forged/x.md", "X", "X", (), (9, 11), "# X\n\nYes.", "overlay", "2" * 40, proposal="abc", lang="en", anchor="x"
)


def order(*found: Candidate) -> list[int]:
    return [candidate.position for candidate in rank(found, "en")]


def test_an_overlay_gives_way_to_an_original_that_answers_and_says_the_same() -> None:
    overlay = Candidate(1, 9.0, overlay=True, overlaps=((0, 0.8),))
    assert order(Candidate(0, 5.0, overlay=False, covers=0.9), overlay, Candidate(2, 7.0, overlay=False)) == [0, 1, 2]


@pytest.mark.parametrize(
    ("covers", "overlap"),
    [pytest.param(0.9, 0.1, id="other-words"), pytest.param(0.2, 0.9, id="not-about-the-question")],
)
def test_where_originals_are_silent_the_overlay_keeps_its_place(covers: float, overlap: float) -> None:
    overlay = Candidate(1, 9.0, overlay=True, overlaps=((0, overlap),))
    assert order(Candidate(0, 5.0, overlay=False, covers=covers), overlay) == [1, 0]


def test_an_original_that_shares_words_by_chance_is_much_weaker_and_does_not_win() -> None:
    overlay = Candidate(1, 9.0, overlay=True, overlaps=((0, 0.9),))
    assert order(Candidate(0, 2.0, overlay=False, covers=0.9), overlay) == [1, 0]


def test_an_original_that_holds_nearly_every_word_of_the_question_wins_whatever_the_overlay_says() -> None:
    overlay = Candidate(1, 9.0, overlay=True, overlaps=((0, 0.0),))
    assert order(Candidate(0, 8.0, overlay=False, covers=1.0), overlay) == [0, 1]


def test_one_original_above_is_enough() -> None:
    """An overlay that already stands below its original pulls no other one up."""
    overlay = Candidate(1, 8.0, overlay=True, overlaps=((0, 0.9), (2, 0.9)))
    rows = [Candidate(0, 9.0, overlay=False, covers=0.9), overlay, Candidate(3, 7.0, overlay=False)]
    assert order(*rows, Candidate(2, 6.0, overlay=False, covers=0.9)) == [0, 1, 3, 2]


def test_a_stale_overlay_ranks_below_a_fresh_one_with_the_same_words() -> None:
    assert order(Candidate(1, 9.0, overlay=True, stale=True), Candidate(2, 8.0, overlay=True)) == [2, 1]


def test_of_equal_scores_the_original_and_then_the_earlier_stands_first() -> None:
    assert order(Candidate(3, 1.0, overlay=True), Candidate(2, 1.0, overlay=False), Candidate(1, 1.0, overlay=False)) == [
        1,
        2,
        3,
    ]


@given(st.lists(st.tuples(st.floats(0.1, 9), st.booleans(), st.booleans(), st.floats(0, 1), st.floats(0, 1)), max_size=12))
def test_ranking_loses_nobody_and_keeps_the_order_of_originals_that_do_not_win(
    rows: list[tuple[float, bool, bool, float, float]],
) -> None:
    found = [
        Candidate(n, score, overlay, stale and overlay, covers, tuple((m, share) for m in range(len(rows))) if overlay else ())
        for n, (score, overlay, stale, covers, share) in enumerate(rows)
    ]
    ranked = rank(found, "en")
    assert sorted(c.position for c in ranked) == list(range(len(rows)))


@pytest.mark.parametrize(("lang", "words"), [("en", "the original applies"), ("zh", "以原文为准")])
def test_the_mark_is_in_the_reader_s_language_and_names_its_source(lang: str, words: str) -> None:
    said = marks.mark(OVERLAY, lang)
    assert said is not None
    assert words in said
    assert "abc" in said


def test_an_original_has_no_mark() -> None:
    assert marks.mark(ORIGINAL, "en") is None


def test_a_stale_overlay_says_so() -> None:
    fresh = marks.mark(OVERLAY, "en")
    stale = marks.mark(OVERLAY._replace(stale=True), "en")
    assert fresh is not None
    assert stale is not None
    assert stale.startswith(fresh)
    assert "out of date" in stale


def test_the_block_leads_with_originals_and_cites_them_for_good() -> None:
    hits = [Hit(OVERLAY, 2.0, marks.mark(OVERLAY, "en")), Hit(ORIGINAL, 1.0)]
    text = block.block("How?", hits, "c" * 40, "en")
    assert text.index("help/a.md#reset-it@cccccccccccc") < text.index("_forged/x.md#x@cccccccccccc")
    assert str(marks.mark(OVERLAY, "en")) in text


@given(st.text(alphabet="`~\nab ", max_size=40))
def test_no_passage_can_close_its_fence(text: str) -> None:
    fence = block.fence_for(text)
    assert fence not in text
    assert len(fence) >= 3


def test_nothing_found_is_said_in_the_block() -> None:
    assert "没有找到" in block.block("问题", [], "c" * 40, "zh")
