"""Made-up questions of which it is known who asks the same: an action on a thing, each said in two ways, in several sentences.

Half of the messages ask what nobody else asks. Neighbours share the action or the thing and are still other questions.
"""

import random
from typing import NamedTuple

EN_DO = (
    ("reset", "factory reset"),
    ("rename", "change the name of"),
    ("delete", "remove"),
    ("export", "download"),
    ("share", "send a link to"),
    ("archive", "put away"),
    ("restore", "bring back"),
    ("print", "get a printout of"),
    ("duplicate", "copy"),
    ("lock", "freeze"),
    ("translate", "translate"),
    ("schedule", "set a date for"),
    ("encrypt", "protect with a password"),
    ("merge", "combine"),
    ("import", "upload"),
    ("approve", "sign off"),
)
EN_THING = (
    ("invoice", "bill"),
    ("router", "router"),
    ("customer record", "customer entry"),
    ("sales report", "sales report"),
    ("calendar", "calendar"),
    ("thermostat", "thermostat"),
    ("contract", "contract"),
    ("price list", "list of prices"),
    ("team folder", "shared folder"),
    ("timesheet", "time sheet"),
    ("dashboard", "dashboard"),
    ("newsletter", "mailing"),
    ("warehouse order", "stock order"),
    ("backup", "backup"),
    ("survey", "questionnaire"),
    ("coupon", "voucher"),
    ("webhook", "webhook"),
    ("profile photo", "profile picture"),
    ("meeting room", "meeting room"),
    ("badge", "badge"),
    ("delivery note", "delivery slip"),
    ("payroll run", "payroll"),
    ("camera", "camera"),
    ("license key", "licence key"),
    ("ticket", "support ticket"),
    ("floor plan", "floor plan"),
)
EN_SAID = (
    "How do I {do} the {thing}?",
    "how can i {do} a {thing}",
    "What is the way to {do} the {thing}?",
    "Hi, I need to {do} my {thing}, how?",
    "Is it possible to {do} the {thing}?",
    "{do} {thing}",
    "Please tell me how to {do} the {thing}",
    "where do I {do} the {thing}? thanks",
)
ZH_DO = (
    ("重置", "恢复出厂设置"),
    ("改名", "修改名称"),
    ("删除", "删掉"),
    ("导出", "下载"),
    ("分享", "发给别人"),
    ("归档", "存档"),
    ("恢复", "找回"),
    ("打印", "打出来"),
    ("复制", "拷贝"),
    ("锁定", "冻结"),
    ("翻译", "翻译"),
    ("预约", "定时"),
    ("加密", "设密码"),
    ("合并", "并到一起"),
    ("导入", "上传"),
    ("审批", "批准"),
)
ZH_THING = (
    ("发票", "发票"),
    ("路由器", "路由"),
    ("客户资料", "客户信息"),
    ("销售报表", "销售报告"),
    ("日历", "日程表"),
    ("温控器", "温控"),
    ("合同", "合同"),
    ("价目表", "价格表"),
    ("共享文件夹", "团队文件夹"),
    ("考勤表", "考勤记录"),
    ("看板", "看板"),
    ("邮件简报", "简报"),
    ("入库单", "入库单据"),
    ("备份", "备份"),
    ("问卷", "调查问卷"),
    ("优惠券", "代金券"),
    ("接口密钥", "密钥"),
    ("头像", "头像"),
    ("会议室", "会议室"),
    ("门禁卡", "门卡"),
    ("送货单", "发货单"),
    ("工资单", "工资条"),
    ("摄像头", "摄像头"),
    ("许可证", "授权"),
    ("工单", "工单"),
    ("平面图", "平面图"),
)
ZH_SAID = (
    "怎么{do}{thing}？",
    "请问如何{do}{thing}",
    "{thing}怎么{do}啊",
    "{thing}要怎样{do}？谢谢",
    "你好，我想{do}{thing}，怎么操作",
    "可以{do}{thing}吗",
    "{do}{thing}",
    "在哪里{do}{thing}",
)


class Asked(NamedTuple):
    """A question, and the number of the group of those that ask the same."""

    text: str
    group: int


def stream(count: int, seed: int) -> list[Asked]:
    """Return `count` questions in a random order: half English, half Chinese; half of them in groups of 3 to 12."""
    rng = random.Random(seed)
    found: list[Asked] = []
    for actions, things, said in ((EN_DO, EN_THING, EN_SAID), (ZH_DO, ZH_THING, ZH_SAID)):
        pairs = [(action, thing) for action in actions for thing in things]
        rng.shuffle(pairs)
        wanted = len(found) + count // 2
        repeated = len(found) + count // 4
        for action, thing in pairs:
            if len(found) >= wanted:
                break
            size = min(rng.randint(3, 12), wanted - len(found)) if len(found) < repeated else 1
            group = len(found)
            found += [
                Asked(rng.choice(said).format(do=rng.choice(action), thing=rng.choice(thing)), group) for _ in range(size)
            ]
    rng.shuffle(found)
    return found
