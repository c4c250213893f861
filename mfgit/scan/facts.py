"""What is known about a cluster when its type is decided: its answers, the originals, and how users took them."""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mfgit.model import Hit, Turn
from mfgit.reasons.forms import say
from mfgit.scan.clash import Clash, clash
from mfgit.scan.contradictions import contradiction, told
from mfgit.scan.signals import confirmed, refused
from mfgit.scan.values import Cluster, Inputs, Originals
from mfgit.scan.wordings import title_of, usable_aliases, wordings_of
from mfgit.sections import ScanConfig
from mfgit.text.personal import Held, general, nothing_held
from mfgit.text.questions import bare
from mfgit.text.titles import asked_in
from mfgit.text.tokens import language, query_terms

ANSWERS_READ = 3
"""Distinct good answers that are looked up in the originals."""
FIRST = 3
"""A wording finds a page when one of this many first hits lies on it."""
THIN = {"en": 0.35, "zh": 0.30}
"""Coverage of an answer from which a page is near it, whether it holds it or not."""
NEARLY = 0.8
"""Share of the best coverage from which a page is taken to hold another answer too."""
NAME = {"en": 7, "zh": 4}
"""Characters from which a file's name in an answer is taken to mean that page."""
OPENING = 80
"""Characters of a bare answer that make it the same answer."""
AGREE = 0.5
"""Share of the shorter answer's terms that two answers that agree have in common."""

HOW = re.compile(
    r"\bhow (?:do|can|to|should|would|could|does|did|might)\b|\bsteps? (?:to|for)\b|\b(?:guide|instructions?)\b"
    r"|怎么|怎样|如何|步骤|流程|教程",
    re.IGNORECASE,
)
STEP = re.compile(
    r"^\s*(?:\d{1,2}[.)、．:：]|step\s*\d+|第[一二三四五六七八九十\d]+步|[（(]\d{1,2}[)）]|[①-⑳]|[一二三四五六七八九十][、.．])",
    re.IGNORECASE | re.MULTILINE,
)
IN_WORDS = (
    re.compile(
        r"\b(?:first(?:ly)?|start by)\b.*\b(?:then|next|second(?:ly)?)\b.*\b(?:finally|lastly|then|after that|third(?:ly)?)\b",
        re.IGNORECASE | re.DOTALL,
    ),
    re.compile(r"(?:首先|先).*(?:然后|接着|其次|再).*(?:最后|然后|再)", re.DOTALL),
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Answer(NamedTuple):
    """One answer that users rated good and nobody rated bad: its text, how many said so, and who asked.

    The text is what of it is general; `cut` tells that some of it spoke to one user and was left out.
    """

    text: str
    praised: int
    turns: tuple[Turn, ...]
    cut: bool = False


class Agreement(NamedTuple):
    """How far good answers agree with the best supported one.

    `share` is of the good ratings; `people` are the users (sessions where users are not known) whose ratings agree;
    `contradiction` tells of the first answer that contradicts it, empty when none does.
    """

    share: float = 0.0
    people: int = 0
    contradiction: str = ""


class Passage(NamedTuple):
    """An original passage, and the idf share of a text's terms that it holds."""

    hit: Hit
    coverage: float

    @property
    def path(self) -> str:
        """The page, from the top of the repository."""
        return self.hit.passage.path


@dataclass(frozen=True)
class Facts:
    """What the rules look at, and their `limits`. Shares are 0 to 1; `page` holds the answer, `nearest` fits the question.

    `title` and `wordings` are without values of one person; `private` counts good answers that are about one user alone;
    `against` says what the best answer contradicts; `held` tells what originals hold. Without wordings nothing general
    is left of the question.
    """

    title: str
    lang: str
    layer: str
    root: str
    turns: int
    sessions: int
    bad: int
    weak: int
    answers: tuple[Answer, ...]
    praised: int
    agreement: Agreement
    page: Passage | None
    held_share: float
    thin: tuple[Passage, ...]
    citations: int
    wordings: tuple[str, ...]
    found: tuple[str, ...]
    lost: tuple[str, ...]
    aliases: tuple[str, ...]
    asks_how: float
    in_steps: float
    nearest: Passage | None
    limits: ScanConfig = field(default_factory=ScanConfig)
    private: int = 0
    against: str = ""
    held: Held = field(default=nothing_held, compare=False)

    @property
    def unhappy(self) -> bool:
        """Whether anyone was unhappy, or two answers look weak."""
        return self.bad > 0 or self.weak >= 2

    @property
    def disputed(self) -> bool:
        """Whether good answers contradict each other and none has a clear majority: then there is none to publish."""
        return bool(self.agreement.contradiction) and self.agreement.share < self.limits.agree_share

    @property
    def found_share(self) -> float:
        """Share of the wordings that find the page."""
        return len(self.found) / max(1, len(self.wordings))


class BadAnswers:
    """Every answer of a scan that a user was unhappy with, known by its bare text and by how it opens."""

    def __init__(self, turns: Iterable[Turn]) -> None:
        self.openings: set[str] = set()
        for turn in turns:
            if turn.dissatisfied and turn.assistant_message.strip():
                self.openings |= {opening(turn.assistant_message), opening(general(turn.assistant_message))} - {""}

    def __contains__(self, answer: str) -> bool:
        return opening(answer) in self.openings or any(
            opening(line) in self.openings for line in answer.splitlines() if line.strip()
        )


def opening(answer: str) -> str:
    """Return how a bare answer begins."""
    return bare(answer[:600])[:OPENING]


def good_answers(
    turns: Sequence[Turn], bad: BadAnswers, held: Held = nothing_held, redact: Callable[[str], str] = str
) -> tuple[Answer, ...]:
    """Return what is general of the answers that users rated good or a reviewer confirmed, the best supported first.

    None that somebody rated bad is among them.
    """
    by_text: dict[str, list[tuple[Turn, str]]] = {}
    for turn in praised_turns(turns, bad):
        text = general(redact(turn.assistant_message), held)
        if text and text not in bad:
            by_text.setdefault(bare(text), []).append((turn, text))
    found = [
        Answer(group[-1][1], len(group), tuple(turn for turn, _ in group), cut=cut_from(*group[-1]))
        for group in by_text.values()
    ]
    return tuple(sorted(found, key=lambda answer: (-answer.praised, -len(answer.text), answer.text)))


def praised_turns(turns: Iterable[Turn], bad: BadAnswers) -> Iterator[Turn]:
    """Yield the turns whose answers users rated good or a reviewer confirmed, and nobody rated bad."""
    for turn in turns:
        answer = turn.assistant_message.strip()
        praised = turn.satisfied or confirmed(turn)
        if praised and answer and not turn.partial and not turn.dissatisfied and not refused(answer) and answer not in bad:
            yield turn


def cut_from(turn: Turn, text: str) -> bool:
    """Tell whether something was left out of an answer."""
    return bare(text) != bare(turn.assistant_message)


def holder(roots: Sequence[str], originals: Originals) -> Held:
    """Return a function that tells whether an original of some roots holds a value."""

    @functools.cache
    def held(value: str) -> bool:
        hits = (hit for root in roots for hit in originals.best(value, root, FIRST))
        return any(value in " ".join((hit.passage.title, hit.passage.heading, hit.passage.text)) for hit in hits)

    return held


def agreement(answers: Sequence[Answer], originals: Originals) -> Agreement:
    """Return how far the good answers agree."""
    if not answers:
        return Agreement()
    best = answers[0]
    first = set(originals.terms(best.text))
    found = {answer.text: contradiction(best.text, answer.text) for answer in answers[1:]}
    agreeing = [
        answer
        for answer in answers
        if not found.get(answer.text) and overlap(first, set(originals.terms(answer.text))) >= AGREE
    ]
    share = sum(answer.praised for answer in agreeing) / sum(answer.praised for answer in answers)
    against = next((told(best.text, answer.text, what) for answer in answers if (what := found.get(answer.text))), "")
    return Agreement(share, people(turn for answer in agreeing for turn in answer.turns), against)


def people(turns: Iterable[Turn]) -> int:
    """Return how many users these turns are of: sessions stand for unknown users; turns without either are one."""
    return len({("user", turn.user_id) if turn.user_id else ("session", turn.session_id or "") for turn in turns})


def overlap(one: set[str], other: set[str]) -> float:
    """Return the share of the smaller set that both have."""
    return len(one & other) / max(1, min(len(one), len(other)))


def coverage(text: str, hit: Hit, root: str, originals: Originals) -> float:
    """Return the idf share of a text's terms that a passage holds."""
    passage = hit.passage
    inside = set(originals.terms(" ".join((passage.title, *passage.trail, passage.heading, passage.text))))
    wanted = set(originals.terms(text))
    whole = sum(originals.idf(term, root) for term in sorted(wanted))
    return sum(originals.idf(term, root) for term in sorted(wanted & inside)) / whole if whole else 0.0


def best_passage(text: str, root: str, originals: Originals) -> Passage | None:
    """Return the original passage that covers most of a text."""
    found = [Passage(hit, coverage(text, hit, root, originals)) for hit in originals.best(text, root, FIRST)]
    return max(found, key=lambda passage: passage.coverage, default=None)


def thin_pages(answer: str, root: str, originals: Originals) -> tuple[Passage, ...]:
    """Return the pages that hold some of an answer, the most first: what an overlay with that answer rests on."""
    found: dict[str, Passage] = {}
    for hit in originals.best(answer, root, FIRST):
        passage = Passage(hit, coverage(answer, hit, root, originals))
        known = found.get(passage.path)
        if passage.coverage >= THIN[language(answer)] and (known is None or known.coverage < passage.coverage):
            found[passage.path] = passage
    return tuple(sorted(found.values(), key=lambda passage: (-passage.coverage, passage.path)))


def held_share(answers: Sequence[Answer], page: Passage, root: str, originals: Originals) -> float:
    """Return the share of the good ratings whose answer the page holds as well as it holds the best one, nearly."""
    read = answers[:ANSWERS_READ]
    hits = {
        answer.text: [hit for hit in originals.best(answer.text, root, FIRST) if hit.passage.path == page.path]
        for answer in read
    }
    held = [
        a.praised for a in read if any(coverage(a.text, hit, root, originals) >= NEARLY * page.coverage for hit in hits[a.text])
    ]
    return sum(held) / max(1, sum(answer.praised for answer in read))


def speaks_of_numbers(question: str, page: Passage) -> bool:
    """Whether a page has every number of a question: one about another version, week or error is another page."""
    passage = page.hit.passage
    there = " ".join((passage.title, *passage.trail, passage.heading, passage.text, *passage.aliases))
    return set(NUMBER.findall(bare(question))) <= set(NUMBER.findall(bare(there)))


def citations(answers: Sequence[Answer], page: str) -> int:
    """Return how many of the good ratings belong to answers that name a page by its path or file."""
    name = page.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    telling = len(name) >= NAME[language(name)]
    return sum(answer.praised for answer in answers if page in answer.text or (telling and name in answer.text))


def gather(cluster: Cluster, layer: str, roots: Sequence[str], inputs: Inputs, bad: BadAnswers) -> Facts:
    """Return the facts of a cluster. Of several roots the one whose originals answer best is chosen, else the first."""
    originals = inputs.originals
    turns = cluster.turns
    held = holder(roots, originals)
    answers = good_answers(turns, bad, held, inputs.redact)
    wordings = wordings_of(cluster, inputs.redact, held)
    title = title_of(cluster, inputs.redact, held) or next(iter(wordings), "")
    root, page, nearest = choose_root(roots, next(iter(wordings), cluster.medoid), answers, originals)
    found = {w for w in wordings if page and any(hit.passage.path == page.path for hit in originals.best(w, root, FIRST))}
    lost = tuple(w for w in wordings if w not in found)
    praised = sum(answer.praised for answer in answers)
    return Facts(
        title=title,
        lang=asked_in(next(iter(wordings), cluster.medoid)),
        layer=layer,
        root=root,
        turns=len(turns),
        sessions=cluster.sessions,
        bad=len(cluster.bad),
        weak=cluster.doubtful,
        answers=answers,
        praised=praised,
        agreement=agreement(answers, originals),
        page=page,
        held_share=held_share(answers, page, root, originals) if page else 0.0,
        thin=thin_pages(answers[0].text, root, originals) if answers else (),
        citations=citations(answers, page.path) if page else 0,
        wordings=tuple(wordings),
        found=tuple(w for w in wordings if w in found),
        lost=lost,
        aliases=usable_aliases(lost, root, page.hit.passage, inputs) if page else (),
        asks_how=sum(bool(HOW.search(asked.text)) for asked in cluster.asked) / len(turns),
        in_steps=sum(answer.praised for answer in answers if in_steps(answer.text)) / max(1, praised),
        nearest=nearest,
        limits=inputs.settings,
        private=sum(1 for _ in praised_turns(turns, bad)) - praised,
        held=held,
        against=against(title, answers[0].text, root, cluster, inputs) if answers else "",
    )


def against(title: str, answer: str, root: str, cluster: Cluster, inputs: Inputs) -> str:
    """Return in a sentence which original near an answer, or which adopted answer to much the same, it contradicts."""
    for hit in inputs.originals.best(answer, root, FIRST):
        passage = hit.passage
        if found := clash(answer, passage.text, title, passage.heading or passage.title):
            return contradicted(passage.path, found)
    words = set(query_terms(title))
    for known in inputs.known:
        record = known.record
        mine = known.status == "adopted" and record.root == root and record.suggestion and not cluster.keys & set(record.keys)
        theirs = set(query_terms(record.title)) if mine else set()
        near = bool(theirs) and len(words & theirs) >= AGREE * len(words | theirs)
        if near and (found := clash(answer, record.suggestion, title, record.title)):
            return contradicted(record.adopted_path or record.id, found)
    return ""


def contradicted(path: str, found: Clash) -> str:
    """Return a sentence for a reviewer."""
    return say("clash.pages", path=path, what=found.what, theirs=found.theirs, ours=found.ours)


def choose_root(
    roots: Sequence[str], question: str, answers: Sequence[Answer], originals: Originals
) -> tuple[str, Passage | None, Passage | None]:
    """Return the root that answers best, with the passage that holds an answer and the one nearest to the question."""
    tried = []
    for place, root in enumerate(roots):
        pages = [passage for answer in answers[:ANSWERS_READ] if (passage := best_passage(answer.text, root, originals))]
        fitting = [passage for passage in pages if speaks_of_numbers(question, passage)]
        page = max(fitting, key=lambda passage: passage.coverage, default=None)
        nearest = best_passage(question, root, originals)
        score = (page.coverage if page else 0.0, nearest.coverage if nearest else 0.0)
        tried.append((score, -place, root, page, nearest))
    _, _, root, page, nearest = max(tried, key=lambda entry: entry[:2])
    return root, page, nearest


def in_steps(answer: str) -> bool:
    """Whether an answer has three ordered steps."""
    return len(STEP.findall(answer)) >= 3 or any(pattern.search(answer) for pattern in IN_WORDS)
