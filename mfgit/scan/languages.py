"""A question that is asked in English and in Chinese: two proposals, each in its users' language, that name each other.

Words of two languages cannot be compared, so only what both share links them, the surest first: the same good answer, the same
passage of an original that holds both answers, or the same names, codes and numbers. A link that is not one to one is none.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mfgit.reasons.forms import say
from mfgit.scan.decide import held
from mfgit.scan.records import Candidate
from mfgit.scan.vetoes import traits, veto
from mfgit.text.fold import fold
from mfgit.text.questions import bare

READ = 3
"""Good answers of a group that are compared, and wordings whose codes are read."""
TOKEN = re.compile(r"[a-z0-9][a-z0-9_+#.-]*[a-z0-9+#]")
CODE = re.compile(r"(?=.*\d)(?=.*[a-z])|_|(?<=\w)\.(?=[a-z])|^\d{3,}$|^\d+\.\d+$")
"""How a token looks that means the same in every language: letters with digits, joined words, long or decimal numbers."""


class Link(NamedTuple):
    """The same question in the other language: where it lies, and what the two share."""

    place: tuple[str, int]
    shared: str


Marks = Mapping[str, frozenset[tuple[str, ...]]]


def links(candidates: Sequence[Candidate], names: Iterable[str] = ()) -> dict[tuple[str, int], Link]:
    """Return, by the place of a candidate, its counterpart in the other language; `names` are product names, folded."""
    known = frozenset(names)
    marked = {entry.place: marks(entry, known) for entry in candidates}
    by_place = {entry.place: entry for entry in candidates}
    found: dict[tuple[str, int], Link] = {}
    for kind, form in SHARED.items():
        free = [entry for entry in candidates if entry.place not in found]
        holders: dict[tuple[str, str, tuple[str, ...]], list[tuple[str, int]]] = {}
        for entry in free:
            for mark in marked[entry.place][kind]:
                holders.setdefault((entry.place[0], entry.facts.lang, mark), []).append(entry.place)
        for one, other, mark in pairs(holders):
            if not (one in found or other in found) and not differ(by_place[one], by_place[other]):
                shared = say(form, path=mark[0], codes=mark[0])
                found[one], found[other] = Link(other, shared), Link(one, shared)
    return found


SHARED = {"answer": "shared.answer", "passage": "shared.passage", "codes": "shared.codes"}
"""Kind of mark -> the sentence of what two questions share by it, the surest first."""


def marks(entry: Candidate, names: frozenset[str]) -> Marks:
    """Return what of a candidate means the same in both languages, by kind."""
    facts = entry.facts
    answers = frozenset((bare(answer.text),) for answer in facts.answers[:READ])
    passage = facts.page.hit.passage if facts.page and held(facts) else None
    passages = frozenset(((passage.path, passage.heading),)) if passage else frozenset()
    codes = tuple(sorted(codes_of(fold(facts.title), names)))
    return {"answer": answers, "passage": passages, "codes": frozenset(((" ".join(codes), *codes),)) if codes else frozenset()}


def codes_of(title: str, names: frozenset[str]) -> set[str]:
    """Return the names, codes and telling numbers of a folded title."""
    return {token for token in TOKEN.findall(title) if token in names or CODE.search(token)}


def pairs(
    holders: Mapping[tuple[str, str, tuple[str, ...]], Sequence[tuple[str, int]]],
) -> list[tuple[tuple[str, int], tuple[str, int], tuple[str, ...]]]:
    """Return the English and the Chinese place that alone hold a mark, and alone hold each other, with the mark."""
    found = []
    for (scope, lang, mark), places in sorted(holders.items()):
        others = holders.get((scope, "zh", mark), ())
        if lang == "en" and len(places) == len(others) == 1:
            found.append((places[0], others[0], mark))
    met: Counter[tuple[str, int]] = Counter(place for one, other in {pair[:2] for pair in found} for place in (one, other))
    return [pair for pair in found if met[pair[0]] == met[pair[1]] == 1]


def differ(one: Candidate, other: Candidate) -> bool:
    """Whether two questions ask different things: another question word, or other numbers."""
    found = veto(traits(one.cluster.medoid), traits(other.cluster.medoid))
    return found is not None and found.kind in ("question word", "number")


def sentence(link: Link, other: Candidate, identity: str) -> str:
    """Return the reason that names the other proposal."""
    return say(
        "why.translated",
        language=say(f"language.{other.facts.lang}"),
        title=other.facts.title,
        id=identity,
        shared=link.shared,
    )
