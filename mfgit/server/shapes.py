"""What comes in and what goes out, typed: the OpenAPI document is made of these."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

Text = Annotated[str, BeforeValidator(lambda value: whole(value) if isinstance(value, str) else value)]
"""A text going out: file names and old texts may hold what is no character, which JSON cannot carry."""
REF = r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$"
COMMIT = r"^[0-9a-f]{7,64}$"
IDENTITY = r"^[0-9a-f]{4,16}$"
Status = Literal["open", "edited", "stale", "adopted", "rejected", "closed", "undone"]
ActionType = Literal["index", "verified_answer", "skill", "supplement"]


def whole(text: str) -> str:
    """Return a text with what is no character replaced."""
    return text.encode("utf-8", "replace").decode()


def not_broken(text: str) -> str:
    """Return a text; raises `ValueError` for one that holds half a character or NUL."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError
    return text


def no_switch(value: object) -> object:
    """Return a value; raises `ValueError` for true and false, which Python takes for numbers."""
    if isinstance(value, bool):
        raise ValueError
    return value


Rating = Annotated[Literal["up", "down", 1, 2, 3, 4, 5], BeforeValidator(no_switch)]
Given = Annotated[str, AfterValidator(not_broken)]


class Request(BaseModel):
    """A body; what is not known is an error rather than passed over."""

    model_config = ConfigDict(extra="forbid", strict=True)


# ---- the archive


class Acknowledged(BaseModel):
    """A turn that is on the disk."""

    request_id: Text
    assistant_message_id: Text
    date: str = Field(description="The day whose file holds it.")


class Appended(BaseModel):
    """The turns of a request, in order, each on the disk."""

    acknowledged: list[Acknowledged]


class RatingGiven(Request):
    """The user's verdict on a reply."""

    assistant_message_id: Given = Field(min_length=1, max_length=1000)
    rating: Rating = Field(description="up, down, or 1 (bad) to 5 (good)")
    reasons: list[Given] = Field(default_factory=list, max_length=50)
    note: Given | None = Field(None, max_length=20_000)


class Rated(BaseModel):
    """A verdict that is on the disk."""

    assistant_message_id: Text
    rating: Rating
    date: str


class ArchiveHit(BaseModel):
    """A turn, or a session found by what is said about it (then without `request_id`)."""

    session_id: Text | None
    request_id: Text | None
    date: str
    score: float
    snippet: Text
    field: Text


class ArchiveHits(BaseModel):
    """What a search of the archive found."""

    query: Text
    hits: list[ArchiveHit]
    note: Text | None


class SessionMessage(BaseModel):
    """A message of a session, by its number."""

    model_config = ConfigDict(extra="allow")
    number: int
    role: Text
    content: Text


class SessionPart(BaseModel):
    """A conversation, and the part of it that was asked for."""

    model_config = ConfigDict(extra="allow")
    session_id: Text
    request_id: Text | None
    date: Text
    messages: list[SessionMessage]
    total: int
    suggested: list[Text]
    note: Text | None


# ---- the knowledge


class Contradiction(BaseModel):
    """An original that an overlay contradicts, and the two things that cannot both be."""

    path: Text
    heading: Text
    what: Text


class Folded(BaseModel):
    """A passage that says nearly the same as a hit above it."""

    path: Text
    heading: Text | None
    lines: tuple[int, int]


class Hit(BaseModel):
    """A passage; `mark` says that it was added by mfgit, and that an original wins."""

    path: Text
    heading: Text
    kind: Literal["original", "overlay"]
    score: float
    text: Text
    lines: tuple[int, int]
    anchor: Text
    citation: Text = Field(description="path#anchor@commit: where the passage stands for good.")
    proposal: Text | None
    stale: bool
    mark: Text | None
    contradicts: list[Contradiction]
    folded: list[Folded]


class Hits(BaseModel):
    """What a question finds, originals first."""

    query: Text
    ref: Text
    commit: str
    hits: list[Hit]
    note: Text | None


class Context(BaseModel):
    """The block to hand to an assistant, with what it is made of."""

    block: Text
    answered: bool = Field(description="Whether something found speaks to the question; if not, the block names pages only.")
    hits: list[Hit] = Field(description="What was found, best first; the block shows originals first.")
    commit: str
    sources: list[Text]
    citations: list[Text] = Field(description="path#anchor@commit of what the block holds, in its order.")
    tokens: int = Field(description="What the block takes, estimated.")
    left_out: int = Field(description="Passages that found no room.")
    note: Text | None


# ---- proposals


class Evidence(BaseModel):
    """A turn that a proposal cites, redacted and short."""

    request_id: Text
    date: str
    excerpt: Text
    rating: str | int | None
    reasons: list[Text]


class Proposal(BaseModel):
    """A proposal; `evidence` and `rating_reasons` are null for who may not see conversations."""

    id: str
    status: Status
    title: Text
    action_type: ActionType
    target_layer: Text
    root: Text
    lang: Text
    priority: Text
    frequency: int
    distinct_users: int
    dissatisfied_count: int
    branch: Text | None
    commit: str | None
    decided_at: str | None
    reason: Text
    forever: bool
    questions: list[Text]
    why: list[Text]
    similar: list[Text]
    first_seen: str
    last_seen: str
    rating_reasons: list[Text] | None
    evidence: list[Evidence] | None


class Proposals(BaseModel):
    """A page of the proposals that the filters leave."""

    total: int = Field(description="How many there are on all pages.")
    offset: int
    proposals: list[Proposal]
    problems: int = Field(description="Proposals that could not be read; mfgit proposals names them.")


class Shown(Proposal):
    """One proposal with its texts, by path, and what it changes."""

    texts: dict[str, Text]
    diff: Text
    similar_titles: dict[str, Text]


class Found(BaseModel):
    """What a question finds: the page that comes first, and the rank of one that should answer, null when not in ten."""

    first: Text | None
    mark: Text | None
    rank: int | None


class Change(BaseModel):
    """A question before and after."""

    question: Text
    source: Literal["record", "archive", "alias", "adopted", "open", "edited"]
    verdict: Literal["better", "worse", "same"]
    before: Found
    after: Found


class Others(BaseModel):
    """The other known questions that share words with a proposal, and those that get worse."""

    asked: int
    left_out: int
    counts: dict[str, int]
    worse: list[Change]


class Preview(BaseModel):
    """What adopting a proposal would change; with a `conflict` nothing was asked."""

    id: str
    status: Status
    action_type: ActionType
    title: Text
    commit: str | None
    target: str
    pages: list[Text]
    conflict: Text | None
    questions: list[Change]
    counts: dict[str, int]
    others: Others


class Adopting(Request):
    """The commit that was read: the decision is about that one."""

    reviewed: str = Field(pattern=COMMIT)


class Rejecting(Request):
    """Why, and whether it may ever come back."""

    reason: Given = Field(min_length=1, max_length=2000, pattern=r"\S")
    forever: bool = False


class Draft(Request):
    """A new text in the place of a proposal's."""

    text: Given = Field(min_length=1, max_length=200_000, pattern=r"\S")
    reviewed: str = Field(pattern=COMMIT, description="The commit whose text was edited.")
    path: Given | None = Field(None, max_length=1000, description="The page, where a proposal has several.")


class Decision(BaseModel):
    """What came of a decision: the proposal as it now is, the commit that the target or branch is at."""

    id: str
    status: Status
    commit: str | None
    changed: bool


class ScanWanted(Request):
    """The window to scan; `days` before `until` (now), unless `since` says when it begins."""

    days: int | None = Field(None, ge=1, le=3650)
    since: Given | None = Field(None, max_length=40, description="RFC 3339 with offset")
    until: Given | None = Field(None, max_length=40, description="RFC 3339 with offset")
    dry_run: bool = False


class Progress(BaseModel):
    """How far a scan is; `of` is 0 where nobody knows."""

    what: str
    done: int
    of: int


class Scan(BaseModel):
    """The scan that runs, or the last one."""

    state: Literal["none", "running", "done", "failed"]
    id: str | None = None
    by: Text | None = None
    started: str | None = None
    finished: str | None = None
    dry_run: bool = False
    progress: Progress | None = None
    result: dict[str, Any] | None = Field(None, description="Counts: turns, proposals by status, what was not proposed.")
    error: Text | None = None


# ---- the service


class Health(BaseModel):
    """Whether the server can answer; what it does by itself is told to those with a token."""

    status: Literal["ok", "failing"]
    version: str
    detail: Text | None = None
    automatic: dict[str, Any] | None = None


class Login(Request):
    """A token, to be changed into a browser session."""

    token: Given = Field(min_length=1, max_length=200)


class Who(BaseModel):
    """Who is asking; `csrf` goes into the X-CSRF-Token header of a session's changes."""

    name: Text
    roles: list[str]
    csrf: str | None
