"""A ref's tree becomes documents and passages; what cannot be read becomes a problem, never an error."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.plumbing import TreeEntry
from mfgit.sections import Config, RootPattern
from mfgit.tree import reading
from mfgit.tree.reading import Page

OVERLAY = """---
proposal: 0123456789abcdef
action_type: verified_answer
title: Can I pay by card?
questions:
- Can I pay by card?
- card payment
lang: en
based_on:
- path: help/a.md
  blob: {blob}
---

# Can I pay by card?

Yes.
"""


def tree(files: dict[str, bytes], config: Config | None = None) -> reading.Tree:
    """Return the reading of a made-up listing; the id of a file is its path."""
    entries = [TreeEntry("100644", "blob", path, path.encode("utf-8", "surrogateescape")) for path in files]
    return reading.read(entries, config or Config(), lambda oid: files[oid])


def test_originals_and_overlays_are_told_apart_and_records_left_out() -> None:
    names = ["help/a.md", "help/B.MDX", "_forged/x.md", "_forged/skills/s/SKILL.md", "_forged/proposals/1.json"]
    found = tree(dict.fromkeys([*names, "_forged/proposals/note.md", "code.py", "deep/_forged/y.md"], b""))
    assert {page.path: page.kind for page in found.pages} == {
        "help/a.md": "original",
        "help/B.MDX": "original",
        "_forged/x.md": "overlay",
        "_forged/skills/s/SKILL.md": "overlay",
        "deep/_forged/y.md": "overlay",
    }


def test_only_what_lies_below_a_root_is_searched() -> None:
    config = Config(roots=(RootPattern("help", "help"), RootPattern("ws/*/knowledge", "workspace")))
    found = tree(dict.fromkeys(["help/a.md", "other/b.md", "ws/x/knowledge/c.md", "ws/x/d.md"], b""), config)
    assert [page.path for page in found.pages] == ["help/a.md", "ws/x/knowledge/c.md"]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param({"docs": [{"path": "a.md", "title": "A", "aliases": ["lost receipts"]}]}, id="docs"),
        pytest.param({"aliases": {"lost receipts": "a.md"}}, id="map"),
    ],
)
def test_aliases_of_both_shapes_reach_their_page(data: object) -> None:
    config = Config(roots=(RootPattern("help", "help"),))
    found = tree({"help/a.md": b"# A", "help/index.json": json.dumps(data).encode()}, config)
    assert found.pages[0].aliases == ("lost receipts",)
    assert not found.problems


@pytest.mark.parametrize("data", [b"{", b"\xff", b'{"docs": [{"path": "a.md", "path": "b.md"}]}', b"", b"[" * 100_000])
def test_a_broken_aliases_file_is_a_problem(data: bytes) -> None:
    found = tree({"a.md": b"# A", "index.json": data})
    assert [problem.path for problem in found.problems] == ["index.json"]
    assert found.pages[0].aliases == ()


def test_an_alias_to_a_page_that_is_not_there_is_a_problem() -> None:
    found = tree({"a.md": b"# A", "index.json": json.dumps({"aliases": {"lost": "gone.md"}}).encode()})
    assert "gone.md" in found.problems[0].what


def test_a_name_that_is_not_utf8_is_read_and_reported() -> None:
    found = tree({"caf\udce9.md": b"# A"})
    assert found.pages[0].path == "caf\udce9.md"
    assert "UTF-8" in found.problems[0].what
    assert reading.passages(found.pages[0], b"text").passages[0].title == "caf?"


def test_the_key_of_a_page_follows_everything_its_passages_depend_on() -> None:
    page = Page("a.md", "1" * 40, "original", ("x",))
    others = [
        page._replace(path="b.md"),
        page._replace(blob="2" * 40),
        page._replace(aliases=("y",)),
        page._replace(kind="overlay"),
    ]
    assert len({page.key, *(other.key for other in others)}) == 5


@pytest.mark.parametrize(
    ("text", "title"),
    [
        pytest.param("---\ntitle: Front\n---\n# Head\n", "Front", id="front-matter-title"),
        pytest.param("---\nquestion: Why?\n---\nBecause.\n", "Why?", id="question"),
        pytest.param("intro\n\n# Head\n", "Head", id="first-heading"),
        pytest.param("just text", "page", id="file-name"),
        pytest.param("---\ntitle: [\n---\n# Head\n", "Head", id="broken-front-matter"),
        pytest.param("# Head\n\n## Part\n\ntext\n", "Head", id="bare-title"),
        pytest.param("# Head { #head }\n\n## Part\n\ntext\n", "Head", id="anchor"),
        pytest.param("\ufeff# Head\n", "Head", id="byte-order-mark"),
        pytest.param("# Head\r\n\r\ntext\r\n", "Head", id="crlf"),
    ],
)
def test_a_document_finds_its_title(text: str, title: str) -> None:
    found = reading.passages(Page("help/page.md", "1" * 40, "original"), text.encode())
    assert {passage.title for passage in found.passages} == {title}


def test_summary_and_aliases_stand_on_the_first_passage_only() -> None:
    text = b"---\ndescription: About it\n---\nintro\n\n# A\n\na\n"
    first, second = reading.passages(Page("a.md", "1" * 40, "original", ("alias",)), text).passages
    assert (first.summary, first.aliases, second.summary, second.aliases) == ("About it", ("alias",), "", ())


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        pytest.param("# T\n\n## A\n\na\n\n## B\n\nb\n", "A", id="bare-title"),
        pytest.param("# T\n\n# A\n\na\n", "A", id="nothing-of-its-own"),
        pytest.param("T\n===\n\nA\n===\n\na\n", "A", id="setext"),
        pytest.param("# T\n\nintro\n\n## A\n\na\n", "T", id="intro"),
        pytest.param("intro\n\n# T\n\nt\n", "", id="before-any-heading"),
        pytest.param("# T\n\n# U\n", "T", id="no-text-at-all"),
    ],
)
def test_aliases_stand_on_the_first_passage_with_text(text: str, heading: str) -> None:
    found = reading.passages(Page("a.md", "1" * 40, "original", ("alias",)), text.encode()).passages
    assert [(passage.heading, passage.title) for passage in found if passage.aliases] == [(heading, "T")]


def test_an_overlay_says_what_it_is() -> None:
    found = reading.passages(Page("_forged/x.md", "1" * 40, "overlay"), OVERLAY.format(blob="a" * 40).encode())
    passage = found.passages[0]
    assert (passage.proposal, passage.lang, passage.kind) == ("0123456789abcdef", "en", "overlay")
    assert passage.aliases == ("Can I pay by card?", "card payment")
    assert found.based_on == (("help/a.md", "a" * 40),)


def test_a_skill_keeps_its_provenance_in_metadata() -> None:
    text = (
        "---\nname: a-b\ndescription: Steps\nmetadata:\n  proposal: abc\n  title: The title\n  lang: zh\n  based_on: help/a.md@"
        + "b" * 40
    )
    found = reading.passages(Page("_forged/skills/a-b/SKILL.md", "1" * 40, "overlay"), f"{text}\n---\n# T\n\ntext".encode())
    assert found.passages[0][1:2] + found.passages[0][9:12] == ("The title", "Steps", "abc", "zh")
    assert found.based_on == (("help/a.md", "b" * 40),)


def test_an_overlay_is_stale_when_an_original_changed_or_is_gone_and_only_then() -> None:
    sources = (("a.md", "1"), ("b.md", "2"), ("c.md", "3"))
    assert reading.changed_sources(sources, {"a.md": "1", "b.md": "9"}) == ("b.md", "c.md")
    assert reading.changed_sources(sources, {"a.md": "1", "b.md": "2", "c.md": "3"}) == ()


@given(st.binary(max_size=300))
def test_any_bytes_can_be_read(data: bytes) -> None:
    for kind in ("original", "overlay"):
        found = reading.passages(Page("a.md", "1" * 40, kind), data)
        assert all(passage.lines[0] <= passage.lines[1] for passage in found.passages)
