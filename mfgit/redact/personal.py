"""Rules for personal data of other countries."""

import re

from mfgit.redact import checks
from mfgit.redact.keys import LEFT, RIGHT
from mfgit.redact.rules import rule

PERSONAL = (
    rule(
        "email",
        "at",
        r"(?<![A-Za-z0-9.])(?!git@|no-?reply@)[A-Za-z0-9][\w.+%-]{0,63}@(?:[\w-]{1,63}\.){1,5}"
        r"(?!png|jpe?g|gif|svg|webp|js|css|md)[A-Za-z]{1,24}(?![A-Za-z0-9])",
        flags=re.UNICODE,
    ),
    rule("card", "digits", r"(?<![\d.])(?<!\d[-])\d(?:[ -]?\d){12,18}(?![\d])(?!\.\d)", checks.card),
    rule(
        "iban", "serials", rf"{LEFT}[A-Z]{{2}}\d{{2}}(?:[ -]?[A-Z0-9]{{4}}){{2,7}}(?:[ -]?[A-Z0-9]{{1,4}})?{RIGHT}", checks.iban
    ),
    rule("phone", "digits", r"(?<![\w+])(?:\+|00(?=[1-9]))\d{1,3}(?:[\s./-]{0,2}\(?\d{1,5}\)?){2,6}(?![\d])", checks.phone),
    rule(
        "phone",
        "digits",
        r"(?<![\w.-])(?:1[-. ])?(?:\([2-9]\d{2}\)\s?|[2-9]\d{2}[-. ])[2-9]\d{2}[-. ]\d{4}(?![\w-])",
        checks.several,
    ),
    rule(
        "phone",
        "digits",
        r"(?<![\w.-])0\d{1,4}[ -]\d{2,4}(?:[ -]\d{2,4}){1,3}(?![\w.-])",
        lambda text: 9 <= len(checks.digits(text)) <= 11 and checks.several(text),
    ),
    rule("phone", "digits", r"(?<![\w.-])09\d{9}(?![\w.-])", checks.several),
    rule(
        "phone",
        "phones",
        r"(?:phone|mobile|cell|tel|telephone|call|fax|whatsapp|电话|手机|联系方式|座机)"
        r"[^\n\d+]{0,25}?(?P<value>\(?\d{2,5}\)?(?:[-. ]?\d{2,5}){1,4})(?![\d])",
        lambda text: 7 <= len(checks.digits(text)) <= 12,
        folded=True,
    ),
    rule("ssn", "digits", r"(?<![\w-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])", checks.social_security),
    rule(
        "ip",
        "digits",
        r"(?<![\w.])(?<![vV])(?<![vV]ersion\ )(?<!版本)(?<!版本\ )\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\d|\w)",
        checks.public_ip,
    ),
    rule("ip", "colons", r"(?<![\w:.])(?:[0-9A-Fa-f]{1,4}:){2,7}(?::?[0-9A-Fa-f]{1,4}){1,6}(?![\w:])", checks.public_ip),
    rule("mac", "colons", r"(?<![\w:-])[0-9A-Fa-f]{2}(?:([:-])[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2}){4}(?![\w:-])"),
)

NATIONAL = (
    rule("national-id", "digits", r"(?<![\w-])\d{4}[ -]\d{4}[ -]\d{4}(?![\w-])", checks.aadhaar),
    rule("national-id", "digits", r"(?<![\w-])(?:\d{8}|[XYZ]\d{7})-?[A-Z](?![\w-])", checks.spanish),
    rule("national-id", "digits", r"(?<![\w-])[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y](?![\w-])", checks.finnish),
    rule("national-id", "digits", r"(?<![\w-])\d{11}(?![\w-])", lambda text: checks.pesel(text) and checks.several(text)),
    rule("national-id", "digits", r"(?<![\w-])[1-9]\d{10}(?![\w-])", checks.turkish),
    rule("national-id", "digits", r"(?<![\w-])\d{6}\d{4}[01]\d{2}(?![\w-])", checks.south_african),
    rule("national-id", "digits", r"(?<![\w-])[1-8]-\d{4}-\d{5}-\d{2}-\d(?![\w-])", checks.thai),
    rule("national-id", "digits", r"(?<![\w-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])", checks.brazilian),
    rule("national-id", "digits", r"(?<![\w-])\d{2}[01]\d[0-3]\d-[1-8]\d{6}(?![\w-])"),
    rule(
        "national-id",
        "digits",
        r"(?<![\w-])(?:19|20)?\d{2}[01]\d[0-3]\d[-+]\d{4}(?![\w-])",
        lambda text: checks.luhn(checks.digits(text)[-10:]),
    ),
    rule(
        "national-id",
        "serials",
        r"(?<![\w-])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\ ?\d{2}\ ?\d{2}\ ?\d{2}\ ?[A-D](?![\w-])",
    ),
    rule("national-id", "serials", r"(?<![\w-])[STFGM]\d{7}[A-Z](?![\w-])"),
    rule("tax-id", "serials", r"(?<![\w-])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![\w-])"),
    rule("tax-id", "serials", r"(?<![\w-])\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z](?![\w-])"),
    rule("tax-id", "serials", r"(?<![\w-])[a-z]{6}\d{2}[a-ehlmprst]\d{2}[a-z]\d{3}[a-z](?![\w-])", folded=True),
    rule("tax-id", "digits", r"(?<![\w-])(?:DE|ATU|IT|PL|ESB|NL)\d{8,11}(?![\w-])"),
    rule(
        "id-number",
        "ids",
        r"""\b(?:passport | driv\w{2,4}'?s?\ licen[cs]e | licen[cs]e\ (?:number|no) | national\ (?:id|insurance)
            | tax\ (?:id|number|file) | tin\b | social\ security | ssn | itin | nino | nhs | medicare | aadhaar | voter
            | nif\b | nie\b
            | dni\b | pasaporte | personalausweis | reisepass | steuer | ausweis | f[uü]hrerschein | krankenversicher | carta\ d
            | patente | codice\ fiscale | personnummer | orgnummer | identity\ (?:code|card|number) | id\ (?:card|number)
            | routing | account\ number | npi\b | plate\ number | registration | kimlik | certificate\ number | sin\b | nas\b
            | pan\b )
            [^\n\d]{0,30}? (?P<value>(?<![a-z0-9])(?=[a-z0-9 -]{0,16}\d[ -]?\d[ -]?\d)[a-z0-9](?:[- /]?[a-z0-9]){5,19})
            (?![a-z0-9])""",
        lambda value: len(checks.digits(value)) >= 4,
        folded=True,
    ),
)
