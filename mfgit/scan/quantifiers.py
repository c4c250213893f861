"""Who may do a thing: only some, everyone or nobody. Two texts that say different ones of the same thing cannot both be true.

Only whole sentences count that make no exception and have no condition. `Only admins` goes with `all admins`, and a narrower
name (`all editors`) may be another word for the same people: so only `all` of users, members or people stands against `only`.
"""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from mfgit.text.fold import fold
from mfgit.text.tokens import query_terms

SAME = 0.7
"""Share of the terms of what may be done that both have, from which it is the same thing."""

ABLE = r"(?:can|may|could|(?:is|are) (?:able|allowed|permitted) to|has|have)"
WHO = r"(?:\S+ ){1,5}?"
ABLE_ZH = r"(?:可以|能够|能|可|允许|有权限?)"
WHO_ZH = r"[^\s可能才都均不]{1,12}?"
TOPIC_ZH = r"^\W*(?:注意|目前|现在|默认(?:情况下)?)?(?P<topic>[^\s只仅有可能]{0,10}?)"
EVERY = r"(?:all|every|any|each)(?: of)?(?: (?:the|our|your))? "
EVERYONE = r"(?:every|any)(?:one|body)"
FORMS = {
    "none": (
        rf"^\W*(?:no one |nobody |no (?P<who>{WHO})){ABLE} (?P<does>.+)",
        rf"{TOPIC_ZH}(?:没有(?:任何)?人|无人){ABLE_ZH}(?P<does>.*)",
        rf"{TOPIC_ZH}(?:谁|(?:所有|任何)(?P<who>{WHO_ZH}))[都均皆也]?(?:不能|不可以|不可|无法|不得|无权|不允许)(?P<does>.*)",
    ),
    "only": (
        rf"^\W*(?:by default )?only (?P<who>{WHO}){ABLE} (?P<does>.+)",
        r"^\W*(?P<does>.+) (?:only by|by only|only to) (?P<who>.+)",
        r"^\W*(?P<does>.+) by (?P<who>(?:\S+ ){1,4})only\W*$",
        r"^\W*(?P<does>.+) (?:is|are) (?:limited|restricted) to (?P<who>.+)",
        rf"{TOPIC_ZH}(?:只有|仅有|仅限|仅|只允许|只许)(?P<who>{WHO_ZH})才?{ABLE_ZH}(?P<does>.*)",
    ),
    "all": (
        rf"^\W*(?:by default )?(?:{EVERYONE} |{EVERY}(?P<who>{WHO})){ABLE} (?P<does>.+)",
        rf"^\W*(?P<does>.+) (?:by|available to) (?:{EVERYONE}|{EVERY}(?P<who>.+))\W*$",
        rf"{TOPIC_ZH}(?:人人|谁|大家|(?:所有|任何|任意|全部|全体|每个|每位|每名)(?P<who>{WHO_ZH}))[都均皆也]?{ABLE_ZH}(?P<does>.*)",
        rf"^\W*(?P<who>用户|成员|员工|客户|普通用户|普通成员)[都均皆]{ABLE_ZH}(?P<does>.+)",
    ),
}
ANYONE = re.compile(
    r"(?:other |normal |regular )?(?:user|member|people|person|customer|visitor|employee|colleague)s?"
    r"|(?:普通)?(?:用户|成员)|员工|客户|访客|同事|人员?"
)
"""Names of everyone concerned."""
NOBODY = re.compile(r"人|people|person")
BOUND = re.compile(
    r"\b(?:if|when|unless|except|but|until|till|after|before|once|without|while|other than|not|never|only)\b|n't\b"
    r"|如果|若|当|除|但|之前|之后|以后|时候?$|不|没|只|仅|非"
)
"""Words by which a sentence holds in a case only, or denies."""
POINTS = re.compile(r"\b(?:it|this|that|these|those|them|so|do|here|there)\b|此|该|这|那|它|其")
"""Words for a thing that another sentence names."""
MAY_TELL = re.compile(
    r"\b(?:only|every|any|all|each|no|nobody|limited|restricted)|[只仅谁每均皆都]|所有|任[何意]|全[部体]|没有|无人|人人|大家"
)
"""Without one of these a sentence is not of the kind."""
LONGEST = 200
"""Characters of a sentence that are looked at."""
SENTENCE = re.compile(r"(?:[^.!?。！？；;\n]|\.(?=\w))+[.!?。！？；;]*")
SAID_FIRST = re.compile(r"^\W*(?:yes|no|nope|sure|note|是的?|不是|可以的?|不可以|不能|对|不对|注意)\W*[,，:：]\s*")


class Claim(NamedTuple):
    """Who may do what: `only` some, `all` or `none`; `who` is empty for everyone and nobody, `does` are the terms of what."""

    kind: str
    who: str
    does: frozenset[str]
    raw: str


def apart(one: str, other: str) -> tuple[str, str, str] | None:
    """Return what two texts say of who may do the same thing that cannot both be, and the sentence of each; None if nothing."""
    ours, theirs = claims(one), claims(other)
    for mine in ours:
        alike = [claim for claim in theirs if same_thing(mine, claim)]
        both = any(same_thing(mine, claim) and opposed(mine, claim) for claim in ours)
        if alike and not both and all(opposed(mine, claim) for claim in alike):
            return f"{mine.kind} / {alike[0].kind}", mine.raw, alike[0].raw
    return None


def same_thing(one: Claim, other: Claim) -> bool:
    """Tell whether two claims are about doing the same thing."""
    return len(one.does & other.does) >= SAME * len(one.does | other.does)


def opposed(one: Claim, other: Claim) -> bool:
    """Tell whether two claims about the same thing cannot both be true."""
    if one.kind == other.kind:
        return False
    if {one.kind, other.kind} == {"all", "none"}:
        return one.who == other.who or not one.who or not other.who
    only, rest = (one, other) if one.kind == "only" else (other, one)
    if rest.kind == "none":
        return rest.who in ("", only.who)
    some = not ANYONE.fullmatch(only.who)
    return some and (not rest.who or (bool(ANYONE.fullmatch(rest.who)) and not shared(only.who, rest.who)))


def shared(one: str, other: str) -> bool:
    """Tell whether two names of people have a word in common; a single character of Chinese is none."""
    return any(len(term) > 1 and term in query_terms(other) for term in query_terms(one))


@functools.lru_cache(256)
def claims(text: str) -> tuple[Claim, ...]:
    """Return what a text says of who may do what."""
    return tuple(found(text))


def found(text: str) -> Iterator[Claim]:
    """Yield what the sentences of a text say of who may do what."""
    for raw in SENTENCE.findall(text.replace("\u2019", "'")):
        if len(raw) > LONGEST or not MAY_TELL.search(said := fold(raw)):
            continue
        said = SAID_FIRST.sub("", said).strip(" \t.。!！;；*_")
        if raw.rstrip().endswith(("?", "？")) or "," in said or "，" in said:
            continue
        if claim := read(said, " ".join(raw.split())):
            yield claim


@functools.cache
def patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the forms of sentences, each with its kind."""
    return tuple((kind, re.compile(form)) for kind, forms in FORMS.items() for form in forms)


def read(said: str, raw: str) -> Claim | None:
    """Return what a sentence says of who may do what, None when it says nothing of the kind."""
    for kind, pattern in patterns():
        if match := pattern.search(said):
            parts = match.groupdict()
            what = " ".join(filter(None, (parts.get("topic"), parts["does"])))
            who = re.sub(r"^(?:the|an?|your|our) ", "", (parts.get("who") or "").strip())
            does = frozenset(query_terms(what))
            if not does or BOUND.search(what) or BOUND.search(who) or POINTS.search(what):
                return None
            return Claim(kind, "" if NOBODY.fullmatch(who) else who, does, raw)
    return None
