"""What makes a sentence a memory: patterns in English and Chinese, and what speaks against each.

Kept precise first. A wish for this once, a complaint and a report of trouble look like habits and decisions, so each type
wants its subject, and is dropped where the sentence tells of trouble or of what is not so. The labelled sentences in the
tests say how well that works.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from mfgit.archive.summary import ASKS

NEVER = "(?!)"
TROUBLE = (
    r"\b(?:but|however|fail\w*|errors?|crash\w*|broken|stuck|down|nothing happens|still|keeps? \w+ing)\b",
    r"\b(?:can'?t|cannot|can not|doesn'?t|does not|won'?t|didn'?t|isn'?t|not working)\b",
    r"\b(?:never (?:get|got|see|receiv|arriv|work)\w*|it freezes|refund|idiot)\b",
    r"不行|不了|不到|不出|不上|不会|没有?(?:生效|收到|到|反应|显示|送|货)|快递|失败|报错|出错|打不开|错误|还没|不能|无法",
)
"""Something does not work: what a user does or owns is told to explain it, not to be remembered."""
UNSURE = (
    r"^\s*(?:if|when|once|in case|maybe|perhaps)\b",
    r"\b(?:not|haven'?t|hasn'?t|didn'?t|never|un)\W?(?:yet )?(?:decided|agreed|settled)\b",
    r"\b(?:i think|i hope|i guess|is not clear|not sure|up to you)\b",
    r"如果|要是|假如|可能|也许|(?:没有?|尚未|未|待)(?:最终)?(?:决定|确定|定)|不清楚|不知道|不确定|什么",
    r"(?:之后|以后|后)(?:可以|会|才|无法|就)",
)
"""It is not so, or not yet, or only under a condition."""
SERVING = (r"\byou(?:rs?)?\b|您|你",)
"""What is said to a customer is a decision of nobody's who reads it."""
YOURS = (r"\byour\b|你们|贵",)
"""Somebody's praise of a service says nothing about them."""
LIKING = (
    (
        r"\bi (?:really |very much )?(?:like|love|hate|dislike|prefer|enjoy|can'?t stand) (?!(?:it|this|that|you|one)\b)"
        r"(?!to (?:know|have|get|see|order|return|cancel|buy|change)\b)(?!the \w+ one\b)\S"
    ),
    r"我(?:更|很|最|特别|比较|还是|真的)*(?:不)?(?:喜欢|讨厌|习惯|偏好|爱用)(?!了|的)",
)
HABIT = (
    (
        r"\bi (?:usually|mostly|normally|typically|generally|always|never) (?:use|read|write|work|check|start|run|test"
        r"|type|look|listen|travel|review|keep|do|build|deploy|save|make|take|eat|drink|draw|speak|code|answer|print) ?\w"
    ),
    r"我(?:平时|平常|通常|一般|一直|总是|从不|每天)(?:都|会|只|就)?(?:在)?(?:用|使用|看|写|读|先|喜欢|工作|上班|开发)",
)
POSTS = r"工程师|经理|设计师|程序员|老师|教师|学生|医生|护士|律师|会计|运维"
ABOUT_ME = (
    (
        r"\bmy name is\b|\bmy (?:job|role|team|company|time ?zone|editor|os|background|native language|manager|setup)"
        r" (?:is|are|has|uses|was)\b"
    ),
    r"\bi(?:'m| am) (?:an?|one of the) (?!(?:bit|little|lot|few|tad|moment|step)\b)\w+|\bi work as\b",
    r"\bi(?:'m| am) (?:new to|responsible for|in charge of|based in|fluent in|allergic to|vegetarian|vegan|retired)\b",
    r"\bi(?:'m| am) from (?-i:[A-Z])|\bi (?:maintain|manage|own|lead|teach|speak) (?!(?:it|you)\b)\w",
    r"\bi (?:live|study|work) (?:in|at|for|with|on|from) (?!it\b)\w",
    r"\bi (?:use|run) (?-i:[A-Z])[\w.+#-]*",
    r"\bi (?:use|run) .{2,40}\b(?:on all|every day|at (?:home|work)|for (?:work|everything))\b",
    r"我(?:叫|姓)(?![了我你他她它来人车过])|我是(?:一名|一位|一个|做|搞|学|从事|来自)",
    rf"我是[^，。！？]{{0,8}}(?:{POSTS}|新手|者|(?<![的个])人)[。！]?$|我是[^，。！？的个]{{0,8}}(?:{POSTS}|新手)[，；]",
    r"我(?:常驻|来自)(?!哪)|我(?:主管|分管)(?!部门)|我(?:精通|擅长)|我对[^，。]{1,8}过敏|我(?:吃素|不吃肉|(?:已经)?退休)",
    r"我(?:在)?(?:维护|管理|带领|教)(?!你|您|他|她|它|我|过|一下|员|费|层|系统里)\w|我带(?:着)?一?[个支][^，。]{0,8}(?:团队|小组|组)",
    r"^我(?:只|都)?用(?!过|了|不|来|的|完|户|错|这|那|你|您|它|他|一下)\s*[A-Z][\w.+#-]*",
    r"我住在?|我在[^，。]{1,12}(?:工作|上班|读书|读研|上学|念书|实习|任教)|我(?:主要)?负责",
    r"我在[^，。]{1,10}(?:公司|厂|所|院|学校|大学|银行|店|单位)[^，。]{0,3}(?:做|当|任)|我用的是\s*(?:[A-Za-z]|苹果|安卓)",
    r"我的(?:名字|职业|工作|岗位|角色|团队|公司|时区|编辑器|母语|专业|背景|经理|上司)(?:是|叫|在|有|一共|用)|我的(?:系统|电脑|手机)(?:是|用的)",
)
MANNER = (
    r"\b(?:answers?|repl(?:y|ies)|responses?|summar\w+|bullets?|tables?|code|examples?|emojis?|tone|spelling|language|english|chinese"
    r"|format|style|short(?:er)?|brief|concise|lines|words|sentences|diffs?|comments?|citations?|sources?|apologi\w+)\b"
)
LASTING = (
    r"(?:from now on|in (?:the )?future|every time|each time|whenever|when(?:ever)? you|before you|without asking|in your|again"
    r"|any ?more|for me|next time)\b"
)
LATER = r"(?:next time|from now on|in (?:the )?future|going forward)"
REMEMBER = r"(?:(?:please )?(?:remember|note|keep in mind)(?: that| to|[:,;-]+)? )?"
OPENING = rf"^\W*(?:(?:and|so|but|ok|okay|also|{LATER})[, ]+)*{REMEMBER}(?:please )?"
DOING = (
    r"(?:answer|reply|respond|use|write|give|show|keep|make|avoid|skip|leave out|put|be|explain|cite|ask|run|add|format"
    r"|translate)"
)
WORKING = (
    r"(?:rename|delete|change|touch|edit|rewrite|reformat|commit|push|guess|assume|invent|repeat|translate|summari[sz]e|shorten"
    r"|explain|apologi[sz]e)"
)
ZH_OPENING = r"^(?:(?:请|麻烦|另外|还有|好的?)[，,]?)*(?:(?:请|要)?(?:记住|记得|注意|谨记)[：:，, ]*)?(?:请|麻烦)?"
ZH_DOING = "回答|回复|写|用|使用|给出|注明|引用|标注|解释|问|说明|猜|道歉|改|加上|翻译|列出"
ZH_WORKS = "(?!.*(?:失败|报错|不出|不了|不到|不上|不开|不行|不对))"
ZH_MANNER = "中文|英文|列表|表格|要点|简短|简洁|格式|语气|表情|来源|出处|代码|例子"
ZH_LASTING = "以后|每次|始终|总是|再"
WISHING = (
    rf"{OPENING}(?:answer|reply|respond|use|keep|avoid|skip|leave out|be|explain|cite|ask)\b(?! (?:this|that|my)\b).*{MANNER}",
    rf"{OPENING}{DOING}\b(?! (?:this|that|my)\b).*\b{LASTING}|{OPENING}write (?:in|your|shorter|longer|fewer|simpler)\b",
    rf"^\W*{LATER}[, ]+(?:please )?(?:{DOING}|don'?t|do not|always|never)\b",
    rf"{OPENING}(?:always|never (?!(?:mind|again|work\w*|got|heard|seen|had|been)\b)|stop \w+ing\b)\s*[\w.!]|^\W*no more \w",
    rf"{OPENING}(?:don'?t|do not) (?!(?:worry|bother|mind|know|care|think|have|forget|see|get)\b)\w.*\b(?:{MANNER}|{LASTING})",
    rf"{OPENING}(?:don'?t|do not) {WORKING}\b",
    (
        r"\bi(?:'d like| would like| want| need| expect) you to "
        r"(?!(?:answer|reply to|explain|confirm) (?:me|my|this|that|it)\b)(?:always|never|ask|answer|write|use|be|stop|keep"
        r"|explain|show"
        r"|run|tell|confirm|follow|reply|speak|focus|quote|list)\b|\byou should (?:always|never|not)\b"
    ),
    r"\b(?:like (?:that|this)|the same way) (?:every|each|from|next|always|again)|\bkeep doing\b|\bmore like (?:that|this)\b",
    r"(?<!我)(?:以后|今后|下次|每次|从现在起|往后)[^。！？]{0,12}(?:请|要|别|不要|务必|必须|照|按|先|直接|用)",
    r"^(?:请|麻烦)?(?:不要|别|千万别)(?!紧|担心|急|客气|介意|了)(?:再|用|每次|总|老|在|给我|写|加|翻译|解释|道歉|使用)",
    r"(?:^|[，,])(?:请|麻烦)?(?:不要|别|千万别)(?:改|动|删|重命名|提交|猜|编|省略|重复|合并|缩写)",
    r"^(?:请|麻烦)?[^，。]{0,6}(?:回答|回复|答案|输出|注释|总结|语气|摘要|代码)[^。]{0,10}(?:请|别|不要|务必|尽量|先给|简短|简洁|短一点)",
    r"(?:请|务必|尽量)(?:都|一律)?(?:用|以|使用)(?:简体|繁体)?(?:中文|英文|列表|表格|要点|简短|Markdown)|没有我的(?:同意|允许|确认)",
    rf"{ZH_OPENING}(?:始终|永远|一律|绝不要?|千万不要|永远不要)(?!会|能|是|有|在|好|没){ZH_WORKS}[^，。]*(?:{ZH_DOING})",
    rf"我(?:想|要|希望|需要|期望)(?:让)?你(?:们)?(?:以后|始终|总是|不要|别|先|都|能)?(?:{ZH_DOING})[^，。]*(?:{ZH_MANNER}|{ZH_LASTING})",
    rf"我(?:想|要|希望|需要)你(?:以后|始终|总是|不要|别|每次|先)|{ZH_OPENING}(?:没有|未经)我的?(?:同意|允许|确认)",
    r"^(?:请|麻烦)?(?:继续)?保持(?:这样|下去|这种|现在的)",
    r"之?前[^，。]{0,3}(?:一定|务必|必须|请)要?先?(?:问|跑|备份|确认|检查|测试|说明)",
    r"(?:这样|这么|这种)[^。]{0,8}(?:很好|就对了|正好)[^。]{0,6}(?:以后|继续|都|保持)",
)
CORRECTING = (
    (
        r"\b(?:that'?s|that is|this is|you'?re|you are|your (?:answer|reply) is) "
        r"(?:wrong|incorrect|not (?:right|correct|what|true|answering))\b"
    ),
    r"\bnot what i (?:asked|meant|wanted|said)\b|\bi meant\b|\bi asked for .*(?:, not|instead)\b",
    r"\bi said (?:not|no|don'?t|use|in)\b",
    r"\byou (?:keep|always|never|again) \w+",
    r"\byour (?:answers?|replies|reply|summar\w+|examples?|code) (?:is|are) (?:too|not|very|perfect)\b",
    r"(?:你|这|答案|回答|结果|上面|刚才)[^，。]{0,6}(?:错了|不对|说错|弄错|搞错|理解错|不准确)|^(?:不对|错了|不是这样)[，,。！!]",
    r"我(?:的意思是|说的是|问的是|指的是)|我(?:问|要|想要|说|指)的(?:并)?不是|我(?:要|想要)的是.*不是|你[^，。]{0,10}(?:弄混|搞混|混淆|漏了|老是|总是|答非所问)",
    r"你的(?:回答|回复|答案|总结|代码|例子)[^，。]{0,4}(?:太|不够|有点)",
)
DECIDING = (
    (
        r"\b(?:we|the team|they)(?: have|'ve| had)? (?:just |finally |now |all )?"
        r"(?:decided|agreed|settled|chose) (?:to|on|that|against|upon)\b"
    ),
    r"\bwe chose \w|^\W*(?:agreed|decided|decision)\s*[:,-]|\bit (?:was|is) decided\b|\bthe decision (?:is|was) to\b",
    r"\blet'?s (?:go with|use|keep|switch|drop|stick) (?!(?:an eye|in touch|going|trying)\b)",
    r"\bwe(?:'re| are) (?:going with|settling on)\b",
    r"\bwe(?:'ll| will) (?:use|go with|switch to|keep|stick with|drop)\b|\bfrom now on,? (?:we|all|every|the|our)\b",
    r"(?:我们|团队|大家|会上|最终|最后|经讨论)[^，。]{0,4}(?:决定|商定|敲定|确定(?:用|采用|由|在|为|把))|^决定|就这么定|定下来了|^(?:那)?(?:我们)?就(?:用|选|选用|采用)(?!这个词)\s*\w[^，。？]*吧[。！]?$|我们(?:选用|选定|选择)了?(?!题)",
)
SETTLING = (
    r"统一(?:用|使用|采用|改用|改成)",
    r"(?:后端|前端|项目|系统|服务|仓库|全部|我们|接口|日志|数据库)[^，。]{0,6}(?:采用|改用|改为|改成|换成)",
)
LEARNING = (
    r"\bturn(?:s|ed) out\b|\broot cause (?:is|was) |\blessons? learned\b|\bin hindsight\b|\bwe should(?:n'?t)? have\b",
    r"\bthe (?:problem|issue|cause|mistake) was (?:an?|the|that|in|our|caused|due|\w+ing) ",
    r"我们(?:本该|本应该?|早该|不该|当初应该)(?!问|由)|(?:根本原因|根因|教训)(?:是|在|：|:)|(?:问题|原因)(?:出在|在于)|原因是(?!我)|原来是[^。]{2,}(?:没|忘|导致|造成|，所以)",
)
WHEN = r"(?:下周|本周|这周|周[一二三四五六日天]|月|[0-9一二三四五六七八九十]+[号日]|明天|后天|年底|季度)"
UNDER_WAY = (
    (
        r"\b(?:deadline|release|launch|milestone|go-live|sprint|freeze|rollout|v\d[\w.]*)\b.{0,40}"
        r"\b(?:is|are|starts?|begins?|ends?|due|planned|scheduled|moves?|ships?)\b.{0,30}"
        r"\b(?:by|on|in|before|until|next|this|for|at|to|\w+day)\b(?! the (?:wrong|right|top|bottom|menu|corner|list|page))"
    ),
    (
        r"\bour (?:project|repo|repository|services?|stack|backend|frontend|database|pipeline|api|docs|app) "
        r"(?:is|are|uses?|runs?|lives?|needs?)\b"
    ),
    (
        r"\bwe(?:'re| are) (?:building|migrating|moving|planning|working on|switching|rewriting|porting|replacing) "
        r"(?!(?:house|home|flat|a (?:trip|party|wedding))\b)"
    ),
    r"\bwe (?:plan|intend|aim) to\b|\bwe (?:use|run) (?-i:[A-Z])",
    rf"{WHEN}[^，。]{{0,8}}(?:上线|发布|交付|冻结|评审)|(?:截止|交付|上线|发布|评审)(?:日期|时间|日)?(?:是|为|定在|推迟|提前|安排)",
    r"(?:我们|团队)(?:现在|目前)?(?:计划|打算)(?:放弃|停用|弃用|移除|升级|支持|引入|替换|发布|推出|上线|在)",
    r"(?:我们|团队)(?:现在|目前)?(?:正在|计划|打算|准备|在)(?:把|用(?!餐)|做|先|将|迁移|开发|搭建|重构|改|试点|写|换)",
    r"(?:我们的?)?(?:后端|前端|数据库|项目|仓库)(?:用|使用|采用|跑在|部署在|叫)",
)
ADDRESS = (r"https?://[^\s<>\"'）)\]，。；]+",)
POINTING = (
    (
        r"\b(?:see|documented|described|tracked|found|available|listed|defined|kept|lives?) (?:in|at|on|under)\b.{0,60}"
        r"(?:[\w-]+[./#][\w./#-]+|\bdocs?\b|\bwiki\b|\bboard\b|\bdashboard\b)"
    ),
    r"(?:见|参见|详见|参考|放在|位于|写在|记录在|列在|定义在|保存在|描述在|地址是|地址为)\s*[\w./#-]+[./#][\w./#-]+",
    r"(?:记录|写|列|定义|跟踪|保存)在[^，。]{0,12}(?:文档|看板|仪表盘|维基|wiki)",
    r"^\W*(?:please )?(?:see|refer to|look at) (?:the )?(?:[\w-]+[./#][\w./#-]+|docs?\b|wiki\b|handbook\b|guide\b)",
    r"(?:参考|参见|详见)[^，。]{0,8}(?:文档|手册|第.{1,3}[章节]|规范|指南)",
    r"(?:文档|链接|地址|看板|仪表盘|手册)(?:在|是|：|:|为|里)[^，。]{0,20}(?:[\w-]+[./#][\w./#-]+|[章节]|目录|文件夹|仓库|wiki|内网)",
)


def either(patterns: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of any of some."""
    return re.compile("|".join(patterns), re.IGNORECASE)


class Rule(NamedTuple):
    """What a sentence is that `pattern` finds and `unless` does not: a `type`, or no memory.

    `person` rules are for what the user says.
    """

    type: str | None
    person: bool
    pattern: re.Pattern[str]
    unless: re.Pattern[str] = re.compile(NEVER)


WRONG, OPEN = either(TROUBLE), either((*TROUBLE, *UNSURE))
RULES = (
    Rule("reference", person=True, pattern=either(ADDRESS), unless=WRONG),
    Rule(None, person=False, pattern=ASKS),
    Rule("feedback", person=True, pattern=either((*CORRECTING, *WISHING))),
    Rule("project", person=False, pattern=either(DECIDING), unless=either((*UNSURE, *SERVING))),
    Rule("project", person=True, pattern=either(SETTLING), unless=either(UNSURE)),
    Rule("user", person=True, pattern=either((*LIKING, *HABIT, *ABOUT_ME)), unless=either((*TROUBLE, *UNSURE, *YOURS))),
    Rule("reference", person=False, pattern=either(POINTING)),
    Rule("project", person=False, pattern=either(LEARNING), unless=either(UNSURE)),
    Rule("project", person=True, pattern=either(UNDER_WAY), unless=OPEN),
)
"""The first rule that finds something decides."""
