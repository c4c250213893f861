"""The text of an overlay: front matter and answer, or a draft that says that it has no answer yet."""

import re
from typing import Any

from mfgit.model import Record
from mfgit.proposal.inert import inline

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
    return front_matter(matter) + f"\n# {heading(record.title)}\n\n{body(record)}\n"


def review(record: Record) -> str:
    """Return the state of review that a fresh branch starts with."""
    return PROPOSED if record.suggestion else DRAFT


def body(record: Record) -> str:
    """Return the answer, or the line that says that there is none, in the record's language."""
    return record.suggestion or PLACEHOLDERS.get(record.lang, PLACEHOLDERS["en"])


def front_matter(values: dict[str, Any]) -> str:
    """Return values as a YAML block between `---` lines; every text is quoted so that it stays one value."""
    import yaml

    text: str = yaml.dump(values, Dumper=yaml.SafeDumper, allow_unicode=True, sort_keys=False, width=10**6)
    return f"---\n{text}---\n"


def heading(title: str) -> str:
    """Return a title as the text of a heading: nothing in it acts, and no run of `#` closes it."""
    return inline(re.sub(r"\s+#+$", "", title)) or "—"


def split(text: str) -> tuple[str, str]:
    """Return the front matter with its `---` lines, and the rest."""
    found = FRONT_MATTER.match(text)
    return (found[0], text[found.end() :]) if found else ("", text)


def has_answer(text: str) -> bool:
    """Tell whether an overlay says anything besides headings, comments and the line of a draft."""
    return bool(HEADING.sub("", COMMENT.sub("", without_placeholder(split(text)[1]))).strip())


def is_marked_draft(text: str) -> bool:
    """Tell whether an overlay still says that it is a draft, in its front matter or in its text."""
    matter, rest = split(text)
    return bool(REVIEW_LINE.search(matter)) or without_placeholder(rest) != rest


def tidied(text: str) -> str:
    """Return an overlay that a person completed without the marks of a draft."""
    matter, rest = split(text)
    return REVIEW_LINE.sub(rf"\g<1>{WRITTEN}", matter) + without_placeholder(rest)


def without_placeholder(rest: str) -> str:
    """Return the text of an overlay without the lines of a draft."""
    known = set(map(squeezed, PLACEHOLDERS.values()))
    kept = [line for line in rest.split("\n") if squeezed(line) not in known]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)) if len(kept) < rest.count("\n") + 1 else rest


def squeezed(line: str) -> str:
    """Return the letters of a line, so that one whose blanks or marks were changed is still known."""
    return "".join(filter(str.isalnum, line))
