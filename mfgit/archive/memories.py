"""What of a conversation is worth remembering, by rules in English and Chinese: typed entries, each with its quote and place.

`user`: who the person is and what they like. `feedback`: how they want to be worked with, and what was wrong. `project`: what
was decided, and what is under way until when. `reference`: where something is to be found. Nothing is made up: a text is a
sentence of the conversation.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mfgit.archive.memory_rules import RULES
from mfgit.archive.summary import SENTENCE
from mfgit.errors import BadInput
from mfgit.redact import redact
from mfgit.session import Message
from mfgit.text.fold import fold
from mfgit.text.questions import FENCE, QUOTED, machine

TYPES = ("user", "feedback", "project", "reference")
SHORTEST, LONGEST = 4, 300
"""Characters of a sentence that is remembered."""
FEWEST_WORDS, FEWEST = 2, 3
"""English words, or characters of other scripts, of a sentence: `Never guess.` says as much as its Chinese twin."""
MOST = 30
"""Entries of one type."""


class Memory(NamedTuple):
    """One thing to remember: `quote` stands in message number `message` (from 1) of the session, from `start` to `end`.

    Where retention has cleared the messages, it stands in what is kept of the session, and `message` is None.
    """

    type: str
    text: str
    quote: str
    session_id: str
    message: int | None
    role: str
    start: int
    end: int
    date: str


def chosen(types: Sequence[str]) -> tuple[str, ...]:
    """Return the types that are wanted, all for none; raises `BadInput` that names what is no type."""
    wanted = tuple(dict.fromkeys(each.strip() for given in types for each in given.split(",") if each.strip()))
    for each in wanted:
        if each not in TYPES:
            raise BadInput(f"There is no type of memory {each!r}.", f"Types are {', '.join(TYPES)}.")
    return wanted or TYPES


def memories(session_id: str, date: str, messages: Sequence[Message], types: Sequence[str] = TYPES) -> tuple[Memory, ...]:
    """Return the memories of redacted messages, in their order, the same wording once and up to `MOST` of a type."""
    found: dict[tuple[str, str], Memory] = {}
    for number, message in enumerate(messages, 1):
        for start, quote in sentences(message):
            kind = type_of(message.role, quote)
            if kind is not None and kind in types:
                text = redact(quote)
                day = message.time.date().isoformat() if message.time else date
                memory = Memory(kind, plain(text), text, session_id, number, message.role, start, start + len(quote), day)
                found.setdefault((kind, fold(memory.text)), memory)
    return limited(found.values())


def kept_memories(session_id: str, date: str, about: Mapping[str, Any], types: Sequence[str] = TYPES) -> tuple[Memory, ...]:
    """Return the memories that are left of a session whose messages are gone: its decisions, lessons and feedback."""
    found = []
    for field, name, kind in (
        ("decisions", "text", "project"),
        ("lessons", "text", "project"),
        ("feedback", "user", "feedback"),
    ):
        for each in about.get(field) or ():
            text = redact(str(each.get(name) or "")) if isinstance(each, Mapping) else ""
            if text and kind in types:
                found.append(Memory(kind, plain(text), text, session_id, None, "user", 0, len(text), date))
    return limited(found)


def limited(found: Iterable[Memory]) -> tuple[Memory, ...]:
    """Return the first `MOST` of each type."""
    counted = dict.fromkeys(TYPES, 0)
    kept: list[Memory] = []
    for memory in found:
        counted[memory.type] += 1
        if counted[memory.type] <= MOST:
            kept.append(memory)
    return tuple(kept)


def sentences(message: Message) -> Iterator[tuple[int, str]]:
    """Yield (character, sentence) of what a person or an assistant said, without code and quoted text."""
    if message.role not in ("user", "assistant") or (message.role == "user" and machine(message.content)):
        return
    hidden = [match.span() for pattern in (FENCE, QUOTED) for match in pattern.finditer(message.content)]
    at = 0
    for gap in (*SENTENCE.finditer(message.content), None):
        end = gap.start() if gap else len(message.content)
        raw = message.content[at:end]
        quote = raw.strip(" \t\r\n*->•#")
        start = at + raw.find(quote)
        if (
            SHORTEST <= len(quote) <= LONGEST
            and says(raw, quote, message.role)
            and not any(a < end and at < b for a, b in hidden)
        ):
            yield start, quote
        at = gap.end() if gap else end


def says(raw: str, sentence: str, role: str) -> bool:
    """Tell whether a line is a statement: no heading, nothing that only leads on to what follows, no word or two."""
    long = len(sentence.split()) >= FEWEST_WORDS if sentence.isascii() else len(sentence) >= FEWEST
    leads_on = sentence.endswith((":", "：")) or raw.lstrip().startswith("#")
    return long and not leads_on and not (role == "assistant" and "`" in sentence)


def type_of(role: str, sentence: str) -> str | None:
    """Return the type of memory that a sentence is, None for none."""
    if machine(sentence):
        return None
    rules = (rule for rule in RULES if role == "user" or not rule.person)
    return next((r.type for r in rules if r.pattern.search(sentence) and not r.unless.search(sentence)), None)


def plain(sentence: str) -> str:
    """Return a sentence on one line."""
    return " ".join(sentence.split())
