"""What a reviewer is told when a decision is refused, in English and Chinese; holes are as in `table`.

What Git, the guard or the framework says is not here: it stays as it is.
"""

REFUSALS: dict[str, tuple[str, str]] = {
    "state.open": ("open", "待处理"),
    "state.edited": ("edited", "已编辑"),
    "state.stale": ("stale", "已过时"),
    "state.adopted": ("adopted", "已采纳"),
    "state.rejected": ("rejected", "已拒绝"),
    "state.closed": ("closed", "已关闭"),
    "state.undone": ("undone", "已撤销"),
    # ---- adopting
    "refused.stale": ("{id} is stale: {pages} changed since it was proposed.", "{id} 已过时：{pages} 在提出之后有改动。"),
    "hint.stale": (
        "Run mfgit scan to propose it anew; or compare, and if it still holds: mfgit refresh {id} --checked.",
        "运行 mfgit scan 重新提出；或先对照，若仍然成立：mfgit refresh {id} --checked。",
    ),
    "refused.draft": ("{id} is a draft without an answer.", "{id} 是尚无答案的草稿。"),
    "hint.draft": (
        ("Write it on the page of mfgit serve, or in a checkout of its branch ({command}) and commit; then adopt again."),
        "在 mfgit serve 的页面上补写答案，或检出其分支 ({command}) 补写并提交，然后再采纳。",
    ),
    "refused.second": (
        "{id} answers a question that {other} answers already ({path}).",
        "{id} 回答的问题 {other} 已经回答了 ({path})。",
    ),
    "hint.second": (
        "Reject this one, or take the other out first: mfgit undo {other}.",
        "拒绝这一条，或先撤销另一条：mfgit undo {other}。",
    ),
    "refused.contradicting": ("{id} contradicts the target: {how:against}", "{id} 与目标分支矛盾：{how}"),
    "hint.contradicting": (
        "Correct it on the branch {branch}; or, where it is right: mfgit adopt {id} --despite-contradiction.",
        "在分支 {branch} 上更正；如果它是对的：mfgit adopt {id} --despite-contradiction。",
    ),
    "refused.conflict": ("{id} conflicts with the target in {paths}.", "{id} 与目标分支在 {paths} 中冲突。"),
    "hint.conflict": ("Merge the target into its branch by hand.", "请手工将目标分支合并到其分支。"),
    "refused.nothing": ("{id} would change nothing on the target.", "{id} 不会改变目标分支。"),
    "hint.nothing": ("Reject it, or edit its branch.", "拒绝它，或编辑其分支。"),
    "refused.closed": ("{id} was closed: {reason:closed}.", "{id} 已关闭：{reason}"),
    "refused.unsaid": ("{id} was {state:state}: no reason given.", "{id} 目前{state}，未说明理由。"),
    "refused.gone": ("{id} was {state:state}: {reason}.", "{id} 目前{state}：{reason}。"),
    "hint.gone": ("Reopen it first: mfgit restore {id}.", "请先重新打开：mfgit restore {id}。"),
    "refused.moved": (
        "{id} is at {now} now, not at {then} as reviewed.",
        "{id} 现在位于 {now}，不是您审核的 {then}。",
    ),
    "hint.moved": ("Read it again: mfgit show {id}.", "请重新阅读：mfgit show {id}。"),
    # ---- rejecting, restoring, undoing, editing
    "refused.unreasoned": ("A rejection needs a reason.", "拒绝需要理由。"),
    "hint.unreasoned": ("Say why with --reason; the next reviewer will ask.", "请写明理由，下一位审核者会问。"),
    "refused.adopted": ("{id} is adopted already.", "{id} 已采纳。"),
    "hint.adopted": ("Take it out first: mfgit undo {id}.", "请先撤销：mfgit undo {id}。"),
    "refused.checked_out": ("The branch {branch} is checked out in {place}.", "分支 {branch} 已在 {place} 检出。"),
    "hint.checked_out": (
        "Switch that checkout to another branch, then run the command again.",
        "请将那里切换到其他分支，然后重试。",
    ),
    "refused.restoring": ("{id} is {state:state}, so there is nothing to restore.", "{id} 目前{state}，无需恢复。"),
    "hint.restoring": (
        "Rejected, closed and undone proposals can be restored.",
        "只有已拒绝、已关闭和已撤销的提案可以恢复。",
    ),
    "refused.undone": ("{id} is undone already, so there is nothing to undo.", "{id} 已撤销，无需再撤销。"),
    "refused.undoing": (
        "{id} is {state:state}, not adopted, so there is nothing to undo.",
        "{id} 目前{state}，并未采纳，无可撤销。",
    ),
    "hint.undoing": ("See mfgit show {id}.", "见 mfgit show {id}。"),
    "refused.nothing_left": (
        "Nothing that {id} added is left on the target.",
        "{id} 加入的内容已不在目标分支上。",
    ),
    "refused.editing": ("{id} is {state:state}, so its text cannot be edited.", "{id} 目前{state}，不能编辑正文。"),
    "hint.editing": ("Only open proposals can be.", "只有待处理的提案可以编辑。"),
    "refused.empty": ("The text is empty.", "正文为空。"),
    "hint.empty": ("Reject the proposal if it should not be there at all.", "如果不该有这条提案，请拒绝它。"),
    "refused.long": ("The text has {count} characters; {most} are the most.", "正文有 {count} 个字符，最多 {most} 个。"),
    "refused.broken": ("The text holds a character that is none.", "正文含有无效字符。"),
    "hint.broken": ("Take out NUL and broken characters.", "请去掉 NUL 和损坏的字符。"),
    "refused.pageless": (
        "{id} adds wordings to index.json only, so there is no text to edit.",
        "{id} 只在 index.json 中添加问法，没有可编辑的正文。",
    ),
    # ---- the page itself
    "refused.unknown": ("There is no proposal {id}.", "没有提案 {id}。"),
    "refused.unnamed": ("No proposal is named: the id is empty.", "没有指明提案：编号是空的。"),
    "hint.unknown": ("mfgit proposals lists them.", "mfgit proposals 会列出所有提案。"),
    "refused.no_such": ("There is no such proposal.", "没有这条提案。"),
    "refused.no_address": ("There is nothing at this address.", "此地址没有内容。"),
    "refused.scanning": ("A scan is going on already.", "已有扫描正在进行。"),
    "hint.scanning": ("Ask for its status until it is done.", "请等待扫描完成。"),
    "refused.days": ("The days are no number.", "天数不是数字。"),
    "refused.day": ("A day is written like 2026-11-30.", "日期的写法如 2026-11-30。"),
    "refused.role": ("This needs a token with the role {role}.", "此操作需要 {role} 角色的令牌。"),
    "hint.role": ("Ask whoever runs this server for one.", "请向管理员索取。"),
    "refused.often": ("Too many requests.", "请求过于频繁。"),
    "hint.often": ("Wait {seconds:#} seconds.", "请等待 {seconds} 秒。"),
}
