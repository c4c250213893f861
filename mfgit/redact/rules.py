"""What a rule is, and the cheap tests that spare most texts most rules."""

import re
from collections.abc import Callable
from typing import NamedTuple

Check = Callable[[str], bool]
Gate = Callable[[str, str], object]


class Rule(NamedTuple):
    """One kind of secret or personal data.

    `gate` names the cheap test (see `GATES`) that a text must pass before the pattern is tried. What the group `value`
    matched, or the whole match when there is none, is taken out if `check` accepts it. A `folded` pattern is written in
    small letters and tried on the text in small letters, which is many times faster than ignoring case.

    Two more things make it cheap and never change what it finds: every match holds one of the `hints`, if there are any, and
    begins as the group `starts` of the module of that name says, if one is named.
    """

    kind: str
    gate: str
    pattern: re.Pattern[str]
    check: Check
    folded: bool
    hints: tuple[str, ...] = ()
    starts: str = ""


def anything(_: str) -> bool:
    """Accept whatever the pattern matched."""
    return True


def rule(
    kind: str,
    gate: str,
    pattern: str,
    check: Check = anything,
    *,
    flags: int = re.ASCII,
    folded: bool = False,
    hints: str = "",
    starts: str = "",
) -> Rule:
    """Return a rule whose pattern is written with free spacing, and its hints as words."""
    return Rule(kind, gate, re.compile(pattern, flags | re.VERBOSE), check, folded, tuple(hints.split()), starts)


def holds(words: str) -> Gate:
    """Return a test whether the text in small letters holds one of these words."""
    plain = tuple(word for word in words.split() if word.isascii())
    others = tuple(word for word in words.split() if not word.isascii())

    every = plain + others

    def test(text: str, small: str) -> bool:
        return any(map(small.__contains__, plain if text.isascii() else every))

    return test


def has(pattern: str) -> Gate:
    """Return a test whether a pattern is found in the text."""
    search = re.compile(pattern, re.ASCII).search
    return lambda text, small: search(text)


def han(text: str, small: str) -> bool:
    """Tell whether a text holds anything but ASCII."""
    return not text.isascii()


GATES: dict[str, Gate] = {
    "digit": has(r"\d"),
    "pairs": holds(": -"),
    "at": holds("@"),
    "begin": lambda text, small: "-----BEGIN" in text or "PuTTY-User-Key" in text,
    "scheme": holds("://"),
    "dollar": holds("$"),
    "long": has(r"[A-Za-z0-9_+/.=:~$-]{16}"),
    "labels": holds(
        "身份证 身分证 證件 证件 收件 收货 寄件 姓名 联系人 "
        "法定代表人 法人 户名 持卡人 开户 申请人 保险人 投保人 经办人 我叫 名叫 "
        "名字 本人 生日 出生 地址 住址 现住 户籍 微信 vx v信 薇信 加v 加我v wechat wxid_"
    ),
    "persons": holds("name ship deliver recipient holder attn passenger regards sincerely signed i'm i’m"),
    "words": holds(
        "pass pwd pw psw secret token credential contrase key authorization salt nonce webhook bearer basic ntlm digest "
        "identified mysql -u 密码 口令 密钥 令牌 私钥 秘钥"
    ),
}
"""Name -> a test of (text, text in small letters)."""
NARROWER: dict[str, tuple[str, Gate]] = {
    "figures": ("digit", has(r"\d{2}")),
    "mixed": ("digit", has(r"(?<![A-Za-z0-9_=-])(?=[A-Za-z_=-]{0,60}\d)[A-Za-z0-9_=-]{12}")),
    "colons": ("pairs", has(r"[:-](?<=[0-9A-Fa-f][:-])(?:[0-9A-Fa-f]{0,4}:|[0-9A-Fa-f]{2}-)")),
    "digits": ("figures", has(r"\d[\d\s().（）·\u3000-]{5,}\d")),
    "streets": (
        "digit",
        has(
            r"\d[A-Za-z]?,? [A-Z][^\n]{0,60}?[ .](?:Street|Avenue|Road|Lane|Drive|Boulevard|Court|Place|Way|Square|Terrace"
            r"|Parkway|Highway|Close|Crescent|St|Ave|Rd|Ln|Dr|Blvd|Ct|Pl|Sq|Pkwy|Hwy)\b"
        ),
    ),
    "doors": ("digit", has(r"\d[号弄]")),
    "han figures": ("figures", han),
    "serials": (
        "figures",
        has(
            r"(?<![0-9A-Za-z_])(?:[A-Z]{1,2} ?\d\d|[A-Z]{5}\d{4}|\d\d[A-Z]{5}|[A-Za-z]{6}\d\d[A-Za-z]"
            r"|[A-HJ-NPR-Z0-9]{17}(?![0-9A-Za-z_]))"
        ),
    ),
    "births": ("digit", holds("birth dob d.o.b born")),
    "codes": ("figures", holds("code otp pin")),
    "credit": ("figures", has(r"\d{6}[0-9A-HJ-NP-RT-UWXY]{10}")),
    "threes": ("figures", has(r"\d[ -]?\d[ -]?\d")),
    "ids": (
        "threes",
        holds(
            "passport driv licen national tax tin social ssn nino nhs medicare aadhaar voter nif nie dni pasaporte ausweis "
            "steuer hrerschein krank carta patente codice person orgnummer identity id routing account npi plate "
            "registration kimlik certificate sin nas pan"
        ),
    ),
    "phones": ("figures", holds("phone mobile cell tel call fax whatsapp 电话 手机 联系方式 座机")),
}
"""Name -> another gate that must be open, one of those above, and a test more."""
