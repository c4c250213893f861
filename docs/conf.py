"""How Sphinx builds the site: `make docs`. Pages are plain Markdown that reads well without it."""

import re
from typing import TYPE_CHECKING, Any

from sphinx.search.en import SearchEnglish

from mfgit import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "mfgit"
author = "The mfgit authors"
project_copyright = f"2026, {author}"
release = version = __version__
extensions = ["myst_parser"]
exclude_patterns = ["examples"]
nitpicky = True
language = "en"

myst_heading_anchors = 4
html_theme = "furo"
html_title = "mfgit"
html_show_sourcelink = False
html_copy_source = False
# tests/test_docs_blocks.py reads every block by its own parser; an example may leave something out
suppress_warnings = ["misc.highlighting_failure"]

BESIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?:examples/[\w/-]*)?[A-Z][\w.-]*\.md\)")
"""A link to a page at the top of the repository or among the examples, such as the README."""

HAN = "\u3400-\u9fff"
WIDE = rf"[\u3000-\u303f{HAN}\uff00-\uffef“”‘’…—]"
TURNED_LINE = re.compile(rf"({WIDE}(?:</\w+>)*)\n(?=(?:<\w[^>]*>)*{WIDE})")
"""The end of a line between two wide characters, which browsers would show as a blank."""
BLOCK = re.compile(r"(<pre>.*?</pre>)", re.DOTALL)


class Search(SearchEnglish):
    """The words of the site's search. Chinese has no blanks: its pairs of characters are the words, here and in the browser."""

    js_splitter_code = rf"""
var splitQuery = (query) => (query.match(/[{HAN}]+|[^{HAN}]+/gu) || []).flatMap((part) =>
  /[{HAN}]/u.test(part)
    ? part.length < 3 ? [part] : Array.from(part.slice(1), (character, at) => part[at] + character)
    : part.split(/[^\p{{Letter}}\p{{Number}}_]+/gu).filter((word) => word));
"""

    def split(self, text: str) -> list[str]:
        """Return the words of a text: whole ones, pairs of Chinese characters, and these by themselves."""
        runs = re.findall(rf"[{HAN}]+", text)
        pairs = [run[at : at + 2] for run in runs for at in range(len(run) - 1)]
        return [*re.findall(rf"[^\W{HAN}]+", text), *pairs, *"".join(runs)]


def setup(app: "Sphinx") -> dict[str, bool]:
    """Tell Sphinx which pages are Chinese, how Chinese is set and found, and which links lead out of the site."""
    app.connect("source-read", keep_the_words)
    app.connect("html-page-context", say_the_language)
    app.add_search_language(Search)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def say_the_language(_app: "Sphinx", page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Mark the pages below `zh/` as Chinese, for font and voice, and set their lines without a blank between them."""
    if page.startswith("zh/"):
        context["language"] = "zh-CN"
        parts = BLOCK.split(context.get("body", ""))
        context["body"] = "".join(part if part.startswith("<pre>") else TURNED_LINE.sub(r"\1", part) for part in parts)


def keep_the_words(_app: "Sphinx", _page: str, source: list[str]) -> None:
    """Take links to pages beside `docs/` out, which the site does not have; their words stay."""
    source[0] = BESIDE.sub(r"\1", source[0])
