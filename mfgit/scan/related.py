"""The originals that belong to a proposal, each with the sentence of it that has most to do with the question."""

import re
from collections.abc import Iterator

from mfgit.model import Related
from mfgit.scan.decide import Rule
from mfgit.scan.facts import Facts, Passage
from mfgit.text import markup
from mfgit.text.tokens import query_terms

MOST = 3
"""Pages named."""
NEAR = 0.4
"""Coverage of the question from which the nearest page is named."""
QUOTE = 160
"""Characters of a sentence."""
SHARED, SHARE = 3, 0.3
"""Terms that a sentence has in common with the question and the answer, at least, to be quoted, and their share of its own."""
SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])")
LEAD = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?")
LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
MARKS = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|<[^<>]*>")
FENCE = re.compile(r"[ \t]*(?:```|~~~)")


def related(facts: Facts, rule: Rule) -> tuple[Related, ...]:
    """Return the pages near the answer and the one that holds it; where there is no answer, the one nearest to the question."""
    if rule.type == "index":
        return ()
    near = facts.nearest if facts.nearest and facts.nearest.coverage >= NEAR and not facts.answers else None
    found: dict[str, Passage] = {}
    for passage in filter(None, (*facts.thin, facts.page if facts.thin else None, near)):
        found.setdefault(passage.path, passage)
    said = " ".join((facts.title, *(answer.text for answer in facts.answers[:1])))
    return tuple(entry(passage, said) for passage in list(found.values())[:MOST])


def entry(near: Passage, said: str) -> Related:
    """Return one page; `said` is the question with its answer."""
    passage = near.hit.passage
    title = " – ".join(dict.fromkeys(part for part in (passage.title, passage.heading) if part))
    anchor = passage.anchor if passage.heading != passage.title else ""
    return Related(passage.path, title, anchor, quote(passage.text, said))


def quote(text: str, said: str) -> str:
    """Return the sentence of a text that shares most terms with what was said, empty when none shares enough."""
    wanted = set(query_terms(said))
    best = max(
        ((len(wanted & set(query_terms(part))), -place, part) for place, part in enumerate(sentences(text))), default=None
    )
    return best[2] if best and best[0] >= SHARED else ""


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a Markdown text that are short enough, as a reader sees them: no headings, tables and code."""
    code = False
    for line in text.split("\n"):
        if FENCE.match(line):
            code = not code
        elif not code and not line.lstrip().startswith(("#", "|", "import ", "export ", "[")):
            for part in SENTENCE.split(LEAD.sub("", line, count=1)):
                plain = " ".join(MARKS.sub("", LINK.sub(r"\1", markup.without_tags(part))).split())
                if 0 < len(plain) <= QUOTE:
                    yield plain
