"""What in a text of a conversation is about one person only: names, references, amounts, and what was done for one user.

Answers lose whole sentences, questions lose the values, excerpts get a mark in their place. Kept precise: a value needs
words that say what it is, and one that an original holds too (`held`) is everybody's and stays. The patterns are in
`personal_words`.
"""

import re
from collections.abc import Callable, Iterator

from mfgit.text import own
from mfgit.text import personal_words as words
from mfgit.text.chatter import of_the_chat, without_leads
from mfgit.text.own import capital, cut
from mfgit.text.questions import bare
from mfgit.text.tokens import CHINESE_STOP_WORDS, ENGLISH_STOP_WORDS, query_terms

Held = Callable[[str], bool]
"""Tells whether an original holds a value."""

GENERAL = 1
"""Terms that what is left of a question has to have, besides words like `order` that only said what a value is."""
SIGNED = 4
"""Lines that a closing formula may have below it, with the name and the team of who signs."""
SHORT = 60
"""Characters of such a line."""
FENCE = re.compile(r"[ \t>]*(?:```|~~~)")
LEAD = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?")
SENTENCE = re.compile(r"(?<=[.!?])(?<!Mr\.)(?<!Ms\.)(?<!Dr\.)(?<!Mrs\.)(?<!e\.g\.)(?<!i\.e\.)\s+|(?<=[。！？；～])")
DEAD_LINK = re.compile(r"(?<!!)\[([^\[\]\n]+)\][ \t]+\((https?://[^\s()<>]+)\)")
"""A link that a blank keeps from being one."""
CODE = re.compile(r"`[^`\n]*`|\]\([^)\n]*\)|https?://\S+")


def nothing_held(value: str) -> bool:
    """Tell that no original holds a value."""
    return False


# ---- answers


def general(answer: str, held: Held = nothing_held) -> str:
    """Return an answer without its sentences that speak to or of one person; code and the shape of its Markdown stay."""
    lines = unsigned(answer.replace("\r\n", "\n").split("\n"))
    names = frozenset(name for line in prose(lines) for name in names_in(line) if not held(name))
    kept: list[str] = []
    code = False
    for line in lines:
        fence = bool(FENCE.match(line))
        if code or fence or not line.strip():
            kept.append(line)
            code = code != fence
            continue
        left = general_line(line, names, held)
        if left.strip():
            kept.append(left)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def prose(lines: list[str]) -> Iterator[str]:
    """Yield the lines outside of fenced code."""
    code = False
    for line in lines:
        fence = bool(FENCE.match(line))
        if not code and not fence:
            yield line
        code = code != fence


def general_line(line: str, names: frozenset[str], held: Held) -> str:
    """Return a line of Markdown without its sentences about one person, as it is when there are none."""
    line = DEAD_LINK.sub(r"[\1](\2)", line)
    lead = LEAD.match(line)
    start = lead.end() if lead else 0
    text = line[start:]
    greeted = without_leads(without_greeting(text))
    sentences = [part for part in SENTENCE.split(greeted) if part and part.strip()]
    kept = [part for part in sentences if not of_one_person(part, names, held)]
    if len(kept) == len(sentences):
        return line if greeted == text else f"{line[:start]}{capital(greeted)}"
    joint = "" if words.HAN.search(greeted) and not re.search(r"[.!?]\s", greeted) else " "
    return f"{line[:start]}{capital(joint.join(kept))}" if kept else ""


def without_greeting(text: str) -> str:
    """Return a line without a greeting at its start."""
    found = words.GREETING_ZH.match(text) or words.GREETING_EN.match(text)
    if not found or (found.groupdict().get("name") or "").lower() in words.NOBODY:
        return text
    return text[found.end() :]


def names_in(line: str) -> Iterator[str]:
    """Yield the names by which a line greets or introduces somebody."""
    text = LEAD.sub("", line, count=1)
    plain = text.replace("\u2019", "'")
    for found in (words.GREETING_EN.match(text), *(pattern.search(plain) for pattern in words.INTRODUCTIONS)):
        name = found["name"] if found else None
        if name and name[0].isupper() and name.lower() not in words.NOBODY:
            parts = [part for part in re.sub(words.TITLE, "", name).split() if len(part) > 1]
            yield from dict.fromkeys(part for part in (parts[:1] + parts[-1:]) if part.lower() not in words.NOBODY)
    greeted = words.GREETING_ZH.match(text)
    if greeted and greeted["name"]:
        yield greeted["name"]


def called(name: str, said: str) -> bool:
    """Tell whether a sentence holds a name; one that is a word too only where it calls somebody."""
    sign = re.escape(name)
    if not name.isascii() and words.HAN.search(name):
        return name in said
    if name.lower() in words.COMMON:
        return re.search(rf"^{sign},|,\s{sign}\b(?=[,.!?]|$)", said) is not None
    return re.search(rf"\b{sign}\b", said) is not None


def of_one_person(sentence: str, names: frozenset[str], held: Held) -> bool:
    """Tell whether a sentence is about one person: it holds a value of theirs, or says what was done for them."""
    said = CODE.sub(" ", sentence).replace("\u2019", "'").strip(" \t*_")
    if any(called(name, said) for name in names) or about_a_mark(said) or of_the_chat(sentence):
        return True
    if any(not held(value) for value in values(said)):
        return True
    if words.BOILERPLATE.match(said) and said == sentence.replace("\u2019", "'").strip(" \t*_"):
        return True
    if words.AGENT.search(said) or (len(said) <= SHORT and words.CLOSING.match(said)):
        return True
    if words.CONDITION.search(said) or said.endswith(("?", "？")):
        return False
    return bool(words.DONE.search(said)) or amount_of_one(said, held)


def about_a_mark(said: str) -> bool:
    """Tell whether the point of a sentence is a value that was taken out, which is of one person then."""
    if words.PERSONAL_MARK.search(said):
        return True
    found = words.CONTACT.search(said)
    if not found:
        return False
    rest = re.sub(r"\[redacted:[a-z-]+\]", " ", said)
    stop = ENGLISH_STOP_WORDS | CHINESE_STOP_WORDS | words.REACHING
    spoken = [term for term in query_terms(rest) if term not in stop and not words.HAN.fullmatch(term)]
    return words.TO_ME.search(said[: found.start()].rstrip(" :：")) is not None or len(spoken) < words.SPOKEN


def amount_of_one(said: str, held: Held) -> bool:
    """Tell whether a sentence tells one user an amount that is theirs."""
    if words.IN_GENERAL.search(said) or not words.YOUR_AMOUNT.search(said):
        return False
    return any(not held(found[0]) for found in words.AMOUNT.finditer(said))


def values(text: str) -> Iterator[str]:
    """Yield the references and names of persons in a text."""
    for pattern in words.VALUES:
        for found in pattern.finditer(text):
            yield found["value"].strip("-")


def unsigned(lines: list[str]) -> list[str]:
    """Return lines without the closing formula and the name below the last of them."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    for number in filled[-SIGNED:]:
        rest = [line.strip() for line in lines[number:] if line.strip()]
        if words.CLOSING.match(rest[0]) and all(len(line) <= SHORT for line in rest):
            return lines[:number]
    if filled and words.SIGNATURE.match(lines[filled[-1]].strip()):
        return lines[: filled[-1]]
    return lines


# ---- questions


def question(text: str, held: Held = nothing_held) -> str:
    """Return a question without the values of one person, empty when nothing general is left of it."""
    told = own.without_clauses(text)
    plain = own.ALONE.sub(" ", words.ASKER.sub("", told))
    for pattern in (*words.VALUES, words.PAID_EN, words.PAID_ZH):
        plain = pattern.sub(lambda found: found[0] if held(found["value"].strip("-")) else cut(found), plain)
    if plain == text:
        return text
    tidy = own.GAPS.sub("", " ".join(plain.split())).strip(" ,，;；:：、-")
    return capital(tidy) if says_something(tidy) else ""


def says_something(text: str) -> bool:
    """Tell whether a text has terms of its own."""
    said = words.KINDS.sub(" ", bare(text))
    stop = ENGLISH_STOP_WORDS | CHINESE_STOP_WORDS
    return len([term for term in query_terms(said) if term not in stop]) >= GENERAL


# ---- excerpts


def masked(text: str, held: Held = nothing_held) -> str:
    """Return a text with a mark in the place of each value of one person."""
    for pattern, kind in words.MARKED:

        def mark(found: re.Match[str], kind: str = kind) -> str:
            value = found["value"]
            return found[0] if held(value.strip("-")) else found[0].replace(value, f"[redacted:{kind}]", 1)

        text = pattern.sub(mark, text)
    return text
