"""One analyzer for documents, aliases and questions, in Chinese and English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.text.tokens import language, query_terms, stem, terms


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("Resetting passwords", ["reset", "password"], id="inflected"),
        pytest.param("max_retries", ["max_retries", "max", "retri"], id="snake-case"),
        pytest.param("retryPolicy", ["retrypolici", "retri", "polici"], id="camel-case"),
        pytest.param("HTTPServer2", ["httpserver2", "http", "server"], id="acronym-in-camel-case"),
        pytest.param("user's don't", ["user", "dont"], id="apostrophes"),
        pytest.param("__init__", ["init"], id="dunder"),
        pytest.param("___ -- !!", [], id="no-letters"),
        pytest.param("ＷｉＦｉ", ["wifi", "wi", "fi"], id="full-width"),
        pytest.param("发票抬头", ["发", "票", "抬", "头", "发票", "票抬", "抬头"], id="han"),
        pytest.param("我的发票", ["发", "票", "我的", "的发", "发票"], id="function-characters-only-in-pairs"),
        pytest.param("OpenClaw升级", ["openclaw", "open", "claw", "升", "级", "升级"], id="mixed"),
        pytest.param("のテスト", ["テ", "ス", "ト", "のテ", "テス", "スト"], id="kana"),
        pytest.param("Привет_мир", ["привет_мир", "привет", "мир"], id="cyrillic"),
    ],
)
def test_a_text_gives_its_terms(text: str, found: list[str]) -> None:
    assert terms(text) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        pytest.param("How do I reset my password?", ["reset", "password"], id="english"),
        pytest.param("请问怎么修改发票？", ["修", "改", "发", "票", "问怎", "么修", "修改", "改发", "发票"], id="chinese"),
        pytest.param("what is it", ["what", "is", "it"], id="only-stop-words-are-kept"),
        pytest.param("password PASSWORD passwords", ["password"], id="each-once"),
        pytest.param("?!", [], id="nothing"),
    ],
)
def test_a_question_gives_its_terms_without_what_only_asks(question: str, found: list[str]) -> None:
    assert query_terms(question) == found


@pytest.mark.parametrize(
    ("first", "second"),
    [("policy", "policies"), ("restoring", "restored"), ("boxes", "box"), ("stopped", "stop"), ("files", "file")],
)
def test_forms_of_one_word_meet(first: str, second: str) -> None:
    assert stem(first) == stem(second)


@pytest.mark.parametrize("word", ["is", "bus", "class", "v2", "naïve", "ring", "sing", "status"])
def test_words_without_inflection_stay(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("How do I reset?", "en"),
        ("怎么修改发票抬头", "zh"),
        ("OpenClaw升级", "zh"),
        ("How do I use 微信 with the app on my phone", "en"),
        ("", "en"),
        ("テスト", "en"),
    ],
)
def test_the_reader_s_language_is_that_of_the_question(text: str, lang: str) -> None:
    assert language(text) == lang


@given(st.text())
def test_any_text_gives_terms_that_are_folded_and_hold_no_space(text: str) -> None:
    found = terms(text)
    assert all(term and not any(character.isspace() for character in term) for term in found)
    assert set(query_terms(text)) <= set(found)
