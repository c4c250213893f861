"""Whether a value is a secret rather than a word, a path, an identifier or a placeholder: shape and entropy."""

import math
import re
from collections import Counter

PLACEHOLDER = re.compile(
    r"""^(?: [xX*.•#_-]+ | <[^>]*>? | \$ [({\w].* | \{+ .* | %\w+%? | \[ .* | @\w+@ | \\?["'`]* )$
    | ^(?:your|my|insert|enter|replace|put)[-_ ][A-Za-z_ -]*$
    | ^(?:changeme|password|passwd|secret|token|xxx+\w*|dummy|placeholder)$
    | ^(?:none|null|nil|true|false|undefined|string|str|int|text|value|optional|required|example|test|todo|n/a)$
    | \.\.\.$ | … """,
    re.IGNORECASE | re.VERBOSE,
)
CODE = re.compile(
    r"^[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)+[(\[{;,)]*$|^[A-Za-z_][\w.]*[(\[]|^\W+$|^(?:https?:)?//[\w.-]+/?$"
)
WORD = re.compile(r"^[A-Za-z]?[a-z]+(?:[-_.][A-Za-z]?[a-z]+)*[.,;:!?)]*$|^[A-Z]+(?:_[A-Z]+)*$|^[a-z]+(?:[A-Z][a-z]+)+$")
HEX = re.compile(r"^(?:0x)?[0-9a-fA-F-]+$")
UUID = re.compile(r"(?<![0-9A-Za-z])[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![0-9A-Za-z])")
IDENTIFIED = re.compile(rf"[iI][dD][:=~/.]{UUID.pattern}")
PART = re.compile(r"[A-Za-z0-9]+")
RUN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def entropy(text: str) -> float:
    """Return the Shannon entropy in bits a character."""
    size = len(text)
    return -sum(count / size * math.log2(count / size) for count in Counter(text).values())


def random_part(part: str) -> bool:
    """Tell whether letters and digits without separators look drawn by lot.

    Then kinds of characters change every two or three; in CamelCase names with a number they change every four or more.
    """
    runs = RUN.findall(part)
    return any(run[0].isdigit() for run in runs) and len(part) >= 14 and len(part) <= 3.2 * len(runs) and entropy(part) >= 3.2


def token(text: str) -> bool:
    """Tell whether a string on its own is a secret: mixed letters and digits drawn by lot, no hash, id, path or name.

    A long hash counts when a prefix with a separator stands before it, as many services write their keys.
    """
    if HEX.match(text) or PLACEHOLDER.search(text):
        return False
    parts = PART.findall(text)
    if any(random_part(part) and not HEX.match(part) for part in parts):
        return True
    return any(len(part) >= 32 and HEX.match(part) for part in parts[1:]) and not re.match(r"sha|md5", parts[0], re.IGNORECASE)


def prefixed(value: str) -> bool:
    """Tell whether what begins like a key of a service is one, and no name in small letters."""
    return entropy(value) > 1.5 and re.search(r"[0-9A-Z]", value[4:]) is not None


def numbered(value: str) -> bool:
    """Tell whether a value holds a digit, and is no version of anything."""
    return re.search(r"\d", value) is not None and re.fullmatch(r"[\d.]*\.[\d.]*", value) is None


def base64(text: str) -> bool:
    """Tell whether a long string with + and / in it is encoded data rather than a path."""
    runs = RUN.findall(text)
    return len(text) <= 2.6 * len(runs) and entropy(text) >= 4.2


def mixed(value: str) -> bool:
    """Tell whether a word has three of small letters, capitals, digits and signs, as rules for passwords ask."""
    kinds = (r"[a-z]", r"[A-Z]", r"[0-9]", r"[!@#$%^&*?~+]")
    return sum(re.search(kind, value) is not None for kind in kinds) >= 3 and bare(value)


def code(value: str) -> bool:
    """Tell whether a value is an expression of a programming language, such as `os.environ` or `get(`."""
    return CODE.search(value) is not None and not any(lot(part) for part in PART.findall(value))


def dense(value: str) -> bool:
    """Tell whether a long word is no name: letters with digits, or twenty letters on end."""
    if re.search(r"\d", value):
        return re.search(r"[A-Za-z]", value) is not None or len(value) >= 20
    return len(value) >= 20 and value.isalnum()


def quoted(value: str) -> bool:
    """Tell whether a quoted string that is assigned to a password, a token or the like is a secret."""
    return len(value.strip()) >= 4 and value.isascii() and not PLACEHOLDER.search(value) and not code(value)


def bare(value: str) -> bool:
    """Tell whether a word without quotes beside a password, a token or the like is a secret, rather than a word about one."""
    if len(value) < 6 or PLACEHOLDER.search(value) or code(value):
        return False
    if WORD.match(value):
        return len(value) >= 20 and value.isalnum()
    return re.search(r"\d|[^\w.,:;'\"/-]|[a-z][A-Z]", value) is not None


def keyed(value: str) -> bool:
    """Tell whether what stands beside a word like key or id is a secret: hex, a UUID, or letters and digits mixed."""
    value = IDENTIFIED.sub("", value)
    if PLACEHOLDER.search(value) or code(value) or not re.search(r"[A-Za-z]", value):
        return False
    if HEX.match(value):
        return len(value) >= 16 and re.search(r"\d", value) is not None
    return any(lot(part) for part in PART.findall(value))


def keyed_beside_id(value: str) -> bool:
    """Tell the same where the word is one like id or user: UUIDs in it count for nothing."""
    return keyed(UUID.sub("", value))


def lot(part: str) -> bool:
    """Tell whether one run of letters and digits may be drawn by lot, where a word beside it says that it is."""
    runs = RUN.findall(part)
    if re.search(r"\d", part):
        return len(part) >= 12 and (len(runs) >= 4 or HEX.match(part) is not None)
    return len(part) >= 16 and len(part) <= 3 * len(runs)
