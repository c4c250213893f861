"""Search by meaning: passages' vectors, what they bring and keep out, and a model that is away."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mfgit.backends import nearest
from mfgit.backends.calibration import PROBES, probes
from mfgit.errors import BadInput
from mfgit.project import Project, nearing, vectoring, views
from tests import models
from tests.builders import Workbench
from tests.models import Answer
from tests.searching import PAGES, blob, paths, propose

SAME = {
    "refund": ("money back", "reimbursement for what i bought"),
    "备份": ("夜间备份", "每天的数据副本存多久"),
}
NOWHERE = "zebra quagga okapi"


def topic_of(text: str) -> str:
    """Return what a text is about, to the model of these tests."""
    text = text.removeprefix("query: ").removeprefix("passage: ")
    for lang in PROBES:
        for number, pair in enumerate(probes(lang)):
            if text in pair:
                return f"{lang} {number}"
    return next((topic for topic, marks in SAME.items() if any(mark in text.lower() for mark in marks)), text)


def vector(text: str) -> list[float]:
    """Return a vector near those of the same topic, and a little like every other."""
    topic, own = (np.random.default_rng(list(word.encode())) for word in (topic_of(text), text))
    found = topic.normal(size=96) + 0.15 * own.normal(size=96) + 0.3
    return [float(number) for number in found]


@pytest.fixture
def kb(tmp_path: Path) -> Workbench:
    return Workbench.make(tmp_path / "kb", PAGES)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[models.Endpoint]:
    """Serve the model, as the environment names it."""
    with models.serving(lambda _, asked: models.vectors(asked["input"], vector)) as running:
        monkeypatch.setenv("MFGIT_VECTOR_URL", running.url)
        monkeypatch.setenv("MFGIT_VECTOR_MODEL", "test-embed")
        yield running


def sent(running: models.Endpoint) -> list[str]:
    return [text for asked in running.asked for text in asked["input"]]


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize(
    ("question", "path"),
    [
        pytest.param("reimbursement for what I bought", "help/refunds.md", id="en"),
        pytest.param("每天的数据副本存多久", "帮助/备份.md", id="zh"),
    ],
)
def test_a_passage_is_found_that_shares_no_word(
    kb: Workbench, question: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert paths(kb, question)[0] == path
    monkeypatch.setenv("MFGIT_VECTOR_MODEL", "")
    monkeypatch.setenv("MFGIT_VECTOR_URL", "")
    assert path not in paths(kb, question)[:1]


@pytest.mark.usefixtures("model")
def test_what_is_near_by_meaning_counts_as_an_answer(kb: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Project.open(kb.path).context("reimbursement for what I bought")
    assert made.answered
    assert made.citations[0].startswith("help/refunds.md")
    monkeypatch.setenv("MFGIT_VECTOR_MODEL", "")
    monkeypatch.setenv("MFGIT_VECTOR_URL", "")
    assert not Project.open(kb.path).context("reimbursement for what I bought").answered


@pytest.mark.usefixtures("model")
def test_what_no_document_answers_finds_nothing(kb: Workbench) -> None:
    found = Project.open(kb.path).search(NOWHERE)
    assert found.hits == ()
    assert found.note == "No document in HEAD holds a word of the question."


@pytest.mark.usefixtures("model")
def test_the_original_still_wins(kb: Workbench) -> None:
    path = propose(kb, "a" * 16, "Refunds", "Reimbursement for what I bought: money back in fourteen days of the purchase.",
                   [blob(kb, "help/refunds.md")])  # fmt: skip
    kb.git("merge", "-q", "--no-ff", "-m", "adopt", f"mfgit/{'a' * 16}")
    found = Project.open(kb.path).search("money back fourteen days purchase")
    assert [hit.passage.path for hit in found.hits[:2]] == ["help/refunds.md", path]
    assert found.hits[1].mark
    only = Project.open(kb.path).search("reimbursement for what I bought", only="original")
    assert [hit.passage.path for hit in only.hits] == ["help/refunds.md"]


def test_only_changed_passages_are_embedded(kb: Workbench, model: models.Endpoint) -> None:
    paths(kb, "backups")
    texts = sent(model)
    assert "Backups > Retention\n## Retention\n\nNightly backups are kept for 30 days." in texts
    assert len(set(texts)) == len(texts) - texts.count("backups") + 1
    paths(kb, "backups")
    assert sent(model)[len(texts) :] == ["backups"]
    kb.write({"help/roles.md": "# Roles\n\nAn auditor reads everything.\n"})
    kb.commit("change")
    paths(kb, "backups")
    assert len(sent(model)) == len(texts) + 3
    assert "auditor" in "".join(sent(model)[-2:])


def test_vectors_may_be_deleted_or_damaged_at_any_time(kb: Workbench, model: models.Endpoint) -> None:
    question = "reimbursement for what I bought"
    first = paths(kb, question)
    folder = nearing.folder_of(Project.open(kb.path))
    (rows,) = (folder / "views").iterdir()
    asked = len(sent(model))
    rows.write_bytes(rows.read_bytes()[:-7])
    assert paths(kb, question) == first
    assert len(sent(model)) == asked + 1
    for path in folder.glob("*.vectors"):
        path.write_bytes(b"{}")
    rows.unlink()
    assert paths(kb, question) == first
    assert len(sent(model)) > asked + 2


def test_what_goes_out_is_redacted_and_has_its_prefix(
    kb: Workbench, model: models.Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb.write({"mfgit.toml": '[vector]\nprefix = "query: "\npassage_prefix = "passage: "\n',
              "help/who.md": "# Who\n\nCall 13912345678 about it.\n"})  # fmt: skip
    kb.commit("settings")
    paths(kb, "who answers 13912345678")
    texts = sent(model)
    assert "13912345678" not in "".join(texts)
    assert texts[-1].startswith("query: who answers")
    assert all(text.startswith(("query: ", "passage: ")) for text in texts)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        pytest.param(lambda *_: Answer(status=401), "does not accept the key (status 401)", id="refused"),
        pytest.param(lambda *_: Answer(b"[]"), "did not answer with one vector for each text", id="nonsense"),
    ],
)
def test_without_the_model_words_alone_are_searched(
    kb: Workbench, reply: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = paths(kb, "nightly backups")
    with models.serving(lambda _, asked: models.vectors(asked["input"], vector)) as running:
        monkeypatch.setenv("MFGIT_VECTOR_URL", running.url)
        monkeypatch.setenv("MFGIT_VECTOR_MODEL", "test-embed")
        running.reply = reply
        unmade = Project.open(kb.path).search("nightly backups")
        running.reply = lambda _, asked: models.vectors(asked["input"], vector)
        paths(kb, "nightly backups")
        running.reply = reply
        made = Project.open(kb.path).search("nightly backups")
        questions = kb.path / "questions.jsonl"
        questions.write_text(json.dumps({"question": "nightly backups", "doc_ids": ["help/backups.md"]}))
        with pytest.raises(BadInput, match="by words alone"):
            Project.open(kb.path).evaluate(questions)
    for found in (unmade, made):
        assert [hit.passage.path for hit in found.hits] == plain
        assert "Searched by words alone" in (found.note or "")
        assert why in (found.note or "")


def test_a_search_embeds_for_so_long_and_the_next_goes_on(
    kb: Workbench, model: models.Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectoring, "BATCH", 3)
    project = Project.open(kb.path)
    where = views.locate(project)
    searcher = views.searcher(project, where)
    notes: list[str] = []
    while not notes or notes[-1]:
        notes.append(nearing.opened(project, where, searcher, patience=0.0).near("backups", None).note)
    assert len(notes) > 2
    assert notes[0] == "Searched by words alone: 3 of 8 passages have vectors so far, the next search goes on."
    texts = sent(model)
    assert all(texts.count(text) == 1 for text in texts if text != "backups")


def test_a_kill_while_rows_are_written_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows"
    nearest.write(path, "m", 1, b"\x00\x3c\x00\x00", {"en": (0.1, 0.2)})
    before = path.read_bytes()

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        nearest.write(path, "m", 1, b"\x00\x00\x00\x3c", {})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    assert nearest.read(path, "other", 1) is None
    assert nearest.read(path, "m", 2) is None


def test_without_the_setting_nothing_of_it_is_loaded(kb: Workbench) -> None:
    paths(kb, "backups")
    code = (
        "import sys; from mfgit.project import Project; "
        f"assert Project.open({str(kb.path)!r}).search('backups').hits; "
        "print([m for m in sys.modules if m.split('.')[0] in ('numpy', 'httpx2') or m.startswith('mfgit.backends')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
    assert not nearing.folder_of(Project.open(kb.path)).exists()


@pytest.mark.usefixtures("model")
def test_a_search_can_be_kept_to_words(kb: Workbench) -> None:
    kb.write({"mfgit.toml": "[vector]\nsearch = false\n"})
    kb.commit("settings")
    assert paths(kb, "reimbursement for what I bought")[:1] != ["help/refunds.md"]
    assert not nearing.folder_of(Project.open(kb.path)).exists()
