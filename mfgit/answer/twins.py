"""A page that exists in several languages: the reader's is shown first.

Sites keep translations side by side in folders (`docs/en/x.md`, `docs/zh/x.md`), in folders beside pages without one
(`docs/x.md`, `docs/zh/x.md`), or in names (`README.md`, `README.zh-CN.md`, `readme_en.md`). Two pages whose paths are the same
without their language are one page twice.
"""

import functools
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

CODES = "en zh cn ja jp ko kr fr de es pt ru it tr vi id th pl uk ar fa nl hi"
REGIONS = "cn tw hk mo sg us gb uk ca au br pt in jp kr hans hant"
LANGUAGES, PLACES = frozenset(CODES.split()), frozenset(REGIONS.split())
SAME = {"cn": "zh", "jp": "ja", "kr": "ko"}

Item = TypeVar("Item")


class Version(NamedTuple):
    """One language of a page: what its path is without it, and the language (empty: the path names none)."""

    page: str
    lang: str


@functools.lru_cache(65536)
def version(path: str) -> Version:
    """Return which page a path is a version of."""
    *folders, name = path.split("/")
    stem, dot, ending = name.rpartition(".")
    kept = [part for part in folders if not language(part)]
    cut = next((at for at in range(1, len(stem)) if stem[at] in "._-" and language(stem[at + 1 :])), len(stem))
    named = [lang for part in (*folders, stem[cut + 1 :]) if (lang := language(part))]
    return Version("/".join((*kept, f"{stem[:cut]}{dot}{ending}")), named[-1] if named else "")


def language(part: str) -> str:
    """Return the language that a part of a path names, like `en`, `zh-CN` or `zh_hant_tw`; empty for any other part."""
    code, *regions = part.lower().replace("_", "-").split("-")
    return SAME.get(code, code) if code in LANGUAGES and PLACES.issuperset(regions) else ""


def prefer(found: Sequence[Item], path: Callable[[Item], str], lang: str) -> list[Item]:
    """Return what was found, with pages in `lang` right before what their versions in other languages were found as.

    A path that names no language stands for the reader's where no version of it that was found does. Nothing else moves, and
    what is found only in another language keeps its place.
    """
    versions = [version(path(item)) for item in found]
    best: dict[str, str] = {}
    for page, said in versions:
        if said == lang or (said == "" and best.get(page) != lang):
            best[page] = said
    ordered: list[Item] = []
    waiting = dict.fromkeys(range(len(found)))
    for at, (page, said) in enumerate(versions):
        if at not in waiting:
            continue
        if page in best and said != best[page]:
            first = next((other for other in waiting if versions[other] == (page, best[page])), None)
            if first is not None:
                ordered.append(found[first])
                del waiting[first]
        ordered.append(found[at])
        del waiting[at]
    return ordered
