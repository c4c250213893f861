"""Every reason in English and Chinese, by group: one table. `forms` writes the English and reads it back.

A hole is `{name:kind}`: any text without a kind, `#` a number, `%` a share, `user|users` so many of them, else a sentence of a
group; `?` after it may be missing, ` x?` then takes its blank with it, `*` is a list. The Chinese side names the same holes.
Forms are tried from the top, so one that takes any text is the last of its group. What stands in a hole may hold what comes
after it: two such neighbours keep their English marks in Chinese, and are right together however they were parted.
A sentence is never taken out or changed in English: records in Git hold it. A new one is a new form.
"""

REASONS: dict[str, tuple[str, str]] = {
    # ---- why a proposal is there
    "why.asked": (
        "Asked {turns:time|times} by {users:user|users} in {sessions:session|sessions}, {first} to {last}.",
        "共被问 {turns} 次，来自 {users} 位用户、{sessions} 次会话，{first} 至 {last}。",
    ),
    "why.asked_by_nobody_known": (
        "Asked {turns:time|times} in {sessions:session|sessions}, {first} to {last}.",
        "共被问 {turns} 次，来自 {sessions} 次会话，{first} 至 {last}。",
    ),
    "why.rated_one": (
        "{bad:#} of 1 rated answer was rated down{given:given?}.",
        "1 个有评分的回答中，{bad} 个不满意{given}。",
    ),
    "why.rated": (
        "{bad:#} of {rated:#} rated answers were rated down{given:given?}.",
        "{rated} 个有评分的回答中，{bad} 个不满意{given}。",
    ),
    "given.reasons": (" ({reasons:given_reason*})", "（{reasons}）"),
    "given_reason.it": ("{reason} {count:#}×", "{reason} {count}×"),
    "why.weak": (
        "{answers:answer|answers} that nobody rated looked weak: {signs:sign*}.",
        "{answers} 个无人评分的回答看来不好：{signs}。",
    ),
    "sign.again": ("asked again in the session {count:#}×", "同一会话中再次提问 {count} 次"),
    "sign.refusal": ("the reply refused {count:#}×", "回答表示无法解答 {count} 次"),
    "sign.complaint": ("the user complained {count:#}×", "用户抱怨 {count} 次"),
    "sign.no": ("the user said no {count:#}×", "用户说不对 {count} 次"),
    "sign.partial": ("the reply was cut off {count:#}×", "回答中断 {count} 次"),
    "sign.unsure": ("the backend was not sure what was asked {count:#}×", "系统不确定问的是什么 {count} 次"),
    "sign.nothing found": ("retrieval found nothing {count:#}×", "没有检索到内容 {count} 次"),
    "why.repeated": (
        "One user, session or robot repeated it within minutes: the {turns:#} turns count as {count:#}.",
        "同一用户、会话或机器人在几分钟内重复提问：{turns} 次只算 {count} 次。",
    ),
    "why.reopened": (
        "Comes back after it was closed: the originals do not answer it any more, or not well enough.",
        "关闭后再次提出：原文已不再给出答案，或答得不够好。",
    ),
    "why.unhappy_since": ("Adopted, and rated down {count:#} times since.", "已采纳，之后又有 {count} 次不满意。"),
    "why.asked_since": ("{again:again}: asked {now:#} times, {was:#} then.", "{again}：现在被问 {now} 次，当时 {was} 次。"),
    "why.down_since": ("{again:again}: {more:#} more ratings down since.", "{again}：之后又有 {more} 次不满意。"),
    "again.undone": ("Comes back after it was taken out", "撤销后再次提出"),
    "again.rejected": ("Comes back after a rejection", "拒绝后再次提出"),
    "why.cut": ("What spoke to one user only was left out of the answer.", "答案中只针对某位用户的内容已略去。"),
    "why.redacted": (
        "Something was taken out of the answer where it says [redacted:…]: put it right before you publish it.",
        "答案中标有 [redacted:…] 的地方略去了内容：发布前请补正。",
    ),
    "why.rule": ("{type:type}, by rule {rule:#}: {reason:reason}", "{type}（规则 {rule}）：{reason}"),
    "type.index": ("index", "补充问法"),
    "type.verified_answer": ("verified_answer", "已验证答案"),
    "type.skill": ("skill", "操作流程"),
    "type.supplement": ("supplement", "补充说明"),
    "why.split": (
        "It was split from {id} (“{title}”), which had these questions too.",
        "从 {id}（“{title}”）分出，那里原先也有这些问题。",
    ),
    "why.kin": (
        "It has the questions of {id} (“{title}”) too: the two may be one.",
        "也含有 {id}（“{title}”）的问题：两者可能是同一个。",
    ),
    "why.translated": (
        "Also asked in {language:language}: “{title}” ({id}); {shared:shared}.",
        "也有人用{language}提问：“{title}”（{id}）；{shared}。",
    ),
    "language.en": ("English", "英文"),
    "language.zh": ("Chinese", "中文"),
    "shared.answer": ("the same answer was rated good", "两者的满意回答相同"),
    "shared.passage": ("{path} answers both", "{path} 同时回答了两者"),
    "shared.codes": ("both name {codes}", "两者都提到 {codes}"),
    "why.apart": ("Kept apart from “{text}”: different {kind:kind} ({what:what}).", "与“{text}”分开：{kind}不同（{what}）。"),
    "kind.question word": ("question word", "疑问词"),
    "kind.number": ("number", "数字"),
    "kind.name": ("name", "名称"),
    "kind.opposite": ("opposite", "意思（相反）"),
    "why.session": ("From session {session} of {date}", "出自 {session} 会话（{date}）"),
    # ---- why it is of its type
    "reason.not_found": (
        "{where:where}, but only {found:#} of {wordings:#} wordings find it in the first three (under {least:%}).",
        "{where}，但 {wordings} 种问法中只有 {found} 种能在前三条结果里找到它（低于 {least}）。",
    ),
    "reason.no_place": (
        (
            "{where:where}, but only {found:#} of {wordings:#} wordings find it, and no wording can be added as an alias: "
            "mfgit init gives every page an entry in index.json."
        ),
        (
            "{where}，但 {wordings} 种问法中只有 {found} 种能找到它，而且无法添加别名："
            "mfgit init 会为每个页面在 index.json 中建立条目。"
        ),
    ),
    "reason.thin": (
        (
            "{where:where} and {found:#} of {wordings:#} wordings find it, yet users are unhappy ({unhappy:unhappy}): "
            "its owner may want to look at it."
        ),
        "{where}，{wordings} 种问法中有 {found} 种能找到它，但用户不满意（{unhappy}）：建议页面负责人看一看。",
    ),
    "reason.nothing_to_do": (
        "{where:where}, {found:#} of {wordings:#} wordings find it, and nobody is unhappy.",
        "{where}，{wordings} 种问法中有 {found} 种能找到它，且无人不满意。",
    ),
    "reason.covered": (
        "{path} probably covers it ({share:%} of the question, {needed:%} needed), and nobody is unhappy.",
        "{path} 很可能已涵盖此问题（含问题用词的 {share}，需达到 {needed}），且无人不满意。",
    ),
    "reason.procedure": (
        (
            "{agreed:agreed} {how:%} ask how, {steps:%} of the answers have ordered steps, in {sessions:#} sessions "
            "({how_needed:%}, {steps_needed:%} and {sessions_needed:#} needed)."
        ),
        (
            "{agreed}{how} 的提问是问怎么做，{steps} 的回答有先后步骤，共 {sessions} 次会话"
            "（分别需达到 {how_needed}、{steps_needed} 和 {sessions_needed} 次）。"
        ),
    ),
    "reason.agreed": ("{agreed:agreed}", "{agreed}"),
    "agreed.silent": ("The originals are silent; {praise:praise}", "原文没有提到；{praise}"),
    "agreed.little": (
        "The originals say little ({path} has {share:%} of the answer); {praise:praise}",
        "原文说得很少（{path} 只含答案的 {share}）；{praise}",
    ),
    "praise.it": (
        "{praised:#} answers were rated good, {share:%} agree ({needed:%} needed), of {people:#} people, none was rated down.",
        "{praised} 个回答获得好评，{share} 一致（需达到 {needed}），来自 {people} 人，没有不满意。",
    ),
    "reason.unanswered": (
        "{near:near} {none:none} ({unhappy:unhappy}), so a person has to write it.",
        "{near}{none}（{unhappy}），因此需要人来写。",
    ),
    "none.private": ("The answers rated good are about one user each", "获得好评的回答都只针对某一位用户"),
    "none.unrated": ("No answer was rated good", "没有回答获得好评"),
    "reason.disputed": (
        (
            "{near:near} Answers rated good disagree ({share:%} of {praised:#} agree, {needed:%} needed), "
            "so a person has to write it; {unhappy:unhappy}.{answers: clash?}{pages: clash?}"
        ),
        (
            "{near}获得好评的回答不一致（{praised} 个中 {share} 一致，需达到 {needed}），"
            "因此需要人来写；{unhappy}。{answers}{pages}"
        ),
    ),
    "reason.one_answer": (
        (
            "{near:near} One answer to check: {praised:#} rated good{agree:agree?}; {unhappy:unhappy}."
            "{alone: alone?}{answers: clash?}{pages: clash?}"
        ),
        "{near}有一个待核对的答案：{praised} 次好评{agree}；{unhappy}。{alone}{answers}{pages}",
    ),
    "agree.it": (", {share:%} of them agree", "，其中 {share} 一致"),
    "alone.one": (
        "All the good ratings that agree are of one user or session; {needed:#} are needed to publish it.",
        "一致的好评都来自一位用户或一次会话；发布需要 {needed} 个。",
    ),
    "alone.some": (
        "All the good ratings that agree are of {count:#} users or sessions; {needed:#} are needed to publish it.",
        "一致的好评来自 {count} 位用户或 {count} 次会话；发布需要 {needed} 个。",
    ),
    "clash.answers": (
        "Good answers contradict each other ({what:what}): “{first}” and “{second}”.",
        "获得好评的回答互相矛盾（{what}）：“{first}”和“{second}”。",
    ),
    "clash.pages": (
        "It contradicts {path} ({what:what}): “{theirs}” there, “{ours}” here.",
        "与 {path} ({what}) 矛盾：那里是“{theirs}”，这里是“{ours}”。",
    ),
    "where.measured": (
        "{path}{heading:heading?} holds the answer ({share:%} of the answer rated good, {needed:%} needed)",
        "{path}{heading} 有答案（含好评回答的 {share}，需达到 {needed}）",
    ),
    "where.named": (
        "{path}{heading:heading?} holds the answer (the answers rated good name it)",
        "{path}{heading} 有答案（获得好评的回答提到了它）",
    ),
    "heading.it": (" ({heading})", " ({heading})"),
    "unhappy.it": ("{bad:#} rated down, {weak:#} looked weak", "{bad} 个不满意，{weak} 个看来不好"),
    "near.held": ("{where:where}.", "{where}。"),
    "near.little": (
        "The originals say little on it: {path} has {share:%} of the answer.",
        "原文对此说得很少：{path} 只含答案的 {share}。",
    ),
    "near.silent": ("The originals are silent on it.", "原文没有提到。"),
    "near.far": (
        "The originals are silent on it: the nearest, {path}, has {share:%} of the question ({needed:%} needed).",
        "原文没有提到：最接近的 {path} 只含问题用词的 {share}（需达到 {needed}）。",
    ),
    "near.words": (
        "The nearest original, {path}, has the words of the question ({share:%}) but no known answer.",
        "最接近的原文 {path} 含有问题的用词（{share}），但没有已知的答案。",
    ),
    # ---- what differs or contradicts
    "what.denied": ("said and denied", "一方肯定，一方否定"),
    "what.sides": ("{one:side} / {other:side}", "{one} / {other}"),
    "side.none": ("none", "无"),
    "side.only": ("only", "仅部分人"),
    "side.all": ("all", "所有人"),
    "side.yes": ("yes", "是"),
    "side.no": ("no", "否"),
    "side.how long": ("how long", "多久"),
    "side.how much": ("how much", "多少"),
    "side.why": ("why", "为什么"),
    "side.when": ("when", "何时"),
    "side.where": ("where", "哪里"),
    "side.who": ("who", "谁"),
    "side.how": ("how", "怎么"),
    "side.it": ("{it}", "{it}"),
    "against.page": (
        "{path} says otherwise ({what:what}): “{theirs}”, and this says “{ours}”.",
        "{path} ({what}) 的说法不同：那里是“{theirs}”，这里是“{ours}”。",
    ),
    # ---- why it was closed
    "closed.rule": ("{reason:reason} It changed on {day}.", "{reason}该页面于 {day} 有改动。"),
    "closed.held": (
        "{path} has {share:%} of the answer rated good, {needed:%} needed, and nobody asks any more.",
        "{path} 含好评回答的 {share}（需达到 {needed}），且已无人再问。",
    ),
    "closed.covered": (
        "{path} has {share:%} of the question, {needed:%} needed, and nobody asks any more.",
        "{path} 含问题用词的 {share}（需达到 {needed}），且已无人再问。",
    ),
    "closed.led": (
        "{found:#} of {wordings:#} wordings find {path} now.",
        "{wordings} 种问法中现在有 {found} 种能找到 {path}。",
    ),
    # ---- what a scan does not propose
    "left.once": ("asked once", "只问过一次"),
    "left.closed": ("closed, since the originals answer it", "已关闭，因为原文已有答案"),
    "left.private": (
        "about one person only: nothing general is left of the question",
        "只与某一个人有关：问题去掉个人信息后没有普遍内容",
    ),
    "left.answered_in_private": (
        "the good answers are about one user each, and nobody is unhappy",
        "好评回答都只针对某一位用户，且无人不满意",
    ),
    "left.no_place": (
        "an original answers it, few find it, and its index.json takes no alias: see mfgit init",
        "原文已有答案但很少有人找到，且其 index.json 无法添加别名：见 mfgit init",
    ),
    "left.nothing_to_do": ("an original answers it, is found, and nobody is unhappy", "原文已有答案，能找到，且无人不满意"),
    "left.covered": ("an original probably covers it, and nobody is unhappy", "原文很可能已涵盖，且无人不满意"),
    "left.repeated": ("repeated within minutes by one user, session or robot", "同一用户、会话或机器人在几分钟内重复提问"),
    "left.seldom": ("asked less than {least:#} times{unhappy:seldom_unhappy?}", "提问少于 {least} 次{unhappy}"),
    "seldom_unhappy.it": (", and rated down less than {needed:#} times", "，且不满意少于 {needed} 次"),
    "left.one_session": ("asked in one session only", "只在一次会话中问过"),
    "left.forever": ("rejected for good", "已永久拒绝"),
    "left.content": ("adopted, and nobody is unhappy since", "已采纳，之后无人不满意"),
    "left.undone": ("adopted and taken out again, and not asked much more since", "采纳后已撤销，之后提问没有明显增多"),
    "left.rejected": (
        "rejected; returns at {grown:#} turns (now {now:#}) or two more ratings down",
        "已拒绝；达到 {grown} 次提问（现在 {now} 次）或再有两次不满意时会再次提出",
    ),
    # ---- what a scan does not read
    "aside.echo": ("echo of an overlay", "重复了补充内容的文字"),
    "aside.repeated": ("request id read before", "请求编号重复"),
    "aside.without_words": ("nothing but function words", "没有实义词"),
    "aside.no_workspace": ("neither help nor a workspace", "既不属于帮助，也不属于任何工作区"),
    "aside.no_root": ("workspace without a root", "工作区没有知识目录"),
    "aside.no_help": ("help turn without a help root", "属于帮助，但没有帮助目录"),
    "aside.replayed": ("replay of a turn read before", "重放的轮次"),
    "aside.tested": ("test or probe", "测试或探测"),
    "aside.follow_up": ("follow-up without words of its own", "没有自身内容的追问"),
    "aside.small_talk": ("small talk", "闲聊"),
    "aside.code": ("code", "代码"),
    "aside.machine": ("machine traffic", "机器消息"),
    "aside.empty": ("empty", "空消息"),
}
