"""What a user's message asks: the asking part of it, its normal form, and whether it asks anything at all.

The normal form is the same however a question is greeted, thanked for, punctuated, spaced or typed wide; its key is the
identity of a question in proposals, so a change of these rules changes keys: raise `VERSION` when one is made.
"""

import functools
import hashlib
import re
import unicodedata
from typing import NamedTuple

from mfgit.reasons.forms import say
from mfgit.text.fold import HAN, fold
from mfgit.text.own import without_clauses, without_values
from mfgit.text.smalltalk import CLOSING, OPENING, says_nothing

VERSION = 2
LONG = {"en": 240, "zh": 90}
"""Characters up to which a one-paragraph message is taken whole."""

SMALL_TALK, CODE, MACHINE, EMPTY = say("aside.small_talk"), say("aside.code"), say("aside.machine"), say("aside.empty")

HAN_CHARACTER = re.compile(f"[{HAN}]")
INVISIBLE = re.compile(r"[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
FENCE = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
QUOTED = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
DROPPED = re.compile(r"(?<=[a-z])['’`](?=[a-z])|[^\w\s+#.]|_+")
LOOSE = re.compile(r"(?<![0-9])\.|\.(?![0-9])|(?<![\w+#])[+#]+")
HAN_GAP = re.compile(f"(?<=[{HAN}]) +(?=[{HAN}])")
ASKING = re.compile(
    r"[?？]\s*$|^\s*(how|what|why|when|where|who|which|whose|can|could|do|does|did|is|are|am|should|would|will|may)\b"
    r"|怎么|怎样|如何|为什么|为何|什么|哪|谁|几|多少|多久|是否|能否|可否|能不能|可不可以|是不是|有没有|吗[?？。!！]?$|呢[?？。!！]?$",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])")

FUNCTION_WORDS = frozenset(("a", "an", "the", "is", "are", "was", "be", "been", "not", "in", "on", "of", "to", "for", "from"))
FUNCTION_WORDS |= frozenset(("with", "and", "or", "when", "where", "that", "this", "it", "we", "i", "my"))

MACHINE_LINES = {
    # what programs print when they fail
    "traceback": r'Traceback \(most recent| File "[^"]+", line \d+|Caused by:|\w*(?:Error|Exception)\b\s*(?::|$)',
    "stack frame": r"at [\w.$<>]+\([\w.]*:?\d*|at \S+:\d+(?::\d+)?|\S+\.(?:py|js|ts|go|rs|java|c|cpp|rb|php):\d+",
    "exit": r"exit (?:code|status) \d+|Segmentation fault|Killed\s*$|Process finished",
    "tool": r"(?:npm|yarn|pnpm|pip|error|warning|fatal|make|gcc|ld|cargo|info|debug|warn)\s*(?:ERR!|:|\[\w+\]:|\*\*\*)",
    # logs
    "time stamp": r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d",
    "log level": r"\[(?:INFO|DEBUG|WARN|ERROR|FATAL)\]|(?:INFO|DEBUG|WARN|WARNING|ERROR|FATAL|TRACE)\b[\s:]",
    "request": r"(?:HTTP/\d|GET|POST|PUT|DELETE|PATCH) \S+",
    # what people type into programs
    "shell": r"[$%#] ?(?:sudo|make|git|npm|pip|python3?|cd|ls|cat|curl|docker|kubectl|apt|brew|go|cargo|\./)\b",
    "prompt": r">>> |(?:PS )?[A-Z]:\\",
    "sql": r"(?i:select .+ from |insert into |update \w+ set |delete from |create (?:table|index|view) |(?:alter|drop) table )",
    # source
    "import": r"(?:import [\w.]+(?: as \w+)?|from [\w.]+ import .+|#include\s*[<\"].*|package [\w.]+;?)\s*$",
    "definition": r"(?:def|class|function|func|fn) \w+\s*[(:{]|@\w+(?:\(.*\))?\s*$",
    "comment": r"//|/\*|\*/|#!",
    "patch": r"(?:\+\+\+|---|@@) |diff --git |[-+]\s*[\w.]+\(.*\)\s*;?$",
    "block": r"(?:return|const|let|var|public|private|static|if|for|while|else|try|except|catch|finally)\b.*[;{:(]\s*$",
    "assignment": r"[\w.\[\]\"']+\s*[-+*/|]?=\s*[^=\s].*[;)\]}\"']\s*$",
    "call": r"[A-Za-z_][A-Za-z0-9_.]*\([^()]*\);?\s*$",
    # data
    "brackets": r"[{}()\[\];,]+\s*$",
    "member": r'"[\w .-]+"\s*:\s*.+',
    "key and value": r"[\w-]+:\s*[\w\"'\[{/.-]+\s*$",
    "tag": r"</?[a-zA-Z!?][^>]*>",
}
"""How lines look that programs write or read. Letters are ASCII ones: a Chinese word before a colon is a person's."""
MACHINE_LINE = re.compile(rf"^\s*(?:{'|'.join(MACHINE_LINES.values())})", re.ASCII)
TOPIC = re.compile(r"^\s*[A-Za-z][A-Za-z-]*:\s+[A-Za-z][A-Za-z-]*\W*$", re.ASCII)
"""A whole message of a word behind a word, as in `wifi: reset`: people write so too, and programs mostly more than one line."""
OF_OTHER_KIND = re.compile(
    rf"^\s*(?:{'|'.join(line for kind, line in MACHINE_LINES.items() if kind != 'key and value')})", re.ASCII
)
LABEL = re.compile(r"^\s*(?P<label>[A-Za-z]+)\s*[:：]\s*(?P<rest>\S.*)$")
WORDED = frozenset(
    ("re", "fw", "fwd", "subject", "question", "q", "issue", "problem", "topic", "help", "faq", "query", "title")
)
WORDED |= frozenset(("request", "ask", "about", "hi", "hello", "dear"))
"""Labels that people put before what they ask."""
ASKS = re.compile(
    r"^(?:how|what|why|when|where|who|which)\b|[?？]\s*$|怎么|怎样|如何|为什么|为何|什么|哪|谁|几|多少|多久|是否|能否|可否|吗\W*$",
    re.IGNORECASE,
)
INJECTED = re.compile(
    r"^\s*(?:<(?:system|context|tool|command|local-command|user-prompt|task-notification|function|knowledge|passages?)[\w-]*[\s>]"
    r"|\[(?:system|tool|assistant|request interrupted)\b|(?:system|tool|assistant)\s*:"
    r"|#?\s*heartbeat\b|/[a-z][\w-]*(?:\s|$))",
    re.IGNORECASE,
)


PLACEHOLDER = re.compile(r"(?:questions?|answers?|query|test|message|msg|prompt|input|问题|测试|提问)(?: ?\d+)?$")
"""What stands where a question should have been."""


class Question(NamedTuple):
    """What a message asks: `text` in the user's words, its normal form and `key`; or why it asks nothing (`aside`).

    What askers tell of themselves is left out of the text where it is a clause of its own, and of the normal form anywhere.
    """

    text: str
    normal: str
    key: str
    aside: str = ""


def ask(message: str) -> Question:
    """Return the question of a message; `aside` names the reason when there is none."""
    reason = machine(message)
    if reason:
        return Question("", "", "", reason)
    text = without_clauses(segment(message))
    normal = normalise(without_values(text)) or normalise(text)
    if not normal or says_nothing(bare(text)) or says_nothing(normal) or PLACEHOLDER.match(normal):
        return Question(text, "", "", SMALL_TALK if message.strip() else EMPTY)
    return Question(text, normal, key_of(normal))


def key_of(normal: str) -> str:
    """Return the 8-byte hash, in hex, of a question's normal form."""
    return hashlib.blake2b(normal.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


# ---- segmenting


def segment(message: str) -> str:
    """Return the asking part of a message: without code and quotes, and of a long one the sentence that asks."""
    text = INVISIBLE.sub("", message)
    kept = QUOTED.sub(" ", FENCE.sub("\n", text)).strip()
    lines = [" ".join(line.split()) for line in kept.splitlines() if line.strip() and not says_nothing(bare(line))]
    if not lines:
        return " ".join(kept.split())
    whole = " ".join(lines)
    if len(lines) == 1 and len(whole) <= limit_of(whole):
        return whole
    asking = [line for line in lines if ASKING.search(line) and not of_machine(line)]
    chosen = max(asking, key=weight) if asking else lines[0]
    return chosen if len(chosen) <= limit_of(chosen) else asking_sentence(chosen)


def weight(line: str) -> tuple[bool, int]:
    """Return how much a line looks like the question: a question mark first, then its length up to a limit."""
    return line.rstrip().endswith(("?", "？")), min(len(line), limit_of(line))


def asking_sentence(line: str) -> str:
    """Return the first sentence of a long line that asks, else its beginning."""
    sentences = [part.strip() for part in SENTENCE.split(line) if part.strip()]
    asking = [part for part in sentences if ASKING.search(part) and not says_nothing(bare(part))]
    return (asking or sentences)[0][: 2 * limit_of(line)]


def limit_of(text: str) -> int:
    """Return the length up to which a text is taken whole."""
    return LONG["zh" if HAN_CHARACTER.search(text) else "en"]


# ---- normalising


def bare(text: str) -> str:
    """Return a text folded and without punctuation, emoji and needless spaces; decimals, `c++` and `c#` stay whole."""
    text = INVISIBLE.sub("", fold(unicodedata.normalize("NFKC", text)))
    text = LOOSE.sub(" ", DROPPED.sub(lambda found: "" if found[0] in "'’`" else " ", text))
    return HAN_GAP.sub("", " ".join(text.split()))


@functools.lru_cache(65536)
def normalise(text: str) -> str:
    """Return the normal form: bare, with greetings and politeness off both ends, until nothing changes."""
    while True:
        before = text
        text = trim(bare(text))
        if text == before:
            return text


def trim(text: str) -> str:
    """Return a bare text without one layer of politeness at either end; a text that is all politeness stays."""
    head = OPENING.sub("", text)
    text = head if head.strip() else text
    tail = CLOSING.sub("", text)
    return (tail if tail.strip() else text).strip()


# ---- what asks nothing


def machine(message: str) -> str:
    """Return `machine traffic` or `code` for a message that no person worded, else nothing."""
    if INJECTED.match(message):
        return MACHINE
    if not FENCE.sub("", message).strip():
        return CODE if message.strip() else EMPTY
    lines = [line for line in QUOTED.sub("", FENCE.sub("\n", message)).splitlines() if line.strip()]
    if not lines or parses_as_json(message):
        return MACHINE
    if len(lines) == 1 and TOPIC.match(lines[0]) and not OF_OTHER_KIND.match(lines[0]):
        return ""
    of_machines = sum(of_machine(line) for line in lines)
    if of_machines == len(lines) and not reads_as_question(lines):
        return CODE
    spoken = [line for line in lines if not of_machine(line)]
    return CODE if of_machines >= 2 * len(spoken) and not reads_as_question(spoken) else ""


def of_machine(line: str) -> bool:
    """Whether a line looks written by a program, or for one, and does not read as a sentence."""
    return bool(MACHINE_LINE.match(line)) and not prose(line) and not labelled(line)


def labelled(line: str) -> bool:
    """Whether a line is a question behind a label, as in `Re: refund` or `error: what is it`."""
    found = LABEL.match(line)
    return found is not None and (found["label"].lower() in WORDED or ASKS.search(found["rest"]) is not None)


def prose(line: str) -> bool:
    """Whether a line is eight words or more, nearly all letters, some of them function words."""
    words = [word.strip(",.:;!?'\"()").lower() for word in line.split()]
    said = sum(word.isalpha() for word in words)
    return (
        len(words) >= 8
        and said >= 0.75 * len(words)
        and len(FUNCTION_WORDS.intersection(words)) >= 2
        and line.rstrip()[-1] not in ";{}"
    )


def reads_as_question(lines: list[str]) -> bool:
    """Whether a line asks in words: Chinese characters or six words and a question mark."""
    return any(ASKING.search(line) and (HAN_CHARACTER.search(line) or len(line.split()) >= 4) for line in lines)


def parses_as_json(message: str) -> bool:
    """Whether the whole message is a JSON object or list."""
    text = message.strip()
    if text[:1] not in ("{", "["):
        return False
    import json

    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
