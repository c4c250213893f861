"""From turns to the questions of each scope: which root they belong to, and what is set aside and why."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from mfgit.layout import Root
from mfgit.model import Known, Progress, Turn
from mfgit.reasons.forms import say
from mfgit.scan.values import HELP, Asked
from mfgit.text.followups import leans
from mfgit.text.questions import HAN_CHARACTER, Question, ask, bare
from mfgit.text.tokens import CHINESE_STOP_WORDS, ENGLISH_STOP_WORDS, query_terms

ECHO, REPEATED, WITHOUT_WORDS = say("aside.echo"), say("aside.repeated"), say("aside.without_words")
NO_WORKSPACE, NO_ROOT, NO_HELP = say("aside.no_workspace"), say("aside.no_root"), say("aside.no_help")
REPLAYED, TESTED = say("aside.replayed"), say("aside.tested")
PROBE = re.compile(
    r"(?:health[-_]?checks?|uptime[-_]?\w*|monitor(?:ing)?|synthetic\w*|(?:load|smoke)[-_]?tests?(?:er)?|e2e|canary)(?:[-_:./].*)?",
    re.IGNORECASE,
)
"""Ids by which probes of a service name themselves."""
PROBING = frozenset(("health_check", "healthcheck", "heartbeat", "ping", "test", "smoke_test"))
"""Intents of probes."""
FOLLOW_UP = say("aside.follow_up")
HINTS = {NO_WORKSPACE: "set help_mode or workspace_id on each turn"}
"""What to do about turns that are set aside for a reason."""
ECHO_LENGTH = {"en": 40, "zh": 16}
"""Characters of bare text from which a message that repeats an overlay is taken for an echo of it."""
EXAMPLES = 3
INJECTED = re.compile(
    r"Added from users' conversations \(|Passages for the question below\. Text between fences is quoted data"
    r"|根据用户对话整理的补充（|以下是与问题有关的段落。围栏之间"
)
"""Words that only mfgit's own marks and blocks hold."""


@dataclass
class Gathered:
    """Questions by scope, and the turns set aside: how many and examples for each reason."""

    scopes: dict[str, list[Asked]] = field(default_factory=lambda: defaultdict(list))
    aside: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    read: int = 0

    @property
    def used(self) -> int:
        """How many turns ask something."""
        return self.read - self.aside.total()

    def set_aside(self, reason: str, example: str) -> None:
        """Count a turn that asks nothing."""
        self.aside[reason] += 1
        if len(self.examples[reason]) < EXAMPLES and example not in self.examples[reason]:
            self.examples[reason].append(example)


class Scopes:
    """Which scope a turn belongs to, by its layer and workspace.

    Where only help can be meant (`only_help`: no workspace root is set up at all) a turn that names neither is of help.
    """

    def __init__(self, roots: Sequence[Root], *, only_help: bool = False) -> None:
        self.only_help = only_help
        self.help = [root.path for root in roots if root.layer == "help"]
        self.workspaces = {root.workspace_id: root.path for root in roots if root.layer == "workspace" and root.workspace_id}
        named = [root.path for root in roots if root.layer == "workspace" and not root.workspace_id]
        self.by_name = {path.rsplit("/", 1)[-1]: path for path in named}
        self.scope_of_root = {root.path: HELP if root.layer == "help" else root.path for root in roots}

    def roots_of(self, scope: str) -> list[str]:
        """Return the roots that a scope's proposals may go to."""
        return self.help if scope == HELP else [scope]

    def of(self, turn: Turn) -> tuple[str, str]:
        """Return the scope of a turn and nothing, or nothing and why it has none."""
        if turn.help_mode:
            return (HELP, "") if self.help else ("", NO_HELP)
        if not turn.workspace_id:
            return (HELP, "") if self.only_help and self.help else ("", NO_WORKSPACE)
        scope = self.workspaces.get(turn.workspace_id) or self.by_name.get(turn.workspace_id)
        return (scope, "") if scope else ("", NO_ROOT)


def gather(
    turns: Sequence[Turn], scopes: Scopes, known: Iterable[Known], progress: Progress, test_users: Sequence[str] = ()
) -> Gathered:
    """Return the questions of the turns, each scope's by time; every turn is used or set aside and counted.

    `test_users` are patterns of the ids of users and clients that test.
    """
    found = Gathered(read=len(turns))
    echoes = published(known)
    seen: set[str] = set()
    copies = Copies()
    same: dict[str, tuple[str, str]] = {}
    for number, turn in enumerate(sorted(turns, key=lambda turn: (turn.timestamp, turn.request_id))):
        if number % 2000 == 0:
            progress("Reading questions", number, len(turns))
        scope, reason = scopes.of(turn)
        if turn.request_id in seen:
            reason = REPEATED
        elif copies.has(turn):
            reason = REPLAYED
        reason = reason or tested(turn, test_users)
        seen.add(turn.request_id)
        question = ask(turn.user_message)
        reason = reason or echo(turn.user_message, question.normal, echoes) or unasked(question)
        if reason:
            example = turn.workspace_id if reason == NO_ROOT and turn.workspace_id else turn.user_message
            found.set_aside(reason, example)
        else:
            normal, key = same.setdefault(question.normal, (question.normal, question.key))
            text = turn.user_message if question.text == turn.user_message else question.text
            found.scopes[scope].append(Asked(turn, text, normal, key))
    return found


class Copies:
    """Tells a turn that comes again under another id: the same words of the same session at the same moment."""

    def __init__(self) -> None:
        self.moment: object = None
        self.there: set[tuple[str, str]] = set()

    def has(self, turn: Turn) -> bool:
        """Whether a turn, given by time, is there already."""
        if turn.timestamp != self.moment:
            self.moment, self.there = turn.timestamp, set()
        if not turn.session_id:
            return False
        known = (turn.session_id, turn.user_message) in self.there
        self.there.add((turn.session_id, turn.user_message))
        return known


def tested(turn: Turn, patterns: Sequence[str]) -> str:
    """Return the reason that sets aside a turn of a test or a probe, else nothing."""
    ids = [name for name in (turn.user_id, turn.user_agent_id) if name]
    if any(PROBE.fullmatch(name) or any(fnmatchcase(name, pattern) for pattern in patterns) for name in ids):
        return TESTED
    intent = turn.intent_meta.get("intent")
    return TESTED if isinstance(intent, str) and intent.lower() in PROBING else ""


def echo(message: str, normal: str, echoes: frozenset[str]) -> str:
    """Return the reason that sets aside a message which repeats what mfgit itself hands out, else nothing."""
    if INJECTED.search(message):
        return ECHO
    return (
        ECHO if echoes and len(message) >= min(ECHO_LENGTH.values()) and not echoes.isdisjoint((normal, bare(message))) else ""
    )


def unasked(question: Question) -> str:
    """Return why a message asks nothing that can be compared, nothing when it does."""
    if question.aside:
        return question.aside
    if not has_content(question.normal):
        return WITHOUT_WORDS
    return FOLLOW_UP if leans(bare(question.text)) or leans(question.normal) else ""


def has_content(normal: str) -> bool:
    """Whether a question has a word that says what it is about."""
    return any(term not in ENGLISH_STOP_WORDS and term not in CHINESE_STOP_WORDS for term in query_terms(normal))


def published(known: Iterable[Known]) -> frozenset[str]:
    """Return the bare paragraphs and lines of every adopted overlay's text."""
    lines: set[str] = set()
    for proposal in known:
        if proposal.status == "adopted" and proposal.record.suggestion:
            text = proposal.record.suggestion
            parts = [text, *text.split("\n\n"), *text.splitlines()]
            lines.update(plain for part in parts if long_enough(plain := bare(part)))
    return frozenset(lines)


def long_enough(plain: str) -> bool:
    """Whether a bare text says enough to be known again."""
    return len(plain) >= ECHO_LENGTH["zh" if HAN_CHARACTER.search(plain) else "en"]
