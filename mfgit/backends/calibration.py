"""What a model's cosines mean, for each language: measured on the model itself, with the questions below.

Models differ: two questions that have nothing to do with each other have a cosine of .11 in one (MiniLM, English) and of .81 in
another (multilingual E5), and one that was never taught a language has .52 for it. So the scale comes from the model: the mean
cosine of unrelated questions and its standard deviation. A model is not used for a language in which it doesn't tell the
wordings of one question from unrelated ones, or in which even equal texts stand out little.

How many deviations mean the same (`vector.strictness`) was set on a labelled stream of 10,000 real messages, so that 94 % of
the proposals are clean; docs/explanation/models.md has the figures.
"""

import math
import statistics
from collections.abc import Callable, Sequence
from typing import NamedTuple

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]

ENGLISH = """
how do i change the password of my account|how can i set a new account password
how do i cancel an order|how can i call off an order i placed
where can i download my invoice|where do i get the invoice for my purchase
why was my payment declined|what is the reason that my payment did not go through
how long does shipping take|how many days until my parcel arrives
how do i export my contacts|how can i save my contacts to a file
can i use the app without internet|does the app work offline
how do i invite a colleague to my team|how can i add a teammate to my workspace
how do i turn on dark mode|how can i switch the screen to a dark theme
why does the app keep crashing|what makes the app close by itself all the time
how do i return a damaged item|what should i do to send back a broken product
is my data encrypted|do you encrypt the information i store
how do i upgrade to the business plan|how can i move my subscription to business
how do i print the report|how can i get the report on paper
what is the limit for file uploads|how large may a file be that i upload
how do i reset the device to factory settings|how can i restore the device to how it was when new
where can i see my past orders|where do i find my order history
how do i connect the printer to wifi|how can i get my printer onto the wireless network
how do i delete my account|how can i close my account for good
can i pay with a gift card|do you accept gift cards as payment
"""
CHINESE = """
怎么修改账号密码|如何给账号设置新的密码
怎么取消订单|订单下错了如何撤销
在哪里下载发票|购买后去哪里获取发票
为什么付款失败|我的付款没有成功是什么原因
发货后多久能到|包裹要几天才能收到
怎么导出联系人|如何把联系人保存成文件
没有网络能使用这个应用吗|这个应用可以离线使用吗
怎么邀请同事加入团队|如何把同事添加到团队里
怎么打开深色模式|如何把界面换成深色主题
应用为什么总是闪退|软件老是自己关掉怎么回事
商品坏了怎么退货|收到破损的东西如何退回
我的数据加密了吗|你们会对我的信息加密吗
怎么升级到企业版|如何把套餐换成企业版
怎么打印报表|如何把报表打出来
上传文件最大多少|允许上传多大的文件
怎么恢复出厂设置|如何把设备还原成刚买时的状态
在哪里看以前的订单|历史订单去哪里查
打印机怎么连接无线网|如何让打印机连上wifi
怎么注销账号|如何永久关闭我的账户
可以用礼品卡付款吗|支持礼品卡支付吗
"""
PROBES = {"en": ENGLISH, "zh": CHINESE}
APART = 3.0
"""Standard deviations that the median of wordings of one question has to lie above unrelated questions."""
ROOM = 5.0
"""Standard deviations that a cosine of 1 has to lie above unrelated questions."""


class Scale(NamedTuple):
    """The cosine of unrelated questions in one language: its mean (`zero`) and its standard deviation."""

    zero: float
    deviation: float


def probes(lang: str) -> list[tuple[str, str]]:
    """Return pairs of wordings of one question; any two of different pairs are unrelated."""
    return [(one, other) for one, _, other in (line.partition("|") for line in PROBES[lang].strip().split("\n"))]


def calibrate(embed: Embed) -> dict[str, Scale]:
    """Return the scale of a model for each language that it can be used for."""
    found = {lang: scale(embed, probes(lang)) for lang in PROBES}
    return {lang: one for lang, one in found.items() if one is not None}


def scale(embed: Embed, pairs: Sequence[tuple[str, str]]) -> Scale | None:
    """Return the scale that pairs of wordings give, None for a model that is of no use for their language."""
    vectors = embed([text for pair in pairs for text in pair])
    first, second = vectors[::2], vectors[1::2]
    same = [cosine(one, other) for one, other in zip(first, second, strict=True)]
    unrelated = [cosine(a, b) for i, a in enumerate(first) for j, b in enumerate(second) if i != j]
    zero, deviation = round(statistics.fmean(unrelated), 4), round(statistics.pstdev(unrelated), 4)
    if not deviation or statistics.median(same) < zero + APART * deviation or zero + ROOM * deviation > 1:
        return None
    return Scale(zero, deviation)


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of two vectors of length 1."""
    return math.fsum(a * b for a, b in zip(one, other, strict=True))
