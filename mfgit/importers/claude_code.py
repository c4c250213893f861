"""Claude Code: the session files under `~/.claude/projects/`, JSON Lines; also the `loglines` of its web sessions.

What the program puts in (reminders, summaries), what sub-agents say, and thinking are counted and left out. Commands and
interruptions are kept as messages; the archive makes no turns of them.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mfgit.importers.found import Damage, Skipped, kind_of
from mfgit.importers.jsonstream import records
from mfgit.importers.parts import Builder, compact, mapping, string, text_of
from mfgit.importers.source import Member, Source
from mfgit.session import Conversation

EXPECTED = "a session file of Claude Code (.jsonl), or a folder of them (claude-code)"
FILES = r"\.jsonl?$"
WEB = ("loglines",)
INJECTED = re.compile(
    r"\s*<(system-reminder|ide_\w+|local-command-caveat|task-notification|user-memory-input)\b|\s*Caveat: The messages below"
)
KNOWN = frozenset(
    (
        *(
            "progress",
            "file-history-snapshot",
            "queue-operation",
            "system",
            "attachment",
            "last-prompt",
            "summary",
            "custom-title",
        ),
        *("ai-title", "agent-name", "agent-color", "tag", "mode", "permission-mode", "pr-link", "worktree-state", "result"),
        *("started", "content-replacement", "saved_hook_context"),
    )
)
"""Records that are no messages; they are counted by type."""
TITLES = {"summary": "summary", "custom-title": "customTitle", "ai-title": "aiTitle"}


def read(source: Source) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the sessions of a file or folder."""
    for member in source.files(FILES):
        yield from session_file(member)


def session_file(member: Member) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the sessions of one file: one as a rule, more where a session went on under another id."""
    talks: dict[str, Builder] = {}
    title = last = ""
    seen: set[tuple[str, str]] = set()
    loose = Builder()
    for record in map(unqueued, records(member, WEB)):
        if isinstance(record, Skipped | Damage):
            yield record
            continue
        if not isinstance(record, dict):
            yield Skipped("record that is no object")
            continue
        kind = kind_of(record.get("type"))
        title = string(record.get(TITLES.get(kind, ""))) or title
        identity = string(record.get("sessionId")) or last
        if kind in ("user", "assistant"):
            last = identity
            talks.setdefault(identity, Builder()).id = identity
        add(talks.get(identity, loose), record, kind, seen)
    yield from finished(talks, loose, title)


def finished(talks: Mapping[str, Builder], loose: Builder, title: str) -> Iterator[Conversation | Skipped]:
    """Yield the sessions that were read, and what belongs to none."""
    for talk in talks.values():
        talk.title = title
        yield from talk.finish("claude-code", participants=("user", "assistant"))
    for reason, count in loose.skipped.items():
        yield Skipped(reason, count)


def add(talk: Builder, record: Mapping[str, Any], kind: str, seen: set[tuple[str, str]]) -> None:
    """Add what a record says to its session, or count why not."""
    message = record.get("message")
    if kind in KNOWN:
        talk.skipped[f"{kind} record"] += 1
    elif kind not in ("user", "assistant"):
        talk.keep(record, kind)
    elif not isinstance(message, dict):
        talk.skipped["record without a message"] += 1
    elif record.get("isSidechain"):
        talk.skipped["message of a sub-agent"] += 1
    elif record.get("isMeta") or record.get("isCompactSummary") or record.get("isVisibleInTranscriptOnly"):
        talk.skipped["message put in by the program"] += 1
    else:
        key = (talk.id, string(record.get("uuid")))
        if key[1] and key in seen and text_of(message.get("content")):
            talk.skipped["message that came before"] += 1
            return
        said = len(talk.messages)
        converse(talk, message, string(message.get("role")) or kind, record)
        if len(talk.messages) > said:
            seen.add(key)
        if isinstance(record.get("cwd"), str):
            talk.meta.setdefault("cwd", record["cwd"])


def unqueued(record: Any) -> Any:
    """Return what the user typed while the agent was at work as the record that it is otherwise; any other as it is."""
    attached = mapping(mapping(record).get("attachment"))
    by_hand = mapping(attached.get("origin")).get("kind", "human") == "human" and not attached.get("isMeta")
    if attached.get("type") != "queued_command" or attached.get("commandMode", "prompt") != "prompt" or not by_hand:
        return record
    said = {"type": "user", "message": {"role": "user", "content": attached.get("prompt")}}
    return {**record, **said, "uuid": attached.get("source_uuid") or record.get("uuid")}


def converse(talk: Builder, message: Mapping[str, Any], role: str, record: Mapping[str, Any]) -> None:
    """Add the blocks of a message: what was said as one message, tools as theirs."""
    time, content = record.get("timestamp"), message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if not isinstance(blocks, list):
        talk.skipped["record without a message"] += 1
        return
    texts, calls = [], []
    for block in map(mapping, blocks):
        kind = block.get("type")
        text = string(block.get("text"))
        if kind == "text" and role == "user" and INJECTED.match(text):
            talk.skipped["message put in by the program"] += 1
        elif kind == "text":
            texts.append(text)
        elif kind == "tool_use":
            calls.append(f"{string(block.get('name'))} {compact(block.get('input'))}")
        elif kind == "tool_result":
            talk.tool(text_of(block.get("content")), time)
        else:
            talk.skipped[f"{kind_of(kind)} block"] += 1
    if texts:
        talk.say(role if role in ("user", "assistant") else "system", "\n".join(texts), time, record.get("uuid"))
    for call in calls:
        talk.tool(call, time)
