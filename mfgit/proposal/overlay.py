"""The text of an overlay: front matter and answer, or a draft that says that it has no answer yet."""

import re
from typing import Any

from mfgit.model import Record
from mfgit.proposal.about import about, to_write
from mfgit.proposal.inert import inline
from mfgit.text import blocks

DRAFT = "draft"
"""`review` of an overlay without an answer; it cannot be adopted."""
PROPOSED = "proposed"
"""`review` of an overlay whose answer comes out of the conversations."""
WRITTEN = "written"
"""`review` of an overlay whose answer a person wrote."""
PLACEHOLDERS = {
    "en": "> **Draft without an answer.** Replace this line with the answer; until then this proposal cannot be adopted.",
    "zh": "> **草稿，还没有答案。** 请用答案替换这一行；在此之前，这条提案不能被采纳。",
}
FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?---[ \t]*(?:\n|\Z)", re.DOTALL)
REVIEW_LINE = re.compile(r"^([ \t]*(?:mfgit-)?review:[ \t]*)(['\"]?)draft\2[ \t]*$", re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t].*)?$|^ {0,3}(?:=+|-+)[ \t]*$", re.MULTILINE)

ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
FENCE = re.compile(r" *(?:```|~~~)")


def overlay(record: Record) -> str:
    """Return the whole file of a verified answer or a supplement."""
    matter = {
        "proposal": record.id,
        "action_type": record.action_type,
        "title": record.title,
        "questions": list(record.questions),
        "lang": record.lang,
        "based_on": [{"path": source.path, "blob": source.blob} for source in record.based_on],
        "sources": [entry.request_id for entry in record.evidence],
        "created": record.first_seen,
        "review": review(record),
    }
    return front_matter(matter) + page(record, about(record))


def page(record: Record, more: str) -> str:
    """Return the text below the front matter: title, answer or what to write, and `more` about it."""
    parts = [f"# {heading(record.title)}\n", f"{body(record)}\n", "" if record.suggestion else to_write(record), more]
    return "\n" + "\n".join(filter(None, parts))


def review(record: Record) -> str:
    """Return the state of review that a fresh branch starts with."""
    return PROPOSED if record.suggestion else DRAFT


def body(record: Record) -> str:
    """Return the answer, or the line that says that there is none, in the record's language."""
    return lowered(record.suggestion) or PLACEHOLDERS.get(record.lang, PLACEHOLDERS["en"])


def lowered(answer: str) -> str:
    """Return an answer with its headings one level down where one of them would be a second title of the page."""
    lines, code, top = answer.split("\n"), False, False
    places = []
    for number, line in enumerate(lines):
        code = code != bool(FENCE.match(line))
        if not code and (found := ATX.match(line)):
            places.append(number)
            top = top or len(found[1]) == 1
    for number in places if top else ():
        lines[number] = re.sub(r"(?<!#)#{1,5}(?=[ \t]|$)", lambda found: f"#{found[0]}", lines[number], count=1)
    return "\n".join(lines)


def front_matter(values: dict[str, Any]) -> str:
    """Return values as a YAML block between `---` lines; every text is quoted so that it stays one value."""
    import yaml

    text: str = yaml.dump(values, Dumper=yaml.SafeDumper, allow_unicode=True, sort_keys=False, width=10**6)
    return f"---\n{text}---\n"


def heading(title: str) -> str:
    """Return a title as the text of a heading: nothing in it acts, and no run of `#` closes it."""
    return inline(re.sub(r"(?<=\w)[.。]$", "", re.sub(r"\s+#+$", "", title))) or "—"


def split(text: str) -> tuple[str, str]:
    """Return the front matter with its `---` lines, and the rest."""
    found = FRONT_MATTER.match(text)
    return (found[0], text[found.end() :]) if found else ("", text)


def has_answer(text: str) -> bool:
    """Tell whether an overlay says anything besides headings, comments, the line of a draft and the blocks about it."""
    return bool(HEADING.sub("", COMMENT.sub("", without_placeholder(blocks.without(split(text)[1])))).strip())


def is_marked_draft(text: str) -> bool:
    """Tell whether an overlay still says that it is a draft, in its front matter or in its text."""
    matter, rest = split(text)
    return bool(REVIEW_LINE.search(matter) or blocks.OF_DRAFT.search(rest)) or without_placeholder(rest) != rest


def tidied(text: str) -> str:
    """Return an overlay that a person completed without the marks of a draft."""
    matter, rest = split(text)
    plain = re.sub(r"\n{3,}", "\n\n", blocks.without(rest, blocks.OF_DRAFT)) if blocks.OF_DRAFT.search(rest) else rest
    return REVIEW_LINE.sub(rf"\g<1>{WRITTEN}", matter) + without_placeholder(plain)


def without_placeholder(rest: str) -> str:
    """Return the text of an overlay without the lines of a draft."""
    known = set(map(squeezed, PLACEHOLDERS.values()))
    kept = [line for line in rest.split("\n") if squeezed(line) not in known]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)) if len(kept) < rest.count("\n") + 1 else rest


def squeezed(line: str) -> str:
    """Return the letters of a line, so that one whose blanks or marks were changed is still known."""
    return "".join(filter(str.isalnum, line))
