"""`mfgit eval` measures and compares refs."""

import json
from pathlib import Path

import jsonschema
import pytest

from mfgit.model import schema_folder
from tests.builders import Workbench
from tests.searching import PAGES


@pytest.fixture
def kb(tmp_path: Path) -> Workbench:
    return Workbench.make(tmp_path / "kb", PAGES)


def test_eval_measures_and_compares_refs(kb: Workbench, tmp_path: Path) -> None:
    rows = [
        {"question": "How long are backups kept?", "doc_ids": ["help/backups.md"]},
        {"question": "money back", "doc_ids": ["./help/refunds.md", "help/roles.md"]},
        {"question": "plimsollite", "doc_ids": ["help/roles.md"]},
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n", encoding="utf-8")
    kb.write({"help/roles.md": "# Roles\n\nplimsollite\n"})
    kb.commit()
    value = kb.mfgit("eval", str(file), "--ref", "HEAD~1", "--ref", "HEAD", "--json").json()
    jsonschema.validate(value, json.loads((schema_folder() / "eval.schema.json").read_text()))
    assert [round(ref["hit1"], 2) for ref in value["refs"]] == [0.67, 1.0]
    assert [entry["question"] for entry in value["changed"]] == ["plimsollite"]
    single = kb.mfgit("eval", str(file), "--json").json()
    assert single["commit"] == single["refs"][0]["commit"] == kb.git("rev-parse", "HEAD")
    assert "1.000" in kb.mfgit("eval", str(file)).out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no questions"),
        ("{", "line 1"),
        ('{"question": "x", "doc_ids": ["a"]}\n[]', "line 2"),
        ('{"question": 1, "doc_ids": []}', "line 1"),
        ('{"question": "x", "doc_ids": "a"}', "line 1"),
        ('{"question": "x", "doc_ids": ["a"], "history": [1]}', "line 1"),
        ('{"question": "x", "doc_ids": ["a"], "history": []}\n\n{"question": "x"}', "line 3"),
    ],
)
def test_a_bad_file_of_questions_is_named_with_its_line(kb: Workbench, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "q.jsonl").write_text(text, encoding="utf-8")
    ran = kb.mfgit("eval", str(tmp_path / "q.jsonl"))
    assert ran.code == 2
    assert said in ran.err
    assert kb.mfgit("eval", str(tmp_path / "none.jsonl")).code == 2


def questions(folder: Path, *rows: dict[str, object]) -> str:
    """Write a file of questions."""
    file = folder / "questions.jsonl"
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return str(file)


@pytest.fixture
def moved(kb: Workbench, tmp_path: Path) -> str:
    """A commit that takes one answer away and brings another; return the questions."""
    kept = "# How long nightly backups are kept\n\nNightly backups are kept for 30 days.\n"
    parking = "# Parking\n\nCars park behind the house.\n"
    kb.write({"help/backups.md": "# Copies\n\nChoose a night.\n", "help/kept.md": kept, "help/parking.md": parking})
    kb.commit()
    return questions(
        tmp_path,
        {"question": "How long are nightly backups kept?", "doc_ids": ["help/backups.md"]},
        {"question": "Where do cars park?", "doc_ids": ["help/parking.md"]},
        {"question": "发票抬头", "doc_ids": ["帮助/发票.md"]},
    )


def test_two_commits_are_compared_question_by_question(kb: Workbench, moved: str) -> None:
    value = kb.mfgit("eval", moved, "--ref", "HEAD~1", "--ref", "HEAD", "--json").json()
    jsonschema.validate(value, json.loads((schema_folder() / "eval.schema.json").read_text()))
    assert {entry["question"]: (entry["ranks"][0], entry["verdict"]) for entry in value["changed"]} == {
        "How long are nightly backups kept?": (1, "worse"),
        "Where do cars park?": (0, "better"),
    }
    out = kb.mfgit("eval", moved, "--ref", "HEAD~1", "--ref", "HEAD").out
    assert "1 better and 1 worse" in out
    assert "(known page: - -> 1)" in out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param(("--ref", "HEAD~1", "--ref", "HEAD", "--max-regressions", "0"), 1, "1 questions get worse", id="worse"),
        pytest.param(("--ref", "HEAD~1", "--ref", "HEAD", "--max-regressions", "1"), 0, "", id="as-many-as-allowed"),
        pytest.param(("--ref", "HEAD", "--ref", "HEAD", "--max-regressions", "0"), 0, "", id="the-same"),
        pytest.param(("--max-regressions", "0"), 2, "two refs", id="nothing-to-compare"),
        pytest.param(("--fail-below", "0.9"), 1, "below 0.9", id="below"),
        pytest.param(("--fail-below", "0.5"), 0, "", id="above"),
    ],
)
def test_a_build_can_fail_for_what_got_worse(kb: Workbench, moved: str, words: tuple[str, ...], code: int, said: str) -> None:
    ran = kb.mfgit("eval", moved, *words)
    assert (ran.code, said in ran.err) == (code, True), ran.err


def test_eval_keeps_within_roots_and_reads_histories(kb: Workbench, tmp_path: Path) -> None:
    kb.write({"mfgit.toml": '[[root]]\npath = "help"\n[[root]]\npath = "帮助"\n'})
    kb.commit()
    page = "help/refunds.md"
    file = questions(
        tmp_path,
        {"question": "how long does it take?", "doc_ids": [page], "history": ["When do I get my money back?"]},
        {"question": "夜间备份", "doc_ids": ["帮助/备份.md"]},
    )
    assert [kb.mfgit("eval", file, *words, "--json").json()["refs"][0]["hit1"] for words in ((), ("--root", "help"))] == [
        1,
        0.5,
    ]
    assert kb.mfgit("eval", file, "--root", "nowhere").code == 2


def test_pages_that_a_ref_does_not_have_are_named(kb: Workbench, moved: str, tmp_path: Path) -> None:
    """Their questions count as not found, and the figures say that this is why."""
    value = kb.mfgit("eval", moved, "--ref", "HEAD~1", "--ref", "HEAD", "--json").json()
    assert [ref["unknown_pages"] for ref in value["refs"]] == [["help/parking.md"], []]
    assert [ref["questions_without_page"] for ref in value["refs"]] == [1, 0]
    said = "HEAD~1 does not have help/parking.md; 1 of the questions name no other page and count as not found."
    assert said in kb.mfgit("eval", moved, "--ref", "HEAD~1", "--ref", "HEAD").out
    both = questions(tmp_path, {"question": "money back", "doc_ids": ["help/refunds.md", "old.md"]})
    ran = kb.mfgit("eval", both)
    assert (ran.code, "HEAD does not have old.md.\n" in ran.out) == (0, True)


@pytest.mark.parametrize("refs", [(), ("--ref", "HEAD~1", "--ref", "HEAD")], ids=["head", "two-refs"])
def test_where_no_page_is_there_nothing_is_measured(kb: Workbench, moved: str, tmp_path: Path, refs: tuple[str, ...]) -> None:
    file = questions(tmp_path, {"question": "money back", "doc_ids": ["refunds.md", "help/refund.md"]})
    ran = kb.mfgit("eval", file, *refs)
    assert (ran.code, ran.out) == (2, "")
    assert "the first of them is help/refund.md" in ran.err
    assert "Did you mean help/refunds.md?" in ran.err


def test_questions_that_no_page_answers_are_no_mistake(kb: Workbench, tmp_path: Path) -> None:
    assert kb.mfgit("eval", questions(tmp_path, {"question": "plimsollite", "doc_ids": []})).code == 0
