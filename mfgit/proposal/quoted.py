"""Words of conversations for the text of a pull or merge request: shown as they are, and inert on every service.

Twice: they stand in code, where no service looks for names, numbers, links or HTML; and what a service would act upon where
it reads the raw text (a squash makes it a commit's message) is written with the full-width form of its character.
"""

import re

from mfgit.proposal.safe import line, visible

WIDE = str.maketrans("@#!&/", "＠＃！＆／")
ACTS = re.compile(r"@(?=\w)|[#!&](?=\w)|(?<=:)//|^[ \t]*/", re.MULTILINE)
"""A mention, a reference to an issue or a request or an epic, a link, and a command at the start of a line."""
TRACKED = re.compile(r"\b((?i:gh)|[A-Z][A-Z0-9_]+)-(?=\d)")
"""References such as GH-12, and PROJ-12 of other trackers."""
HOSTED = re.compile(r"\b((?i:gh))-(?=\d)")
"""Those that a service itself knows. Others are not looked for in code, where `UTF-8` and `page-3.md` stay as they are."""
TRAILER = re.compile(r"^(\s*[A-Za-z][A-Za-z0-9-]*):(?=\s)", re.MULTILINE)
"""What Git would read as a trailer."""
TICKS = re.compile("`+")


def harmless(text: str, references: re.Pattern[str] = TRACKED) -> str:
    """Return a text in which nothing refers, mentions, links or commands."""
    wide = ACTS.sub(lambda found: found[0].translate(WIDE), text)
    return TRAILER.sub(r"\1：", references.sub("\\1\N{NON-BREAKING HYPHEN}", wide))


def within(text: str, limit: int = 400) -> str:
    """Return words as code within a line; nothing for no words."""
    words = harmless(line(text, limit), HOSTED)
    if not words:
        return ""
    mark = "`" * (longest(words) + 1)
    apart = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{mark}{apart}{words}{apart}{mark}"


def block(text: str, limit: int, kind: str = "text") -> str:
    """Return words as a block of code of at most `limit` characters, whose last line says where it was cut."""
    plain = harmless(visible(text.replace("\r\n", "\n").replace("\r", "\n"), "\n\t"), HOSTED).strip("\n")
    shown = plain if len(plain) <= limit else plain[:limit].rsplit("\n", 1)[0] + "\n…"
    mark = "`" * max(3, longest(shown) + 1)
    return f"{mark}{kind}\n{shown}\n{mark}"


def longest(text: str) -> int:
    """Return the length of the longest run of backticks."""
    return max(map(len, TICKS.findall(text)), default=0)
