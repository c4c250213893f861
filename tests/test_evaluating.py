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
        {"question": "money back", "doc_ids": ["help/refunds.md", "help/roles.md"]},
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
    ],
)
def test_a_bad_file_of_questions_is_named_with_its_line(kb: Workbench, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "q.jsonl").write_text(text, encoding="utf-8")
    ran = kb.mfgit("eval", str(tmp_path / "q.jsonl"))
    assert ran.code == 2
    assert said in ran.err
    assert kb.mfgit("eval", str(tmp_path / "none.jsonl")).code == 2
