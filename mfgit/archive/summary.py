"""What a session is about, by rules alone and in its own language: summary, topics, keywords, decisions, lessons, feedback.

The same messages always give the same. Everything here is made of redacted text, and quotes it; nothing is made up.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from mfgit.session import Message
from mfgit.text.fold import HAN
from mfgit.text.questions import FENCE, QUOTED, ask, machine
from mfgit.text.tokens import ENGLISH_STOP_WORDS, language

TOPICS, KEYWORDS, NOTES = 5, 12, 20
"""How many of each there are at most; `NOTES` of decisions, of lessons and of feedback each."""
LONG_SENTENCE = 240
"""Characters from which a sentence is no note but a paragraph."""
LOOKED_AT = 300_000
"""Characters of a session that are looked at, from its beginning."""
EXCERPT = {"en": 120, "zh": 60}
SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")
MARK = re.compile(r"\[redacted:[a-z-]+\]")
ASKING = (
    r"[?？]\s*$|[吗呢]$",
    r"^\s*(?:how|what|why|when|where|who|which|can|could|do|does|did|is|are|should|would|will)\b",
    r"怎么|如何|为什么|是否|能否|是不是|要不要",
)
DECIDING = (
    r"\b(?:decided?|decision|agreed)\b|\blet'?s (?:go with|use|keep|do|switch|drop)\b",
    r"\b(?:we|i)(?:'ll| will) (?:use|go with|switch to|keep)\b|\b(?:settled on|going with|go with|from now on)\b",
    r"决定|就这么定|定下来|定了|敲定|确定(?:用|采用|使用)|统一(?:用|使用|采用)|改(?:为|成|用)|采用|从现在起",
)
LEARNING = (
    r"\b(?:lessons? learned|turns out|turned out|root cause|next time|should have|shouldn'?t have|in hindsight)\b",
    r"\bthe (?:problem|issue|cause|mistake) was\b|\b(?:note to self|remember to|never again)\b",
    r"教训|根本原因|根因|原因是|下次|踩坑|踩了|吸取|问题出在|原来是|早该|应该先|要记住",
)
CORRECTING = (
    r"\b(?:don'?t|do not|never|stop|always|instead of|prefer|rather)\b|\b(?:that'?s|this is|you(?:'re| are)) (?:wrong|not)\b",
    r"\bnot what i\b|\bi (?:meant|said|asked for|want)\b|\bplease (?:use|keep|avoid|write|answer)\b",
    r"\b(?:perfect|well done|great job)\b",
    r"不要|别再|别用|请用|以后(?:请|要|别|不要)|我(?:更)?喜欢|我希望|不对|错了|不是这样|我说的是|我的意思是",
    r"务必|必须|一定要|很好用|太好了",
)
ASKS, DECISION, LESSON, FEEDBACK = (
    re.compile("|".join(patterns), re.IGNORECASE) for patterns in (ASKING, DECIDING, LEARNING, CORRECTING)
)
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_+.#-]*[A-Za-z0-9+#]|[A-Za-z]")
HAN_RUN = re.compile(f"[{HAN}]+")
FILLER = frozenset(
    "的了吗呢吧啊呀和与或在是有不我你他她它们这那个就都也还要会能可以请把被给到为对从上下里中后前一二三"
    "怎么如何什么哪谁几多少很太最没让用想问说看做及其而但"
)
"""Characters that no Chinese keyword begins or ends with."""
WORDS_TEXT = """
    also just like want need use used using make made get got thing things way yes no ok okay please thanks hello hi hey sure
    let lets good great well really actually maybe still work works working file files code line lines run see look know think
    one two first new now here there back add added change changes try right way would could should
don doesn didn isn can won
"""
COMMON = frozenset(WORDS_TEXT.split())
"""English words that say nothing about what a session is about, beside stop words."""


class Words(NamedTuple):
    """How a summary is worded in one language."""

    asked: str
    more: str
    answered: str
    decided: str
    join: str
    end: str


SAID = {
    "en": Words("Asked: {}", " and {} more", "Answered: {}", "Decided: {}", "; ", ". "),
    "zh": Words("问：{}", "，另有 {} 问", "答：{}", "决定：{}", "；", "。"),
}


class Summary(NamedTuple):
    """What was found; decisions and lessons are `{text, context}`, feedback is `{user, from}`."""

    summary: str
    topics: tuple[str, ...]
    keywords: tuple[str, ...]
    decisions: tuple[dict[str, Any], ...]
    lessons: tuple[dict[str, Any], ...]
    feedback: tuple[dict[str, Any], ...]


class Said(NamedTuple):
    """One sentence of a message, and the sentence of the other side before it."""

    role: str
    text: str
    before: str


def summarize(messages: Sequence[Message], title: str = "", participants: Sequence[str] = ()) -> Summary:
    """Return the summary of redacted messages; `participants` name whom feedback is from."""
    said = list(looked_at(messages))
    tongue = language(" ".join(text for role, text in said if role == "user")[:20_000] or title)
    sentences = list(spoken(said))
    decisions = notes(sentence for sentence in sentences if DECISION.search(sentence.text))
    lessons = notes(sentence for sentence in sentences if LESSON.search(sentence.text))
    person = participants[0] if participants else "user"
    feedback = [{"user": each.text, "from": person} for each in sentences if each.role == "user" and FEEDBACK.search(each.text)]
    words = keywords(said, title)
    return Summary(
        told(said, decisions, tongue) or title,
        topics(words, title),
        tuple(words[:KEYWORDS]),
        decisions,
        lessons,
        tuple(distinct(feedback, "user")),
    )


def looked_at(messages: Iterable[Message]) -> Iterator[tuple[str, str]]:
    """Yield role and text of what user and assistant said, without code and quotes, up to `LOOKED_AT` characters."""
    left = LOOKED_AT
    for message in messages:
        if message.role in ("user", "assistant") and left > 0:
            text = QUOTED.sub("", FENCE.sub("\n", message.content[:left])).strip()
            left -= len(text)
            if text and not (message.role == "user" and machine(text)):
                yield message.role, text


def spoken(said: Iterable[tuple[str, str]]) -> Iterator[Said]:
    """Yield the sentences that state something."""
    last = {"user": "", "assistant": ""}
    for role, text in said:
        other = last["assistant" if role == "user" else "user"]
        for sentence in SENTENCE.split(text):
            plain = sentence.strip(" \t#*->•1234567890.)、")
            if 4 <= len(plain) <= LONG_SENTENCE and not ASKS.search(plain) and not machine(plain):
                yield Said(role, plain, other)
        last[role] = excerpt(text)


def notes(found: Iterable[Said]) -> tuple[dict[str, Any], ...]:
    """Return sentences as `{text, context}`."""
    return tuple(distinct([{"text": each.text, "context": each.before} for each in found], "text"))


def distinct(found: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """Return the first `NOTES` of those whose field `name` was not there before."""
    return list({each[name]: each for each in reversed(found)}.values())[::-1][:NOTES]


def excerpt(text: str) -> str:
    """Return the beginning of a text on one line, cut at a word."""
    limit = EXCERPT[language(text[:500])]
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    cut = line[:limit]
    if cut.rfind("[redacted:") > cut.rfind("]"):
        cut = cut[: cut.rfind("[redacted:")]
    return (cut[: cut.rfind(" ")] if " " in cut[limit // 2 :] else cut).rstrip() + "…"


def told(said: Sequence[tuple[str, str]], decisions: Sequence[dict[str, Any]], tongue: str) -> str:
    """Return the summary: the first questions, how the last one was answered, what was decided."""
    words = SAID[tongue]
    questions = [excerpt(asked.text) for role, text in said if role == "user" and not (asked := ask(text)).aside]
    questions = list(dict.fromkeys(questions)) or [excerpt(text) for role, text in said if role == "user"][:1]
    parts = []
    if questions:
        more = words.more.format(len(questions) - 3) if len(questions) > 3 else ""
        parts.append(words.asked.format(words.join.join(map(unended, questions[:3]))) + more)
    if answers := [text for role, text in said if role == "assistant"]:
        first = next((s for s in SENTENCE.split(answers[-1]) if len(s.strip()) > 3), answers[-1])
        parts.append(words.answered.format(unended(excerpt(first))))
    if decisions:
        parts.append(words.decided.format(words.join.join(unended(excerpt(each["text"])) for each in decisions[:2])))
    stop = words.end.strip()
    return (" " if words.end.endswith(" ") else "").join(part if part[-1] in "?？!！…" else part + stop for part in parts)


def unended(text: str) -> str:
    """Return a sentence without its full stop."""
    return text.rstrip(" .。；;:：")


def keywords(said: Iterable[tuple[str, str]], title: str) -> list[str]:
    """Return the words a session uses most, the user's counting twice and the title's four times; ties in order of letters."""
    spelled: Counter[str] = Counter()
    chinese: Counter[str] = Counter()
    for role, text in [*said, ("title", title)]:
        weight = {"user": 2, "title": 4}.get(role, 1)
        plain = MARK.sub(" ", text)
        for word, count in Counter(WORD.findall(plain)).items():
            spelled[word] += weight * count
        if not plain.isascii():
            for gram, count in Counter(gram for run in HAN_RUN.findall(plain) for gram in grams(run)).items():
                chinese[gram] += weight * count
    best = english_words(spelled)
    best |= {gram: count * (1 + 0.3 * (len(gram) - 2)) for gram, count in whole(chinese).items()}
    return sorted(best, key=lambda word: (-best[word], word))[: 2 * KEYWORDS]


def english_words(spelled: Counter[str]) -> dict[str, float]:
    """Return the words that say something, each in the spelling used most, of several the first in order of letters."""
    counts: dict[str, float] = {}
    shown: dict[str, str] = {}
    for word in sorted(spelled, key=lambda word: (-spelled[word], word)):
        key = word.lower()
        if len(key) > 2 and key not in ENGLISH_STOP_WORDS and key not in COMMON:
            shown.setdefault(key, word)
            counts[key] = counts.get(key, 0) + spelled[word]
    return {shown[key]: count for key, count in counts.items()}


def grams(run: str) -> Iterator[str]:
    """Yield the parts of a Chinese run that may be words: 2 to 4 characters, no filler at either end."""
    for size in (2, 3, 4):
        for at in range(len(run) - size + 1):
            gram = run[at : at + size]
            if not any(character in FILLER for character in gram):
                yield gram


def whole(counts: Counter[str]) -> dict[str, int]:
    """Return the grams used more than once that are not just part of a longer one used as often."""
    kept = {gram: count for gram, count in counts.items() if count > 2}
    inside: dict[str, int] = {}
    for gram, count in kept.items():
        for size in (2, 3):
            for at in range(len(gram) - size + 1):
                part = gram[at : at + size]
                if part != gram:
                    inside[part] = max(inside.get(part, 0), count)
    return {gram: count for gram, count in kept.items() if inside.get(gram, 0) < count}


def topics(words: Sequence[str], title: str) -> tuple[str, ...]:
    """Return the title, when there is one, and the foremost keywords."""
    found = [title.strip()] if title.strip() and len(title) <= 80 else []
    folded = title.lower()
    found += [word for word in words if word.lower() not in folded]
    return tuple(found[:TOPICS])
