"""A question as a title: the sentence that asks, in the user's words, without greeting and politeness."""

import functools
import re

from mfgit.text.followups import leans
from mfgit.text.questions import ASKING, HAN_CHARACTER, SENTENCE, bare, normalise
from mfgit.text.smalltalk import PARTICLES, says_nothing
from mfgit.text.tokens import query_terms

TELLING = 3
"""Terms from which a sentence that asks stands without the sentences around it."""
INTRODUCTION = re.compile(
    r"my name is (?!not|wrong|incorrect|missing|spelled|misspelled|on|in|too|still)\w+(?: \w+){0,2}?"
    r"(?: and (?:i|we)\b.*| from\b.*)?$"
    r"|(?:this is|i am|i m|im) \w+(?: \w+)? (?:here$|speaking$|writing$|from\b.*)|i hope (?:you|this|all)\b"
    r"|(?:dear|hello|hi|hey) \w+(?: \w+)?$|i have (?:a|one|two|some|another) (?:quick )?questions?\b"
    r"|i am (?:writing|contacting|reaching out)\b|我叫(?![的了不])\w{1,4}$|我姓\w{1,2}$|我有.{0,3}问题$|(?:尊敬|亲爱)的\w{0,6}$"
)
"""How a bare sentence looks in which people introduce themselves."""
PLACE = re.compile(rf"(?<![^\W_])(?=[^\W_])|(?={HAN_CHARACTER.pattern})")
"""Where a word begins, or any Han character."""
CLAUSE = re.compile(r"([^,，!！]{1,60})[,，!！]\s*")
ENDING = re.compile(r"([?？])\W*$")


@functools.lru_cache(65536)
def plain(text: str) -> str:
    """Return a question without greeting and politeness, and without sentences that only introduce it; never empty."""
    asking = led_in(sentence(text))
    if bare(asking) == normalise(asking):
        return asking
    return trimmed(asking) or asking


def sentence(text: str) -> str:
    """Return the part of a text that asks: without introductions, and one sentence where that tells enough."""
    parts = [part.strip() for part in SENTENCE.split(text) if part.strip()]
    said = [part for part in parts if not says_nothing(bare(part)) and not INTRODUCTION.match(bare(part))]
    if len(parts) < 2 or not said:
        return text.strip()
    asking = [part for part in said if ASKING.search(part) and stands(part)]
    return asking[0] if asking else joined(said, text)


def led_in(text: str) -> str:
    """Return a sentence without the clauses before its first one that says something."""
    while found := CLAUSE.match(text):
        clause = bare(found[1])
        if not (says_nothing(clause) or INTRODUCTION.match(clause)) or not bare(text[found.end() :]):
            break
        text = text[found.end() :]
    return text


def joined(parts: list[str], text: str) -> str:
    """Return sentences as one text, with a space where the text has one."""
    return (" " if " " in text else "").join(parts)


def stands(part: str) -> bool:
    """Whether a sentence says by itself what it is about."""
    return len(query_terms(part)) >= TELLING and not leans(bare(part))


def trimmed(text: str) -> str:
    """Return a sentence from its latest word on that still has all of its normal form, up to the end of that."""
    wanted = normalise(text)
    places = [found.start() for found in PLACE.finditer(text)]
    start = next((place for place in reversed(places) if bare(text[place:]).startswith(wanted)), 0)
    head = text[start:]
    end = next((place - start for place in places if place > start and bare(text[start:place]) == wanted), len(head))
    while head[end : end + 1] and head[end] in PARTICLES:
        end += 1
    if not bare(head[end:]):
        return head.strip()
    cut = head[:end].rstrip(" ,，;；、\n")
    mark = ENDING.search(head)
    return f"{cut}{mark[1]}" if mark and not ENDING.search(cut) else cut
