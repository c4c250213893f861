"""What a search finds: passages and hits. Apart from `model`, since a cold search starts faster without its dataclasses."""

from typing import Any, NamedTuple


class Passage(NamedTuple):
    """One section of a document of the merged tree.

    `heading` is its own heading, `anchor` what a hosting site calls it in addresses, `trail` the headings above it; `lines`
    are the first and last line in the file, from 1. `kind` is original or overlay; `proposal` and `lang` belong to
    overlays, `stale` to overlays whose originals moved on.
    `aliases` (other wordings) and `summary` belong to the whole document and stand on its first passage with text.
    """

    path: str
    title: str
    heading: str
    trail: tuple[str, ...]
    lines: tuple[int, int]
    text: str
    kind: str
    blob: str
    aliases: tuple[str, ...] = ()
    summary: str = ""
    proposal: str | None = None
    lang: str | None = None
    stale: bool = False
    anchor: str = ""

    @property
    def place(self) -> str:
        """The headings above it and its own."""
        return " > ".join((*self.trail, self.heading))


class Contradiction(NamedTuple):
    """An original that an overlay contradicts, and `what`: the two numbers or words, or that one says what the other denies."""

    path: str
    heading: str
    what: str


class Hit(NamedTuple):
    """A passage and its score; `mark` are the words that say it is an overlay and the original wins.

    `contradicts` are the originals that an overlay contradicts, `folded` the passages further down that say nearly the same.
    `citation` (`path#anchor@commit`) is where the passage stands for good.
    """

    passage: Passage
    score: float
    mark: str | None = None
    contradicts: tuple[Contradiction, ...] = ()
    folded: tuple[Passage, ...] = ()
    citation: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return a hit of `search --json`."""
        p = self.passage
        return {
            "path": p.path,
            "heading": p.place or None,
            "kind": p.kind,
            "score": round(self.score, 4),
            "text": p.text,
            "lines": list(p.lines),
            "anchor": p.anchor,
            "citation": self.citation,
            "proposal": p.proposal,
            "stale": p.stale,
            "mark": self.mark,
            "contradicts": [other._asdict() for other in self.contradicts],
            "folded": [{"path": q.path, "heading": q.place or None, "lines": list(q.lines)} for q in self.folded],
        }
