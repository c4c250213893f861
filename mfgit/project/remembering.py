"""Memories of a session: extracted by rules, handed over as values, or proposed as Markdown under `_forged/memory/<type>/`."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mfgit import layout
from mfgit.archive import memories as rules
from mfgit.archive.memories import Memory
from mfgit.errors import BadInput, Refusal
from mfgit.layout import FORGED, Root
from mfgit.model import Evidence, Record
from mfgit.progress import Progress, quiet
from mfgit.project import deciding, fetching
from mfgit.project.base import Repository
from mfgit.reasons.forms import say
from mfgit.text.slug import slug
from mfgit.text.tokens import language

TITLES = {
    "en": {"user": "About the user", "feedback": "Feedback", "project": "Project", "reference": "Reference"},
    "zh": {"user": "关于用户", "feedback": "反馈", "project": "项目", "reference": "参考"},
}
PLACES = {
    "en": ("session {}, message {}, {}", "session {}, {}"),
    "zh": ("会话 {}，第 {} 条，{}", "会话 {}，{}"),
}
CORRECTED = {"en": ("Correction", "What was said"), "zh": ("更正", "原话")}
MOST_CITED = 20


class Remembered(NamedTuple):
    """The memories of a session, and how each proposal that carries them was written (id → new, updated, unchanged)."""

    session_id: str
    date: str
    memories: tuple[Memory, ...]
    proposals: Mapping[str, str]
    note: str | None

    def to_json(self) -> dict[str, Any]:
        """Return what `memories --json` prints."""
        entries = [memory._asdict() for memory in self.memories]
        shown = [{"id": one, "branch": layout.branch_name(one), "status": status} for one, status in self.proposals.items()]
        return {"session_id": self.session_id, "date": self.date, "memories": entries, "proposals": shown, "note": self.note}


def extract(
    repository: Repository,
    session: str,
    *,
    types: Sequence[str] = (),
    propose: bool = False,
    root: str | None = None,
    progress: Progress = quiet,
) -> Remembered:
    """Return the memories of a session (its id or the start of it); with `propose` also write them as proposals.

    One proposal a type, so that each can be reviewed alone; the same session gives the same proposals. `root` is the
    knowledge root they go to (default: the only one). Raises `BadInput` for an unknown session, type or root.
    """
    wanted = rules.chosen(types)
    talk = fetching.get(repository, session, progress=progress).talk
    found = rules.memories(talk.session_id, talk.date, talk.messages, wanted)
    if not found and not talk.messages:
        found = rules.kept_memories(talk.session_id, talk.date, talk.about, wanted)
    said = [talk.note] if talk.note else []
    if not found:
        said.append("Nothing in this session is a memory by the rules.")
    written: Mapping[str, str] = {}
    if propose and found:
        deciding.need_settings(repository)
        place = root_of(repository, root)
        records = [record(repository, place, [each for each in found if each.type == kind]) for kind in wanted]
        written = deciding.write_proposals(repository, [each for each in records if each])
    return Remembered(talk.session_id, talk.date, found, written, " ".join(said) or None)


def root_of(repository: Repository, path: str | None) -> Root:
    """Return the knowledge root of a path from the top, or the only one; raises `BadInput` that names those there are."""
    roots = repository.roots(repository.target_commit())
    found = [root for root in roots if path is None or root.path == (path.strip("/") or ".")]
    if len(found) == 1:
        return found[0]
    names = ", ".join(root.path for root in roots)
    if not roots:
        raise BadInput("There is no knowledge root on the target.", "mfgit init writes the settings.")
    if path is None:
        raise BadInput(f"There are {len(roots)} knowledge roots: {names}.", "Say with --root where memories go.")
    raise BadInput(f"{path} is no knowledge root.", f"Roots here: {names}.")


class Note(NamedTuple):
    """The text of one overlay: `key` is what its id is made of, `name` its file's, so that the same memory stays the same."""

    key: str
    name: str
    title: str
    text: str
    lang: str


def record(repository: Repository, root: Root, found: Sequence[Memory]) -> Record | None:
    """Return the proposal that carries the memories of one type, None for none."""
    if not found:
        return None
    first = found[0]
    tongue = language(" ".join(memory.text for memory in found))
    title = TITLES[tongue][first.type] + (": " if tongue == "en" else "：") + first.text
    text = "\n".join(bullet(memory, tongue) for memory in found)
    return made(
        repository,
        root,
        Note(f"{first.session_id}\n{first.type}", f"{first.date} {first.session_id}", title[:120], text, tongue),
        found,
    )


def bullet(memory: Memory, tongue: str) -> str:
    """Return a memory as a line of Markdown, with where it was said."""
    with_message, without = PLACES[tongue]
    place = (
        with_message.format(memory.session_id, memory.message, memory.date)
        if memory.message
        else without.format(memory.session_id, memory.date)
    )
    return f"- {escaped(memory.text)}\n  ({escaped(place)})"


def escaped(text: str) -> str:
    """Return a line of a conversation as plain text in Markdown."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>#|" else c for c in " ".join(text.split()))


def made(repository: Repository, root: Root, note: Note, found: Sequence[Memory]) -> Record:
    """Return a proposal whose overlay lies in `_forged/memory/<type>/`."""
    identity = hashlib.sha256(f"memory\n{note.key}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    cited = found[:MOST_CITED]
    excerpts = repository.config.scan.excerpts
    evidence = tuple(
        Evidence(f"{one.session_id}#{one.message}" if one.message else one.session_id, one.date, one.quote[:200] * excerpts)
        for one in cited
    )
    day = max(one.date for one in cited)
    name = slug(note.name)[:60].strip("-") or cited[0].type
    return Record(
        id=identity,
        title=note.title,
        action_type="supplement",
        target_layer=root.layer,
        root=root.path,
        priority="low",
        frequency=1,
        lang=note.lang,
        distinct_users=1,
        suggestion=note.text,
        evidence=evidence,
        why=(say("why.session", session=cited[0].session_id, date=cited[0].date),),
        first_seen=day,
        last_seen=day,
        adopted_path=root.join(f"{FORGED}/memory/{cited[0].type}/{name}-{identity}.md"),
    )


def remember_correction(
    repository: Repository, session: str, message: int | None, correction: str, root: str | None = None
) -> Remembered:
    """Propose a correction as a `feedback` memory that quotes the original message; return it with its proposal.

    Raises `BadInput` for an unknown session or message, and for an empty correction.
    """
    from mfgit.redact import redact

    told = redact(" ".join(correction.split()))
    if not told:
        raise BadInput("The correction is empty.", "Say in a sentence what is right.")
    asked = fetching.get(repository, session)
    number = message or (asked.part.first if asked.request_id else None)
    if number is not None and not 1 <= number <= len(asked.talk.messages):
        raise BadInput(f"There is no message {number}; this conversation has {len(asked.talk.messages)}.")
    quoted = redact(asked.talk.messages[number - 1].content)[:400] if number else ""
    role = asked.talk.messages[number - 1].role if number else "user"
    memory = Memory("feedback", told, quoted, asked.talk.session_id, number, role, 0, len(quoted), asked.talk.date)
    tongue = language(told)
    deciding.need_settings(repository)
    place = root_of(repository, root)
    head, said = CORRECTED[tongue]
    colon = ": " if tongue == "en" else "："
    text = bullet(memory, tongue) + (f"\n\n{said}{colon.strip()}\n\n> {escaped(quoted)}" if quoted else "")
    key = f"{memory.session_id}\n{number}\n{told}"
    one = made(repository, place, Note(key, told, (head + colon + told)[:120], text, tongue), [memory])
    written = deciding.write_proposals(repository, [one])
    if not written:
        raise Refusal("The correction was not written.")
    return Remembered(memory.session_id, memory.date, (memory,), written, None)
