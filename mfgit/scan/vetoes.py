"""What keeps two questions apart however alike their words are: question words, numbers, opposites, product names."""

import functools
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

QUESTION_WORDS = (
    ("how long", r"\bhow (?:long|soon|quick(?:ly)?|fast)\b|多久|多长时间|几天|几个月|几年|多少天"),
    ("how much", r"\bhow (?:much|many)\b|多少|几个|几块|几钱"),
    ("why", r"\bwhy\b|\bhow come\b|\bwhat(?: is| s)? the reason\b|为什么|为何|为啥|什么原因|怎么回事|咋回事|原因"),
    ("when", r"\bwhen\b|\bwhat time\b|什么时候|何时|几点|啥时候|几时|几号|哪天"),
    ("where", r"\bwhere\b|哪里|哪儿|在哪|何处|什么地方"),
    ("who", r"\bwho(?:m|se)?\b|谁(?!知道)|哪个人"),
    ("how", r"\bhow (?:do|can|to|should|would|could|does|did|might|is|are)\b|怎么(?!回事|样)|怎样|如何|咋(?!回事)|怎么办"),
)
FAMILIES = tuple((name, re.compile(pattern)) for name, pattern in QUESTION_WORDS)

OPPOSITES_EN = """
open close|enable disable|on off|add remove|add delete|install uninstall|login logout|subscribe unsubscribe|lock unlock
block unblock|activate deactivate|increase decrease|raise lower|upload download|import export|start stop
connect disconnect|before after|buy sell|send receive|deposit withdraw|deposit withdrawal|link unlink|mute unmute
allow deny|accept reject|max min|maximum minimum|first last|show hide|encrypt decrypt|push pull|debit credit
freeze unfreeze|physical virtual|from to|in out|with without|public private|join leave|up down|input output
personal business|check uncheck|save discard|follow unfollow|pair unpair|attach detach|mount unmount|pin unpin|undo redo
win lose|pass fail|male female|man woman|men women|children adult|boy girl|cat dog|hot cold|old new|pay receive
safe unsafe|possible impossible|legal illegal|compress decompress|encode decode|serialize deserialize
"""
OPPOSITES_ZH = """
开通 关闭|打开 关闭|开启 关闭|开启 停用|启用 停用|启用 禁用|开 关|登录 退出|登录 注销|注册 注销|开通 取消|开通 注销
开通 停用|增加 减少|提高 降低|提升 降低|升高 降低|添加 删除|添加 移除|安装 卸载|绑定 解绑|绑定 解除|关注 取关|锁定 解锁
冻结 解冻|上传 下载|导入 导出|开始 结束|开始 停止|连接 断开|之前 之后|买 卖|购买 出售|收入 支出|收款 付款|收钱 付钱
收款 还款|借款 还款|借钱 还钱|转入 转出|存入 取出|充值 提现|允许 禁止|接受 拒绝|最大 最小|最高 最低|最多 最少|最早 最晚
显示 隐藏|加密 解密|提前 延迟|提前 延期|提前 推迟|增大 缩小|放大 缩小|男 女|儿子 女儿|爸爸 妈妈|大人 小孩|成人 儿童
上涨 下跌|升值 贬值|左 右|早上 晚上|白天 晚上|春季 秋季|夏天 冬天|进口 出口|出去 进来|怀孕前 怀孕后|饭前 饭后|公开 私密
公司 个人|企业 个人|主卡 副卡|入党 退党|入职 离职|结婚 离婚|能 不能|可以 不可以|会 不会|有 没有|是 不是|需要 不需要
开了 没开|借呗 花呗|微信 支付宝
"""


def paired(text: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a list."""
    return tuple((pair.split()[0], pair.split()[1]) for pair in text.replace("\n", "|").split("|") if pair.strip())


ENGLISH, CHINESE = paired(OPPOSITES_EN), paired(OPPOSITES_ZH)
NUMBER = re.compile(r"\d+(?:\.\d+)*")
NUMERALS = {
    "一": "1",
    "二": "2",
    "两": "2",
    "三": "3",
    "四": "4",
    "五": "5",
    "六": "6",
    "七": "7",
    "八": "8",
    "九": "9",
    "十": "10",
}
NUMERAL = re.compile(
    r"[一二两三四五六七八九十](?=[年月天周岁次个号点期块元万千百级胎季部集代线楼卡])|(?<=第)[一二三四五六七八九十]"
)


class Traits(NamedTuple):
    """What of a question can veto: its question words, numbers, the words on either side of an opposite, and names."""

    asks: frozenset[str]
    numbers: frozenset[str]
    words: frozenset[str]
    text: str
    names: frozenset[str]


class Veto(NamedTuple):
    """Why two alike questions were kept apart: a kind and what differs, in words."""

    kind: str
    what: str


def traits(normal: str, names: frozenset[str] = frozenset()) -> Traits:
    """Return the traits of a normalised question; `names` are product names, single words as normalising leaves them."""
    words = frozenset(re.findall(r"[a-z0-9+#.]+", normal))
    numbers = set(NUMBER.findall(normal)) | {NUMERALS[numeral] for numeral in NUMERAL.findall(normal)}
    return Traits(asked(normal), frozenset(numbers), words, normal, words & names)


@functools.lru_cache(65536)
def asked(normal: str) -> frozenset[str]:
    """Return the question words of a text; the longer ones hide the shorter they hold."""
    found = [name for name, pattern in FAMILIES if pattern.search(normal)]
    if "how long" in found or "how much" in found:
        found = [name for name in found if name not in ("how", "how much" if "how long" in found else "")]
    return frozenset(found)


def veto(one: Traits, other: Traits) -> Veto | None:
    """Return why the two must stay apart, None when nothing speaks against them."""
    if one.asks and other.asks and not one.asks & other.asks:
        return Veto("question word", differ(one.asks, other.asks))
    if one.numbers != other.numbers:
        return Veto("number", differ(one.numbers - other.numbers, other.numbers - one.numbers))
    if one.names - other.names and other.names - one.names:
        return Veto("name", differ(one.names - other.names, other.names - one.names))
    return opposite(one, other)


def opposite(one: Traits, other: Traits) -> Veto | None:
    """Return the opposite pair of which each question has one side only."""
    only, others = one.words - other.words, other.words - one.words
    if only and others:
        for a, b in ENGLISH:
            if (a in only and b in others) or (b in only and a in others):
                return Veto("opposite", f"{a} / {b}")
    return opposite_zh(one.text, other.text) if one.text != other.text else None


def opposite_zh(one: str, other: str) -> Veto | None:
    """Return the Chinese opposite pair of which each text has one side only."""
    for a, b in CHINESE:
        if a in b or b in a:
            longer = max(a, b, key=len)
            if (has_only(one, a, b) and longer in other) or (has_only(other, a, b) and longer in one):
                return Veto("opposite", f"{a} / {b}")
        elif (a in one and b not in one and b in other and a not in other) or (
            b in one and a not in one and a in other and b not in other
        ):
            return Veto("opposite", f"{a} / {b}")
    return None


def apart(one: str, other: str, a: str, b: str) -> bool:
    """Whether one text has only `a` and the other only `b`."""
    return a in one and b not in one and b in other and a not in other


def has_only(text: str, a: str, b: str) -> bool:
    """Whether a text has the shorter side of a pair and not the longer one that holds it."""
    return min(a, b, key=len) in text and max(a, b, key=len) not in text


def differ(one: Iterable[str], other: Iterable[str]) -> str:
    """Return two sets in words."""
    return f"{' '.join(sorted(one)) or 'none'} / {' '.join(sorted(other)) or 'none'}"


def vetoed(pairs: Iterable[tuple[int, int]], found: Mapping[int, Traits]) -> dict[tuple[int, int], Veto]:
    """Return the vetoes among pairs of rows."""
    checked = ((pair, veto(found[pair[0]], found[pair[1]])) for pair in pairs)
    return {pair: reason for pair, reason in checked if reason is not None}
