"""Ids that are themselves personal data, such as a mail address or a phone number: what stands for them in the archive.

An id has to match elsewhere, so it cannot become a mark. What is personal in it becomes a name made from it by SHA-256: the
same for the same in every archive, so that the id as it was given still finds what it names. That hides it from readers and
keeps it out of Git; whoever guesses the address can confirm the guess.
"""

import functools
import hashlib
import re

from mfgit.redact.narrow import narrowed, seen
from mfgit.redact.redaction import NOISE, ROUNDS, RULES, gates_of, merged, spans_of

KINDS = frozenset(("email", "phone", "cn-id", "hk-id", "tw-id", "cn-plate", "ssn", "iban", "ip", "mac", "jwt", "url-password"))
KINDS |= frozenset(("aws-key", "alibaba-key", "tencent-key", "google-key"))
"""What an id may not hold. Not the kinds that go by chance alone: most ids are numbers, or drawn by lot."""
ID_RULES = tuple(rule for rule in RULES if rule.kind in KINDS)
ID_GATES = gates_of(ID_RULES)
MADE = re.compile(
    r"[a-z]{0,3}-?[0-9a-f]{16}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}", re.ASCII
)
"""Hashes and UUIDs."""
SUSPECT = re.compile(
    r"[^\x00-\x7f]|@|\d[\d\s().-]{5,}\d|:[0-9A-Fa-f]{0,4}:|[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-|[A-Z]\d{6}|ey[JH]|A[A-Z3][A-Z][A-Z0-9]{10}|LTAI|ya29"
    r"|AIza|GOCSPX|://",
    re.ASCII,
)
"""What an id holds at least in which anything is found."""


def safe_id(given: str) -> str:
    """Return an id with a name in place of what is personal in it; an id in which nothing is comes back as it is."""
    return named(given) if SUSPECT.search(given) and not MADE.fullmatch(given) else given


def either(given: str) -> tuple[str, ...]:
    """Return the ids by which something may be stored: the safe one, and the given one if an older version stored it."""
    return tuple(dict.fromkeys((safe_id(given), given)))


@functools.lru_cache(maxsize=4096)
def named(given: str) -> str:
    """Return an id with a name for each thing that the rules find; what is not seen in such an id goes too."""
    for _ in range(ROUNDS):
        plain, _places = seen(given)
        found = merged(sorted(spans_of(narrowed(plain), 0, ID_RULES, ID_GATES)))
        if not found:
            break
        given = plain
        for start, end, *_ in reversed(found):
            given = f"{given[:start]}id-{name_of(given[start:end])}{given[end:]}"
    return given


def name_of(personal: str) -> str:
    """Return sixteen letters that stand for something however it is spaced; figures might look like a number again."""
    plain = NOISE.sub("", narrowed(personal)).lower()
    digest = hashlib.sha256(f"mfgit id\0{plain}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return digest.translate(str.maketrans("0123456789abcdef", "abcdefghijklmnop"))
