"""Messages that lean on what was said before: `it still fails`, `what about on iPhone?`, 还是不行, 那安卓呢.

Their own words don't say what they are about, so they are never compared with other questions. The lists were written
down by us.
"""

import functools
import re

from mfgit.text.tokens import ENGLISH_STOP_WORDS

WORDS_EN, TERMS_EN, CHARACTERS_ZH = 9, 3, 14
"""A follow-up has at most so many words and terms of its own, or so many Chinese characters."""

LEAD_EN = re.compile(
    r"(?:(?:and|but|so|ok|okay|then|or|hmm|well) )*(?:what|how) about\b"
    r"|(?:and|but|or) (?:also )?(?:for|on|in|with|without|from|at|if|when|the|my|our|this|that|these|those|to)\b"
    r"|(?:and|or) (?:what|how) if\b|same (?:thing|question|problem|issue|error) (?:for|on|in|with)\b"
)
ASKS_EN = re.compile(
    r"\b(?:why|where|who|which|whose|can|could|do|does|did|should|would|will|is|are|how (?!about|if)|what (?!about|if))\b"
)
LEAD_ZH = re.compile(
    r"(?:那|那么|那如果|那要是|那换成|如果是|要是|换成|换做|至于).{1,9}(?:呢|行吗|行不行|可以吗|也可以吗|也行吗|也一样吗|能用吗)$"
)
THEN_ZH = re.compile(
    r"(?:那|那么)(?:我|你们?|您)?(?:也|还|就)?(?:可以|可不可以|能|能不能|能够|行不行)也?(?:用|使|改|换|走|刷|选|给).{1,6}(?:吗|么)?$"
)
"""那可以用微信吗: what else could be used instead of what was said before."""
BARE_ZH = re.compile(r"(?!我|你|他|您|人).{1,3}呢$")
ASKS_ZH = re.compile(r"怎么|怎样|如何|什么|为何|哪|谁|几|多少|多久|是否|能否|是不是|有没有|吗.")

HOLLOW_EN_TEXT = """
work works worked working fail fails failed failing failure still yet again same problem problems issue issues error errors
wrong broken happen happens happened happening tried try trying tries keep keeps kept thing things anything something nothing
doing happening one ones way else instead either though anyway fix fixed correct right ok okay yes no hi now even always never
see saw seeing say says said saying back stuck unfortunately sorry please thanks first
"""
HOLLOW_EN = frozenset(HOLLOW_EN_TEXT.split())
"""What complaints are made of, besides stop words."""
HOLLOW_ZH = """
还是不行|还是不能|还是不可以|还是不对|还是没用|还是失败|还是报错|还是这样|还是一样|还是没有|还是打不开|还是用不了|还是|依然|仍然|依旧
仍旧|不行|不能用|不可以|不对|没用|没有用|没反应|没有反应|没效果|没解决|没有解决|不起作用|不管用|不好使|不好用|用不了|打不开|进不去
失败了|失败|报错了|报错|出错了|出错|有问题|这样|那样|一样|同样|不能|不成功|没成功|没变化|没有变化|试过了|试了|我试过了|我试了|已经试过了
都试过了|都试了|试了还是|按你说的|照你说的|按照你说的|照做了|按这个方法|这个方法|这个办法|这种方法|你说的|你给的|上面的|上述方法|方法|问题
了|啊|呀|呢|吧|嘛|的|我|也|都|就|又|再|怎么还|为什么还|怎么办|怎么回事|为什么|那怎么办|那|这个|那个|它|这|是|还|怎么|现在|总是|一直
"""
CHAIN_ZH = re.compile(
    "(?:" + "|".join(sorted((w for w in HOLLOW_ZH.replace("\n", "|").split("|") if w), key=lambda w: (-len(w), w))) + ")+"
)


@functools.lru_cache(65536)
def leans(plain: str) -> bool:
    """Whether a folded text without punctuation leans on what was said before."""
    if plain.isascii():
        return leans_en(plain)
    text = plain.replace(" ", "")
    return len(text) <= CHARACTERS_ZH and leans_zh(text)


def leans_en(text: str) -> bool:
    """Whether an English message starts as a follow-up, or has no word that says what it is about."""
    words = text.split()
    if len(words) > WORDS_EN:
        return False
    own = [word for word in words if word not in ENGLISH_STOP_WORDS and word not in HOLLOW_EN]
    if not own:
        return True
    return bool(LEAD_EN.match(text)) and len(own) <= TERMS_EN and not ASKS_EN.search(text)


def leans_zh(text: str) -> bool:
    """Whether a Chinese message starts as a follow-up, or is made of nothing but complaints."""
    if THEN_ZH.fullmatch(text):
        return True
    if ASKS_ZH.search(text):
        return CHAIN_ZH.fullmatch(text) is not None
    return bool(CHAIN_ZH.fullmatch(text) or LEAD_ZH.match(text) or BARE_ZH.fullmatch(text))
