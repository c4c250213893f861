"""Rules for passwords, keys and tokens."""

from mfgit.redact import checks, likely
from mfgit.redact.rules import rule

PASSWORDS = r"""
    pass(?:wor[dt]|wd|phrase|code|key|wort)?(?![a-z]{2}) | psw(?:or)?d | \bpw(?![a-z]) | contrase\w{1,3}a
    | pwd | secret | token | credential | api[-_.\ ]?key | authorization | auth[-_.]?(?:token|code|pass|string) | \bsalt
    | nonce | webhook
    | (?:access|private|auth|secret|signing|encryption|shared|account|master|app|client|service|license|subscription
        |consumer|admin|deploy|session|storage|integration|write|read)[-_.\ ]?key
    | 密码 | 口令 | 密钥 | 令牌 | 私钥 | 秘钥"""
"""Words beside which a short value is a secret, in small letters."""
NAMES = r"""
    (?<!idempotency[-_ ])key|auth|api|pat|signature|cred|oauth|access|private|license
    |cookie|sas|sig|pass"""
"""Words beside which only a value that looks drawn by lot is a secret."""
IDS = r"id|hash|client|session|account|login|user"
"""The same, where a UUID only says which one is meant."""
CLOSING = r"""(?:\[\w*\])? ["'`\])}>]{0,3} (?:\s(?:string|str|char|value)(?=\s{0,2}[:=]))? [^\S\n]{0,4}"""
"""What may stand between a name and the sign that gives it a value."""
GIVES = r"""(?: => | :{1,3}= | [?.]= | ={1,3} | !={1,2} | [:：|,→] | 是 | 为 | \bis\b | -(?=\s) ) [^\S\n]{0,4}"""
IDENTIFIED = r"""id["'\s:=：]{1,4}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])"""
"""A UUID that is said to be an id."""
OPENING = r"""(?:\w{1,20}\()? [bru@$]{0,2} (?P<quote>\\?["'`]{1,3})"""
BARE = r"""[^\s"'`,;|（），。；、：！？】」\u4e00-\u9fff]"""
LAST = r"""[^\s"'`.,;:!?)\]|）（，。；、：！？】」\u4e00-\u9fff]"""
"""A character of a value without quotes, and the last one of it."""
WORD = r"[\w.@'’/-]{1,30}"
"""One of the words that say whose a password is: of the server, for Ann's account."""
LEFT, RIGHT = r"(?<![0-9A-Za-z_])", r"(?![0-9A-Za-z_])"
PREFIXES = r"""
    gh[pousr]_ | github_pat_ | gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct|rtr|wt)-
    | xox[abceposr]- | xapp- | xwfp-
    | [a-z]k_(?:live|test|prod)_ | hf_ | api_org_ | npm_ | pypi- | rubygems_ | do[pors]_v1_ | shp[a-z]{2}_ | sq0[a-z]{3}-
    | dapi(?=[0-9a-f]) | dckr_[a-z]+_ | dp\.[a-z]+\.
    | hv[sbr]\. | pul- | fig[a-z]{1,3}_ | lin_(?:api|oauth)_ | ntn_ | ops_ey
    | gl(?:c|sa)_ | NR[A-Z]{2}- | PMAK- | rpa_ | r8_ | tskey- | xkeysib- | xsmtpsib-
    | vc[pciark]_ | cf[a-z]{1,3}t_
    | AT(?:BB|CTT|ATT) | BBDC- | CCIPAT_ | AGE-SECRET-KEY- | access_token\$ | amzn\.mws\. | aio_ | sgp_ | tvly-
    | gsk_ | xai-
    | pplx- | nvapi- | fo1_ | sk-(?:ant|proj|or|svcacct|admin)- | EAAA | EAAC | sntry[a-z]_ | phc_ | phx_ | ubi_ | whsec_
    | CFPAT- | ico- | v2\.local\. | pat-[a-z]{2}\d- | sub-c- | pub-c- | sec-c- | dt0[a-z]\d\d\."""
"""How keys of services begin that can be nothing else."""
SHORT_PREFIXES = r"""
    sk- | (?:live|test|prod)_ | EAA | SK | AC | key- | atlasv1\. | pat[A-Z0-9._-] | secret_ | A3- | vercel_
    | sl\. | fw_
    | api_ | token_ | app_ | pk_ | pk\. | sk\. | tkn\. | cosmo_"""
"""How keys begin that may be something else, so that the rest has to look drawn by lot."""

SECRETS = (
    rule(
        "private-key",
        "begin",
        r"""-----BEGIN[A-Z0-9 ]*PRIVATE\ KEY[A-Z0-9 ]*----- (?:
            (?:(?!-----BEGIN)[\s\S]){0,20000}? -----END[A-Z0-9 ]*PRIVATE\ KEY[A-Z0-9 ]*-----
            | (?: [\s\\nr"'+,#*:.-]{0,40} [A-Za-z0-9+/=]{16,} )* )""",
    ),
    rule(
        "private-key",
        "begin",
        r"PuTTY-User-Key-File-\d: (?:(?!PuTTY-User)[\s\S]){40,8000}? Private-(?:MAC|Hash): \s* [0-9a-f]+",
    ),
    rule(
        "url-password",
        "scheme",
        r"://[^\s/:@\"'<>]{0,200} : (?P<value>[^\s/@\"'<>$%{(]{2}[^\s/@\"'<>]{0,200}?"
        r"|%[0-9A-F]{2}[^\s/@\"'<>]{1,200})@(?=[\w\[])",
    ),
    rule(
        "jwt",
        "long",
        r"(?<![A-Za-z0-9_-])ey[JH][A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,}){1,4}\.?[A-Za-z0-9_-]*",
        hints="eyJ eyH",
    ),
    rule(
        "aws-key",
        "long",
        rf"{LEFT}(?:AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{{16}}{RIGHT}",
        hints="AKIA ASIA AGPA AIDA AROA AIPA ANPA ANVA ABIA ACCA A3T",
    ),
    rule("alibaba-key", "long", rf"{LEFT}LTAI[A-Za-z0-9]{{12,26}}{RIGHT}", hints="LTAI"),
    rule("tencent-key", "long", rf"{LEFT}AKID[A-Za-z0-9]{{13,40}}{RIGHT}", hints="AKID"),
    rule(
        "google-key",
        "long",
        r"(?<![\w-])AIza[\w-]{30,45}|(?<![\w-])ya29\.[\w-]{20,}|(?<![\w-])GOCSPX-[\w-]{20,}",
        hints="AIza ya29. GOCSPX-",
    ),
    rule("token", "words", r"_authtoken\s{0,3}=\s{0,3}(?P<value>[^\s\"'$]{4,200})", folded=True, hints="_authtoken"),
    rule("wallet", "long", rf"{LEFT}[13][1-9A-HJ-NP-Za-km-z]{{25,34}}{RIGHT}", checks.base58_check),
    rule("wallet", "long", rf"{LEFT}bc1[02-9ac-hj-np-z]{{20,60}}{RIGHT}", hints="bc1"),
    rule(
        "chat-webhook",
        "scheme",
        r"""https?://(?: hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers) | discord(?:app)?\.com/api/webhooks
            | hooks\.zapier\.com/hooks/catch | outlook\.office\.com/webhook/ | [\w.-]+\.webhook\.office\.com
            | oapi\.dingtalk\.com/robot/send\?access_token= | qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=
            | open\.(?:feishu|larksuite)\.(?:cn|com)/open-apis/bot/v2/hook ) [/\w@.=&?+-]{8,}""",
        hints="hooks. discord outlook. .webhook. oapi. qyapi. open.",
    ),
    rule(
        "token",
        "long",
        rf"(?<![A-Za-z0-9-])(?:{PREFIXES})[A-Za-z0-9_.$=/+-]{{14,400}}",
        likely.prefixed,
    ),
    rule("token", "long", rf"(?<![A-Za-z0-9_.-])(?:{SHORT_PREFIXES})[A-Za-z0-9_.$=/+-]{{14,400}}", likely.keyed),
    rule(
        "token",
        "long",
        r"(?<![a-z])(?:KEY|SECRET|ACCESS|PRIVATE|TOKEN)[\s-]{1,3}(?P<value>[A-Za-z0-9_.=-]{14,400})",
        likely.dense,
        hints="KEY SECRET ACCESS PRIVATE TOKEN",
    ),
    rule(
        "password",
        "words",
        rf"(?:{PASSWORDS})[\w.-]{{0,40}} {CLOSING} {GIVES} {OPENING} (?P<value>[^\n]{{4,400}}?) (?P=quote)",
        likely.quoted,
        folded=True,
        starts="passwords",
    ),
    rule(
        "password",
        "words",
        rf"(?:{PASSWORDS})[\w.-]{{0,40}} [^\S\n]{{0,4}} {OPENING} (?P<value>[^\s\"'`]{{4,400}}?) (?P=quote)",
        likely.bare,
        folded=True,
        starts="passwords",
    ),
    rule(
        "password",
        "words",
        rf"(?P<quote>[\"'`])(?P<value>[^\s\"'`]{{6,400}})(?P=quote) "
        rf"\s{{0,4}} [=!]={{1,2}} \s{{0,4}} [\w.$-]{{0,40}}?(?:{PASSWORDS})",
        likely.bare,
        folded=True,
        hints="== !=",
    ),
    rule(
        "password",
        "words",
        rf"(?:{PASSWORDS})[\w.-]{{0,40}} {CLOSING} {GIVES} (?:(?:bearer|basic|token)\s+)? [\"'`]? "
        rf"(?P<value>{BARE}{{3,400}}{LAST})",
        likely.bare,
        folded=True,
        starts="passwords",
    ),
    rule(
        "password",
        "words",
        rf"(?:{PASSWORDS})s?[^\S\n](?:of|for|to|on|at)[^\S\n]{WORD}(?:[^\S\n]{WORD}){{0,4}}?[^\S\n]? "
        rf"(?:\b(?:is|was)\b|[:=])[^\S\n]{{0,2}} [\"'`]? (?P<value>{BARE}{{3,100}}{LAST})",
        likely.mixed,
        folded=True,
        starts="passwords",
    ),
    rule(
        "password",
        "words",
        rf"(?:{PASSWORDS}|identified\s+by)[^\S\n]{{1,4}}(?P<value>{BARE}{{5,100}}{LAST})",
        likely.mixed,
        folded=True,
        starts="passwords",
    ),
    rule(
        "secret",
        "words",
        rf"(?:{PASSWORDS}|bearer|basic|ntlm|digest)[\w.-]{{0,40}}? (?:(?!{IDENTIFIED})[\s\S]){{0,30}}? "
        r"(?<![\w+/])(?P<value>[A-Za-z0-9_+/=.~!\#$%^&*-]{12,400})",
        likely.keyed,
        folded=True,
        starts="passwords",
    ),
    rule(
        "secret",
        "long",
        rf"(?:{NAMES})(?![A-Za-z]){CLOSING} (?:{GIVES}|(?<=[\s\"'`])) (?:\w{{1,20}}\()? [\"'`]{{0,3}} "
        r"(?P<value>[A-Za-z0-9_+/=.:~$-]{16,400})",
        likely.keyed,
        folded=True,
        starts="names",
    ),
    rule(
        "secret",
        "long",
        rf"(?:{IDS})(?![A-Za-z]){CLOSING} (?:{GIVES}|(?<=[\s\"'`])) (?:\w{{1,20}}\()? [\"'`]{{0,3}} "
        r"(?P<value>[A-Za-z0-9_+/=.:~$-]{16,400})",
        likely.keyed_beside_id,
        folded=True,
        starts="ids",
    ),
    rule("password", "words", r"mysql[^\n]{0,80}?\s-p(?P<value>[^\s\"'$<-][^\s\"'$<]{3,60})", folded=True, hints="mysql"),
    rule(
        "password",
        "words",
        r"(?:密码|口令|密钥)\s{0,2}(?P<value>[A-Za-z0-9!@\#$%^&*._-]{6,64})(?![A-Za-z0-9])",
        likely.numbered,
        hints="密码 口令 密钥",
    ),
    rule(
        "password", "words", r"\s(?:-u|--user)[\s=]{0,2}[\"']?(?P<value>[^\s:\"'$<]{0,60}:[^\s\"'$]{4,100})", hints="-u --user"
    ),
    rule(
        "password-hash",
        "dollar",
        r"(?<![\w$])\$(?:2[abxy]|[1568]|y|argon2\w{1,2}|apr1|krb5\w*|scrypt|pbkdf2[\w-]*)\$[./A-Za-z0-9$=,:*@+-]{20,2000}",
    ),
    rule("secret", "long", r"(?<![A-Za-z0-9_/+.@#%&:-])[A-Za-z0-9_+-]{20,400}={0,2}(?![A-Za-z0-9_/.])", likely.token),
    rule(
        "secret",
        "long",
        r"(?<![A-Za-z0-9_/+.=@#%&,-])(?=[A-Za-z0-9/]{0,200}[+/=])[A-Za-z0-9+/]{40,2000}={0,2}(?![A-Za-z0-9_/.-])",
        likely.base64,
    ),
)
