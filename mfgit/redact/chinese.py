"""Rules for personal data of China, Hong Kong and Taiwan."""

from mfgit.redact import checks
from mfgit.redact.keys import LEFT, RIGHT
from mfgit.redact.rules import rule

PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
"""The characters that plates begin with."""

SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁沈姚卢姜崔钟谭陆汪范廖贾"
    "韦夏傅邹熊孟秦邱侯江尹薛闫段雷龙史陶贺顾毛郝龚邵钱严覃武戴莫孔汤温康"
)
"""The most frequent surnames, but for those that begin common words: what makes a name of two or three characters likely."""
LICENCES = (
    "护照|通行证|回乡证|台胞证|居住证|驾照|驾驶证|行驶证|档案编?号|军官证|士兵证|港澳|社保|医保|社会保[障险]|医疗保险|养老保险"
    "|公积金|学号|学籍号|工号|员工编?号|警号|准考证号?|考生号|病历号|就诊卡|住院号|门诊号|保单号|(?:快递|运|物流|顺丰|圆通|中通|申通|韵达|EMS)单号|车架号|发动机号"
)
"""What numbers of a person's papers, and of what is sent to a person, stand behind."""
HINTS = (
    "护照 通行证 回乡证 台胞证 居住证 驾照 驾驶证 行驶证 档案 军官证 士兵证 港澳 社 医 养老 公积金 学号 学籍"
    " 工号 员工 警号 准考证 考生 病历 就诊 住院 门诊 保单 单号 车架 发动机"
)
"""What one of them holds at least."""
PLACE = r"""[\u4e00-\u9fff]{2,20}[省市区县州镇乡] [\u4e00-\u9fff\d]{1,14}?(?:路|街|大道|道|巷|弄|胡同|村)
    (?:[东南西北中]?[一二三四五六七八九十]{0,2}[段路])? \d{1,5}(?:号|弄)"""
DOOR = r"[\dA-Za-z]{1,5}(?:号楼|号院|单元|[号栋幢楼层室座院])|院"
"""A house with its road and town, and what stands behind it inside."""
SPACE = r"[-\s.·\u3000]{0,2}"
"""What may stand between the groups of a phone number."""

CHINESE = (
    rule("cn-id", "digits", rf"{LEFT}\d{{17}}[\dXx]{RIGHT}", checks.resident_id),
    rule("cn-id", "digits", rf"{LEFT}[1-9]\d{{3}}(?:[-\s.]?\d){{13}}[-\s.]?[\dXx]{RIGHT}", checks.spaced_resident_id),
    rule("cn-id", "digits", rf"{LEFT}\d{{6}}\d{{2}}[01]\d[0-3]\d{{4}}{RIGHT}", checks.old_resident_id),
    rule(
        "cn-id",
        "labels",
        rf"(?:身份证|身分证|證件|证件)(?:号码?|號碼?)?[^\n\d]{{0,8}}?(?P<value>[1-9](?:[-\s.]?\d){{14}}(?:(?:[-\s.]?\d){{2}}[-\s.]?[\dXx])?){RIGHT}",
        hints="身份证 身分证 證件 证件",
    ),
    rule(
        "cn-credit-code",
        "credit",
        rf"{LEFT}[0-9A-HJ-NP-RT-UWXY]{{2}}\d{{6}}[0-9A-HJ-NP-RT-UWXY]{{10}}{RIGHT}",
        checks.credit_code,
    ),
    rule(
        "phone",
        "digits",
        rf"""(?<![\dA-Za-z.]) (?:[(（]?(?:\+|00)?86[)）]?{SPACE})? (?: 0?[(（]?1[3-9]\d[)）]? (?:{SPACE}\d{{4}}){{2}}
            | 1[3-9]\d[-\s]\d{{3}}[-\s]\d{{5}} | 1[3-9]\d\d[-\s]\d{{3}}[-\s]\d{{4}}) (?!\d)""",
        checks.several,
    ),
    rule(
        "phone",
        "digits",
        r"""(?<![\dA-Za-z.-]) (?:[(（]0\d{2,3}[)）][-\s]?|(?:(?:\+|00)?86[-\s]?)?0\d{2,3}[-\s])
            [1-9](?:\d{6,7}|\d{2,3}[-\s]\d{4})(?:-\d{1,6})? (?!\d)""",
    ),
    rule("phone", "digits", r"(?<![\dA-Za-z])0(?:10|2\d|[3-9]\d{2})[1-9]\d{6,7}(?!\d)"),
    rule(
        "phone",
        "digits",
        r"(?<![\dA-Za-z-])(?:[48]00(?:[-\s]\d{3}[-\s]?|[-\s]?\d{3}[-\s])\d{4}|400[016789]\d{6})(?!\d)",
        checks.several,
    ),
    rule(
        "cn-plate",
        "han figures",
        rf"""[{PROVINCES}使领] [A-HJ-NP-Z] [·•\s-]? (?=[A-Z0-9]*\d[A-Z0-9]*\d) [A-HJ-NP-Z0-9]{{4,5}}
            [A-HJ-NP-Z0-9挂学警港澳] (?![A-Za-z0-9]) | [{PROVINCES}]\d{{5}}[领使] | [使领]\d{{6}}(?!\d)
            | WJ[·•\s]?[{PROVINCES}][·•\s]?[0-9A-Z]\d{{4}}(?!\d)""",
    ),
    rule("hk-id", "serials", rf"{LEFT}[A-Z]{{1,2}}\d{{6}}[(（][0-9A][)）]", checks.hongkong_id),
    rule("tw-id", "digits", rf"{LEFT}[A-Z][12]\d{{8}}{RIGHT}", checks.taiwan_id),
    rule("vin", "serials", rf"{LEFT}[A-HJ-NPR-Z0-9]{{17}}{RIGHT}", checks.vin),
    rule(
        "id-number",
        "han figures",
        rf"(?:{LICENCES})[^\n\d]{{0,12}}?(?P<value>[A-Z]{{0,3}}[-\s]?\d{{6,18}}[A-Z]?)(?![\dA-Za-z])",
        hints=HINTS,
    ),
    rule(
        "id-number",
        "han figures",
        r"(?<![0-9A-Za-z])(?P<value>[A-Z]{1,2}\d{7,8}|1[45]\d{7})(?=号?\s{0,2}[(（]?护照)",
        hints="护照",
    ),
    rule("id-number", "digits", r"(?<![\dA-Za-z_.-])\d{12}(?![\dA-Za-z_-]|\.\d)", checks.driving_file),
    rule(
        "code",
        "han figures",
        r"(?:验证码|校验码|动态密?码|取件码|提取码)(?:是|为|[:：\s]){1,4}(?P<value>[0-9A-Za-z]{4,8})(?![0-9A-Za-z])",
        lambda value: bool(checks.digits(value)),
        hints="验证码 校验码 动态 取件码 提取码",
    ),
    rule(
        "code",
        "han figures",
        r"(?:(?:支付|取款|交易|锁屏|开机|门锁|门禁|银行卡|解锁)密码|PIN(?i:\ ?code|码)?)"
        r"(?:是|为|[:：\s]){1,4}(?P<value>\d{4,8})(?![0-9A-Za-z年])",
        hints="密码 PIN",
    ),
    rule(
        "code",
        "han figures",
        r"(?<![\dA-Za-z.-])(?P<value>\d{4,8})(?=\s?[是为][您你]的?[^\n，。,\d]{0,12}(?:验证码|校验码|动态密?码))",
        hints="验证码 校验码 动态",
    ),
    rule("code", "han figures", r"(?:验证码|校验码)(?P<value>\d{4,8})(?![0-9A-Za-z年])", hints="验证码 校验码"),
)

LABELLED = (
    rule(
        "account",
        "han figures",
        r"(?:银行账?[号户]|收款账[号户]|对公账[号户]|开户账[号户]|存折号?|账号|帐号|卡号|支付宝号?)"
        r"[^\n\d]{0,8}?(?P<value>\d(?:[ -]?\d){9,24})(?![\dA-Za-z])",
        checks.several,
        hints="账 帐 存折 卡号 支付宝",
    ),
    rule(
        "account",
        "figures",
        r"(?:QQ|qq|扣扣|企鹅|加Q|加q|Q号)(?:群|号码?|账号|帐号){0,2}\s{0,2}[:：是为]?\s{0,2}(?P<value>[1-9]\d{4,10})(?!\d)",
        hints="QQ qq 扣扣 企鹅 加Q 加q Q号",
    ),
    rule(
        "account",
        "labels",
        r"(?:微信(?:号码?|账号|帐号)?|[Vv][Xx]|[Vv]信|薇信|wechat(?:\ id)?)\s{0,2}[:：是为]\s{0,2}"
        r"(?P<value>[A-Za-z][\w-]{5,19})(?![\w-])",
    ),
    rule(
        "account",
        "labels",
        r"(?:微信(?:号码?|账号|帐号)?|加我?[Vv][Xx]?|[Vv]信|薇信)\s{0,2}"
        r"(?P<value>(?!(?i:iphone|ipad|android|windows|ios|macos|harmony|win\d))[A-Za-z](?=[\w-]{0,17}\d\d)[\w-]{5,19})(?![\w.-])",
    ),
    rule("account", "labels", r"wxid_[a-z0-9]{8,40}"),
    rule(
        "name",
        "labels",
        r"(?:姓名|联系人|收货人|收件人|寄件人|法定代表人|法人|户名|持卡人|开户名|开户人|申请人|被保险人|投保人|经办人)"
        r"\s{0,2}(?:[:：]|叫)\s{0,2}(?P<value>[\u4e00-\u9fff·]{2,4})(?![\u4e00-\u9fff])",
    ),
    rule(
        "name",
        "labels",
        rf"""(?:(?:姓名|联系人|收货人|收件人|户名|持卡人|开户名|开户人|申请人)(?:是|为|\s)
                | 我叫 | 我名叫 | 名字[叫是] | 本人)\s{{0,2}}
            (?P<value>[{SURNAMES}][\u4e00-\u9fff]{{1,2}})(?![\u4e00-\u9fff])""",
    ),
    rule(
        "birthday",
        "labels",
        r"(?:出生日期|出生年月|[我的]生日|生日[是:：]|[我人]出生于)[^\n\d]{0,4}?"
        r"(?P<value>(?:19|20)\d\d\s?[年./-]\s?\d{1,2}\s?[月./-]\s?\d{1,2}(?:\s?[日号])?|(?:19|20)\d{6}(?!\d)|\d{1,2}月\d{1,2}[日号])",
    ),
    rule(
        "address",
        "labels",
        r"""(?:收货地址|家庭住址|家庭地址|住址|详细地址|通讯地址|联系地址|寄件地址|收件地址|现住|户籍地址?|户籍所在地)
            \s{0,2}(?:[:：]|是|为|\s)\s{0,2}
            (?P<value>[^\s，。；！？,;\[\]]{2,40}[省市区县州镇乡路街道巷弄号室栋楼村][^\s，。；！？,;\[\]]{0,20})""",
    ),
    rule("address", "doors", rf"(?:{PLACE})(?:{DOOR})+\d{{0,4}}"),
    rule("address", "doors", rf"(?:我住|住在|家在|[寄送发搬]到|送货到|寄往|地址\s{{0,2}}[:：是为])\s{{0,2}}(?P<value>{PLACE})"),
    rule("address", "doors", rf"^\s{{0,4}}(?P<value>{PLACE})[\s。，]{{0,4}}$"),
    rule(
        "address",
        "labels",
        r"""(?:收件人|收货人|寄件人|收件信息|收货信息|收件|收货)\s{0,2}[:：][^\n。；！？]{0,60}?[\s,，、;；/|\]]
            (?P<value>[\u4e00-\u9fff]{2,7}[省市区县州][^\s，。；！？,;\[\]]{4,60})""",
        hints="收件 收货 寄件",
    ),
    rule(
        "address",
        "doors",
        rf"""\[redacted:(?:phone|name)(?:-[a-z]{{1,2}})?\][\s,，、;；/|]{{1,3}}(?P<value>{PLACE}(?:{DOOR})*\d{{0,4}})""",
        hints="[redacted:",
    ),
    rule(
        "address",
        "doors",
        rf"""(?P<value>{PLACE}(?:{DOOR})*\d{{0,4}})
            (?=[\s,，、;；/|]{{1,3}}(?:[\u4e00-\u9fff·]{{2,4}}[\s,，、;；/|]{{1,3}})?(?:1[3-9]\d{{9}}(?!\d)|\[redacted:(?:phone|name)))""",
    ),
)
