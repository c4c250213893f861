"""Search through the command and the API: refs, proposals, originals first, and every odd kind of repository."""

import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

from mfgit.errors import BadInput
from mfgit.model import schema_folder
from mfgit.project import Project
from mfgit.project.searching import OriginalsView
from tests.builders import Workbench, aliases_file

PAGES = {
    "help/backups.md": "# Backups\n\n## Retention\n\nNightly backups are kept for 30 days.\n\n"
    "## Restore\n\nChoose a night and the files.\n",
    "help/refunds.md": "# Refunds\n\nWe give your money back within fourteen days of the purchase.\n",
    "help/roles.md": "# Roles\n\nAn editor writes pages, a viewer reads them and an owner pays.\n",
    "help/limits.md": "# Limits\n\nThe value `max_requests_per_minute` is 600 for every token.\n",
    "帮助/备份.md": "# 备份\n\n## 保留时间\n\n夜间备份保留 30 天。\n\n## 恢复\n\n选择日期和要恢复的文件。\n",
    "帮助/发票.md": "# 发票\n\n## 修改抬头\n\n发票开出后三十天内，可以在订单页修改一次发票抬头。\n",
    "index.json": aliases_file(
        ("help/refunds.md", "Refunds", ["want my cash returned"]), ("帮助/发票.md", "发票", ["单据找不到"])
    ),
}
ID = "0123456789abcdef"


@pytest.fixture
def kb(tmp_path: Path) -> Workbench:
    return Workbench.make(tmp_path / "kb", PAGES)


def overlay(identity: str, title: str, answer: str, based_on: list[tuple[str, str]], lang: str = "en") -> dict[str, str]:
    """Return an overlay and its record."""
    sources = [{"path": path, "blob": blob} for path, blob in based_on]
    front = {
        "proposal": identity,
        "action_type": "verified_answer",
        "title": title,
        "questions": [title],
        "lang": lang,
        "based_on": sources,
    }
    record = {
        "id": identity, "title": title, "action_type": "verified_answer", "target_layer": "help", "root": ".",
        "priority": "low", "frequency": 3, "evidence": [], "based_on": sources, "schema": 1,
    }  # fmt: skip
    text = f"---\n{json.dumps(front, ensure_ascii=False)}\n---\n\n# {title}\n\n{answer}\n"
    return {f"_forged/x-{identity}.md": text, f"_forged/proposals/{identity}.json": json.dumps(record)}


def propose(kb: Workbench, identity: str, *args: object, **more: str) -> str:
    """Put a proposal on its branch; return the overlay's path."""
    files = overlay(identity, *args, **more)  # type: ignore[arg-type]
    kb.git("checkout", "-q", "-b", f"mfgit/{identity}")
    kb.write(files)
    kb.commit("propose")
    kb.git("checkout", "-q", "main")
    return next(iter(files))


def blob(kb: Workbench, path: str) -> tuple[str, str]:
    return path, kb.git("rev-parse", f"HEAD:{path}")


def paths(kb: Workbench, question: str, **options: object) -> list[str]:
    return [hit.passage.path for hit in Project.open(kb.path).search(question, **options).hits]


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


PARTS = """# Orders

## Delivery

Parcels leave on Mondays and take three days.

## Cancel a purchase

Open the order and choose Cancel; the card is credited.

## 开票

订单完成后，在订单页申请发票，三天内寄出。
"""


@pytest.fixture(params=["", "Everything about what you buy, from the first click to the parcel at your door.\n\n"])
def parts(tmp_path: Path, request: pytest.FixtureRequest) -> Workbench:
    """A page of several sections, with a bare title or an introduction; some of its aliases fit a later section."""
    aliases = ["changed my mind about it", "where is my stuff", "undo a purchase quickly", "订单的报销凭证哪里申请"]
    page = PARTS.replace("# Orders\n\n", f"# Orders\n\n{request.param}", 1)
    others = {f"help/{name}.md": f"# {name}\n\n{name} of the order page.\n" for name in ("zips", "maps", "pens")}
    files = {"help/orders.md": page, **others, "index.json": aliases_file(("help/orders.md", "Orders", aliases))}
    return Workbench.make(tmp_path / "kb", files)


@pytest.mark.parametrize(
    ("question", "headings"),
    [
        pytest.param("I changed my mind about it", ("Delivery", "Orders"), id="no-section-has-the-words"),
        pytest.param("where is my stuff?", ("Delivery", "Orders"), id="no-section-either"),
        pytest.param("How do I undo a purchase quickly?", ("Cancel a purchase",), id="a-later-section"),
        pytest.param("undo quickly the credited card", ("Cancel a purchase",), id="words-of-the-text"),
        pytest.param("报销凭证哪里申请？", ("开票",), id="chinese"),
    ],
)
def test_an_alias_leads_to_the_section_that_fits_best(parts: Workbench, question: str, headings: tuple[str, ...]) -> None:
    hit = Project.open(parts.path).search(question, limit=1).hits[0].passage
    assert (hit.path, hit.heading in headings, len(hit.text.split("\n")) > 1) == ("help/orders.md", True, True), hit
    lines = (parts.path / hit.path).read_text().split("\n")
    assert lines[hit.lines[0] - 1 : hit.lines[1]] == hit.text.split("\n")
    assert hit.text.split("\n")[0].endswith(hit.heading)
    assert hit.text in parts.mfgit("context", question, "-n", "1").out


def test_an_original_found_by_an_alias_still_wins_over_an_overlay(parts: Workbench) -> None:
    answer = "Open the order to undo it quickly and choose Cancel; then the card for your purchase is not credited."
    path = propose(parts, ID, "Undo what I have ordered", answer, [blob(parts, "help/orders.md")])
    found = paths(parts, "undo a purchase quickly", with_id=ID)
    assert found.index("help/orders.md") < found.index(path)


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
    assert Project.open(kb.path).search("purhcase, money back").note == "Searched for purchase instead of purhcase."


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


@pytest.mark.parametrize("options", [pytest.param((), id="checkout"), pytest.param(("--bare",), id="bare")])
@pytest.mark.parametrize("command", [("search", "x"), ("context", "x"), ("doctor",)], ids=lambda command: command[0])
def test_a_repository_without_commits_says_so(tmp_path: Path, command: tuple[str, ...], options: tuple[str, ...]) -> None:
    subprocess.run(["git", "init", "-q", *options, str(tmp_path / "new")], check=True)
    ran = Workbench(tmp_path / "new").mfgit(*command)
    assert (ran.code, ran.out) == (2, "")
    assert "This repository has no commits yet" in ran.err


def test_a_branch_without_commits_is_told_from_a_repository_without_any(kb: Workbench) -> None:
    kb.git("checkout", "-q", "--orphan", "new")
    ran = kb.mfgit("search", "refunds")
    assert ran.code == 2
    assert "The branch that is checked out has no commits yet" in ran.err
    assert paths(kb, "refunds", ref="main")[0] == "help/refunds.md"


def test_a_shallow_clone_says_why_an_older_commit_is_not_there(kb: Workbench, tmp_path: Path) -> None:
    old = kb.git("rev-parse", "HEAD")
    kb.commit()
    kb.git("clone", "-q", "--depth", "1", f"file://{kb.path}", str(tmp_path / "shallow"))
    ran = Workbench(tmp_path / "shallow").mfgit("search", "refunds", "--ref", old)
    assert ran.code == 2
    assert "git fetch --unshallow" in ran.err


def test_bare_repositories_linked_worktrees_and_shallow_clones_are_searched(kb: Workbench, tmp_path: Path) -> None:
    kb.git("clone", "-q", "--bare", str(kb.path), str(tmp_path / "bare.git"))
    kb.git("worktree", "add", "-q", str(tmp_path / "linked"), "--detach")
    kb.git("clone", "-q", "--depth", "1", f"file://{kb.path}", str(tmp_path / "shallow"))
    for folder in ("bare.git", "linked", "linked/help", "shallow"):
        assert paths(Workbench(tmp_path / folder), "refunds")[0] == "help/refunds.md"
        assert Workbench(tmp_path / folder).mfgit("context", "refunds").code == 0
    assert not (tmp_path / "linked" / "mfgit").exists()


def test_outside_a_repository_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not in a Git repository"):
        Project.open(tmp_path)


def test_odd_documents_do_not_stop_a_search(tmp_path: Path) -> None:
    kb = Workbench.make(
        tmp_path / "kb",
        {
            "caf\udce9.md": "# Café\n\nespresso\n",
            "latin1.md": "# Prix\n\ncaf\xe9 espresso".encode("latin-1"),
            "broken.md": "---\ntitle: [\n---\n# Broken\n\nespresso\n",
            "binary.md": bytes(range(256)) * 20,
            "empty.md": "",
            "index.json": "{",
            "mfgit.toml": "target = [",
        },
    )
    ran = kb.mfgit("search", "espresso", "--json")
    assert ran.code == 0, ran.err
    assert len(ran.json()["hits"]) == 3
    assert "caf\udce9.md" in [hit["path"] for hit in ran.json()["hits"]]
    strict = {"PYTHONIOENCODING": "utf-8:strict"}
    assert kb.mfgit("search", "espresso caf\udce9", "--json", env=strict).code == 0
    assert "caf\\xdce9.md" in kb.mfgit("search", "espresso caf\udce9", env=strict).out
    assert "index.json" in ran.json()["note"]


def test_a_document_that_is_missing_from_the_clone_is_named(kb: Workbench) -> None:
    oid = kb.git("rev-parse", "HEAD:help/roles.md")
    (kb.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    ran = kb.mfgit("search", "pays")
    assert ran.code == 2
    assert "help/roles.md is missing" in ran.err


def test_a_pasted_log_is_a_question_too(kb: Workbench) -> None:
    log = " ".join(f"unknownword{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}" for n in range(5000))
    assert paths(kb, "refunds " + log) == ["help/refunds.md"]


def test_a_large_document_is_searched(tmp_path: Path) -> None:
    text = "# Large\n\n" + "filler words that say nothing much\n" * 60_000 + "\n\n## Needle\n\nxylopticon\n"
    kb = Workbench.make(tmp_path / "kb", {"large.md": text})
    hit = Project.open(kb.path).search("xylopticon").hits[0]
    assert (hit.passage.heading, hit.passage.lines[1]) == ("Needle", text.count("\n"))


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


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Whoosh leaves a damaged file open
def test_a_damaged_index_is_rebuilt_while_searching(kb: Workbench) -> None:
    assert paths(kb, "refunds")
    for path in (kb.path / ".git" / "mfgit" / "search").glob("index-*/*.pst"):
        path.write_bytes(b"garbage" * 1000)
    assert paths(kb, "refunds backups")[0] in ("help/refunds.md", "help/backups.md")
    shutil.rmtree(kb.path / ".git" / "mfgit")
    assert paths(kb, "refunds")


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
