"""The part of the page on formats that tells the version of each, where it stands, and what older and newer ones meet."""

from collections.abc import Sequence

from mfgit import formats
from mfgit.archive import catalogue, pending
from mfgit.backends import cache, nearest
from mfgit.index import store
from mfgit.index.catalogue import HEAD
from mfgit.index.view import MAGIC
from mfgit.scan import features
from mfgit.text import questions
from mfgit.tree.version import READING

ABOUT = f"""\
## Versions

One rule for everything that is stored and cannot be made anew:

- What names no version is of version 1. Day files and session files are written by other programs, too, overlays and
  `holds.json` by people: none of them can be asked for a version, and a change that old readers cope with needs none.
- Fields that are not known are kept where a file is written again. So a new field is no new version; a version is counted up
  when an older mfgit would get something wrong.
- Something of a newer version is named in one sentence (which file, which version, upgrade mfgit; exit code 2), and left as it
  is: it is not read, not written over, not reduced and not dropped. The rest is read and goes on.
- Older versions are read for ever. Nothing in Git is ever migrated. `mfgit doctor` lists what earlier versions stored
  otherwise, and `mfgit doctor --migrate` brings it up to date ([Upgrade](../how-to/upgrade.md)).

Derived data needs less: a version of it has a name of its own, or is made anew. An mfgit beside a newer one makes its own.

`{formats.FIELD}` is the field, and not `schema`: a program that writes turns or sessions may have a `schema` of its own, which
is kept like any other field. What earlier releases stored is in `tests/formats/`, and every change is tested on it.
"""
HEADS = ("format", "version", "where the version stands", "a newer one", "an older one")
KEPT = (
    ("turns and ratings: `<chat>/YYYY-MM-DD.jsonl`, and what retention left: `.jsonl.gz`", formats.TURN,
     f"a field `{formats.FIELD}` of the line",
     "`archive check` and `scan` name the line, retention leaves it whole, `archive append` refuses it", "read"),
    ("lines cut short: `<chat>/*.quarantine`", "–", "bytes as they were found, in no format", "–", "–"),
    ("sessions: `<sessions>/sessions/YYYY-MM/ID.json`, `.json.gz`", formats.SESSION, f"a field `{formats.FIELD}`",
     "`archive check` names it; retention passes it over; nothing new is stored of that session",
     "read, also under the name it had then; `--migrate` renames it"),
    ("legal holds: `<sessions>/holds.json`", formats.HOLDS, "a field `version`",
     "`retain`, `forget` and `hold` stop, so that nothing goes", "read"),
    ("logs: `<chat>/retention.log`, `serve/audit.jsonl`", "1", "none: lines are added and never read", "–", "–"),
    ("proposal records: `<root>/_forged/proposals/ID.json`", formats.RECORD, "its field `schema`, always there",
     "`proposals` and `scan` name it, no scan writes over its branch or brings it back, retention waits",
     "read for ever; every field but those marked `*` may be absent"),
    ("overlays and skills: `<root>/_forged/**.md`", formats.OVERLAY,
     f"`{formats.FIELD}` in the front matter, of a skill in `metadata`", "searched as the text it is; `doctor` names it",
     "read for ever"),
    ("refs and trailers: `refs/heads/mfgit/ID`, `refs/mfgit/rejected/ID`, `Mfgit-*`", "1",
     "none: names and values are never used for something else",
     "a trailer that is not known is passed over; an unknown `Mfgit-Rejected` counts as rejected for good", "read for ever"),
    ("aliases: `<root>/index.json`", "–", "the team's file: its `version` is theirs, and no field of ours is in it",
     "any object with a list `docs` or a map `aliases` is read", "the same"),
    ("settings: `mfgit.toml`", "–", "none: each setting by its name",
     "a setting that is not known is an error that names it", "every released name is read"),
    ("lines of `.gitignore`", "–", "none: Git is asked what it ignores", "–", "–"),
    ("tokens: `serve/tokens.json`", formats.TOKENS, "a field `version`", "nobody is let in, and none is added", "read"),
    ("hooks: `.git/hooks/*`", formats.HOOK, "a line `# mfgit hook version N`",
     "left in place; `guard install` refuses to write over it", "listed by `doctor`, written anew by `--migrate`"),
)  # fmt: skip
"""What cannot be made anew. `serve/` is below `mfgit/` in the Git common directory."""
DERIVED = (
    ("catalogue of sessions: `<sessions>/index.json`", catalogue.VERSION, "its first line",
     "left to its own mfgit, with a mark that it is behind; sessions are read themselves", "made anew"),
    ("what waits for a sweep: `<sessions>/sweep.json`", pending.VERSION, "a field `version`", "made anew", "made anew"),
    ("search indexes: `mfgit/search/` in the Git common directory, `<chat>/.search/`", store.FORMAT,
     "the names `index-N-…` and `current-N`", "both stand side by side", "its files go when this one's are made"),
    ("parts of an index", f"catalogue {HEAD.split()[-1].decode()}, view {MAGIC.split()[-1].decode()}, reading {READING}",
     "the first line; of reading, the keys", "made anew", "made anew"),
    ("vectors: `mfgit/vectors/`, `<sessions>/embeddings/`", f"{cache.SCHEMA}, of a view {nearest.SCHEMA}",
     "the first line of each file", "made anew", "made anew"),
    ("what vectors of a model mean", "–", "kept with the rows of a view, and measured anew with them", "–", "–"),
    ("word counts: `<chat>/.mfgit/frequencies-N.json`", f"{features.VERSION}.{questions.VERSION}",
     "its name", "both stand side by side", "counted anew"),
    ("state of a scan: `serve/scan.json`", "1", "none: replaced by the next scan", "as far as it is understood", "the same"),
    ("receipt of a commit: `.git/mfgit-passed`", "–", "none: it counts only where every fact in it is the same", "–", "–"),
)  # fmt: skip
ANSWERED = (
    ("`--json`", "of mfgit", "`mfgit --version`; fields are added in any release, taken away only where the changelog says so"),
    ("HTTP", "of mfgit", "`info.version` of `/openapi.json`, `version` of `/health`"),
    ("MCP", "of the protocol", "agreed on at the start; `serverInfo.version` is that of mfgit"),
)  # fmt: skip


def versions_part() -> str:
    """Return the section on versions."""
    parts = [ABOUT, table(KEPT), "Derived, and made anew whenever it is missing:\n", table(DERIVED)]
    return "\n".join([*parts, "What is answered carries the version of the program:\n", table(ANSWERED)])


def table(rows: Sequence[tuple[object, ...]]) -> str:
    """Return rows as a table of Markdown, with as many of the heads as they have columns."""
    width = len(rows[0])
    lines = [HEADS[:width], ("---",) * width, *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)
