"""What the index keeps of a passage: three fields of terms, and the passage itself without its text.

One field holds everything (title, headings, summary, aliases, body) and two small ones, title and leaf heading, count a
little more: with the usual boosts of 2 and 1.5 on separate fields, 3 to 10 points of hit@1 were lost on real questions.
"""

from whoosh import fields

from mfgit.index.shape import Shape
from mfgit.index.terms import Terms
from mfgit.passages import Passage
from mfgit.text import markup, tokens


def schema(shape: Shape) -> fields.Schema:
    """Return the schema of an index."""
    return fields.Schema(kept=fields.STORED, **{name: Terms(shape.stock) for name in (*shape.boosts, *shape.exact)})


def field_terms(passage: Passage) -> dict[str, list[str]]:
    """Return the terms of every field of a passage."""
    told = (passage.title, *passage.trail, passage.heading, passage.summary, *passage.aliases, markup.words(passage.text))
    return {
        "text": tokens.terms("\n".join(told)),
        "title": tokens.terms(passage.title),
        "heading": tokens.terms(passage.heading),
    }
