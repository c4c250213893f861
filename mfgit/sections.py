"""The sections of the settings, with their defaults, and `Config`, which holds them all.

Standard library only and free of `dataclasses`, since every hook starts through here. `config` reads them.
"""

from typing import NamedTuple


class RootPattern(NamedTuple):
    """A `[[root]]` table: `path` from the top of the repository, one component may be `*`, the workspace id."""

    path: str
    layer: str


class ArchiveConfig(NamedTuple):
    """Where conversations live; relative folders start at the top of the repository."""

    chat: str = "tmp/memoryforge/chat-archive"
    sessions: str = "tmp/memoryforge/conversation_archive"
    transcripts: tuple[str, ...] = ()


class RetentionConfig(NamedTuple):
    """How many days conversations of each layer are kept whole, and after how many only ids, rating and topic are left."""

    help_whole_days: int = 7
    help_summary_days: int = 30
    workspace_whole_days: int = 7
    workspace_summary_days: int = 30


class ScanConfig(NamedTuple):
    """What a scan looks at and how much it proposes; `days` are days, the rest are counts, factors and shares.

    From `answer_coverage_en` on they are the limits of the decision table. On two FAQ trees with a third of the pages withheld,
    an answer coverage of .55 keeps .88 and .99 of the pages that do hold the answer, and takes .23 and .10 of pages that don't
    (.56 and .36 at .35): an alias that leads astray costs more than an answer that an original has already. A question
    coverage of .65 is reached by .58 and .86 of the questions whose page is there, and by .16 and .28 of those whose is not.
    """

    days: int = 30
    min_frequency: int = 3
    max_open: int = 50
    reopen_factor: float = 2.0
    excerpts: bool = True
    scheduler: str = ""
    test_users: tuple[str, ...] = ()
    answer_coverage_en: float = 0.55
    answer_coverage_zh: float = 0.50
    question_coverage_en: float = 0.65
    question_coverage_zh: float = 0.50
    found_share: float = 0.70
    agree_share: float = 0.80
    agree_people: int = 2
    how_share: float = 0.30
    steps_share: float = 0.50
    skill_sessions: int = 3

    def holds_answer(self, lang: str) -> float:
        """Return the coverage of a good answer from which an original is taken to hold it."""
        return self.answer_coverage_zh if lang == "zh" else self.answer_coverage_en

    def covers_question(self, lang: str) -> float:
        """Return the coverage of the question itself from which it is probably answered."""
        return self.question_coverage_zh if lang == "zh" else self.question_coverage_en


class VectorConfig(NamedTuple):
    """Likeness by meaning, off by default: an OpenAI-compatible endpoint (`url` and `model`) or a local model (`model` alone).

    `key_variable` names the environment variable that holds the key; `prefix` stands before every question, `passage_prefix`
    before every passage of a document; `search` tells whether searches use it too, not scans alone; `strictness` are
    standard deviations above unrelated questions at which two are the same; `batch` are texts in one request, `timeout` seconds
    for one try, `retries` further tries.
    """

    url: str = ""
    model: str = ""
    key_variable: str = ""
    prefix: str = ""
    passage_prefix: str = ""
    search: bool = True
    strictness: float = 8.0
    batch: int = 64
    timeout: float = 30.0
    retries: int = 3
    plain_http: bool = False


class LlmConfig(NamedTuple):
    """Better wording of drafts, off by default: an OpenAI-compatible endpoint; the fields are as in `VectorConfig`."""

    url: str = ""
    model: str = ""
    key_variable: str = ""
    timeout: float = 60.0
    retries: int = 3
    plain_http: bool = False


class GuardConfig(NamedTuple):
    """What the guard protects and whom it takes for the machine."""

    originals: tuple[str, ...] = (".md", ".markdown", ".mdx", ".mdown", ".mkd")
    machine_emails: tuple[str, ...] = ("mfgit-bot@example.com",)
    machine_actors: tuple[str, ...] = ("mfgit-bot",)


class IndexConfig(NamedTuple):
    """What keeps the search indexes, of the knowledge and of the archive: one of `ENGINES`."""

    engine: str = "whoosh"


class ServeConfig(NamedTuple):
    """What `mfgit serve` does by itself: whether it scans, and how many minutes lie between two scans."""

    auto_scan: bool = False
    auto_scan_minutes: int = 360


class PublishConfig(NamedTuple):
    """Where requests are opened: `service` and the `url` of its API where the address of the Git `remote` does not tell them.

    `labels` are put on every request; `reviewers` are asked besides the owners of the pages, who are found in CODEOWNERS.
    """

    service: str = ""
    url: str = ""
    remote: str = "origin"
    labels: tuple[str, ...] = ("mfgit",)
    reviewers: tuple[str, ...] = ()


class AllowEntry(NamedTuple):
    """What redaction lets stay: a literal `value` or a `pattern` that fits all of it, of these kinds (none: of every kind)."""

    value: str = ""
    pattern: str = ""
    kinds: tuple[str, ...] = ()


class RuleEntry(NamedTuple):
    """A pattern of the repository's own; it is tried only on texts that hold the `keyword`, when one is given."""

    kind: str = ""
    pattern: str = ""
    keyword: str = ""


class RedactConfig(NamedTuple):
    """What redaction adds to its rules and takes from them; `plugins` are names of entry points of `mfgit.redact`."""

    allow: tuple[AllowEntry, ...] = ()
    rules: tuple[RuleEntry, ...] = ()
    disable: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()


class Config(NamedTuple):
    """Every setting; `configured` tells whether a `mfgit.toml` was there at all."""

    target: str = "main"
    roots: tuple[RootPattern, ...] = (RootPattern(".", "help"),)
    archive: ArchiveConfig = ArchiveConfig()
    retention: RetentionConfig = RetentionConfig()
    scan: ScanConfig = ScanConfig()
    guard: GuardConfig = GuardConfig()
    vector: VectorConfig = VectorConfig()
    llm: LlmConfig = LlmConfig()
    indexes: IndexConfig = IndexConfig()
    serve: ServeConfig = ServeConfig()
    redact: RedactConfig = RedactConfig()
    publish: PublishConfig = PublishConfig()
    configured: bool = False
