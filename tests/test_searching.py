"""Search through the command and the API: refs, proposals, originals first."""

import json
from pathlib import Path

import jsonschema
import pytest

from mfgit.model import schema_folder
from mfgit.project import Project
from mfgit.project.searching import OriginalsView
from tests.builders import Workbench, aliases_file
from tests.searching import ID, PAGES, blob, overlay, paths, propose


@pytest.fixture
def kb(tmp_path: Path) -> Workbench:
    return Workbench.make(tmp_path / "kb", PAGES)


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("How long are backups kept?", "help/backups.md"),
        ("requests per minute", "help/limits.md"),
        ("REFNUDS", "help/refunds.md"),
        ("I want my cash returned", "help/refunds.md"),
        ('refund AND (back OR "days* ~', "help/refunds.md"),
        ("發票抬頭怎麼修改？", "帮助/发票.md"),
        ("我的单据找不到了", "帮助/发票.md"),
        ("夜间备份保留多久？", "帮助/备份.md"),
    ],
)
def test_a_question_finds_its_page_first(kb: Workbench, question: str, page: str) -> None:
    assert paths(kb, question)[0] == page


def test_the_command_prints_what_the_schema_says(kb: Workbench) -> None:
    ran = kb.mfgit("search", "pasword of backups", "--json")
    value = ran.json()
    jsonschema.validate(value, json.loads((schema_folder() / "search.schema.json").read_text()))
    assert (ran.code, value["ref"], value["commit"]) == (0, "HEAD", kb.git("rev-parse", "HEAD"))
    hit = value["hits"][0]
    assert PAGES[hit["path"]].split("\n")[hit["lines"][0] - 1 : hit["lines"][1]] == hit["text"].split("\n")


def test_text_output_shows_place_heading_and_beginning(kb: Workbench) -> None:
    ran = kb.mfgit("search", "nightly backups kept")
    assert ran.code == 0
    assert "help/backups.md:3" in ran.out
    assert "Backups > Retention" in ran.out
    assert "kept for 30 days" in ran.out


@pytest.mark.parametrize(
    ("question", "why"), [("zzqxv qwkjhh", "No document in HEAD holds a word"), ("?!", "no words to search for")]
)
def test_no_hits_are_exit_1_and_the_note_says_why(kb: Workbench, question: str, why: str) -> None:
    ran = kb.mfgit("search", question)
    assert ran.code == 1
    assert why in ran.out


def test_a_correction_is_told(kb: Workbench) -> None:
    """In words as the question and the documents spell them, not in stems."""
    for question in ("purhcase, money back", "are nightly backups of a purhcase kept?"):
        found = Project.open(kb.path).search(question, limit=1)
        assert found.note == "Searched for purchase instead of purhcase."
    assert "purchase" not in found.hits[0].passage.text


def test_two_sections_of_one_name_are_cited_apart(tmp_path: Path) -> None:
    text = "# Tools\n\n## Linux\n\n### Setup\n\nUnpack the tarball.\n\n## Windows\n\n### Setup\n\nRun the installer.\n"
    kb = Workbench.make(tmp_path / "kb", {"tools.md": text})
    assert "tools.md#setup-1@" in kb.mfgit("context", "run the installer", "-n", "1").out
    assert "tools.md#setup@" in kb.mfgit("context", "unpack the tarball", "-n", "1").out


def test_context_says_on_standard_error_what_a_search_notes(kb: Workbench) -> None:
    kb.write({"mfgit.toml": "tagret = 'main'\n", "index.json": "{"})
    kb.commit()
    ran = kb.mfgit("context", "refnuds")
    assert ran.code == 0
    assert all(said in ran.err for said in ("tagret", "index.json", "Searched for refunds"))
    assert not any(said in ran.out for said in ("tagret", "index.json", "Searched for"))
    assert "tagret" in kb.mfgit("context", "refunds", "--json").json()["note"]
    assert kb.mfgit("context", "qwkjhh").err.startswith("No document in HEAD holds a word")


def test_the_work_tree_is_neither_read_nor_touched(kb: Workbench) -> None:
    kb.write({"help/roles.md": "# Roles\n\nfrobnicate\n", "help/new.md": "frobnicate", "help/staged.md": "frobnicate"})
    kb.git("add", "help/staged.md")
    before = kb.git("status", "--porcelain")
    assert paths(kb, "frobnicate") == []
    assert kb.git("status", "--porcelain") == before


def test_a_ref_is_read_as_it_was(kb: Workbench) -> None:
    old = kb.git("rev-parse", "HEAD")
    kb.write({"help/roles.md": "# Roles\n\nplimsollite\n"})
    kb.commit()
    kb.git("tag", "later")
    assert paths(kb, "plimsollite") == ["help/roles.md"]
    assert paths(kb, "plimsollite", ref=old) == []
    kb.git("checkout", "-q", "--detach", old)
    assert paths(kb, "plimsollite") == []
    assert paths(kb, "plimsollite", ref="later") == ["help/roles.md"]


def test_with_shows_the_tree_that_adopting_would_make_and_nothing_else_does(kb: Workbench) -> None:
    path = propose(kb, ID, "Can I pay with a gift card?", "Type the number of the gift card.", [])
    kb.write({"help/shipping.md": "# Shipping\n\nParcels leave on Mondays.\n"})
    kb.commit()
    assert path not in paths(kb, "gift card")
    answer = Project.open(kb.path).search("gift card", with_id=ID)
    hit = answer.hits[0]
    assert (hit.passage.path, hit.passage.proposal, hit.passage.stale) == (path, ID, False)
    assert hit.mark is not None
    assert paths(kb, "parcels", with_id=ID) == ["help/shipping.md"]
    assert paths(kb, "gift card", ref=f"mfgit/{ID}")[0] == path
    assert kb.git("status", "--porcelain") == ""


def test_with_merges_aliases_by_meaning_like_adopting(kb: Workbench) -> None:
    kb.git("checkout", "-q", "-b", f"mfgit/{ID}")
    docs = (("help/refunds.md", "Refunds", ["want my cash returned", "zorkmid"]), ("帮助/发票.md", "发票", ["单据找不到"]))
    kb.write(
        {
            "index.json": aliases_file(*docs),
            f"_forged/proposals/{ID}.json": overlay(ID, "t", "a", [])[f"_forged/proposals/{ID}.json"],
        }
    )
    kb.commit()
    kb.git("checkout", "-q", "main")
    kb.write({"index.json": PAGES["index.json"].replace("want my cash returned", "quatloo")})
    kb.commit()
    assert paths(kb, "zorkmid", with_id=ID) == ["help/refunds.md"]
    assert paths(kb, "quatloo", with_id=ID) == ["help/refunds.md"]


@pytest.mark.parametrize(
    "options", [("--ref", "no-such-name"), ("--with", "no-such-name"), ("--ref", "-n"), ("--ref", "HEAD^{tree}")]
)
def test_an_unknown_ref_or_proposal_is_one_sentence_and_exit_2(kb: Workbench, options: tuple[str, str]) -> None:
    ran = kb.mfgit("search", "backups", f"{options[0]}={options[1]}")
    assert ran.code == 2
    assert options[1] in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("question", "page", "answer", "lang", "words"),
    [
        (
            "How long are nightly backups kept?",
            "help/backups.md",
            "Nightly backups are kept for 90 days.",
            "en",
            "original applies",
        ),
        ("夜间备份保留多久？", "帮助/备份.md", "夜间备份保留 90 天。", "zh", "以原文为准"),
    ],
)
def test_an_original_wins_over_an_overlay_that_contradicts_it(
    kb: Workbench, question: str, page: str, answer: str, lang: str, words: str
) -> None:
    path = propose(kb, ID, question, answer, [blob(kb, page)], lang=lang)
    kb.git("merge", "-q", "--no-verify", f"mfgit/{ID}")
    found = Project.open(kb.path).search(question)
    order = [hit.passage.path for hit in found.hits]
    assert order.index(page) < order.index(path)
    mark = found.hits[order.index(path)].mark
    assert mark is not None
    assert words in mark
    block = kb.mfgit("context", question).out
    assert block.index(answer.replace("90", "30")) < block.index(answer)
    assert mark in block


def test_an_overlay_is_stale_while_its_original_differs_and_only_then(kb: Workbench) -> None:
    title, answer = "Can I pay with a gift card?", "Type the number of the gift card."
    aging = propose(kb, ID, title, answer, [blob(kb, "help/roles.md")])
    fresh = propose(kb, ID[::-1], title, answer, [blob(kb, "help/limits.md")])
    kb.git("merge", "-q", f"mfgit/{ID}")
    kb.git("merge", "-q", f"mfgit/{ID[::-1]}")

    def stale() -> list[tuple[str, bool]]:
        hits = Project.open(kb.path).search(title).hits
        return [(hit.passage.path, hit.passage.stale) for hit in hits if hit.passage.kind == "overlay"]

    assert not any(flag for _, flag in stale())
    kb.write({"help/roles.md": "# Roles\n\nNobody pays.\n"})
    kb.commit()
    assert stale() == [(fresh, False), (aging, True)]
    report = kb.mfgit("doctor")
    assert aging in report.out
    assert fresh not in report.out
    kb.git("rm", "-q", "help/roles.md")
    kb.commit()
    assert (aging, True) in stale()
    kb.write({"help/roles.md": PAGES["help/roles.md"]})
    kb.commit()
    assert not any(flag for _, flag in stale())


def test_only_keeps_its_word(kb: Workbench) -> None:
    propose(kb, ID, "Can I pay with a gift card?", "The owner pays.", [])
    kinds = [
        {hit.passage.kind for hit in Project.open(kb.path).search("pays", with_id=ID, only=kind).hits}
        for kind in ("original", "overlay")
    ]
    assert kinds == [{"original"}, {"overlay"}]


def test_n_cuts_the_same_order(kb: Workbench) -> None:
    every = paths(kb, "backups files night", limit=20)
    assert paths(kb, "backups files night", limit=2) == every[:2]


def test_everything_is_found_again_as_before_when_a_change_is_taken_back(kb: Workbench) -> None:
    def everything() -> list[tuple[str, float]]:
        found = Project.open(kb.path).search("backups night files days money pays", limit=60)
        return [(hit.passage.path, hit.score) for hit in found.hits]

    before = everything()
    propose(kb, ID, "How many nights of backups?", "Thirty nights of backups and files.", [])
    kb.git("merge", "-q", "--no-ff", "-m", "adopt", f"mfgit/{ID}")
    assert everything() != before
    kb.git("revert", "-m", "1", "--no-edit", "HEAD")
    assert everything() == before


def test_the_view_of_originals_knows_them_alone(kb: Workbench) -> None:
    propose(kb, ID, "How long are backups kept?", "Backups are kept for ninety days.", [])
    kb.git("merge", "-q", f"mfgit/{ID}")
    view = OriginalsView(Project.open(kb.path), "HEAD")
    best = view.best("Nightly backups are kept for 30 days, then they are removed.", ".")
    assert (best[0].passage.path, best[0].passage.heading) == ("help/backups.md", "Retention")
    assert "kept for 30 days" in best[0].passage.text
    assert {hit.passage.kind for hit in best} == {"original"}
    assert [hit.passage.path for hit in view.best("备份", "帮助")][:1] == ["帮助/备份.md"]
    assert view.best("backups", "帮助") == []
    assert view.idf("backup", ".") > 0
    assert view.terms("How do I pay?") == ["pay"]
