"""Slack: a workspace export, a zip file or folder with a folder a channel and a file a day in it.

A thread is a conversation: its first message asks, the others answer. What is said outside of threads is kept as a session a
channel and day, without turns, since nobody can tell which message answers which. Messages of bots and of Slack itself are
counted and left out.
"""

import html
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from mfgit.importers.found import Damage, Skipped
from mfgit.importers.jsonstream import documents
from mfgit.importers.parts import NO_TEXT, Builder, mapping, string
from mfgit.importers.source import Member, Source
from mfgit.session import Conversation

EXPECTED = "a Slack workspace export: the zip file, or the folder it unpacks to (slack)"
DAYS = re.compile(r"(?:^|/)([^/]+)/\d{4}-\d\d-\d\d\.json$")
USERS = r"^([^/]+/)?(users|org_users)\.json$"
CHANNELS = r"^([^/]+/)?(channels|groups|mpims|dms)\.json$"
MARKUP = re.compile(r"<([@#!])?([^<>|]*)(?:\|([^<>]*))?>")
TALK = (None, "thread_broadcast", "file_share", "me_message")
"""Subtypes of messages that people write."""


def read(source: Source) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the threads of a workspace, a channel at a time."""
    if source.alone:
        return
    names = read_names(source, USERS, ("display_name", "real_name", "name"))
    channels = {name: identity for identity, name in read_names(source, CHANNELS, ("name",)).items()}
    folders: dict[str, list[Member]] = defaultdict(list)
    for member in source.members:
        if found := DAYS.search(member.name):
            folders[found[1]].append(member)
    for folder, members in folders.items():
        yield from channel(folder, channels.get(folder, folder), members, names)


def read_names(source: Source, pattern: str, fields: tuple[str, ...]) -> dict[str, str]:
    """Return id -> name of the users or channels that files list."""
    names: dict[str, str] = {}
    for member in source.files(pattern):
        for row in map(mapping, documents(member)):
            given = {**row, **{key: value for key, value in mapping(row.get("profile")).items() if value}}
            name = next((given[field] for field in fields if isinstance(given.get(field), str) and given[field]), "")
            if isinstance(row.get("id"), str):
                names[row["id"]] = name or row["id"]
    return names


def channel(
    folder: str, identity: str, members: list[Member], names: Mapping[str, str]
) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the threads of one channel."""
    threads: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for member in members:
        loose = []
        for message in documents(member):
            if isinstance(message, Damage | Skipped):
                yield message
            elif reason := left_out(message):
                yield Skipped(reason)
            elif start := start_of(message):
                threads[start].append(message)
            else:
                loose.append(message)
        if loose:
            yield from talk_of_day(folder, f"{identity}-{member.stem}", loose, names)
    for start, messages in threads.items():
        yield from thread(folder, f"{identity}-{start}", messages, names)


def start_of(message: Mapping[str, Any]) -> str:
    """Return the time that names the thread of a message, empty outside of threads."""
    begun = message["ts"] if message.get("replies") or message.get("reply_count") else ""
    return string(message.get("thread_ts")) or begun


def left_out(message: Any) -> str:
    """Return why a message is no part of a conversation, empty when it is one."""
    if not isinstance(message, dict) or not isinstance(message.get("ts"), str):
        return "not a message"
    if message.get("bot_id") or message.get("subtype") == "bot_message":
        return "message of a bot"
    if message.get("subtype") not in TALK:
        return "message of Slack"
    if not string(message.get("text")).strip():
        return NO_TEXT
    return ""


def thread(
    folder: str, identity: str, messages: list[Mapping[str, Any]], names: Mapping[str, str]
) -> Iterator[Conversation | Skipped]:
    """Yield one thread."""
    talk = Builder()
    talk.id, talk.title, people = identity, f"#{folder}", []
    for message in sorted(messages, key=lambda each: float(each["ts"]) if is_number(each["ts"]) else 0.0):
        author = string(message.get("user"))
        people.append(names.get(author, author))
        talk.say("assistant" if talk.messages else "user", plain(message["text"], names), message["ts"], message["ts"])
    talk.meta = {"user_id": messages[0]["user"]} if isinstance(messages[0].get("user"), str) else {}
    yield from talk.finish("slack", channel=f"#{folder}", participants=tuple(dict.fromkeys(filter(None, people))))


def talk_of_day(
    folder: str, identity: str, messages: list[Mapping[str, Any]], names: Mapping[str, str]
) -> Iterator[Conversation | Skipped]:
    """Yield what was said in a channel on one day outside of threads; nobody asks in it, everybody speaks under their name."""
    talk = Builder()
    talk.id, talk.title, people = identity, f"#{folder}", []
    for message in messages:
        author = string(message.get("user"))
        people.append(names.get(author, author))
        talk.say("assistant", f"{people[-1]}: {plain(message['text'], names)}", message["ts"], message["ts"])
    yield from talk.finish("slack", channel=f"#{folder}", participants=tuple(dict.fromkeys(filter(None, people))))


def is_number(text: str) -> bool:
    """Tell whether a text is a time of Slack."""
    return re.fullmatch(r"\d{1,12}(\.\d+)?", text) is not None


def plain(text: str, names: Mapping[str, str]) -> str:
    """Return a text as Slack shows it: names for ids, links by their label and address, no entities."""

    def shown(match: re.Match[str]) -> str:
        sign, target, label = match.groups()
        if sign == "@":
            return f"@{names.get(target, label or 'someone')}"
        if sign:
            return f"{'#' if sign == '#' else '@'}{label or target.partition('^')[0]}"
        return target if not label or label == target or target.endswith(label) else f"{label} ({target})"

    return html.unescape(MARKUP.sub(shown, text)).strip()


def detects(source: Source) -> bool:
    """Tell whether a folder or zip file looks like a workspace."""
    days = sum(DAYS.search(member.name) is not None for member in source.members)
    return days > 0 and not source.alone and (len(source.files(CHANNELS)) > 0 or len(source.files(USERS)) > 0)
