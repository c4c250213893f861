"""How Sphinx builds the site: `make docs`. Pages are plain Markdown that reads well without it."""

import re
from typing import TYPE_CHECKING, Any

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


def setup(app: "Sphinx") -> dict[str, bool]:
    """Tell Sphinx which pages are Chinese, and which links lead out of the site."""
    app.connect("source-read", keep_the_words)
    app.connect("html-page-context", say_the_language)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def say_the_language(_app: "Sphinx", page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Mark the pages below `zh/` as Chinese, so that browsers choose the font and readers of screens the voice."""
    if page.startswith("zh/"):
        context["language"] = "zh-CN"


def keep_the_words(_app: "Sphinx", _page: str, source: list[str]) -> None:
    """Take links to pages beside `docs/` out, which the site does not have; their words stay."""
    source[0] = BESIDE.sub(r"\1", source[0])
