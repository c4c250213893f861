"""Conversation text made fit for a file under `_forged/`: nothing hidden in it, and nothing that acts."""

from dataclasses import replace

from mfgit.layout import hidden
from mfgit.model import Record
from mfgit.proposal.inert import inert


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
    """Return Markdown from a conversation: clean, LF, and what could act turned into text."""
    plain = visible(text.replace("\r\n", "\n").replace("\r", "\n"), "\n\t").replace('[//]: # "mfgit', '[//]:# "mfgit')
    return "\n".join(inert(plain.split("\n"))).strip("\n")


def clean(record: Record) -> Record:
    """Return the record with every text that came out of a conversation made fit for a file."""
    return replace(
        record,
        title=line(record.title, 200) or record.id,
        suggestion=paragraphs(record.suggestion),
        questions=tuple(filter(None, (line(question, 400) for question in record.questions))),
        aliases=tuple(replace(alias, alias=line(alias.alias)) for alias in record.aliases if line(alias.alias)),
        related=tuple(
            replace(page, title=line(page.title, 200), anchor=line(page.anchor, 200), quote=line(page.quote, 200))
            for page in record.related
        ),
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
