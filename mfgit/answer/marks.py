"""The words that say a passage is an overlay, where it comes from, and that the original wins, in the reader's language."""

from collections.abc import Iterator, Sequence

from mfgit.passages import Contradiction, Passage

MARKS = {
    "en": "Added from users' conversations ({source}), not part of the documentation; where it differs from an original, "
    "the original applies.",
    "zh": "根据用户对话整理的补充（{source}），不是文档原文；与原文不一致时，以原文为准。",
}
STALE = {
    "en": " An original that it is based on has changed since, so it may be out of date.",
    "zh": "它所依据的原文后来有改动，内容可能已经过时。",
}
SOURCE = {"en": "proposal {proposal}", "zh": "提案 {proposal}"}


CONTRADICTS = {"en": " It contradicts {path} ({what}).", "zh": "它与 {path} 的说法矛盾（{what}）。"}
IN_CHINESE = {"said and denied": "一处肯定，一处否定", "yes / no": "是 / 否"}


def mark(passage: Passage, lang: str, contradicts: Sequence[Contradiction] = ()) -> str | None:
    """Return the mark of a passage for a reader of `en` or `zh`; None for an original."""
    if passage.kind != "overlay":
        return None
    source = SOURCE[lang].format(proposal=passage.proposal) if passage.proposal else passage.path
    return "".join((MARKS[lang].format(source=source), STALE[lang] if passage.stale else "", *told(contradicts, lang)))


def told(contradicts: Sequence[Contradiction], lang: str) -> Iterator[str]:
    """Yield a sentence on each original that an overlay contradicts."""
    for other in contradicts:
        what = IN_CHINESE.get(other.what, other.what) if lang == "zh" else other.what
        yield CONTRADICTS[lang].format(path=other.path, what=what)
