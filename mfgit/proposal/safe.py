"""Conversation text made fit for a file under `_forged/`: nothing hidden in it, and no live HTML."""

import re
from collections.abc import Iterator
from dataclasses import replace

from mfgit.layout import hidden
from mfgit.model import Record

LIVE_NAMES = "script|iframe|object|embed|style|link|meta|base|form|input|button|svg|math"
LIVE_TAG = re.compile(rf"<(?=/?\s*(?:{LIVE_NAMES})\b|!--)", re.IGNORECASE)
SCRIPT_LINK = re.compile(r"\b(javascript|vbscript)\s*:", re.IGNORECASE)
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")


def visible(text: str, keep: str = "") -> str:
    """Return text without characters that no reader sees, save those in `keep`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c for c in text if c in keep or not hidden(c))


def line(text: str, limit: int = 0) -> str:
    """Return text as one clean line of at most `limit` characters (0: any)."""
    flat = " ".join(visible(text, "\n\t\r").split())
    return flat if not limit or len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def paragraphs(text: str) -> str:
    """Return Markdown from a conversation: clean, LF, no trailing blanks, and HTML that could act turned into text."""
    plain = visible(text.replace("\r\n", "\n").replace("\r", "\n"), "\n\t")
    return "\n".join(inert(plain.split("\n"))).strip("\n")


def inert(lines: list[str]) -> Iterator[str]:
    """Yield the lines with live tags and script links outside of code fences escaped."""
    fence = ""
    for text in lines:
        mark = FENCE.match(text)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not text[mark.end() :].strip():
            fence = ""
        yield text.rstrip() if fence else SCRIPT_LINK.sub(r"\1&#58;", LIVE_TAG.sub("&lt;", text)).rstrip()


def clean(record: Record) -> Record:
    """Return the record with every text that came out of a conversation made fit for a file."""
    return replace(
        record,
        title=line(record.title, 200) or record.id,
        suggestion=paragraphs(record.suggestion),
        questions=tuple(filter(None, (line(question, 400) for question in record.questions))),
        aliases=tuple(replace(alias, alias=line(alias.alias)) for alias in record.aliases if line(alias.alias)),
        rating_reasons=tuple(line(reason, 200) for reason in record.rating_reasons),
        why=tuple(line(reason) for reason in record.why),
        evidence=tuple(
            replace(
                entry,
                request_id=line(entry.request_id, 200),
                excerpt=line(entry.excerpt, 400),
                reasons=tuple(line(reason, 200) for reason in entry.reasons),
            )
            for entry in record.evidence
        ),
    )
