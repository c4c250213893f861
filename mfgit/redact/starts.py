"""Where the patterns about passwords and names may begin, found once for a text instead of once for each pattern.

Each of those patterns begins with one of many words, which is the slowest thing a pattern can be asked for at every
character. Looking for the words themselves is some twenty times faster.
"""

import re
from typing import NamedTuple

from mfgit.redact.keys import IDS, NAMES, PASSWORDS
from mfgit.redact.rules import Rule


class Start(NamedTuple):
    """How patterns of a group begin: the words, more of them where `key` stands in the text, and what they then must match."""

    words: tuple[str, ...]
    with_key: tuple[str, ...]
    pattern: re.Pattern[str]


def start(words: str, with_key: str, pattern: str) -> Start:
    """Return how a group begins, from words parted by blanks and a pattern written with free spacing."""
    return Start(tuple(words.split()), tuple(with_key.split()), re.compile(pattern, re.ASCII | re.VERBOSE))


STARTS = {
    "passwords": start(
        "pass psw pw contrase secret token credential auth salt nonce webhook 密码 口令 密钥 令牌 私钥 秘钥 "
        "identified bearer basic ntlm digest",
        "api access private auth secret signing encryption shared account master app client service license subscription "
        "consumer admin deploy session storage integration write read",
        rf"{PASSWORDS} | identified | bearer | basic | ntlm | digest",
    ),
    "names": start(
        "key auth api pat sig cred oauth access private license cookie sas pass",
        "",
        rf"(?:{NAMES})(?![A-Za-z])",
    ),
    "ids": start("id hash client session account login user", "", rf"(?:{IDS})(?![A-Za-z])"),
}
"""Name of a group (`Rule.starts`) -> how its patterns begin, in small letters."""


def starts(small: str, name: str) -> list[int]:
    """Return where a pattern of this group may begin in a text in small letters, in order."""
    group = STARTS[name]
    words = group.words + group.with_key if group.with_key and "key" in small else group.words
    found = set()
    for word in words:
        if word in small:
            at = small.find(word)
            while at >= 0:
                found.add(at)
                at = small.find(word, at + 1)
    return sorted([at for at in found if group.pattern.match(small, at)]) if found else []


def begun(rule: Rule, text: str, small: str, known: dict[str, list[int]]) -> list[re.Match[str]]:
    """Return what `finditer` would, trying only the places where the rule can begin; `known` remembers them for a text.

    `text` is what the rule looks at: the text, or the same as `small` for a folded one.
    """
    places = known.get(rule.starts)
    if places is None:
        places = known[rule.starts] = starts(small, rule.starts)
    found: list[re.Match[str]] = []
    end = 0
    match_at = rule.pattern.match
    for place in places:
        if place >= end and (match := match_at(text, place)):
            found.append(match)
            end = match.end()
    return found
