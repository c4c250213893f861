"""`scan --explain QUESTION`: every way a question can go is told."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from mfgit.model import Known
from mfgit.scan.explain import explain
from mfgit.scan.report import Outcome
from mfgit.scan.values import Inputs, Window
from mfgit.sections import ScanConfig
from tests.scanning import START, inputs, scan, turn

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "asks": "How do I change the billing address?",
        "covers": "How do I change the billing address? Edit the billing address.",
        "leans": "it still fails",
        "other": "Where do penguins sleep?",
    },
    "zh": {
        "asks": "怎么修改发票抬头？",
        "covers": "怎么修改发票抬头？修改发票抬头。",
        "leans": "还是不行",
        "other": "企鹅在哪里睡觉？",
    },
}
LANGUAGES = pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)


def explained(given: Inputs, question: str) -> str:
    result = scan(given)
    outcome = Outcome(Window(START, START + timedelta(days=30)), result, tuple(result.proposals), (), True, "archive")
    return "\n".join(explain(outcome, question))


def three(words: dict[str, str], **more: Any) -> list[Any]:
    return [turn(n, words["asks"], **more) for n in range(3)]


def known(words: dict[str, str], status: str, **more: Any) -> tuple[Known, ...]:
    (found,) = scan(inputs(three(words))).proposals
    return (Known(found.record.id, status, found.record, **more),)


@LANGUAGES
def test_where_a_question_of_the_window_went(words: dict[str, str]) -> None:
    asks = words["asks"]
    cases: list[tuple[Inputs, str]] = [
        (inputs(three(words)), "(new): supplement, by rule 7: "),
        (inputs([*three(words), turn(9, words["other"], rating="down")], settings=ScanConfig(max_open=1)), "(waiting): "),
        (inputs(three(words), known=known(words, "open")), "(unchanged): "),
        (inputs(three(words), known=known(words, "rejected")), "(rejected): "),
        (inputs(three(words), known=known(words, "adopted")), "not proposed: adopted, and nobody is unhappy since"),
        (inputs(three(words)[:1]), "not proposed: asked once"),
        (inputs(three(words)[:2]), "not proposed: asked less than 3 times"),
        (inputs(three(words, session_id="s")), "not proposed: asked in one session only"),
        (inputs([turn(n, asks, user_id="u") for n in range(3)]), "(new): "),
        (
            inputs(three(words), {"help/a.md": words["covers"]}),
            "not proposed: help/a.md probably covers it (100 % of the question",
        ),
    ]
    for given, fate in cases:
        assert fate in explained(given, asks)


@LANGUAGES
def test_an_open_proposal_that_is_closed_tells_so(words: dict[str, str]) -> None:
    (one,) = known(words, "open")
    given = inputs(three(words), {"help/a.md": words["covers"]}, known=(one,), changed={one.id: {"help/a.md": START}})
    assert "not proposed: help/a.md probably covers it" in explained(given, words["asks"])
    assert f"A question of {one.id} (open): {one.record.title}" in explained(given, words["asks"])


@LANGUAGES
@pytest.mark.parametrize("status", ["open", "adopted", "rejected", "closed", "undone"])
def test_a_question_of_an_earlier_time_names_its_proposal(words: dict[str, str], status: str) -> None:
    found = known(words, status, reason="not ours", forever=status == "rejected")
    told = explained(inputs([turn(1, words["other"])], known=found), words["asks"])
    more = " for ever" if status == "rejected" else ""
    assert f"A question of {found[0].id} ({status}{more}): {found[0].record.title}; not ours" in told
    assert "It was not asked in these words" in told


@LANGUAGES
def test_turns_that_were_set_aside_are_counted_with_their_reason(words: dict[str, str]) -> None:
    made = [*three(words), turn(7, words["asks"], help_mode=False), turn(8, words["asks"], user_id="healthcheck")]
    told = explained(inputs(made), words["asks"])
    assert "Set aside 1 of the 5 turns that ask it: neither help nor a workspace" in told
    assert "Set aside 1 of the 5 turns that ask it: test or probe" in told


@LANGUAGES
def test_what_asks_nothing_says_why(words: dict[str, str]) -> None:
    given = inputs(three(words))
    assert "set aside as follow-up" in explained(given, words["leans"])
    for text, reason in (("thanks", "small talk"), ("```\nx = 1\n```", "code"), ('{"a": 1}', "machine traffic"), ("", "empty")):
        assert f"set aside as {reason}" in explained(given, text)
    (one,) = known(words, "adopted")
    text = f"{words['covers']} " * 4
    echoing = replace(one, record=replace(one.record, suggestion=text))
    assert "set aside as echo of an overlay" in explained(inputs(three(words), known=(echoing,)), text)
    assert "No question of this time was read." in explained(inputs([]), words["asks"])
