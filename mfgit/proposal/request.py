"""The title and the text of the pull or merge request of a proposal, in the proposal's language.

What mfgit says is Markdown; what conversations, pages and people say is quoted, and nothing of it acts (see `quoted`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mfgit.model import Evidence, Record
from mfgit.proposal.quoted import block, harmless, within
from mfgit.proposal.safe import line
from mfgit.reasons.forms import Steps, in_chinese

TRAILER = "Mfgit-Proposal"
EVIDENCE, WORDINGS = 10, 12
"""How many entries of each are shown; the rest is counted."""
TEXT, DIFF, PREVIEW = 8_000, 12_000, 8_000
"""Characters that each of these sections may have."""
WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "index": "Wordings",
        "answer": "Answer",
        "skill": "Steps",
        "supplement": "Supplement",
        "missing": "Answer wanted",
        "asked": "Asked {} times by {} people, {} unhappy, {} to {}.",
        "seldom": "Asked {} times, {} unhappy, {} to {}.",
        "missing_note": (
            "**There is no answer yet.** Write one on this branch, in the place of the marked line; "
            "until then this must not be merged."
        ),
        "why": "Why",
        "evidence": "Evidence",
        "rest": "… and {} more.",
        "wordings": "Wordings",
        "text": "What it says",
        "changes": "What changes",
        "preview": "Before and after",
        "review": "How to decide",
        "how": (
            "- Edit the text on the branch `{branch}` as you like; it stays as you write it.\n"
            "- Merge, squash or rebase: the proposal is adopted.\n"
            "- Close without merging, with the reason as a comment: it is rejected, and comes back only when it is asked much "
            "more often.\n"
            "- Open it again: it is restored."
        ),
        "originals": "Nothing that people wrote is changed: only files under `_forged/` and lists of aliases.",
    },
    "zh": {
        "index": "问法",
        "answer": "回答",
        "skill": "步骤",
        "supplement": "补充",
        "missing": "待回答",
        "asked": "共被问 {} 次，来自 {} 人，其中 {} 次不满意，{} 至 {}。",
        "seldom": "共被问 {} 次，其中 {} 次不满意，{} 至 {}。",
        "missing_note": "**还没有答案。** 请在此分支上用答案替换标出的那一行；在此之前请勿合并。",
        "why": "原因",
        "evidence": "依据",
        "rest": "……另有 {} 条。",
        "wordings": "用户的问法",
        "text": "内容",
        "changes": "改动",
        "preview": "采纳前后",
        "review": "如何处理",
        "how": (
            "- 可在分支 `{branch}` 上任意修改文字，修改会保留。\n"
            "- 合并（merge、squash 或 rebase）：采纳此提案。\n"
            "- 不合并而关闭，并在评论中写明理由：拒绝此提案；只有被问得明显更多时才会再次提出。\n"
            "- 重新打开：恢复此提案。"
        ),
        "originals": "不改动人写的任何内容：只涉及 `_forged/` 下的文件和别名列表。",
    },
}


class Facts(NamedTuple):
    """What the text is made of, besides the record: Markdown by path, the patch, what changes for the questions, the branch."""

    texts: Mapping[str, str]
    diff: str
    branch: str
    unanswered: bool = False
    preview: str = ""


def words(record: Record) -> Mapping[str, str]:
    """Return what is said, in the language of a record."""
    return WORDS.get(record.lang, WORDS["en"])


def title(record: Record, unanswered: bool, prefix: str, limit: int) -> str:
    """Return a title of at most `limit` characters, which begins with `prefix` where there is no answer yet."""
    kind = {"index": "index", "skill": "skill", "verified_answer": "answer"}.get(record.action_type, "supplement")
    said = words(record)["missing" if unanswered else kind]
    colon = "：" if record.lang == "zh" else ": "
    return line(f"{prefix if unanswered else ''}{said}{colon}{harmless(line(record.title))}", limit)


def text(record: Record, facts: Facts, limit: int) -> str:
    """Return a text of at most `limit` characters; where all is too much, what can be seen elsewhere goes first."""
    every = list(sections(record, facts))
    for dropped in ((), ("preview",), ("preview", "changes"), ("preview", "changes", "text", "wordings")):
        whole = "\n\n".join(part for name, part in every if name not in dropped) + f"\n\n{TRAILER}: {record.id}\n"
        if len(whole) <= limit:
            return whole
    return f"{words(record)['originals']}\n\n{TRAILER}: {record.id}\n"


def sections(record: Record, facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text by name."""
    said = words(record)
    yield "question", f"**{within(record.title)}**"
    yield "asked", asked(record)
    if facts.unanswered:
        yield "missing", said["missing_note"]
    if record.why:
        yield "why", f"### {said['why']}\n\n" + "\n".join(f"- {within(reason)}" for reason in reasons(record) if line(reason))
    yield "evidence", f"### {said['evidence']}\n\n" + "\n".join(evidence(record))
    if record.questions:
        yield "wordings", f"### {said['wordings']}\n\n" + "\n".join(capped(record.questions, WORDINGS, said["rest"]))
    for path, page in facts.texts.items():
        yield "text", f"### {said['text']}\n\n{within(path)}\n\n{block(page, TEXT)}"
    if facts.preview:
        yield "preview", f"### {said['preview']}\n\n{block(facts.preview, PREVIEW)}"
    if facts.diff.strip():
        yield "changes", f"### {said['changes']}\n\n{said['originals']}\n\n{block(facts.diff, DIFF, 'diff')}"
    yield "review", f"### {said['review']}\n\n{said['how'].format(branch=facts.branch)}"


def reasons(record: Record) -> Iterator[str]:
    """Yield why a proposal is there, in its language; what no form knows stays as it is."""
    steps = Steps()
    for reason in record.why:
        yield (in_chinese(reason, "why", steps=steps) if record.lang == "zh" else None) or reason


def asked(record: Record) -> str:
    """Return how often a question was asked."""
    span = (record.first_seen[:10], record.last_seen[:10])
    if not record.distinct_users:
        return words(record)["seldom"].format(record.frequency, record.dissatisfied_count, *span)
    return words(record)["asked"].format(record.frequency, record.distinct_users, record.dissatisfied_count, *span)


def evidence(record: Record) -> Iterator[str]:
    """Yield the lines of the cited turns and the count of all others."""
    shown = record.evidence[:EVIDENCE]
    yield from map(cited, shown)
    if record.frequency > len(shown):
        yield f"- {words(record)['rest'].format(record.frequency - len(shown))}"


def cited(entry: Evidence) -> str:
    """Return one cited turn: its day, its rating with the reasons, its excerpt."""
    rating = "" if entry.rating is None else " ".join(filter(None, (str(entry.rating), "; ".join(entry.reasons))))
    return "- " + " ".join(part for part in (within(entry.date), within(rating, 200), within(entry.excerpt)) if part)


def capped(entries: Sequence[str], most: int, rest: str) -> Iterator[str]:
    """Yield the first entries as items of a list, and how many are left."""
    yield from (f"- {within(entry)}" for entry in entries[:most])
    if len(entries) > most:
        yield f"- {rest.format(len(entries) - most)}"


def before_and_after(question: str, before: tuple[str | None, int], after: tuple[str | None, int]) -> str:
    """Return which page comes first for a question, now and then, with the rank of the page that should (0: not in ten)."""
    old, new = (f"{page or '–'}{'' if rank == 1 else f' (#{rank})' if rank else ' (–)'}" for page, rank in (before, after))
    return f"{line(question, 200)}\n    {old}\n  → {new}"
