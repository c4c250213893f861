"""What an agent can do with the archive and the knowledge. Every tool calls one function of the project."""

import os
import threading
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import Field

from mfgit.archive.fitting import LEAST
from mfgit.mcp import results
from mfgit.mcp.fitted import fit, offset
from mfgit.project import Project

BUDGET = 20_000
"""Bytes that an answer takes unless more is asked for: some 5,000 tokens."""
MOST_BYTES = 1_000_000
PAGE = 50
"""Hits on a page at most."""

HISTORY = "The user's turns before the question, the oldest first, for one that leans on them."
Query = Annotated[str, Field(description="What to look for, in Chinese or English.", min_length=1, max_length=2000)]
SessionId = Annotated[str, Field(description="A session id, a request id in it, or the unambiguous start of one.")]
Limit = Annotated[int, Field(description="Hits on a page.", ge=1, le=PAGE)]
Cursor = Annotated[str | None, Field(description="nextCursor of the page before.")]
Budget = Annotated[int, Field(description="Bytes of the whole result, as JSON, at most.", ge=LEAST, le=MOST_BYTES)]
Types = Annotated[
    list[Literal["user", "feedback", "project", "reference"]] | None,
    Field(description="Types of memory; all when none are given."),
]


class Tools:
    """The tools of one repository.

    It is found once and its indexes stay open; settings, branches and the archive are looked at anew for each call, and an
    index is opened again when what it holds has changed. `lock` is held during a call: open indexes are for one thread.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.found = Project.open(folder)
        self.found.kept = {}
        self.lock = threading.RLock()

    @property
    def project(self) -> Project:
        """The project of the repository, with the settings that it has now."""
        found = self.found
        fresh = Project(found.git, found.top, found.common, found.environment)
        fresh.kept = found.kept
        return fresh

    def archive_session(
        self,
        sessionKey: Annotated[str, Field(description="The session's key or id, such as agent:main:main.", min_length=1)],
        includeMessages: Annotated[bool, Field(description="Keep the messages, not the summary alone.")] = True,
        messages: Annotated[
            list[dict[str, Any]] | None,
            Field(description="The conversation as {role, content, time}; none: the transcript of that key is read."),
        ] = None,
        *,
        channel: str | None = None,
        participants: list[str] | None = None,
        title: str | None = None,
    ) -> results.Archived:
        """Archive a session, redacted. Doing it again adds only what is new."""
        from mfgit.project import handing

        given = {"channel": channel, "participants": participants, "title": title}
        about = {name: value for name, value in given.items() if value}
        done = handing.archive_session(
            self.project, sessionKey, include_messages=includeMessages, messages=messages or (), about=about
        )
        return results.Archived(
            sessionId=done.session_id,
            date=done.date,
            turns=done.stored.turns,
            alreadyKnown=done.stored.already_known,
            skipped=done.stored.skipped,
            uri=session_uri(done.session_id),
        )

    def search_archive(
        self,
        query: Query,
        date: Annotated[str | None, Field(description="A day 2026-03-29, a month 2026-03, or a range FIRST..LAST.")] = None,
        limit: Limit = 5,
        cursor: Cursor = None,
        *,
        by: Annotated[Literal["date", "score"], Field(description="Newest first, or best first.")] = "date",
        budget: Budget = BUDGET,
    ) -> results.ArchiveHits:
        """Find past conversations: turns by their words, sessions by topic, keywords and summary. Newest first."""
        from mfgit.project import recalling

        start = offset(cursor)
        most = min(start + limit + 1, recalling.MOST_HITS)
        found = recalling.search(self.project, query, date=date, limit=most, by=by)
        hits = [
            results.ArchiveHit(
                sessionId=hit.session_id,
                requestId=hit.request_id,
                date=hit.date,
                score=round(hit.score, 3),
                field=hit.field,
                snippet=hit.snippet,
                uri=session_uri(hit.session_id) if hit.session_id else None,
            )
            for hit in found.hits[start : start + limit]
        ]
        answer = results.ArchiveHits(query=query, hits=[], note=found.note)
        return fit(answer, "hits", hits, start, budget, more=len(found.hits) > start + limit)

    def get_session(
        self,
        sessionId: SessionId,
        messages: Annotated[str | None, Field(description="A range of messages: 3-10, 5, 20- or -10 (the last ten).")] = None,
        budget: Budget = BUDGET,
    ) -> results.SessionPart:
        """Get the original words of a session. What does not fit into the budget is named as ranges to ask for."""
        from mfgit.project import fetching

        found = fetching.get(self.project, sessionId, messages=messages, budget=budget)
        told = [
            results.SessionMessage(
                number=number,
                role=message.role,
                content=message.content,
                time=message.time.isoformat() if message.time else None,
                bytesLeftOut=cut,
            )
            for number, message, cut in found.part.messages
        ]
        return results.SessionPart(
            sessionId=found.talk.session_id,
            date=found.talk.date,
            about=found.talk.about,
            messages=told,
            total=found.part.total,
            suggested=list(found.part.suggested),
            note=found.note,
        )

    def extract_memories(
        self, sessionId: SessionId, types: Types = None, limit: Limit = PAGE, cursor: Cursor = None, budget: Budget = BUDGET
    ) -> results.Memories:
        """Get what of a session is worth remembering: user, feedback, project, reference; each with a quote and its place."""
        from mfgit.project import remembering

        start = offset(cursor)
        found = remembering.extract(self.project, sessionId, types=types or ())
        entries = [
            results.MemoryEntry(sessionId=memory.session_id, **{k: v for k, v in memory._asdict().items() if k != "session_id"})
            for memory in found.memories[start : start + limit]
        ]
        answer = results.Memories(sessionId=found.session_id, memories=[], note=found.note)
        return fit(answer, "memories", entries, start, budget, more=len(found.memories) > start + limit)

    def record_correction(
        self,
        sessionId: SessionId,
        correction: Annotated[str, Field(description="In one sentence, what is right.", min_length=1, max_length=1000)],
        message: Annotated[int | None, Field(description="Number of the message with the original words.", ge=1)] = None,
        root: Annotated[str | None, Field(description="Knowledge root for the memory; needed where there are several.")] = None,
    ) -> results.Correction:
        """Propose a correction as a feedback memory with the original words as its quote. A person decides about it."""
        from mfgit.project import remembering

        done = remembering.remember_correction(self.project, sessionId, message, correction, root)
        proposal, status = next(iter(done.proposals.items()))
        return results.Correction(sessionId=done.session_id, quote=done.memories[0].quote, proposal=proposal, status=status)

    def search_knowledge(
        self,
        query: Query,
        limit: Limit = 5,
        ref: Annotated[str | None, Field(description="Branch, tag or commit; the checked-out one unless given.")] = None,
        cursor: Cursor = None,
        budget: Budget = BUDGET,
        *,
        roots: Annotated[list[str], Field(description="See these knowledge roots only (path or workspace id).")] = [],  # noqa: B006
        history: Annotated[list[str], Field(description=HISTORY, max_length=20)] = [],  # noqa: B006 - nobody changes it
    ) -> results.KnowledgeHits:
        """Find passages of the knowledge base, originals first; overlays are marked."""
        start = offset(cursor)
        answer = self.project.search(query, ref=ref, limit=start + limit + 1, roots=roots, history=history)
        hits = []
        for hit in answer.hits[start : start + limit]:
            lines, told_of = hit.passage.lines, hit.to_json()
            hits.append(
                results.KnowledgeHit(
                    path=hit.passage.path,
                    heading=hit.passage.heading,
                    kind=hit.passage.kind,
                    score=round(hit.score, 3),
                    text=hit.passage.text,
                    lines=list(lines),
                    mark=hit.mark,
                    contradicts=told_of["contradicts"],
                    folded=told_of["folded"],
                    citation=hit.citation,
                    uri=f"mfgit://passage/{answer.commit}/{lines[0]}-{lines[1]}/{quote(hit.passage.path)}",
                )
            )
        told = results.KnowledgeHits(query=query, ref=answer.ref, commit=answer.commit, hits=[], note=answer.note)
        return fit(told, "hits", hits, start, budget, more=len(answer.hits) > start + limit)


def session_uri(session_id: str) -> str:
    """Return a session's address as a resource."""
    return f"mfgit://session/{quote(session_id, safe='')}"
