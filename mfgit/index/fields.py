"""What the index keeps of a passage: three fields of terms, and the passage itself without its text.

One field holds everything (title, headings, summary, aliases, body) and two small ones, title and leaf heading, count a
little more: with the usual boosts of 2 and 1.5 on separate fields, 3 to 10 points of hit@1 were lost on real questions.
"""

from whoosh import fields

from mfgit.index.stored import BOOSTS
from mfgit.index.terms import Terms
from mfgit.passages import Passage
from mfgit.text import markup, tokens


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
