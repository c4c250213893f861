"""The reasons of proposals in both languages: every form is written and read back, and the scan says nothing else."""

import html
import json
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.project import Project
from mfgit.project.deciding import Closing, write_proposals
from mfgit.proposal import request
from mfgit.reasons import forms
from mfgit.reasons.forms import FORMS, Hole, Steps, group, in_chinese, parts, say
from mfgit.scan import run, vetoes
from mfgit.scan.calibrate import RULES
from mfgit.scan.signals import LIFTS
from mfgit.text import questions
from tests.builders import Workbench
from tests.records import record
from tests.serving import serving

TOP = ("why", "against", "closed", "left", "aside", "refused", "hint")
"""Groups whose sentences stand alone."""
HAN = re.compile(r"[\u4e00-\u9fff]")
DATA = frozenset(("given.reasons", "given_reason.it", "side.it", "heading.it", "near.held", "reason.agreed", "what.sides"))
"""Forms that put data in an order, and have no word of their own."""
ENGLISH: frozenset[str] = frozenset(english for english, _ in FORMS.values())
LETTERS = "abXYZ0189-_/怎么修改发票抬头，。？！：；、（）《》·…"
PLAIN = st.text(LETTERS, min_size=1, max_size=30).filter(lambda text: text not in ENGLISH)
FIXTURES = Path(__file__).parent / "formats"


@st.composite
def sentences(draw: st.DrawFn, form: str, texts: st.SearchStrategy[str] = PLAIN) -> tuple[str, str]:
    """Draw a sentence of a form as it is written in English, and as it has to be told in Chinese."""
    english: dict[str, Any] = {}
    chinese: dict[str, str] = {}
    for part in parts(form):
        if isinstance(part, Hole):
            english[part.name], chinese[part.name] = draw(filling(part, texts))
    return say(form, **english), FORMS[form][1].format_map(chinese)


def filling(place: Hole, texts: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[Any, str]]:
    """Return what may stand in a hole, and what that is in Chinese."""
    if not place.kind:
        return texts.map(lambda text: (text, text))
    if place.kind == "%":
        return st.floats(0, 1).map(lambda share: (share, f"{100 * share:.0f}%"))
    if place.kind == "#" or "|" in place.kind:
        return st.integers(0, 10**7).map(lambda number: (number, str(number)))
    one = st.sampled_from(group(place.kind)).flatmap(lambda form: sentences(form, texts))
    if place.listed:
        several = st.lists(one, min_size=1, max_size=3)
        return several.map(lambda all_: ([each[0] for each in all_], "、".join(each[1] for each in all_)))
    return st.just(("", "")) | one if place.optional else one


@pytest.mark.parametrize("form", [form for name in TOP for form in group(name)])
@given(data=st.data())
def test_every_sentence_is_read_back(form: str, data: st.DataObject) -> None:
    english, chinese = data.draw(sentences(form))
    assert in_chinese(english, form.partition(".")[0], steps=Steps()) == chinese


@given(data=st.data(), form=st.sampled_from([form for name in ("why", "against", "closed") for form in group(name)]))
def test_a_sentence_is_read_back_whatever_the_texts_in_it_are(data: st.DataObject, form: str) -> None:
    marks = st.text("a怎 “”().,:/%×0", max_size=8) | st.sampled_from(sorted(ENGLISH))
    english, _ = data.draw(sentences(form, marks))
    found = in_chinese(english, form.partition(".")[0], steps=Steps())
    assert found is not None
    assert not set(re.findall(r"\d+", english)) - set(re.findall(r"\d+", found))


@given(st.text(max_size=200) | st.text(" (“”).,:a0/%", max_size=200))
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert in_chinese(text, "why", "against", "closed", steps=Steps()) is None


@pytest.mark.parametrize("unit", [" (", "” and “", " / ", " holds the answer (", "a (b): “c” there, “", "a 1×, "])
def test_texts_made_to_be_read_for_long_are_given_up_together(unit: str) -> None:
    heads = ("", "supplement, by rule 7: ", "1 of 2 rated answers were rated down (", "Kept apart from “")
    texts = [*(f"{head}{unit * 300}" for head in heads), unit * forms.LONGEST] * 20
    steps = Steps()
    assert not any(in_chinese(text, *TOP, steps=steps) for text in texts)
    assert steps.left >= -len(texts) * len(TOP)
    steps.left = 0
    known = "0 of 7 rated answers were rated down."
    assert in_chinese(known, "why", steps=Steps())
    assert in_chinese(known, "why", steps=steps) is None


def test_the_table_is_whole() -> None:
    named = {part.kind for form in FORMS for part in parts(form) if isinstance(part, Hole) and part.kind.isidentifier()}
    for form, (_, chinese) in FORMS.items():
        holes = [part.name for part in parts(form) if isinstance(part, Hole)]
        assert sorted(set(re.findall(r"{(\w+)}", chinese))) == sorted(holes), form
        assert HAN.search(chinese) or form in DATA, form
        assert form.partition(".")[0] in {*TOP, *named}, form
    assert all(group(name) for name in named)
    assert len(ENGLISH) == len(FORMS), "two forms write the same"


def test_a_form_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        say("why.not_there")


# ---- what the scan says


def test_every_kind_that_the_scan_counts_has_its_sentence() -> None:
    assert {f"sign.{sign}" for sign, lift in LIFTS.items() if lift > 0} == set(group("sign"))
    assert {f"type.{kind}" for _, kind, _, _ in RULES if kind} == set(group("type"))
    assert {f"side.{name}" for name, _ in vetoes.QUESTION_WORDS} <= set(group("side"))
    for aside in (questions.SMALL_TALK, questions.CODE, questions.MACHINE, questions.EMPTY):
        assert in_chinese(aside, "aside", steps=Steps())
    assert in_chinese(run.REOPENED, "why", steps=Steps())


def test_every_kept_record_is_told_in_chinese() -> None:
    """Records of earlier versions, as they lie in Git."""
    kept = "".join(path.read_text("utf-8") for path in FIXTURES.glob("*/repository.fast-export"))
    told = {line for found in re.findall(r'"why": (\[.*?\])', kept, re.DOTALL) for line in json.loads(found)}
    assert len(told) > 5
    assert [line for line in sorted(told - {"asked 4 times"}) if in_chinese(line, "why", steps=Steps()) is None] == []


# ---- the page and the request


def test_the_sample_is_reviewed_in_chinese(untouched: Path, tmp_path: Path) -> None:
    """No reason of any proposal of `mfgit demo` is left in English on the Chinese page; the English page has them all."""
    folder = tmp_path / "fernhouse"
    shutil.copytree(untouched, folder, symlinks=True)
    with serving(folder) as running, running.client() as client:
        for one in Project.open(folder, {}).proposals():
            page = f"/memoryforge/proposals/{one.id}"
            chinese = why_of(client.get(page, headers={"Accept-Language": "zh-CN"}).text)
            assert why_of(client.get(page, headers={"Accept-Language": "en"}).text) == list(one.record.why)
            assert len(chinese) == len(one.record.why) > 0
            data = "|".join(map(re.escape, (*one.record.rating_reasons, one.record.title)))
            for said in chinese:
                assert HAN.search(said), said
                assert not re.search(r"[A-Za-z]+ [A-Za-z]+", re.sub(rf"{data}|“[^”]*”|\([^)]*\)", "", said)), said


def test_what_no_form_knows_is_shown_as_it_is_and_marked_as_english(bench: Workbench) -> None:
    why = (say("why.cut"), "<b>Made by hand</b>, \u202ereally")
    write_proposals(Project.open(bench.path), [record(1, why=why)])
    with serving(bench.path) as running, running.client() as client:
        page = client.get("/memoryforge/proposals/0000000000000001", headers={"Accept-Language": "zh"}).text
    assert "<li><span>答案中只针对某位用户的内容已略去。</span></li>" in page
    assert '<li><span lang="en">&lt;b&gt;Made by hand&lt;/b&gt;, ' in page
    assert "\u202e" not in page


def test_refusals_and_closings_come_in_the_language_of_the_page(bench: Workbench) -> None:
    project = Project.open(bench.path)
    write_proposals(project, [record(1), record(2)])
    closed = say("closed.led", found=2, wordings=3, path="help/account.md")
    write_proposals(project, [], closing=[Closing(record(1).id, datetime(2026, 11, 30, tzinfo=UTC), closed)])
    zh = {"Accept-Language": "zh"}
    with serving(bench.path) as running, running.client() as client:
        page = client.get(f"/memoryforge/proposals/{record(1).id}", headers=zh).text
        assert "3 种问法中现在有 2 种能找到 help/account.md。" in page
        form = re.search(r'name="csrf" value="([^"]+)"', page)
        assert form
        refused = {
            f"{record(1).id}/adopt": "已关闭：3 种问法中现在有 2 种能找到 help/account.md。</span> <span>请先重新打开",
            f"{record(2).id}/restore": "目前待处理，无需恢复。</span> <span>只有已拒绝",
            f"{record(2).id}/adopt": "不是您审核的",
        }
        for path, said in refused.items():
            sent = {"csrf": form[1], "reviewed": project.target_commit()}
            answer = client.post(f"/memoryforge/proposals/{path}", data=sent, headers=zh)
            assert (answer.status_code, said in answer.text) == (409, True), answer.text


def why_of(text: str) -> list[str]:
    """Return the reasons on a page of a proposal, with the marks of their language."""
    listed = re.search(r'<ul class="why">(.*?)</ul>', text, re.DOTALL)
    assert listed
    return [
        html.unescape(each).removeprefix("<span>").removesuffix("</span>") for each in re.findall("<li>(.*?)</li>", listed[1])
    ]


def test_a_request_tells_its_reasons_in_the_language_of_the_proposal() -> None:
    why = (say("why.cut"), "A reason that nobody knows <b>")
    facts = request.Facts({}, "", "memoryforge/x")
    chinese = request.text(record(1, lang="zh", why=why), facts, 9000)
    assert "答案中只针对某位用户的内容已略去。" in chinese
    assert "A reason that nobody knows" in chinese
    assert "What spoke to one user only" in request.text(record(1, lang="en", why=why), facts, 9000)
