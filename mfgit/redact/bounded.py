"""How long a pattern of the settings can take: Python's `re` knows no time limit, so what may run away is refused before."""

import re
from typing import NamedTuple

MOST = 10_000
"""Ways in which a pattern may match at one place; each is tried at most once there."""
QUANTIFIER = re.compile(r"[*+?]|\{(\d*)(,?)(\d*)\}")
CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
LEFT_OUT = re.compile(r"\\[1-9]|\(\?P=|\(\?\(|\(\?#")
"""References back, conditions and comments."""
OPENING = re.compile(r"\((?:\?(?:P<\w+>|<?[=!]|[aiLmsux-]*[:)]|>))?")


class Open(NamedTuple):
    """A group that is being read: the ways of the alternatives before, and of the one that is read."""

    before: int
    ways: int


def ways(pattern: str) -> int:
    """Return an upper limit of the ways in which a pattern that `re` accepts can match at one place.

    Raises `ValueError` with half a sentence for what has no limit.
    """
    if LEFT_OUT.search(pattern):
        raise ValueError("refers back to a group, which may take for ever")
    stack, last, at = [Open(0, 1)], 1, 0
    while at < len(pattern):
        if found := QUANTIFIER.match(pattern, at):
            stack[-1] = stack[-1]._replace(ways=stack[-1].ways // last * repeated(last, found))
            last, at = 1, found.end()
        elif pattern[at] == "(":
            opening = OPENING.match(pattern, at)
            at = opening.end() if opening else at + 1
            if not (opening and opening[0].endswith(")")):
                stack.append(Open(0, 1))
        elif pattern[at] == ")":
            group = stack.pop()
            last = group.before + group.ways
            stack[-1] = stack[-1]._replace(ways=stack[-1].ways * last)
            at += 1
        elif pattern[at] == "|":
            stack[-1] = Open(stack[-1].before + stack[-1].ways, 1)
            last, at = 1, at + 1
        else:
            one = CLASS.match(pattern, at)
            last, at = 1, one.end() if one else at + (2 if pattern[at] == "\\" else 1)
        if stack[-1].ways > MOST:
            return stack[-1].ways
    return stack[0].before + stack[0].ways


def repeated(inner: int, quantifier: re.Match[str]) -> int:
    """Return the ways of something with so many ways that is repeated."""
    if quantifier[0] == "?":
        return inner + 1
    if quantifier[0] in "*+" or (quantifier[2] and not quantifier[3]):
        raise ValueError("repeats without a limit; write {1,40} in place of + and {0,40} in place of *")
    least = int(quantifier[1] or 0)
    most = int(quantifier[3] or least)
    return min(sum(inner**count for count in range(least, most + 1)), 10 * MOST) if most <= 1000 else 10 * MOST
