"""The text of a new `mfgit.toml`: what was decided is written, every other setting stands as a comment with its default."""

from collections.abc import Sequence

from mfgit.sections import (
    ArchiveConfig,
    GuardConfig,
    IndexConfig,
    LlmConfig,
    PublishConfig,
    RedactConfig,
    RetentionConfig,
    RootPattern,
    ScanConfig,
    ServeConfig,
    VectorConfig,
)

HEAD = """\
# Settings of mfgit for this knowledge repository. A line that starts with # shows a default.
# Precedence: a command's flag, then the environment, then this file, then the default.

# The branch that adopted proposals land on.
target = {target}

# A knowledge root is a folder with originals (Markdown that people write), its index.json, and what mfgit adds in _forged/.
# layer: "help" for questions to the help assistant, "workspace" for those of a workspace. One * in a path is the workspace id.
"""

SECTIONS = {
    "archive": (
        ArchiveConfig(),
        {
            "chat": "Conversations, a file a day, from the repository's top, or a URL; CHAT_ARCHIVE_DIR (environment) wins.",
            "sessions": "Whole sessions.",
            "transcripts": "Patterns of agents' transcript files that archive sweep looks at, such as ~/notes/*.jsonl.",
        },
    ),
    "retention": (
        RetentionConfig(),
        {
            "help_whole_days": "Days for which conversations of the help layer are kept whole; then replies and messages go.",
            "help_summary_days": "Days after which a turn is left its ids, rating and topic, and a session its summary.",
            "workspace_whole_days": "The same for workspaces.",
            "workspace_summary_days": "The same for workspaces.",
        },
    ),
    "scan": (
        ScanConfig(),
        {
            "days": "How many days a scan looks back.",
            "min_frequency": "How often a question has to be asked before it is worth a proposal.",
            "max_open": "How many proposals may be open; the rest waits in order of priority.",
            "reopen_factor": "A rejected proposal returns when asked this many times as often, and at least 5 times more.",
            "excerpts": "Whether a proposal quotes redacted, short excerpts of the questions.",
            "scheduler": "Address of a Dask scheduler that groups the questions, like tcp://host:8786; empty: this computer.",
            "test_users": "Ids of users or clients, with * for any text, whose turns are tests and are set aside.",
            "answer_coverage_en": "Share of a good English answer from which an original is taken to hold it (rules 1 to 3).",
            "answer_coverage_zh": "The same for a Chinese one.",
            "question_coverage_en": "Share of an English question from which an original probably answers it (rule 6).",
            "question_coverage_zh": "The same for a Chinese one.",
            "found_share": "Share of the wordings under which a page that holds the answer gets aliases (rule 1).",
            "agree_share": "Share of the good answers that have to agree (rules 1 to 5).",
            "agree_people": "Users or sessions that have to agree before an answer is verified, two at least (rules 4 and 5).",
            "how_share": "Share of the askers that ask how, for a skill (rule 4).",
            "steps_share": "Share of the good answers that have ordered steps, for a skill (rule 4).",
            "skill_sessions": "Sessions that have to ask, for a skill (rule 4).",
        },
    ),
    "guard": (
        GuardConfig(),
        {
            "originals": "Endings of the files that are originals, in any case.",
            "machine_emails": "Authors and committers that are the machine; the first one signs mfgit's own commits.",
            "machine_actors": "Logins of the machine on the server or in CI.",
        },
    ),
    "vector": (
        VectorConfig(),
        {
            "url": "Base address of an OpenAI-compatible endpoint for embeddings, such as http://localhost:11434/v1.",
            "model": "The model that the endpoint serves; without url, the folder of a local model. Empty: off.",
            "key_variable": "Name of the environment variable that holds the key; it begins with MFGIT_. Never the key itself.",
            "prefix": 'What stands before every question, where a model wants it, such as "query: ".',
            "passage_prefix": 'What stands before every passage of a document, such as "passage: ".',
            "search": "Whether searches find passages by meaning too; without it only scans use the model.",
            "strictness": "How far above unrelated questions two have to be to ask the same, in standard deviations.",
            "batch": "Texts in one request.",
            "timeout": "Seconds that one try may take.",
            "retries": "Further tries when the endpoint is busy or away.",
            "plain_http": "Whether http to another machine is allowed; http to this one always is.",
        },
    ),
    "llm": (
        LlmConfig(),
        {
            "url": "Base address of an OpenAI-compatible endpoint that words drafts better. Empty: off.",
            "model": "The model that the endpoint serves.",
            "key_variable": "Name of the environment variable that holds the key; it begins with MFGIT_. Never the key itself.",
            "timeout": "Seconds that one try may take.",
            "retries": "Further tries when the endpoint is busy or away.",
            "plain_http": "Whether http to another machine is allowed; http to this one always is.",
        },
    ),
    "index": (
        IndexConfig(),
        {"engine": "What keeps the search indexes: whoosh, tantivy or opensearch. MFGIT_INDEX_ENGINE (environment) wins."},
    ),
    "redact": (
        RedactConfig(),
        {
            "allow": "What stays though found: tables of value, or of pattern that fits all of it, and kinds (none: all).",
            "rules": "Patterns of your own: tables of kind, pattern, and a keyword without which a text is not looked at.",
            "disable": "Kinds that are not taken out; private-key always is.",
            "plugins": "Names of plug-ins, entry points of the group mfgit.redact that an installed package offers.",
        },
    ),
    "serve": (
        ServeConfig(),
        {
            "auto_scan": "Whether mfgit serve scans by itself; MEMORYFORGE_AUTO_SCAN_ENABLED (environment) wins.",
            "auto_scan_minutes": "Minutes between two such scans.",
        },
    ),
    "publish": (
        PublishConfig(),
        {
            "service": '"github", "gitlab" or "gitea" (Forgejo too). Empty: told by the address of the remote.',
            "url": "Base address of the service's API, such as https://git.example.com/api/v4. Empty: told by the remote.",
            "remote": "The Git remote that branches are pushed to.",
            "labels": "Labels of every request.",
            "reviewers": "Who is asked for a review besides the owners in CODEOWNERS: logins, and teams as organisation/team.",
        },
    ),
}
"""Table -> its defaults and a sentence for each setting: what a new file and `docs/reference/configuration.md` say."""


def settings_file(target: str, roots: Sequence[RootPattern]) -> str:
    """Return the text of a `mfgit.toml`."""
    parts = [HEAD.format(target=toml(target))]
    parts += [f"[[root]]\npath = {toml(root.path)}\nlayer = {toml(root.layer)}\n" for root in roots]
    for name, (defaults, sentences) in SECTIONS.items():
        lines = [f"# {sentence}\n# {key} = {toml(getattr(defaults, key))}" for key, sentence in sentences.items()]
        parts.append("\n".join([f"[{name}]", *lines, ""]))
    return "\n".join(parts)


def toml(value: object) -> str:
    """Return a value as TOML writes it: true, 3, 2.0, "text" or a list of texts."""
    import json

    if isinstance(value, tuple):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)
