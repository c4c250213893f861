"""The rules, as data: what is taken out, and how it is told from ordinary text."""

import re
from collections.abc import Callable
from typing import NamedTuple

from mfgit.redact import checks, likely


class Rule(NamedTuple):
    """One kind of secret or personal data.

    `gate` names the cheap test (see `GATES`) that a text must pass before the pattern is tried. What the group `value` matched, or the
    whole match when there is none, is taken out if `check` accepts it. A `folded` pattern is written in small letters and tried on
    the text in small letters, which is many times faster than ignoring case.
    """

    kind: str
    gate: str
    pattern: re.Pattern[str]
    check: Callable[[str], bool]
    folded: bool


def anything(_: str) -> bool:
    """Accept whatever the pattern matched."""
    return True


def rule(
    kind: str, gate: str, pattern: str, check: Callable[[str], bool] = anything, *, flags: int = re.A, folded: bool = False
) -> Rule:
    """Return a rule whose pattern is written with free spacing."""
    return Rule(kind, gate, re.compile(pattern, flags | re.X), check, folded)


SECRET_WORDS = r"""pass(?:wor[dt]|wd|phrase|code|key|wort)?(?![a-z]{2})|psw(?:or)?d|\bpw(?![a-z])|contrase\w{1,3}a|pwd|secret|token|credential|api[-_. ]?key|
    (?:access|private|auth|secret|signing|encryption|shared|account|master|app|client|service|license|subscription|consumer|admin|
    deploy|session|storage|integration|write|read)[-_. ]?key|authorization|auth[-_.]?(?:token|code|pass|string)|accesskey|client[-_.]?secret|\bsalt|
    nonce|webhook|密码|口令|密钥|令牌|私钥|秘钥"""
KEY_WORDS = r"key|auth|api|pat|id|hash|signature|cred|oauth|access|client|private|license|session|cookie|account|sas|sig|login|pass|user"
CLOSING = r"""(?:\[\w*\])? ["'`\])}>]{0,3} [^\S\n]{0,4}"""
GIVES = r"""(?: => | :{1,3}= | [?]= | ={1,3} | !={1,2} | [:：|,→] | 是 | 为 | \bis\b | -(?=\s) ) \s{0,4}"""
OPENING = r"""(?:\w{1,20}\()? [bru@$]{0,2} (?P<quote>\\?["'`]{1,3})"""
BARE = r"""[^\s"'`,;|（），。；、：！？】」\u4e00-\u9fff]"""
LEFT, RIGHT = r"(?<![0-9A-Za-z_])", r"(?![0-9A-Za-z_])"

Gate = Callable[[str, str], object]


def holds(*words: str) -> Gate:
    """Return a test whether the text in small letters holds one of these."""
    return lambda text, small: any(word in small for word in words)


def has(pattern: str) -> Gate:
    """Return a test whether a pattern is found in the text."""
    search = re.compile(pattern, re.A).search
    return lambda text, small: search(text)


GATES: dict[str, Gate] = {
    "figures": has(r"\d{2}"),
    "at": holds("@"),
    "begin": holds("-----begin", "putty-user-key"),
    "scheme": holds("://"),
    "dollar": holds("$"),
    "long": has(r"[A-Za-z0-9_+/.=-]{16}"),
    "words": holds(
        *"pass pwd pw psw secret token credential contrase key authorization salt nonce webhook bearer basic ntlm digest 密码 口令 密钥 令牌 私钥 秘钥".split()
    ),
    "colons": has(r"[0-9A-Fa-f]{1,4}[:-][0-9A-Fa-f]{0,4}:|[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-"),
}
"""Name -> a test of (text, text in small letters)."""
NARROWER: dict[str, tuple[str, Gate]] = {
    "digits": ("figures", has(r"\d[\d\s().-]{5,}\d")),
    "ids": (
        "figures",
        holds(
            *"passport driv licen national tax tin social ssn nino nhs medicare aadhaar voter nif nie dni pasaporte ausweis steuer hrerschein krank carta patente codice person orgnummer identity id routing account npi plate registration kimlik certificate sin nas pan".split()
        ),
    ),
    "phones": ("figures", holds(*"phone mobile cell tel call fax whatsapp 电话 手机 联系方式 座机".split())),
}
"""Name -> another gate that must be open, and a test more."""

SECRETS = (
    rule(
        "private-key",
        "begin",
        r"""-----BEGIN[A-Z0-9 ]*PRIVATE\ KEY[A-Z0-9 ]*----- (?:
            [\s\S]{0,20000}? -----END[A-Z0-9 ]*PRIVATE\ KEY[A-Z0-9 ]*----- | (?: [\s\\nr"'+,#*:.-]{0,40} [A-Za-z0-9+/=]{16,} )* )""",
    ),
    rule("private-key", "begin", r"PuTTY-User-Key-File-\d: [\s\S]{40,8000}? Private-(?:MAC|Hash): \s* [0-9a-f]+"),
    rule(
        "url-password",
        "scheme",
        r"://[^\s/:@\"'<>]{0,200}:(?P<value>[^\s/@\"'<>$%{(]{2}[^\s@\"'<>]{0,200}?|%[0-9A-F]{2}[^\s/@\"'<>]{1,200})@(?=[\w\[])",
    ),
    rule("jwt", "long", r"(?<![A-Za-z0-9_-])ey[JH][A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,}){1,4}\.?[A-Za-z0-9_-]*"),
    rule("aws-key", "long", rf"{LEFT}(?:AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{{16}}{RIGHT}"),
    rule("alibaba-key", "long", rf"{LEFT}LTAI[A-Za-z0-9]{{12,26}}{RIGHT}"),
    rule("tencent-key", "long", rf"{LEFT}AKID[A-Za-z0-9]{{13,40}}{RIGHT}"),
    rule("google-key", "long", r"(?<![\w-])AIza[\w-]{30,45}|(?<![\w-])ya29\.[\w-]{20,}|(?<![\w-])GOCSPX-[\w-]{20,}"),
    rule("telegram-token", "long", r"(?<!\d)\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    rule("discord-token", "long", r"(?<![\w.-])[MNO][A-Za-z0-9_-]{22,27}\.[\w-]{6,7}\.[\w-]{27,40}"),
    rule("sendgrid-key", "long", r"(?<![\w.])SG\.[\w-]{16,32}\.[\w-]{16,64}"),
    rule(
        "chat-webhook",
        "scheme",
        r"https?://(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/webhooks|hooks\.zapier\.com/hooks/catch|[\w.-]+\.webhook\.office\.com|oapi\.dingtalk\.com/robot/send\?access_token=|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=|open\.(?:feishu|larksuite)\.(?:cn|com)/open-apis/bot/v2/hook)[/\w@.=&?+-]{8,}",
    ),
    rule(
        "token",
        "long",
        r"(?<![A-Za-z0-9_-])(?:gh[pousr]_|github_pat_|gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-|xox[abceposr]-|xapp-|xwfp-|sk-|[spr]k_(?:live|test)_|"
        r"[a-z]k_(?:live|test|prod)_|(?:live|test|prod)_|hf_|api_org_|npm_|pypi-|rubygems_|dop_v1_|doo_v1_|dor_v1_|shp(?:at|ca|pa|ss)_|sq0[a-z]{3}-|EAAA|EAAC|EAA|"
        r"SK|AC|key-|dapi|dckr_[a-z]+_|dp\.[a-z]+\.|hv[sbr]\.|atlasv1\.|pat[A-Z0-9]|pul-|figd_|figo[a-z]*_|lin_api_|ntn_|secret_|ops_|A3-|glc_|glsa_|NR[A-Z]{2}-|"
        r"PMAK-|rpa_|r8_|tskey-|xkeysib-|xsmtpsib-|vc[pciark]_|vercel_|cf[a-z]{1,3}t_|AT[BC][A-Z]{2}|BBDC-|CCIPAT_|AGE-SECRET-KEY-|access_token\$|amzn\.mws\.|"
        r"aio_|sgp_|sl\.|tvly-|gsk_|xai-|pplx-|nvapi-|fw_|fo1_|eyJ)[A-Za-z0-9_.$=/+-]{14,}",
        lambda value: likely.entropy(value) > 2.8 and not likely.WORD.match(value),
    ),
    rule(
        "password",
        "words",
        rf"(?:{SECRET_WORDS})[\w.-]{{0,40}} {CLOSING} {GIVES} {OPENING} (?P<value>[^\n]{{4,400}}?) (?P=quote)",
        likely.quoted,
        folded=True,
    ),
    rule(
        "password",
        "words",
        rf"(?:{SECRET_WORDS})[\w.-]{{0,40}} [^\S\n]{{0,4}} {OPENING} (?P<value>[^\s\"'`]{{4,400}}?) (?P=quote)",
        likely.bare,
        folded=True,
    ),
    rule(
        "password",
        "words",
        rf"(?P<quote>[\"'`])(?P<value>[^\s\"'`]{{6,400}})(?P=quote) \s{{0,4}} [=!]={{1,2}} \s{{0,4}} [\w.$-]{{0,40}}?(?:{SECRET_WORDS})",
        likely.bare,
        folded=True,
    ),
    rule(
        "password",
        "words",
        rf"(?:{SECRET_WORDS})[\w.-]{{0,40}} {CLOSING} {GIVES} (?:(?:bearer|basic|token)\s+)? [\"'`]? (?P<value>{BARE}{{3,400}}[^\s\"'`.,;:!?)\]|）（，。；、：！？】」\u4e00-\u9fff])",
        likely.bare,
        folded=True,
    ),
    rule(
        "password",
        "words",
        rf"(?:{SECRET_WORDS}|identified\s+by)[^\S\n]{{1,4}}(?P<value>{BARE}{{5,100}}[^\s\"'`.,;:!?)\]|）（，。；、：！？】」\u4e00-\u9fff])",
        likely.mixed,
        folded=True,
    ),
    rule(
        "secret",
        "words",
        rf"(?:{SECRET_WORDS}|bearer|basic|ntlm|digest)[\w.-]{{0,40}} [\s\S]{{0,30}}? (?<![\w.+/=-])(?P<value>[A-Za-z0-9_+/=.~!#$%^&*-]{{12,400}})",
        likely.keyed,
        folded=True,
    ),
    rule(
        "secret",
        "long",
        rf"(?:{KEY_WORDS})(?![A-Za-z]){CLOSING} (?:{GIVES}|(?<=[\s\"'`])) (?:\w{{1,20}}\()? [\"'`]{{0,3}}(?P<value>[A-Za-z0-9_+/=.:~$-]{{16,400}})",
        likely.keyed,
        folded=True,
    ),
    rule("password", "words", r"\s(?:-u|--user)[\s=]{0,2}[\"']?(?P<value>[^\s:\"'$]{0,60}:[^\s\"'$]{4,100})"),
    rule(
        "password-hash",
        "dollar",
        r"(?<![\w$])\$(?:2[abxy]|[1568]|y|argon2\w{1,2}|apr1|krb5\w*|scrypt|pbkdf2[\w-]*)\$[./A-Za-z0-9$=,:*@+-]{20,2000}",
    ),
    rule("secret", "long", r"(?<![A-Za-z0-9_/+.=@#%&:-])[A-Za-z0-9_+=-]{20,400}(?![A-Za-z0-9_/.])", likely.token),
    rule(
        "secret",
        "long",
        r"(?<![A-Za-z0-9_/+.=@#%&,-])(?=[A-Za-z0-9/]{0,200}[+/=])[A-Za-z0-9+/]{40,2000}={0,2}(?![A-Za-z0-9_/.-])",
        likely.base64,
    ),
    rule("wallet", "long", rf"{LEFT}[13][1-9A-HJ-NP-Za-km-z]{{25,34}}{RIGHT}", checks.base58_check),
    rule("wallet", "long", rf"{LEFT}bc1[02-9ac-hj-np-z]{{20,60}}{RIGHT}"),
)

CHINESE = (
    rule("cn-id", "digits", rf"{LEFT}\d{{17}}[\dXx]{RIGHT}", checks.resident_id),
    rule("cn-id", "digits", rf"{LEFT}\d{{6}}\d{{2}}[01]\d[0-3]\d{{4}}{RIGHT}", checks.old_resident_id),
    rule(
        "cn-credit-code",
        "figures",
        rf"{LEFT}[0-9A-HJ-NP-RT-UWXY]{{2}}\d{{6}}[0-9A-HJ-NP-RT-UWXY]{{10}}{RIGHT}",
        checks.credit_code,
    ),
    rule("phone", "digits", r"(?<![\dA-Za-z.])(?:(?:\+|00)?86[-\s]?)?0?1[3-9]\d(?:[-\s]?\d{4}){2}(?!\d)", checks.several),
    rule(
        "phone",
        "digits",
        r"(?<![\dA-Za-z.-])(?:[(（]0\d{2,3}[)）][-\s]?|(?:(?:\+|00)?86[-\s]?)?0\d{2,3}[-\s])[1-9]\d{6,7}(?:-\d{1,6})?(?!\d)",
    ),
    rule("phone", "digits", r"(?<![\dA-Za-z])0(?:10|2\d|[3-9]\d{2})[1-9]\d{6,7}(?!\d)"),
    rule("phone", "digits", r"(?<![\dA-Za-z-])[48]00[-\s]?\d{3}[-\s]?\d{4}(?!\d)", lambda text: len(text) > 10),
    rule(
        "cn-plate",
        "figures",
        r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼使领][A-HJ-NP-Z][·•\s]?(?=[A-Z0-9]*\d[A-Z0-9]*\d)[A-HJ-NP-Z0-9]{4,5}[A-HJ-NP-Z0-9挂学警港澳](?![A-Za-z0-9])|[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]\d{5}[领使]",
    ),
    rule("hk-id", "figures", rf"{LEFT}[A-Z]{{1,2}}\d{{6}}[(（][0-9A][)）]", checks.hongkong_id),
    rule("tw-id", "digits", rf"{LEFT}[A-Z][12]\d{{8}}{RIGHT}", checks.taiwan_id),
    rule("vin", "figures", rf"{LEFT}[A-HJ-NPR-Z0-9]{{17}}{RIGHT}", checks.vin),
    rule(
        "id-number",
        "figures",
        r"(?:护照|通行证|驾照|驾驶证|档案编号|军官证|港澳|台胞证|社保|医保|学号|工号|车架号|发动机号)[^\n\d]{0,12}?(?P<value>[A-Z]{0,3}[-\s]?\d{6,18}[A-Z]?)(?![\dA-Za-z])",
    ),
    rule(
        "code",
        "figures",
        r"(?:验证码|校验码|动态码|取件码|提取码)(?:是|为|[:：\s]){1,4}(?P<value>[0-9A-Za-z]{4,8})(?![0-9A-Za-z])",
        lambda value: bool(checks.digits(value)),
    ),
)

PERSONAL = (
    rule(
        "email",
        "at",
        r"(?<![A-Za-z0-9.])(?!git@|no-?reply@)[A-Za-z0-9][\w.+%-]{0,63}@(?:[\w-]{1,63}\.){1,5}(?!png|jpe?g|gif|svg|webp|js|css|md)[A-Za-z]{1,24}(?![A-Za-z0-9])",
        flags=re.U,
    ),
    rule("card", "digits", r"(?<![\d.])(?<!\d[-])\d(?:[ -]?\d){12,18}(?![\d])(?!\.\d)", checks.card),
    rule(
        "iban", "figures", rf"{LEFT}[A-Z]{{2}}\d{{2}}(?:[ -]?[A-Z0-9]{{4}}){{2,7}}(?:[ -]?[A-Z0-9]{{1,4}})?{RIGHT}", checks.iban
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
        "phones",
        r"(?:phone|mobile|cell|tel|telephone|call|fax|whatsapp|电话|手机|联系方式|座机)[^\n\d+]{0,25}?(?P<value>\(?\d{2,5}\)?(?:[-. ]?\d{2,5}){1,4})(?![\d])",
        lambda text: 7 <= len(checks.digits(text)) <= 12,
        folded=True,
    ),
    rule("ssn", "digits", r"(?<![\w-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])", checks.social_security),
    rule("ip", "digits", r"(?<![\w.])(?<![vV])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\d|\w)", checks.public_ip),
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
        "figures",
        r"(?<![\w-])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\ ?\d{2}\ ?\d{2}\ ?\d{2}\ ?[A-D](?![\w-])",
    ),
    rule("national-id", "figures", r"(?<![\w-])[STFGM]\d{7}[A-Z](?![\w-])"),
    rule("tax-id", "figures", r"(?<![\w-])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![\w-])"),
    rule("tax-id", "figures", r"(?<![\w-])\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z](?![\w-])"),
    rule("tax-id", "figures", r"(?<![\w-])[a-z]{6}\d{2}[a-ehlmprst]\d{2}[a-z]\d{3}[a-z](?![\w-])", folded=True),
    rule("tax-id", "digits", r"(?<![\w-])(?:DE|ATU|IT|PL|ESB|NL)\d{8,11}(?![\w-])"),
    rule(
        "id-number",
        "ids",
        r"""\b(?:passport|driv\w{2,4}'?s?\ licen[cs]e|licen[cs]e\ (?:number|no)|national\ (?:id|insurance)|tax\ (?:id|number|file)|tin\b|social\ security|ssn|itin|nino|\bnhs|medicare|aadhaar|
        voter|\bnif\b|\bnie\b|\bdni\b|pasaporte|personalausweis|reisepass|steuer|ausweis|f[uü]hrerschein|krankenversicher|carta\ d|patente|codice\ fiscale|personnummer|orgnummer|
        identity\ (?:code|card|number)|id\ (?:card|number)|routing|account\ number|npi\b|plate\ number|registration|kimlik|certificate\ number|\bsin\b|\bnas\b|\bpan\b)
        [^\n\d]{0,30}?(?P<value>(?<![a-z0-9])(?=[a-z0-9 -]{0,16}\d[ -]?\d[ -]?\d)[a-z0-9](?:[- /]?[a-z0-9]){5,19})(?![a-z0-9])""",
        lambda value: len(checks.digits(value)) >= 4,
        folded=True,
    ),
)

RULES = (*SECRETS, *CHINESE, *PERSONAL, *NATIONAL)
