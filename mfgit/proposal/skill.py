"""The `SKILL.md` of a procedure that keeps being asked for, by the Agent Skills rules.

`name` is `^[a-z0-9]+(-[a-z0-9]+)*$`, at most 64 characters and the name of its folder; `description` is at most 1,024
characters without `<` or `>`; where it comes from stands as strings under `metadata` only.
"""

import json
import re

from mfgit.model import Record
from mfgit.proposal.about import about
from mfgit.proposal.overlay import front_matter, page, review
from mfgit.text.slug import ascii_slug

NAME_LIMIT = 64
DESCRIPTION_LIMIT = 1024
INTRODUCTION = {"en": "Steps for: ", "zh": "操作步骤："}
ASKED_AS = {"en": " Use it for this too: ", "zh": "也用于："}
STOP = {"en": ".", "zh": "。"}


def skill_name(record: Record) -> str:
    """Return the name of a skill: what of the title is Latin, and the proposal's id."""
    words = ascii_slug(record.title, NAME_LIMIT - len(record.id) - 1)
    return f"{words}-{record.id}" if words else f"skill-{record.id}"


def description(record: Record) -> str:
    """Return when to use the skill: its title and its other wordings, as many as fit."""
    lang = record.lang if record.lang in INTRODUCTION else "en"
    text = INTRODUCTION[lang] + ended(record.title, STOP[lang])
    others = [question for question in record.questions if question != record.title]
    for number, other in enumerate(others):
        longer = text + (ASKED_AS[lang] if number == 0 else "; ") + other
        if len(longer) > DESCRIPTION_LIMIT:
            break
        text = longer
    return text.replace("<", "").replace(">", "")[:DESCRIPTION_LIMIT]


def ended(text: str, stop: str) -> str:
    """Return a sentence with an end."""
    return text if text.endswith((".", "?", "!", "。", "？", "！", "…")) else text + stop


def skill(record: Record) -> str:
    """Return the whole `SKILL.md`."""
    metadata = {
        "proposal": record.id,
        "action_type": record.action_type,
        "title": record.title,
        "lang": record.lang,
        "based_on": " ".join(f"{encoded(source.path)}@{source.blob}" for source in record.based_on),
        "sources": " ".join(entry.request_id for entry in record.evidence),
        "created": record.first_seen,
        "review": review(record),
    }
    matter = {"name": skill_name(record), "description": description(record), "metadata": metadata}
    return unsplit(front_matter(matter)) + page(record, about(record, wordings=False))


def unsplit(matter: str) -> str:
    """Return front matter with no `---` but its two lines: validators part a file at the first ones, wherever they stand."""
    first, *lines, last, end = matter.split("\n")
    return "\n".join((first, *(quoted(line) for line in lines), last, end))


def quoted(line: str) -> str:
    """Return a line `key: value` of YAML, its value in double quotes with an escape where it holds `---`."""
    import yaml

    if "---" not in line:
        return line
    ((key, value),) = yaml.safe_load(line.strip()).items()
    text = json.dumps(str(value), ensure_ascii=False).replace("---", "\\x2d\\x2d-")
    return f"{line[: len(line) - len(line.lstrip())]}{key}: {text}"


def encoded(path: str) -> str:
    """Return a path as one word of a list: blanks, and the sign that says so, as `%` and two digits."""
    return re.sub(r"[%\s]", lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), path)
