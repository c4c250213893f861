"""What an overlay says of itself: the users' wordings, the pages of people that belong to it, and for a draft what to write.

In the users' language; every sentence of others is quoted, and links work where the file is read.
"""

import posixpath
import re

from mfgit.model import Record, Related
from mfgit.proposal.inert import inline
from mfgit.text import blocks

ASKED = {"en": "Asked as", "zh": "用户的问法"}
PAGES = {"en": "Related pages", "zh": "相关页面"}
QUOTED = {"en": ": “{}”", "zh": "：“{}”"}
WRITE = {
    "en": "Write what a reader has to do or to know, and for which case or version it holds.",
    "zh": "请写清读者需要做什么、知道什么，以及适用的情形或版本。",
}
EVERY = {"en": "Every wording below should find its answer here.", "zh": "下面的每种问法都应能在这里得到回答。"}
UNHAPPY = {"en": "Users were unhappy with the answers so far: {}.", "zh": "用户对已有回答不满意：{}。"}
COMPARE = {
    "en": "What a related page says already needs no second text: link to it.",
    "zh": "相关页面已经写明的内容不必重复，给出链接即可。",
}
NUMBERED = re.compile(r"(\d{1,9})[.)](?:\s|$)")
BLOCKS = re.compile(r"(?:[-+*>]|#{1,6})(?:\s|$)|>|([-*_=])(?:[ \t]*\1){2,}[ \t]*$|~{3,}|\|")
SPECIAL = re.compile(r"[\s()<>\[\]\\`#?%{}\"']")


def about(record: Record, *, wordings: bool = True) -> str:
    """Return the block with the wordings (left out on request) and the related pages; empty when there is nothing to say."""
    lang = record.lang if record.lang in ASKED else "en"
    parts = []
    if wordings and others(record):
        parts.append("\n".join((f"## {ASKED[lang]}", "", *(f"- {plain(question)}" for question in others(record)))))
    if record.related:
        parts.append("\n".join((f"## {PAGES[lang]}", "", *(entry(page, record, lang) for page in record.related))))
    return blocks.block(blocks.ABOUT, "\n\n".join(parts)) if parts else ""


def others(record: Record) -> list[str]:
    """Return the wordings besides the title, which may be the beginning of one."""
    return [question for question in record.questions if not question.startswith(record.title.removesuffix("…"))]


def to_write(record: Record) -> str:
    """Return the block that tells a person what a draft needs."""
    lang = record.lang if record.lang in WRITE else "en"
    told = [WRITE[lang]]
    if others(record):
        told.append(EVERY[lang])
    if record.rating_reasons:
        told.append(UNHAPPY[lang].format(("、" if lang == "zh" else ", ").join(map(plain, record.rating_reasons))))
    if record.related:
        told.append(COMPARE[lang])
    return blocks.block(blocks.DRAFT, ("" if lang == "zh" else " ").join(told))


def entry(page: Related, record: Record, lang: str) -> str:
    """Return a related page as an item of a list: a link, and what it says in its own words."""
    quote = QUOTED[lang].format(plain(page.quote)) if page.quote else ""
    return f"- [{label(page.title or page.path)}]({target(page, record)}){quote}"


def plain(text: str) -> str:
    """Return a line of somebody's text in which nothing acts and that begins no list, heading, quotation or rule."""
    safe = inline(text)
    if found := NUMBERED.match(safe):
        return f"{found[1]}\\{safe[found.end(1) :]}"
    return f"\\{safe}" if BLOCKS.match(safe) else safe


def label(text: str) -> str:
    """Return a text for between the brackets of a link."""
    return re.sub(r"(?<!\\)([\[\]])", r"\\\1", inline(text))


def target(page: Related, record: Record) -> str:
    """Return the address of a page as seen from the file of a record."""
    here = posixpath.dirname(record.adopted_path or f"{record.root}/_forged/x.md")
    path = posixpath.relpath(page.path, here)
    anchor = f"#{encoded(page.anchor)}" if page.anchor else ""
    return encoded(path) + anchor


def encoded(path: str) -> str:
    """Return a path or anchor as part of an address; letters of all languages stay readable."""
    return SPECIAL.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), path)
