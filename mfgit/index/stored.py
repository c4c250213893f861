"""What the index keeps of a passage to show it, and how much each field counts; apart from Whoosh, which loads slowly."""

from collections.abc import Mapping
from typing import Any

from mfgit.passages import Passage

BOOSTS: Mapping[str, float] = {"text": 1.0, "title": 0.15, "heading": 0.15}
"""Field -> its weight in the score. On three sets of real questions .15 beat 0, .3, .5 and .8."""


def stored(passage: Passage) -> tuple[Any, ...]:
    """Return what is kept of a passage to show it: everything but its text, which is read from Git."""
    p = passage
    return (p.path, p.title, p.heading, p.trail, p.lines, p.kind, p.blob, p.aliases, p.summary, p.proposal, p.lang, p.anchor)


def restored(kept: tuple[Any, ...], *, stale: bool) -> Passage:
    """Return the passage of what was kept, with an empty text."""
    path, title, heading, trail, lines, kind, blob, aliases, summary, proposal, lang, anchor = kept
    return Passage(path, title, heading, trail, lines, "", kind, blob, aliases, summary, proposal, lang, stale, anchor)
