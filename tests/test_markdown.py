"""Sections by heading: what CommonMark calls a heading, found in one pass over the lines."""

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mfgit.text import markup
from mfgit.tree import front_matter, markdown
from mfgit.tree.markdown import LONGEST, headings, sections


def heads(text: str) -> list[tuple[int, str, int]]:
    return [(heading.level, heading.text.strip(), heading.first) for heading in headings(text.split("\n"))]


def by_parser(text: str) -> list[tuple[int, str, int]]:
    """Return the top-level headings that markdown-it-py finds."""
    tokens = MarkdownIt("commonmark").parse(text)
    found = []
    for opened, inline in pairwise(tokens):
        if opened.type == "heading_open" and opened.level == 0 and opened.map:
            content = " ".join(line.strip() for line in inline.content.split("\n"))
            found.append((int(opened.tag[1]), content, opened.map[0]))
    return found


CASES = {
    "atx": "# One\n\ntext\n\n## Two ##\n\n### Three #\n",
    "atx-without-space": "#no heading\n\n#\n",
    "indented-atx": "   # yes\n\n    # code\n",
    "setext": "One\n===\n\ntext\n\nTwo\nlines\n---\n",
    "rule-is-no-heading": "text\n\n---\n\nmore\n",
    "rule-after-list": "- item\n---\n\ntext\n",
    "quote-then-rule": "> quote\n---\n",
    "fence": "```\n# code\n```\n\n# real\n",
    "tilde-fence-longer": "~~~~\n# code\n~~~\n# code\n~~~~\n# real\n",
    "fence-with-info": "```bash title=x\n# comment\n```\n# real\n",
    "backtick-inline-is-no-fence": "``` a ` b\n# real\n",
    "unclosed-fence": "```\n# code\n",
    "comment": "<!--\n# hidden\n-->\n\n# real\n",
    "comment-on-one-line": "<!-- x -->\n# real\n",
    "heading-ends-paragraph": "text\n# real\ntext\n",
    "chinese": "# 发票\n\n## 修改抬头\n\n正文\n",
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_headings_are_those_of_commonmark(text: str) -> None:
    assert heads(text) == by_parser(text)


FLAT = ["# H", "## H ##", "text", "", "===", "---", "```", "~~~", "a | b", "* * *", "<!-- c -->"]
LINES = st.sampled_from([*FLAT, "- item", "> quote", "    code", "<div>", "<!--", "-->"])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(FLAT[:-1]), max_size=12))
def test_generated_documents_without_lists_have_the_headings_of_commonmark(lines: list[str]) -> None:
    assert heads("\n".join(lines)) == by_parser("\n".join(lines))


def test_a_section_knows_its_lines_and_the_headings_above_it() -> None:
    text = "intro\n\n# A\n\na\n\n## B\n\nb\n\n## C\n\n# D\nd\n\n"
    found = [(s.heading, s.trail, s.lines) for s in sections(text.split("\n"))]
    assert found == [
        ("", (), (1, 1)),
        ("A", (), (3, 5)),
        ("B", ("A",), (7, 9)),
        ("C", ("A",), (11, 11)),
        ("D", (), (13, 14)),
    ]


def test_a_heading_is_told_in_words() -> None:
    text = "# The [**link**](a.md) `code` <br/> here {#anchor}\n"
    assert sections(text.split("\n"))[0].heading == "The link code here"


@pytest.mark.parametrize(
    ("headings_of_page", "anchors"),
    [
        pytest.param(["Reset a password"], ["reset-a-password"], id="words"),
        pytest.param(["What's *new*? (v2)"], ["whats-new-v2"], id="marks"),
        pytest.param(["修改 抬头"], ["修改-抬头"], id="chinese"),
        pytest.param(["Setup { #start }"], ["start"], id="named"),
        pytest.param(["Setup {/* #start */}", "Setup {/*#更多*/}"], ["start", "更多"], id="named-mdx"),
        pytest.param(["Setup", "Other", "Setup", "Setup"], ["setup", "other", "setup-1", "setup-2"], id="repeated"),
        pytest.param(["Setup", "Setup-1", "Setup"], ["setup", "setup-1", "setup-2"], id="number-taken"),
        pytest.param(["Setup", "Setup", "Setup-1"], ["setup", "setup-1", "setup-1-1"], id="number-given"),
        pytest.param(["", "?", ""], ["", "", ""], id="no-words"),
    ],
)
def test_anchors_are_those_of_hosting_sites_and_no_two_are_the_same(headings_of_page: list[str], anchors: list[str]) -> None:
    lines = [line for heading in headings_of_page for line in (f"## {heading}", "text")]
    assert [section.anchor for section in sections(lines)] == anchors


@given(st.lists(LINES, max_size=30))
def test_sections_cover_every_line_with_words_once(lines: list[str]) -> None:
    """All but headings that a deeper one follows: their words stand in the trail of what is below them."""
    found = sections(lines)
    covered = [number for s in found for number in range(s.lines[0], s.lines[1] + 1)]
    assert len(covered) == len(set(covered))
    bare = {number for h in headings(lines) for number in range(h.first + 1, h.after + 1)}
    left = {number for number, line in enumerate(lines, 1) if markdown.has_words([line])} - set(covered)
    assert left <= bare
    trails = {text for s in found for text in s.trail}
    assert all(markup.heading(h.text) in trails for h in headings(lines) if h.text and h.first + 1 in left)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("# T\n\n## A\n\na\n", [("A", ("T",), (3, 5))], id="atx"),
        pytest.param("T\n=\n\nA\n-\na\n", [("A", ("T",), (4, 6))], id="setext"),
        pytest.param("# T\n\n<!-- a\nnote -->\n<a name='x'></a>\n\n## A\n", [("A", ("T",), (7, 7))], id="comment-and-tag"),
        pytest.param("# T\n\n## A\n\n### B\n\nb\n", [("B", ("T", "A"), (5, 7))], id="two-of-them"),
        pytest.param("# T\n\nt\n\n## A\n", [("T", (), (1, 3)), ("A", ("T",), (5, 5))], id="title-with-text"),
        pytest.param("# T\n\n# U\n", [("T", (), (1, 1)), ("U", (), (3, 3))], id="nothing-below"),
        pytest.param("# T\n", [("T", (), (1, 1))], id="alone"),
    ],
)
def test_a_heading_without_text_stands_in_the_trail_of_those_below_it(
    text: str, kept: list[tuple[str, tuple[str, ...], tuple[int, int]]]
) -> None:
    assert [(s.heading, s.trail, s.lines) for s in sections(text.split("\n"))] == kept


@pytest.mark.parametrize("marker", ["{#there}", "{ #there }", "{: #there }", "{ #there .big data-x=1 }", "{#there} ##"])
def test_a_heading_s_anchor_is_not_one_of_its_words(marker: str) -> None:
    assert sections([f"# Body `Field` {marker}", "text"])[0].heading == "Body Field"


def test_a_long_section_is_cut_at_blank_lines() -> None:
    text = "# Long\n\n" + "\n\n".join("word " * 100 for _ in range(60))
    found = sections(text.split("\n"))
    assert len(found) > 3
    assert {s.heading for s in found} == {"Long"}
    assert all(sum(len(line) + 1 for line in text.split("\n")[s.lines[0] - 1 : s.lines[1]]) <= LONGEST + 600 for s in found)


def test_cost_grows_in_step_with_a_long_page() -> None:
    """Four times the page costs about four times as much, in the best of three tries."""

    def cost(times: int) -> float:
        lines = ("# Head\n\n" + "some words of text here and there\n" * 500).split("\n") * times
        started = time.process_time()
        assert len(sections(lines)) >= times
        return time.process_time() - started

    assert min(cost(200) / cost(50) for _ in range(3)) < 10


@pytest.mark.parametrize(
    ("text", "values", "after"),
    [
        pytest.param("---\ntitle: A\n---\nx", {"title": "A"}, 3, id="yaml"),
        pytest.param("+++\ntitle = 'A'\n+++\nx", {"title": "A"}, 3, id="toml"),
        pytest.param("---\n---\nx", {}, 2, id="empty"),
        pytest.param("---\nnever closed\n", {}, 0, id="not-closed"),
        pytest.param("# A\n---\n", {}, 0, id="not-first"),
        pytest.param("", {}, 0, id="nothing"),
    ],
)
def test_front_matter_is_read(text: str, values: dict[str, str], after: int) -> None:
    found = front_matter.read(text.split("\n"))
    assert (dict(found.values), found.after, found.problem) == (values, after, "")


@pytest.mark.parametrize(
    "block",
    [
        "title: [",
        "a: b: c",
        "- list",
        "&a [*a, *a]",
        "!!python/object/apply:os.system [x]",
        "x: !!binary '!'",
        "\t- x: y",
        "? " * 400,
    ],
)
def test_broken_front_matter_is_a_problem_and_not_an_error(block: str) -> None:
    found = front_matter.read(["---", *block.split("\n"), "---", "text"])
    assert found.after == len(block.split("\n")) + 2
    assert found.problem or found.values == {} or found.text("title") == ""


@given(st.text())
def test_no_text_breaks_the_reading_of_front_matter(text: str) -> None:
    lines = ["---", *text.split("\n"), "---"]
    found = front_matter.read(lines)
    found.text("title")
    found.texts("questions")
