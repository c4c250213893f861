"""The words and patterns by which `personal` knows what is about one person, in English and Chinese. Written down by us."""

import re

HAN = re.compile(r"[\u4e00-\u9fff]")
SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范"
    "方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂焦向柳邢岳齐梅"
)
TITLE = r"(?:Mr|Mrs|Ms|Miss|Dr|Prof)\b\.?"
WORD = r"(?:(?:[OD]['’]|Mc|Mac)?[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ'’]+(?:-[A-ZÀ-ÖØ-Þ]?[a-zà-öø-ÿ'’]+)*)"
NAME = rf"{WORD}(?: (?:[A-Z]\. )?{WORD}){{0,2}}"
"""Names as they are written in Latin letters: with an apostrophe, joined by hyphens, with an initial, up to three words."""
COMPOUND = (
    "欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|令狐|夏侯"
    "|宇文|长孙|司徒|轩辕|端木|南宫|独孤|西门|百里|呼延|闻人|濮阳|淳于|太叔|申屠|钟离|闾丘"
)
"""Surnames of two characters."""
FAMILY = rf"(?:{COMPOUND}|[{SURNAMES}])"
NAME_ZH = rf"(?:(?:{COMPOUND})[\u4e00-\u9fff]{{1,2}}|[{SURNAMES}][\u4e00-\u9fff]{{1,3}})"
NOT_NAMES = (
    "安卓|江苏|江西|安徽|云南|黄金|高级|白金|万能|金牌|于是|任何|方便|严重|向上|向您|和|成功"
    "|常见|常用|时候|石油|毛利|史上|易|路由|贾|金融|金卡|方案|万一"
)
NAME_ZH_SURE = (
    rf"(?!{NOT_NAMES})(?:(?:{COMPOUND})[\u4e00-\u9fff]{{1,2}}|[{SURNAMES}][\u4e00-\u9fff]{{1,2}})"
    r"(?<![的机户号卡员生师人版型家方店司])"
)
"""A name where what stands before it is no sure sign of one."""
NOBODY = frozenset(
    ("world", "there", "all", "everyone", "everybody", "team", "friend", "customer", "user", "sir", "madam", "folks", "guys")
)
"""What stands after a greeting and is nobody's name."""
PLAIN_STARTS = frozenset(
    (
        "you",
        "your",
        "to",
        "the",
        "this",
        "that",
        "it",
        "in",
        "if",
        "for",
        "on",
        "please",
        "yes",
        "no",
        "we",
        "there",
        "when",
        "after",
        "a",
        "an",
        "can",
        "could",
        "how",
        "what",
        "why",
        "where",
        "is",
        "are",
        "do",
        "does",
        "my",
        "i",
        "open",
        "go",
        "click",
        "use",
        "choose",
        "select",
        "try",
    )
)
COMMON = frozenset(
    ("will", "mark", "may", "bill", "chase", "grant", "page", "art", "hope", "grace", "june", "april", "rob", "sue")
)
COMMON |= frozenset(
    ("max", "frank", "rich", "guy", "miles", "jack", "pat", "chip", "rose", "dean", "dawn", "drew", "summer", "faith")
)
"""Names that are words too: such a one is a name only beside a comma."""

# ---- greetings, closings, who signs

HELLO = r"(?i:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening|day))"
ANYBODY = (
    r"(?i:there|again|all|everyone|everybody|team|friend|folks|guys|sir|madam|sir or madam"
    r"|(?:valued |dear )?(?:customer|user|client))"
)
GREETING_EN = re.compile(rf"{HELLO}\b(?:,? (?:{ANYBODY}|(?P<name>(?:{TITLE} )?{NAME})))?[ \t]*(?:[,!:]+|\.(?=\s|$)|\s[-–—])\s*")
PERSON_ZH = rf"(?:{FAMILY}[\u4e00-\u9fff]{{0,2}}(?:先生|女士|小姐|老师|同学|总|经理))"
GREETING_ZH = re.compile(
    rf"(?:(?:(?:尊敬|亲爱)的)?(?:{PERSON_ZH}|(?P<name>{NAME_ZH}?)(?=您好|你好|[，,]\s*(?:您好|你好))|[\u4e00-\u9fff]{{0,2}}(?:用户|客户|顾客|会员)|亲)?[,，]?\s*"
    rf"(?:您好|你好|早上好|上午好|下午好|晚上好)(?:呀|啊|哦)?[,，]?\s*{PERSON_ZH}?"
    rf"|(?:(?:尊敬|亲爱)的)(?:{PERSON_ZH}|[\u4e00-\u9fff]{{1,4}})|{PERSON_ZH}(?=[,，])|亲(?=[,，~～]))[,，!！。~～：:\s]+"
)
TEAM = (
    r"(?:(?:from|with|at|of|in) (?:the |our )?(?:[\w&]+ ){0,3}?"
    r"(?i:support|team|care|service|services|sales|billing|help ?desk|success|desk)\b|here\b|and I(?:'ll| will|'m| am)\b"
    r"|your (?:agent|support|representative))"
)
SAYS = r"(?:\b[Mm]y name is|\b[Yy]ou(?:'re| are) (?:chatting|speaking|talking) (?:with|to))"
IS = r"\b(?:I'm|I am|[Tt]his is) (?!(?:The|A|An|Not|Sorry|Happy|Glad)\b)"
INTRODUCTIONS = (re.compile(rf"{SAYS} (?P<name>{NAME})"), re.compile(rf"{IS}(?P<name>{NAME}),? {TEAM}"))
CLOSING = re.compile(
    r"(?i:(?:(?:best|kind|warm|kindest|warmest|with (?:best|kind)) )?regards|(?:yours )?(?:sincerely|truly|faithfully)"
    r"|best wishes"
    r"|best|cheers|sincerely yours|(?:many )?thanks|thank you)[ \t]*(?:[,!.]|$)[ \t]*(?:[A-Z][\w.'’ -]{0,40})?$|此致|敬礼"
    r"|祝好$|顺祝|敬上$"
)
SIGNATURE = re.compile(
    rf"(?:[–—~]\s?|-(?=[A-Z]))(?:your )?{NAME}(?:[, ]+(?:from|at|of|with)? ?[\w ]{{0,30}})?$"
    r"|[-–—]*\s?(?:在线)?客服(?:小?[\u4e00-\u9fff]{1,3}|\d{1,6}号?)$"
    rf"|{NAME}, (?:[\w ]+ )?(?:Support|Team|Care|Service|Sales|Billing)$"
)
AGENT = re.compile(
    rf"{SAYS} [A-Z]|{IS}{NAME},? {TEAM}"
    r"|我是(?:您的|你的)?(?:专属|在线|值班|人工|售后|售前)?(?:客服|专员|顾问|坐席|接线员|技术支持)"
    r"|(?:客服|专员|坐席|顾问)(?:小[\u4e00-\u9fff]|\d{2,6}号?)|工号(?:是|为|[:：])?\s*[A-Za-z]?\d{2,}"
    rf"|(?:高兴|竭诚|荣幸|继续)(?:能|地)?为(?:您|你)服务|我(?:叫|姓){FAMILY}[\u4e00-\u9fff]{{0,2}}(?=[，。,.!！]|$)"
)
BOILERPLATE = re.compile(
    r"(?i:(?:(?:is|was) there |if there(?:'s| is) |should you need )?anything else (?:that )?(?:i|we) can (?:help|assist|do)"
    r"|(?:i|we) hope (?:this|that|it) (?:helps?|was helpful|clarifies|answers|resolves)|hope (?:this|that|it) helps"
    r"|(?:have|enjoy|wish you) a (?:great|nice|good|wonderful|lovely|pleasant) (?:rest of|day|weekend|evening|one|week)"
    r"|thank(?:s| you)(?: so much| very much)? for (?:contacting|reaching|your patience|getting in touch|chatting"
    r"|writing|calling|bringing"
    r"|choosing|your (?:question|message|inquiry|enquiry|email|purchase|order|understanding|time|call))"
    r"|(?:i|we)(?:'m| am|'re| are)? (?:(?:so|very|really|truly|terribly) )?(?:sorry|apologi[sz]e) (?:for|to hear|about)\b"
    r"|(?:(?:my|our) (?:sincere )?)?apologies for|sorry (?:for the|to hear|about (?:that|the))"
    r"|(?:please )?(?:let (?:me|us) know|feel free to|(?:don't|do not) hesitate to)\b.{0,60}\b(?:any (?:other|more"
    r"|further)|anything else|questions?|help)\b"
    r"|(?:glad|happy) (?:to|i could) (?:help|assist)|you(?:'re| are) (?:very |most )?welcome[.!]*$|my pleasure)"
    r"|(?:请问)?(?:还有|是否还有)(?:什么|其他|别的).{0,12}(?:帮|问题|需要)|祝(?:您|你)(?:生活|工作|购物|愉快|一切)|感谢(?:您|你)的?(?:来电|咨询|支持|理解|耐心|等待|配合)"
    r"|(?:非常|很|十分)?抱歉(?:给|让)(?:您|你)|给(?:您|你)(?:带来|造成)(?:的)?不便|希望(?:能|可以)?(?:帮到|对)(?:您|你)|不客气[。！!~～]*$"
    r"|(?:请)?(?:您)?稍等|麻烦(?:您)?稍等"
)

# ---- what was done for one user

CONDITION = re.compile(
    r"(?i:\b(?:if|when|whenever|once|after|until|unless|whether|before|as soon as|means|status|in case|every time"
    r"|each time)\b)"
    r"|如果|如|若|当|一旦|之后|以后|[后时](?=[，,；会将就才可请])|的话|之前|是否|表示|意味|状态为"
)
ACTED = (
    "refunded|reset|sent|resent|processed|updated|cancell?ed|checked|escalated|forwarded|submitted|created|opened"
    "|closed|added"
    "|removed|unlocked|locked|activated|deactivated|reactivated|enabled|disabled|applied|credited|issued|reissued"
    "|changed|extended"
    "|raised|filed|reported|confirmed|verified|contacted|notified|arranged|scheduled|booked|upgraded|downgraded"
    "|transferred|merged"
    "|restored|fixed|resolved|corrected|adjusted|waived|reviewed|located|logged|noted|placed|registered|linked|unlinked"
    "|deleted"
    "|requested|initiated|emailed|passed|shared|looked|switched|moved|approved|replaced|shipped|started"
)
ACTS = (
    "refund|reset|send|resend|process|update|cancel|check|escalate|forward|submit|create|close|unlock|activate"
    "|reactivate|credit|issue"
    "|extend|raise|file|report|confirm|verify|contact|notify|arrange|schedule|transfer|restore|fix|resolve|adjust|waive"
    "|review|look"
    "|pass|get|follow up|connect|email|be in touch|ask"
)
THINGS = (
    "order|refund|account|ticket|request|payment|package|parcel|subscription|password|case|booking|reservation|return|claim"
    "|application|invoice|shipment|card|dispute|chargeback|issue|details|membership|balance|transaction|delivery|email"
    "|address"
)
OTHER_THINGS = r"the (?:order|ticket|refund|request|account|issue|payment|case|charge|team|team about)"
DONE = re.compile(
    rf"\bI(?:'ve| have|'d| had)?(?: also| just| now| already| gone ahead and| went ahead and| successfully"
    rf"| manually)* (?:{ACTED})\b"
    rf".*\b(?:you|your|yours|it|this|that|{OTHER_THINGS})\b"
    rf"|\b(?:I|[Ww]e)(?:'ve| have)(?: also| just| now| already"
    rf"| successfully)* (?:{ACTED})\b[^.]*\byour (?:[\w-]+ ){{0,2}}(?:{THINGS})\b"
    rf"|\b[Ww]e (?:just|already) (?:{ACTED})\b[^.]*\byour (?:[\w-]+ ){{0,2}}(?:{THINGS})\b"
    r"|\bI (?:can see|see|checked|looked|noticed?|found|pulled up|took a look)\b.*\b(?:you|your)\b"
    rf"|\bI(?:'ll| will|'m going to| am going to)(?: now| also| personally)* (?:{ACTS})\b.*\b(?:you|your|this|it|that"
    rf"|{OTHER_THINGS})\b"
    r"|^(?:(?:ok(?:ay)?|sure|great)[,.!]? )?(?:let me|allow me to) (?:check|look|see|find|pull|verify|get|transfer|connect)\b"
    r"|^(?:one moment|just a moment|give me a (?:moment|minute|second)|(?:please )?bear with me|please hold)\b"
    rf"|^(?:(?:good news|ok(?:ay)?|great|done|all set)[:!,.]? )?[Yy]our (?:[\w-]+ ){{0,2}}(?:{THINGS})\b[^.!?,]{{0,30}}? "
    rf"(?:(?:has|have)(?: now| just| already| successfully)* been (?:{ACTED}|delivered|charged|declined|rejected"
    rf"|received|completed)"
    r"|(?:is|are) (?:now|currently|already) (?:on (?:its|the) way|being|out for|in transit|under review|active|locked"
    r"|unlocked|closed)"
    r"|(?:was|were) (?:delivered|shipped|refunded|charged|declined|cancell?ed|approved|rejected|placed) (?:on|at"
    r"|yesterday|today|this))"
    r"|(?:已经?|刚刚?|现在就?|马上|这就|这边|我们?)(?:已经?|先|再)?(?:帮|为|给|替)(?:您|你)(?!的)[^，。；！？]{0,3}"
    r"(?:查|看|处理|核实|反馈|提交|登记|催|申请|退|取消|修改|升级|转|办|开通|重置|解锁|联系|记录|更新|补|安排|发送|发|加急|备注|恢复|操作)"
    r"|(?:帮|为|给|替)(?:您|你)(?:查|看|处理|核实|反馈|提交|登记|催|申请|退款|取消|修改|办理|开通|重置|解锁|更新|安排|备注)(?:了|好了|过了|到了?|完成)"
    r"|查到(?:您|你)的|(?:看到|发现|显示)(?:您|你)的?(?:订单|账户|账号|退款|包裹|快递|申请)"
    r"|(?:您|你)的(?:这个|这笔|该)?(?:订单|退款|账户|账号|工单|包裹|快递|申请|问题|反馈|投诉|密码|会员|套餐|款项)[^，。；！？]{0,8}"
    r"(?:(?:已经?|现已|刚刚?)[^，。；！？]{0,10}(?:了|完成|成功|发货|处理|提交|退回|到账|取消|签收|受理|重置|解锁|开通|恢复)|(?:目前|现在|正在)[^，。；！？]{0,8}(?:中|路上"
    r"|派送|审核|处理))"
)

# ---- marks

KIND_OF_MARK = r"(?:-[a-z]{1,2})?\]"
CONTACT = re.compile(rf"\[redacted:(?:phone|email|account){KIND_OF_MARK}")
PERSONAL_MARK = re.compile(
    rf"\[redacted:(?:name|address|birthday|cn-id|hk-id|tw-id|cn-plate|id-number|ssn|passport|iban|card|code){KIND_OF_MARK}"
)
"""Marks of what is of one person in any case; a mail address or a number may be the one that everybody writes to."""
TO_ME = re.compile(
    r"\b(?:call|phone|ring|text|reach|contact|e-?mail|write(?: to)?|message|reply to) (?:me|us)\b|\b(?:my|your)\b[^,;]{0,30}$"
    r"|(?:联系|打给|发给|致电|加)我|(?:我|您|你)的?(?:电话|手机|邮箱|微信|账号|帐号|账户|卡号)",
    re.IGNORECASE,
)
REACHING_TEXT = """
call phone ring text reach contact email mail write reply message dial please support help team agent
customer service question questions further assistance number line us our can also
"""
REACHING = frozenset(REACHING_TEXT.split())
SPOKEN = 3
"""Terms that a sentence with such a mark needs besides words of reaching somebody, to be about more than the mark."""

# ---- amounts

EXACT = r"\d[\d,]*\.\d*[1-9]\d*"
FIGURE = r"\d[\d,]*(?:\.\d+)?"
AMOUNT = re.compile(
    rf"(?:US|A|C|HK)?[$€£¥￥]\s?{FIGURE}|{FIGURE}\s?(?:USD|EUR|GBP|CNY|RMB|dollars?|euros?|pounds?|元|块钱?|美元|人民币)",
    re.IGNORECASE,
)
YOUR_AMOUNT = re.compile(
    rf"\byour (?:[\w-]+ ){{0,3}}?(?:refund|payment|balance|charge|bill|credit|deposit|total"
    rf"|order)\b[^.]*?(?:{AMOUNT.pattern})"
    rf"|\byou(?: were|'ve been| have been| paid| owe)\b[^.]*?(?:{AMOUNT.pattern})"
    rf"|\b(?:refund(?:ed)?|credit(?:ed)?|charge[ds]?) (?:of )?(?:{AMOUNT.pattern})[^.]*?\b(?:you|your)\b"
    rf"|(?:您|你)的?[^，。；]{{0,8}}(?:退款|余额|欠费|账单|订单|货款|押金|扣款|款项)[^，。；]{{0,12}}?(?:{AMOUNT.pattern})"
    rf"|(?:退还?|扣除?|返还|补偿|赔付?|补)(?:了|给)?(?:您|你)[^，。；]{{0,6}}?(?:{AMOUNT.pattern})"
    rf"|(?:{AMOUNT.pattern})[^，。；]{{0,6}}(?:退还?|返还|补偿)给?(?:您|你)",
    re.IGNORECASE,
)
IN_GENERAL = re.compile(
    r"(?i:\b(?:must|should|can|may|might|would|at least|at most|up to|minimum|maximum|per|every|each|monthly|over|under"
    r"|less than|more than|between|exceeds?|above|below|for example|e\.g)\b)"
    r"|最低|至少|不超过|超过|以上|以下|以内|每|满|最高|不足|低于|高于|例如|比如"
)
UNEVEN = rf"(?:[$€£¥￥]\s?{EXACT}|{EXACT}\s?(?:USD|EUR|GBP|CNY|RMB|dollars?|euros?|pounds?|元|块钱?))"
"""An amount to the cent, which is hardly a price that many ask about."""
PAID_EN = re.compile(
    r"(?P<kind>\b(?:(?:over)?charged?|billed|paid|pay|refund(?:ed)?|debited|deducted|took)(?: me| us| for)?)"
    rf"\s(?:about |of |for )?(?P<value>{UNEVEN})",
    re.IGNORECASE,
)
PAID_ZH = re.compile(
    rf"(?P<kind>(?:扣|付|花|收|退|充|转|划)(?:款|费|走|掉|钱)?了?(?:我)?)(?P<value>{AMOUNT.pattern})", re.IGNORECASE
)

# ---- references and names

KIND_EN = (
    "order|tracking|ticket|case|invoice|account|transaction|booking|confirmation|reference|chargeback|dispute|shipment"
    "|package"
    "|parcel|customer|member|membership|serial|policy|claim|refund|payment|receipt|purchase|waybill|reservation|subscription"
    "|contract|loan|application|rma|po"
)
COUNTED = (
    r"(?!\s?(?:rows|users|items|times|"
    r"days|hours|seconds|bytes|requests|records|pages|points|tokens|orders|USD|EUR|%|元|条|个|次|天|万))"
)
REFERENCE_EN = re.compile(
    rf"\b(?P<kind>(?i:{KIND_EN}))(?i: (?:numbers?|no\.?|ids?|code|num|nr))?(?i: (?:is|was|of))?\s*[:=]?\s*#?\s?"
    rf"(?P<value>(?=[A-Z-]*\d(?:[A-Z-]*\d){{4}})[A-Z]{{0,5}}-?\d[\dA-Z-]{{3,30}})(?!\w|\.\d){COUNTED}"
)
CODES = re.compile(
    r"(?<![\w-])(?P<value>(?:ORD|INV|TKT|RMA|REF|TRK)[-#]?\d{4,}(?:-\d+)*|(?:SF|YT|JD|ZTO|STO|EMS"
    r"|JT)[A-Z]{0,3}\d{10,15}|1Z[0-9A-Z]{16}"
    r"|(?:INC|TKT)\d{6,})(?![\w-])"
)
REFERENCE_ZH = re.compile(
    r"(?P<kind>订单|运单|快递|物流|工单|流水|交易|发票|账号|账户|帐号|会员|客户|合同|保单|预约|受理|退款|退货|序列)(?:单?号码?|编号|ID|id)?"
    r"\s?(?:是|为"
    r"|[:：#＃])?\s*(?P<value>(?=[A-Za-z-]*\d(?:[A-Za-z-]*\d){4})[A-Za-z]{0,5}-?\d[\dA-Za-z-]{3,30})(?![A-Za-z0-9_]|\.\d)"
    r"(?!\s?(?:条|个|次|天|元|万|%))"
)
PERSON_EN = re.compile(rf"\b(?P<value>(?:Mr|Mrs|Ms|Dr)\b\.? {WORD}(?: {WORD})?)")
PERSON_HAN = re.compile(
    rf"(?:(?<![\u4e00-\u9fff])|(?<=[是叫给和与的找为]))(?P<value>{FAMILY}[\u4e00-\u9fff]{{0,2}}(?:先生|女士|小姐))"
)
ASKER = re.compile(
    rf"^(?:{HELLO}[,!.]? )?(?:(?i:my name is|i['’]m|i am) (?!(?:A|An|The|Not|In|On|Using|Trying|Having|Getting)\b){NAME}"
    r"(?:[,.;:!]| and (?=I\b)|(?= from\b)))\s*"
    rf"|(?:(?:您好|你好)[，,！!]?)?(?:我叫{NAME_ZH}|我是{NAME_ZH_SURE})[，,。！!]\s*"
)
KINDS = re.compile(
    rf"\b(?:{KIND_EN}|number|no|id|code|my|email|phone|name)\b|订单|运单|快递|物流|工单|单号|账号|账户|会员|编号|号码|我的?"
)

NUMBERED_EN = re.compile(
    rf"\b(?P<kind>(?i:{KIND_EN}))(?:(?i: (?:number|no\.?|id|nr))(?i: (?:is|was|of))?\s*[:=]?\s*#?| ?#)\s?"
    r"(?P<value>(?=(?:[A-Za-z-]*\d){4})[A-Za-z]{0,5}-?\d[\dA-Za-z-]{2,30})(?!\w|\.\d)"
    rf"{COUNTED}"
)
NUMBERED_ZH = re.compile(
    r"(?P<kind>订单|运单|快递|物流|工单|流水|交易|发票|账号|账户|帐号|会员|客户|合同|保单|预约|退款|退货)(?:单?号码?|编号|ID|id)"
    r"\s?(?:是|为|[:：#＃])?\s*(?P<value>(?=(?:[A-Za-z-]*\d){4})[A-Za-z]{0,5}-?\d[\dA-Za-z-]{2,30})(?![A-Za-z0-9_]|\.\d)"
)
"""Numbers that their word says are one: shorter ones count too."""
HANDLE = r"(?=[\w.@-]*[\d_@])[A-Za-z][\w.@-]{2,40}(?<![.-])"
ACCOUNT_EN = re.compile(
    r"\b(?P<kind>(?<!if )(?<!If )(?i:your|my|the customer's)(?i: (?:account|login|customer|member|user|new|current))?"
    r"(?i: (?:user ?name|user ?id|log-?in(?: name| id)?|account(?: name| id)?|handle|member(?:ship)? id|customer id)))"
    rf"(?i:\s*:| is| was)\s*[\"'“]?(?P<value>{HANDLE})"
)
ACCOUNT_ZH = re.compile(
    r"(?P<kind>(?:(?:您|你|我)的?(?:会员|登录|注册|客户|用户|微信)?|会员|客户)"
    r"(?:账号|帐号|账户|用户名|登录名|会员名|会员号|编号|昵称|微信号?))(?:是|为|[:：])\s*[“\"]?"
    rf"(?P<value>{HANDLE})"
)

CARD_EN = re.compile(
    r"(?P<kind>\b(?i:card|account))(?i:,? (?:which )?(?:ending|ends|that ends)(?: in| with)?) (?P<value>\d{4})(?!\d)"
)
CARD_ZH = re.compile(r"(?P<value>尾号(?:为|是)?\s?\d{3,4})(?!\d)(?:的(?=[卡账帐]))?")
NUMBERS = (REFERENCE_EN, REFERENCE_ZH, NUMBERED_EN, NUMBERED_ZH, CODES, CARD_EN, CARD_ZH, ACCOUNT_EN, ACCOUNT_ZH)
VALUES = (*NUMBERS, PERSON_EN, PERSON_HAN)
"""Patterns of what belongs to one person, as the group `value`; a group `kind` is the word that says what it is."""
NUMBER, NAMED = "number", "name"
MARKED = (
    *((pattern, NUMBER) for pattern in (REFERENCE_EN, REFERENCE_ZH, NUMBERED_EN, NUMBERED_ZH, CODES, CARD_EN, CARD_ZH)),
    *((pattern, "account") for pattern in (ACCOUNT_EN, ACCOUNT_ZH)),
    *((pattern, NAMED) for pattern in (PERSON_EN, PERSON_HAN, re.compile(rf"{SAYS} (?P<value>{NAME})"))),
    (re.compile(rf"我叫(?P<value>{NAME_ZH})(?=[，,。！!\s])"), NAMED),
    (re.compile(rf"我是(?P<value>{NAME_ZH_SURE})(?=[，,。！!])"), NAMED),
    (re.compile(rf"^{HELLO},? (?P<value>(?!(?:World)\b){NAME})(?=[,!.])"), NAMED),
    *((pattern, "amount") for pattern in (PAID_EN, PAID_ZH)),
)
"""The same and more, with the kind of mark that takes its place in an excerpt."""
