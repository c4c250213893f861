"""The wordings of a question: which there are, which is its title, and which an `index.json` can take as aliases."""

import re
from collections import Counter
from collections.abc import Callable, Iterable

from mfgit.model import Passage
from mfgit.scan.values import Cluster, Inputs
from mfgit.text.own import capital
from mfgit.text.personal import Held, masked, nothing_held, question
from mfgit.text.questions import bare
from mfgit.text.titles import plain
from mfgit.text.tokens import ENGLISH_STOP_WORDS, query_terms

WORDINGS_READ = 12
"""Distinct wordings that are searched for, the most frequent ones."""
ALIAS_LENGTH = 200
"""Characters of the longest alias."""
PROPER = re.compile(r"[^?？!！\s][?？]$")
"""How a question ends."""


def wordings_of(cluster: Cluster, redact: Callable[[str], str] = str, held: Held = nothing_held) -> list[str]:
    """Return up to `WORDINGS_READ` wordings in the users' words without values of one person, the most frequent first.

    One for each normal form, each once; none of which nothing general is left.
    """
    count = Counter(asked.normal for asked in cluster.asked)
    texts: dict[str, Counter[str]] = {}
    for asked in cluster.asked:
        texts.setdefault(asked.normal, Counter())[plain(asked.text)] += 1
    found: dict[str, str] = {}
    for normal in sorted(count, key=lambda normal: (-count[normal], normal != cluster.medoid, normal)):
        wording = question(redact(most_common(texts[normal])), held)
        if wording:
            found.setdefault(bare(wording), wording)
        if len(found) == WORDINGS_READ:
            break
    return list(found.values())


def title_of(cluster: Cluster, redact: Callable[[str], str] = str, held: Held = nothing_held) -> str:
    """Return the medoid in its most frequent spelling, of equal ones the plainest; empty when nothing of it is general."""
    spellings = Counter(plain(asked.text) for asked in cluster.asked if asked.normal == cluster.medoid)
    return capital(question(redact(most_common(spellings)), held))


def fit(text: str, redact: Callable[[str], str], held: Held = nothing_held) -> str:
    """Return a user's text as a wording that others may read; with marks where nothing general is left of it."""
    return question(redact(plain(text)), held) or shown(text, redact, held)


def shown(text: str, redact: Callable[[str], str], held: Held = nothing_held) -> str:
    """Return a user's text as others may read it: with marks in the place of secrets and of what is of one person."""
    return masked(redact(text), held)


def most_common(texts: Counter[str]) -> str:
    """Return the most frequent text; of equal ones the plainest: not shouting, asking properly, short."""
    return min(texts, key=lambda text: (-texts[text], shouting(text), not PROPER.search(text), len(text), text))


def shouting(text: str) -> bool:
    """Whether a text is typed wide or in capitals."""
    capitals = sum(character.isupper() for character in text)
    return 3 * capitals > len(text) or any("\uff01" <= character <= "\uff5e" and character.isalnum() for character in text)


def usable_aliases(wordings: Iterable[str], root: str, passage: Passage, inputs: Inputs) -> tuple[str, ...]:
    """Return the wordings that `index.json` can take as aliases of a page.

    One printable line of at most 200 characters, of the same words one only, none that the page has, that is another page's
    title, or that had to be redacted.
    """
    seen = {said(text) for text in (*passage.aliases, passage.title)}
    found = []
    for wording in wordings:
        words = said(wording)
        usable = bool(words) and words not in seen and len(wording) <= ALIAS_LENGTH and wording.isprintable()
        if not usable or inputs.redact(wording) != wording or not inputs.takes_alias(root, passage.path, wording):
            continue
        first = next(iter(inputs.originals.best(wording, root, 1)), None)
        if first is None or first.passage.path == passage.path or said(first.passage.title) != words:
            seen.add(words)
            found.append(wording)
    return tuple(found)


def said(text: str) -> frozenset[str]:
    """Return the words of a text that tell wordings apart: two with the same ones lead to the same passages."""
    return frozenset(term for term in query_terms(text) if term not in ENGLISH_STOP_WORDS) or frozenset((bare(text),)) - {""}
