"""What a retriever says of a passage besides its text: where it is from, for good, and whether people wrote it."""

from typing import Any

from mfgit.passages import Hit


def text_of(hit: Hit) -> str:
    """Return the text to show a model: an overlay's begins with the mark, so that no chain loses it."""
    return f"{hit.mark}\n\n{hit.passage.text}" if hit.mark else hit.passage.text


def metadata_of(hit: Hit, commit: str) -> dict[str, Any]:
    """Return the metadata of a hit found in a commit; `mfgit cite` prints what `citation` names, for good."""
    passage = hit.passage
    return {
        "path": passage.path,
        "anchor": passage.anchor,
        "heading": passage.place or passage.title,
        "lines": list(passage.lines),
        "commit": commit,
        "citation": hit.citation,
        "overlay": passage.kind != "original",
        "mark": hit.mark,
        "stale": passage.stale,
        "proposal": passage.proposal,
        "score": round(hit.score, 4),
    }
