"""Rules for personal data of China, Hong Kong and Taiwan."""

from mfgit.redact import checks
from mfgit.redact.keys import LEFT, RIGHT
from mfgit.redact.rules import rule

PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
"""The characters that plates begin with."""

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
        rf"""[{PROVINCES}使领] [A-HJ-NP-Z] [·•\s]? (?=[A-Z0-9]*\d[A-Z0-9]*\d) [A-HJ-NP-Z0-9]{{4,5}}
            [A-HJ-NP-Z0-9挂学警港澳] (?![A-Za-z0-9]) | [{PROVINCES}]\d{{5}}[领使]""",
    ),
    rule("hk-id", "figures", rf"{LEFT}[A-Z]{{1,2}}\d{{6}}[(（][0-9A][)）]", checks.hongkong_id),
    rule("tw-id", "digits", rf"{LEFT}[A-Z][12]\d{{8}}{RIGHT}", checks.taiwan_id),
    rule("vin", "figures", rf"{LEFT}[A-HJ-NPR-Z0-9]{{17}}{RIGHT}", checks.vin),
    rule(
        "id-number",
        "figures",
        r"(?:护照|通行证|驾照|驾驶证|档案编号|军官证|港澳|台胞证|社保|医保|学号|工号|车架号|发动机号)"
        r"[^\n\d]{0,12}?(?P<value>[A-Z]{0,3}[-\s]?\d{6,18}[A-Z]?)(?![\dA-Za-z])",
    ),
    rule(
        "code",
        "figures",
        r"(?:验证码|校验码|动态码|取件码|提取码)(?:是|为|[:：\s]){1,4}(?P<value>[0-9A-Za-z]{4,8})(?![0-9A-Za-z])",
        lambda value: bool(checks.digits(value)),
    ),
)

LABELLED = (
    rule(
        "account",
        "figures",
        r"(?:银行账?[号户]|收款账[号户]|账号|帐号|卡号|支付宝号?)[^\n\d]{0,8}?(?P<value>\d(?:[ -]?\d){9,24})(?![\dA-Za-z])",
        checks.several,
    ),
    rule("account", "figures", r"(?:QQ|qq)(?:号码?|群)?\s{0,2}[:：是为]?\s{0,2}(?P<value>[1-9]\d{4,10})(?!\d)"),
    rule(
        "account", "labels", r"(?:微信号?|VX|vx|wechat(?:\ id)?)\s{0,2}[:：是为]\s{0,2}(?P<value>[A-Za-z][\w-]{5,19})(?![\w-])"
    ),
    rule("account", "labels", r"wxid_[a-z0-9]{8,40}"),
    rule(
        "name",
        "labels",
        r"(?:姓名|联系人|收货人|收件人|寄件人|法定代表人|户名|持卡人|开户名)"
        r"\s{0,2}(?:[:：]|叫)\s{0,2}(?P<value>[\u4e00-\u9fff·]{2,4})(?![\u4e00-\u9fff])",
    ),
    rule(
        "address",
        "labels",
        r"""(?:收货地址|家庭住址|家庭地址|住址|详细地址|通讯地址|寄件地址|收件地址|现住|户籍地址?)\s{0,2}(?:[:：]|是|为)\s{0,2}
            (?P<value>[^\s，。；！？,;\[\]]{2,40}[省市区县州镇乡路街道巷弄号室栋楼村][^\s，。；！？,;\[\]]{0,20})""",
    ),
)
