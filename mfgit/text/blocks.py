"""Blocks of an overlay that are about it and not of its answer: between marks that no reader of a page sees.

A mark is a link definition that nothing uses, since comments break pages that are read as MDX. What a block holds is neither
searched nor taken for an answer.
"""

import re

ABOUT, DRAFT = "about", "draft"
"""Which wordings and pages belong to an answer; what a person should write where there is none."""
END = "end"
MARK = '[//]: # "mfgit: {}"'
LINE = re.compile(r'\[//\]: # "mfgit: (about|draft|end)"[ \t]*')
BLOCK = r'^\[//\]: # "mfgit: {}"[ \t]*\n.*?(?:^\[//\]: # "mfgit: end"[ \t]*(?:\n|\Z)|\Z)'
ANY = re.compile(BLOCK.format("(?:about|draft)"), re.DOTALL | re.MULTILINE)
OF_DRAFT = re.compile(BLOCK.format(DRAFT), re.DOTALL | re.MULTILINE)


def block(kind: str, text: str) -> str:
    """Return a text as a block between its marks."""
    return f"{MARK.format(kind)}\n\n{text}\n\n{MARK.format(END)}\n"


def without(text: str, pattern: re.Pattern[str] = ANY) -> str:
    """Return a text without its blocks; one whose end is missing reaches to the end of the text."""
    return pattern.sub("", text)


def blanked(lines: list[str]) -> list[str]:
    """Return lines with those of blocks emptied, so that the numbers of the others stay."""
    inside = False
    kept = []
    for line in lines:
        found = LINE.fullmatch(line)
        inside = found[1] != END if found else inside
        kept.append("" if inside or found else line)
    return kept
