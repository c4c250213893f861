"""What the tools return, as typed values from which the SDK makes the schemas of their output."""

from typing import Any

from pydantic import BaseModel, Field


class Archived(BaseModel):
    """The session as it is in the archive now."""

    sessionId: str
    date: str = Field(description="Day the session began, YYYY-MM-DD.")
    turns: int = Field(description="New turns.")
    alreadyKnown: int = Field(description="Turns that were in the archive before.")
    skipped: dict[str, int] = Field(description="What is no turn, by reason.")
    uri: str = Field(description="The session as a resource.")


class ArchiveHit(BaseModel):
    """A turn, or a session found by what is said about it."""

    sessionId: str | None
    requestId: str | None = Field(description="The turn; null where the session itself was found.")
    date: str
    score: float
    field: str = Field(description="Where the snippet comes from: question, reply, topics, summary, …")
    snippet: str
    uri: str | None = Field(description="The session as a resource.")


class ArchiveHits(BaseModel):
    """One page of hits, newest first."""

    query: str
    hits: list[ArchiveHit]
    note: str | None = Field(description="Corrections of typing errors, and why nothing was found.")
    nextCursor: str | None = Field(default=None, description="Hand it back as cursor for the next page.")


class SessionMessage(BaseModel):
    """One message of the original conversation."""

    number: int
    role: str
    content: str
    time: str | None = None
    bytesLeftOut: int = Field(default=0, description="Bytes of it that did not fit into the budget.")


class SessionPart(BaseModel):
    """The part of a session that fits into the budget."""

    sessionId: str
    date: str
    about: dict[str, Any] = Field(description="Channel, participants, title, topics, decisions, feedback, summary, …")
    messages: list[SessionMessage]
    total: int = Field(description="Messages of the whole session.")
    suggested: list[str] = Field(description="Ranges of messages that are left and fit into the budget, one a call.")
    note: str | None


class MemoryEntry(BaseModel):
    """One thing worth remembering, with its quote and the quote's place in the original."""

    type: str
    text: str
    quote: str
    sessionId: str
    message: int | None
    role: str
    start: int
    end: int
    date: str


class Memories(BaseModel):
    """The memories of a session."""

    sessionId: str
    memories: list[MemoryEntry]
    note: str | None
    nextCursor: str | None = Field(default=None, description="Hand it back as cursor for the next page.")


class Correction(BaseModel):
    """A correction, proposed as a feedback memory; a person decides about it."""

    sessionId: str
    quote: str = Field(description="What the original says.")
    proposal: str
    status: str


class Contradiction(BaseModel):
    """An original that an overlay contradicts, and what cannot both be."""

    path: str
    heading: str
    what: str


class Folded(BaseModel):
    """A passage further down that says nearly the same."""

    path: str
    heading: str | None
    lines: list[int]


class KnowledgeHit(BaseModel):
    """A passage of the knowledge base."""

    path: str
    heading: str
    kind: str = Field(description="original: people wrote it. overlay: mfgit added it, and the original wins.")
    score: float
    text: str
    lines: list[int]
    mark: str | None
    contradicts: list[Contradiction] = Field(description="Originals that this overlay contradicts: they are right.")
    folded: list[Folded] = Field(description="Passages that say nearly the same, not listed by themselves.")
    citation: str = Field(description="path#anchor@commit: where the passage stands for good.")
    uri: str = Field(description="The passage as a resource.")


class KnowledgeHits(BaseModel):
    """Passages, originals first."""

    query: str
    ref: str
    commit: str
    hits: list[KnowledgeHit]
    note: str | None
    nextCursor: str | None = Field(default=None, description="Hand it back as cursor for the next page.")
