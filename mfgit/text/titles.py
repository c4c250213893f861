"""A question as a title: the sentence that asks, in the user's words, without greeting and politeness."""

import functools
import re

from mfgit.text.followups import leans
from mfgit.text.questions import ASKING, HAN_CHARACTER, SENTENCE, bare, normalise
from mfgit.text.smalltalk import PARTICLES, says_nothing
from mfgit.text.tokens import language, query_terms

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
COMPLAINT = re.compile(
    r"(?:no|nope|(?:no(?:pe)? )?(?:wrong|useless|not helpful|still not|not what i asked(?: for)?"
    r"|(?:that|this|it) ?(?:is|s|was)? ?(?:wrong|useless|no use|not (?:it|right|correct|helpful"
    r"|what i (?:asked|meant)(?: for)?))"
    r"|(?:that|this|it) (?:did not|didnt|does not|doesnt|doesn t|didn t) (?:work|help)"
    r"|you (?:did not|didnt) answer(?: my question)?)"
    r"|(?:还是|也|根本|完全|一点)?(?:没用|没有用|不管用|不行|没帮助|没有帮助)|(?:你)?(?:回答|说)?(?:错了|的?不对)|答非所问"
    r"|不是这个(?:意思|问题)?|(?:还是)?没(?:有)?解决|你?(?:还是)?没(?:有)?回答(?:我的?)?(?:问题)?)了?$"
)
"""How a bare clause looks that only finds fault with the answer before."""
PLACE = re.compile(rf"(?<![^\W_])(?=[^\W_])|(?={HAN_CHARACTER.pattern})|(?<={HAN_CHARACTER.pattern})(?=[A-Za-z0-9])")
"""Where a word begins, also right behind a Han character, or any Han character."""
CLAUSE = re.compile(r"([^,，!！]{1,60})[,，!！]\s*")
ENDING = re.compile(r"([?？])\W*$")
PASTED = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|「[^」]*」|《[^》]*》|'[^']*'")
SPOKEN_ZH = re.compile(
    "怎么|怎样|如何|为什么|为何|什么|哪[里个儿些]|是否|能不能|可以|无法|不能|失败|报错|错误|出现"
    "|遇到|提示|解决|处理|原因|[吗呢吧][?？。!！]?$|请[问教]|[的了]"
)
ASKED_EN = re.compile(r"\s*(?:how|what|why|where|when|who|which|is|are|do|does|should)\b(?![:.(])", re.IGNORECASE)
"""What asks in Chinese, and how a question in English begins."""


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
    said = [part for part in parts if not idle(bare(part))]
    if len(parts) < 2 or not said:
        return text.strip()
    asking = [part for part in said if ASKING.search(part) and stands(part)]
    return asking[0] if asking else joined(said, text)


def idle(part: str) -> bool:
    """Whether a bare sentence or clause says nothing of what is asked."""
    return says_nothing(part) or INTRODUCTION.match(part) is not None or COMPLAINT.match(part) is not None


def led_in(text: str) -> str:
    """Return a sentence without the clauses before its first one that says something."""
    while found := CLAUSE.match(text):
        clause = bare(found[1])
        if not idle(clause) or not bare(text[found.end() :]):
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


def asked_in(question: str) -> str:
    """Return the language of who asks: `zh` where Chinese words ask or tell around a pasted text, however long that is.

    What stands in quotation marks or as code is pasted, and so is Chinese in a sentence that asks in English.
    """
    if question.isascii():
        return "en"
    spoken = PASTED.sub(" ", question)
    if not HAN_CHARACTER.search(spoken) and ASKED_EN.match(spoken):
        return "en"
    found = language(question)
    return "zh" if found == "zh" or (SPOKEN_ZH.search(spoken) and not ASKED_EN.match(spoken)) else found
