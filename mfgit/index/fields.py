"""What the index keeps of a passage: three fields of terms, and the passage itself without its text.

One field holds everything (title, headings, summary, aliases, body) and two small ones, title and leaf heading, count a
little more: the usual boosts on separate fields cost 3 to 10 points of hit@1 (DESIGN 9).
"""

from collections import Counter
from collections.abc import Generator
from typing import Any

from whoosh import fields, formats

from mfgit.index.stored import BOOSTS
from mfgit.model import Passage
from mfgit.text import markup, tokens


class Terms(fields.FieldType):
    """A field whose value is a list of terms from `mfgit.text.tokens`; it keeps how often each occurs."""

    def __init__(self) -> None:
        analyzer: Any = None  # the terms come ready made
        super().__init__(formats.Existence(), analyzer, scorable=True)

    def index(self, value: list[str], **_: Any) -> Generator[tuple[bytes, int, float, bytes], Any, None]:
        """Yield (term, count, weight, no further value)."""
        for term, count in Counter(value).items():
            yield term.encode("utf-8", "surrogatepass"), count, float(count), b""


def schema() -> fields.Schema:
    """Return the schema of the index."""
    return fields.Schema(passage=fields.STORED, **{name: Terms() for name in BOOSTS})


def field_terms(passage: Passage) -> dict[str, list[str]]:
    """Return the terms of every field of a passage."""
    told = (passage.title, *passage.trail, passage.heading, passage.summary, *passage.aliases, markup.words(passage.text))
    return {
        "text": tokens.terms("\n".join(told)),
        "title": tokens.terms(passage.title),
        "heading": tokens.terms(passage.heading),
    }
