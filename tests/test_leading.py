"""An alias leads to the section of its page that answers."""

from pathlib import Path

import pytest

from mfgit.index import leading
from mfgit.project import Project, views
from mfgit.text import tokens
from tests.builders import Workbench, aliases_file
from tests.searching import ID, blob, paths, propose

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


def test_pages_stand_in_the_order_of_their_scores_whichever_section_is_shown(parts: Workbench) -> None:
    project = Project.open(parts.path)
    searcher = views.searcher(project, views.locate(project))
    for question in ("undo a purchase quickly", "order page maps", "purchase order", "发票 三天", "card stuff delivery"):
        terms = tokens.query_terms(question)
        scored = searcher.search(terms, 60)
        led = leading.lead(searcher, terms, scored).found
        pages = [[searcher.passage(hit.position).path for hit in hits] for hits in (scored, led)]
        assert list(dict.fromkeys(pages[0])) == list(dict.fromkeys(pages[1]))
        assert [hit.score for hit in scored] == [hit.score for hit in led]
