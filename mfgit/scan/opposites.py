"""Opposites and numerals in both languages: the one list for questions (`vetoes`) and for answers (`contradictions`)."""

import re
from collections.abc import Set

OPPOSITES_EN = """
open close|enable disable|on off|add remove|add delete|install uninstall|login logout|subscribe unsubscribe|lock unlock
block unblock|activate deactivate|increase decrease|raise lower|upload download|import export|start stop
connect disconnect|before after|buy sell|send receive|deposit withdraw|deposit withdrawal|link unlink|mute unmute
allow deny|accept reject|max min|maximum minimum|first last|show hide|encrypt decrypt|push pull|debit credit
freeze unfreeze|physical virtual|from to|in out|with without|public private|join leave|up down|input output
personal business|check uncheck|save discard|follow unfollow|pair unpair|attach detach|mount unmount|pin unpin|undo redo
win lose|pass fail|male female|man woman|men women|children adult|boy girl|cat dog|hot cold|old new|pay receive
safe unsafe|possible impossible|legal illegal|compress decompress|encode decode|serialize deserialize|always never
true false|required optional|left right|clockwise anticlockwise|clockwise counterclockwise|free paid|safe dangerous
"""
OPPOSITES_ZH = """
开通 关闭|打开 关闭|开启 关闭|开启 停用|启用 停用|启用 禁用|开 关|登录 退出|登录 注销|注册 注销|开通 取消|开通 注销
开通 停用|增加 减少|提高 降低|提升 降低|升高 降低|添加 删除|添加 移除|安装 卸载|绑定 解绑|绑定 解除|关注 取关|锁定 解锁
冻结 解冻|上传 下载|导入 导出|开始 结束|开始 停止|连接 断开|之前 之后|买 卖|购买 出售|收入 支出|收款 付款|收钱 付钱
收款 还款|借款 还款|借钱 还钱|转入 转出|存入 取出|充值 提现|允许 禁止|接受 拒绝|最大 最小|最高 最低|最多 最少|最早 最晚
显示 隐藏|加密 解密|提前 延迟|提前 延期|提前 推迟|增大 缩小|放大 缩小|男 女|儿子 女儿|爸爸 妈妈|大人 小孩|成人 儿童
上涨 下跌|升值 贬值|左 右|早上 晚上|白天 晚上|春季 秋季|夏天 冬天|进口 出口|出去 进来|怀孕前 怀孕后|饭前 饭后|公开 私密
公司 个人|企业 个人|主卡 副卡|入党 退党|入职 离职|结婚 离婚|能 不能|可以 不可以|会 不会|有 没有|是 不是|需要 不需要
开了 没开|借呗 花呗|微信 支付宝|支持 不支持|免费 收费|顺时针 逆时针
"""


def paired(text: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a list."""
    return tuple((pair.split()[0], pair.split()[1]) for pair in text.replace("\n", "|").split("|") if pair.strip())


ENGLISH, CHINESE = paired(OPPOSITES_EN), paired(OPPOSITES_ZH)
SIDES = frozenset(word for pair in ENGLISH for word in pair)
"""English words that have an opposite."""
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


def numbers_asked(normal: str) -> frozenset[str]:
    """Return the numbers of a normalised question, Chinese numerals as digits."""
    return frozenset(NUMBER.findall(normal)) | {NUMERALS[numeral] for numeral in NUMERAL.findall(normal)}


def opposite_en(one: Set[str], other: Set[str]) -> str:
    """Return the English opposite of which each set of words has one side only, nothing when there is none."""
    only, others = one - other, other - one
    if only and others:
        for a, b in ENGLISH:
            if (a in only and b in others) or (b in only and a in others):
                return f"{a} / {b}"
    return ""


def opposite_zh(one: str, other: str) -> str:
    """Return the Chinese opposite of which each text has one side only, nothing when there is none."""
    for a, b in CHINESE:
        if a in b or b in a:
            longer = max(a, b, key=len)
            if (has_only(one, a, b) and longer in other) or (has_only(other, a, b) and longer in one):
                return f"{a} / {b}"
        elif (a in one and b not in one and b in other and a not in other) or (
            b in one and a not in one and a in other and b not in other
        ):
            return f"{a} / {b}"
    return ""


def has_only(text: str, a: str, b: str) -> bool:
    """Whether a text has the shorter side of a pair and not the longer one that holds it."""
    return min(a, b, key=len) in text and max(a, b, key=len) not in text
