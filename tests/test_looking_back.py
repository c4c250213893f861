"""`mfgit stats`: what adopted proposals did for those who ask, before and after."""

import gzip
import json
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.adopt.lookback import Coverage, counted, periods
from mfgit.errors import BadInput
from mfgit.model import Alias, Known, Record, Source, schema_folder
from mfgit.project import Project
from mfgit.project.deciding import write_proposals
from mfgit.project.looking_back import LookBack, look_back
from mfgit.text.questions import ask
from tests import scanning
from tests.archives import CHAT, line, put, turn
from tests.builders import Workbench, aliases_file
from tests.records import record

ASKED = "Can I pay with a gift card?"
PAGES = {
    "mfgit.toml": '[[root]]\npath = "help"\n[[root]]\npath = "work/*"\nlayer = "workspace"\n',
    "help/payment.md": "# Payment\n\nCredit cards are taken there.\n",
    "help/发票.md": "# 发票\n\n三十天内可以修改抬头。\n",
    "help/index.json": aliases_file(("payment.md", "Payment", []), ("发票.md", "发票", [])),
    "work/ann/notes.md": "# Notes\n\nThe gate opens at nine.\n",
    ".gitignore": "tmp/\n",
}
START = datetime(2026, 5, 1, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def kb(tmp_path: Path) -> Workbench:
    return Workbench.make(tmp_path / "kb", PAGES)


def answer(number: int = 1, **more: Any) -> Record:
    given = {
        "title": ASKED,
        "questions": (ASKED,),
        "keys": (ask(ASKED).key,),
        "suggestion": "Type the number of the gift card.",
    }
    return record(number, **{**given, **more})


def adopted(kb: Workbench, *records: Record) -> tuple[Project, datetime]:
    """Adopt proposals; return the project and when the last was."""
    project = Project.open(kb.path, {})
    write_proposals(project, records)
    for one in records:
        project.adopt(one.id)
    return project, datetime.fromisoformat(kb.git("log", "-1", "--format=%cI", "main").strip())


def asked(kb: Workbench, when: Iterable[datetime], text: str = ASKED, rating: object = None, **more: Any) -> None:
    """Archive one turn for each time, of people of their own."""
    for at in when:
        key = f"{text}{at:%d%H%M%S}{rating}"
        value = turn(key, at, user_message=text, session_id=f"s{key}", rating=rating, **{"help_mode": True, **more})
        file = kb.path / CHAT / f"{at:%Y-%m-%d}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("ab") as stream:
            stream.write(line(value))


def only(found: LookBack) -> dict[str, Any]:
    (one,) = found.to_json()["proposals"]
    return dict(one)


def test_a_question_is_counted_before_and_after(kb: Workbench) -> None:
    project, at = adopted(kb, answer())
    asked(kb, [at - 30 * DAY], "How do I close my account?")
    asked(kb, [at - n * DAY for n in range(1, 9)], rating="down")
    asked(kb, [at - n * DAY for n in range(10, 14)])
    asked(kb, [at + 3 * DAY], "hello, can I pay with a gift card please?", rating="up")
    asked(kb, [at + 4 * DAY], help_mode=False, workspace_id="ann")
    one = only(look_back(project, 30, at + 14 * DAY))
    assert (one["before"]["source"], one["before"]["turns"], one["before"]["dissatisfied"]) == ("archive", 12, 8)
    assert (one["before"]["per_week"], one["before"]["dissatisfied_share"], one["before"]["rated"]) == (2.8, 0.667, 8)
    assert (one["after"]["turns"], one["after"]["per_week"], one["after"]["dissatisfied_share"]) == (1, 0.5, 0.0)
    assert one["hits"] == {"asked": 1, "first": 1, "found": 1}
    assert (one["came_back"], one["unasked"], one["unfound"], one["stale"]) == (False, False, False, [])


def test_what_came_back_and_what_nobody_asks_is_named(kb: Workbench) -> None:
    other = answer(2, title="发票怎么开？", questions=("发票怎么开？",), keys=(ask("发票怎么开？").key,), lang="zh",
                   suggestion="在订单页开发票。")  # fmt: skip
    project, at = adopted(kb, answer(), other)
    asked(kb, [at - 2 * DAY, at + 2 * DAY], rating=2)
    found = look_back(project, 30, at + 10 * DAY).to_json()
    assert (found["came_back"], found["unasked"]) == ([answer().id], [other.id])
    soon = look_back(project, 30, at + 5 * DAY).to_json()
    assert soon["unasked"] == []  # five days of silence say nothing yet


def test_without_an_archive_git_and_the_record_tell(kb: Workbench, tmp_path: Path) -> None:
    adopted(kb, answer(frequency=4, dissatisfied_count=1))
    kb.git("clone", "-q", ".", str(tmp_path / "clone"))
    clone = Workbench(tmp_path / "clone")
    value = clone.mfgit("stats", "--json").json()
    assert value["adopted"] == {"verified_answer": 1}
    assert "no archive" in value["archive"]["note"]
    (one,) = value["proposals"]
    assert (one["before"]["source"], one["before"]["turns"], one["before"]["dissatisfied_share"]) == ("record", 4, 0.25)
    assert (one["before"]["per_week"], one["after"], one["came_back"], one["unasked"]) == (None, None, False, False)
    assert one["hits"]["first"] == 1
    text = clone.mfgit("stats")
    assert text.code == 0
    assert "as counted when it was proposed" in text.out
    assert "not known" in text.out


def test_days_of_which_only_ids_are_left_do_not_count(kb: Workbench) -> None:
    project, at = adopted(kb, answer())
    asked(kb, [at - 20 * DAY, at - 10 * DAY, at - 2 * DAY], rating="down")
    whole = only(look_back(project, 30, at + DAY))["before"]
    folder = kb.path / CHAT
    for back in (20, 10):
        day = f"{at - back * DAY:%Y-%m-%d}"
        value = json.loads((folder / f"{day}.jsonl").read_text("utf-8"))
        trace = {name: value[name] for name in ("timestamp", "request_id", "rating")} | {"retained": "trace"}
        (folder / f"{day}.jsonl.gz").write_bytes(gzip.compress(line(trace) if back == 20 else line(value)))
        (folder / f"{day}.jsonl").unlink()
    found = look_back(project, 30, at + DAY)
    before = only(found)["before"]
    assert (whole["turns"], before["turns"]) == (3, 2)  # what was only compressed is read
    assert whole["days"] - before["days"] == pytest.approx(1, abs=0.11)
    assert "1 of these days hold no questions" in str(found.heard.note)


def test_retention_itself_leaves_what_can_still_be_told(kb: Workbench) -> None:
    """Everything before the adoption is reduced: the record's own figures stand in."""
    project, at = adopted(kb, answer(frequency=9))
    asked(kb, [at - n * DAY for n in range(60, 90)])
    project.retain()
    found = look_back(project, 30, at + DAY)
    assert (kb.path / CHAT / f"{at - 70 * DAY:%Y-%m-%d}.jsonl.gz").exists()
    wide = only(look_back(project, 100, at + DAY))
    for before in (only(found)["before"], wide["before"]):
        assert (before["source"], before["turns"], before["days"], before["per_week"]) == ("record", 9, None, None)


def test_an_index_proposal_a_stale_one_and_one_that_is_not_found(kb: Workbench) -> None:
    source = Source("help/payment.md", kb.git("rev-parse", "HEAD:help/payment.md").strip())
    words = answer(2, action_type="index", suggestion="", aliases=(Alias("help/发票.md", "plastic money"),),
                   title="plastic money", questions=("plastic money",), keys=())  # fmt: skip
    lost = answer(3, title="Where?", questions=("zebra quagga?",), keys=(), suggestion="Type the code.")
    project, at = adopted(kb, words, answer(based_on=(source,)), lost)
    kb.write({"help/payment.md": "# Payment\n\nCash only.\n", "help/zebra.md": "# Zebra quagga\n\nZebra quagga zebra.\n"})
    kb.commit("Edit an original")
    found = {one["id"]: one for one in look_back(project, 30, at + DAY).to_json()["proposals"]}
    assert found[words.id]["pages"] == ["help/发票.md"]
    assert found[words.id]["hits"]["first"] == 1
    assert found[answer().id]["stale"] == ["help/payment.md"]
    assert (found[lost.id]["unfound"], found[lost.id]["hits"]["first"]) == (True, 0)
    assert look_back(project, 30, at + DAY).to_json()["stale"] == [answer().id]


def test_counts_are_of_the_days_and_of_what_still_holds(kb: Workbench) -> None:
    project, at = adopted(kb, answer(), answer(2, title="Other?", questions=("Other?",), keys=()))
    project.undo(answer(2).id)
    project_now = look_back(project, 30, at + DAY).to_json()
    assert (project_now["adopted"], project_now["undone"]) == ({"verified_answer": 1}, {"verified_answer": 1})
    later = look_back(project, 30, at + 40 * DAY)
    assert (later.adopted.total(), later.undone.total(), [look.recent for look in later.looks]) == (0, 0, [False])


def test_the_json_is_what_the_schema_says_and_the_page_is_readable(kb: Workbench) -> None:
    _, at = adopted(kb, answer())
    asked(kb, [at - 2 * DAY, at - DAY])
    put(kb.path / CHAT, b"{broken\n", day=f"{at - 3 * DAY:%Y-%m-%d}")
    value = kb.mfgit("stats", "--json").json()
    jsonschema.validate(value, json.loads((schema_folder() / "stats.schema.json").read_text("utf-8")))
    assert value["archive"]["unreadable"] == 1
    ran = kb.mfgit("stats", "--days", "14")
    assert ran.code == 0, ran.err
    assert "Last 14 days: 1 adopted (verified_answer 1), 0 rejected, 0 undone." in ran.out
    assert "archive check" in ran.out
    assert kb.mfgit("stats", "--days", "0").code == 2


def test_a_repository_without_proposals_has_nothing_to_look_back_at(bench: Workbench) -> None:
    found = Project.open(bench.path, {}).stats()
    assert (found.looks, found.adopted.total()) == ((), 0)
    with pytest.raises(BadInput, match="cannot be looked back at"):
        Project.open(bench.path, {}).stats(0)


# ---- the arithmetic


@given(st.sets(st.integers(0, 40)), st.integers(-5, 50), st.floats(0, 30), st.integers(0, 40))
def test_days_with_questions_are_never_more_than_the_days(reduced: set[int], first: int, length: float, start: int) -> None:
    cover = Coverage(date(2026, 5, 1) + first * DAY, frozenset(date(2026, 5, 1) + n * DAY for n in reduced))
    since = START + start * DAY + timedelta(hours=7)
    until = since + length * DAY
    whole, part = Coverage(date.min).days(since, until), cover.days(since, until)
    assert whole == pytest.approx((until - since) / DAY)
    assert 0 <= part <= whole + 1e-9
    middle = since + length / 3 * DAY
    assert cover.days(since, middle) + cover.days(middle, until) == pytest.approx(part, abs=1e-9)


def test_a_proposal_adopted_long_ago_is_looked_at_over_the_last_days_only() -> None:
    one = Known("1" * 16, "adopted", record(1), None, "c", START)
    now = START + 90 * DAY
    turns = [scanning.turn(1, ASKED), *(scanning.turn(24 * n, ASKED) for n in (61, 100, 130))]
    before, after = periods(one, turns, Coverage(date(2026, 1, 1)), 30 * DAY, now)
    assert before is not None
    assert after is not None
    assert (before.source, after.turns, after.days) == ("record", 1, 30.0)


def test_no_day_with_questions_tells_nothing() -> None:
    cover = Coverage(START.date(), frozenset({START.date()}))
    assert counted([], cover, START, START + timedelta(hours=5)) is None
    assert counted([], None, START, START + DAY) is None
    assert periods(Known("1" * 16, "adopted", record(1)), [], cover, DAY, START)[1] is None
