"""The words that say a passage is an overlay, where it comes from, and that the original wins, in the reader's language."""

from mfgit.passages import Passage

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


def mark(passage: Passage, lang: str) -> str | None:
    """Return the mark of a passage for a reader of `en` or `zh`; None for an original."""
    if passage.kind != "overlay":
        return None
    source = SOURCE[lang].format(proposal=passage.proposal) if passage.proposal else passage.path
    return MARKS[lang].format(source=source) + (STALE[lang] if passage.stale else "")
