"""The archive's search by meaning: what it finds, where its vectors lie, and who takes them out."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mfgit.backends.cache import ENDING, read
from mfgit.project import Project, nearing_archive, recalling
from tests import models
from tests.builders import Workbench
from tests.models import Answer
from tests.test_nearing import NOWHERE, sent, vector

SAID = ("how do i get my money back", "the export of contacts fails", "夜间备份在哪里看", "which colours does the theme have")
ASKED = "reimbursement for what i bought"


def turns(*questions: str, days: int = 1) -> list[dict[str, Any]]:
    when = datetime.now(UTC) - timedelta(days=days)
    return [
        {"timestamp": (when + timedelta(seconds=at)).isoformat(), "session_id": f"s{days}-{at}", "help_mode": True,
         "user_id": f"u{at}", "user_message": question, "assistant_message": "See there."}
        for at, question in enumerate(questions)
    ]  # fmt: skip


@pytest.fixture
def kb(tmp_path: Path) -> Workbench:
    bench = Workbench.make(tmp_path / "kb")
    Project.open(bench.path).append(turns(*SAID))
    return bench


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[models.Endpoint]:
    with models.serving(lambda _, asked: models.vectors(asked["input"], vector)) as running:
        monkeypatch.setenv("MFGIT_VECTOR_URL", running.url)
        monkeypatch.setenv("MFGIT_VECTOR_MODEL", "test-embed")
        yield running


def found(kb: Workbench, question: str, **options: Any) -> list[str]:
    return [hit.snippet for hit in recalling.search(Project.open(kb.path), question, **options).hits]


def folder(kb: Workbench) -> Path:
    return nearing_archive.folder_of(recalling.folders(Project.open(kb.path)).sessions)


def held(kb: Workbench) -> int:
    (path,) = folder(kb).glob(f"*{ENDING}")
    return len(read(path, "test-embed")[1])


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("by", ["date", "score"])
@pytest.mark.parametrize(("question", "said"), [(ASKED, SAID[0]), ("每天的数据副本存多久", SAID[2])], ids=["en", "zh"])
def test_a_turn_is_found_that_shares_no_word(kb: Workbench, question: str, said: str, by: str) -> None:
    assert found(kb, question, by=by)[0] == said
    assert found(kb, NOWHERE, by=by) == []


@pytest.mark.usefixtures("model")
def test_days_are_kept_to(kb: Workbench) -> None:
    assert found(kb, ASKED, until="2020") == []
    assert found(kb, ASKED, since="2020")[0] == SAID[0]


def test_only_new_turns_are_embedded(kb: Workbench, model: models.Endpoint) -> None:
    found(kb, ASKED)
    before = len(sent(model))
    Project.open(kb.path).append(turns("a wholly new question about invoices", days=2))
    found(kb, ASKED)
    assert sent(model)[before:] == ["a wholly new question about invoices\nSee there.", ASKED]


def test_what_is_gone_has_no_vector(kb: Workbench, model: models.Endpoint) -> None:
    Project.open(kb.path).append(turns("an old question about the discontinued printer", days=50))
    found(kb, ASKED)
    before = held(kb)
    assert kb.mfgit("archive", "retain").code == 0
    assert held(kb) < before
    assert not (folder(kb) / "views").exists()
    assert found(kb, ASKED)[0] == SAID[0]
    assert kb.mfgit("archive", "forget", "--user", "u0", "--yes").code == 0
    assert not folder(kb).exists()
    assert SAID[0] not in found(kb, ASKED)


def test_without_the_model_words_alone_are_searched(kb: Workbench, model: models.Endpoint) -> None:
    model.reply = lambda *_: Answer(status=401)
    answer = recalling.search(Project.open(kb.path), "export of contacts")
    assert [hit.snippet for hit in answer.hits] == [SAID[1]]
    assert "Searched by words alone" in (answer.note or "")


def test_without_the_setting_there_are_no_vectors(kb: Workbench) -> None:
    assert found(kb, ASKED) == []
    assert not folder(kb).exists()
    assert json.dumps(found(kb, "export of contacts")) == json.dumps([SAID[1]])
