"""Memories, their proposals, and the flow that puts a misunderstanding right."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mfgit import model
from mfgit.archive import memories
from mfgit.errors import BadInput
from mfgit.project import Project, correcting, remembering
from mfgit.session import Message
from tests.builders import Workbench

TALK = {
    "sessionId": "talk-1",
    "date": "2026-04-07",
    "messages": [
        {"role": "user", "content": "我是一名后端工程师。不要用Markdown表格。", "time": "2026-04-07T10:00:00+08:00"},
        {"role": "assistant", "content": "好的。我们决定每天0点运行Dreaming。", "time": "2026-04-07T10:00:05+08:00"},
        {"role": "user", "content": "The board is at https://example.org/board.", "time": "2026-04-07T10:01:00+08:00"},
        {"role": "assistant", "content": "Noted.", "time": "2026-04-07T10:01:05+08:00"},
    ],
}


@pytest.fixture
def kb(bench: Workbench) -> Workbench:
    ran = bench.mfgit("archive", "session", "add", stdin=json.dumps(TALK))
    assert ran.code == 0, ran.err
    return bench


@pytest.mark.parametrize(
    ("role", "said", "kind"),
    [
        ("user", "I'm a backend engineer at a bank.", "user"),
        ("user", "I prefer short answers.", "user"),
        ("user", "我叫小明，在杭州工作。", "user"),
        ("user", "我习惯用快捷键。", "user"),
        ("user", "Please never use tables again.", "feedback"),
        ("user", "That's wrong, the port is 8080.", "feedback"),
        ("user", "不要用Markdown表格", "feedback"),
        ("user", "以后请用中文回答。", "feedback"),
        ("assistant", "We decided to run it at midnight.", "project"),
        ("user", "我们决定用PostgreSQL。", "project"),
        ("user", "The release is due by Friday.", "project"),
        ("user", "项目下周五上线。", "project"),
        ("user", "The board is at https://example.org/board", "reference"),
        ("user", "参考文档：内部手册第三章", "reference"),
        ("user", "Should we never use tables?", None),
        ("user", "我是不是应该用表格？", None),
        ("assistant", "Please never use tables again.", None),
        ("assistant", "Understood.", None),
        ("user", "ok thanks", None),
        ("tool", "We decided to run it at midnight.", None),
        ("system", "You must never answer in Chinese.", None),
    ],
    ids=str,
)
def test_a_sentence_has_a_type_or_none(role: str, said: str, kind: str | None) -> None:
    found = memories.memories("s", "2026-04-07", [Message(role, said)])
    assert [memory.type for memory in found] == ([kind] if kind else [])


def test_a_quote_stands_where_its_place_says() -> None:
    text = "Hello there.\n\n- I prefer tea.  \n```\nI prefer code.\n```\n> I prefer quotes.\nWe decided on green."
    found = memories.memories("s", "2026-04-07", [Message("user", text)])
    assert [text[memory.start : memory.end] for memory in found] == [memory.quote for memory in found]
    assert [memory.text for memory in found] == ["I prefer tea.", "We decided on green."]


def test_the_same_wording_is_remembered_once_and_no_type_grows_without_end() -> None:
    said = [Message("user", "I prefer tea."), Message("user", "i prefer TEA.")]
    said += [Message("user", f"I prefer tea number {n}.") for n in range(100)]
    found = memories.memories("s", "2026-04-07", said)
    assert len(found) == memories.MOST
    assert found[0].message == 1


def test_an_unknown_type_is_named() -> None:
    with pytest.raises(BadInput, match="mood"):
        memories.chosen(["user,mood"])
    assert memories.chosen([]) == memories.TYPES
    assert memories.chosen(["user, feedback", "user"]) == ("user", "feedback")


def test_the_command_prints_entries_for_another_memory(kb: Workbench) -> None:
    ran = kb.mfgit("memories", "talk", "--json")
    value = ran.json()
    model.check("memories", value, "the output")
    assert [(memory["type"], memory["message"]) for memory in value["memories"]] == [
        ("user", 1),
        ("feedback", 1),
        ("project", 2),
        ("reference", 3),
    ]
    assert value["proposals"] == []
    assert kb.mfgit("memories", "talk", "--types", "mood").code == 2
    assert kb.mfgit("memories", "nobody").code == 2
    assert "feedback" in kb.mfgit("memories", "talk", "--types", "feedback").out


def test_search_prints_what_its_schema_says(kb: Workbench) -> None:
    model.check("archive_search", kb.mfgit("archive", "search", "Dreaming", "--json").json(), "the output")
    model.check("archive_search", kb.mfgit("archive", "search", "zeppelin", "--json").json(), "the output")


def test_memories_become_one_proposal_a_type_and_the_same_ones_again(kb: Workbench) -> None:
    before = kb.git("rev-parse", "HEAD"), kb.git("status", "--porcelain")
    project = Project.open(kb.path)
    first = remembering.extract(project, "talk-1", propose=True)
    assert set(first.proposals.values()) == {"new"}
    assert set(remembering.extract(project, "talk-1", propose=True).proposals.values()) == {"unchanged"}
    assert (kb.git("rev-parse", "HEAD"), kb.git("status", "--porcelain")) == before
    for proposal in first.proposals:
        changed = kb.git("diff", "--name-only", "HEAD", f"mfgit/{proposal}").split("\n")
        assert len(changed) == 2
        assert any("/_forged/memory/" in f"/{path}" for path in changed)
        assert kb.mfgit("guard", "--range", f"HEAD..mfgit/{proposal}", "--ref", f"mfgit/{proposal}").code == 0


def test_a_memory_can_be_adopted_and_is_found_as_an_overlay(kb: Workbench) -> None:
    done = remembering.extract(Project.open(kb.path), "talk-1", types=["feedback"], propose=True)
    (proposal,) = done.proposals
    ran = kb.mfgit("adopt", proposal)
    assert ran.code == 0, ran.err
    hits = kb.mfgit("search", "Markdown表格", "--json").json()["hits"]
    assert [hit["kind"] for hit in hits if "memory/feedback" in hit["path"]] == ["overlay"]


def test_text_of_a_conversation_stays_text_in_markdown(kb: Workbench) -> None:
    talk = {
        **TALK,
        "sessionId": "evil",
        "messages": [{"role": "user", "content": "I prefer <script>alert(1)</script> [x](javascript:y)."}],
    }
    kb.mfgit("archive", "session", "add", stdin=json.dumps(talk))
    done = remembering.extract(Project.open(kb.path), "evil", propose=True)
    (proposal,) = done.proposals
    shown = kb.git("diff", "HEAD", f"mfgit/{proposal}", "--", "*.md")
    assert "<script>" not in shown.partition("# ")[2]


def test_where_there_are_several_roots_one_has_to_be_named(kb: Workbench) -> None:
    kb.write({"mfgit.toml": '[[root]]\npath = "help"\n[[root]]\npath = "team"\nlayer = "workspace"\n', "team/a.md": "# A\n"})
    kb.commit()
    project = Project.open(kb.path)
    with pytest.raises(BadInput, match="knowledge roots"):
        remembering.extract(project, "talk-1", propose=True)
    with pytest.raises(BadInput, match="no knowledge root"):
        remembering.extract(project, "talk-1", propose=True, root="nowhere")
    assert remembering.extract(project, "talk-1", propose=True, root="team").proposals


def test_what_is_left_of_a_cleared_session_is_remembered() -> None:
    about: dict[str, Any] = {
        "decisions": [{"text": "Run it at midnight."}],
        "feedback": [{"user": "No tables."}],
        "lessons": [5],
    }
    found = memories.kept_memories("s", "2026-04-07", about)
    assert [(memory.type, memory.text, memory.message) for memory in found] == [
        ("project", "Run it at midnight.", None),
        ("feedback", "No tables.", None),
    ]


# ---- putting right


def test_a_misunderstanding_is_put_right_in_one_command(kb: Workbench) -> None:
    belief, right = "Dreaming 每天 3 点运行", "Dreaming 每天 0 点运行。"
    ran = kb.mfgit("correct", "Dreaming 运行", "--belief", belief, "--record", right, "--json")
    value = ran.json()
    assert (value["session_id"], value["comparison"]["numbers"]) == ("talk-1", ["3"])
    assert any("我们决定每天0点运行Dreaming" in message["content"] for message in value["messages"])
    (proposal,) = value["recorded"]["proposals"]
    text = kb.git("show", f"{proposal['branch']}", "--", "*memory/feedback/*")
    assert right in text
    assert "0点运行Dreaming" in text


def test_a_correction_waits_until_the_settings_are_on_the_target(kb: Workbench) -> None:
    kb.git("rm", "-q", "--cached", "mfgit.toml")
    kb.git("commit", "-q", "--no-verify", "-m", "not yet")
    ran = kb.mfgit("correct", "Dreaming 运行", "--record", "Dreaming 每天 0 点运行，不是 3 点。")
    assert (ran.code, "mfgit.toml is not committed on main yet" in ran.err) == (1, True)


def test_without_a_correction_nothing_is_written(kb: Workbench) -> None:
    before = kb.git("for-each-ref")
    ran = kb.mfgit("correct", "Dreaming", "--belief", "It runs at 3.")
    assert ran.code == 0
    assert "not there: 3" in ran.out
    assert kb.git("for-each-ref") == before


def test_what_nobody_said_cannot_be_put_right(kb: Workbench) -> None:
    ran = kb.mfgit("correct", "zeppelin", "--record", "x")
    assert ran.code == 2
    assert "No word of the question" in ran.err


def test_a_belief_that_the_words_bear_out_has_nothing_against_it() -> None:
    told = correcting.compare("It runs at midnight, on port 8080", "We said: it runs at midnight on port 8080.")
    assert (told.words, told.numbers, told.share) == ((), (), 1.0)


@pytest.mark.parametrize(
    "said",
    ["# We decided on green", "Agreed!", "we decided on these things:", "The root cause was `setTheme()` in the end."],
    ids=["heading", "a word", "leads on", "code"],
)
def test_what_is_no_statement_is_not_remembered(said: str) -> None:
    assert memories.memories("s", "2026-04-07", [Message("assistant", said)]) == ()


# ---- how well the rules do on labelled sentences


def test_the_rules_are_precise_and_find_most_in_both_languages() -> None:
    """Sentences of our own, half of them memories; the rest look like some: wishes for once, complaints, what is served."""
    right, said, wanted = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for line in (Path(__file__).parent / "memories.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found = memories.memories("s", "2026-04-07", [Message(row["role"], row["text"])])
        kind = found[0].type if found else None
        said[kind or "", row["lang"]] += 1
        wanted[row["type"] or "", row["lang"]] += 1
        right[kind or "", row["lang"]] += kind == row["type"]
    for kind in memories.TYPES:
        for lang in ("en", "zh"):
            assert wanted[kind, lang] >= 10
            assert right[kind, lang] >= 0.9 * said[kind, lang], (kind, lang, "precision")
            assert right[kind, lang] >= 0.8 * wanted[kind, lang], (kind, lang, "recall")


def test_a_session_that_still_has_its_messages_is_not_judged_by_what_its_summary_noted(bench: Workbench) -> None:
    talk = {"sessionId": "s", "messages": [{"role": "assistant", "content": "The problem was solved, I will use that alias."}]}
    assert bench.mfgit("archive", "session", "add", stdin=json.dumps(talk)).code == 0
    assert bench.mfgit("memories", "s").code == 1


@pytest.mark.parametrize(
    ("role", "said"),
    [
        ("assistant", "The issue is that the macro needs a context."),
        ("user", "ok write markdown, including code, tables and nested lists."),
        ("user", "ok, make the diff red and green a little less intense, same for the code blocks"),
    ],
)
def test_work_of_the_moment_is_not_remembered(role: str, said: str) -> None:
    assert memories.memories("s", "2026-04-07", [Message(role, said)]) == ()


TWINS = [json.loads(row) for row in (Path(__file__).parent / "memory_twins.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("row", TWINS, ids=[row["en"] for row in TWINS])
def test_the_same_sentence_is_the_same_memory_in_both_languages(row: dict[str, Any], lang: str) -> None:
    found = memories.memories("s", "2026-04-07", [Message("user", row[lang])])
    assert [each.type for each in found] == ([row["type"]] if row["type"] else [])
