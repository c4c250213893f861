"""How users took the answers: ratings, and the weak signs of answers that nobody rated."""

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from mfgit.model import Turn
from mfgit.scan.values import Asked
from mfgit.text.questions import HAN_CHARACTER, bare

BASE = math.log(0.045 / 0.955)
"""Log-odds that an answer nobody rated was weak."""
LIFTS = {"refusal": 1.1, "complaint": 1.7, "no": 1.4, "again": 0.9, "thanks": -1.2}
LIFTS |= {"partial": 1.0, "unsure": 1.0, "nothing found": 1.4}
"""What each sign adds. The first five were measured on dialogues with a satisfaction for each turn, precision .33 at most; the
others, which a backend reports of its own answer, are set like those they resemble, so that all three do together. No sign is
enough alone, and no two that a backend reports."""
BEGINNING = {"en": 200, "zh": 80}
"""Characters of a reply in which it says that it cannot answer."""
UNSURE = 0.3
"""Confidence, 0 to 1, below which a backend was not sure what it was asked."""
CONFIRMED = frozenset(("ok", "good", "up", "yes", "pass", "correct", "verified", "accepted"))
CONFIRMED |= frozenset(("approved", "approve", "confirmed", "confirm"))
"""What a reviewer's `review` says of an answer that is right."""

REFUSALS = (
    r"\b(?:sorry|apologi[sz]e|unfortunately)\b.{0,60}\b(?:not|unable|cannot|can't|couldn't|could not|don't|no)\b",
    r"\b(?:i|we)(?: am|'m| are|'re)? (?:not (?:able|sure)|unable)\b",
    r"\bi (?:do not|don't|cannot|can't|could not|couldn't) (?:know|find|answer|help|have|locate|access|provide)\b",
    r"\bno (?:answer|information|relevant \w+|results?|documents?) (?:was |were )?(?:found|available)",
    r"\bnot (?:covered|mentioned|found|available) in (?:the|my|our) (?:documentation|docs|context|knowledge|pages)",
    r"(?:抱歉|对不起|不好意思|很遗憾|遗憾).{0,30}(?:无法|不能|没有|未能|找不到|未找到|不清楚|不了解|不知道|暂时)",
    r"(?:我|暂时|目前|暂)(?:还)?(?:无法|不能|没法)(?:回答|提供|帮|解答|查)",
    r"未找到相关|没有找到|找不到相关|暂无相关|无法回答|我不知道|我不清楚|没有相关(?:信息|资料|内容|文档)",
)
COMPLAINTS = (
    r"\b(?:wrong|incorrect|useless|unhelpful|nonsense|not helpful|not what i (?:asked|meant|want))",
    r"\b(?:does|did) ?n[o']?t (?:work|help|answer)|\bstill (?:not|doesn|does not|can ?not|cant|no)\b",
    r"\b(?:not (?:working|correct|right|true)|that s not|you (?:re|are) not (?:listening|answering))",
    r"\b(?:terrible|ridiculous|stupid|frustrat)",
    r"不对|错了|不正确|没用|没有用|答非所问|不是这个意思|不是我要的|不是我问的|还是不行|还是不能|还是没",
    r"没解决|没有解决|不起作用|无效|胡说|垃圾|什么鬼|听不懂|看不懂|说了等于没说|太差|差评|投诉|骗人",
)
NOES = (
    r"^(?:no|nope|nah|not really)\b(?! (?:thanks|thank|problem|worries|need|more))",
    r"^(?:不是|不对|不行|没有(?!了|问题|别的|其他|什么)|不(?!用|客气|谢|必|需要|要))",
)
PRAISES = (
    r"\b(?:thanks?|thank you|thx|great|perfect|awesome|got it|that helps|it works|works now|solved)\b",
    r"谢谢|多谢|感谢|明白了|懂了|知道了|好的|解决了|可以了|太好了",
)


def any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern that finds what any of these finds."""
    return re.compile("|".join(patterns), re.IGNORECASE | re.DOTALL)


REFUSAL, COMPLAINT, NO, THANKS = any_of(REFUSALS), any_of(COMPLAINTS), any_of(NOES), any_of(PRAISES)
CLOSING = re.compile(
    r"^(?:没有了|不用了|没了|没问题了|没事了|不需要了|不必了|no thanks|no thank you|no that s all|nothing else|that s all)"
)


def confirmed(turn: Turn) -> bool:
    """Whether a reviewer confirmed the reply."""
    review = turn.review
    if isinstance(review, dict):
        review = next(
            (review[name] for name in ("status", "verdict", "decision", "result") if isinstance(review.get(name), str)), ""
        )
    return isinstance(review, str) and review.strip().lower() in CONFIRMED


def refused(answer: str) -> bool:
    """Whether a reply says that it cannot answer, at its beginning."""
    beginning = answer[: BEGINNING["zh" if HAN_CHARACTER.search(answer[:80]) else "en"]]
    return bool(REFUSAL.search(beginning.replace("\u2019", "'")))


def followers(turns: Iterable[Turn]) -> dict[str, Turn]:
    """Return for each turn (by request id) the next one of its session."""
    sessions: defaultdict[str, list[Turn]] = defaultdict(list)
    for turn in turns:
        if turn.session_id:
            sessions[turn.session_id].append(turn)
    found = {}
    for session in sessions.values():
        session.sort(key=lambda turn: (turn.timestamp, turn.request_id))
        found.update({one.request_id: other for one, other in itertools.pairwise(session)})
    return found


def weak_turns(asked: Sequence[Asked], after: dict[str, Turn]) -> dict[str, list[str]]:
    """Return the signs of a cluster's unrated answers that look weak, by request id: their odds reach one in two."""
    again = asked_again(asked)
    unrated = [item.turn for item in asked if item.turn.rating is None]
    found = {turn.request_id: signs(turn, after.get(turn.request_id), turn.request_id in again) for turn in unrated}
    return {identity: given for identity, given in found.items() if BASE + sum(LIFTS[sign] for sign in given) >= 0}


def asked_again(asked: Sequence[Asked]) -> set[str]:
    """Return the request ids of turns whose question came again in the same session."""
    last: dict[str, str] = {}
    found = set()
    for item in asked:
        session = item.turn.session_id
        if session is None:
            continue
        if session in last:
            found.add(last[session])
        last[session] = item.turn.request_id
    return found


def signs(turn: Turn, following: Turn | None, again: bool) -> list[str]:
    """Return the signs that the reply and what the user said next give."""
    found = [name for name, holds in (("again", again), ("refusal", refused(turn.assistant_message))) if holds]
    found += reported(turn)
    if following is None:
        return found
    said = bare(following.user_message[:300])
    if CLOSING.search(said):
        return found
    patterns = (("complaint", COMPLAINT), ("no", NO), ("thanks", THANKS))
    return found + [name for name, pattern in patterns if pattern.search(said)]


def reported(turn: Turn) -> list[str]:
    """Return the signs that a backend gave of its own answer: cut off, not sure what was asked, nothing found to answer from.

    The last is read from a field `retrieved` of the turn or of its `intent_meta`: the passages, or how many there were.
    """
    meta = turn.intent_meta
    confidence = meta.get("confidence")
    sure = not isinstance(confidence, int | float) or isinstance(confidence, bool) or not 0 <= confidence < UNSURE
    retrieved = turn.extra.get("retrieved", meta.get("retrieved"))
    nothing = retrieved in (0, []) and not isinstance(retrieved, bool)
    given = (
        ("partial", turn.partial),
        ("unsure", not sure or meta.get("need_clarification") is True),
        ("nothing found", nothing),
    )
    return [name for name, holds in given if holds]
