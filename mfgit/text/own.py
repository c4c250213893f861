"""What askers tell of themselves in a question: their names, accounts and numbers, which say nothing of what they ask.

Whole clauses go (`without_clauses`), and what is left of such values within a sentence (`without_values`), so that questions
of many people are one question. It imports nothing of `questions`, which builds its normal form with it.
"""

import re

from mfgit.text import personal_words as words

MARK = r"\[redacted:[a-z-]+\]"
PHONE = r"\+?\d[\d ()-]{5,}\d"
WRITTEN = r"#?(?=[A-Za-z\d_.@+-]*[\d_@])(?!\d{1,2}(?:\.\d+)*\b)[A-Za-z\d_.@+-]*[A-Za-z\d_]"
VALUE = rf"(?:(?:{MARK}|{PHONE}|{WRITTEN})(?:\s?[/,、;；，&]\s?(?:{MARK}|{PHONE}))*)"
"""A mark, a number as of a phone, or a word with a digit, an underscore or an @ in it."""
NOUN = rf"(?:{words.KIND_EN}|user|login|log-in|card|e-?mail|phone|telephone|mobile|cell|contact|username|user ?id|handle|id)"
NOUNS = rf"(?:{NOUN}(?: {NOUN}){{0,2}}(?: (?:numbers?|no\.?|nr|ids?|name|address|code))?)"
IS = r"(?:\s*(?:[:=#]|\b(?:is|was|are)\b)\s*[:#]?\s*)"
CALL = (
    r"(?:please |pls |kindly |you (?:can|may|could) )?"
    r"(?:call|text|ring|phone|reach|contact|e-?mail|write(?: to)?|reply(?: to)?) me"
    rf"(?: back)?(?: by (?:phone|mail|e-?mail))?(?: at| on| under| via|:)? {VALUE}(?: or {VALUE})?"
)
TOLD_EN = (
    rf"(?:(?i:(?:(?:and |with )?my|our|the) (?:{NOUNS} and my )?{NOUNS}{IS}[\"“']?{VALUE}[\"”']?|{CALL})"
    rf"|(?i:my (?:full )?name is) {words.NAME})"
)
ALSO = r"(?:\s*,\s*(?:(?i:and)\s+)?|\s*;\s*|\s+(?i:and)\s+)"
BESIDE = rf"(?i:(?:my )?{NOUNS}\s?(?:#|:|\b(?:no\.?|nr|number|id)\b|(?<=id)|(?<=number))\s*#?\s*{VALUE})"
"""A number beside a name, as in `this is Jane Doe, member id 4711,`."""
CLAUSE_EN = re.compile(
    rf"(?P<before>^\s*|(?<=[.!?\n])\s*|\s*[,;(–]\s*(?:(?i:and)\s+)?|\s+(?i:and)\s+|\s+(?=My\b))"
    rf"{TOLD_EN}(?:{ALSO}{TOLD_EN}){{0,3}}"
    r"(?P<after>\s*(?:[.!;)]+|,(?:\s*(?:and|but|so)\b)?|\s(?:and|but|so)\b)\s*|\s*(?=[?]|$))"
)
PRESENTED_EN = re.compile(
    rf"^\s*(?:{words.HELLO}[,!.]? )?(?:(?i:this is|i['’]m|i am|it['’]s) )?{words.NAME}(?: here)?,? (?:\()?"
    rf"{BESIDE}\)?(?:{ALSO}{BESIDE})?\s*[,.;:!)-]+\s*"
)
LABEL_ZH = (
    r"(?:(?:订单|运单|快递|物流|工单|流水|交易|发票|会员|客户|用户|登录|注册|合同|保单|手机|电话|联系|微信|邮箱|邮件|卡|银行卡)"
    r"{1,2}(?:账号|帐号|账户|号码?|编号|名|方式|地址|ID|id)?|账号|帐号|账户|用户名|登录名|昵称)"
)
CLAUSE_ZH = re.compile(
    r"(?P<before>^|(?<=[。！？!?\n])|[，,；;、（(]\s*|\s+)"
    rf"(?:(?:我的?|本人的?|这是我的?)?{LABEL_ZH}(?:是|为|叫|[:：#＃])?\s*{VALUE}"
    rf"|(?:(?:您好|你好)[，,！!]?\s*)?(?:我叫|我的名字(?:是|叫)|本人){words.NAME_ZH}"
    rf"|(?:(?:您好|你好)[，,！!]?\s*)?我是{words.NAME_ZH_SURE}"
    rf"|(?:请|麻烦)?(?:您|你)?(?:尽快)?(?:打|拨打|联系|回复|回电)我?(?:的?(?:电话|手机|微信|邮箱))?[:：]?\s*{VALUE})"
    r"(?P<after>\s*[，,；;、）)]\s*|\s*[。！!]\s*|\s*$)"
)
POINTING = re.compile(r"\b(?:it|its|them|they|one)\b|它|这个|这张|这笔|该", re.IGNORECASE)
"""Words of a question that mean what the clause before named, which has to stay then."""
ALONE = re.compile(rf"(?:\b(?:is|at|to|with|for|from|of|on)\s+|[:：是为]\s*)?{MARK}")
GAPS = re.compile(r"\s+(?=[,.;:!?，。；：！？)）])|(?<=[(（])\s+|[(（]\s*[)）]")


def without_clauses(text: str) -> str:
    """Return a text without the clauses in which askers tell their names, accounts and numbers; as it is without any."""
    if not telling(text):
        return text
    left = PRESENTED_EN.sub("", text, count=1)
    for _ in range(3):
        before = left
        left = clause_out(CLAUSE_ZH, clause_out(CLAUSE_EN, left))
        if left == before:
            break
    if left == text:
        return text
    left = GAPS.sub("", left).strip(" ,，;；、")
    return capital(left) if left and not (POINTING.search(left) and not POINTING.search(taken(text, left))) else text


def telling(text: str) -> bool:
    """Tell whether a text may hold such a clause: one that has no figure, no mark and names nobody holds none."""
    return bool(re.search(r"[\d_@]|\[redacted:|(?i:name is)|我叫|我是|名字|本人", text))


def clause_out(pattern: re.Pattern[str], text: str) -> str:
    """Return a text without what a pattern of clauses finds: the stop at its end stays where a sentence goes before."""
    return pattern.sub(lambda found: joint(found, text), text)


def joint(found: re.Match[str], text: str) -> str:
    """Return what stands in the place of a clause."""
    before, after = found["before"], found["after"].strip()
    head = text[: found.start()].rstrip()
    if not head or head[-1] in ".!?。！？":
        return " " if head else ""
    if not text[found.end() :].strip():
        return after if after in (".", "!", "。", "！") else ""
    return f"{after} " if after[:1] in ".。!！" else before


def taken(text: str, left: str) -> str:
    """Return nothing for a text of which a sentence of its own was taken, so that no word can point to it."""
    return "it" if text.startswith(left.rstrip(".。!！?？")[:20]) else ""


def without_values(text: str) -> str:
    """Return a text without the values of one person that are left within its sentences."""
    plain = ALONE.sub(" ", words.ASKER.sub("", text))
    for pattern in words.NUMBERS:
        plain = pattern.sub(cut, plain)
    return text if plain == text else GAPS.sub("", " ".join(plain.split())).strip(" ,，;；:：、-")


def cut(found: re.Match[str]) -> str:
    """Return what is left where a value was: the word that says what it is."""
    kept = found.groupdict().get("kind")
    return (kept if words.HAN.match(kept[-1]) else f"{kept} ") if kept else " "


def capital(text: str) -> str:
    """Return a sentence that lost its beginning with a capital, where its first word is a plain one."""
    first = re.match(r"[a-z]+(?![\w.(/-])", text)
    plain = first is not None and (first[0] in words.PLAIN_STARTS or (len(first[0]) > 5 and first[0].endswith("ing")))
    return text[0].upper() + text[1:] if plain else text
