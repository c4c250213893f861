"""Every word of the page, in English and Chinese, in one table; and which of the two a reader gets."""

LANGUAGES = {"en": "English", "zh": "中文"}
"""What a reader can choose: its code, and what it calls itself."""
TAGS = {"en": "en", "zh": "zh-Hans"}
"""The code of a language as HTML says it."""

TABLE: dict[str, tuple[str, str]] = {
    # ---- the frame
    "title": ("Knowledge review", "知识审核"),
    "skip": ("Skip to the content", "跳到正文"),
    "nav": ("Main", "主导航"),
    "nav.proposals": ("Proposals", "提案"),
    "nav.scan": ("Scan", "扫描"),
    "nav.try": ("Try a question", "试问"),
    "nav.stats": ("Statistics", "统计"),
    "language": ("Language", "语言"),
    "signed_in": ("Signed in as {name}", "当前用户：{name}"),
    "sign_out": ("Sign out", "退出"),
    "sign_in": ("Sign in", "登录"),
    "sign_in.token": ("Access token", "访问令牌"),
    "sign_in.about": (
        "Whoever runs this server can make one for you: mfgit serve token add NAME --role reviewer",
        "请向管理员索取令牌，生成命令：mfgit serve token add 名字 --role reviewer",
    ),
    "sign_in.wrong": ("The token is not known here.", "令牌无效。"),
    "sign_in.wait": ("Too many wrong tokens; wait a minute.", "错误次数过多，请一分钟后再试。"),
    "keys": ("Keyboard shortcuts", "键盘快捷键"),
    "keys.close": ("Close", "关闭"),
    "keys.on": ("Use single-key shortcuts", "启用单键快捷键"),
    "keys.help": ("Show this help", "显示本帮助"),
    "keys.move": ("Next or previous proposal", "下一条或上一条提案"),
    "keys.open": ("Open the chosen proposal", "打开所选提案"),
    "keys.search": ("Go to the search field", "转到搜索框"),
    "keys.go": ("Proposals, scan, try, statistics", "提案、扫描、试问、统计"),
    "keys.adopt": ("Go to the adopt button", "转到采纳按钮"),
    "keys.reject": ("Go to the reason for rejecting", "转到拒绝理由"),
    "keys.edit": ("Edit the text", "编辑正文"),
    "keys.back": ("Back to the list", "返回列表"),
    "error": ("That did not work", "操作未完成"),
    "error.session": (
        "This page is older than your session, so nothing was changed.",
        "页面已过期，未做任何更改。",
    ),
    "error.session.hint": ("Open it again and repeat the step.", "请重新打开页面后再操作。"),
    "error.home": ("To the list of proposals", "返回提案列表"),
    # ---- words of proposals
    "status.waiting": ("Waiting", "待审核"),
    "status.open": ("Open", "待处理"),
    "status.edited": ("Edited", "已编辑"),
    "status.stale": ("Stale", "已过时"),
    "status.adopted": ("Adopted", "已采纳"),
    "status.rejected": ("Rejected", "已拒绝"),
    "status.closed": ("Closed", "已关闭"),
    "status.undone": ("Undone", "已撤销"),
    "status.all": ("All", "全部"),
    "type.index": ("More wordings", "补充问法"),
    "type.verified_answer": ("Verified answer", "已验证答案"),
    "type.skill": ("Procedure", "操作流程"),
    "type.supplement": ("Supplement", "补充说明"),
    "type.index.about": ("Adds wordings that lead to a page that answers already.", "为已有答案的页面增加问法。"),
    "type.verified_answer.about": ("Adds an answer that users were satisfied with.", "加入用户满意的答案。"),
    "type.skill.about": ("Adds a procedure that was asked for again and again.", "加入被反复询问的操作流程。"),
    "type.supplement.about": ("Fills a gap; read the text with care.", "填补空白，请仔细核对正文。"),
    "layer.help": ("Help", "帮助"),
    "layer.workspace": ("Workspace", "工作区"),
    "priority.high": ("High priority", "高优先级"),
    "priority.medium": ("Medium priority", "中优先级"),
    "priority.low": ("Low priority", "低优先级"),
    "lang.en": ("English", "英文"),
    "lang.zh": ("Chinese", "中文"),
    # ---- the list
    "list.title": ("Proposals", "提案"),
    "list.lead": (
        "What users asked and did not find. Each adds to the knowledge and changes no page that people wrote.",
        "用户问过却没有找到答案的内容。每条提案只做补充，不改动人工撰写的页面。",
    ),
    "list.status": ("By status", "按状态"),
    "filter": ("Filter", "筛选"),
    "filter.text": ("Words", "关键词"),
    "filter.layer": ("Layer", "层级"),
    "filter.type": ("Type", "类型"),
    "filter.priority": ("Priority", "优先级"),
    "filter.language": ("Language", "语言"),
    "filter.any": ("Any", "不限"),
    "filter.clear": ("Clear", "清除"),
    "list.range": ("{first}–{last} of {total}", "第 {first}–{last} 条，共 {total} 条"),
    "list.pages": ("Pages", "分页"),
    "list.previous": ("Previous", "上一页"),
    "list.next": ("Next", "下一页"),
    "list.none": ("Nothing here", "暂无内容"),
    "list.none.filter": ("No proposal matches these filters.", "没有符合条件的提案。"),
    "list.none.waiting": (
        "No proposal waits for a decision. A scan of the archive finds what users asked since.",
        "没有待审核的提案。扫描归档可以发现新的问题。",
    ),
    "list.problems": (
        "Proposals that could not be read: {n}. mfgit proposals names them.",
        "有 {n} 条提案无法读取，运行 mfgit proposals 查看。",
    ),
    "asked": ("Asked {n}×", "被问 {n} 次"),
    "users": ("Users: {n}", "{n} 位用户"),
    "unhappy": ("Not satisfied: {n}", "{n} 次不满意"),
    # ---- one proposal
    "one.facts": ("Facts", "概况"),
    "one.id": ("Id", "编号"),
    "one.root": ("Goes into", "写入"),
    "one.branch": ("Branch", "分支"),
    "one.seen": ("Asked between", "提问时间"),
    "one.commit": ("Commit", "提交"),
    "one.decided": ("Decided", "决定时间"),
    "one.reason": ("Reason given", "理由"),
    "one.forever": ("For ever: a scan does not bring it back.", "永久拒绝：扫描不会再次提出。"),
    "one.why": ("Why this is proposed", "提出原因"),
    "one.questions": ("How users asked", "用户的问法"),
    "one.try": ("Tried with and without this proposal:", "在有无此提案时各试一次："),
    "one.aliases": ("New wordings", "新增问法"),
    "one.aliases.for": ("lead to {path}", "指向 {path}"),
    "one.text": ("Text", "正文"),
    "one.edit": ("Edit the text", "编辑正文"),
    "one.edit.about": (
        "Saved as a commit on the proposal's branch in your name; scans leave it alone from then on.",
        "保存为此提案分支上以您署名的提交，之后扫描不再改动它。",
    ),
    "one.save": ("Save the text", "保存正文"),
    "one.diff": ("What it changes", "改动内容"),
    "one.diff.none": ("Nothing on the target.", "目标分支无改动。"),
    "one.evidence": ("Evidence", "证据"),
    "one.evidence.count": ("{shown} of {total} conversations, redacted", "共 {total} 次对话，显示 {shown} 条，已脱敏"),
    "one.evidence.hidden": (
        "Conversations are shown to reviewers only.",
        "对话内容仅审核者可见。",
    ),
    "one.evidence.silent": ("The text of conversations is switched off.", "未保留对话内容。"),
    "rating.bad": ("Not satisfied", "不满意"),
    "rating.good": ("Satisfied", "满意"),
    "rating.middle": ("Rated {rating} of 5", "评分 {rating}/5"),
    "one.reasons": ("Reasons users gave", "用户给出的原因"),
    "one.based": ("Based on", "依据页面"),
    "one.related": ("Related pages", "相关页面"),
    "one.similar": ("May be the same as", "可能重复"),
    "one.similar.waiting": ("waits for room", "排队中"),
    "one.contradicts": ("It contradicts what is published", "与已发布的内容矛盾"),
    "one.previous": ("Previous", "上一条"),
    "one.next": ("Next", "下一条"),
    "one.neighbours": ("Proposals that wait", "待审核提案"),
    "decide": ("Decision", "决定"),
    "decide.jump": ("Go to the decision", "转到决定"),
    "decide.draft": (
        "A draft without an answer: write it before you adopt it.",
        "尚无答案的草稿：请先补写答案再采纳。",
    ),
    "decide.adopt": ("Adopt", "采纳"),
    "decide.adopt.about": ("Merges it into {target} in your name.", "以您的名义合并到 {target}。"),
    "decide.despite": ("Adopt it although it contradicts the above", "尽管与上述内容矛盾，仍然采纳"),
    "decide.reject": ("Reject", "拒绝"),
    "decide.why": ("Reason", "理由"),
    "decide.forever": ("For ever: do not propose it again", "永久拒绝，不再提出"),
    "decide.restore": ("Restore", "恢复"),
    "decide.restore.about": ("Opens it again for review.", "重新打开以供审核。"),
    "decide.undo": ("Undo", "撤销"),
    "decide.undo.about": (
        "Takes what was added out of {target} by a new commit. It can be adopted again.",
        "通过新提交从 {target} 移除，之后可再次采纳。",
    ),
    "decide.readopt": ("Adopt again", "再次采纳"),
    "decide.reader": ("You may read. Deciding needs the role reviewer.", "您可以查看；审核需要 reviewer 角色。"),
    "done.adopt": ("Adopted. It is in {target} now.", "已采纳，内容已进入 {target}。"),
    "done.reject": ("Rejected.", "已拒绝。"),
    "done.restore": ("Restored: it waits for a decision again.", "已恢复，等待审核。"),
    "done.undo": ("Undone: it was taken out of {target}.", "已撤销，内容已从 {target} 移除。"),
    "done.draft": ("The text is saved.", "正文已保存。"),
    "done.next": ("Next proposal", "下一条提案"),
    # ---- scanning
    "scan.title": ("Scan", "扫描"),
    "scan.lead": (
        "Reads the archived conversations and proposes what repeats or disappoints.",
        "读取归档的对话，将反复出现或令人不满的问题整理为提案。",
    ),
    "scan.new": ("Start a scan", "开始扫描"),
    "scan.days": ("Days back", "回溯天数"),
    "scan.between": ("Or between two days (UTC)", "或指定日期范围（UTC）"),
    "scan.since": ("First day", "开始日期"),
    "scan.until": ("Last day", "结束日期"),
    "scan.dry": ("Only look, propose nothing", "仅查看，不生成提案"),
    "scan.start": ("Scan now", "立即扫描"),
    "scan.state": ("Last scan", "最近一次扫描"),
    "scan.state.none": ("There was no scan yet.", "尚未扫描过。"),
    "scan.state.running": ("Scanning", "正在扫描"),
    "scan.state.done": ("Done", "已完成"),
    "scan.state.failed": ("Failed", "失败"),
    "scan.by": ("started by {name}", "由 {name} 启动"),
    "scan.dried": ("Only looked: nothing was written.", "仅查看，未写入任何内容。"),
    "scan.progress": ("Progress", "进度"),
    "scan.busy": ("A scan is going on already.", "已有扫描正在进行。"),
    "scan.read": ("Turns read", "读取轮次"),
    "scan.used": ("Turns used", "采用轮次"),
    "scan.proposals": ("Proposals", "提案"),
    "scan.aside": ("Set aside", "未采用的轮次"),
    "scan.left": ("Not proposed", "未提出的问题"),
    "scan.to": ("To the proposals", "查看提案"),
    "scan.count.new": ("New", "新增"),
    "scan.count.updated": ("Updated", "更新"),
    "scan.count.unchanged": ("Unchanged", "无变化"),
    "scan.count.waiting": ("Waiting for room", "排队中"),
    "scan.count.rejected": ("Rejected before", "此前已拒绝"),
    "reason": ("Reason", "原因"),
    "count": ("Count", "数量"),
    # ---- the hit tester
    "try.title": ("Try a question", "试问"),
    "try.lead": ("What a reader finds, original pages first.", "读者会找到的内容，原文优先。"),
    "try.question": ("Question", "问题"),
    "try.ask": ("Ask", "提问"),
    "try.only": ("Look in", "范围"),
    "try.only.original": ("Original pages", "原文页面"),
    "try.only.overlay": ("Additions", "补充内容"),
    "try.with": ("With the proposal", "加入提案"),
    "try.with.none": ("None", "无"),
    "try.now": ("Now", "当前"),
    "try.then": ("With the proposal", "采纳后"),
    "try.none": ("Nothing was found.", "没有找到内容。"),
    "try.original": ("Original", "原文"),
    "try.overlay": ("Addition", "补充"),
    "try.score": ("Score {score}", "得分 {score}"),
    "try.lines": ("lines {first}–{last}", "第 {first}–{last} 行"),
    # ---- statistics
    "stats.title": ("Statistics", "统计"),
    "stats.waiting": ("Waiting", "待审核"),
    "stats.adopted": ("Adopted in {days} days", "{days} 天内采纳"),
    "stats.rejected": ("Rejected in {days} days", "{days} 天内拒绝"),
    "stats.rate": ("Adopted of decided", "采纳率"),
    "stats.status": ("All proposals by status", "各状态提案"),
    "stats.type": ("All proposals by type", "各类型提案"),
    "stats.type.adopted": ("Adopted in {days} days by type", "{days} 天内各类型采纳数"),
    "stats.daily": ("Decisions a day, {days} days", "{days} 天内每日决定"),
    "stats.layer": ("By layer", "按层级"),
    "stats.language": ("By language", "按语言"),
    "stats.day": ("Day", "日期"),
    "stats.figures": ("Figures", "数据"),
    "stats.none": ("No figures yet.", "暂无数据。"),
}


def word(key: str, lang: str, **values: object) -> str:
    """Return a text of the table with values put in; raises `KeyError` for a key that is not there."""
    return TABLE[key][0 if lang == "en" else 1].format(**values)


def preferred(header: str) -> str:
    """Return which language an Accept-Language header asks for first, English where it asks for neither."""
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate(header[:1000].split(",")):
        name, _, weight = part.strip().partition(";")
        lang = name.strip().lower().partition("-")[0]
        if lang in LANGUAGES and (rank := weight_of(weight)) > 0:
            wanted.append((-rank, place, lang))
    return min(wanted)[2] if wanted else "en"


def weight_of(text: str) -> float:
    """Return the weight of a part of the header; 0 for one that is none."""
    name, _, value = text.strip().partition("=")
    if not name:
        return 1.0
    try:
        return float(value) if name.strip().lower() == "q" else 1.0
    except ValueError:
        return 0.0
