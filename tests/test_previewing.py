"""`mfgit preview`: the cluster's questions before and after, and which other known question gets worse."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.archive.reading import holds
from mfgit.model import Alias, Record, Source, schema_folder
from mfgit.project import Project
from mfgit.project.deciding import write_proposals
from mfgit.project.previewing import Preview, day, marks_of
from mfgit.text import questions
from tests.archives import CHAT, line, put, turn
from tests.builders import Workbench, aliases_file
from tests.records import draft, identity, record

ASKED = "Can I pay with a gift card?"
PAGES = {
    "mfgit.toml": '[[root]]\npath = "help"\n[[root]]\npath = "work/*"\nlayer = "workspace"\n',
    "help/payment.md": "# Payment\n\n## Cards\n\nCredit cards are taken there.\n\n## Invoices\n\nInvoices come by mail.\n",
    "help/refunds.md": "# Refunds\n\nMoney comes back within fourteen days.\n",
    "help/发票.md": "# 发票\n\n三十天内可以修改抬头。\n",
    "help/index.json": aliases_file(
        ("payment.md", "Payment", ["plastic money"]), ("refunds.md", "Refunds", ["gift returned"]), ("发票.md", "发票", [])
    ),
    "work/ann/notes.md": "# Notes\n\nThe gate opens at nine.\n",
    ".gitignore": "tmp/\n",
}


@pytest.fixture
def kb(tmp_path: Path) -> Workbench:
    return Workbench.make(tmp_path / "kb", PAGES)


def proposed(kb: Workbench, *records: Record) -> Project:
    project = Project.open(kb.path)
    write_proposals(project, records)
    return project


def answer(number: int = 1, **more: object) -> Record:
    given = {"title": ASKED, "questions": (ASKED, "gift card at the till?"), "suggestion": "Type the number of the gift card."}
    return record(number, **{**given, **more})


def verdicts(found: Preview) -> list[str]:
    return [change.verdict for change in found.questions]


def test_without_a_model_nothing_of_what_computes_is_loaded(kb: Workbench) -> None:
    """NumPy and SciPy take longer to load than a preview takes; a scan needs them, questions do not."""
    one = answer(keys=(questions.ask(ASKED).key,))
    proposed(kb, one)
    put(kb.path / CHAT, line(turn(1, user_message=ASKED, help_mode=True)))
    program = """
import sys
from mfgit.project import Project
found = Project.open(".").preview(sys.argv[1])
assert [change.source for change in found.questions] == ["record", "record"]
print([name for name in sys.modules if name in ("numpy", "scipy", "httpx2")])
"""
    done = subprocess.run([sys.executable, "-c", program, one.id], cwd=kb.path, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(answer(), id="verified-answer"),
        pytest.param(answer(action_type="skill"), id="skill"),
        pytest.param(answer(action_type="supplement"), id="supplement"),
        pytest.param(
            answer(action_type="index", suggestion="", aliases=(Alias("help/refunds.md", ASKED),)), id="index",
        ),
    ],
)  # fmt: skip
def test_the_page_that_should_answer_comes_up_in_every_type(kb: Workbench, one: Record) -> None:
    found = proposed(kb, one).preview(one.id)
    assert [change.question for change in found.questions] == list(one.questions)
    assert found.questions[0].verdict == "better"
    assert found.questions[0].after.rank == 1
    assert found.questions[0].after.first in found.pages
    assert (found.questions[0].after.mark is None) == (one.action_type == "index")
    value = kb.mfgit("preview", one.id[-16:], "--json").json()
    assert value == found.to_json()
    jsonschema.validate(value, json.loads((schema_folder() / "preview.schema.json").read_text("utf-8")))


def test_marks_are_in_the_language_of_the_question(kb: Workbench) -> None:
    one = answer(lang="zh", title="礼品卡怎么用？", questions=("礼品卡怎么用？",), suggestion="在结账页输入礼品卡号码。")
    found = proposed(kb, one).preview(one.id)
    assert "不是文档原文" in str(found.questions[0].after.mark)
    said = kb.mfgit("preview", one.id).out
    assert "不是文档原文" in said
    assert "No other known question shares words with it." in said


def test_nothing_is_touched_in_a_dirty_checkout(kb: Workbench) -> None:
    one = answer()
    proposed(kb, one)
    (kb.path / "help" / "refunds.md").write_text("dirty", encoding="utf-8")
    kb.write({"staged.md": "staged"})
    kb.git("add", "staged.md")
    before = (kb.git("status", "--porcelain"), kb.git("for-each-ref"), kb.git("rev-parse", "HEAD"))
    ran = kb.mfgit("preview", one.id)
    assert ran.code == 0, ran.err
    assert "1 better" in ran.out or "2 better" in ran.out
    assert before == (kb.git("status", "--porcelain"), kb.git("for-each-ref"), kb.git("rev-parse", "HEAD"))


def test_a_question_that_gets_worse_is_named(kb: Workbench) -> None:
    """The alias of another page is taken away by what the proposal adds; the preview tells before anybody adopts it."""
    stolen = Alias("help/payment.md", "gift returned gift returned")
    one = answer(action_type="index", suggestion="", aliases=(stolen,), questions=("gift returned gift",))
    found = proposed(kb, one).preview(one.id)
    asked = {change.question: change for change in found.others}
    assert set(asked) == {"gift returned"}
    assert asked["gift returned"].before.rank == 1
    value = kb.mfgit("preview", one.id, "--json").json()["others"]
    assert value["counts"]["worse"] == len(value["worse"]) == (asked["gift returned"].after.rank != 1)


def test_questions_of_adopted_and_open_proposals_are_asked_too(kb: Workbench) -> None:
    kept = answer(2, keys=(identity(2),), title="Where do I buy a gift card?", questions=("Where do I buy a gift card?",),
                  suggestion="Gift cards are sold at the desk.")  # fmt: skip
    opened = record(3, action_type="index", suggestion="", aliases=(Alias("help/payment.md", "card reader"),),
                    questions=("which card reader",))  # fmt: skip
    one = answer()
    project = proposed(kb, kept, opened, one)
    project.adopt(kept.id)
    found = {(change.source, change.question) for change in project.preview(one.id).others}
    assert {("adopted", "Where do I buy a gift card?"), ("open", "which card reader"), ("alias", "gift returned")} <= found


def test_what_is_adopted_or_undone_is_seen_as_it_was_adopted(kb: Workbench) -> None:
    one = answer()
    project = proposed(kb, one)
    waiting = verdicts(project.preview(one.id))
    project.adopt(one.id)
    assert verdicts(project.preview(one.id)) == waiting
    project.undo(one.id)
    assert verdicts(project.preview(one.id)) == waiting


def test_a_stale_branch_is_tried_on_the_target_as_it_is_now(kb: Workbench) -> None:
    source = Source("help/payment.md", kb.git("rev-parse", "HEAD:help/payment.md"))
    one = answer(based_on=(source,))
    project = proposed(kb, one)
    kb.write({"help/payment.md": "# Payment\n\n## Gift cards\n\nYou can pay with a gift card: gift card numbers are taken.\n"})
    kb.commit()
    found = project.preview(one.id)
    assert found.known.status == "stale"
    assert found.questions[0].before.first == "help/payment.md"
    assert found.target == kb.git("rev-parse", "main")


def test_a_branch_that_does_not_merge_says_so(kb: Workbench) -> None:
    one = answer()
    project = proposed(kb, one)
    kb.git("checkout", "-q", f"mfgit/{one.id}")
    kb.write({"help/refunds.md": "# Refunds\n\nTheirs.\n"})
    kb.commit("a person's edit")
    kb.git("checkout", "-q", "main")
    kb.write({"help/refunds.md": "# Refunds\n\nOurs.\n"})
    kb.commit()
    found = project.preview(one.id)
    assert found.questions == ()
    assert "help/refunds.md" in str(found.conflict)
    ran = kb.mfgit("preview", one.id)
    assert (ran.code, "does not merge" in ran.out) == (1, True)


def test_a_draft_without_an_answer_and_an_unknown_id(kb: Workbench) -> None:
    one = draft(7, title=ASKED, questions=(ASKED,))
    assert proposed(kb, one).preview(one.id).conflict is None
    ran = kb.mfgit("preview", "fffffffffffffff1")
    assert (ran.code, "no proposal" in ran.err) == (2, True)


def test_wordings_of_the_archive_are_redacted_and_of_the_same_place(kb: Workbench) -> None:
    said = ["May I use a gift card, mail bob@corp.example.com?", "gift card in a workspace?", "gift card long ago?"]
    keys = tuple(questions.ask(text).key for text in said)
    when = datetime(2026, 11, 10, tzinfo=UTC)
    put(
        kb.path / CHAT,
        line(turn(1, when, user_message=said[0], help_mode=True)),
        line(turn(2, when, user_message=said[1], workspace_id="ann")),
        line(turn(3, when, user_message="something else", help_mode=True)),
        day="2026-11-10",
    )
    put(kb.path / CHAT, line(turn(4, datetime(2026, 1, 1, tzinfo=UTC), user_message=said[2], help_mode=True)), day="2026-01-01")
    one = answer(keys=keys)
    found = proposed(kb, one).preview(one.id)
    archived = [change.question for change in found.questions if change.source == "archive"]
    assert len(archived) == 1
    assert "gift card" in archived[0]
    assert "bob@corp" not in archived[0]
    assert [c.source for c in Project.open(kb.path).preview(one.id, archive=False).questions] == ["record", "record"]


@given(st.sampled_from(["policy", "settings", "copied", "running", "退款", "發票抬頭"]), st.booleans(), st.text(max_size=9))
def test_a_line_of_a_wording_is_never_passed_over(word: str, escaped: bool, more: str) -> None:
    """Only lines with a word of the cluster are parsed, however JSON writes them and whatever its stem is."""
    data = json.dumps({"user_message": f"{more} {word.upper()} {more}"}, ensure_ascii=escaped).encode("utf-8", "surrogatepass")
    assert holds(data, marks_of(answer(questions=(f"{word}?",))))


def test_without_words_every_line_is_read() -> None:
    assert marks_of(answer(questions=("a gift card", "?"))) == []


def test_a_workspace_s_own_turns_are_its_own(kb: Workbench) -> None:
    said = "When does the gate open?"
    when = datetime(2026, 11, 10, tzinfo=UTC)
    put(kb.path / CHAT, line(turn(1, when, user_message=said, help_mode=True)),
        line(turn(2, when, user_message=f"{said} please", workspace_id="ann")), day="2026-11-10")  # fmt: skip
    one = answer(target_layer="workspace", root="work/ann", keys=(questions.ask(said).key,), questions=("gate",))
    found = proposed(kb, one).preview(one.id)
    assert [change.question for change in found.questions if change.source == "archive"] == [f"{said} please"]


def test_a_record_without_days_asks_no_archive(kb: Workbench) -> None:
    assert day("") is None
    one = answer(first_seen="", last_seen="")
    assert {change.source for change in proposed(kb, one).preview(one.id).questions} == {"record"}
