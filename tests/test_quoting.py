"""`context` and `cite`: blocks that keep their budget, say when nothing answers, and cite what can be read again."""

import json
from pathlib import Path

import jsonschema
import pytest

from mfgit.model import schema_folder
from mfgit.project import Project
from tests.builders import Workbench
from tests.searching import ID, PAGES, blob, propose

FAR = "What is the boiling point of liquid helium under pressure?"


@pytest.fixture
def kb(tmp_path: Path) -> Workbench:
    pages = {
        f"help/filler-{n}.md": f"# Filler {n}\n\nPage {n} tells about drawer number {n} of the cabinet.\n" for n in range(30)
    }
    return Workbench.make(
        tmp_path / "kb", {**PAGES, **pages, "help/a#b.md": "# Odd\n\nAn odd name: zymurgy.\n\n## Odd\n\nAgain.\n"}
    )


def checked(value: object, name: str) -> None:
    jsonschema.validate(value, json.loads((schema_folder() / f"{name}.schema.json").read_text("utf-8")))


@pytest.mark.parametrize(
    ("question", "page"), [("How long are backups kept?", "help/backups.md"), ("发票抬头怎么修改", "帮助/发票.md")]
)
def test_every_citation_of_a_block_can_be_read_again(kb: Workbench, question: str, page: str) -> None:
    value = kb.mfgit("context", question, "--json").json()
    checked(value, "context")
    assert value["answered"]
    assert value["citations"][0].startswith(page)
    kb.git("rm", "-q", page)
    kb.commit("gone")
    for citation, hit in zip(value["citations"], value["hits"], strict=True):
        cited = kb.mfgit("cite", citation, "--json").json()
        checked(cited, "cite")
        assert (cited["path"], cited["text"], citation) == (hit["path"], hit["text"], hit["citation"])
        assert kb.mfgit("cite", citation).out == hit["text"] + "\n"


def test_a_question_that_nothing_answers_gets_no_passage(kb: Workbench) -> None:
    ran = kb.mfgit("context", f"{FAR} number")
    assert ran.code == 1
    assert "Say so rather than guess" in ran.out
    assert "tells about" not in ran.out
    assert "The nearest pages" in ran.out
    nothing = kb.mfgit("context", "plimsollite")
    assert (nothing.code, "nearest pages" in nothing.out) == (1, False)


def test_a_budget_is_kept(kb: Workbench) -> None:
    whole = kb.mfgit("context", "drawer of the cabinet", "-n", "30", "--json").json()
    small = kb.mfgit("context", "drawer of the cabinet", "-n", "30", "--tokens", "300", "--json").json()
    assert whole["tokens"] > 300 >= small["tokens"]
    assert small["left_out"] == 30 - len(small["citations"]) > 0
    assert small["citations"] == whole["citations"][: len(small["citations"])]
    assert kb.mfgit("context", "drawer", "--tokens", "10").code == 2


def test_a_proposal_is_cited_where_it_is(kb: Workbench) -> None:
    """The tree that would be has no commit yet; what only the branch holds is cited at its commit."""
    path = propose(kb, ID, "Can I pay with a gift card?", "Type the number of the gift card.", [blob(kb, "help/refunds.md")])
    made = Project.open(kb.path).context("Can I pay with a gift card?", with_id=ID)
    names = [name for name in made.citations if name.startswith(path)]
    assert names
    assert "gift card" in Project.open(kb.path).cited(names[0]).text
    original = Project.open(kb.path).context("How long are backups kept?", with_id=ID).citations[0]
    assert original.endswith(kb.git("rev-parse", "main")[:12])


def test_a_path_may_hold_the_sign_before_an_anchor(kb: Workbench) -> None:
    commit = kb.git("rev-parse", "HEAD")
    cited = Project.open(kb.path).cited
    assert "zymurgy" in cited(f"help/a#b.md#odd@{commit}").text
    assert "Again" in cited(f"help/a#b.md#odd-1@{commit}").text
    assert "zymurgy" in cited(f"help/a#b.md@{commit[:12]}").text


@pytest.mark.parametrize(
    ("citation", "said"),
    [
        ("help/backups.md", "is no citation"),
        ("help/backups.md\nx@HEAD", "is no citation"),
        ("help/backups.md@0123456789ab", "no branch, tag or commit"),
        ("help/none.md#x@{}", "There is no page help/none.md"),
        ("help@{}", "is no document"),
        ("index.json@{}", "is no document"),
        ("#x@{}", "There is no page"),
        ("help/backups.md#nowhere@{}", "has no section nowhere"),
    ],
)
def test_a_citation_that_leads_nowhere_says_why(kb: Workbench, citation: str, said: str) -> None:
    ran = kb.mfgit("cite", citation.format(kb.git("rev-parse", "HEAD")))
    assert (ran.code, said in ran.err) == (2, True), ran.err


@pytest.mark.parametrize("question", ["How do I reset the router?", "停电以后传感器的历史数据会不会丢？"], ids=["en", "zh"])
def test_a_budget_that_holds_no_passage_says_so(bench: Workbench, question: str) -> None:
    long = " ".join(["word 数据"] * 20)
    path = f"help/{'very-long-folder-name/' * 12}page.md"
    bench.write({path: f"# Page\n\n## {question}\n\n{question} {long}\n"})
    bench.commit()
    ran = bench.mfgit("context", question, "--tokens", "200", "--json")
    assert (ran.code, ran.json()["answered"], len(ran.json()["hits"])) == (1, False, ran.json()["left_out"])
    assert ran.json()["tokens"] <= 200
    assert "budget" in ran.json()["block"] or "预算" in ran.json()["block"]
    assert bench.mfgit("context", question, "--tokens", "2000").code == 0
