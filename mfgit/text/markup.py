"""Markdown's markup, taken off: what a heading or a passage says in words."""

import re

HEADING_ID = re.compile(r"\s*\{(?::|/\*)?\s*#([^\s{}*]+)[^{}]*\}\s*$")
LINK = re.compile(
    r"!?\[([^\[\]\n]*(?:\[[^\[\]\n]*\][^\[\]\n]*)*)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+[\"'][^\"'\n]*[\"'])?\)|\[[^\[\]\n]*\])"
)
TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,300}>")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
NOT_IN_ANCHOR = re.compile(r"[^\w\- ]")
EMPHASIS = re.compile(r"[*`]|(?<!\w)_+|_+(?!\w)")


def heading(text: str) -> str:
    """Return the words of a heading: links by their text, no tags, no emphasis, no anchor.

    Anchors are written `{#id}`, `{ #id }`, `{: #id }` or `{/* #id */}` (MDX), by the maker of the site.
    """
    text = TAG.sub("", LINK.sub(r"\1", HEADING_ID.sub("", text)))
    return " ".join(EMPHASIS.sub("", text).split())


def anchor(text: str, taken: dict[str, int]) -> str:
    """Return the anchor that hosting sites give to a heading: the one it names, or its words; -1, -2, … when it is `taken`.

    `taken` holds the anchors of the page so far, with the last number that was added to each; the new one is put in.
    """
    named = HEADING_ID.search(text)
    plain = named[1] if named else NOT_IN_ANCHOR.sub("", heading(text).lower()).strip().replace(" ", "-")
    found = plain
    while found in taken:
        taken[plain] += 1
        found = f"{plain}-{taken[plain]}"
    if found:
        taken[found] = 0
    return found


def words(text: str) -> str:
    """Return a passage with its links by their text, without the addresses they lead to."""
    return LINK.sub(r"\1", text)


def without_tags(text: str) -> str:
    """Return a text without its comments and tags."""
    return TAG.sub("", COMMENT.sub("", text))
