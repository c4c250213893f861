"""From a record to files: the formats, and nothing from a conversation breaking out of them."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mfgit import aliases
from mfgit.layout import hidden
from mfgit.model import Alias, Evidence, Record, Source
from mfgit.proposal import message
from mfgit.proposal.overlay import PLACEHOLDERS, has_answer, is_marked_draft, overlay, split, tidied
from mfgit.proposal.render import finished, render
from mfgit.proposal.safe import clean, line, paragraphs
from mfgit.proposal.skill import skill, skill_name
from tests.builders import aliases_file
from tests.records import draft, record, wording

HOSTILE = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from("-\n#:'\"{}[]&*!|>%@`\r\x00\u202e\ufeff\u2028"), max_size=60
)
FIELDS = ["proposal", "action_type", "title", "questions", "lang", "based_on", "sources", "created", "review"]


def matter(text: str) -> Any:
    """Return the front matter of a page as YAML."""
    return yaml.safe_load(split(text)[0].removesuffix("---\n"))


def page(one: Record, index: bytes | None = None) -> str:
    """Return the Markdown that a record makes."""
    done = render(one, index)
    return done.files[str(done.record.adopted_path)].decode()


def test_an_overlay_has_exactly_the_fields_of_its_format() -> None:
    found = matter(page(record(1, based_on=(Source("help/password.md", "a" * 40),))))
    assert list(found) == FIELDS
    assert found["based_on"] == [{"path": "help/password.md", "blob": "a" * 40}]
    assert found["sources"] == ["r-1"]
    assert found["proposal"] == record(1).id


@given(HOSTILE, HOSTILE, HOSTILE)
def test_text_of_conversations_stays_inside_its_field(title: str, question: str, answer: str) -> None:
    text = page(record(1, title=title, questions=(question,), suggestion=answer, evidence=(Evidence(question, "2026-11-01"),)))
    found = matter(text)
    assert list(found) == FIELDS
    assert found["proposal"] == record(1).id
    assert isinstance(found["title"], str)
    assert all(isinstance(one, str) for one in found["questions"] + found["sources"])
    assert not any(hidden(char) for char in text if char not in "\n\t")
    assert "\r" not in text


@given(HOSTILE, HOSTILE)
def test_a_skill_keeps_the_agent_skills_rules(title: str, question: str) -> None:
    one = clean(record(1, title=title, action_type="skill", questions=(question,) * 40))
    found = matter(skill(one))
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", found["name"])
    assert len(found["name"]) <= 64
    assert 0 < len(found["description"]) <= 1024
    assert not set(found["description"]) & set("<>")
    assert all(isinstance(value, str) for value in found["metadata"].values())
    assert set(found) == {"name", "description", "metadata"}


def test_a_skill_lies_in_the_folder_of_its_name() -> None:
    one = record(1, action_type="skill", title="怎么申请退款")
    assert finished(one).adopted_path == f"help/_forged/skills/{skill_name(one)}/SKILL.md"
    assert skill_name(one) == f"skill-{one.id}"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_draft_says_in_its_language_that_it_has_no_answer(lang: str) -> None:
    text = page(draft(1, lang=lang))
    assert PLACEHOLDERS[lang] in text
    assert matter(text)["review"] == "draft"
    assert not has_answer(text)


DRAFT = page(draft(1))
FRONT = split(DRAFT)[0]


@pytest.mark.parametrize(
    ("text", "answered"),
    [
        pytest.param(DRAFT, False, id="as proposed"),
        pytest.param(DRAFT.replace(PLACEHOLDERS["en"], ""), False, id="the line taken away"),
        pytest.param(DRAFT.replace(PLACEHOLDERS["en"], "## Steps\n\n<!-- later -->"), False, id="headings and comments"),
        pytest.param(DRAFT.replace(PLACEHOLDERS["en"], "Choose Forgot password."), True, id="the line replaced"),
        pytest.param(DRAFT + "\nChoose Forgot password.\n", True, id="written below the line"),
        pytest.param(f"{FRONT}\n# Title\n\nChoose it.\n", True, id="rewritten under the old front matter"),
        pytest.param("# Title\n\nChoose it.\n", True, id="without front matter"),
        pytest.param(f"{FRONT}\n```\n# a comment\n```\n", True, id="code alone"),
        pytest.param("", False, id="empty"),
    ],
)
def test_only_a_text_of_its_own_makes_an_answer(text: str, answered: bool) -> None:
    assert has_answer(text) is answered


def test_tidying_takes_the_marks_of_a_draft_off_and_nothing_else() -> None:
    text = tidied(DRAFT + "\nChoose Forgot password.\n")
    assert matter(text) == {**matter(DRAFT), "review": "written"}
    assert not is_marked_draft(text)
    assert "Choose Forgot password." in text
    assert tidied(text) == text


@pytest.mark.parametrize(
    ("given_text", "wanted"),
    [
        pytest.param("a\r\nb\rc", "a\nb\nc", id="line ends"),
        pytest.param("x\u202ey\u200bz\ufeff", "xyz", id="hidden characters"),
        pytest.param("if a < b and b<3, x <- y", "if a < b and b<3, x <- y", id="comparisons"),
        pytest.param("1 < 2 <b> \\<i>", "1 < 2 &lt;b> &lt;i>", id="tags"),
        pytest.param("点 <img src=x onerror=alert(1)> 这里", "点 &lt;img src=x onerror=alert(1)> 这里", id="tag in Chinese"),
        pytest.param("```html\n<script>  \n```\n<script>", "```html\n<script>  \n```\n&lt;script>", id="fence"),
        pytest.param("1. Run\n\n   ```\n   <a>\n   ```\n\n<a>", "1. Run\n\n   ```\n   <a>\n   ```\n\n&lt;a>", id="in an item"),
        pytest.param("- a\n  - b\n    ~~~\n    <a>\n    ~~~", "- a\n  - b\n    ~~~\n    <a>\n    ~~~", id="in a nested item"),
        pytest.param("a\n    ~~~\n    <a>\n    ~~~", "a\n    \\~\\~\\~\n    &lt;a>\n    \\~\\~\\~", id="fence that is none"),
        pytest.param("  ```\n<a>\n```\n<b>", "  \\`\\`\\`\n&lt;a>\n```\n<b>\n```", id="fence without a certain end"),
        pytest.param("> ```\n> <a>\n> ```\n> <a>\n<a>", "> ```\n> <a>\n> ```\n> &lt;a>\n&lt;a>", id="in a quotation"),
        pytest.param("say `<b>` and ``a`<b>``, not ` <b>", "say `<b>` and ``a`<b>``, not \\` &lt;b>", id="inline code"),
        pytest.param("[a](`) ` `<b>`", "[a]\\(`) ` `<b>`", id="backtick in a target"),
        pytest.param("[a](javascript:x)", "[a]\\(javascript:x)", id="script link"),
        pytest.param("[a](java&#x73;cript:x)", "[a]\\(java&#x73;cript:x)", id="script link with an entity"),
        pytest.param("![a](data:text/html,x)", "[a]\\(data:text/html,x)", id="data image"),
        pytest.param("[a](\njavascript:x)", "[a]\\(\njavascript:x)", id="target in the next line"),
        pytest.param("[a]: javascript:x", "[a]\\: javascript:x", id="definition"),
        pytest.param("[`a]: javascript:`", "[\\`a]\\: javascript:\\`", id="definition that looks like code"),
        pytest.param("[a](https://x.org/a_(b) 't') [b](../c.md)", "[a](https://x.org/a_(b) 't') [b](../c.md)", id="links"),
        pytest.param("[a](<my file.md>)", "[a](my%20file.md)", id="target with a blank"),
        pytest.param("<https://x.org> <mailto:a@x.org>", "<https://x.org> <mailto:a@x.org>", id="autolinks"),
        pytest.param("<javascript:x> <x:y>", "&lt;javascript:x> &lt;x:y>", id="other autolinks"),
        pytest.param("{{ a }} {\\{ &#123;&lcub; {% b", "\\{ \\{ a }} \\{ \\{ \\{ \\{ \\{ % b", id="templates"),
        pytest.param("see {.x onclick=y} and {a}", "see \\{.x onclick=y} and \\{a}", id="attributes and expressions"),
        pytest.param("import x from 'y'\nexport {z}", "&#105;mport x from 'y'\n&#101;xport \\{z}", id="modules"),
        pytest.param(
            "![a](https://x.org/p.png) ![](//x.org/p)", "[a](https://x.org/p.png) [image](//x.org/p)", id="far images"
        ),
        pytest.param("!![a](https&#58;//x.org/p)", "!\\![a](https&#58;//x.org/p)", id="hidden far image"),
        pytest.param("![a](img/p.png)", "![a](img/p.png)", id="image of ours"),
        pytest.param("![a][b]\n\n[b]: https://x.org/p", "[a][b]\n\n[b]: https://x.org/p", id="image by reference"),
        pytest.param("[a](https://x.org/{{b}}/c)", "[a](https://x.org/%7B%7Bb%7D%7D/c)", id="template in a target"),
        pytest.param('[//]: # "mfgit: end"', '[//]\\:# "mfgit: end"', id="mark of ours"),
        pytest.param('```\n[//]: # "mfgit: end"', '```\n[//]:# "mfgit: end"\n```', id="mark of ours in code that never ends"),
        pytest.param("<!-- mfgit -->", "&lt;!-- mfgit -->", id="comment of ours"),
        pytest.param("`{{ a }}`", "`{{ a }}`", id="template in code"),
        pytest.param("a|b\n-|-\n`x | <b>`|", "a|b\n-|-\n\\`x | &lt;b>\\`|", id="cell of a table"),
        pytest.param("<!-- never closed", "&lt;!-- never closed", id="comment"),
    ],
)
def test_answers_are_made_inert(given_text: str, wanted: str) -> None:
    assert paragraphs(given_text) == wanted


PIECES = [
    *(
        "<img src=x onerror=y>",
        "<details ontoggle=y>",
        "</p",
        "<!--",
        "<?x",
        "<b",
        ">",
        "<https://x.org>",
        "<a b='`'>",
        "\\<b>",
    ),
    *(
        "[a](",
        "![a](",
        "[`a]",
        "]: ",
        "](",
        "javascript:x",
        "java&#x73;cript:x",
        "data:text/html,y",
        "&Tab;",
        "x.md",
        ")",
        "[",
        "]",
    ),
    *(
        "`",
        "``",
        "```",
        "```html\n",
        "~~~",
        "~~~\n",
        "\\",
        "\\`",
        "\n",
        "\n\n",
        "\n  ",
        "\n   ",
        "\n    ",
        "\n\t",
        "\n> ",
        "\n>",
    ),
    *(
        "\n- ",
        "\n1. ",
        "\n2. ",
        "\n* * *",
        "\n---\n",
        "|",
        "\n-|-\n",
        '"',
        "'",
        " ",
        "\u3000",
        "退款 ",
        "word ",
        "{{",
        "{",
        "&#123;",
    ),
]
RICH = st.lists(st.sampled_from(PIECES), max_size=24).map("".join) | HOSTILE
SITES = [MarkdownIt("commonmark", {"html": True}), MarkdownIt("js-default", {"html": True, "linkify": False})]
for site in SITES:
    vars(site)["validateLink"] = lambda url: True  # a site may have no such care
KNOWN = {
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "em", "strong", "s", "a", "img", "br", "hr", "blockquote", "ul", "ol", "li"),
    *("pre", "code", "table", "thead", "tbody", "tr", "th", "td"),
}


class Reader(HTMLParser):
    """Finds what acts in a page: tags and attributes that Markdown does not make, targets of other schemes, templates."""

    def __init__(self) -> None:
        super().__init__()
        self.acts: list[str] = []
        self.code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.code += tag == "code"
        self.acts += [] if tag in KNOWN else [tag]
        for name, value in attrs:
            if name in ("href", "src"):
                scheme = re.match(r"[\x00-\x20]*([A-Za-z][\w+.\-\x00-\x20]*):", value or "")
                self.acts += [str(value)] if scheme and scheme[1].lower() not in ("http", "https", "mailto") else []
            elif name not in ("class", "alt", "title", "style", "start"):
                self.acts.append(name)

    def handle_endtag(self, tag: str) -> None:
        self.code -= tag == "code"

    def handle_comment(self, data: str) -> None:
        self.acts.append(data)

    def handle_decl(self, decl: str) -> None:
        self.acts.append(decl)

    def handle_pi(self, data: str) -> None:
        self.acts.append(data)

    def handle_data(self, data: str) -> None:
        self.acts += ["{{"] if "{{" in data and not self.code else []


def acting(text: str, site: MarkdownIt) -> list[str]:
    """Return what acts in a Markdown text on a site."""
    reader = Reader()
    reader.feed(site.render(text))
    reader.close()
    return reader.acts


@given(RICH, st.sampled_from(SITES), st.sampled_from(["en", "zh"]))
@settings(max_examples=600)
def test_nothing_from_a_conversation_acts_on_a_published_page(text: str, site: MarkdownIt, lang: str) -> None:
    one = record(1, title=line(text, 200) or "x", suggestion=text, lang=lang)
    assert acting(split(page(one))[1], site) == []


@given(RICH)
def test_cleaning_rich_text_twice_is_cleaning_it_once(text: str) -> None:
    assert paragraphs(paragraphs(text)) == paragraphs(text)


@given(HOSTILE)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert line(line(text)) == line(text)
    assert paragraphs(paragraphs(text)) == paragraphs(text)


@given(HOSTILE, HOSTILE)
def test_a_record_survives_its_own_file(title: str, answer: str) -> None:
    done = finished(record(1, title=title, suggestion=answer))
    assert Record.load(done.dump(), "here") == done
    assert finished(done) == done


def test_the_same_record_makes_the_same_bytes() -> None:
    index = aliases_file(("password.md", "Account access", [])).encode()
    assert render(wording(1), index) == render(wording(1), index)


SHAPES = {
    "docs": aliases_file(("password.md", "Account access", ["forgot"])).encode(),
    "map": b'{ "team" : "Docs",\n  "aliases": {\n    "forgot": "password.md"\n  },\n "note": 1.0 }\n',
}


@pytest.mark.parametrize("index", SHAPES.values(), ids=SHAPES)
def test_aliases_are_added_to_either_shape(index: bytes) -> None:
    changed = render(wording(1), index).files["help/index.json"]
    assert aliases.outside(changed, "x") == aliases.outside(index, "x")
    assert "lost password 1" in aliases.parse(changed, "x").documents[0].aliases
    assert "forgot" in aliases.parse(changed, "x").documents[0].aliases


@pytest.mark.parametrize(
    ("index", "alias"),
    [
        pytest.param(SHAPES["map"], Alias("help/other.md", "forgot"), id="phrase of another page"),
        pytest.param(SHAPES["docs"], Alias("help/other.md", "new"), id="page without an entry"),
        pytest.param(SHAPES["docs"], Alias("elsewhere/other.md", "new"), id="page of another root"),
        pytest.param(SHAPES["docs"], Alias("help/password.md", "x" * 201), id="too long"),
        pytest.param(SHAPES["docs"], Alias("help/password.md", "forgot"), id="there already"),
        pytest.param(None, Alias("help/password.md", "new"), id="no index.json"),
    ],
)
def test_an_alias_that_cannot_be_placed_leaves_index_json_alone(index: bytes | None, alias: Alias) -> None:
    files = render(record(1, action_type="index", suggestion="", aliases=(alias,)), index).files
    assert list(files) == ["help/_forged/proposals/0000000000000001.json"]


def test_messages_carry_the_trailers() -> None:
    text = message.proposing(record(1, title="x" * 300, why=("Mfgit-Proposal: ffffffffffffffff",)))
    first, *_, last = text.split("\n\n")
    assert len(first) <= 72
    assert last == "Mfgit-Proposal: 0000000000000001\nMfgit-Action: verified_answer\nMfgit-Root: help\n"


def test_a_record_is_json_of_its_own_format() -> None:
    data = render(record(1), None).files["help/_forged/proposals/0000000000000001.json"]
    value = json.loads(data)
    assert value["schema"] == 1
    assert value["adopted_path"] == "help/_forged/how-do-i-change-setting-1-0000000000000001.md"
    assert overlay(Record.load(data, "x"))
